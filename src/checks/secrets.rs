//! `WRD-SEC-*`: keys, tokens and passwords in any text of the surface or launch.
//!
//! Looked at: every text and every name of a member, at any nesting, of every entry, the handshake, the resource
//! templates and the launch. That is more than the published rules look at (SPEC.md §21.3), because a secret leaks from
//! a schema description as well as from a default.

use super::entropy;
use super::quote::{redact, way};
use super::sink::Sink;
use super::url_credentials;
use super::vendor_keys;
use super::walk::{Step, Text};
use crate::text::{Charset, escape};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    /// Bytes of the text.
    pub range: Range<usize>,
    pub rule_id: &'static str,
    /// What it looks like: "looks like " and this.
    pub what: &'static str,
}

/// How a text is searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan<'a> {
    /// The way to the text, which tells ids from keys.
    pub path: &'a [Step<'a>],
    /// Suspect what only might be a secret too: for redaction, where a false alarm costs nothing.
    pub wary: bool,
}

impl Scan<'_> {
    /// For redaction.
    pub fn wary() -> Self {
        Self { path: &[], wary: true }
    }
}

/// A published pattern, behind a literal that every match contains: most texts are done with after a search for it.
struct Pattern {
    literal: &'static str,
    regex: LazyLock<Option<Regex>>,
    rule_id: &'static str,
    what: &'static str,
}

macro_rules! pattern {
    ($rule_id:literal, $literal:literal, $regex:literal, $what:literal) => {
        // A pattern that does not compile would match nothing; a test compiles them all.
        Pattern { literal: $literal, regex: LazyLock::new(|| Regex::new($regex).ok()), rule_id: $rule_id, what: $what }
    };
}

static PATTERNS: [Pattern; 6] = [
    pattern!("WRD-SEC-OPENAI", "sk-", r"\bsk-[A-Za-z0-9]{20,}\b", "an API key of the sk- form"),
    pattern!("WRD-SEC-GITHUB", "gh", r"\bgh[pousr]_[A-Za-z0-9]{36}\b", "a GitHub token"),
    pattern!("WRD-SEC-AWS-AKID", "AKIA", r"\bAKIA[0-9A-Z]{16}\b", "an AWS access key id"),
    pattern!("WRD-SEC-SLACK", "xox", r"\bxox[baprs]-[A-Za-z0-9-]{10,}\b", "a Slack token"),
    pattern!(
        "WRD-SEC-PRIVKEY",
        "PRIVATE KEY-----",
        r"-----BEGIN (?:(?:RSA|EC|OPENSSH|DSA|PGP) )?PRIVATE KEY-----",
        "a private key"
    ),
    pattern!("WRD-SEC-JWT", "eyJ", r"\beyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}){2}\b", "a signed JSON web token"),
];

/// No secret that these rules know is shorter, its URL included.
const SHORTEST: usize = 12;

pub(super) fn check(text: &Text<'_, '_>, sink: &mut Sink) {
    for hit in hits(text.text, &Scan { path: text.path, wary: false }) {
        if sink.is_full(text.target, hit.rule_id) {
            continue;
        }
        sink.add(text.target, hit.rule_id, escape(&redact(&text.text[hit.range]), Charset::Unicode), || {
            let place = if text.path.is_empty() { String::new() } else { format!(" in {}", way(text.path)) };
            let holder = if text.is_member_name { "A member name" } else { "A text" };
            format!("{holder}{place} holds what looks like {}", hit.what)
        });
    }
}

/// All secrets of a text, by place, without overlaps. Linear.
pub(super) fn hits(text: &str, scan: &Scan<'_>) -> Vec<Hit> {
    let mut found = Vec::new();
    if text.len() < SHORTEST {
        return found;
    }
    for pattern in &PATTERNS {
        if !text.contains(pattern.literal) {
            continue;
        }
        let matches = pattern.regex.iter().flat_map(|regex| regex.find_iter(text));
        found.extend(matches.map(|found| Hit { range: found.range(), rule_id: pattern.rule_id, what: pattern.what }));
    }
    // Later kinds know less: they give way where an earlier one has found something.
    settle(&mut found, 0);
    let words = entropy::long_words(text);
    let mut add = |find: &dyn Fn(&mut Vec<Hit>)| {
        let known = found.len();
        find(&mut found);
        settle(&mut found, known);
    };
    add(&|found| vendor_keys::find(text, &words, found));
    add(&|found| url_credentials::find(text, scan, found));
    add(&|found| entropy::find(text, &words, scan, found));
    found
}

