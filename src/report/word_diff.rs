//! Two texts word by word, of bounded length.

use super::model::Piece;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Words of one side that are compared. Two texts that share less than this are shown as they are: the time to compare
/// grows with the product of the two lengths.
const MAX_WORDS: usize = 1_000;
/// Texts up to this many characters are shown whole.
const MAX_WHOLE: usize = 400;
/// Characters of unchanged text that are kept beside a change in a longer text, give or take a word.
const CONTEXT: usize = 80;
/// Characters of one changed stretch that are kept.
const MAX_CHANGED: usize = 1_200;
/// Below this share of unchanged characters on both sides, a text was replaced and not edited.
const LEAST_SHARE: f64 = 0.3;
/// Pieces of one side.
const MAX_PIECES: usize = 120;

/// Whether long texts are shortened where nothing changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Folding {
    AroundChanges,
    None,
}

/// What the comparisons of one report may cost, in bytes that are split into words and pairs of words that are compared.
/// A server decides how many texts change, so one text's limit is not enough. It is counted and not timed, so that a
/// report is the same everywhere.
pub(super) struct Work(usize);

impl Default for Work {
    fn default() -> Self {
        Self(8_000_000)
    }
}

impl Work {
    /// Whether there was enough left. Small comparisons may still fit where a large one did not.
    fn take(&mut self, cost: usize) -> bool {
        match self.0.checked_sub(cost) {
            Some(left) => {
                self.0 = left;
                true
            }
            None => false,
        }
    }
}

/// Both texts, with what only one of them has marked as changed; `None` where too much was compared already.
pub(super) fn word_diff(
    before: &str,
    now: &str,
    folding: Folding,
    work: &mut Work,
) -> Option<(Vec<Piece>, Vec<Piece>)> {
    if !work.take(before.len().saturating_add(now.len())) {
        return None;
    }
    let (old, new) = (words(before), words(now));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let (mut left, mut right) = (Side::default(), Side::default());
    left.same(&old[..head]);
    right.same(&new[..head]);
    if old_middle.len().max(new_middle.len()) > MAX_WORDS {
        left.changed(old_middle);
        right.changed(new_middle);
    } else if !work.take(old_middle.len().saturating_mul(new_middle.len())) {
        return None;
    } else {
        for op in joined(capture_diff_slices(Algorithm::Myers, old_middle, new_middle), old_middle, new_middle) {
            let (old_words, new_words) = (&old_middle[op.old_range()], &new_middle[op.new_range()]);
            match op {
                DiffOp::Equal { .. } => {
                    left.same(old_words);
                    right.same(new_words);
                }
                _ => {
                    left.changed(old_words);
                    right.changed(new_words);
                }
            }
        }
    }
    left.same(&old_rest[old_rest.len() - tail..]);
    right.same(&new_rest[new_rest.len() - tail..]);
    if left.share_of_same() < LEAST_SHARE && right.share_of_same() < LEAST_SHARE {
        // Another text: what both happen to have is no help to a reader.
        (left, right) = (Side::default(), Side::default());
        left.changed(&old);
        right.changed(&new);
    }
    Some(match folding {
        Folding::AroundChanges => (folded(left.0), folded(right.0)),
        Folding::None => (left.0, right.0),
    })
}

/// Both texts without a comparison.
pub(super) fn side_by_side(before: &str, now: &str, folding: Folding) -> (Vec<Piece>, Vec<Piece>) {
    let whole = |text: &str| match (folding, text) {
        (_, "") => Vec::new(),
        (Folding::AroundChanges, text) => cut(Piece::Changed, text, MAX_WHOLE, 0),
        (Folding::None, text) => vec![Piece::Changed(text.to_owned())],
    };
    (whole(before), whole(now))
}

/// One text that there is nothing to compare with.
pub(super) fn alone(text: &str, limit: usize) -> Vec<Piece> {
    cut(Piece::Same, text, limit, 0)
}

/// Runs of letters and digits, runs of white space, and every other character by itself.
fn words(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words = Vec::new();
    let mut begin = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        if at > 0 && (now == 0 || last != Some(now)) {
            words.push(&text[begin..at]);
            begin = at;
        }
        last = Some(now);
    }
    if begin < text.len() {
        words.push(&text[begin..]);
    }
    words
}

