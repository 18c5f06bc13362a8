//! Text of the server made fit for a message: secrets replaced, shortened, escaped, in this order. Pure.

use crate::text::{Charset, escape, shorten};
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// Shorter values stand in ordinary text by chance; they are replaced as whole words only.
const SAFE_ANYWHERE: usize = 4;

/// A value of so many bytes in a surface is no coincidence.
const TELLING: usize = 8;

/// Bytes of a text that are looked at when it is quoted.
pub(super) const SEARCHED: usize = 64 << 10;

/// Replaces the values that were handed to the server on purpose (they are secrets more often than not).
///
/// Clones share what they know: an access token that is had in the middle of a capture ([`Redactor::learn`]) is
/// replaced from then on everywhere.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Text to look for and the name of its variable; longest first, so that no value is cut by one it contains.
    values: Arc<RwLock<Vec<(String, String)>>>,
}

/// Never the values.
impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.known().iter().map(|(_, name)| name)).finish()
    }
}

impl Redactor {
    /// From names and values of variables. Values of several lines are also looked for line by line, and values that
    /// JSON writes with escapes also in that form.
    pub fn new<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let redactor = Self::default();
        redactor.learn(variables);
        redactor
    }

    /// Also replaces these from now on, in every clone.
    pub fn learn<'a>(&self, variables: impl IntoIterator<Item = (&'a str, &'a str)>) {
        let mut values: BTreeSet<_> = self.known().iter().cloned().collect();
        for (name, value) in variables {
            let mut add = |text: &str| values.insert((text.to_owned(), name.to_owned()));
            add(value);
            if value.contains('\n') {
                value.lines().map(str::trim).filter(|line| line.len() >= 8).for_each(|line| {
                    add(line);
                });
            }
            if let Ok(json) = serde_json::to_string(value) {
                add(&json[1..json.len() - 1]);
            }
        }
        let mut values: Vec<_> = values.into_iter().filter(|(text, _)| !text.trim().is_empty()).collect();
        values.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        *self.values.write().unwrap_or_else(PoisonError::into_inner) = values;
    }

    fn known(&self) -> RwLockReadGuard<'_, Vec<(String, String)>> {
        // Replaced whole: a panic elsewhere leaves nothing half-changed.
        self.values.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text with every value replaced by `[value of NAME]`.
    pub fn redact(&self, text: &str) -> String {
        // One pass over the text, so that a value that occurs in a replacement changes nothing.
        let values = self.known();
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        'text: while let Some(c) = text[at..].chars().next() {
            for (value, name) in values.iter() {
                if text[at..].starts_with(value.as_str()) && stands_alone(text, at, value) {
                    out.push_str("[value of ");
                    out.push_str(name);
                    out.push(']');
                    at += value.len();
                    continue 'text;
                }
            }
            out.push(c);
            at += c.len_utf8();
        }
        out
    }

    /// The variable whose value occurs in the text, for values that do not occur by chance.
    pub fn find(&self, text: &str) -> Option<String> {
        self.find_except(text, &[])
    }

    /// As [`Redactor::find`], without these variables.
    pub fn find_except(&self, text: &str, except: &[String]) -> Option<String> {
        let telling = |value: &str, name: &String| value.len() >= TELLING && !except.contains(name);
        let known = self.known();
        let found = known.iter().find(|(value, name)| telling(value, name) && text.contains(value.as_str()));
        found.map(|(_, name)| name.clone())
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.known().is_empty()
    }

    /// Length of the longest value in bytes.
    pub fn longest(&self) -> usize {
        self.known().first().map_or(0, |(value, _)| value.len())
    }
}

fn stands_alone(text: &str, at: usize, value: &str) -> bool {
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    value.chars().count() >= SAFE_ANYWHERE
        || !(in_word(text[..at].chars().next_back()) || in_word(text[at + value.len()..].chars().next()))
}

/// Makes texts of the server quotable.
#[derive(Debug, Clone, Default)]
pub struct Quoter {
    redactor: Redactor,
    limit: usize,
}

impl Quoter {
    /// `limit` is the number of characters that a quotation keeps.
    pub fn new(redactor: Redactor, limit: usize) -> Self {
        Self { redactor, limit }
    }

    /// Whether there is anything to replace.
    pub fn has_values(&self) -> bool {
        self.redactor.longest() > 0
    }

