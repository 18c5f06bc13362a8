//! The texts behind the hashes: what an entry said when it was pinned, and what it says now.
//!
//! A lock holds hashes, so the old text is known only where somebody kept it: in a surface file that reproduces the
//! lock. Without one, the new description is shown all the same.

use super::model::{Block, TextChange, TextSide, UnstableField};
use super::places::{Change, places, remark};
use super::told::{is_told, say_what_goes};
use super::unseen::say_what_is_unseen;
use super::word_diff::{Folding, Work, alone, side_by_side, word_diff};
use crate::json::{Object, Value, compact, spaced};
use crate::lock::Level;
use crate::surface::{Section, Surface, entry_target};
use crate::text::shorten;
use std::collections::HashMap;

/// Entries of a report whose texts are shown.
const MAX_ENTRIES: usize = 200;
/// Code points of a text in the model: more than nearly every description has.
const MAX_RAW: usize = 4_000;
/// Characters of a value that is no text, in reports for people.
const MAX_VALUE: usize = 300;
/// Characters of a text that there is nothing to compare with, in reports for people.
const MAX_ALONE: usize = 1_500;

/// Of two texts for whose comparison no work was left.
const UNCOMPARED: &str = "not compared word by word: too much changed in this report";

/// How much of the texts goes into a report.
#[derive(Clone, Copy)]
struct Detail {
    /// Changed places of one entry that are named; the rest is counted.
    places: usize,
    raw: usize,
    alone: usize,
    value: usize,
    folding: Folding,
    /// Where the old side is unknown: every committed member as it is now, instead of the short ones that changed.
    whole: bool,
}

const BRIEF: Detail = Detail {
    places: 60,
    raw: MAX_RAW,
    alone: MAX_ALONE,
    value: MAX_VALUE,
    folding: Folding::AroundChanges,
    whole: false,
};
const WHOLE: Detail = Detail {
    places: 10_000,
    raw: usize::MAX,
    alone: usize::MAX,
    value: usize::MAX,
    folding: Folding::None,
    whole: true,
};

impl TextChange {
    /// Two texts that are no part of an entry.
    pub fn of_texts(pointer: &str, before: &str, now: &str) -> Self {
        let (old, new) = (Value::from(before), Value::from(now));
        let (before, now, remark) = sides(Some(&old), Some(&new), BRIEF, &mut Work::default());
        Self { pointer: pointer.to_owned(), before, now, remark, told: false }
    }
}

/// Adds to each block what the entry said before and says now. `before` and `now` are the surfaces that the two sides
/// were made of, where they are known.
pub fn attach_texts(blocks: &mut [Block], level: Level, before: Option<&Surface>, now: Option<&Surface>) {
    attach(blocks, level, before, now, BRIEF);
}

/// As [`attach_texts`], with nothing shortened and nothing left out.
pub fn attach_whole_texts(blocks: &mut [Block], level: Level, before: Option<&Surface>, now: Option<&Surface>) {
    attach(blocks, level, before, now, WHOLE);
}

fn attach<'a>(
    blocks: &mut [Block],
    level: Level,
    before: Option<&'a Surface>,
    now: Option<&'a Surface>,
    detail: Detail,
) {
    let (old, new) = (before.map(entries_by_target), now.map(entries_by_target));
    let mut work = Work::default();
    let drifted = blocks.iter_mut().filter(|block| !block.items.is_empty() || !block.fields.is_empty());
    for block in drifted.take(MAX_ENTRIES) {
        let Some(section) = section_of(&block.target) else { continue };
        let side = |side: &Option<HashMap<_, &'a Object>>| side.as_ref().map(|all| all.get(&block.target).copied());
        let (before, now) = (side(&old), side(&new));
        if let Some(now) = now.flatten() {
            say_what_goes(block, now);
            say_what_is_unseen(block, before.flatten(), now);
        }
        match (before, now) {
            (Some(Some(before)), Some(Some(now))) => {
                (block.texts, block.more_texts) =
                    changes(block, before, now, committed(section, level), detail, &mut work);
            }
            (Some(before), Some(now)) => block.texts = one_sided(before, now, detail),
            (None, Some(now)) => {
                block.texts = now.map(|entry| new_texts(block, entry, section, level, detail)).unwrap_or_default();
            }
            (Some(before), None) => block.texts.extend(before.and_then(|entry| old_description(block, entry))),
            (None, None) => {}
        }
    }
}

/// Every member of two entries that differs, as far as the lock commits to it.
fn changes(
    block: &Block,
    before: &Object,
    now: &Object,
    members: &[&str],
    detail: Detail,
    work: &mut Work,
) -> (Vec<TextChange>, usize) {
    let (found, more) = places(before, now, members, detail.places);
    let change = |place: Change<'_>| {
        let (before, now, uncompared) = sides(place.before, place.now, detail, work);
        TextChange {
            told: is_told(&block.items, &place.pointer, place.before, place.now),
            remark: remark(place.before, place.now).or(uncompared),
            pointer: place.pointer,
            before,
            now,
        }
    };
    (found.into_iter().map(change).collect(), more)
}

