//! GitLab Code Quality: a list of issues, each at a line of the lock.

use super::Rendering;
use super::accepted::accepted_by;
use super::error::ErrorReport;
use super::facts::{COMMAND_FAILED_RULE, Fact, FactKind, RECORD_RULE, facts};
use super::json::visible;
use super::lines::LockLines;
use super::model::{AcceptedFinding, Report};
use crate::drift::RECORD_TARGET;
use crate::finding::Severity;
use crate::json::{Object, Value, compact, pretty};
use crate::text::{Charset, escape, shorten};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;

const MAX_NAME: usize = 200;
const MAX_DESCRIPTION: usize = 1_000;
/// GitLab wants a path for each issue, also where no lock is in play.
const NO_LOCK: &str = "warden.lock";

/// Renders a report; a list without issues where nothing is wrong and nothing had to be accepted.
pub fn gitlab(report: &Report, rendering: &Rendering<'_>) -> String {
    let lines = LockLines::of(&report.lock_text);
    // What a pin accepted is in the lock now, and no issue any more.
    let is_open = |fact: &Fact<'_>| fact.kind != FactKind::Drift || fact.remains || rendering.exit_code != 0;
    let mut seen = HashMap::new();
    let uri = rendering.lock_uri;
    let open = facts(report).into_iter().filter(is_open).map(|fact| {
        let issue = Issue {
            rule: escape(fact.rule_id, Charset::Unicode),
            severity: severity(&fact),
            description: description(&fact),
            line: lines.line(fact.target),
            // Not the line and not our words: both may change while the issue stays the same.
            identity: vec![
                rendering.lock_uri,
                fact.rule_id,
                fact.target,
                fact.path.unwrap_or_default(),
                fact.detail.unwrap_or_default(),
                fact.snippet,
            ],
        };
        issue.object(uri, &mut seen)
    });
    let mut issues: Vec<Object> = open.collect();
    // What decides nothing, and what a reviewer of a change must see appear.
    let accepted = report.config.iter().flat_map(|config| &config.accepted);
    issues.extend(accepted.map(|accepted| accepted_issue(report, accepted, &lines, uri).object(uri, &mut seen)));
    let recorded = report.lock.as_ref().and_then(|lock| lock.recorded.as_ref());
    issues.extend(recorded.map(|words| recorded_issue(words, &lines, uri).object(uri, &mut seen)));
    document(issues)
}

fn accepted_issue<'i>(report: &Report, accepted: &'i AcceptedFinding, lines: &LockLines, uri: &'i str) -> Issue<'i> {
    let finding = &accepted.finding;
    let target = escape(&shorten(&finding.target, MAX_NAME), Charset::Unicode);
    let message = shorten(&finding.message, MAX_DESCRIPTION);
    Issue {
        rule: escape(&finding.rule_id, Charset::Unicode),
        severity: "info",
        description: format!("{target}: {message} ({})", accepted_by(report, accepted)),
        line: lines.line(&finding.target),
        identity: vec![uri, &finding.rule_id, &finding.target, &finding.snippet, "accepted"],
    }
}

fn recorded_issue<'i>(words: &'i str, lines: &LockLines, uri: &'i str) -> Issue<'i> {
    Issue {
        rule: RECORD_RULE.to_owned(),
        severity: "info",
        description: shorten(words, MAX_DESCRIPTION),
        line: lines.line(RECORD_TARGET),
        identity: vec![uri, RECORD_RULE, words],
    }
}

/// Renders an error: one issue, so that nothing reads as clean.
pub fn gitlab_error(error: &ErrorReport<'_>, rendering: &Rendering<'_>) -> String {
    let sentence = error.sentence();
    let issue = Issue {
        rule: COMMAND_FAILED_RULE.to_owned(),
        severity: "blocker",
        description: shorten(&sentence, MAX_DESCRIPTION),
        line: 1,
        identity: vec![rendering.lock_uri, COMMAND_FAILED_RULE, &sentence],
    };
    document(vec![issue.object(rendering.lock_uri, &mut HashMap::new())])
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
    line: usize,
    identity: Vec<&'i str>,
}

impl Issue<'_> {
    /// `seen` counts issues of one identity: fingerprints must differ.
    fn object(self, lock_uri: &str, seen: &mut HashMap<String, usize>) -> Object {
        let identity = compact(&Value::from(self.identity));
        let number = seen.entry(identity.clone()).or_insert(0);
        let fingerprint = Sha256::digest(format!("{identity}{number}"));
        *number += 1;
        let mut lines = Object::new();
        lines.insert("begin", i64::try_from(self.line).unwrap_or(i64::MAX));
        let mut location = Object::new();
        location.insert("path", if lock_uri.is_empty() { NO_LOCK } else { lock_uri });
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

fn severity(fact: &Fact<'_>) -> &'static str {
    match (fact.kind, fact.severity) {
        (FactKind::Failure, _) | (_, Severity::Critical) => "blocker",
        (_, Severity::High) => "critical",
        (_, Severity::Medium) => "major",
        (FactKind::Drift, Severity::Low) => "minor",
        (FactKind::Finding, Severity::Low) => "info",
    }
}

fn description(fact: &Fact<'_>) -> String {
    let target = escape(&shorten(fact.target, MAX_NAME), Charset::Unicode);
    let class = fact.class.map(|class| format!(" ({})", escape(class, Charset::Unicode))).unwrap_or_default();
    format!("{target}: {}{class}", shorten(&fact.message, MAX_DESCRIPTION))
}
