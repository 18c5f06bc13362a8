//! The text of a `warden.toml` to its model. Strict: what is not known is an error with its place, because an option
//! that is silently left out is one that somebody relies on.

use super::{Config, Ignore};
use crate::finding::{self, Rule, RuleKind};
use crate::text::{Charset, escape, near, shorten};
use std::ops::Range;
use time::Date;
use time::macros::format_description;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// Entries that one file may have: more than anybody reviews.
const MAX_IGNORES: usize = 10_000;

/// Characters of a text of the file that a message quotes.
const MAX_QUOTE: usize = 80;

/// A member of a table; the schema of the file names the same ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    pub name: &'static str,
    pub required: bool,
}

/// What may stand at the top of the file.
pub const TOP_KEYS: [Key; 1] = [Key { name: "ignore", required: false }];

/// What may stand in an `[[ignore]]`.
pub const IGNORE_KEYS: [Key; 4] = [
    Key { name: "rule", required: true },
    Key { name: "target", required: true },
    Key { name: "reason", required: true },
    Key { name: "expires", required: false },
];

/// What the targets of findings begin with.
const TARGETS: [&str; 5] = ["tools/", "resources/", "prompts/", "server/", "launch/"];

/// Why a file is not valid, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {cause}")]
pub struct ConfigError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// In our words; what it quotes is escaped and of bounded length.
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
            return Err(Reader { text: good }.error(good.len()..good.len(), "this is not UTF-8"));
        }
    };
    let reader = Reader { text };
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        reader.error(at, format!("not valid TOML: {}", shown(error.message())))
    })?;
    reader.config(document.get_ref())
}

/// The text, to tell places in it.
struct Reader<'t> {
    text: &'t str,
}

type Table<'t> = DeTable<'t>;

impl Reader<'_> {
    fn config(&self, table: &Table<'_>) -> Result<Config, ConfigError> {
        self.known(table, &TOP_KEYS, "the file")?;
        let mut config = Config::default();
        let Some(list) = table.get("ignore") else { return Ok(config) };
        let not_a_list = || self.error(list.span(), "`ignore` is a list of tables: write [[ignore]]");
        for entry in list.get_ref().as_array().ok_or_else(not_a_list)? {
            let DeValue::Table(members) = entry.get_ref() else { return Err(not_a_list()) };
            if config.ignores.len() == MAX_IGNORES {
                return Err(self.error(entry.span(), format!("more than {MAX_IGNORES} entries")));
            }
            let ignore = self.ignore(members, entry.span())?;
            if let Some(first) = config.ignore_for(ignore.rule, &ignore.target) {
                let cause = format!("line {} has the same rule and target already", first.line);
                return Err(self.error(entry.span(), cause));
            }
            config.ignores.push(ignore);
        }
        Ok(config)
    }

    fn ignore(&self, table: &Table<'_>, at: Range<usize>) -> Result<Ignore, ConfigError> {
        self.known(table, &IGNORE_KEYS, "[[ignore]]")?;
        if let Some(key) = IGNORE_KEYS.iter().find(|key| key.required && !table.contains_key(key.name)) {
            return Err(self.error(at, format!("this [[ignore]] has no `{}`", key.name)));
        }
        let (rule, rule_at) = self.text_of(table, "rule")?;
        let (target, target_at) = self.text_of(table, "target")?;
        let (reason, reason_at) = self.text_of(table, "reason")?;
        if reason.trim().is_empty() {
            return Err(self.error(reason_at, "`reason` is blank: say why this is acceptable"));
        }
        let expires = match table.contains_key("expires") {
            true => Some(self.date(table)?),
            false => None,
        };
        Ok(Ignore {
            server: None,
            rule: self.rule(rule, rule_at)?.id,
            target: self.target(target, target_at)?.to_owned(),
            reason: reason.to_owned(),
            expires,
            line: self.place(at.start).0,
        })
    }

    /// A rule about findings; only those can be accepted.
    fn rule(&self, id: &str, at: Range<usize>) -> Result<&'static Rule, ConfigError> {
        let Some(rule) = finding::rule(id) else {
            let ids = finding::RULES
                .iter()
                .filter(|rule| matches!(rule.kind(), RuleKind::Finding | RuleKind::Posture))
                .map(|rule| rule.id);
            let error = self.error(at, format!("there is no rule {}", quoted(id)));
            return Err(error.meant(&near(id, ids)));
        };
        let why = match rule.kind() {
            RuleKind::Finding | RuleKind::Posture => return Ok(rule),
            RuleKind::Drift => "it is a class of drift, which only a new pin accepts",
            RuleKind::Lock => "it says that the lock does not hold, which nothing can accept",
            RuleKind::Ignore => "it is about entries of this file",
            RuleKind::Run => "it says that nothing was checked, which nothing can accept",
        };
        Err(self.error(at, format!("{id} cannot be ignored: {why}")))
    }

    fn target<'v>(&self, target: &'v str, at: Range<usize>) -> Result<&'v str, ConfigError> {
        if TARGETS.iter().any(|kind| target.len() > kind.len() && target.starts_with(kind)) {
            return Ok(target);
        }
        let kinds = "tools/NAME, resources/URI, prompts/NAME, launch/command or server/PART";
        Err(self.error(at, format!("{} is no target of a finding: it is {kinds}", quoted(target))))
    }

    /// A day that the calendar has, as it stands there.
    fn date(&self, table: &Table<'_>) -> Result<String, ConfigError> {
        let (text, at) = self.text_of(table, "expires")?;
        let is_plain = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let date = Date::parse(text, format_description!("[year]-[month]-[day]")).ok().filter(|_| is_plain);
        match date {
            Some(_) => Ok(text.to_owned()),
            None => Err(self.error(at, format!("{} is no day: write it as \"2027-01-31\"", quoted(text)))),
        }
    }

    /// A string that is there, and its place.
    fn text_of<'v>(&self, table: &'v Table<'_>, name: &str) -> Result<(&'v str, Range<usize>), ConfigError> {
        let value: Option<&Spanned<DeValue<'_>>> = table.get(name);
        match value.map(|value| (value.get_ref(), value.span())) {
            Some((DeValue::String(text), at)) => Ok((text, at)),
            Some((other, at)) => {
                let found = other.type_str();
                Err(self.error(at, format!("`{name}` is a text in quotes, and this is of type {found}")))
            }
            None => Err(self.error(0..0, format!("there is no `{name}`"))),
        }
    }

    /// Refuses members that are not known; the first one in the file is named.
    fn known(&self, table: &Table<'_>, keys: &[Key], place: &str) -> Result<(), ConfigError> {
        let unknown = table.keys().filter(|name| !keys.iter().any(|key| key.name == name.get_ref().as_ref()));
        match unknown.min_by_key(|name| name.span().start) {
            None => Ok(()),
            Some(name) => {
                let error = self.error(name.span(), format!("{place} has no member {}", quoted(name.get_ref())));
                Err(error.meant(&near(name.get_ref(), keys.iter().map(|key| key.name))))
            }
        }
    }

    fn error(&self, at: Range<usize>, cause: impl Into<String>) -> ConfigError {
        let (line, column) = self.place(at.start);
        ConfigError { line, column, cause: cause.into(), hint: None }
    }

    /// Line and column, both from 1.
    fn place(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

impl ConfigError {
    fn meant(mut self, names: &[&str]) -> Self {
        self.hint = (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")));
        self
    }
}

/// A text of the file for a message.
fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(text))
}

fn shown(text: &str) -> String {
    escape(&shorten(text, MAX_QUOTE), Charset::Unicode)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