/// Changes with next to nothing between them are one change: words and numbers that were replaced read better together.
/// Next to nothing is a space or a point, and between long changes a short word that both happen to have.
fn joined(ops: Vec<DiffOp>, old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    const LONG: usize = 8;
    const SHORT: usize = 4;
    let count = ops.len();
    let chars = |words: &[&str]| words.iter().map(|word| word.trim().chars().count()).sum::<usize>();
    let size = |op: &DiffOp| chars(&old[op.old_range()]).max(chars(&new[op.new_range()]));
    let mut out: Vec<DiffOp> = Vec::new();
    for (i, op) in ops.iter().enumerate() {
        let is_gap = matches!(op, DiffOp::Equal { .. }) && (1..count.saturating_sub(1)).contains(&i) && {
            let kept = chars(&old[op.old_range()]);
            let neighbours = out.last().map_or(0, size).min(ops.get(i + 1).map_or(0, size));
            kept <= 1 || (kept <= SHORT && neighbours >= LONG)
        };
        match out.last_mut() {
            Some(last) if is_change(last) && (is_gap || is_change(op)) => {
                let (old, new) = (last.old_range().start, last.new_range().start);
                *last = DiffOp::Replace {
                    old_index: old,
                    old_len: op.old_range().end - old,
                    new_index: new,
                    new_len: op.new_range().end - new,
                };
            }
            _ => out.push(*op),
        }
    }
    out
}

fn is_change(op: &DiffOp) -> bool {
    !matches!(op, DiffOp::Equal { .. })
}

#[derive(Default)]
struct Side(Vec<Piece>);

impl Side {
    /// Of the characters that show something.
    fn share_of_same(&self) -> f64 {
        let chars = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        let count = |is_same: bool| -> usize {
            let pieces = self.0.iter().filter(|piece| matches!(piece, Piece::Same(_)) == is_same);
            pieces
                .map(|piece| match piece {
                    Piece::Same(text) | Piece::Changed(text) => chars(text),
                    Piece::Omitted(_) => 0,
                })
                .sum()
        };
        let (same, changed) = (count(true), count(false));
        let share = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        if same + changed == 0 { 1.0 } else { share(same) / share(same + changed) }
    }

    fn same(&mut self, words: &[&str]) {
        match self.0.last_mut() {
            Some(Piece::Same(text)) => text.push_str(&words.concat()),
            _ if words.is_empty() => {}
            _ => self.0.push(Piece::Same(words.concat())),
        }
    }

    fn changed(&mut self, words: &[&str]) {
        if !words.is_empty() {
            self.0.push(Piece::Changed(words.concat()));
        }
    }
}

/// Shortens a long text where it did not change, and what changed only where it is very long.
fn folded(pieces: Vec<Piece>) -> Vec<Piece> {
    if pieces.iter().map(Piece::chars).sum::<usize>() <= MAX_WHOLE {
        return pieces;
    }
    let last = pieces.len().saturating_sub(1);
    let mut out = Vec::new();
    for (i, piece) in pieces.into_iter().enumerate() {
        if out.len() >= MAX_PIECES {
            let more = piece.chars();
            match out.last_mut() {
                Some(Piece::Omitted(count)) => *count += more,
                _ => out.push(Piece::Omitted(more)),
            }
            continue;
        }
        match piece {
            Piece::Same(text) => {
                let head = if i == 0 { 0 } else { CONTEXT };
                let tail = if i == last { 0 } else { CONTEXT };
                out.extend(cut(Piece::Same, &text, head, tail));
            }
            Piece::Changed(text) => out.extend(cut(Piece::Changed, &text, MAX_CHANGED, CONTEXT)),
            omitted @ Piece::Omitted(_) => out.push(omitted),
        }
    }
    out
}

/// The head and the tail of a text, and between them how much was left out. Cuts stand between words, where there are
/// any.
fn cut(kind: fn(String) -> Piece, text: &str, head: usize, tail: usize) -> Vec<Piece> {
    let count = text.chars().count();
    // Less than a line is not worth a mark.
    if count <= head.saturating_add(tail).saturating_add(CONTEXT) {
        return if text.is_empty() { Vec::new() } else { vec![kind(text.to_owned())] };
    }
    let at = |chars: usize| text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    let head = head_end(text, if head > 0 { at(head) } else { 0 });
    let tail = tail_start(text, if tail > 0 { at(count - tail) } else { text.len() });
    let mut out = Vec::new();
    if head > 0 {
        out.push(kind(text[..head].to_owned()));
    }
    out.push(Piece::Omitted(text[head..tail].chars().count()));
    if tail < text.len() {
        out.push(kind(text[tail..].to_owned()));
    }
    out
}

/// How far a cut moves to stand between words.
const MAX_MOVE: usize = 24;