/// Sorts by place and drops, among those from `known` on, what overlaps another.
fn settle(found: &mut Vec<Hit>, known: usize) {
    if found.len() == known {
        return;
    }
    // Old ones before new ones at the same place, so that the sweep below prefers them.
    let mut marked: Vec<(bool, Hit)> = found.drain(..).enumerate().map(|(at, hit)| (at >= known, hit)).collect();
    marked.sort_by_key(|(new, hit)| (hit.range.start, *new, hit.range.end));
    for (new, hit) in marked {
        while found.last().is_some_and(|last| last.range.end > hit.range.start) && !new {
            found.pop();
        }
        if found.last().is_none_or(|last| last.range.end <= hit.range.start) {
            found.push(hit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_rules(text: &str, want: &[&str]) {
        let found: Vec<&str> =
            hits(text, &Scan { path: &[], wary: false }).into_iter().map(|hit| hit.rule_id).collect();
        assert_eq!(found, want, "{text}");
    }

    #[test]
    fn every_published_pattern_matches_and_its_near_misses_do_not() {
        assert!(PATTERNS.iter().all(|pattern| pattern.regex.is_some()));
        // Too even to be taken for keys by any other rule.
        let a = |n: usize| "a".repeat(n);
        let cases = [
            ("WRD-SEC-OPENAI", format!("sk-{}", a(20)), vec![format!("sk-{}", a(19)), format!("ésk-{}", a(20))]),
            ("WRD-SEC-GITHUB", format!("gho_{}", a(36)), vec![format!("gho_{}", a(37)), format!("ghx_{}", a(36))]),
            ("WRD-SEC-AWS-AKID", format!("AKIA{}", "A".repeat(16)), vec![format!("AKIA{}", "A".repeat(17))]),
            ("WRD-SEC-SLACK", format!("xoxb-{}", a(10)), vec![format!("xoxb-{}", a(9)), format!("xoxc-{}", a(10))]),
            (
                "WRD-SEC-PRIVKEY",
                format!("-----BEGIN RSA {}", "PRIVATE KEY-----"),
                vec!["-----BEGIN PUBLIC KEY-----".into(), format!("-----BEGIN XYZ {}", "PRIVATE KEY-----")],
            ),
            (
                "WRD-SEC-JWT",
                format!("eyJ{}.{}.{}", a(10), a(10), a(10)),
                vec![format!("eyJ{}.{}", a(10), a(10)), format!("eyJ{}.{}.{}", a(9), a(10), a(10))],
            ),
        ];
        for (rule_id, positive, near_misses) in cases {
            assert_rules(&positive, &[rule_id]);
            assert_rules(&format!("use “{positive}”, or {positive}."), &[rule_id, rule_id]);
            for near_miss in near_misses {
                assert_rules(&near_miss, &[]);
            }
        }
        assert_rules(&format!("-----BEGIN {}", "PRIVATE KEY-----"), &["WRD-SEC-PRIVKEY"]);
    }

    #[test]
    fn overlaps_go_to_the_earlier_rule() {
        let hit = |range, rule_id| Hit { range, rule_id, what: "" };
        let mut found = vec![hit(4..8, "a"), hit(12..16, "a"), hit(0..5, "b"), hit(8..12, "b"), hit(15..20, "b")];
        settle(&mut found, 2);
        let left: Vec<_> = found.iter().map(|hit| (hit.range.clone(), hit.rule_id)).collect();
        assert_eq!(left, [(4..8, "a"), (8..12, "b"), (12..16, "a")]);
    }
}
