//! Breaking text into lines.

use super::super::model::Piece;
use textwrap::WordSeparator;
use textwrap::core::{Word, break_words};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// What becomes of a word that is wider than a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Long {
    /// It stays whole and sticks out: a command, a path or a pointer that is broken can be neither copied nor found.
    Keep,
    /// It is broken, behind a comma or the like where that is possible.
    Break,
}

/// The lines of a text without line feeds; at least one. `first` and `rest` are columns.
pub(super) fn wrap(text: &str, first: usize, rest: usize, long: Long) -> Vec<String> {
    let mut words: Vec<Word<'_>> = WordSeparator::AsciiSpace.find_words(text).collect();
    if long == Long::Break {
        let narrowest = first.min(rest);
        words = words.into_iter().flat_map(|word| parts(word, narrowest)).collect();
        words = break_words(words, narrowest);
    }
    let widths = [as_width(first), as_width(rest)];
    let lines = textwrap::wrap_algorithms::wrap_first_fit(&words, &widths);
    let line = |words: &[Word<'_>]| {
        let mut line = String::new();
        for (i, word) in words.iter().enumerate() {
            line.push_str(word.word);
            if i + 1 < words.len() {
                line.push_str(word.whitespace);
            }
        }
        line
    };
    let lines: Vec<String> = lines.into_iter().map(line).collect();
    if lines.is_empty() { vec![String::new()] } else { lines }
}

fn as_width(columns: usize) -> f64 {
    f64::from(u32::try_from(columns).unwrap_or(u32::MAX))
}

/// A word that is too wide, in pieces that end where a reader expects it and never inside the mark of an escape.
fn parts(word: Word<'_>, room: usize) -> Vec<Word<'_>> {
    if word.word.width() <= room {
        return vec![word];
    }
    let mut cuts = Vec::new();
    let mut begin = 0;
    let mut width = 0;
    let mut good = None;
    let mut in_mark = false;
    for (at, c) in word.word.char_indices() {
        width += c.width().unwrap_or(0);
        let end = at + c.len_utf8();
        if c == '⟨' {
            good = Some(at).filter(|at| *at > begin).or(good);
            in_mark = true;
        }
        if width > room
            && let Some(cut) = good.take()
        {
            cuts.push(cut);
            begin = cut;
            width = word.word[cut..end].width();
        }
        if c == '⟩' {
            in_mark = false;
        }
        if !in_mark && matches!(c, ',' | ';' | ':' | '/' | '&' | '?' | '=' | '}' | ']' | ')' | '|' | '⟩') {
            good = Some(end);
        }
    }
    cuts.retain(|cut| *cut > 0 && *cut < word.word.len());
    let ends = cuts.iter().copied().chain([word.word.len()]);
    let mut begin = 0;
    let mut out: Vec<Word<'_>> = Vec::new();
    for end in ends {
        out.push(Word::from(&word.word[begin..end]));
        begin = end;
    }
    if let Some(last) = out.last_mut() {
        last.whitespace = word.whitespace;
    }
    out
}

/// The display lines of a text that is one for its author: line feeds that did not change end a line, those that did are
/// marked as well. Each line is a list of pieces without line feeds.
pub(super) fn authors_lines(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let mut lines = vec![Vec::new()];
    let mut push = |piece: Piece, ends: bool| {
        if let Some(line) = lines.last_mut()
            && piece.chars() > 0
        {
            line.push(piece);
        }
        if ends {
            lines.push(Vec::new());
        }
    };
    for piece in pieces {
        match piece {
            Piece::Same(text) => {
                for part in text.split_inclusive('\n') {
                    let bare = part.strip_suffix('\n').unwrap_or(part);
                    let bare = bare.strip_suffix('\r').filter(|_| part.ends_with('\n')).unwrap_or(bare);
                    push(Piece::Same(bare.to_owned()), part.ends_with('\n'));
                }
            }
            Piece::Changed(text) => {
                for part in text.split_inclusive('\n') {
                    push(Piece::Changed(part.to_owned()), part.ends_with('\n'));
                }
            }
            Piece::Omitted(count) => push(Piece::Omitted(*count), false),
        }
    }
    if lines.len() > 1 && lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_break_at_punctuation_or_stay_whole() {
        assert_eq!(wrap("a bb ccc", 4, 4, Long::Break), ["a bb", "ccc"]);
        assert_eq!(wrap("{\"aaaa\":1,\"bbbb\":2}", 12, 12, Long::Break), ["{\"aaaa\":1,", "\"bbbb\":2}"]);
        assert_eq!(wrap("x /a/very/long/pointer y", 8, 8, Long::Keep), ["x", "/a/very/long/pointer", "y"]);
        assert_eq!(wrap("abcdefgh", 3, 3, Long::Break), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3, 3, Long::Break), [""]);
    }

    #[test]
    fn escapes_are_not_torn() {
        let lines = wrap("abcd⟨U+200B⟩efgh⟨U+202E⟩ij", 10, 10, Long::Break);
        assert_eq!(lines, ["abcd", "⟨U+200B⟩", "efgh", "⟨U+202E⟩ij"]);
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(wrap("港の時刻を返します", 8, 8, Long::Break), ["港の時刻", "を返しま", "す"]);
    }
}
