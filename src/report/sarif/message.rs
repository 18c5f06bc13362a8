//! What a result says: plain text for every viewer, and Markdown with old and new texts for those that show it.

use super::super::error::ErrorReport;
use super::super::facts::{Fact, FactKind};
use super::super::markdown::{code, code_block, prose};
use super::super::model::{Block, Piece, TextChange, TextSide};
use super::super::project::Part;
use crate::json::Object;
use crate::skeleton::ROOT_PATH;
use crate::text::{Charset, escape, shorten};

/// Code points of the plain text.
const MAX_TEXT: usize = 1_000;
/// Places whose old and new text is quoted.
const MAX_PLACES: usize = 4;
/// Characters of one side in the plain text, and in Markdown.
const MAX_PLAIN_SIDE: usize = 160;
const MAX_SIDE: usize = 600;
/// Code points of what mends it in the plain text, and in Markdown.
const MAX_PLAIN_FIX: usize = 300;
const MAX_FIX: usize = 2_000;
/// Lines of a server's standard error.
const MAX_STDERR: usize = 10;
/// Code points of one of these lines.
const MAX_LINE: usize = 200;

/// The message of a result.
pub(super) fn message(fact: &Fact<'_>, target: &str, part: &Part<'_>) -> Object {
    let report = part.report;
    let mut text = match fact.kind {
        FactKind::Failure => part.qualified(&format!("Nothing is known about the server: {}", sentence(&fact.message))),
        FactKind::Drift | FactKind::Finding => format!("{target}: {}", sentence(&fact.message)),
    };
    let mut markdown = format!("{}: {}", code(target), prose(&sentence(&fact.message)));
    if !fact.snippet.is_empty() {
        text.push_str(&format!(" Found: {}", sentence(fact.snippet)));
        markdown.push_str(&format!("\n\n{}", fence(fact.snippet)));
    }
    if let Some(fix) = fact.fix {
        // What is cut does something else.
        if fix.chars().count() <= MAX_PLAIN_FIX {
            text.push_str(&format!(" To mend it: {fix}"));
        }
        if fix.chars().count() <= MAX_FIX {
            markdown.push_str(&format!("\n\nTo mend it:\n\n{}", fence(fix)));
        }
    }
    let block = report.blocks.iter().find(|block| block.target == fact.target);
    if let Some(block) = block.filter(|_| fact.kind == FactKind::Drift) {
        for change in changes_of(fact, block) {
            let place = escape(&shorten(&change.pointer, MAX_PLAIN_SIDE), Charset::Unicode);
            text.push_str(&format!(
                " {place} now: {}; before: {}.",
                side(&change.now, MAX_PLAIN_SIDE, false),
                side(&change.before, MAX_PLAIN_SIDE, false)
            ));
            markdown.push_str(&format!(
                "\n\n{} before:\n\n{}\n\nNow:\n\n{}",
                code(&place),
                side(&change.before, MAX_SIDE, true),
                side(&change.now, MAX_SIDE, true)
            ));
        }
    }
    if let Some(failure) = report.failure.as_ref().filter(|_| fact.kind == FactKind::Failure) {
        if let Some(hint) = &failure.hint {
            text.push_str(&format!(" {}", sentence(hint)));
            markdown.push_str(&format!("\n\n{}", prose(hint)));
        }
        if !failure.stderr.is_empty() {
            let skipped = failure.stderr.len().saturating_sub(MAX_STDERR);
            let lines: Vec<String> = failure.stderr[skipped..].iter().map(|line| shorten(line, MAX_LINE)).collect();
            markdown.push_str(&format!("\n\nThe server's standard error:\n\n{}", fence(&lines.join("\n"))));
        }
    }
    let mut message = text_only(&text);
    message.insert("markdown", markdown);
    message
}

/// The message of an error.
pub(super) fn error_message(error: &ErrorReport<'_>) -> Object {
    let hints: String = error.hints.iter().map(|hint| format!(" {}", sentence(hint))).collect();
    text_only(&format!("Nothing was checked: {}{hints}", sentence(&error.sentence())))
}

/// A message of plain text. Viewers make links of `[text](address)` in it, and what servers say may not become one.
pub(super) fn text_only(text: &str) -> Object {
    let text = shorten(text, MAX_TEXT).replace("](", "] (");
    [("text", text)].into_iter().collect()
}

/// With a full stop at the end.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// The changed places that an item is about: those of its own member, and there below its path.
fn changes_of<'b>(fact: &Fact<'_>, block: &'b Block) -> Vec<&'b TextChange> {
    let member = match fact.class.unwrap_or_default() {
        class if class.starts_with("schema-out-") => "/outputSchema",
        class if class.starts_with("schema-") => "/inputSchema",
        "tool-annotations-modified" => "/annotations",
        "description-modified" => "/description",
        class if class.ends_with("-added") || class.ends_with("-modified") => "",
        _ => return Vec::new(),
    };
    let place = fact.path.map_or_else(|| member.to_owned(), |path| format!("{member}{}", pointer_of(path)));
    let is_below = |pointer: &str| {
        pointer.strip_prefix(place.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    block.texts.iter().filter(|change| is_below(&change.pointer)).take(MAX_PLACES).collect()
}

/// Where a path of the skeleton usually stands in a schema: `tags[].name` is `/properties/tags/items/properties/name`.
/// Names may hold dots and schemas may branch; then nothing is found there, and the item's own words have to do.
fn pointer_of(path: &str) -> String {
    let mut out = String::new();
    for step in path.split('.').filter(|step| *step != ROOT_PATH) {
        let name = step.trim_end_matches("[]");
        out.push_str(&format!("/properties/{}", name.replace('~', "~0").replace('/', "~1")));
        out.push_str(&"/items".repeat((step.len() - name.len()) / 2));
    }
    out
}

/// One side of a change, quoted.
fn side(side: &TextSide, limit: usize, markdown: bool) -> String {
    let TextSide::Text { raw, pieces } = side else {
        let word = if *side == TextSide::Absent { "absent" } else { "not known" };
        return if markdown { format!("({word})") } else { word.to_owned() };
    };
    let text = match pieces.as_slice() {
        [] => raw.clone(),
        pieces => pieces.iter().map(piece).collect(),
    };
    let text = escape(&shorten(&text, limit), Charset::Unicode);
    if markdown { fence(&text) } else { format!("\"{text}\"") }
}

fn piece(piece: &Piece) -> &str {
    match piece {
        Piece::Same(text) | Piece::Changed(text) => text,
        Piece::Omitted(_) => " … ",
    }
}

/// A text in a block of code.
fn fence(text: &str) -> String {
    code_block("text", &[text.to_owned()]).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_a_link_or_leaves_its_quotes() {
        let text = text_only("a [click](https://example.com) b");
        assert_eq!(text.get("text").and_then(|text| text.as_str()), Some("a [click] (https://example.com) b"));
    }

    #[test]
    fn paths_find_their_place_in_a_schema() {
        let cases = [
            ("$root", ""),
            ("a", "/properties/a"),
            ("a.b", "/properties/a/properties/b"),
            ("tags[][].x/y", "/properties/tags/items/items/properties/x~1y"),
        ];
        for (path, pointer) in cases {
            assert_eq!(pointer_of(path), pointer, "{path}");
        }
    }

    #[test]
    fn sentences_end_once() {
        for (text, expected) in [("a", "a."), ("a.", "a."), ("a?", "a?"), ("a \n", "a.")] {
            assert_eq!(sentence(text), expected);
        }
    }
}
