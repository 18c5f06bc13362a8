//! Commands that go on from the report of a project.

use super::super::args::ConfigArgs;
use super::super::next_steps::path_word;
use crate::report::{NextStep, ProjectReport, ServerPart, Verdict};
use crate::text::quote_argv;
use std::path::Path;

/// Names that one command lists.
const MAX_NAMES: usize = 5;
const SOMEBODY: &str = "you@example.com";

pub(super) fn steps(report: &ProjectReport, config: &ConfigArgs) -> Vec<NextStep> {
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
        // More than a few are no choice any more.
        if parts.len() <= MAX_NAMES && parts.len() < report.servers.len() {
            // Joined by an equals sign, so that a name that begins with a hyphen is no option.
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
                step("look at what drifted", command(&["check", "--all", "-v"], &drifted, &[]));
                step("accept all of it", command(&["pin", "--all"], &drifted, approve));
            }
            let unlocked = of(&[Verdict::NotLocked]);
            if !unlocked.is_empty() {
                step("pin what has no lock", command(&["pin", "--all"], &unlocked, &[]));
            }
            for part in of(&[Verdict::NotConfigured]).into_iter().take(MAX_NAMES) {
                let lock = Path::new(&part.report.subject.lock_path);
                step("remove a lock, if its server is gone", quote_argv(["rm".to_owned(), path_word(lock)]));
            }
            let is_late =
                |part: &&ServerPart| part.report.failure.as_ref().is_some_and(|failure| failure.code == "E-TIMEOUT");
            let late: Vec<&ServerPart> = of(&[Verdict::NotChecked]).into_iter().filter(is_late).collect();
            if !late.is_empty() {
                step("give it more time", command(&["check", "--all"], &late, &["--timeout", "180"]));
            }
        }
        "pin" if matches!(report.verdict, Verdict::Pinned | Verdict::Unchanged) => {
            step("read them", command(&["show", "--all"], &[], &[]));
            step("check in CI", command(&["check", "--all"], &[], &[]));
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