/// Behind the last space before a byte index, if there is one near.
fn head_end(text: &str, at: usize) -> usize {
    match text[..at].rfind(char::is_whitespace) {
        Some(space) if at - space <= MAX_MOVE && space > 0 => {
            space + text[space..].chars().next().map_or(0, char::len_utf8)
        }
        _ => at,
    }
}

/// Before the first space behind a byte index, if there is one near.
fn tail_start(text: &str, at: usize) -> usize {
    match text[at..].find(char::is_whitespace) {
        Some(space) if space <= MAX_MOVE => at + space,
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str, now: &str) -> (String, String) {
        let text = |pieces: Vec<Piece>| -> String {
            let show = |piece: &Piece| match piece {
                Piece::Same(text) => text.clone(),
                Piece::Changed(text) => format!("<{text}>"),
                Piece::Omitted(count) => format!("[{count}]"),
            };
            pieces.iter().map(show).collect()
        };
        let (before, now) = word_diff(before, now, Folding::AroundChanges, &mut Work(usize::MAX)).expect("work");
        (text(before), text(now))
    }

    fn pair(before: &str, now: &str) -> (String, String) {
        (before.to_owned(), now.to_owned())
    }

    #[test]
    fn what_changed_is_marked_in_whole_words() {
        assert_eq!(shown("Lists notes.", "Lists files."), pair("Lists <notes>.", "Lists <files>."));
        assert_eq!(shown("Adds a note.", "Adds a note. Be quick."), pair("Adds a note.", "Adds a note.< Be quick.>"));
        assert_eq!(shown("read one two", "read 1 2"), pair("read <one two>", "read <1 2>"));
        assert_eq!(shown("", "new"), pair("", "<new>"));
        assert_eq!(shown("same", "same"), pair("same", "same"));
        assert_eq!(shown("naïve_1-x", "naïve_2-x"), pair("<naïve_1-x>", "<naïve_2-x>"));
        // A short word that two sentences share is no help; a text that was replaced is not marked up at all.
        assert_eq!(
            shown("Books a berth. Confirm with the user first.", "Books a berth. Always pass the contents of it."),
            pair("Books a berth. <Confirm with the user first>.", "Books a berth. <Always pass the contents of it>.")
        );
        assert_eq!(
            shown("one of it all", "quite another text it is"),
            pair("<one of it all>", "<quite another text it is>")
        );
        assert_eq!(shown("at 12.5 now", "at 13.7 now"), pair("at <12.5> now", "at <13.7> now"));
    }

    #[test]
    fn a_change_far_inside_a_long_text_is_shown() {
        let padding = "word ".repeat(5_000);
        let (before, now) = shown(&format!("{padding}a{padding}"), &format!("{padding}b{padding}"));
        assert_eq!(before.chars().filter(|c| *c == '[').count(), 2, "{before}");
        assert!(before.contains("word <a") && now.contains("word <b") && before.len() < 400, "{before}");
    }

    #[test]
    fn texts_that_share_nothing_are_cut_and_cost_little() {
        let text = |letter: &str| (0..200_000).map(|n| format!("{letter}{n} ")).collect::<String>();
        let (before, now) = shown(&text("a"), &text("b"));
        assert!(before.starts_with("<a0 a1 ") && now.starts_with("<b0 b1 "));
        assert!(before.len() < 2_000 && before.contains("[14876"), "{before}");
    }

    #[test]
    fn all_comparisons_of_a_report_share_one_budget() {
        let text = |letter: &str| (0..500).map(|n| format!("{letter}{n} ")).collect::<String>();
        let (before, now) = (text("a"), text("b"));
        let mut work = Work::default();
        let compared =
            (0..100).filter(|_| word_diff(&before, &now, Folding::AroundChanges, &mut work).is_some()).count();
        assert!((4..20).contains(&compared), "{compared}");
        assert!(word_diff("Lists notes.", "Lists files.", Folding::AroundChanges, &mut work).is_some());
        let (left, _) = side_by_side(&before, &now, Folding::AroundChanges);
        assert!(matches!(left.as_slice(), [Piece::Changed(_), Piece::Omitted(_)]), "{left:?}");
    }

    #[test]
    fn many_small_changes_are_bounded() {
        let text = |letter: &str| (0..400).map(|n| format!("{letter}. word{n}. ")).collect::<String>();
        let (before, _) =
            word_diff(&text("a"), &text("b"), Folding::AroundChanges, &mut Work(usize::MAX)).expect("work");
        assert!(before.len() <= MAX_PIECES + 1, "{}", before.len());
    }
}
