//! The texts behind the hashes: what an entry said when it was pinned, and what it says now.
//!
//! A lock holds hashes, so the old text is known only where somebody kept it: in a surface file that reproduces the
//! lock. Without one, the new description is shown all the same.

use super::model::{Block, TextChange, TextSide, UnstableField};
use super::word_diff::{alone, word_diff};
use crate::json::{Difference, Differences, Object, Value, compact, differences};
use crate::lock::Level;
use crate::surface::{Section, Surface, entry_target};
use crate::text::shorten;
use std::collections::HashMap;

/// Changed places of one entry that are named; the rest is counted.
const MAX_CHANGES: usize = 12;
/// Entries of a report whose texts are shown.
const MAX_ENTRIES: usize = 200;
/// Code points of a text in the model: more than nearly every description has.
const MAX_RAW: usize = 4_000;
/// Characters of a value that is no text, in reports for people.
const MAX_VALUE: usize = 300;
/// Characters of a text that there is nothing to compare with, in reports for people.
const MAX_ALONE: usize = 1_500;

/// Adds to each block what the entry said before and says now. `before` and `now` are the surfaces that the two sides
/// were made of, where they are known.
pub fn attach_texts<'a>(blocks: &mut [Block], level: Level, before: Option<&'a Surface>, now: Option<&'a Surface>) {
    let (old, new) = (before.map(entries_by_target), now.map(entries_by_target));
    let drifted = blocks.iter_mut().filter(|block| !block.items.is_empty() || !block.fields.is_empty());
    for block in drifted.take(MAX_ENTRIES) {
        let Some(section) = section_of(&block.target) else { continue };
        let side = |side: &Option<HashMap<_, &'a Object>>| side.as_ref().map(|all| all.get(&block.target).copied());
        match (side(&old), side(&new)) {
            (Some(before), Some(now)) => {
                (block.texts, block.more_texts) = changes(before, now, committed(section, level));
            }
            (None, Some(now)) => block.texts.extend(now.and_then(|entry| new_description(block, entry))),
            (Some(before), None) => block.texts.extend(before.and_then(|entry| old_description(block, entry))),
            (None, None) => {}
        }
    }
}

/// Every member of two entries that differs, as far as the lock commits to it. An entry that is on one side only is
/// shown by its description.
fn changes(before: Option<&Object>, now: Option<&Object>, members: &[&str]) -> (Vec<TextChange>, usize) {
    let (Some(before), Some(now)) = (before, now) else {
        let one_sided = TextChange {
            pointer: "/description".to_owned(),
            before: before.map_or(TextSide::Absent, |entry| text_alone(entry.get_non_null("description"))),
            now: now.map_or(TextSide::Absent, |entry| text_alone(entry.get_non_null("description"))),
        };
        let says_something =
            matches!(&one_sided.before, TextSide::Text { .. }) || matches!(&one_sided.now, TextSide::Text { .. });
        return (Some(one_sided).filter(|_| says_something).into_iter().collect(), 0);
    };
    let (mut out, mut more) = (Vec::new(), 0);
    for name in members {
        // Null and absent are the same in all of these.
        let (before, now) = (before.get_non_null(name), now.get_non_null(name));
        let differences = match (before, now) {
            (Some(before), Some(now)) => differences(before, now, MAX_CHANGES - out.len()),
            (None, None) => continue,
            (before, now) if out.len() < MAX_CHANGES => {
                Differences { found: vec![Difference { pointer: String::new(), before, now }], more: 0 }
            }
            _ => Differences { found: Vec::new(), more: 1 },
        };
        more += differences.more;
        out.extend(differences.found.into_iter().map(|found| {
            let (before, now) = sides(found.before, found.now);
            TextChange { pointer: format!("/{name}{}", found.pointer), before, now }
        }));
    }
    (out, more)
}

