//! On which line of a lock something stands: reports of CI systems want a place for each fact.

use crate::drift::{APPROVAL_TARGET, DIGEST_TARGET, LAUNCH_TARGET, RECORD_TARGET};
use crate::json::{element_spans, member_spans};
use crate::surface::{Section, entry_target};
use std::collections::HashMap;

/// Where CI systems show a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place<'r> {
    /// From the root of a repository, with forward slashes, else absolute; raw. Empty where no file is in play.
    pub uri: &'r str,
    /// From 1.
    pub line: usize,
    /// In characters, from 1; where it is known.
    pub column: Option<usize>,
}

/// The lines of a lock's text, from 1.
#[derive(Debug, Default)]
pub struct LockLines {
    by_target: HashMap<String, usize>,
}

impl LockLines {
    /// Looks through a lock's text. A text that is no lock has no lines but the first.
    pub fn of(lock_text: &str) -> Self {
        let mut lines = Self::default();
        let mut counter = Counter { text: lock_text, at: 0, line: 1 };
        for (name, value) in member_spans(lock_text) {
            let line = counter.line_of(value);
            match name.as_str() {
                "server" => lines.put(LAUNCH_TARGET.to_owned(), line),
                "overall_digest" => lines.put(DIGEST_TARGET.to_owned(), line),
                "pin" => {
                    lines.put(APPROVAL_TARGET.to_owned(), line);
                    lines.put(RECORD_TARGET.to_owned(), line);
                    for (name, target) in [("approved_digest", APPROVAL_TARGET), ("warden", RECORD_TARGET)] {
                        let member = member_spans(value).into_iter().find(|(member, _)| member == name);
                        if let Some((_, value)) = member {
                            lines.by_target.insert(target.to_owned(), counter.line_of(value));
                        }
                    }
                }
                _ => {}
            }
            let Some(section) = Section::ALL.into_iter().find(|section| section.key() == name) else { continue };
            lines.put(section.key().to_owned(), line);
            for entry in element_spans(value) {
                let line = counter.line_of(entry);
                // The line of the name is the one that a reader looks for.
                let members = member_spans(entry);
                let Some((_, identity)) = members.iter().find(|(name, _)| name == section.identity()) else { continue };
                let Some(identity_text) = string(identity) else { continue };
                let line = counter.line_of(identity).max(line);
                lines.put(entry_target(section, &identity_text), line);
            }
        }
        lines
    }

    fn put(&mut self, target: String, line: usize) {
        // Of entries that are repeated the first counts, as everywhere.
        self.by_target.entry(target).or_insert(line);
    }

    /// The line of a target; of an entry that the lock does not have, that of its section; else the first.
    pub fn line(&self, target: &str) -> usize {
        let section = || target.split_once('/').and_then(|(section, _)| self.by_target.get(section));
        self.by_target.get(target).or_else(section).copied().unwrap_or(1)
    }
}

fn string(text: &str) -> Option<String> {
    let limits = crate::json::ParseLimits { max_bytes: text.len(), max_depth: 0, max_values: usize::MAX };
    Some(crate::json::parse(text.as_bytes(), &limits).ok()?.as_str()?.to_owned())
}

/// Counts line feeds up to parts of a text that are asked for in order, so that a text is gone through once.
struct Counter<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl Counter<'_> {
    /// The line on which a part of the text begins.
    fn line_of(&mut self, part: &str) -> usize {
        let place = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize).min(self.text.len());
        let feeds = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
        let bytes = self.text.as_bytes();
        if place >= self.at {
            self.line += feeds(&bytes[self.at..place]);
            self.at = place;
            return self.line;
        }
        self.line - feeds(&bytes[place..self.at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_has_the_line_of_its_name() {
        let text = "{\n \"schema_version\": 4,\n \"server\": {\n  \"command\": \"x\"\n },\n \"tools\": [\n  {\n   \
                    \"description_hash\": \"\",\n   \"name\": \"a/\\u0062\"\n  },\n  {\"name\": \"c\"}, {\"name\": \
                    \"c\"}\n ],\n \"resources\": [],\n \"overall_digest\": \"\",\n \"pin\": {\n  \"approved\": false,\n  \
                    \"approved_digest\": null\n }\n}\n";
        let lines = LockLines::of(text);
        let cases = [
            ("launch/command", 3),
            ("tools/a/b", 9),
            ("tools/c", 11),
            ("tools/new", 6),
            ("resources/new", 13),
            ("prompts/new", 1),
            ("lock/overall_digest", 14),
            ("pin/approved_digest", 17),
            ("nothing", 1),
        ];
        for (target, line) in cases {
            assert_eq!(lines.line(target), line, "{target}");
        }
    }

    #[test]
    fn any_text_has_a_first_line() {
        for text in ["", "{", "[]", "{\"tools\": [{}]}", "{\"tools\": [{\"name\": 1}]}", "{\"pin\": 1, \"tools\": {}}"]
        {
            assert_eq!(LockLines::of(text).line("tools/x"), 1, "{text}");
        }
    }
}
