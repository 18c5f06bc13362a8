//! The text of a `warden.toml` to its model. Strict: what is not known is an error with its place, because an option
//! that is silently left out is one that somebody relies on.
//!
//! Here are the top of the file and what all tables need; [`ignores`](super::ignores) and
//! [`servers`](super::servers) read theirs.

use super::values::locks_problem;
use super::{Config, Discover};
use crate::text::{Charset, escape, near, shorten};
use std::ops::Range;
use time::Date;
use time::macros::format_description;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// Characters of a text of the file that a message quotes.
const MAX_QUOTE: usize = 80;

/// A member of a table; the schema of the file names the same ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    pub name: &'static str,
    pub required: bool,
}

/// What may stand at the top of the file.
pub const TOP_KEYS: [Key; 4] = [optional("ignore"), optional("servers"), optional("locks"), optional("discover")];

pub(super) const fn required(name: &'static str) -> Key {
    Key { name, required: true }
}

pub(super) const fn optional(name: &'static str) -> Key {
    Key { name, required: false }
}

/// Why a file is not valid, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {cause}")]
pub struct ConfigError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// In our words; what it quotes is escaped and of bounded length. It never quotes what may hold a secret: words of a
    /// command, a URL, or what stands where the name of a variable belongs.
    pub cause: String,
    /// What may have been meant.
    pub hint: Option<String>,
}

/// Reads a file.
///
/// # Errors
/// It is not UTF-8 or not TOML, has a member that is not known or misses one, or a value that makes no sense.
pub fn parse(bytes: &[u8]) -> Result<Config, ConfigError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
            return Err(Reader::new(good).error(good.len()..good.len(), "this is not UTF-8"));
        }
    };
    let reader = Reader::new(text);
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        reader.error(at, format!("not valid TOML: {}", shown(error.message())))
    })?;
    reader.config(document.get_ref())
}

/// The text, to tell places in it.
pub(super) struct Reader<'t> {
    text: &'t str,
    /// Where its lines begin, in bytes: thousands of entries are told by their lines.
    line_starts: Vec<usize>,
}

pub(super) type Table<'t> = DeTable<'t>;