/// An entry that is on one side only is shown by its description, in a whole view by all that it declares.
fn one_sided(before: Option<&Object>, now: Option<&Object>, detail: Detail) -> Vec<TextChange> {
    let members: &[&str] = match detail.whole {
        true => &["description", "inputSchema", "annotations", "outputSchema", "name", "mimeType", "arguments"],
        false => &["description"],
    };
    let text = |entry: Option<&Object>, member: &str| match entry.and_then(|entry| entry.get_non_null(member)) {
        Some(value) => text_alone(Some(value), detail),
        None => TextSide::Absent,
    };
    let change = |member: &&str| TextChange {
        pointer: format!("/{member}"),
        before: text(before, member),
        now: text(now, member),
        remark: None,
        told: false,
    };
    let says_something =
        |change: &TextChange| [&change.before, &change.now].iter().any(|side| matches!(side, TextSide::Text { .. }));
    members
        .iter()
        .filter(|member| **member != "name" || before.or(now).is_some_and(|e| e.contains("uri")))
        .map(change)
        .filter(says_something)
        .collect()
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
    let mut work = Work::default();
    for target in targets.take(MAX_ENTRIES) {
        let (old, new) = (old.get(target).copied(), new.get(target).copied());
        let Some(section) = section_of(target) else { continue };
        let mut field = |pointer: String, first, other| {
            out.push(UnstableField { target: target.to_owned(), pointer, first, other, capture });
        };
        match (old, new) {
            (Some(old), Some(new)) => {
                let nothing = Block::new(target);
                let (changes, _) = changes(&nothing, old, new, committed(section, Level::CURRENT), BRIEF, &mut work);
                if changes.is_empty() {
                    // Numbers that are equal and spelled differently: 1 and 1.0 sort differently in an enum.
                    let whole = |entry: &Object| text_alone(Some(&entry.clone().into()), BRIEF);
                    field(String::new(), whole(old), whole(new));
                }
                for change in changes {
                    field(change.pointer, change.before, change.now);
                }
            }
            (old, new) => {
                let whole = |entry: Option<&Object>| match entry.map(|entry| entry.get_non_null("description")) {
                    Some(Some(description)) => text_alone(Some(description), BRIEF),
                    Some(None) => TextSide::Text { raw: String::new(), pieces: Vec::new() },
                    None => TextSide::Absent,
                };
                field(String::new(), whole(old), whole(new));
            }
        }
    }
    out
}

/// The two sides of a place; word by word where both are texts, or both are lists or objects. Where there was no work
/// left for that, a remark says so.
fn sides(
    before: Option<&Value>,
    now: Option<&Value>,
    detail: Detail,
    work: &mut Work,
) -> (TextSide, TextSide, Option<String>) {
    let mut compared = |before: &str, now: &str| match word_diff(before, now, detail.folding, work) {
        Some((old, new)) => (old, new, None),
        None => {
            let (old, new) = side_by_side(before, now, detail.folding);
            (old, new, Some(UNCOMPARED.to_owned()))
        }
    };
    let side = |raw: &str, pieces| TextSide::Text { raw: shorten(raw, detail.raw), pieces };
    match (before, now) {
        (Some(Value::String(before)), Some(Value::String(now))) => {
            let (old, new, remark) = compared(before, now);
            (side(before, old), side(now, new), remark)
        }
        (Some(before @ (Value::Array(_) | Value::Object(_))), Some(now @ (Value::Array(_) | Value::Object(_)))) => {
            let (old, new, remark) = compared(&spaced(before), &spaced(now));
            (side(&compact(before), old), side(&compact(now), new), remark)
        }
        (before, now) => (text_alone(before, detail), text_alone(now, detail), None),
    }
}

fn text_alone(value: Option<&Value>, detail: Detail) -> TextSide {
    match value {
        None => TextSide::Absent,
        Some(Value::String(text)) => {
            TextSide::Text { raw: shorten(text, detail.raw), pieces: alone(text, detail.alone) }
        }
        Some(value) => {
            TextSide::Text { raw: shorten(&compact(value), detail.raw), pieces: alone(&spaced(value), detail.value) }
        }
    }
}

/// What an entry says now that is new, or that changed while nothing is known of what it said. Schemas are left to a
/// whole view: they are long, and items tell what changed in them.
fn new_texts(block: &Block, entry: &Object, section: Section, level: Level, detail: Detail) -> Vec<TextChange> {
    if block.items.iter().any(|item| is_entry_class(&item.class)) {
        return one_sided(None, Some(entry), detail);
    }
    let is_changed = |hash: &str| block.fields.iter().any(|field| field.member == hash);
    let members = committed(section, level).iter().filter(|member| match **member {
        "inputSchema" => detail.whole && is_changed("input_schema_hash"),
        "outputSchema" => detail.whole && is_changed("output_schema_hash"),
        // The lock has both sides of these, and an item names them.
        "name" | "mimeType" => false,
        member => is_changed(&format!("{member}_hash")),
    });
    let change = |member: &&str| TextChange {
        pointer: format!("/{member}"),
        before: TextSide::Unknown,
        now: text_alone(entry.get_non_null(member), detail),
        remark: None,
        told: false,
    };
    members.map(change).collect()
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
    let before = text_alone(entry.get_non_null("description"), BRIEF);
    let now = if is_gone { TextSide::Absent } else { TextSide::Unknown };
    Some(TextChange { pointer: "/description".to_owned(), before, now, remark: None, told: false })
        .filter(|change| change.before != change.now)
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