    /// See [`Redactor::find`].
    pub fn find(&self, text: &str) -> Option<String> {
        self.redactor.find(text)
    }

    /// Redacted only, for texts that are made of quoted parts.
    pub fn redact(&self, text: &str) -> String {
        self.redactor.redact(text)
    }

    /// Redacted, shortened, escaped.
    pub fn quote(&self, text: &str) -> String {
        self.quote_bytes(text.as_bytes())
    }

    /// [`Quoter::quote`] for bytes that may not be UTF-8.
    pub fn quote_bytes(&self, bytes: &[u8]) -> String {
        // A bound before the search, far beyond what is kept: a hostile line of megabytes is not searched whole.
        let head = &bytes[..bytes.len().min(SEARCHED)];
        let mut text = self.redactor.redact(&String::from_utf8_lossy(head));
        if head.len() < bytes.len() {
            // A value that the bound cut in two was not found; it can only stand at the very end.
            let mut end = text.len().saturating_sub(self.redactor.longest());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push('…');
        }
        escape(&shorten(&text, self.limit), Charset::Unicode)
    }

    /// The last lines of a text, each quoted. `cut` says that the text begins somewhere in the middle.
    pub fn quote_tail(&self, text: &[u8], cut: bool, lines: usize) -> Vec<String> {
        let mut text = text;
        if cut {
            // The first line is a fragment, and it may begin within a secret, which no search would find.
            let begin = match text.iter().position(|&byte| byte == b'\n') {
                Some(end) => end + 1,
                None => self.redactor.longest().min(text.len()),
            };
            text = &text[begin..];
        }
        // Redacted before it is split: a value may span lines.
        let text = self.redactor.redact(&String::from_utf8_lossy(text));
        let kept: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let from = kept.len().saturating_sub(lines);
        kept[from..].iter().map(|line| escape(&shorten(line.trim_end(), self.limit), Charset::Unicode)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_replaced_by_their_names() {
        let redactor = Redactor::new([("TOKEN", "s3cr3t"), ("LONGER", "s3cr3t-and-more"), ("N", "7"), ("EMPTY", "")]);
        assert_eq!(
            redactor.redact("x=s3cr3t-and-more,s3cr3ts 7 77 v7 (7)"),
            "x=[value of LONGER],[value of TOKEN]s [value of N] 77 v7 ([value of N])"
        );
        assert_eq!(redactor.redact("ünïcödé"), "ünïcödé");
    }

    #[test]
    fn what_one_clone_learns_all_of_them_know() {
        let redactor = Redactor::new([("TOKEN", "s3cr3t")]);
        let quoter = Quoter::new(redactor.clone(), 100);
        redactor.learn([("the access token", "at-123456")]);
        assert_eq!(quoter.quote("at-123456 s3cr3t"), "[value of the access token] [value of TOKEN]");
        assert_eq!(format!("{redactor:?}"), r#"["the access token", "TOKEN"]"#);
    }

    #[test]
    fn values_are_found_in_the_forms_that_programs_print() {
        let redactor = Redactor::new([("KEY", "-----BEGIN-----\nMIIabcdefgh\n\"x\"")]);
        assert_eq!(redactor.redact("a MIIabcdefgh b"), "a [value of KEY] b");
        assert_eq!(redactor.redact(r#"{"k":"-----BEGIN-----\nMIIabcdefgh\n\"x\""}"#), r#"{"k":"[value of KEY]"}"#);
    }

    #[test]
    fn a_cut_text_shows_no_end_of_a_secret() {
        let quoter = Quoter::new(Redactor::new([("T", "abcdefgh")]), 50);
        assert_eq!(quoter.quote_tail(b"efgh and more", true, 5), [" more"]);
        assert_eq!(quoter.quote_tail(b"efgh\nabcdefgh\n\n\x1b[1mlast \n", true, 5), ["[value of T]", "⟨ESC⟩[1mlast"]);
        assert_eq!(quoter.quote_tail(b"1\n2\n3", false, 2), ["2", "3"]);
        // Shortened after the search: the half of a value never shows.
        let quoter = Quoter::new(Redactor::new([("T", "abcdefgh")]), 4);
        assert_eq!(quoter.quote("..abcdefgh"), "..[v…");
    }
}
