//! What a run looked at, and what it did not.

use super::server::Observed;
use crate::checks;
use crate::json::Digest;
use crate::lock::{Level, Lock, PinnedSurface};
use crate::report::{Coverage, SectionState, Tally};
use crate::surface::Section;
use std::collections::BTreeMap;

/// Of what was observed, compared with a lock where there is one.
pub(super) fn coverage(observed: &Observed, lock: Option<&Lock>) -> Coverage {
    Coverage {
        level: Level::CURRENT.number(),
        sections: Section::ALL.into_iter().map(|section| (section.key(), state(observed, section))).collect(),
        compared: lock.map(|lock| compared(&lock.surface, &observed.pinned)),
        not_covered: not_covered(observed),
    }
}

fn state(observed: &Observed, section: Section) -> SectionState {
    let raw = &observed.raw;
    let pages = match section {
        Section::Tools => &raw.tools,
        Section::Resources => &raw.resources,
        Section::Prompts => &raw.prompts,
    };
    if observed.missing.contains(&section) {
        SectionState::AcceptedMissing
    } else if !pages.is_empty() {
        SectionState::Listed(observed.pinned.count(section))
    } else if raw.errors.contains_key(&format!("{}/list", section.key())) {
        SectionState::Unsupported
    } else {
        SectionState::NotRecorded
    }
}

fn compared(old: &PinnedSurface, now: &PinnedSurface) -> Tally {
    let digests = |surface: &PinnedSurface| -> BTreeMap<String, Digest> {
        let entries = Section::ALL.into_iter().flat_map(|section| surface.entries(section));
        entries.map(|entry| (entry.target(), entry.digest)).collect()
    };
    let (old, now) = (digests(old), digests(now));
    let mut counts = Tally { new: now.keys().filter(|target| !old.contains_key(*target)).count(), ..Tally::default() };
    for (target, digest) in &old {
        match now.get(target) {
            None => counts.gone += 1,
            Some(now) if now == digest => counts.same += 1,
            Some(_) => counts.changed += 1,
        }
    }
    counts
}

/// What the server declares and no digest covers (SPEC.md §1.3, §13.5); escaped.
fn not_covered(observed: &Observed) -> Vec<String> {
    let found = checks::not_covered(&observed.surface);
    let mut parts = Vec::new();
    if !observed.surface.about.protocol_version.is_empty() {
        parts.push("the server's name, version and capabilities".to_owned());
    }
    for (name, words) in [("instructions", "its instructions"), ("resource_templates", "resource templates")] {
        if found.contains(name) {
            parts.push(words.to_owned());
        }
    }
    // The findings about the rest name the members.
    let extras = [("tool_extras", "tools"), ("resource_extras", "resources"), ("prompt_extras", "prompts")];
    for (name, noun) in extras.into_iter().filter(|(name, _)| found.contains(name)) {
        let target = format!("server/{name}");
        let finding = observed.findings.iter().find(|finding| finding.target == target);
        parts.push(match finding {
            Some(finding) => format!("of {noun}: {}", finding.snippet),
            None => format!("of {noun}: members that the format does not know"),
        });
    }
    parts
}
