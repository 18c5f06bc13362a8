//! JUnit XML: a suite for the lock, a test case for each entry.
//!
//! There is no schema that everybody follows; this keeps to what Jenkins, GitLab and Ant's reports have in common. Times
//! are zero: the report is a function of what was found.

use super::accepted::accepted_lines;
use super::blocks::field_words;
use super::error::ErrorReport;
use super::headline::headline;
use super::model::{Block, Failure, FindingLine, Report};
use super::verdict::Verdict;
use super::xml::{attribute, content};
use super::{COMMAND_FAILED_RULE, Rendering};
use crate::drift::LAUNCH_TARGET;
use crate::skeleton::ROOT_PATH;
use crate::text::{Charset, escape, shorten};
use std::collections::{HashMap, HashSet};

const MAX_NAME: usize = 1_000;
const MAX_TEXT: usize = 2_000;
const NOT_CHOSEN: &str = "it differs, and was not chosen: the lock keeps what was pinned, and a check still fails";

/// Renders a report.
pub fn junit(report: &Report, rendering: &Rendering<'_>) -> String {
    let suite = suite_name(rendering.lock_uri);
    let mut cases = cases(report, rendering.exit_code != 0);
    if let Some(failure) = &report.failure {
        cases.push(Case { target: "server/capture".to_owned(), result: capture_error(failure) });
    }
    let missing = report.server.iter().flat_map(|server| &server.missing);
    cases.extend(missing.map(|section| Case {
        target: format!("{section}/(all)"),
        result: Outcome::Skipped("the server does not offer this section, which was accepted".to_owned()),
    }));
    document(&suite, rendering.lock_uri, &cases, &said(report))
}

/// Renders an error.
pub fn junit_error(error: &ErrorReport<'_>, rendering: &Rendering<'_>) -> String {
    let mut lines: Vec<String> = error.causes.to_vec();
    lines.extend(error.hints.iter().map(|hint| format!("hint: {hint}")));
    let result = Outcome::Error { kind: COMMAND_FAILED_RULE.to_owned(), message: error.headline.to_owned(), lines };
    let case = Case { target: "warden/command".to_owned(), result };
    document(&suite_name(rendering.lock_uri), rendering.lock_uri, &[case], &[])
}

fn suite_name(lock_uri: &str) -> String {
    if lock_uri.is_empty() { "warden".to_owned() } else { shown(lock_uri) }
}

/// A name from outside, on one line.
fn shown(raw: &str) -> String {
    escape(&shorten(raw, MAX_NAME), Charset::Unicode)
}

struct Case {
    /// Raw.
    target: String,
    result: Outcome,
}

/// Texts are escaped already.
enum Outcome {
    Passed,
    Skipped(String),
    Failed { kind: String, message: String, lines: Vec<String> },
    Error { kind: String, message: String, lines: Vec<String> },
}

/// A case for each entry, and for each other place that has something to say.
fn cases(report: &Report, fails: bool) -> Vec<Case> {
    let blocks: HashMap<&str, &Block> = report.blocks.iter().map(|block| (block.target.as_str(), block)).collect();
    let own = Some(LAUNCH_TARGET).filter(|_| report.command == "check");
    let targets = own.into_iter().chain(report.entries.iter().map(String::as_str));
    let remaining: HashSet<&str> = report.remaining.iter().flatten().map(|block| block.target.as_str()).collect();
    let mut seen = HashSet::new();
    targets
        .chain(report.blocks.iter().chain(report.remaining.iter().flatten()).map(|block| block.target.as_str()))
        .filter(|target| seen.insert(*target))
        .map(|target| {
            let result = match blocks.get(target) {
                Some(block) if fails => failed(block),
                _ if remaining.contains(target) => Outcome::Skipped(NOT_CHOSEN.to_owned()),
                _ => passed(report, target),
            };
            Case { target: target.to_owned(), result }
        })
        .collect()
}

/// An entry that nothing is said of: that is good only where somebody looked.
fn passed(report: &Report, target: &str) -> Outcome {
    if report.verdict == Verdict::Shown {
        return Outcome::Skipped("shown; nothing was compared".to_owned());
    }
    // The launch is compared before a server is asked.
    if report.server.is_none() && target != LAUNCH_TARGET {
        return Outcome::Skipped("nothing is known about it: the server was not asked, or could not be".to_owned());
    }
    Outcome::Passed
}

