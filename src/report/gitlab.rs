//! GitLab Code Quality: a list of issues, each at a line of a lock or of another file.

use super::Rendering;
use super::accepted::accepted_by;
use super::error::ErrorReport;
use super::facts::{COMMAND_FAILED_RULE, Fact, FactKind, RECORD_RULE, TOOL_CLASH_RULE};
use super::json::visible;
use super::lines::{LockLines, Place};
use super::model::{AcceptedFinding, Report};
use super::project::{Clash, Part, clash_sentence};
use super::verdict::Verdict;
use crate::drift::RECORD_TARGET;
use crate::finding::Severity;
use crate::json::{Object, Value, compact, pretty};
use crate::text::{Charset, escape, shorten};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;

const MAX_NAME: usize = 200;
const MAX_DESCRIPTION: usize = 1_000;
const MAX_FIX: usize = 1_000;
/// GitLab wants a path for each issue, also where no lock is in play.
const NO_LOCK: &str = "warden.lock";

/// Renders a report; a list without issues where nothing is wrong and nothing had to be accepted.
pub fn gitlab(report: &Report, rendering: &Rendering<'_>) -> String {
    gitlab_of(&[Part::only(report, rendering)], &[])
}

/// Renders several reports as one list.
pub(super) fn gitlab_of(parts: &[Part<'_>], clashes: &[Clash]) -> String {
    let mut seen = HashMap::new();
    let mut issues: Vec<Object> = parts.iter().flat_map(|part| issues_of(part, &mut seen)).collect();
    let uri = parts.last().map_or("", |part| part.lock_uri);
    issues.extend(clashes.iter().map(|clash| {
        let place = Place { uri, line: 1, column: None };
        let identity = vec![uri, TOOL_CLASH_RULE, &clash.tool];
        Issue {
            rule: TOOL_CLASH_RULE.to_owned(),
            severity: "info",
            description: clash_sentence(clash),
            place,
            identity,
        }
        .object(&mut seen)
    }));
    document(issues)
}

fn issues_of(part: &Part<'_>, seen: &mut HashMap<String, usize>) -> Vec<Object> {
    let Part { report, fails, .. } = *part;
    let lines = LockLines::of(&report.lock_text);
    // What a pin accepted is in the lock now, and no issue any more.
    let is_open = |fact: &Fact<'_>| fact.kind != FactKind::Drift || fact.remains || fails;
    let decides = report.verdict == Verdict::Findings;
    let mut issues: Vec<Object> = Vec::new();
    for fact in part.facts().into_iter().filter(is_open) {
        let place = part.place_of(&fact, &lines);
        let issue = Issue {
            rule: escape(fact.rule_id, Charset::Unicode),
            severity: severity(&fact, decides),
            description: part.qualified(&description(&fact)),
            place,
            // Not the line and not our words: both may change while the issue stays the same.
            identity: vec![
                part.identity_of(&fact),
                fact.rule_id,
                fact.target,
                fact.path.unwrap_or_default(),
                fact.detail.unwrap_or_default(),
                fact.snippet,
            ],
        };
        issues.push(issue.object(seen));
    }
    // What decides nothing, and what a reviewer of a change must see appear.
    let accepted = report.config.iter().flat_map(|config| &config.accepted);
    issues.extend(accepted.map(|accepted| accepted_issue(part, accepted, &lines).object(seen)));
    let recorded = report.lock.as_ref().and_then(|lock| lock.recorded.as_ref());
    issues.extend(recorded.map(|words| recorded_issue(part, words, &lines).object(seen)));
    issues
}

fn accepted_issue<'i>(part: &Part<'i>, accepted: &'i AcceptedFinding, lines: &LockLines) -> Issue<'i> {
    let finding = &accepted.finding;
    let target = escape(&shorten(&finding.target, MAX_NAME), Charset::Unicode);
    let message = shorten(&finding.message, MAX_DESCRIPTION);
    let uri = part.lock_uri;
    Issue {
        rule: escape(&finding.rule_id, Charset::Unicode),
        severity: "info",
        description: part.qualified(&format!("{target}: {message} ({})", accepted_by(part.report, accepted))),
        place: Place { uri, line: lines.line(&finding.target), column: None },
        identity: vec![uri, &finding.rule_id, &finding.target, &finding.snippet, "accepted"],
    }
}

fn recorded_issue<'i>(part: &Part<'i>, words: &'i str, lines: &LockLines) -> Issue<'i> {
    Issue {
        rule: RECORD_RULE.to_owned(),
        severity: "info",
        description: part.qualified(&shorten(words, MAX_DESCRIPTION)),
        place: Place { uri: part.lock_uri, line: lines.line(RECORD_TARGET), column: None },
        identity: vec![part.lock_uri, RECORD_RULE, words],
    }
}

/// Renders an error: one issue, so that nothing reads as clean.
pub fn gitlab_error(error: &ErrorReport<'_>, rendering: &Rendering<'_>) -> String {
    let sentence = error.sentence();
    let issue = Issue {
        rule: COMMAND_FAILED_RULE.to_owned(),
        severity: "blocker",
        description: shorten(&sentence, MAX_DESCRIPTION),
        place: Place { uri: rendering.lock_uri, line: 1, column: None },
        identity: vec![rendering.lock_uri, COMMAND_FAILED_RULE, &sentence],
    };
    document(vec![issue.object(&mut HashMap::new())])
}

fn document(issues: Vec<Object>) -> String {
    let mut text = visible(&pretty(&Value::from(issues)));
    text.push('\n');
    text
}

struct Issue<'i> {
    rule: String,
    severity: &'static str,
    description: String,
    place: Place<'i>,
    identity: Vec<&'i str>,
}

