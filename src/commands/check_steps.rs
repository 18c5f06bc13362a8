//! What to do after a check: commands that go on from its verdict.

use super::check::CheckArgs;
use super::chosen::{self, ChosenArgs};
use super::next_steps::{
    Approving, RepeatedOptions, accept_command, approve_command, more_time, path_word, repeated_words, show_command,
};
use crate::checks;
use crate::drift::{APPROVAL_TARGET, LAUNCH_TARGET};
use crate::lock::Lock;
use crate::project::name_of;
use crate::report::{Block, NextStep, Report, Verdict};
use crate::surface::Section;
use crate::text::quote_argv;
use std::path::Path;

/// Characters of a target that a command line names.
const MAX_TARGET: usize = 120;

/// What a report says before it is cut down to one entry.
pub(super) struct Drifted {
    /// How many entries differ.
    entries: usize,
    is_pinned_launch: bool,
}

impl Drifted {
    pub fn of(report: &Report) -> Self {
        Self {
            entries: report.blocks.iter().filter(|block| section_of(&block.target).is_some()).count(),
            is_pinned_launch: report.blocks.iter().all(|block| block.target != LAUNCH_TARGET),
        }
    }
}

/// Steps after a check that asked the server.
pub(super) fn advise(report: &mut Report, args: &CheckArgs, lock: &Lock, drifted: &Drifted, keeps_texts: bool) {
    let path = &args.lock.lock;
    let mut step = |purpose, command| report.next.push(NextStep { purpose, command });
    match report.verdict {
        Verdict::Clean => return,
        Verdict::Expired => {
            return step("what to do", "warden explain WRD-IGNORE-EXPIRED".to_owned());
        }
        // The server declares what was pinned, so there is nothing to capture.
        Verdict::NotApproved if report.blocks.iter().all(|block| block.target == APPROVAL_TARGET) => {
            step("see the pinned entries", show_command(path));
            return step("approve it", approve_command(path));
        }
        _ => {}
    }
    let words = other_command(args, lock);
    let approver = approving(lock);
    let options = RepeatedOptions { save_surface: keeps_texts.then_some(None), ..options(args) };
    let mut steps = Vec::new();
    let mut step = |purpose, command| steps.push(NextStep { purpose, command });
    // Findings fail nothing, so only what has items is worth a command.
    let worst = report.shown_blocks().iter().find(|block| is_nameable(block)).map(|block| block.target.as_str());
    if let Some(target) = worst.filter(|_| report.entry.is_none() && report.verdict == Verdict::Drift) {
        let again = Again { target: Some(target), allow_launch_change: args.allow_launch_change };
        step("see one entry in full", check_command(args, &again, words.clone()));
    }
    step("see the pinned entries", show_command(path));
    // Pinned without its project, it would lose what surrounds it there.
    let of_project = (!lock.pin.warden.started_with.is_empty()).then(|| pin_with_project(path));
    let takes_parts = drifted.is_pinned_launch
        && of_project.is_none()
        && chosen::check_baseline(path, Some(lock), None, args.entries.normalize_prompt_arguments).is_ok();
    let alone = worst
        .filter(|_| takes_parts)
        .and_then(choose)
        .map(|one| accept_command(&RepeatedOptions { chosen: Some(&one), ..options }, approver, words.clone()));
    let accept = of_project.unwrap_or_else(|| accept_command(&options, approver, words));
    match (report.verdict, alone) {
        (Verdict::Inconsistent, _) => {
            step("what that means", "warden explain WRD-LOCK-INCONSISTENT".to_owned());
            step("pin anew", accept);
        }
        (_, Some(alone)) if report.entry.is_some() => {
            step("accept this entry", alone);
            step("accept all of it", accept);
        }
        (_, Some(alone)) if drifted.entries > 1 => {
            step("accept all of it", accept);
            step("accept one entry", alone);
        }
        _ => step("accept all of it", accept),
    }
    if report.verdict == Verdict::Inconsistent {
        report.notes.push(
            "the server declares what was pinned; the lock was edited by hand, or written by a tool that errs. Restore it \
             from version control, or pin anew"
                .to_owned(),
        );
    }
    report.next.extend(steps);
}