fn failed(block: &Block) -> Outcome {
    let mut lines: Vec<String> = block
        .items
        .iter()
        .map(|item| {
            let mut line = format!("{}: {} ({}", item.severity, item.words, shown(&item.class));
            line.extend(item.path.iter().filter(|path| *path != ROOT_PATH).map(|path| format!(" at {}", shown(path))));
            line.extend(item.detail.iter().map(|detail| format!(", {}", shown(detail))));
            line + ")"
        })
        .collect();
    let silent = block.fields.iter().filter(|field| !field.has_item);
    lines.extend(silent.map(|field| format!("changed too: {}", shown(&field_words(&field.member)))));
    lines.extend(block.findings.iter().map(|finding| format!("new finding: {}", finding_words(finding))));
    let worst = block.items.first();
    Outcome::Failed {
        kind: worst.map_or_else(|| "drift".to_owned(), |item| shown(&item.class)),
        message: worst.map_or_else(|| "it changed".to_owned(), |item| format!("{}: {}", item.severity, item.words)),
        lines,
    }
}

fn finding_words(finding: &FindingLine) -> String {
    format!("{}: {} ({})", finding.severity, shorten(&finding.message, MAX_TEXT), shown(&finding.rule_id))
}

fn capture_error(failure: &Failure) -> Outcome {
    let mut lines = failure.warnings.clone();
    lines.extend(failure.stderr.iter().map(|line| format!("stderr: {line}")));
    lines.extend(failure.hint.iter().map(|hint| format!("hint: {hint}")));
    let message = format!("{}: {}", failure.stage, failure.message);
    Outcome::Error { kind: failure.code.clone(), message, lines }
}

/// What belongs to no entry.
fn said(report: &Report) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", report.verdict.word(), headline(report))];
    lines.extend(
        report
            .findings
            .iter()
            .map(|finding| format!("finding on {}: {}", shown(&finding.target), finding_words(finding))),
    );
    lines.extend(accepted_lines(report).into_iter().map(|line| format!("accepted finding: {line}")));
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(report.next.iter().map(|step| format!("next: {}: {}", step.purpose, step.command)));
    lines
}

fn document(suite: &str, lock_uri: &str, cases: &[Case], said: &[String]) -> String {
    let count = |is: fn(&Outcome) -> bool| cases.iter().filter(|case| is(&case.result)).count().to_string();
    let counts = [
        ("tests", cases.len().to_string()),
        ("failures", count(|result| matches!(result, Outcome::Failed { .. }))),
        ("errors", count(|result| matches!(result, Outcome::Error { .. }))),
    ];
    let counts: String = counts.iter().map(|(name, n)| attribute(name, n)).collect();
    let skipped = attribute("skipped", &count(|result| matches!(result, Outcome::Skipped(_))));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&format!("<testsuites name=\"warden\"{counts} time=\"0\">\n"));
    out.push_str(&format!("  <testsuite{}{counts}{skipped} time=\"0\">\n", attribute("name", suite)));
    for case in cases {
        case_lines(&mut out, case, suite, lock_uri);
    }
    if !said.is_empty() {
        out.push_str(&format!("    <system-out>{}</system-out>\n", content(&said.join("\n"))));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn case_lines(out: &mut String, case: &Case, suite: &str, lock_uri: &str) {
    // The lock's name is in the class: readers tell cases of two suites apart by class and name alone.
    let section = case.target.split_once('/').map_or("warden", |(section, _)| section);
    let class = attribute("classname", &format!("{suite}.{}", shown(section)));
    let file = if lock_uri.is_empty() { String::new() } else { attribute("file", &shown(lock_uri)) };
    out.push_str(&format!("    <testcase{}{class}{file} time=\"0\"", attribute("name", &shown(&case.target))));
    match &case.result {
        Outcome::Passed => out.push_str("/>\n"),
        Outcome::Skipped(why) => {
            out.push_str(&format!(">\n      <skipped{}/>\n    </testcase>\n", attribute("message", why)));
        }
        Outcome::Failed { kind, message, lines } => problem(out, "failure", kind, message, lines),
        Outcome::Error { kind, message, lines } => problem(out, "error", kind, message, lines),
    }
}

fn problem(out: &mut String, element: &str, kind: &str, message: &str, lines: &[String]) {
    let attributes = attribute("message", &shorten(message, MAX_TEXT)) + &attribute("type", kind);
    let text = content(&lines.join("\n"));
    out.push_str(&format!(">\n      <{element}{attributes}>{text}</{element}>\n    </testcase>\n"));
}
