//! Words about several servers that formats share.

use super::{Clash, ProjectReport, ServerPart};
use crate::finding::Severity;
use crate::report::headline::headline;
use crate::report::human::{counts_words, severities};
use crate::report::model::{Counts, FindingLine, Report};
use crate::report::verdict::Verdict;
use crate::report::words::name;

/// Servers that one sentence names.
const MAX_SERVERS: usize = 12;

/// How a server stands, for whoever reads a list of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::report) enum Standing {
    /// Looked at, and nothing to do.
    Good,
    /// Looked at, and something to do.
    Wrong,
    /// It should have been looked at, and could not be.
    Unknown,
    /// Nobody meant to look.
    Left,
}

/// How a server with this verdict stands.
pub(in crate::report) fn standing(verdict: Verdict) -> Standing {
    match verdict {
        Verdict::Clean
        | Verdict::Pinned
        | Verdict::Unchanged
        | Verdict::Shown
        | Verdict::Approved
        | Verdict::Same
        | Verdict::Captured => Standing::Good,
        Verdict::Drift
        | Verdict::Inconsistent
        | Verdict::NotApproved
        | Verdict::Expired
        | Verdict::Refused
        | Verdict::Different
        | Verdict::NotLocked
        | Verdict::NotConfigured
        | Verdict::Findings => Standing::Wrong,
        Verdict::NotChecked | Verdict::NotPinned | Verdict::NotCaptured | Verdict::Failed => Standing::Unknown,
        Verdict::Skipped | Verdict::NotAsked => Standing::Left,
    }
}

/// `not checked`: the verdict within a sentence, in the word that stands for it elsewhere in reports for people.
pub(in crate::report) fn verdict_words(verdict: Verdict) -> String {
    match verdict {
        Verdict::Failed => "error".to_owned(),
        other => other.id().replace('-', " "),
    }
}

/// How many servers have each verdict: what is good first, then the worst, and last what nobody meant to
/// look at.
pub(in crate::report) fn sorted_counts(project: &ProjectReport) -> Vec<(Verdict, usize)> {
    let mut counts = project.counts();
    counts.sort_by_key(|(verdict, _)| (standing(*verdict), std::cmp::Reverse(verdict.weight())));
    counts
}

/// `3 servers checked of 5: 2 clean, 1 drift, 1 not checked, 1 skipped`. A server that should have been asked and could
/// not be was not checked. Where the verdicts themselves say what was done, nothing else does: `6 servers: 2 pinned, 4
/// unchanged`.
pub(in crate::report) fn project_headline(project: &ProjectReport) -> String {
    let all = project.servers.len();
    if all == 0 {
        return "no server was found".to_owned();
    }
    // Without a lock, or without a server, there was nothing to compare.
    let is_done = |verdict: Verdict| {
        matches!(standing(verdict), Standing::Good | Standing::Wrong)
            && !matches!(verdict, Verdict::NotLocked | Verdict::NotConfigured | Verdict::Refused)
    };
    let counts = sorted_counts(project);
    let done: usize = counts.iter().filter(|(verdict, _)| is_done(*verdict)).map(|(_, n)| n).sum();
    let servers = |n: usize| format!("{n} {}", if n == 1 { "server" } else { "servers" });
    let list: Vec<String> = counts.iter().map(|(verdict, n)| counted(*verdict, *n)).collect();
    let list = list.join(", ");
    match project.command {
        "check" => format!("{} checked of {all}: {list}", servers(done)),
        "show" => format!("{} shown of {all}: {list}", servers(done)),
        _ => format!("{}: {list}", servers(all)),
    }
}

fn counted(verdict: Verdict, n: usize) -> String {
    let plural = if verdict == Verdict::Failed && n != 1 { "s" } else { "" };
    format!("{n} {}{plural}", verdict_words(verdict))
}

