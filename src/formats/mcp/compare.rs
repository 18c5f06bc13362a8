//! What differs between an entry and what a server declares now, in the order of the format's own tool.

use super::declared::{Declared, Digests, key_of, quoted};
use super::kind::Kind;
use crate::finding::{Severity, drift_rule};
use crate::formats::{Difference, Refusal};
use crate::json::{Value, spaced};
use crate::surface::Era;
use crate::text::{Charset, escape, shorten};
use std::collections::{BTreeMap, BTreeSet};

/// One side of a comparison.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub declared: &'a Declared,
    pub digests: &'a Digests,
}

/// Whether the server can still be spoken to as it was locked.
///
/// # Errors
/// It lists the locked revision of the protocol no more, which the format calls a failure and not drift.
pub(super) fn require_locked_version(old: &Declared, now: &Declared) -> Result<(), Refusal> {
    let Some(Value::Array(listed)) = now.0.get("supportedVersions") else { return Ok(()) };
    let version = old.text("protocolVersion");
    if old.era() == Era::Modern && !listed.iter().any(|listed| listed.as_str() == Some(version)) {
        let version = quoted(version);
        return Err(Refusal(format!(
            "the server no longer lists {version}, the version of the protocol it is locked in"
        )));
    }
    Ok(())
}

/// Everything that differs. What is informational fails only where that is asked for.
pub(super) fn differences(old: Side<'_>, now: Side<'_>, strict: bool) -> Vec<Difference> {
    let mut found = Vec::new();
    let eras = (old.declared.era(), now.declared.era());
    if eras.0 == eras.1 {
        found.extend(
            ["protocolVersion", "supportedVersions"].into_iter().filter_map(|part| about(part, old, now, strict)),
        );
    } else {
        // Revision and list of versions follow from it.
        let side = |era: Era, side: Side<'_>| {
            format!("{} in {}", era.first_method(), quoted(side.declared.text("protocolVersion")))
        };
        let words = format!("it was locked with {} and now answers {}", side(eras.0, old), side(eras.1, now));
        found.push(definitional("pinned-era-changed", "server/era".to_owned(), Vec::new(), words));
    }
    found.extend(["serverInfo", "capabilities"].into_iter().filter_map(|part| about(part, old, now, strict)));
    let texts = (old.declared.instructions(), now.declared.instructions());
    if texts.0 != texts.1 {
        let words = match texts {
            (None, _) => "the server now gives instructions",
            (_, None) => "the server no longer gives instructions",
            _ => "the instructions of the server changed",
        };
        let target = "server/instructions".to_owned();
        found.push(definitional("pinned-instructions-changed", target, Vec::new(), words.to_owned()));
    }
    for (at, kind) in Kind::ALL.into_iter().enumerate() {
        items(kind, (old, &old.digests.items[at]), (now, &now.digests.items[at]), &mut found);
    }
    found
}

type Digested<'a> = (Side<'a>, &'a BTreeMap<String, String>);

fn items(kind: Kind, old: Digested<'_>, now: Digested<'_>, found: &mut Vec<Difference>) {
    let [added, changed, removed] = kind.classes();
    let by_key = |side: Side<'_>| -> BTreeMap<String, Value> {
        side.declared.items(kind).iter().map(|item| (key_of(kind, item).to_owned(), item.clone())).collect()
    };
    // Definitions are looked for only where some changed.
    let pairs = if old.1 == now.1 { None } else { Some((by_key(old.0), by_key(now.0))) };
    let Some((before, after)) = pairs else { return };
    let (noun, null) = (kind.singular(), Value::Null);
    for (key, digest) in old.1 {
        let target = kind.target(key);
        match now.1.get(key) {
            Some(same) if same == digest => {}
            Some(_) => {
                let fields = changed_members(before.get(key).unwrap_or(&null), after.get(key).unwrap_or(&null));
                let words = format!("{noun} {} changed: {}", quoted(key), listed(&fields));
                found.push(definitional(changed, target, fields, words));
            }
            None => found.push(definitional(removed, target, Vec::new(), format!("{noun} {} is gone", quoted(key)))),
        }
    }
    for key in now.1.keys().filter(|key| !old.1.contains_key(*key)) {
        found.push(definitional(added, kind.target(key), Vec::new(), format!("{noun} {} is new", quoted(key))));
    }
}

/// An informational member of the surface, if it differs.
fn about(part: &str, old: Side<'_>, now: Side<'_>, strict: bool) -> Option<Difference> {
    let (before, after) = (old.declared.0.get(part), now.declared.0.get(part));
    if before == after {
        return None;
    }
    let (before, after) = (before.unwrap_or(&Value::Null), after.unwrap_or(&Value::Null));
    let fields = changed_members(before, after);
    let words = if fields.is_empty() {
        format!("{part} was {} and is {}", shown(before), shown(after))
    } else {
        format!("{part} changed: {}", listed(&fields))
    };
    let class = "pinned-about-changed";
    Some(Difference { fails: strict, ..definitional(class, format!("server/{part}"), fields, words) })
}

fn definitional(class: &'static str, target: String, fields: Vec<String>, words: String) -> Difference {
    let severity = drift_rule(class).map_or(Severity::High, |rule| rule.severity);
    Difference { class, severity, target, fields, fails: true, words }
}

/// The members in which two objects differ, sorted; raw.
fn changed_members(before: &Value, after: &Value) -> Vec<String> {
    let (Some(before), Some(after)) = (before.as_object(), after.as_object()) else { return Vec::new() };
    let names: BTreeSet<&str> = before.names().chain(after.names()).collect();
    names.into_iter().filter(|name| before.get(name) != after.get(name)).map(str::to_owned).collect()
}

/// Names in a sentence, as many as a line takes.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut out: Vec<String> =
        names.iter().take(SHOWN).map(|name| escape(&shorten(name, 60), Charset::Unicode)).collect();
    if names.len() > SHOWN {
        out.push(format!("and {} more", names.len() - SHOWN));
    }
    out.join(", ")
}

fn shown(value: &Value) -> String {
    escape(&shorten(&spaced(value), 120), Charset::Unicode)
}
