//! The same facts as the machine report, an object a line (docs/output-formats.md): for tools that read line by line.
//!
//! The first line says what was run and how it ended, then comes a line for each fact, worst first, and the last line
//! counts. A reader that misses the last line has a cut file.

use super::error::ErrorReport;
use super::facts::{Fact, FactKind, facts};
use super::json::{self, REPORT_VERSION, compact_visible, number};
use super::model::Report;
use crate::json::Object;

/// Renders a report as lines of JSON.
pub fn jsonl(report: &Report, exit_code: u8) -> String {
    report_lines(report, Some(exit_code)).into_iter().map(compact_visible).collect()
}

/// The lines of one report; those of a server among others say no exit code, which is that of the run.
pub(super) fn report_lines(report: &Report, exit_code: Option<u8>) -> Vec<Object> {
    let mut lines = vec![header(report, exit_code)];
    let facts = facts(report);
    let count = |kind| number(facts.iter().filter(|fact| fact.kind == kind).count());
    lines.extend(facts.iter().map(|fact| line(fact, report)));
    let accepted = || report.config.iter().flat_map(|config| &config.accepted);
    lines.extend(accepted().map(|finding| {
        let mut object = kind("accepted");
        for (name, member) in json::accepted(finding).iter() {
            object.insert(name, member.clone());
        }
        object
    }));
    lines.extend(report.notes.iter().map(|text| note(text)));
    let mut summary = kind("summary");
    insert_outcome(&mut summary, report, exit_code);
    let remaining = facts.iter().filter(|fact| fact.remains).count();
    summary.insert("items", number(facts.iter().filter(|fact| fact.kind == FactKind::Drift && !fact.remains).count()));
    summary.insert("remaining", number(remaining));
    summary.insert("findings", count(FactKind::Finding));
    summary.insert("accepted", number(accepted().count()));
    summary.insert("failures", count(FactKind::Failure));
    summary.insert("notes", number(report.notes.len()));
    summary.insert("severities", json::severity_counts(report));
    lines.push(summary);
    lines
}

pub(super) fn note(text: &str) -> Object {
    let mut object = kind("note");
    object.insert("message", text);
    object
}

fn insert_outcome(object: &mut Object, report: &Report, exit_code: Option<u8>) {
    object.insert("verdict", report.verdict.id());
    if let Some(exit_code) = exit_code {
        object.insert("exit_code", i64::from(exit_code));
    }
}

/// Renders an error as one line.
pub fn jsonl_error(error: &ErrorReport<'_>, exit_code: u8) -> String {
    let mut object = kind("error");
    object.insert("report_version", REPORT_VERSION);
    object.insert("verdict", "error");
    object.insert("exit_code", i64::from(exit_code));
    object.insert("error", json::error_members(error));
    compact_visible(object)
}

fn header(report: &Report, exit_code: Option<u8>) -> Object {
    let mut object = kind("report");
    object.insert("report_version", REPORT_VERSION);
    object.insert("warden_version", env!("CARGO_PKG_VERSION"));
    object.insert("command", report.command);
    insert_outcome(&mut object, report, exit_code);
    object.insert("said", report.said.as_deref());
    object.insert("lock_path", Some(report.subject.lock_path.as_str()).filter(|path| !path.is_empty()));
    object.insert("launch", report.subject.launch.as_str());
    object.insert("counts", json::entry_counts(report));
    object.insert("lock", report.lock.as_ref().map(json::lock));
    object.insert("server", json::server(report));
    object
}

fn line(fact: &Fact<'_>, report: &Report) -> Object {
    if fact.kind == FactKind::Failure {
        let mut object = kind("failure");
        object.insert("rule_id", fact.rule_id);
        object.insert("severity", fact.severity.as_str());
        for (name, member) in json::failure(report).iter().flat_map(Object::iter) {
            object.insert(name, member.clone());
        }
        return object;
    }
    let mut object = kind(if fact.kind == FactKind::Drift { "item" } else { "finding" });
    object.insert("rule_id", fact.rule_id);
    object.insert("severity", fact.severity.as_str());
    object.insert("target", fact.target);
    if fact.kind == FactKind::Drift {
        object.insert("class", fact.class);
        object.insert("detail", fact.detail);
        object.insert("path", fact.path);
        object.insert("remains", fact.remains);
    }
    object.insert("message", fact.message.as_str());
    if fact.kind == FactKind::Finding {
        object.insert("snippet", fact.snippet);
        object.insert("place", fact.place.map(json::place));
        object.insert("fix", fact.fix);
    }
    object
}

pub(super) fn kind(kind: &str) -> Object {
    [("kind", kind)].into_iter().collect()
}
