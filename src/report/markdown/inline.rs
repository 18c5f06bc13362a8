//! Text from outside inside Markdown.
//!
//! Escaping with backslashes does not help: GitHub looks for mentions, references and addresses in the rendered text.
//! Only code is left alone by all of that. So everything but plain words stands in code.

/// Quotation marks that are tried as the end of one quotation: texts may hold any number.
const MAX_MARKS: usize = 16;

/// A text on one line as a code span. The text is escaped already: it has no line ends and no hidden characters.
pub(in crate::report) fn code(text: &str) -> String {
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    let fence = "`".repeat(longest_run(text) + 1);
    let pad = |c| if text.starts_with(c) || text.ends_with(c) { " " } else { "" };
    // One space is taken away on each side, so that backticks can stand at the ends; a text of spaces only keeps them.
    let pad = if text.trim_matches(' ').is_empty() { "" } else { [pad('`'), pad(' ')].into_iter().max().unwrap_or("") };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A code block of lines. The lines are escaped already.
pub(in crate::report) fn block(language: &str, lines: &[String]) -> String {
    let fence = "`".repeat(lines.iter().map(|line| longest_run(line)).max().unwrap_or(0).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", lines.join("\n"))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A sentence of ours with quoted parts in it: plain words as they are, everything else in code. What stands between
/// backticks is one part, where they pair up.
pub(in crate::report) fn prose(sentence: &str) -> String {
    let mut out = Line::default();
    if sentence.matches('`').count() % 2 == 1 {
        out.words(sentence);
        return out.finish();
    }
    for (at, part) in sentence.split('`').enumerate() {
        if at % 2 == 1 {
            out.code(part);
        } else {
            out.words(part);
        }
    }
    out.finish()
}

#[derive(Default)]
struct Line {
    out: String,
    /// What is going to be one span of code.
    odd: String,
}

impl Line {
    fn words(&mut self, text: &str) {
        for (at, word) in words_of(text).into_iter().enumerate() {
            let gap = if at > 0 { " " } else { "" };
            if word.contains(' ') && self.odd.ends_with(':') {
                // What introduces a quotation is no part of it.
                self.flush();
            }
            if word.is_empty() || is_plain(word) {
                self.flush();
                self.plain(gap, word);
            } else if at == 0 && self.out.ends_with('`') && word.trim_matches([',', ';', ':', '.', ')']).is_empty() {
                self.out.push_str(word);
            } else if self.odd.is_empty() {
                self.plain(gap, "");
                self.odd.push_str(word);
            } else {
                self.odd.push_str(gap);
                self.odd.push_str(word);
            }
        }
        self.flush();
    }

    fn plain(&mut self, gap: &str, word: &str) {
        if !(gap == " " && (self.out.is_empty() || self.out.ends_with(' '))) {
            self.out.push_str(gap);
        }
        self.out.push_str(word);
    }

    fn flush(&mut self) {
        let odd = std::mem::take(&mut self.odd);
        if odd.is_empty() {
            return;
        }
        // Punctuation of the sentence stays outside.
        let (before, text, after) = without_punctuation(&odd);
        if !text.is_empty() {
            self.out.push_str(before);
            self.code(text);
            self.out.push_str(after);
        } else if odd == "(" {
            self.out.push_str(&odd);
        } else {
            self.code(&odd);
        }
    }

    fn code(&mut self, text: &str) {
        // Two spans that touch would be one, of other text.
        if self.out.ends_with('`') {
            self.out.push(' ');
        }
        self.out.push_str(&code(text));
    }

    fn finish(self) -> String {
        self.out.trim().to_owned()
    }
}

/// What stands between blanks; a text within quotation marks is one, so that it is one span of code.
fn words_of(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        let blank = quotation_end(rest).or_else(|| rest.find(' '));
        let Some((word, behind)) = blank.and_then(|at| rest.split_at_checked(at)) else {
            words.push(rest);
            return words;
        };
        words.push(word);
        match behind.strip_prefix(' ') {
            Some(behind) => rest = behind,
            None => return words,
        }
    }
}

/// Where a quotation of several words ends that a text begins with: behind its mark and the punctuation there.
fn quotation_end(text: &str) -> Option<usize> {
    let quoted = text.strip_prefix('(').unwrap_or(text).strip_prefix('"')?;
    let begin = text.len() - quoted.len();
    let ends = quoted.match_indices('"').map(|(at, mark)| begin + at + mark.len());
    let is_end = |end: &usize| {
        let after = text[*end..].trim_start_matches([',', ';', ':', '.', ')']);
        after.is_empty() || after.starts_with(' ')
    };
    let end = ends.take(MAX_MARKS).find(is_end)?;
    Some(text[end..].find(' ').map_or(text.len(), |blank| end + blank))
}

/// Takes from both ends what belongs to the sentence: its punctuation, and brackets whose partner is not in the text or
/// that enclose all of it. Brackets of the text's own, as in `f(x)`, stay.
fn without_punctuation(odd: &str) -> (&str, &str, &str) {
    let (mut start, mut end) = (0, odd.len());
    loop {
        let text = &odd[start..end];
        let open = text.starts_with('(');
        let close = text.ends_with(')');
        let (opened, closed) = (text.matches('(').count(), text.matches(')').count());
        if text.ends_with([',', ';', ':', '.']) || (close && closed > opened) {
            end -= 1;
        } else if open && opened > closed {
            start += 1;
        } else if open && close && is_balanced(&text[1..text.len() - 1]) {
            start += 1;
            end -= 1;
        } else {
            return (&odd[..start], text, &odd[end..]);
        }
    }
}

/// Whether each bracket that closes has one before it that opens, and none is left open.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Whether a word can mean nothing but itself, to any reader of Markdown: letters, an apostrophe or hyphens between
/// them, a number, and the punctuation of a sentence around it.
fn is_plain(word: &str) -> bool {
    let word = word.strip_prefix('(').unwrap_or(word);
    // A number before one of these begins a list.
    let ordinal = word.ends_with(['.', ')']);
    let word = word.strip_suffix([',', ';', ':', '.']).unwrap_or(word);
    let word = word.strip_suffix(')').unwrap_or(word);
    let letters = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let number = !ordinal && !word.is_empty() && word.len() < 7 && word.bytes().all(|byte| byte.is_ascii_digit());
    // What looks like a commit is made a link where there is one.
    let commit = word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    !commit && (number || word.split(['\'', '-']).all(letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_keeps_its_text() {
        let cases = [
            ("a", "`a`"),
            ("a`b", "``a`b``"),
            ("`a", "`` `a ``"),
            ("```", "```` ``` ````"),
            (" a ", "`  a  `"),
            (" a", "`  a `"),
            ("  ", "`  `"),
            ("", "(empty)"),
        ];
        for (text, want) in cases {
            assert_eq!(code(text), want, "{text:?}");
        }
    }

    #[test]
    fn everything_but_plain_words_stands_in_code() {
        let cases = [
            ("the tool is gone", "the tool is gone"),
            ("`limit` may be left out now", "`limit` may be left out now"),
            ("accepts @octocat, #1 now as well", "accepts `@octocat, #1` now as well"),
            ("it's read-only; see https://x.example.", "it's read-only; see `https://x.example`."),
            ("`a` accepts `b``c` now", "`a` accepts `b` `c` now"),
            ("`a`: the `b`, `c`", "`a`: the `b`, `c`"),
            ("one ` tick", "one `` ` `` tick"),
            ("deadbeef and 1234567", "`deadbeef` and `1234567`"),
            ("a  b", "a b"),
            ("1. one 2) two 3, three", "`1`. one `2`) two 3, three"),
            ("*a* _b_ <c> [d](e) :f: g|h ~i~ $j$", "`*a* _b_ <c> [d](e) :f: g|h ~i~ $j$`"),
            ("minimum is -1 now, looser; it was 12", "minimum is `-1` now, looser; it was 12"),
            ("...", "`...`"),
            // Brackets of the sentence stay outside, those of a text inside.
            ("a missing variable (--env) is usual", "a missing variable (`--env`) is usual"),
            ("one of \"a\" or \"b\"); x", "one of `\"a\"` or `\"b\"`); x"),
            ("(it was \"a\", \"b\").", "(it was `\"a\", \"b\"`)."),
            ("(\"a\" or x)", "(`\"a\"` or x)"),
            ("calls f(x) or (a)(b) or (g(1))", "calls `f(x)` or `(a)(b)` or (`g(1)`)"),
            ("see (`--env`), or `--url`).", "see (`--env`), or `--url`)."),
            ("`a`(1)", "`a`(`1`)"),
            // A quotation is one span, whatever words it holds.
            (
                "skipped in warden.toml: \"not chosen when the project was initialised\", until 2026-12-31",
                "skipped in `warden.toml`: `\"not chosen when the project was initialised\"`, until `2026-12-31`",
            ),
            ("it says \"one two\" and \"three\"", "it says `\"one two\"` and `\"three\"`"),
            ("(it was \"a b\").", "(it was `\"a b\"`)."),
            ("\"a \"b\" c", "`\"a \"b\"` c"),
            ("the \"first word of none", "the `\"first` word of none"),
            ("\"\" and \" \"", "`\"\"` and `\" \"`"),
            ("(((", "`(((`"),
            ("() )(", "`() )(`"),
            (")", "`)`"),
            ("", ""),
        ];
        for (text, want) in cases {
            assert_eq!(prose(text), want, "{text:?}");
        }
    }
}
