//! Where findings gather: bounded, without repeats, sorted at the end.

use crate::finding::{Finding, Severity, rule};
use crate::surface::{Section, Surface, entry_target};
use std::collections::{HashMap, HashSet};

/// How many findings of one rule an entry may give. Without a bound, a hostile entry with a very long name and very
/// many faults would cost the product of the two.
const KEPT: usize = 8;

/// How many different findings of one rule are told apart on an entry, to say how many are not listed.
const COUNTED: usize = 64;

/// What a finding is about. Entries are held by their place, so that a long name is written once per finding that
/// is kept, not once per finding that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// The command line or URL.
    Launch,
    /// A part of what the handshake said, by its name in the target text.
    Server(&'static str),
    /// An entry and its place in its list.
    Entry(Section, usize),
}

impl Target {
    fn text(self, surface: &Surface) -> String {
        let identity = |section: Section, at: usize| match section {
            Section::Tools => surface.tools.get(at).map(|tool| tool.name()),
            Section::Resources => surface.resources.get(at).map(|resource| resource.uri()),
            Section::Prompts => surface.prompts.get(at).map(|prompt| prompt.name()),
        };
        match self {
            Self::Launch => "launch/command".to_owned(),
            Self::Server(part) => format!("server/{part}"),
            Self::Entry(section, at) => entry_target(section, identity(section, at).unwrap_or_default()),
        }
    }
}

/// The findings of one rule on one target.
#[derive(Default)]
struct Bucket {
    /// Snippet and message, in the order in which they came.
    kept: Vec<(String, String)>,
    /// Snippets of those that are not listed.
    unlisted: HashSet<String>,
    /// Whether there were more than can be counted.
    overflow: bool,
}

/// The findings so far.
#[derive(Default)]
pub(super) struct Sink {
    buckets: HashMap<(Target, &'static str), Bucket>,
}

impl Sink {
    /// Whether there are so many findings of this rule that a further one would not even be counted. Lets a family
    /// skip the work of describing it.
    pub fn is_full(&mut self, target: Target, rule_id: &'static str) -> bool {
        match self.buckets.get_mut(&(target, rule_id)) {
            Some(bucket) if bucket.unlisted.len() >= COUNTED => {
                bucket.overflow = true;
                true
            }
            _ => false,
        }
    }

    /// Adds a finding unless the same snippet is there already. `message` is only made when it is needed.
    pub fn add(&mut self, target: Target, rule_id: &'static str, snippet: String, message: impl FnOnce() -> String) {
        debug_assert!(rule(rule_id).is_some(), "{rule_id} is not in the catalogue");
        let bucket = self.buckets.entry((target, rule_id)).or_default();
        if bucket.kept.iter().any(|(kept, _)| *kept == snippet) {
            return;
        }
        if bucket.kept.len() < KEPT {
            bucket.kept.push((snippet, message()));
        } else if bucket.unlisted.len() < COUNTED {
            bucket.unlisted.insert(snippet);
        } else if !bucket.unlisted.contains(&snippet) {
            bucket.overflow = true;
        }
    }

    /// Everything, in the order of the format.
    pub fn findings(self, surface: &Surface) -> Vec<Finding> {
        let mut findings = Vec::new();
        for ((target, rule_id), bucket) in self.buckets {
            let target = target.text(surface);
            let severity = rule(rule_id).map_or(Severity::Low, |rule| rule.severity);
            let mut push = |snippet, message| {
                findings.push(Finding { rule_id, severity, target: target.clone(), message, snippet });
            };
            if !bucket.unlisted.is_empty() {
                let more = format!("{}{} more", if bucket.overflow { "over " } else { "" }, bucket.unlisted.len());
                let message = format!("{more} findings of this rule are not listed one by one");
                push(more, message);
            }
            for (snippet, message) in bucket.kept {
                push(snippet, message);
            }
        }
        findings.sort_by(|a, b| (&a.target, a.rule_id, &a.snippet).cmp(&(&b.target, b.rule_id, &b.snippet)));
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_collapse_and_floods_are_counted() {
        let launch = Target::Launch;
        for (different, want) in [(8, None), (10, Some("2 more")), (300, Some("over 64 more"))] {
            let mut sink = Sink::default();
            for i in 0..900 {
                if !sink.is_full(launch, "WRD-SEC-JWT") {
                    sink.add(launch, "WRD-SEC-JWT", format!("s{}", i % different), || "m".into());
                }
            }
            sink.add(Target::Server("instructions"), "WRD-SEC-JWT", "s".into(), || "m".into());
            let findings = sink.findings(&Surface::default());
            let snippets: Vec<&str> = findings.iter().map(|finding| finding.snippet.as_str()).collect();
            let listed = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s"];
            let want: Vec<&str> = want.into_iter().chain(listed).collect();
            assert_eq!(snippets, want);
            assert_eq!(findings.last().unwrap().target, "server/instructions");
        }
    }
}
