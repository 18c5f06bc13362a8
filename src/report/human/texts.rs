//! What an entry said and what it says now.

use super::page::{Page, Tone};
use crate::report::model::{Piece, TextChange, TextSide, UnstableField};
use crate::text::{Charset, escape, shorten};
use unicode_width::UnicodeWidthStr as _;

/// Characters of a pointer; names of properties may be long.
const MAX_POINTER: usize = 160;
/// Places of one entry that are shown; the rest is counted.
const MAX_PLACES: usize = 12;
/// Columns of a value that stands beside its pointer.
const MAX_BESIDE: usize = 60;

/// The changed places of one entry, one after the other, without those that an item told.
pub(super) fn text_lines(page: &mut Page<'_>, texts: &[TextChange], more: usize, whole: bool) {
    let untold: Vec<&TextChange> = texts.iter().filter(|text| whole || !text.told).collect();
    let most = if whole { usize::MAX } else { MAX_PLACES };
    for text in untold.iter().take(most) {
        place(page, text, whole);
    }
    match more + untold.len().saturating_sub(most) {
        0 => {}
        1 => page.line(4, "and 1 more place", Tone::Dim),
        more => page.line(4, &format!("and {more} more places"), Tone::Dim),
    }
}

fn place(page: &mut Page<'_>, text: &TextChange, whole: bool) {
    let pointer = escape(&shorten(&text.pointer, MAX_POINTER), Charset::Unicode);
    let remark = text.remark.as_deref();
    // Lists are told by what came and went; two whole lists would hide it.
    if let (Some(remark), false, TextSide::Text { raw, .. }) = (remark, whole, &text.now)
        && raw.starts_with('[')
    {
        page.beside(&pointer, remark);
        return;
    }
    if let (Some(before), Some(now)) = (short(&text.before), short(&text.now)) {
        let both = match (before, now) {
            ("", now) => format!("+ {now}"),
            (before, "") => format!("- {before}"),
            (before, now) => format!("{before} → {now}"),
        };
        if pointer.width() + both.width() + 8 <= page.width() {
            page.beside(&pointer, &both);
            return;
        }
    }
    match (remark, &text.before) {
        (Some(remark), _) => page.beside(&pointer, remark),
        (None, TextSide::Unknown) => page.beside(&pointer, "reads now (what it was is unknown)"),
        (None, _) => page.line(4, &pointer, Tone::Dim),
    }
    match one_line(&text.before, &text.now) {
        Some((pieces, mark)) => page.quoted(6, '~', mark, pieces),
        None => {
            side(page, &text.before, '-');
            side(page, &text.now, '+');
        }
    }
}

/// The side that shows both, where text was only added or only taken away, and what it marks.
fn one_line<'t>(before: &'t TextSide, now: &'t TextSide) -> Option<(&'t [Piece], char)> {
    let (TextSide::Text { pieces: before, .. }, TextSide::Text { pieces: now, .. }) = (before, now) else {
        return None;
    };
    let is_changed = |pieces: &[Piece]| pieces.iter().any(|piece| matches!(piece, Piece::Changed(_)));
    let is_kept = |pieces: &[Piece]| pieces.iter().any(|piece| matches!(piece, Piece::Same(_)));
    match (is_changed(before), is_changed(now)) {
        (false, true) if is_kept(now) => Some((now, '+')),
        (true, false) if is_kept(before) => Some((before, '-')),
        _ => None,
    }
}

/// A side that fits beside its pointer: absent (empty), or a short value that is no text and hides nothing.
fn short(side: &TextSide) -> Option<&str> {
    match side {
        TextSide::Absent => Some(""),
        TextSide::Unknown => None,
        TextSide::Text { raw, pieces } => {
            let plain = matches!(pieces.as_slice(), [Piece::Same(text)] if text == raw);
            let is_value = ["true", "false", "null"].contains(&raw.as_str())
                || (raw.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && raw.parse::<f64>().is_ok());
            (plain && is_value && raw.len() <= MAX_BESIDE).then_some(raw.as_str())
        }
    }
}

/// What two captures do not agree about, entry by entry.
pub(super) fn unstable_lines(page: &mut Page<'_>, fields: &[UnstableField], more: usize) {
    let mut target = None;
    for field in fields {
        if target != Some(&field.target) {
            page.blank();
            page.line(2, &page.text(&field.target), Tone::Plain);
            target = Some(&field.target);
        }
        let pointer = match field.pointer.as_str() {
            "" => "(the whole entry)".to_owned(),
            pointer => escape(&shorten(pointer, MAX_POINTER), Charset::Unicode),
        };
        page.beside(&pointer, &format!("captures 1 and {}", field.capture));
        both(page, &field.first, '-');
        both(page, &field.other, '+');
    }
    if more > 0 {
        page.line(2, &format!("and {more} more fields"), Tone::Plain);
    }
}

/// One side of a place. What is not there needs no line: the other side is marked as gone or as new.
fn side(page: &mut Page<'_>, side: &TextSide, mark: char) {
    match side {
        // Said beside the pointer, and why in a note.
        TextSide::Unknown | TextSide::Absent => {}
        TextSide::Text { pieces, .. } if pieces.is_empty() => page.line(6, &format!("{mark} (empty)"), Tone::Dim),
        // Where nothing stayed, there is nothing to mark.
        TextSide::Text { pieces, .. } => match pieces.as_slice() {
            [Piece::Changed(text)] => page.quoted(6, mark, mark, &[Piece::Same(text.clone())]),
            pieces => page.quoted(6, mark, mark, pieces),
        },
    }
}

/// As [`side`], where nothing came and nothing went: both sides have a line.
fn both(page: &mut Page<'_>, text: &TextSide, mark: char) {
    match text {
        TextSide::Absent => page.line(6, &format!("{mark} (absent)"), Tone::Dim),
        text => side(page, text, mark),
    }
}

/// A text in full words with what changed between marks. The brackets of the marks are escaped wherever else they
/// occur, so no text can imitate one.
pub(super) fn marked(pieces: &[Piece], mark: char) -> String {
    let show = |piece: &Piece| match piece {
        Piece::Same(text) => escape(text, Charset::Unicode),
        Piece::Changed(text) => format!("⟨{mark}{}{mark}⟩", escape(text, Charset::Unicode)),
        Piece::Omitted(count) => format!("⟨… {count} characters …⟩"),
    };
    pieces.iter().map(show).collect()
}
