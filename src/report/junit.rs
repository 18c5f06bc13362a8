//! JUnit XML: a suite for each lock, a test case for each entry.
//!
//! There is no schema that everybody follows; this keeps to what Jenkins, GitLab and Ant's reports have in common. Times
//! are zero: the report is a function of what was found.

use super::accepted::accepted_lines;
use super::blocks::{SERVER_TARGET, field_words};
use super::error::ErrorReport;
use super::facts::{FactKind, facts};
use super::headline::headline;
use super::model::{Block, Failure, FindingLine, Report};
use super::project::Part;
use super::verdict::Verdict;
use super::xml::{attribute, content};
use super::{COMMAND_FAILED_RULE, NOT_CAPTURED_RULE, Rendering};
use crate::drift::LAUNCH_TARGET;
use crate::skeleton::ROOT_PATH;
use crate::text::{Charset, escape, shorten};
use std::collections::{HashMap, HashSet};

const MAX_NAME: usize = 1_000;
const MAX_TEXT: usize = 2_000;
/// Rules of items that say nothing about a server but that nobody could look at it.
const COULD_NOT_LOOK: [&str; 2] = [COMMAND_FAILED_RULE, NOT_CAPTURED_RULE];
const NOT_CHOSEN: &str = "it differs, and was not chosen: the lock keeps what was pinned, and a check still fails";

/// Renders a report.
pub fn junit(report: &Report, rendering: &Rendering<'_>) -> String {
    document(&[suite(&Part::only(report, rendering), suite_name(rendering.lock_uri))])
}

/// Renders several reports, a suite for each. Readers tell suites apart by their names, so these differ.
pub(super) fn junit_of(parts: &[Part<'_>]) -> String {
    let mut names: HashMap<String, usize> = HashMap::new();
    let suites = parts.iter().map(|part| {
        let name = part.server.map_or_else(|| "warden".to_owned(), shown);
        let count = names.entry(name.clone()).or_insert(0);
        *count += 1;
        // Names may be cut to the same text, and a server may be called as the project's own suite is.
        let name = if *count == 1 { name } else { format!("{name} ({count})") };
        suite(part, name)
    });
    document(&suites.collect::<Vec<_>>())
}

struct Suite {
    /// Escaped.
    name: String,
    /// Raw.
    lock_uri: String,
    cases: Vec<Case>,
    said: Vec<String>,
}

fn suite(part: &Part<'_>, name: String) -> Suite {
    let report = part.report;
    let mut cases = cases(part);
    if report.command == "doctor" {
        cases.extend(finding_cases(report));
    }
    if let Some(failure) = &report.failure {
        cases.push(Case::new("server/capture", capture_error(failure)));
    }
    let missing = report.server.iter().flat_map(|server| &server.missing);
    cases.extend(missing.map(|section| {
        let why = "the server does not offer this section, which was accepted";
        Case::new(format!("{section}/(all)"), Outcome::Skipped(why.to_owned()))
    }));
    if matches!(report.verdict, Verdict::Skipped | Verdict::NotAsked) {
        cases = vec![Case::new(SERVER_TARGET, Outcome::Skipped(report.said.clone().unwrap_or_default()))];
    }
    // A suite in which nothing failed reads as passed.
    let is_bad = |case: &Case| matches!(case.result, Outcome::Failed { .. } | Outcome::Error { .. });
    if part.fails && !cases.iter().any(is_bad) {
        let told = part.facts().into_iter().find(|fact| fact.target == SERVER_TARGET);
        cases.extend(told.map(|fact| {
            let result = Outcome::Error { kind: fact.rule_id.to_owned(), message: fact.message, lines: Vec::new() };
            Case::new(SERVER_TARGET, result)
        }));
    }
    Suite { name, lock_uri: part.lock_uri.to_owned(), cases, said: said(report) }
}

/// A case for each finding, where findings are what a report is about; one that passed where there is none.
fn finding_cases(report: &Report) -> Vec<Case> {
    if report.findings.is_empty() {
        return vec![Case::new("project/settings", Outcome::Passed)];
    }
    let mut names: HashMap<String, usize> = HashMap::new();
    let cases = facts(report).into_iter().filter(|fact| fact.kind == FactKind::Finding).map(|fact| {
        let name = format!("{} {}", fact.target, fact.rule_id);
        let count = names.entry(name.clone()).or_insert(0);
        *count += 1;
        let mut lines = Vec::new();
        lines.extend(fact.place.map(|place| format!("at {}:{}:{}", shown(&place.path), place.line, place.column)));
        if !fact.snippet.is_empty() {
            lines.push(format!("found: {}", shorten(fact.snippet, MAX_TEXT)));
        }
        lines.extend(fact.fix.map(|fix| format!("to mend it: {fix}")));
        let result = Outcome::Failed {
            kind: shown(fact.rule_id),
            message: format!("{}: {}", fact.severity, fact.message),
            lines,
        };
        Case {
            target: if *count == 1 { name } else { format!("{name} ({count})") },
            file: fact.place.map(|place| place.uri.clone()),
            result,
        }
    });
    cases.collect()
}

/// Renders an error.
pub fn junit_error(error: &ErrorReport<'_>, rendering: &Rendering<'_>) -> String {
    let mut lines: Vec<String> = error.causes.to_vec();
    lines.extend(error.hints.iter().map(|hint| format!("hint: {hint}")));
    let result = Outcome::Error { kind: COMMAND_FAILED_RULE.to_owned(), message: error.headline.to_owned(), lines };
    document(&[Suite {
        name: suite_name(rendering.lock_uri),
        lock_uri: rendering.lock_uri.to_owned(),
        cases: vec![Case::new("warden/command", result)],
        said: Vec::new(),
    }])
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
    /// The file that it is about, where that is not the lock; raw.
    file: Option<String>,
    result: Outcome,
}

impl Case {
    fn new(target: impl Into<String>, result: Outcome) -> Self {
        Self { target: target.into(), file: None, result }
    }
}

/// Texts are escaped already.
enum Outcome {
    Passed,
    Skipped(String),
    Failed { kind: String, message: String, lines: Vec<String> },
    Error { kind: String, message: String, lines: Vec<String> },
}

/// A case for each entry, and for each other place that has something to say.
fn cases(part: &Part<'_>) -> Vec<Case> {
    let Part { report, fails, .. } = *part;
    let blocks: HashMap<&str, &Block> = report.blocks.iter().map(|block| (block.target.as_str(), block)).collect();
    // Of these there was nothing to compare it with.
    let is_compared = !part.is_project
        && !matches!(
            report.verdict,
            Verdict::NotLocked | Verdict::NotConfigured | Verdict::Failed | Verdict::Skipped | Verdict::NotAsked
        );
    let own = Some(LAUNCH_TARGET).filter(|_| report.command == "check" && is_compared);
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
            Case::new(target, result)
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
    if let Some(item) = worst.filter(|item| COULD_NOT_LOOK.contains(&item.rule_id.as_str())) {
        return Outcome::Error { kind: item.rule_id.clone(), message: item.words.clone(), lines };
    }
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
            .filter(|_| report.command != "doctor")
            .map(|finding| format!("finding on {}: {}", shown(&finding.target), finding_words(finding))),
    );
    lines.extend(accepted_lines(report).into_iter().map(|line| format!("accepted finding: {line}")));
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(report.next.iter().map(|step| format!("next: {}: {}", step.purpose, step.command)));
    lines
}

