//! How a text of the surface may be repeated in a message or snippet: short, on one line, hidden characters visible,
//! secrets redacted.
//!
//! Only a finding's target repeats a name raw, because the format says so. Everywhere else a name that is itself a
//! key must not leak through a finding about something else (SPEC.md §21).

use super::secrets::{Hit, Scan, hits};
use super::walk::Step;
use crate::text::{Charset, escape, shorten};
use std::ops::Range;

/// Code points of a quoted name or value.
const QUOTED: usize = 60;

/// Bytes of a text that are searched for secrets before it is quoted.
const SEARCHED: usize = 4096;

/// Code points on either side of what an excerpt is about.
const AROUND: usize = 24;

/// The published redaction: up to four code points (never more than half), an ellipsis, the length.
pub(super) fn redact(secret: &str) -> String {
    let length = secret.chars().count();
    let prefix: String = secret.chars().take(4.min(length / 2)).collect();
    if length <= 3 { format!("{prefix}…(len<=3)") } else { format!("{prefix}…(len={length})") }
}

/// At most `limit` bytes of the beginning, cut between characters.
pub(super) fn head(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// At most `limit` bytes of the end, cut between characters.
pub(super) fn tail(text: &str, limit: usize) -> &str {
    let mut start = text.len().saturating_sub(limit);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// The beginning of a text, fit to be shown.
pub(super) fn show(text: &str) -> String {
    let searched = head(text, SEARCHED);
    let plain = without_secrets(searched, 0..searched.len());
    escape(&shorten(&plain, QUOTED), Charset::Unicode)
}

/// The surroundings of a stretch of a text, fit to be shown.
pub(super) fn excerpt(text: &str, at: Range<usize>) -> String {
    let before = tail(&text[..at.start], SEARCHED);
    let after = head(&text[at.end..], SEARCHED);
    let searched = &text[at.start - before.len()..at.end + after.len()];
    let from = before.char_indices().rev().take(AROUND).last().map_or(before.len(), |(at, _)| at);
    let to = searched.len() - after.len() + after.char_indices().nth(AROUND).map_or(after.len(), |(at, _)| at);
    let cut_before = at.start - before.len() + from > 0;
    let cut_after = to < searched.len() || at.end + after.len() < text.len();
    let plain = without_secrets(searched, from..to);
    let ellipsis = |cut| if cut { "…" } else { "" };
    format!(
        "{}{}{}",
        ellipsis(cut_before),
        escape(&shorten(&plain, 2 * AROUND + QUOTED), Charset::Unicode),
        ellipsis(cut_after)
    )
}

/// The way to a text, for messages: `inputSchema/properties/token/default`.
pub(super) fn way(path: &[Step<'_>]) -> String {
    // The last steps are the telling ones.
    let skipped = path.len().saturating_sub(8);
    let steps = path[skipped..].iter().map(|step| match step {
        Step::Member(name) => show(name),
        Step::Item(at) => at.to_string(),
    });
    let shown: Vec<String> = (skipped > 0).then(|| "…".to_owned()).into_iter().chain(steps).collect();
    shown.join("/")
}

/// A window of a text with every secret that touches it redacted whole.
fn without_secrets(text: &str, window: Range<usize>) -> String {
    let mut out = String::new();
    let mut at = window.start;
    for Hit { range, .. } in hits(text, &Scan::wary()) {
        if range.end <= at || range.start >= window.end {
            continue;
        }
        if range.start > at {
            out.push_str(&text[at..range.start]);
        }
        out.push_str(&redact(&text[range.clone()]));
        at = range.end;
    }
    if at < window.end {
        out.push_str(&text[at..window.end]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redaction_is_the_published_one() {
        for (secret, want) in [
            ("abcdefgh", "abcd…(len=8)"),
            ("abcd", "ab…(len=4)"),
            ("abc", "a…(len<=3)"),
            ("ab", "a…(len<=3)"),
            ("a", "…(len<=3)"),
            ("ééééé", "éé…(len=5)"),
        ] {
            assert_eq!(redact(secret), want);
        }
    }

    #[test]
    fn quotes_are_short_escaped_and_free_of_secrets() {
        assert_eq!(show("a\nb\u{200b}"), "a⟨LF⟩b⟨U+200B⟩");
        let key = format!("ghp_{}", "aB3dE6gH9jK2".repeat(3));
        assert_eq!(show(&format!("x {key} y")), "x ghp_…(len=40) y");
        let long = "word ".repeat(3000);
        assert_eq!(show(&long).chars().count(), QUOTED + 1);
        // A secret that reaches into the excerpt is redacted although it begins outside.
        let text = format!("{key} {}\u{202e}end", "a".repeat(3));
        let at = text.find('\u{202e}').unwrap();
        assert_eq!(excerpt(&text, at..at + 3), "…ghp_…(len=40) aaa⟨U+202E⟩end");
        let text = format!("{}é\u{200b}é{}", "b".repeat(9000), "c ".repeat(9000));
        let at = text.find('\u{200b}').unwrap();
        assert!(excerpt(&text, at..at + 3).contains("bé⟨U+200B⟩éc"));
    }
}
