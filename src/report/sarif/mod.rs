//! SARIF 2.1.0, for code scanning services (SPEC.md §22).
//!
//! Written so that the services take it: every result has a place in a file, every rule its texts, and what could not
//! be checked is a result too, because a run without results reads as clean. One run can hold several reports. No
//! absolute paths of this machine, no times: the same facts give the same document.

mod fingerprint;
mod message;
mod place;
mod rules;

use super::Rendering;
use super::error::ErrorReport;
use super::facts::{COMMAND_FAILED_RULE, Fact, FactKind, accepted_facts};
use super::json::{pretty_visible, severity_counts};
use super::lines::{LockLines, Place};
use super::model::{AcceptedFinding, IgnoreLine, Report};
use super::project::Part;
use super::verdict::Verdict;
use crate::finding::Severity;
use crate::json::Object;
use crate::text::{Charset, escape, shorten};
use fingerprint::Fingerprints;
use rules::RuleIndex;

/// Results of one run. Code scanning services show no more than that; the worst come first.
const MAX_RESULTS: usize = 5_000;
/// Code points of a target that a reader is shown.
const MAX_TARGET: usize = 300;
/// Notes of one report.
const MAX_NOTES: usize = 100;

/// A fact on its way into a run.
struct Told<'r> {
    fact: Fact<'r>,
    part: Part<'r>,
    place: Place<'r>,
    /// Where somebody accepts it.
    accepted: Option<&'r AcceptedFinding>,
}

/// Renders a report as a SARIF document of one run, final newline included.
pub fn sarif(report: &Report, rendering: &Rendering<'_>) -> String {
    sarif_of(&[Part::only(report, rendering)], rendering.exit_code)
}