/// The places in which two captures of one server differ, for entries that are known to.
pub fn unstable_fields<'t>(
    first: &Surface,
    other: &Surface,
    targets: impl Iterator<Item = &'t str>,
    capture: usize,
) -> Vec<UnstableField> {
    let (old, new) = (entries_by_target(first), entries_by_target(other));
    let mut out = Vec::new();
    for target in targets.take(MAX_ENTRIES) {
        let (old, new) = (old.get(target).copied(), new.get(target).copied());
        let Some(section) = section_of(target) else { continue };
        let mut field = |pointer: String, first, other| {
            out.push(UnstableField { target: target.to_owned(), pointer, first, other, capture });
        };
        match (old, new) {
            (Some(old), Some(new)) => {
                let (changes, _) = changes(Some(old), Some(new), committed(section, Level::CURRENT));
                if changes.is_empty() {
                    // Numbers that are equal and spelled differently: 1 and 1.0 sort differently in an enum.
                    let whole = |entry: &Object| text_alone(Some(&entry.clone().into()));
                    field(String::new(), whole(old), whole(new));
                }
                for change in changes {
                    field(change.pointer, change.before, change.now);
                }
            }
            (old, new) => {
                let whole = |entry: Option<&Object>| match entry.map(|entry| entry.get_non_null("description")) {
                    Some(Some(description)) => text_alone(Some(description)),
                    Some(None) => TextSide::Text { raw: String::new(), pieces: Vec::new() },
                    None => TextSide::Absent,
                };
                field(String::new(), whole(old), whole(new));
            }
        }
    }
    out
}

/// The two sides of a place; word by word where both are texts.
pub(super) fn sides(before: Option<&Value>, now: Option<&Value>) -> (TextSide, TextSide) {
    match (before, now) {
        (Some(Value::String(before)), Some(Value::String(now))) => {
            let (old, new) = word_diff(before, now);
            let side = |raw: &str, pieces| TextSide::Text { raw: shorten(raw, MAX_RAW), pieces };
            (side(before, old), side(now, new))
        }
        (before, now) => (text_alone(before), text_alone(now)),
    }
}

fn text_alone(value: Option<&Value>) -> TextSide {
    match value {
        None => TextSide::Absent,
        Some(Value::String(text)) => TextSide::Text { raw: shorten(text, MAX_RAW), pieces: alone(text, MAX_ALONE) },
        Some(value) => {
            let text = compact(value);
            TextSide::Text { raw: shorten(&text, MAX_RAW), pieces: alone(&text, MAX_VALUE) }
        }
    }
}

/// The description of an entry that is new, or whose description changed, while nothing is known of the old one.
fn new_description(block: &Block, entry: &Object) -> Option<TextChange> {
    let is_new = block.items.iter().any(|item| item.class.ends_with("-added") && is_entry_class(&item.class));
    let is_changed = block.fields.iter().any(|field| field.member == "description_hash");
    if !is_new && !is_changed {
        return None;
    }
    let now = text_alone(entry.get_non_null("description"));
    if is_new && now == TextSide::Absent {
        return None;
    }
    let before = if is_new { TextSide::Absent } else { TextSide::Unknown };
    Some(TextChange { pointer: "/description".to_owned(), before, now })
}

/// The other way round: the description of an entry that is gone, or whose description changed, while nothing is known
/// of the new one.
fn old_description(block: &Block, entry: &Object) -> Option<TextChange> {
    let is_gone = block
        .items
        .iter()
        .any(|item| matches!(item.class.as_str(), "tool-removed" | "resource-removed" | "prompt-removed"));
    if !is_gone && !block.fields.iter().any(|field| field.member == "description_hash") {
        return None;
    }
    let before = text_alone(entry.get_non_null("description"));
    let now = if is_gone { TextSide::Absent } else { TextSide::Unknown };
    Some(TextChange { pointer: "/description".to_owned(), before, now }).filter(|change| change.before != change.now)
}

fn is_entry_class(class: &str) -> bool {
    matches!(class, "tool-added" | "resource-added" | "prompt-added")
}

/// The members of an entry that a lock of this level commits to.
fn committed(section: Section, level: Level) -> &'static [&'static str] {
    match section {
        Section::Tools if level.has_metadata() => &["description", "inputSchema", "annotations", "outputSchema"],
        Section::Tools => &["description", "inputSchema"],
        Section::Resources => &["name", "description", "mimeType"],
        Section::Prompts => &["description", "arguments"],
    }
}

fn section_of(target: &str) -> Option<Section> {
    let (section, _) = target.split_once('/')?;
    Section::ALL.into_iter().find(|known| known.key() == section)
}

/// Every entry as it was sent, by target.
pub(super) fn entries_by_target(surface: &Surface) -> HashMap<String, &Object> {
    let tools = surface.tools.iter().map(|tool| (entry_target(Section::Tools, tool.name()), tool.raw()));
    let resources = surface.resources.iter().map(|entry| (entry_target(Section::Resources, entry.uri()), entry.raw()));
    let prompts = surface.prompts.iter().map(|entry| (entry_target(Section::Prompts, entry.name()), entry.raw()));
    tools.chain(resources).chain(prompts).collect()
}
