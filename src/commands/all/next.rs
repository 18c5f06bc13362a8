//! Commands that go on from the report of a project.

use super::super::args::ConfigArgs;
use super::super::next_steps::{approve_command, path_word};
use crate::report::{NextStep, ProjectReport, ServerPart, Verdict};
use crate::text::quote_argv;
use std::path::Path;

/// Commands of one kind.
const MAX_NAMES: usize = 5;
const SOMEBODY: &str = "you@example.com";

/// `is_part`: whether the run was about chosen servers; `keeps_texts`: whether somebody keeps the texts of a lock beside it.
pub(super) fn steps(
    report: &ProjectReport,
    config: &ConfigArgs,
    is_part: bool,
    keeps_texts: &dyn Fn(&ServerPart) -> bool,
) -> Vec<NextStep> {
    let mut steps = Vec::new();
    let mut step = |purpose, command| steps.push(NextStep { purpose, command });
    let of = |verdicts: &[Verdict]| -> Vec<&ServerPart> {
        report.servers.iter().filter(|part| verdicts.contains(&part.report.verdict)).collect()
    };
    let command = |words: &[&str], parts: &[&ServerPart], more: &[&str]| {
        let mut all: Vec<String> = ["warden"].iter().chain(words).map(|word| (*word).to_owned()).collect();
        all.extend(config.config.iter().flat_map(|path| ["--config".to_owned(), path_word(path)]));
        if config.no_config {
            all.push("--no-config".to_owned());
        }
        // Joined by an equals sign, so that a name that begins with a hyphen is no option. All of a project need no names,
        // unless this run was about some.
        if is_part || parts.len() < report.servers.len() {
            all.extend(parts.iter().map(|part| format!("--only={}", part.name)));
        }
        all.extend(more.iter().map(|word| (*word).to_owned()));
        quote_argv(all)
    };
    match report.command {
        "check" => {
            let drifted = of(&[Verdict::Drift, Verdict::Inconsistent]);
            if !drifted.is_empty() {
                let is_approved = |part: &&ServerPart| part.report.lock.as_ref().is_some_and(|lock| lock.approved);
                let approve: &[&str] = match drifted.iter().any(is_approved) {
                    true => &["--approve", "--approver", SOMEBODY],
                    false => &[],
                };
                let texts: &[&str] =
                    if drifted.iter().any(|part| keeps_texts(part)) { &["--save-surface"] } else { &[] };
                let names: Vec<&str> = drifted.iter().map(|part| part.name.as_str()).collect();
                let is_all_there_is = report.servers.len() == names.len();
                if !is_all_there_is {
                    step("look at what drifted alone", command(&["check", "--all"], &drifted, &[]));
                }
                step("accept all of it", command(&["pin", "--all"], &drifted, &[approve, texts].concat()));
            }
            let unlocked = of(&[Verdict::NotLocked]);
            if !unlocked.is_empty() {
                step("pin what has no lock", command(&["pin", "--all"], &unlocked, &[]));
            }
            for part in of(&[Verdict::NotConfigured]).into_iter().take(MAX_NAMES) {
                let lock = Path::new(&part.report.subject.lock_path);
                step("remove a lock, if its server is gone", quote_argv(["rm".to_owned(), path_word(lock)]));
            }
            for part in of(&[Verdict::NotApproved]).into_iter().take(MAX_NAMES) {
                step("read and approve a lock", approve_command(Path::new(&part.report.subject.lock_path)));
            }
            let is_late =
                |part: &&ServerPart| part.report.failure.as_ref().is_some_and(|failure| failure.code == "E-TIMEOUT");
            let late: Vec<&ServerPart> = of(&[Verdict::NotChecked]).into_iter().filter(is_late).collect();
            if !late.is_empty() {
                step("give it more time", command(&["check", "--all"], &late, &["--timeout", "180"]));
            }
        }
        "pin" if matches!(report.verdict, Verdict::Pinned | Verdict::Unchanged) => {
            let all: Vec<&ServerPart> = report.servers.iter().collect();
            step("read them", command(&["show", "--all", "-v"], &all, &[]));
            if !is_part {
                step("check in CI", command(&["check", "--all"], &all, &[]));
            }
        }
        "pin" => {
            let refused = of(&[Verdict::Refused]);
            if !refused.is_empty() {
                step(
                    "approve the change",
                    command(&["pin", "--all"], &refused, &["--approve", "--approver", SOMEBODY]),
                );
            }
        }
        _ => {}
    }
    steps
}
