//! The rules that the results of a run name.

use crate::finding::{Rule, Severity, rule};
use crate::json::{Object, Value};
use crate::text::{Charset, escape, shorten};
use std::collections::BTreeMap;

/// Code points of an id that is in no catalogue of ours.
const MAX_ID: usize = 100;

/// The rules in use, sorted by id: services keep the texts of those that no longer occur, so that a list of all of them
/// would only make documents large.
#[derive(Debug)]
pub(super) struct RuleIndex<'f> {
    rules: BTreeMap<&'f str, (usize, Severity)>,
}

impl<'f> RuleIndex<'f> {
    /// From the ids of results; the severity counts for ids of other tools.
    pub(super) fn of(used: impl Iterator<Item = (&'f str, Severity)>) -> Self {
        let mut rules: BTreeMap<&str, (usize, Severity)> = BTreeMap::new();
        for (id, severity) in used {
            let (_, worst) = rules.entry(id).or_insert((0, severity));
            *worst = severity.max(*worst);
        }
        rules.values_mut().enumerate().for_each(|(at, (place, _))| *place = at);
        Self { rules }
    }

    /// Where a rule stands in [`rules`](Self::rules).
    pub(super) fn of_rule(&self, id: &str) -> Value {
        let at = self.rules.get(id).map_or(0, |(at, _)| *at);
        Value::Int(i64::try_from(at).unwrap_or_default())
    }

    /// The descriptions, in order.
    pub(super) fn rules(&self) -> Vec<Object> {
        self.rules
            .iter()
            .map(|(id, (_, severity))| rule(id).map_or_else(|| foreign(id, *severity), described))
            .collect()
    }
}

/// An id of the catalogue as it is; one from a lock made harmless.
pub(super) fn shown_id(id: &str) -> String {
    match rule(id) {
        Some(rule) => rule.id.to_owned(),
        None if id.is_empty() => "UNKNOWN".to_owned(),
        None => escape(&shorten(id, MAX_ID), Charset::Unicode),
    }
}

fn described(rule: &Rule) -> Object {
    let mut help = text(&rule.help_text());
    help.insert("markdown", rule.help_markdown());
    let mut object = Object::new();
    object.insert("id", rule.id);
    object.insert("name", pascal_case(rule.id));
    object.insert("shortDescription", text(rule.short()));
    object.insert("fullDescription", text(&rule.full()));
    if let Some(uri) = absolute(&rule.help_uri()) {
        object.insert("helpUri", uri);
    }
    object.insert("help", help);
    object.insert("defaultConfiguration", configuration(rule.severity));
    let mut bag = Object::new();
    // Drift is a fact; what a check finds in a text is a good guess.
    let precision =
        if rule.id.starts_with("WRD-DRIFT-") || rule.id.starts_with("WRD-LOCK-") { "very-high" } else { "high" };
    bag.insert("precision", precision);
    bag.insert("security-severity", rule.security_severity());
    bag.insert("tags", vec!["security", "supply-chain", "mcp"]);
    object.insert("properties", bag);
    object
}

/// A rule of another tool, of which only the id is known.
fn foreign(id: &str, severity: Severity) -> Object {
    let mut object = Object::new();
    object.insert("id", shown_id(id));
    object.insert("shortDescription", text("A finding that another tool wrote into the lock."));
    object.insert(
        "fullDescription",
        text("A finding that another tool wrote into the lock; its rule is not known here."),
    );
    object.insert("help", text("Ask the documents of the tool that wrote the lock."));
    object.insert("defaultConfiguration", configuration(severity));
    object
}

fn configuration(severity: Severity) -> Object {
    [("level", super::level(severity))].into_iter().collect()
}

fn text(text: &str) -> Object {
    [("text", text)].into_iter().collect()
}

/// `WRD-SEC-URL` as `SecUrl`: the form in which SARIF has names of rules.
fn pascal_case(id: &str) -> String {
    let words = id.split('-').skip(1);
    words
        .map(|word| {
            let (first, rest) = word.split_at(word.len().min(1));
            format!("{first}{}", rest.to_ascii_lowercase())
        })
        .collect()
}

/// An address that means the same everywhere, if it is one.
pub(super) fn absolute(uri: &str) -> Option<&str> {
    Some(uri).filter(|uri| uri.starts_with("https://"))
}