impl Issue<'_> {
    /// `seen` counts issues of one identity: fingerprints must differ.
    fn object(self, seen: &mut HashMap<String, usize>) -> Object {
        let identity = compact(&Value::from(self.identity));
        let number = seen.entry(identity.clone()).or_insert(0);
        let fingerprint = Sha256::digest(format!("{identity}{number}"));
        *number += 1;
        let mut lines = Object::new();
        lines.insert("begin", i64::try_from(self.place.line).unwrap_or(i64::MAX));
        let mut location = Object::new();
        location.insert("path", if self.place.uri.is_empty() { NO_LOCK } else { self.place.uri });
        location.insert("lines", lines);
        let mut object = Object::new();
        object.insert("description", self.description);
        object.insert("check_name", self.rule);
        object.insert("fingerprint", hex::encode(fingerprint));
        object.insert("severity", self.severity);
        object.insert("location", location);
        object
    }
}

fn severity(fact: &Fact<'_>, decides: bool) -> &'static str {
    match (fact.kind, fact.severity) {
        _ if fact.rule_id == COMMAND_FAILED_RULE => "blocker",
        (FactKind::Failure, _) | (_, Severity::Critical) => "blocker",
        (_, Severity::High) => "critical",
        (_, Severity::Medium) => "major",
        (FactKind::Drift, Severity::Low) => "minor",
        (FactKind::Finding, Severity::Low) => {
            if decides {
                "minor"
            } else {
                "info"
            }
        }
    }
}

fn description(fact: &Fact<'_>) -> String {
    let target = escape(&shorten(fact.target, MAX_NAME), Charset::Unicode);
    let class = fact.class.map(|class| format!(" ({})", escape(class, Charset::Unicode))).unwrap_or_default();
    let fix = fact.fix.filter(|fix| fix.chars().count() <= MAX_FIX);
    let fix = fix.map(|fix| format!("; to mend it: {fix}")).unwrap_or_default();
    format!("{target}: {}{class}{fix}", shorten(&fact.message, MAX_DESCRIPTION))
}