/// Renders several reports as a SARIF document of one run.
pub(super) fn sarif_of(parts: &[Part<'_>], exit_code: u8) -> String {
    let mut results: Vec<Told<'_>> = Vec::new();
    for part in parts {
        let lines = LockLines::of(&part.report.lock_text);
        let accepted = accepted_facts(part.report).map(|(fact, accepted)| (fact, Some(accepted)));
        let told = part.facts().into_iter().map(|fact| (fact, None)).chain(accepted);
        results.extend(told.map(|(fact, accepted)| Told {
            place: part.place_of(&fact, &lines),
            fact,
            part: *part,
            accepted,
        }));
    }
    // Facts are sorted within each report; a stable sort keeps that order within a severity.
    results.sort_by_key(|told| {
        (told.accepted.is_some(), std::cmp::Reverse(told.fact.severity), told.fact.kind == FactKind::Finding)
    });
    let left_out = results.len().saturating_sub(MAX_RESULTS);
    results.truncate(MAX_RESULTS);

    let mut notifications: Vec<Object> = Vec::new();
    if left_out > 0 {
        let text = format!("The document holds the worst {MAX_RESULTS} results; {left_out} more were left out.");
        notifications.push(notification("warning", &text));
    }
    for part in parts {
        notifications.extend(part.report.failure.iter().map(|failure| {
            let text = format!("{}: {} ({})", failure.stage, failure.message, failure.code);
            notification("error", &message::sentence(&part.qualified(&text)))
        }));
        if part.report.verdict == Verdict::Failed && part.server.is_some() {
            let text = part.report.said.as_deref().unwrap_or("it could not be looked at");
            notifications.push(notification("error", &message::sentence(&part.qualified(text))));
        }
        let notes = part.report.notes.iter().take(MAX_NOTES);
        notifications.extend(notes.map(|note| notification("note", &message::sentence(&part.qualified(note)))));
    }

    let index = RuleIndex::of(results.iter().map(|told| (told.fact.rule_id, told.fact.severity)));
    let mut fingerprints = Fingerprints::default();
    // SARIF wants it said of all results of a run or of none.
    let says_accepted = results.iter().any(|told| told.accepted.is_some());
    let results = results.iter().map(|told| {
        let Told { fact, part, place, accepted } = told;
        let target = part.qualified(&shown_target(fact.target));
        let mut result = Object::new();
        result.insert("ruleId", rules::shown_id(fact.rule_id));
        result.insert("ruleIndex", index.of_rule(fact.rule_id));
        result.insert("level", level(fact.severity));
        result.insert("message", message::message(fact, &target, part));
        result.insert("locations", vec![place::location(place, &target)]);
        result.insert("partialFingerprints", fingerprints.of_fact(fact, part.identity_of(fact)));
        if says_accepted {
            let path = part.report.config.as_ref().map(|config| config.path.as_str()).unwrap_or_default();
            let suppressions = accepted.iter().map(|accepted| suppression(accepted, path));
            result.insert("suppressions", suppressions.collect::<Vec<_>>());
        }
        result.insert("properties", properties(fact, part.server));
        result
    });
    let results: Vec<Object> = results.collect();

    let successful = parts.iter().all(|part| part.report.failure.is_none() && part.report.verdict != Verdict::Failed);
    let mut run = Object::new();
    run.insert("tool", tool(&index));
    run.insert("invocations", vec![invocation(successful, exit_code, notifications)]);
    run.insert("originalUriBaseIds", place::bases());
    run.insert("results", results);
    let reports = parts.iter().map(|part| {
        let report = part.report;
        let mut object = Object::new();
        if let Some(server) = part.server {
            object.insert("server", shown_target(server));
        }
        object.insert("command", report.command);
        object.insert("verdict", report.verdict.id());
        object.insert("launch", report.subject.launch.as_str());
        object.insert("severities", severity_counts(report));
        object
    });
    let mut bag = Object::new();
    bag.insert("reports", reports.collect::<Vec<_>>());
    run.insert("properties", bag);
    document(run)
}

/// Renders an error as a SARIF document: a run that did not succeed, and a result that says so.
pub fn sarif_error(error: &ErrorReport<'_>, rendering: &Rendering<'_>) -> String {
    let text = message::sentence(&error.sentence());
    let fact = Fact {
        kind: FactKind::Failure,
        remains: false,
        severity: Severity::High,
        rule_id: COMMAND_FAILED_RULE,
        target: "",
        class: None,
        path: None,
        detail: None,
        message: text.clone(),
        snippet: "",
        place: None,
        fix: None,
    };
    let index = RuleIndex::of(std::iter::once((fact.rule_id, fact.severity)));
    let mut result = Object::new();
    result.insert("ruleId", fact.rule_id);
    result.insert("ruleIndex", index.of_rule(fact.rule_id));
    result.insert("level", level(fact.severity));
    result.insert("message", message::error_message(error));
    result.insert("locations", vec![place::location(&Place { uri: rendering.lock_uri, line: 1, column: None }, "")]);
    // One alert, whatever the reason of the day is.
    result.insert("partialFingerprints", Fingerprints::default().of_fact(&fact, rendering.lock_uri));
    let mut run = Object::new();
    run.insert("tool", tool(&index));
    run.insert("invocations", vec![invocation(false, rendering.exit_code, vec![notification("error", &text)])]);
    run.insert("originalUriBaseIds", place::bases());
    run.insert("results", vec![result]);
    document(run)
}

fn document(run: Object) -> String {
    let mut top = Object::new();
    top.insert("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    top.insert("version", "2.1.0");
    top.insert("runs", vec![run]);
    pretty_visible(top)
}

fn tool(index: &RuleIndex<'_>) -> Object {
    let mut driver = Object::new();
    driver.insert("name", "warden");
    driver.insert("version", env!("CARGO_PKG_VERSION"));
    driver.insert("semanticVersion", env!("CARGO_PKG_VERSION"));
    if let Some(url) = rules::absolute(env!("CARGO_PKG_REPOSITORY")) {
        driver.insert("informationUri", url);
    }
    driver.insert("rules", index.rules());
    let mut tool = Object::new();
    tool.insert("driver", driver);
    tool
}

fn invocation(successful: bool, exit_code: u8, notifications: Vec<Object>) -> Object {
    let mut invocation = Object::new();
    invocation.insert("executionSuccessful", successful);
    invocation.insert("exitCode", i64::from(exit_code));
    if !notifications.is_empty() {
        invocation.insert("toolExecutionNotifications", notifications);
    }
    invocation
}

fn notification(level: &str, text: &str) -> Object {
    let mut notification = Object::new();
    notification.insert("level", level);
    notification.insert("message", message::text_only(text));
    notification
}

/// Who accepts a finding, where, and why.
fn suppression(accepted: &AcceptedFinding, path: &str) -> Object {
    let shown = |raw: &str| escape(&shorten(raw, MAX_TARGET), Charset::Unicode);
    let IgnoreLine { reason, expires, line, .. } = &accepted.by;
    let until = expires.as_ref().map(|day| format!(", until {}", shown(day))).unwrap_or_default();
    let justification = format!("{} ({}:{line}{until})", shown(reason), shown(path));
    let members = [("kind", "external"), ("status", "accepted"), ("justification", justification.as_str())];
    members.into_iter().collect()
}

fn properties(fact: &Fact<'_>, server: Option<&str>) -> Object {
    let mut bag = Object::new();
    let kind = match fact.kind {
        _ if fact.rule_id == COMMAND_FAILED_RULE => "failure",
        FactKind::Drift => "drift",
        FactKind::Finding => "finding",
        FactKind::Failure => "failure",
    };
    bag.insert("kind", kind);
    bag.insert("severity", fact.severity.as_str());
    if let Some(server) = server {
        bag.insert("server", shown_target(server));
    }
    bag.insert("target", shown_target(fact.target));
    for (name, value) in [("class", fact.class), ("path", fact.path), ("detail", fact.detail)] {
        if let Some(value) = value {
            bag.insert(name, escape(&shorten(value, MAX_TARGET), Charset::Unicode));
        }
    }
    bag
}

fn shown_target(target: &str) -> String {
    escape(&shorten(target, MAX_TARGET), Charset::Unicode)
}

/// SPEC.md §22.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    }
}