/// The pin of a server together with its project. Its name there is that of the lock's folder, unless a table says
/// something else.
fn pin_with_project(lock: &Path) -> String {
    let folder = lock.parent().and_then(Path::file_name).map(Path::new);
    let name = folder.and_then(name_of).map(|name| format!("--only={name}"));
    quote_argv(["warden", "pin", "--all"].map(str::to_owned).into_iter().chain(name))
}

/// Steps where nothing was started, because the launch is not the pinned one.
pub(super) fn advise_other_launch(report: &mut Report, args: &CheckArgs, lock: &Lock) {
    let mut step = |purpose, command| report.next.push(NextStep { purpose, command });
    if report.verdict == Verdict::Inconsistent {
        return step("what that means", "warden explain WRD-LOCK-INCONSISTENT".to_owned());
    }
    let words = other_command(args, lock);
    let again = Again { target: None, allow_launch_change: true };
    step("compare the rest", check_command(args, &again, words.clone()));
    step("accept it", accept_command(&options(args), approving(lock), words));
}

/// Steps after a failed capture.
pub(super) fn advise_failed(report: &mut Report, args: &CheckArgs, lock: &Lock) {
    let Some(server) = more_time(report, &args.server) else { return };
    let args = CheckArgs { server, ..args.clone() };
    let again = Again { target: args.entry.as_deref(), allow_launch_change: args.allow_launch_change };
    let command = check_command(&args, &again, other_command(&args, lock));
    report.next.push(NextStep { purpose: "give it more time", command });
}

/// The command where the user gave another than the lock has. The pinned one needs no repeating, and what the lock
/// records about it is used with it.
fn other_command<'a>(args: &'a CheckArgs, lock: &Lock) -> Option<Vec<&'a str>> {
    let words: Vec<&str> = args.command.iter().filter_map(|word| word.to_str()).collect();
    Some(words).filter(|words| !words.is_empty() && *words != lock.surface.launch.words())
}

fn approving(lock: &Lock) -> Approving {
    if lock.pin.approval.approved { Approving::Anew } else { Approving::Not }
}

fn options(args: &CheckArgs) -> RepeatedOptions<'_> {
    RepeatedOptions {
        lock: &args.lock.lock,
        source: &args.source,
        server: &args.server,
        entries: &args.entries,
        config: &args.config,
        chosen: None,
        save_surface: None,
    }
}

fn section_of(target: &str) -> Option<Section> {
    let (section, _) = target.split_once('/')?;
    Section::ALL.into_iter().find(|known| known.key() == section)
}

/// Whether a block is about an entry whose name a command line should hold.
fn is_nameable(block: &Block) -> bool {
    section_of(&block.target).is_some() && block.target.chars().count() <= MAX_TARGET
}

/// The entry of a target, as `warden pin` takes it.
fn choose(target: &str) -> Option<ChosenArgs> {
    let name = vec![target.split_once('/')?.1.to_owned()];
    Some(match section_of(target)? {
        Section::Tools => ChosenArgs { tool: name, ..ChosenArgs::default() },
        Section::Resources => ChosenArgs { resource: name, ..ChosenArgs::default() },
        Section::Prompts => ChosenArgs { prompt: name, ..ChosenArgs::default() },
    })
}

/// What is different when a check runs once more.
struct Again<'a> {
    target: Option<&'a str>,
    allow_launch_change: bool,
}

/// This very check once more.
fn check_command(args: &CheckArgs, again: &Again<'_>, command: Option<Vec<&str>>) -> String {
    let mut words: Vec<String> = vec!["warden".into(), "check".into()];
    words.extend(repeated_words(&options(args), false));
    if let Some(surface) = &args.source.surface {
        words.extend(["--surface".into(), path_word(surface)]);
    }
    if let Some(url) = &args.server.http.url {
        words.extend(["--url".into(), url.clone()]);
    }
    if args.require_approval {
        words.push("--require-approval".into());
    }
    if again.allow_launch_change {
        words.push("--allow-launch-change".into());
    }
    // Joined by an equals sign, so that a name that begins with a hyphen is no option.
    words.extend(again.target.map(|target| format!("--entry={target}")));
    let mut text = quote_argv(words);
    if let Some(command) = command {
        text.push_str(" -- ");
        text.push_str(&quote_argv(checks::redact_argv(&command)));
    }
    text
}