pub(super) type Value<'t> = Spanned<DeValue<'t>>;

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, line_starts }
    }

    fn config(&self, table: &Table<'_>) -> Result<Config, ConfigError> {
        self.known(table, &TOP_KEYS, "the file", &[])?;
        Ok(Config {
            ignores: self.ignores(table)?,
            servers: self.servers(table)?,
            locks: self.path(table, "locks", locks_problem)?.map(|(path, _)| path.to_owned()),
            discover: self.discover(table)?,
        })
    }

    fn discover(&self, table: &Table<'_>) -> Result<Discover, ConfigError> {
        match table.get("discover").map(|value| (value, value.get_ref())) {
            None | Some((_, DeValue::Boolean(true))) => Ok(Discover::On),
            Some((_, DeValue::Boolean(false))) => Ok(Discover::Off),
            Some((value, _)) => Err(self.wrong_type("discover", "true or false", value)),
        }
    }

    /// A path for which `problem` finds nothing, and its place.
    pub(super) fn path<'v>(
        &self,
        table: &'v Table<'_>,
        name: &str,
        problem: fn(&str) -> Option<&'static str>,
    ) -> Result<Option<(&'v str, Range<usize>)>, ConfigError> {
        let Some((path, at)) = self.maybe_text(table, name)? else { return Ok(None) };
        match problem(path) {
            None => Ok(Some((path, at))),
            Some(problem) => {
                let error = self.error(at, format!("`{name}` cannot be {}: {problem}", quoted(path)));
                Err(error.hint("write the path from the folder of this file on, with /"))
            }
        }
    }

    /// A day that the calendar has, as it stands there.
    pub(super) fn date(&self, table: &Table<'_>, name: &str) -> Result<Option<String>, ConfigError> {
        let Some((text, at)) = self.maybe_text(table, name)? else { return Ok(None) };
        let is_plain = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let date = Date::parse(text, format_description!("[year]-[month]-[day]")).ok().filter(|_| is_plain);
        match date {
            Some(_) => Ok(Some(text.to_owned())),
            None => Err(self.error(at, format!("{} is no day; a day looks like 2027-01-31", quoted(text)))),
        }
    }

    /// Why something is accepted or left out: a text that is not blank. `what` ends the advice.
    pub(super) fn reason(&self, table: &Table<'_>, what: &str) -> Result<String, ConfigError> {
        let (reason, at) = self.text_of(table, "reason")?;
        match reason.trim().is_empty() {
            true => Err(self.error(at, format!("`reason` is blank: say why this {what}"))),
            false => Ok(reason.to_owned()),
        }
    }

    /// A string that is there, and its place.
    pub(super) fn text_of<'v>(&self, table: &'v Table<'_>, name: &str) -> Result<(&'v str, Range<usize>), ConfigError> {
        self.maybe_text(table, name)?.ok_or_else(|| self.error(0..0, format!("there is no `{name}`")))
    }

    /// A string, and its place.
    pub(super) fn maybe_text<'v>(
        &self,
        table: &'v Table<'_>,
        name: &str,
    ) -> Result<Option<(&'v str, Range<usize>)>, ConfigError> {
        let Some(value) = table.get(name) else { return Ok(None) };
        match value.get_ref() {
            DeValue::String(text) => Ok(Some((text, value.span()))),
            _ => Err(self.wrong_type(name, "a text in quotes", value)),
        }
    }

    /// Refuses members that are not known, and the lack of one that is required. `at` is the place of the table.
    pub(super) fn members(
        &self,
        table: &Table<'_>,
        at: Range<usize>,
        keys: &[Key],
        place: &str,
    ) -> Result<(), ConfigError> {
        self.known(table, keys, place, &[])?;
        match keys.iter().find(|key| key.required && !table.contains_key(key.name)) {
            Some(key) => Err(self.error(at, format!("this {place} has no `{}`", key.name))),
            None => Ok(()),
        }
    }

    /// Refuses members that are not known; the first one in the file is named. `instead` has names that others use, and
    /// what to write here.
    pub(super) fn known(
        &self,
        table: &Table<'_>,
        keys: &[Key],
        place: &str,
        instead: &[(&str, &str)],
    ) -> Result<(), ConfigError> {
        let unknown = table.keys().filter(|name| !keys.iter().any(|key| key.name == name.get_ref().as_ref()));
        match unknown.min_by_key(|name| name.span().start) {
            None => Ok(()),
            Some(name) => {
                let error = self.error(name.span(), format!("{place} has no member {}", quoted(name.get_ref())));
                Err(match instead.iter().find(|(other, _)| name.get_ref() == other) {
                    Some((_, hint)) => error.hint(*hint),
                    None => error.meant(&near(name.get_ref(), keys.iter().map(|key| key.name))),
                })
            }
        }
    }

    /// The value of a member is of another type than `wanted`, which goes into a sentence. The value is not shown.
    pub(super) fn wrong_type(&self, name: &str, wanted: &str, found: &Value<'_>) -> ConfigError {
        let of_type = found.get_ref().type_str();
        self.error(found.span(), format!("`{name}` is {wanted}, and this is of type {of_type}"))
    }

    pub(super) fn error(&self, at: Range<usize>, cause: impl Into<String>) -> ConfigError {
        let (line, column) = self.place(at.start);
        ConfigError { line, column, cause: cause.into(), hint: None }
    }

    /// Line and column, both from 1.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        let line = self.line(at);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        (line, self.text.get(start..at).map_or(0, |before| before.chars().count()) + 1)
    }

    /// The line, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= at).max(1)
    }
}

impl ConfigError {
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(super) fn meant(mut self, names: &[&str]) -> Self {
        self.hint = (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")));
        self
    }
}

/// A text of the file for a message.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(text))
}

fn shown(text: &str) -> String {
    escape(&shorten(text, MAX_QUOTE), Charset::Unicode)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