fn document(suites: &[Suite]) -> String {
    let (counts, _) = counted(suites.iter().flat_map(|suite| &suite.cases));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&format!("<testsuites name=\"warden\"{counts} time=\"0\">\n"));
    for suite in suites {
        let (counts, skipped) = counted(suite.cases.iter());
        out.push_str(&format!("  <testsuite{}{counts}{skipped} time=\"0\">\n", attribute("name", &suite.name)));
        for case in &suite.cases {
            case_lines(&mut out, case, suite);
        }
        if !suite.said.is_empty() {
            out.push_str(&format!("    <system-out>{}</system-out>\n", content(&suite.said.join("\n"))));
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// The attributes that count cases, and the one that only a suite has.
fn counted<'c>(cases: impl Iterator<Item = &'c Case> + Clone) -> (String, String) {
    let count = |is: fn(&Outcome) -> bool| cases.clone().filter(|case| is(&case.result)).count().to_string();
    let counts = [
        ("tests", count(|_| true)),
        ("failures", count(|result| matches!(result, Outcome::Failed { .. }))),
        ("errors", count(|result| matches!(result, Outcome::Error { .. }))),
    ];
    let skipped = count(|result| matches!(result, Outcome::Skipped(_)));
    (counts.iter().map(|(name, n)| attribute(name, n)).collect(), attribute("skipped", &skipped))
}

fn case_lines(out: &mut String, case: &Case, suite: &Suite) {
    // The lock's name is in the class: readers tell cases of two suites apart by class and name alone.
    let section = case.target.split_once('/').map_or("warden", |(section, _)| section);
    let class = attribute("classname", &format!("{}.{}", suite.name, shown(section)));
    let file = case.file.as_deref().unwrap_or(&suite.lock_uri);
    let file = if file.is_empty() { String::new() } else { attribute("file", &shown(file)) };
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
