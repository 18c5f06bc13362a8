//! `warden doctor`: what is risky about how servers are configured. Starts nothing, opens no connection.

use super::config_file::{ProjectConfig, expired_block, tell_what_counts_again};
use super::look::{Look, LookArgs};
use super::{CommandError, Context, Outcome};
use crate::posture::{Fault, examine, notes, unreadable};
use crate::report::{FilePlace, FindingLine, NextStep, Report, Subject, Verdict};
use crate::text::{Charset, escape};
use std::path::Path;

/// Arguments of `warden doctor`.
pub type DoctorArgs = LookArgs;

/// Runs `warden doctor`.
///
/// # Errors
/// There is nothing to look at, a file that was named is of no kind that is known, or `warden.toml` cannot be read.
pub fn run(args: &DoctorArgs, context: &Context<'_>) -> Result<Outcome, CommandError> {
    let look = Look::load(args, context)?;
    let input = look.input();
    let faults = examine(&input);
    let (own, others): (Vec<&Fault>, Vec<&Fault>) = faults.iter().partition(|fault| fault.in_project);
    let line = |fault: &&Fault| line(fault, &look);
    let mut report = Report::new("doctor", Verdict::Clean, Subject::default());
    report.findings = own.iter().map(line).collect();
    // The project's settings speak for the project's files: whoever wrote them does not decide about a user's own.
    if let Some(config) = ProjectConfig::of_settings(&look.project, look.today.clone()) {
        let all = report.findings.clone();
        config.open(&mut report);
        let mut expired = expired_block(&report);
        if let Some(block) = &mut expired {
            tell_what_counts_again(block, &report, &all);
        }
        report.blocks.extend(expired);
        config.apply(&mut report, &all, args.files.is_empty());
    }
    report.findings.extend(others.iter().map(line));
    // Stable: within one severity in the order of the files.
    report.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    report.verdict = match () {
        () if !report.findings.is_empty() => Verdict::Findings,
        () if !report.blocks.is_empty() => Verdict::Expired,
        () if !look.unread.is_empty() => Verdict::Failed,
        () => Verdict::Clean,
    };
    report.said = Some(said(&look, &report));
    let unread = look.unread.iter().map(|error| format!("a configuration file could not be read: {error}"));
    let shown = |path: &Path| escape(&look.for_people(path).to_string_lossy(), Charset::Unicode);
    let noted = std::mem::take(&mut report.notes);
    report.notes = unread.chain(noted).chain(notes(&input, &shown)).collect();
    report.next = next(&report);
    Ok(report.into())
}

fn line(fault: &Fault, look: &Look) -> FindingLine {
    FindingLine {
        rule_id: fault.rule_id.to_owned(),
        severity: fault.severity,
        target: fault.target.clone(),
        message: fault.message.clone(),
        snippet: fault.snippet.clone(),
        place: Some(FilePlace {
            path: look.for_people(&fault.path).to_string_lossy().into_owned(),
            // Whoever knows the repository says where it is in it.
            uri: fault.path.to_string_lossy().into_owned(),
            line: fault.at.line as usize,
            column: fault.at.column as usize,
        }),
        fix: Some(fault.fix.clone()),
    }
}

fn said(look: &Look, report: &Report) -> String {
    let tables = look.project.config_path.iter().filter(|path| look.named.is_empty() || look.named.contains(path));
    let own = tables.clone().map(|_| look.own_tables()).sum::<usize>();
    let servers = look.files.iter().map(|file| file.servers.len()).sum::<usize>() + own;
    let files = look.files.len() + tables.count();
    let count = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let seen = format!("{} in {}", count(servers, "server"), count(files, "file"));
    let seen = match unreadable(&look.files) {
        0 => seen,
        dark => format!("{seen}; what {dark} of them start cannot be told from the files alone"),
    };
    let unread = look.unread.len();
    match report.findings.len() {
        0 if unread > 0 => format!("{seen}; {} could not be read", count(unread, "more file")),
        0 if report.verdict == Verdict::Clean => format!("{seen}: nothing to mend"),
        0 => seen,
        findings if unread > 0 => {
            format!("{} about {seen}; {} could not be read", count(findings, "finding"), count(unread, "more file"))
        }
        findings => format!("{} about {seen}", count(findings, "finding")),
    }
}

fn next(report: &Report) -> Vec<NextStep> {
    let mut next = Vec::new();
    let pins = |finding: &&FindingLine| {
        finding.rule_id == "WRD-CONF-LOCK-MISSING"
            && finding.fix.as_ref().is_some_and(|fix| fix.starts_with("warden pin --all --only"))
    };
    if report.findings.iter().filter(pins).count() > 1 {
        next.push(NextStep { purpose: "pin every server of the project", command: "warden pin --all".to_owned() });
    }
    if let Some(first) = report.findings.first() {
        let command = format!("warden explain {}", first.rule_id);
        next.push(NextStep { purpose: "read what the first finding means", command });
    }
    next
}