/// What a list of servers says about one behind its verdict; escaped, on one line.
pub(in crate::report) fn result_words(part: &ServerPart) -> String {
    let report = &part.report;
    match report.verdict {
        Verdict::Clean | Verdict::Captured => with_findings(report, entries_words(&report.counts)),
        Verdict::Pinned | Verdict::Unchanged | Verdict::Approved | Verdict::Shown => {
            let counts = report.lock.as_ref().map_or(&report.counts, |lock| &lock.counts);
            with_findings(report, entries_words(counts))
        }
        Verdict::Drift | Verdict::Inconsistent | Verdict::NotApproved | Verdict::Expired | Verdict::Different => {
            match &report.said {
                // It is only in one of two files.
                Some(said) if report.blocks.is_empty() => said.clone(),
                _ => severities(&report.blocks),
            }
        }
        // Alone: it says itself that nobody meant to look.
        Verdict::Skipped | Verdict::NotAsked => report.said.clone().unwrap_or_else(|| verdict_words(report.verdict)),
        Verdict::NotLocked | Verdict::NotConfigured | Verdict::Failed | Verdict::Findings => {
            report.said.clone().unwrap_or_default()
        }
        Verdict::NotChecked | Verdict::NotPinned | Verdict::NotCaptured => match (&report.failure, &report.said) {
            (Some(failure), _) => format!("{}: {}", failure.stage, failure.message),
            (None, Some(said)) => said.clone(),
            (None, None) => headline(report),
        },
        Verdict::Refused | Verdict::Same => headline(report),
    }
}

/// `14 tools, 2 prompts`: without the sections that are empty.
pub(in crate::report) fn entries_words(counts: &Counts) -> String {
    let words = counts_words(counts);
    let parts: Vec<&str> = words.split(", ").filter(|part| !part.starts_with("0 ")).collect();
    if parts.is_empty() { "no entries".to_owned() } else { parts.join(", ") }
}

/// What a good server has to say that no reader may miss.
fn with_findings(report: &Report, counts: String) -> String {
    let mut words = counts;
    let findings: Vec<&FindingLine> = report.findings.iter().collect();
    let by_severity = crate::report::human::by_severity(&findings);
    let by_severity: Vec<String> = by_severity.into_iter().map(|(severity, n)| format!("{n} {severity}")).collect();
    if !by_severity.is_empty() {
        words.push_str(&format!("; findings: {}", by_severity.join(", ")));
    }
    match report.config.as_ref().map_or(0, |config| config.accepted.len()) {
        0 => {}
        1 => words.push_str("; 1 finding accepted"),
        n => words.push_str(&format!("; {n} findings accepted")),
    }
    match report.notes.len() {
        0 => {}
        1 => words.push_str("; 1 note"),
        n => words.push_str(&format!("; {n} notes")),
    }
    words
}

/// Whether a server that is good has findings that are no news to be counted only: a pin that accepted something
/// critical or high says what.
pub(in crate::report) fn tells_findings(report: &Report) -> bool {
    report.verdict == Verdict::Pinned && report.findings.iter().any(|finding| finding.severity >= Severity::High)
}

/// Whether tools that several servers offer are only counted: a check that has nothing else to say need not repeat them
/// every day.
pub(in crate::report) fn only_counts_clashes(project: &ProjectReport, verbose: bool) -> bool {
    let is_quiet_check = project.command == "check"
        && matches!(standing(project.verdict), Standing::Good | Standing::Left)
        && project.servers.iter().all(|part| matches!(standing(part.report.verdict), Standing::Good | Standing::Left));
    is_quiet_check && !verbose
}

/// `2 names of tools are offered by more than one server`.
pub(in crate::report) fn clash_count(clashes: &[Clash]) -> String {
    let (n, names) = (clashes.len(), if clashes.len() == 1 { "name of a tool is" } else { "names of tools are" });
    format!("{n} {names} offered by more than one server")
}

/// Which servers offer a tool; escaped.
pub(in crate::report) fn clash_sentence(clash: &Clash) -> String {
    let mut servers: Vec<String> = clash.servers.iter().take(MAX_SERVERS).map(|server| name(server)).collect();
    if clash.servers.len() > MAX_SERVERS {
        servers.push(format!("{} more", clash.servers.len() - MAX_SERVERS));
    }
    let last = servers.pop().unwrap_or_default();
    let list = if servers.is_empty() { last } else { format!("{} and {last}", servers.join(", ")) };
    format!("{} is a tool of more than one server: {list}", name(&clash.tool))
}
