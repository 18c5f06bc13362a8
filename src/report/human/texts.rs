//! What an entry said and what it says now.

use super::page::{Page, Tone};
use crate::report::model::{Piece, TextChange, TextSide, UnstableField};
use crate::text::{Charset, escape, shorten};

/// Characters of a pointer; names of properties may be long.
const MAX_POINTER: usize = 160;

/// The changed places of one entry, one after the other.
pub(super) fn text_lines(page: &mut Page<'_>, texts: &[TextChange], more: usize) {
    for text in texts {
        page.line(4, &escape(&shorten(&text.pointer, MAX_POINTER), Charset::Unicode), Tone::Dim);
        side(page, "was ", &text.before, '-');
        side(page, "now ", &text.now, '+');
    }
    match more {
        0 => {}
        1 => page.line(4, "and 1 more place", Tone::Dim),
        more => page.line(4, &format!("and {more} more places"), Tone::Dim),
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
        page.line(4, &pointer, Tone::Dim);
        side(page, "capture 1 ", &field.first, '-');
        side(page, &format!("capture {:<2}", field.capture), &field.other, '+');
    }
    if more > 0 {
        page.line(2, &format!("and {more} more fields"), Tone::Plain);
    }
}

fn side(page: &mut Page<'_>, label: &str, side: &TextSide, mark: char) {
    let text = match side {
        TextSide::Unknown => "(not known: the lock has only a hash of it)".to_owned(),
        TextSide::Absent => "(absent)".to_owned(),
        TextSide::Text { pieces, .. } if pieces.is_empty() => "(empty)".to_owned(),
        TextSide::Text { pieces, .. } => marked(pieces, mark),
    };
    page.hanging(6, label, &text);
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
