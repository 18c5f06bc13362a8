//! What a lock says outside of its digest and a check goes by: the record of its capture (`pin.warden`), and its findings.
//! An edit of them shows nowhere else, so it is told (SPEC.md §13).

use super::CommandError;
use super::summary::changed_uncovered;
use crate::drift::{LAUNCH_TARGET, RECORD_TARGET};
use crate::json::{Object, Value};
use crate::lock::{Lock, PromptArguments, WardenPin};
use crate::report::{Block, BlockItem, FindingLine, RECORD_RULE};
use crate::text::{Charset, escape, shorten};
use std::collections::BTreeMap;

/// Findings that are named, and characters of a name.
const MAX_NAMED: usize = 10;
const MAX_NAME: usize = 80;

/// What the record changes about a check, in words; `None` where it changes nothing.
pub(super) fn recorded_note(lock: &Lock) -> Option<String> {
    let recorded = &lock.pin.warden;
    let mut parts = Vec::new();
    if recorded.prompt_arguments == PromptArguments::Normalized {
        parts.push("prompt arguments are compared in the rewritten form, which leaves out members of them".to_owned());
    }
    if !recorded.allow_missing.is_empty() {
        parts.push(format!("may be missing: {}", sections(recorded)));
    }
    (!parts.is_empty()).then(|| format!("recorded in the lock, and covered by no digest: {}", parts.join("; ")))
}

/// A launch with references can only be started with the configuration that says what they stand for.
///
/// # Errors
/// The lock's launch has some.
pub(super) fn check_complete(lock: &Lock) -> Result<(), CommandError> {
    let references = lock.pin.warden.started_with.get("references").and_then(Value::as_array).unwrap_or_default();
    let names: Vec<&str> = references.iter().filter_map(Value::as_str).collect();
    if names.is_empty() {
        return Ok(());
    }
    let names = escape(&shorten(&names.join(", "), 200), Charset::Unicode);
    Err(CommandError::usage(format!("the launch in the lock refers to variables of a configuration: {names}"))
        .hint("check it with the project that it belongs to: warden check --all --only NAME"))
}

/// What surrounds a server comes from a configuration: pinned anew without it, that would be lost.
///
/// # Errors
/// The lock records such settings.
pub(super) fn check_plain(lock: &Lock) -> Result<(), CommandError> {
    if lock.pin.warden.started_with.is_empty() {
        return Ok(());
    }
    Err(CommandError::usage("the lock belongs to a project, whose configuration says more than the command")
        .hint("pin it with its project: warden pin --all --only NAME")
        .hint("or name the command, and leave that behind: warden pin -- COMMAND"))
}

/// Where the records of two locks accept something else.
pub(super) fn record_block(old: &WardenPin, new: &WardenPin) -> Option<Block> {
    let mut words = Vec::new();
    if old.prompt_arguments != new.prompt_arguments {
        let form = |side: &WardenPin| match side.prompt_arguments {
            PromptArguments::AsSent => "as sent",
            PromptArguments::Normalized => "in the rewritten form, which leaves out members of them",
        };
        words.push(format!("prompt arguments were compared {}, and now {}", form(old), form(new)));
    }
    if old.allow_missing != new.allow_missing {
        words.push(format!("sections that may be missing: {} before, and now {}", sections(old), sections(new)));
    }
    if old.started_with != new.started_with {
        words.push(format!("{} before, and now {}", started_words(old), started_words(new)));
    }
    let items: Vec<BlockItem> = words.into_iter().map(|words| BlockItem::of_rule(RECORD_RULE, words)).collect();
    (!items.is_empty()).then(|| Block { items, ..Block::new(RECORD_TARGET) })
}

/// What a server is started with, in words; escaped.
pub(super) fn started_words(record: &WardenPin) -> String {
    match record.started_with.is_empty() {
        true => "started with nothing besides its command".to_owned(),
        false => {
            let text = crate::json::compact(&Value::from(record.started_with.clone()));
            format!("started with {}", escape(&shorten(&text, 500), Charset::Unicode))
        }
    }
}

fn sections(record: &WardenPin) -> String {
    match record.allow_missing.is_empty() {
        true => "none".to_owned(),
        false => record.allow_missing.iter().map(|section| section.key()).collect::<Vec<_>>().join(", "),
    }
}

/// What two locks record about declared things that no digest covers. One that records nothing was written by another
/// tool, or somebody took it out.
pub(super) fn not_covered_note(old: &Object, new: &Object) -> Option<String> {
    let names = shorten(&changed_uncovered(old, new).join(", "), 300);
    if names.is_empty() {
        return None;
    }
    Some(match (old.is_empty(), new.is_empty()) {
        (false, true) => format!("A records digests of what its own digest does not cover, and B does not: {names}"),
        (true, false) => format!("B records digests of what its own digest does not cover, and A does not: {names}"),
        _ => format!("changed, and covered by no digest: {names}"),
    })
}

/// Findings that only one of two locks stores, without those that `told` tells already.
pub(super) fn finding_notes(old: &Lock, new: &Lock, told: &[Block]) -> Vec<String> {
    let (before, after) = (tally(&old.findings), tally(&new.findings));
    let is_told = |key: &Key<'_>| {
        let is_it = |finding: &FindingLine| finding.rule_id == key[0] && finding.target == key[1];
        told.iter().flat_map(|block| &block.findings).any(is_it)
    };
    // Another launch has other findings, and they quote it.
    let is_launch = |key: &Key<'_>| key[1] == LAUNCH_TARGET && old.surface.command_digest != new.surface.command_digest;
    let only = |here: &BTreeMap<Key<'_>, usize>, there: &BTreeMap<Key<'_>, usize>, skip_told: bool| {
        let more = |(key, n): (&Key<'_>, &usize)| (n.saturating_sub(there.get(key).copied().unwrap_or(0)), named(key));
        let keys = here.iter().filter(|(key, _)| !is_launch(key) && !(skip_told && is_told(key)));
        keys.map(more).filter(|(n, _)| *n > 0).collect::<Vec<_>>()
    };
    let added = only(&after, &before, true);
    let removed = only(&before, &after, false);
    [("B stores", "A does not", added), ("A stores", "B does not", removed)]
        .into_iter()
        .filter(|(.., findings)| !findings.is_empty())
        .map(|(has, lacks, findings)| {
            let count: usize = findings.iter().map(|(n, _)| n).sum();
            let mut names: Vec<&str> = findings.iter().take(MAX_NAMED).map(|(_, name)| name.as_str()).collect();
            if findings.len() > MAX_NAMED {
                names.push("and others");
            }
            let s = if count == 1 { "" } else { "s" };
            format!("{has} {count} finding{s} that {lacks}, and no digest covers them: {}", names.join(", "))
        })
        .collect()
}

/// Rule, target, severity and snippet; raw.
type Key<'f> = [&'f str; 4];

fn tally(findings: &[Object]) -> BTreeMap<Key<'_>, usize> {
    let mut tally = BTreeMap::new();
    for finding in findings {
        let key = ["rule_id", "target", "severity", "snippet"]
            .map(|member| finding.get(member).and_then(Value::as_str).unwrap_or_default());
        *tally.entry(key).or_insert(0) += 1;
    }
    tally
}

fn named(key: &Key<'_>) -> String {
    let small = |raw: &str| escape(&shorten(raw, MAX_NAME), Charset::Unicode);
    format!("{} on {}", small(key[0]), small(key[1]))
}
