//! What entries said and say, as blocks of a diff.

use super::inline::{block, code};
use crate::report::model::{Piece, TextChange, TextSide, UnstableField};
use crate::text::{Charset, escape, shorten};

const MAX_POINTER: usize = 160;
/// Columns of a line in a diff: more would have to be scrolled.
const WIDTH: usize = 96;

/// The changed places of one entry, folded away. Nothing where none is known.
pub(super) fn text_details(texts: &[TextChange], more: usize) -> String {
    if texts.is_empty() {
        return String::new();
    }
    let mut body = String::new();
    for text in texts {
        place(&mut body, &text.pointer, &text.before, &text.now);
    }
    if more > 0 {
        body.push_str(&format!("{more} more places changed.\n\n"));
    }
    details("What it said and says", &body)
}

/// What two captures do not agree about.
pub(super) fn unstable_details(fields: &[UnstableField], more: usize) -> String {
    const MAX_FIELDS: usize = 20;
    if fields.is_empty() {
        return String::new();
    }
    let mut body = String::new();
    for field in fields.iter().take(MAX_FIELDS) {
        let target = escape(&shorten(&field.target, MAX_POINTER), Charset::Unicode);
        body.push_str(&format!("{}, capture 1 and capture {}: ", code(&target), field.capture));
        place(&mut body, &field.pointer, &field.first, &field.other);
    }
    let more = more + fields.len().saturating_sub(MAX_FIELDS);
    if more > 0 {
        body.push_str(&format!("{more} more fields differ.\n\n"));
    }
    details("What differs between two captures", &body)
}

/// A part that a reader unfolds. The title is ours.
pub(super) fn details(title: &str, body: &str) -> String {
    format!("<details>\n<summary>{title}</summary>\n\n{body}</details>\n\n")
}

fn place(out: &mut String, pointer: &str, before: &TextSide, now: &TextSide) {
    let pointer = match pointer {
        "" => "the whole entry".to_owned(),
        pointer => code(&escape(&shorten(pointer, MAX_POINTER), Charset::Unicode)),
    };
    let remark = match (before, now) {
        (TextSide::Unknown, _) => " (the lock has only a hash of the old text)",
        (TextSide::Absent, _) => " (new)",
        (_, TextSide::Absent) => " (gone)",
        _ => "",
    };
    let mut lines = side('-', before);
    lines.extend(side('+', now));
    out.push_str(&format!("{pointer}{remark}\n\n"));
    if !lines.is_empty() {
        out.push_str(&block("diff", &lines));
        out.push('\n');
    }
}

/// The lines of one side. Long ones are broken where a space allows, so that both sides can be read beside each other.
fn side(mark: char, side: &TextSide) -> Vec<String> {
    let TextSide::Text { pieces, .. } = side else { return Vec::new() };
    let options = || {
        textwrap::Options::new(WIDTH)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
    };
    let text: String = pieces.iter().map(shown).collect();
    let lines = text.split('\n').flat_map(|line| textwrap::wrap(line, options()));
    lines.map(|line| format!("{mark} {line}").trim_end().to_owned()).collect()
}

/// Line ends stay; everything else that hides is made visible.
fn shown(piece: &Piece) -> String {
    match piece {
        Piece::Same(text) | Piece::Changed(text) => {
            text.split('\n').map(|line| escape(line, Charset::Unicode)).collect::<Vec<_>>().join("\n")
        }
        Piece::Omitted(count) => format!("⟨… {count} characters …⟩"),
    }
}
