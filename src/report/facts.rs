//! The facts of a report as a flat list, for formats that know no blocks: an item of drift, a finding, or that a server
//! could not be asked.

use super::blocks::{SERVER_TARGET, class_of};
use super::model::{AcceptedFinding, Block, FilePlace, FindingLine, Report};
use super::verdict::Verdict;
use crate::finding::Severity;

/// The rule of what a lock records about its capture.
pub const RECORD_RULE: &str = "WRD-LOCK-RECORD";
/// The rule of the fact that a server could not be captured.
pub const NOT_CAPTURED_RULE: &str = "WRD-SERVER-NOT-CAPTURED";

/// The rule of the fact that a command ended without a report, in formats where everything needs a rule
/// ([`render_error`](super::render_error)).
pub const COMMAND_FAILED_RULE: &str = "WRD-COMMAND-FAILED";

/// The rule of a server that the project configures and no lock covers.
pub const NOT_LOCKED_RULE: &str = "WRD-SERVER-NOT-LOCKED";
/// The rule of a lock whose server the project does not configure.
pub const NOT_CONFIGURED_RULE: &str = "WRD-SERVER-NOT-CONFIGURED";
/// The rule of a tool name that more than one server of a project offers.
pub const TOOL_CLASH_RULE: &str = "WRD-SERVER-TOOL-CLASH";

/// What kind of fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// Something differs from the lock, or the lock does not hold: it decides the verdict.
    Drift,
    /// A finding: it is told and decides nothing, save in a report that consists of them ([`Verdict::Findings`]).
    Finding,
    /// Nothing is known about the server.
    Failure,
}

/// One fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<'r> {
    pub kind: FactKind,
    /// Whether a pin of chosen entries left it as it was, so that a check still fails.
    pub remains: bool,
    pub severity: Severity,
    /// Of the catalogue; raw where it comes from a lock.
    pub rule_id: &'r str,
    /// Raw.
    pub target: &'r str,
    /// A drift class; nothing for a finding.
    pub class: Option<&'r str>,
    /// Path within a schema; raw.
    pub path: Option<&'r str>,
    /// SPEC.md §17; raw.
    pub detail: Option<&'r str>,
    /// In plain words, on one line, escaped already.
    pub message: String,
    /// Escaped and redacted already; empty where there is none.
    pub snippet: &'r str,
    /// Where it stands, if that is not in the lock.
    pub place: Option<&'r FilePlace>,
    /// What mends it; shell-quoted or escaped already.
    pub fix: Option<&'r str>,
}

impl<'r> Fact<'r> {
    /// What makes it another fact than the next one.
    pub fn key(&self) -> (&'r str, &'r str, &'r str, Option<&'r FilePlace>) {
        (self.rule_id, self.target, self.snippet, self.place)
    }
}

/// Every fact once, worst first; within a severity what decides the verdict comes first, and then the order is the
/// report's.
pub fn facts(report: &Report) -> Vec<Fact<'_>> {
    let mut facts: Vec<Fact<'_>> = report.blocks.iter().flat_map(block_facts).collect();
    let remaining = report.remaining.iter().flatten().flat_map(block_facts);
    facts.extend(remaining.map(|fact| match fact.kind {
        FactKind::Drift => Fact { remains: true, message: format!("not chosen: {}", fact.message), ..fact },
        _ => fact,
    }));
    let mut seen: std::collections::BTreeSet<_> =
        facts.iter().filter(|fact| fact.kind == FactKind::Finding).map(Fact::key).collect();
    for fact in report.findings.iter().map(finding_fact) {
        if seen.insert(fact.key()) {
            facts.push(fact);
        }
    }
    facts.extend(failure_fact(report));
    if facts.is_empty() {
        facts.extend(verdict_fact(report));
    }
    facts.sort_by_key(|fact| (std::cmp::Reverse(fact.severity), fact.kind == FactKind::Finding));
    facts
}

/// The findings that would be facts if `warden.toml` did not accept them.
pub fn accepted_facts(report: &Report) -> impl Iterator<Item = (Fact<'_>, &AcceptedFinding)> {
    let accepted = report.config.iter().flat_map(|config| &config.accepted);
    // A check only tells what is new.
    let told = accepted.filter(|accepted| accepted.is_new || report.command != "check");
    told.map(|accepted| (finding_fact(&accepted.finding), accepted))
}

fn block_facts(block: &Block) -> Vec<Fact<'_>> {
    let items = block.items.iter().map(|item| Fact {
        kind: FactKind::Drift,
        remains: false,
        severity: item.severity,
        rule_id: &item.rule_id,
        target: &block.target,
        class: Some(&item.class),
        path: item.path.as_deref(),
        detail: item.detail.as_deref(),
        message: item.words.clone(),
        snippet: "",
        place: None,
        fix: None,
    });
    items.chain(block.findings.iter().map(finding_fact)).collect()
}

fn finding_fact(finding: &FindingLine) -> Fact<'_> {
    Fact {
        kind: FactKind::Finding,
        remains: false,
        severity: finding.severity,
        rule_id: &finding.rule_id,
        target: &finding.target,
        class: None,
        path: None,
        detail: None,
        message: finding.message.clone(),
        snippet: &finding.snippet,
        place: finding.place.as_ref(),
        fix: finding.fix.as_deref(),
    }
}

fn failure_fact(report: &Report) -> Option<Fact<'_>> {
    let failure = report.failure.as_ref()?;
    Some(Fact {
        kind: FactKind::Failure,
        remains: false,
        severity: Severity::High,
        rule_id: NOT_CAPTURED_RULE,
        target: crate::drift::LAUNCH_TARGET,
        class: None,
        path: None,
        detail: Some(&failure.code),
        message: format!("{}: {} ({})", failure.stage, failure.message, failure.code),
        snippet: "",
        place: None,
        fix: None,
    })
}

/// Of a verdict that is bad by itself: a failing run that tells no fact would read as clean.
fn verdict_fact(report: &Report) -> Option<Fact<'_>> {
    let (severity, rule_id) = match report.verdict {
        Verdict::NotChecked | Verdict::NotPinned | Verdict::NotCaptured => (Severity::High, NOT_CAPTURED_RULE),
        Verdict::NotLocked => (Severity::High, NOT_LOCKED_RULE),
        Verdict::NotConfigured => (Severity::Medium, NOT_CONFIGURED_RULE),
        Verdict::Failed => (Severity::High, COMMAND_FAILED_RULE),
        _ => return None,
    };
    Some(Fact {
        kind: FactKind::Drift,
        remains: false,
        severity,
        rule_id,
        target: SERVER_TARGET,
        class: Some(class_of(rule_id)),
        path: None,
        detail: None,
        message: report.said.clone().unwrap_or_else(|| super::headline::headline(report)),
        snippet: "",
        place: None,
        fix: None,
    })
}
