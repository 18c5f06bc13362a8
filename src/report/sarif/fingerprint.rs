//! What makes a result the same result in the next run.

use super::super::facts::{Fact, FactKind};
use crate::json::{Value, hash};
use std::collections::HashMap;

/// Hexadecimal digits of a fingerprint: as many as code scanning services use, and more than chance can repeat.
const DIGITS: usize = 16;

/// The fingerprints given out in a run: equal facts are told apart by a count.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    seen: HashMap<String, usize>,
}

impl Fingerprints {
    /// Made of what is said about what in which lock or other file, and of neither lines, order, versions nor our wording.
    ///
    /// The first name is the one that code scanning services know; where it is missing they make one of the text around
    /// the line, which changes with each pin and is the same for two facts about one entry.
    pub(super) fn of_fact(&mut self, fact: &Fact<'_>, uri: &str) -> crate::json::Object {
        let evidence = match fact.kind {
            FactKind::Drift => fact.detail.unwrap_or_default(),
            FactKind::Finding => fact.snippet,
            // That nothing is known stays one alert while the reason changes.
            FactKind::Failure => "",
        };
        let parts = [fact.rule_id, fact.target, fact.path.unwrap_or_default(), evidence, uri];
        let parts: Vec<Value> = parts.into_iter().map(Value::from).collect();
        // Texts always have a canonical form.
        let digest = hash(&Value::Array(parts)).map(|digest| digest.to_string()).unwrap_or_default();
        let digest: String = digest.chars().skip_while(|c| *c != ':').skip(1).take(DIGITS).collect();
        let count = self.seen.entry(digest.clone()).or_insert(0);
        *count += 1;
        let value = format!("{digest}:{count}");
        [("primaryLocationLineHash", value.clone()), ("wardenFact/v1", value)].into_iter().collect()
    }
}
