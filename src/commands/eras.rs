//! The two eras of the protocol in commands: which one a lock belongs to, and whether a server declares the same in both.

use super::args::EraName;
use crate::capture::EraChoice;
use crate::drift::fields::changed_fields;
use crate::lock::PinnedSurface;
use crate::report::{Failure, field_words};
use crate::surface::{Era, Section};
use crate::text::{Charset, escape, shorten};
use std::collections::BTreeSet;

/// Differences that a message names; the rest is counted.
const NAMED: usize = 8;

/// Which captures a command makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EraPlan {
    One(EraChoice),
    /// One in each era; what is kept is the capture of `keep`.
    Both {
        keep: Era,
    },
}

impl EraPlan {
    /// From `--era` and the revision that an existing lock was pinned in, if there is one: a lock is looked at in its
    /// own era first, because a server may well declare other things in the other.
    pub fn new(name: EraName, pinned_version: Option<&str>) -> Self {
        let own = pinned_version.and_then(Era::of_version).unwrap_or(Era::Legacy);
        match name {
            EraName::Auto => Self::One(EraChoice::Auto { first: own }),
            EraName::Legacy => Self::One(EraChoice::Only(Era::Legacy)),
            EraName::Modern => Self::One(EraChoice::Only(Era::Modern)),
            EraName::Both => Self::Both { keep: own },
        }
    }
}

/// What to say where a lock was pinned in another era, or another revision, than the server was captured in now. It
/// is no part of the digest.
pub(super) fn version_note(pinned: &str, now: &str) -> Option<String> {
    // A plain dump does not say.
    if pinned == now || pinned.is_empty() || now.is_empty() {
        return None;
    }
    let shown = |version: &str| escape(&shorten(version, 40), Charset::Unicode);
    let (before, after) = (shown(pinned), shown(now));
    Some(match (Era::of_version(pinned), Era::of_version(now)) {
        (Some(old), Some(new)) if old != new => format!(
            "the era of the protocol changed: the server was captured through {} (MCP {after}) now, and pinned through {} \
             (MCP {before})",
            new.first_method(),
            old.first_method()
        ),
        _ => format!("the server speaks MCP {after} now; it was pinned speaking {before}"),
    })
}

/// The refusal of a server that declares one thing to clients of one era and another to those of the other; `None`
/// where the entries are the same. Only what the format hashes is compared: the order of members, and what the modern
/// era adds to list results, make no difference.
pub(super) fn refusal(legacy: &PinnedSurface, modern: &PinnedSurface) -> Option<Failure> {
    let differences = differences(legacy, modern);
    if differences.is_empty() {
        return None;
    }
    let more = match differences.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let named = differences[..differences.len().min(NAMED)].join("; ");
    Some(Failure {
        code: "E-ERAS-DIFFER".to_owned(),
        stage: "surface".to_owned(),
        message: format!("the server declares different things in the two eras of the protocol: {named}{more}"),
        hint: Some(
            "A checker and an agent could be shown two different servers. Find out why; --era legacy or --era modern \
             pins one of the two."
                .to_owned(),
        ),
        ..Failure::default()
    })
}

fn differences(legacy: &PinnedSurface, modern: &PinnedSurface) -> Vec<String> {
    let mut out = Vec::new();
    for section in Section::ALL {
        let identities = |surface: &PinnedSurface| -> BTreeSet<String> {
            surface.entries(section).map(|entry| entry.identity.to_owned()).collect()
        };
        let (old, new) = (identities(legacy), identities(modern));
        let name = |identity: &str| {
            let identity = escape(&shorten(identity, 80), Charset::Unicode);
            format!("{} \"{identity}\"", section.singular())
        };
        out.extend(old.difference(&new).map(|identity| format!("{} only in the legacy era", name(identity))));
        out.extend(new.difference(&old).map(|identity| format!("{} only in the modern era", name(identity))));
    }
    for entry in changed_fields(legacy, modern) {
        let mut fields: Vec<String> = entry.fields.iter().map(|field| field_words(field)).collect();
        // The structure follows from the schema: naming both says nothing more.
        fields.retain(|field| !field.ends_with("structure"));
        let target = escape(&shorten(&entry.target, 90), Charset::Unicode);
        out.push(format!("{target} differs in {}", fields.join(", ")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};
    use crate::lock::{BuildOptions, build};
    use crate::surface::{Launch, Surface};

    fn pinned(text: &str) -> PinnedSurface {
        let document =
            parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 12, max_depth: 64, max_values: usize::MAX }).unwrap();
        let surface = Surface::from_document(document.as_object().unwrap()).unwrap();
        let launch = Launch::Stdio { command: "x".into(), args: Vec::new() };
        build(&surface, &launch, &BuildOptions::default()).unwrap()
    }

    #[test]
    fn a_lock_is_looked_at_in_its_own_era_first() {
        let auto = |version| EraPlan::new(EraName::Auto, version);
        let first = |first| EraPlan::One(EraChoice::Auto { first });
        assert_eq!(auto(None), first(Era::Legacy));
        assert_eq!(auto(Some("2025-06-18")), first(Era::Legacy));
        assert_eq!(auto(Some("2026-07-28")), first(Era::Modern));
        assert_eq!(auto(Some("2099-01-01")), first(Era::Legacy));
        assert_eq!(EraPlan::new(EraName::Both, Some("2026-07-28")), EraPlan::Both { keep: Era::Modern });
        assert_eq!(EraPlan::new(EraName::Legacy, Some("2026-07-28")), EraPlan::One(EraChoice::Only(Era::Legacy)));
    }

    #[test]
    fn a_change_of_era_is_more_than_a_change_of_version() {
        assert_eq!(version_note("2025-11-25", "2025-11-25"), None);
        assert!(version_note("2025-06-18", "2025-11-25").unwrap().starts_with("the server speaks MCP 2025-11-25 now"));
        let changed = version_note("2025-11-25", "2026-07-28").unwrap();
        assert!(changed.contains("era") && changed.contains("server/discover (MCP 2026-07-28) now"), "{changed}");
        assert!(!version_note("\u{1b}", "2026-07-28").unwrap().contains('\u{1b}'));
    }

    #[test]
    fn entries_are_compared_by_what_is_hashed() {
        let legacy = pinned(
            r#"{"tools":[{"name":"a","description":"x","inputSchema":{"type":"object","title":"t"}},{"name":"b"}],
                "prompts":[{"name":"p"}]}"#,
        );
        let same = pinned(
            r#"{"prompts":[{"name":"p","title":"not hashed"}],
                "tools":[{"name":"b"},{"inputSchema":{"title":"t","type":"object"},"description":"x","name":"a"}]}"#,
        );
        assert_eq!(refusal(&legacy, &same), None);
        let other = pinned(
            r#"{"tools":[{"name":"a","description":"y","inputSchema":{"type":"object","required":["k"]}},
                {"name":"c\u001b"}]}"#,
        );
        let refused = refusal(&legacy, &other).unwrap();
        assert_eq!(refused.code, "E-ERAS-DIFFER");
        assert_eq!(
            refused.message,
            "the server declares different things in the two eras of the protocol: tool \"b\" only in the legacy era; \
             tool \"c⟨ESC⟩\" only in the modern era; prompt \"p\" only in the legacy era; tools/a differs in \
             description, input schema"
        );
    }
}
