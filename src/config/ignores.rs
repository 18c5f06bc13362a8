//! `[[ignore]]`: findings that somebody looked at and accepts.

use super::read::{ConfigError, Key, Reader, Table, optional, quoted, required};
use super::{Config, Ignore};
use crate::finding::{self, Rule, RuleKind};
use crate::text::near;
use std::collections::HashMap;
use std::ops::Range;
use toml::de::DeValue;

/// Entries that one file may have: more than anybody reviews.
const MAX_IGNORES: usize = 10_000;

/// What may stand in an `[[ignore]]`.
pub const IGNORE_KEYS: [Key; 5] =
    [required("rule"), required("target"), required("reason"), optional("expires"), optional("server")];

/// What the targets of findings begin with.
const TARGETS: [&str; 6] = ["tools/", "resources/", "prompts/", "server/", "launch/", "servers/"];

impl Reader<'_> {
    pub(super) fn ignores(&self, table: &Table<'_>) -> Result<Vec<Ignore>, ConfigError> {
        let mut ignores: Vec<Ignore> = Vec::new();
        let Some(list) = table.get("ignore") else { return Ok(ignores) };
        let not_a_list = || self.error(list.span(), "`ignore` is a list of tables: write [[ignore]]");
        let mut lines = HashMap::new();
        for entry in list.get_ref().as_array().ok_or_else(not_a_list)? {
            let DeValue::Table(members) = entry.get_ref() else { return Err(not_a_list()) };
            if ignores.len() == MAX_IGNORES {
                return Err(self.error(entry.span(), format!("more than {MAX_IGNORES} entries")));
            }
            let ignore = self.ignore(members, entry.span())?;
            let of_all = ignore.server.is_none();
            let accepted = (ignore.server.clone(), ignore.rule, ignore.target.clone());
            if let Some(first) = lines.insert(accepted, ignore.line) {
                let what = if of_all { "rule and target" } else { "server, rule and target" };
                return Err(self.error(entry.span(), format!("line {first} has the same {what} already")));
            }
            ignores.push(ignore);
        }
        Ok(ignores)
    }

    fn ignore(&self, table: &Table<'_>, at: Range<usize>) -> Result<Ignore, ConfigError> {
        self.members(table, at.clone(), &IGNORE_KEYS, "[[ignore]]")?;
        let (rule, rule_at) = self.text_of(table, "rule")?;
        let (target, target_at) = self.text_of(table, "target")?;
        let server = self.maybe_text(table, "server")?;
        if let Some((_, at)) = server.clone().filter(|(name, _)| name.trim().is_empty()) {
            return Err(self.error(at, "`server` is blank: name the server, or leave `server` out to mean all"));
        }
        Ok(Ignore {
            reason: self.reason(table, "is acceptable")?,
            expires: self.date(table, "expires")?,
            server: server.map(|(name, _)| name.to_owned()),
            rule: self.rule(rule, rule_at)?.id,
            target: self.target(target, target_at)?.to_owned(),
            line: self.line(at.start),
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
            RuleKind::Project => "it is about a server of the project as a whole",
            RuleKind::Run => "it says that nothing was checked, which nothing can accept",
        };
        Err(self.error(at, format!("{id} cannot be ignored: {why}")))
    }

    fn target<'v>(&self, target: &'v str, at: Range<usize>) -> Result<&'v str, ConfigError> {
        if TARGETS.iter().any(|kind| target.len() > kind.len() && target.starts_with(kind)) {
            return Ok(target);
        }
        let kinds = "tools/NAME, resources/URI, prompts/NAME, launch/command, server/PART or servers/NAME";
        Err(self.error(at, format!("{} is no target of a finding: it is {kinds}", quoted(target))))
    }
}

impl Config {
    /// The entry for a finding, expired or not: the one for this server, and otherwise the one for all. `server` is
    /// `None` where the server has no name.
    pub fn ignore_for(&self, rule: &str, target: &str, server: Option<&str>) -> Option<&Ignore> {
        let of = |server: Option<&str>| {
            let is_it = |ignore: &&Ignore| ignore.rule == rule && ignore.target == target;
            self.ignores.iter().filter(is_it).find(|ignore| ignore.server.as_deref() == server)
        };
        server.and_then(|_| of(server)).or_else(|| of(None))
    }
}

#[cfg(test)]
#[path = "ignores_tests.rs"]
mod tests;
