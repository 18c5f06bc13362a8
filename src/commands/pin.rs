//! `warden pin`: capture a server and write its lock.

use super::all::{AllArgs, ConsentArgs};
use super::args::{ConfigArgs, EntryArgs, LockArgs, ServerArgs, SourceArgs};
use super::chosen::{self, ChosenArgs};
use super::config_file::{ProjectConfig, note_expired};
use super::coverage::coverage;
use super::eras;
use super::error::shown_path;
use super::foreign::{ForeignCheckArgs, LockFormat, NameArgs, refuse_for_warden_lock};
use super::next_steps::{
    Approving, RepeatedOptions, accept_command, approve_command, more_time, repeated_words, show_command,
};
use super::record::{check_complete, check_plain};
use super::server::{Baseline, Observed, Plan, launch_of, missing_note, warden_pin};
use super::summary::{
    add_entries, capability_counts, counts, finding_lines, lock_summary, server_summary, show_launches, subject,
};
use super::surface_file::{Given, Place, beside, document, refuse_secret_launch, tell_texts};
use super::{CommandError, Context, Outcome, people, stability};
use crate::capture::interrupt;
use crate::drift::{self, fields::changed_fields};
use crate::lock::file::{self, FileError};
use crate::lock::wire::{self, NewPin};
use crate::lock::{Lock, PinnedSurface, WardenPin};
use crate::report::{NextStep, Report, Verdict, drift_blocks};
use crate::surface::Launch;
use crate::text::quote_argv;
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Arguments of `warden pin`.
#[derive(Debug, Clone, Args)]
pub struct PinArgs {
    #[command(flatten)]
    pub lock: LockArgs,

    #[command(flatten)]
    pub all: AllArgs,

    #[command(flatten)]
    pub consent: ConsentArgs,

    /// Whether the lock's folder is ours to make.
    #[arg(skip)]
    pub makes_folder: bool,

    /// Approve what is pinned: the lock names you and binds the digest
    #[arg(long)]
    pub approve: bool,

    /// Who approves, for example an e-mail address [env: WARDEN_APPROVER; in CI, whoever started the run]
    #[arg(long, visible_alias = "actor", value_name = "WHO", requires = "approve")]
    pub approver: Option<String>,

    /// Replace an approved lock without a new approval, or a file that is no lock
    #[arg(long)]
    pub force: bool,

    /// Keep the texts that are pinned in FILE, so that later reports can show old and new words
    /// [default: warden.surface.json beside the lock]
    #[arg(long, value_name = "FILE", num_args = 0..=1, value_hint = ValueHint::FilePath)]
    pub save_surface: Option<Option<PathBuf>>,

    #[command(flatten)]
    pub chosen: ChosenArgs,

    /// Write a lock file of this format; an existing file keeps its own [default: warden]
    #[arg(long, value_name = "FORMAT", help_heading = "Lock files of other tools")]
    pub lock_format: Option<LockFormat>,

    #[command(flatten)]
    pub names: NameArgs,

    #[command(flatten)]
    pub config: ConfigArgs,

    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub server: ServerArgs,

    #[command(flatten)]
    pub entries: EntryArgs,

    /// The command that starts the server, as you would type it. Without one, the launch in the existing lock is
    /// pinned anew
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub command: Vec<OsString>,
}

/// Runs `warden pin`.
///
/// # Errors
/// Wrong arguments, or a file that cannot be read or written. A server that cannot be captured is a report.
pub fn run(args: &PinArgs, context: &Context<'_>) -> Result<Outcome, CommandError> {
    refuse_for_warden_lock(&args.names, ForeignCheckArgs::default())?;
    let path = &args.lock.lock;
    let approver = approver(args, context)?;
    let approver = approver.as_deref();
    // A folder that is ours to make is made once there is something to put into it.
    if !args.makes_folder || file::has_folder(path) {
        file::check_replaceable(path).map_err(|error| CommandError::unwritable_lock(path, &error))?;
    }
    let on_disk = file::read_bytes(path, wire::MAX_LOCK_BYTES).ok();
    let previous = previous_lock(path, args.force)?;
    let config = ProjectConfig::load(&args.config, path, context)?;
    let file = Given::of(&args.source, &args.server)?;
    let given = launch_of(&args.command, &args.server)?;
    let launch_from_file = given.is_none();
    let given = match &file {
        Some(file) => file.launch(given)?,
        None => given,
    };
    let choice = args.chosen.choice();
    // What an earlier pin recorded is part of what stays.
    let kept = match &choice {
        Some(_) => Some(chosen::check_baseline(
            path,
            previous.as_ref(),
            given.as_ref(),
            args.entries.normalize_prompt_arguments,
        )?),
        None => None,
    };
    let from_lock = given.is_none();
    let (launch, recorded) = launch(given, previous.as_ref())?;
    // Nobody could repeat for all servers what one of them needed.
    let recorded = match (&args.server.configured, &previous) {
        (Some(_), Some(lock)) if lock.surface.launch == launch => Some(&lock.pin.warden),
        _ => recorded,
    };
    let recorded = kept.map(|lock| &lock.pin.warden).or(recorded);
    // The era of a lock of another launch says nothing about this one.
    let pinned_version = previous
        .as_ref()
        .filter(|lock| lock.surface.launch == launch)
        .map(|lock| lock.pin.mcp_protocol_version.as_str());
    let baseline =
        Baseline { from_lock, recorded, version: pinned_version, lock_path: Some(path), entries: &args.entries };
    let save = save_place(args, &launch)?;
    let plan = Plan::new(launch, &args.server, &baseline, context)?;

    let mut report = Report::new("pin", Verdict::NotPinned, subject(path, &plan.launch));
    if let Some(config) = &config {
        config.open(&mut report);
        note_expired(&mut report);
    }
    if let Some(file) = &file {
        report.files.read_from = Some(file.name());
        // Whoever wrote the file chose what later checks start.
        if launch_from_file && !from_lock {
            let launch = crate::text::escape(&report.subject.launch, crate::text::Charset::Unicode);
            report
                .notes
                .push(format!("the launch is the one in the file, and a check without a file starts it: {launch}"));
        }
    }
    let observed = match (file, args.source.stability) {
        (Some(file), _) => file.observe(&plan),
        (None, Some(times)) => stability::observe(&plan, times.into(), context, &mut report),
        (None, None) => plan.observe(context),
    };
    let observed = observed.and_then(|observed| {
        if save.is_some() {
            plan.refuse_echoed_in_texts(&observed.raw)?;
        }
        Ok(observed)
    });
    let observed = match observed {
        Ok(observed) => observed,
        Err(failure) => {
            report.failure = Some(*failure);
            advise(&mut report, args, false);
            return Ok(report.into());
        }
    };
    refuse_unknown_inspection(&plan, &observed)?;
    let target = match (&choice, kept) {
        (Some(choice), Some(lock)) => {
            chosen::check_known(choice, &lock.surface, &observed.pinned)?;
            let merged = lock.surface.with_chosen(&observed.pinned, choice);
            merged.map_err(|error| CommandError::file("the lock cannot be merged", error.to_string()))?
        }
        _ => observed.pinned.clone(),
    };
    let mut warden = kept.map_or_else(|| warden_pin(&plan, &observed), |lock| lock.pin.warden.clone());
    warden.approved_settings = approver.and_then(|_| warden.settings_digest());
    describe(&mut report, &plan, &observed, previous.as_ref(), &target);
    if let Some(config) = &config {
        config.apply(&mut report, &finding_lines(&observed.findings), true);
    }
    report.coverage = Some(coverage(&observed, previous.as_ref()));
    let keeps_texts = match &previous {
        Some(lock) => tell_texts(&mut report, path, lock, observed.shown(), None),
        None => false,
    };
    if let Some(choice) = &choice {
        chosen::part(&mut report, choice, &target, &observed, approver.is_some());
    }
    report.verdict = match &previous {
        Some(previous) if approver.is_none() && !args.force && says_the_same(previous, &target, &warden) => {
            Verdict::Unchanged
        }
        Some(previous) if previous.pin.approval.approved && approver.is_none() && !args.force => Verdict::Refused,
        _ => Verdict::Pinned,
    };
    if let (Verdict::Pinned, Some(old)) = (report.verdict, &previous)
        && old.pin.approval.approved
        && approver.is_none()
    {
        let by = old.pin.approval.approver.as_deref().unwrap_or("nobody named");
        let by = crate::text::escape(&crate::text::shorten(by, 80), crate::text::Charset::Unicode);
        report.notes.push(format!("the old lock was approved by {by}; the new one is not (--force)"));
    }
    hints(&mut report, args, &observed, previous.as_ref(), keeps_texts);
    let new = match report.verdict {
        Verdict::Pinned => {
            let now = (context.now)();
            let (actor, environment) = people::pinner(context);
            let pin = NewPin {
                created_at: &now,
                warden_version: env!("CARGO_PKG_VERSION"),
                mcp_protocol_version: kept
                    .map_or(&observed.surface.about.protocol_version, |lock| &lock.pin.mcp_protocol_version),
                approver,
                actor: actor.as_deref(),
                environment: environment.as_deref(),
                warden,
                previous: previous.as_ref().map(|lock| &lock.pin),
            };
            let text = match (&choice, kept, &on_disk) {
                (Some(choice), Some(lock), Some(old)) => {
                    wire::merge(&String::from_utf8_lossy(old), lock, &target, choice, &observed.findings, &pin)
                }
                _ => wire::render(&target, &observed.findings, &pin),
            };
            // Read back before it replaces anything: nothing that a reader would refuse may be written (SPEC.md §20).
            let lock = wire::read(text.as_bytes());
            let lock = lock.map_err(|error| CommandError::unwritable_lock(path, &error.into()))?;
            if lock.surface.overall_digest != target.overall_digest || !lock.inconsistencies().is_empty() {
                return Err(CommandError::file(format!("{} was left as it is", shown_path(path)), "it would not hold"));
            }
            Some((text, lock))
        }
        _ => None,
    };
    if args.makes_folder && report.verdict == Verdict::Pinned {
        file::make_folder(path).map_err(|error| CommandError::unwritable_lock(path, &error))?;
    }
    // Before the lock: should this fail, the lock that is there keeps its texts.
    let lock = new.as_ref().map(|(_, lock)| lock).or(previous.as_ref());
    if let (Some(place), Some(lock), Verdict::Pinned | Verdict::Unchanged) = (&save, lock, report.verdict) {
        let texts = match (&choice, &previous) {
            (Some(choice), Some(previous)) if target.overall_digest != observed.pinned.overall_digest => place
                .old_texts(path, previous)
                .and_then(|old| chosen::merged_document(&plan, &observed, &old, choice, lock)),
            _ => Some(document(&plan, &observed)?),
        };
        match texts {
            Some(text) => {
                place.write(&text)?;
                report.files.saved_to = Some(place.name());
            }
            None => report.notes.push(format!(
                "{} was not written: the texts of the entries that were not chosen are unknown, and without them the \
                 lock would not come out of it",
                crate::text::escape(&place.name(), crate::text::Charset::Unicode)
            )),
        }
    }
    if let Some((text, _)) = &new {
        replace(path, on_disk.as_deref(), args.force, text)?;
    }
    report.lock = lock.map(lock_summary);
    report.lock_text = match new {
        Some((text, _)) => text,
        None => on_disk.as_deref().map(String::from_utf8_lossy).unwrap_or_default().into_owned(),
    };
    advise(&mut report, args, keeps_texts);
    Ok(Outcome { report, closing: observed.closing, document: None })
}

/// Who approves, where an approval was asked for.
fn approver(args: &PinArgs, context: &Context<'_>) -> Result<Option<String>, CommandError> {
    if !args.approve {
        return Ok(None);
    }
    people::approver(args.approver.as_deref(), context)?.map(Some).ok_or_else(|| people::nobody_named("--approve"))
}

/// The lock that is there, if any. With `force`, a file that is no lock counts as none.
fn previous_lock(path: &Path, force: bool) -> Result<Option<Lock>, CommandError> {
    match file::load(path) {
        Ok((lock, _)) => Ok(Some(lock)),
        Err(FileError::NotFound) => Ok(None),
        Err(FileError::Invalid(_) | FileError::TooLarge { .. }) if force => Ok(None),
        Err(error) => Err(CommandError::file(
            format!("{} is there already and is no lock that warden can read", shown_path(path)),
            error.to_string(),
        )
        .hint("name another file with --lock, or replace this one with --force")),
    }
}

/// Where to keep the texts, if anywhere.
fn save_place(args: &PinArgs, launch: &Launch) -> Result<Option<Place>, CommandError> {
    let Some(named) = &args.save_surface else { return Ok(None) };
    let path = named.clone().unwrap_or_else(|| beside(&args.lock.lock));
    if file::is_same_place(&path, &args.lock.lock) {
        return Err(CommandError::usage("the lock and its texts cannot be one file"));
    }
    refuse_secret_launch(launch)?;
    if args.makes_folder && !file::has_folder(&path) {
        return Ok(Some(Place::new(path)));
    }
    Place::look(&path, args.force).map(Some)
}

/// What a reader may want to do the next time.
fn hints(report: &mut Report, args: &PinArgs, observed: &Observed, previous: Option<&Lock>, keeps_texts: bool) {
    let Some(previous) = previous.filter(|lock| lock.surface.launch == observed.pinned.launch) else { return };
    let moved = previous.surface.overall_digest != observed.pinned.overall_digest;
    if moved && args.source.surface.is_none() && args.source.stability.is_none() {
        report.notes.push(
            "the same command declares something else than before. If nothing was updated, it may change by itself: \
             --stability 3 tells"
                .to_owned(),
        );
    }
    if keeps_texts && args.save_surface.is_none() && report.verdict == Verdict::Pinned && moved {
        report.notes.push(format!(
            "{} holds the texts of the old lock: --save-surface writes those of the new one",
            shown_path(&beside(&args.lock.lock))
        ));
    }
}

/// What to pin: the launch that was given, or what the lock has; with the latter also what was recorded then.
fn launch(given: Option<Launch>, previous: Option<&Lock>) -> Result<(Launch, Option<&WardenPin>), CommandError> {
    if let Some(launch) = given {
        return Ok((launch, None));
    }
    let Some(lock) = previous else {
        return Err(CommandError::usage(
            "there is nothing to pin: name the command that starts the server, or its URL",
        )
        .hint("for example: warden pin -- npx -y some-server@1.2.3, or warden pin --url https://mcp.example.com/mcp"));
    };
    if lock.surface.launch.digest().ok() != Some(lock.surface.command_digest) {
        return Err(CommandError::file(
            "the launch in the lock does not reproduce its own digest, so it was not started",
            "command, arguments or URL were edited by hand",
        )
        .hint("name the command yourself: warden pin -- COMMAND"));
    }
    check_complete(lock)?;
    check_plain(lock)?;
    Ok((lock.surface.launch.clone(), Some(&lock.pin.warden)))
}

/// A block for a tool that is not there would silently do nothing.
fn refuse_unknown_inspection(plan: &Plan, observed: &Observed) -> Result<(), CommandError> {
    match plan.blocks_for_nobody(observed).first() {
        None => Ok(()),
        Some(name) => Err(CommandError::file(
            "the inspection file has a block for a tool that the server does not declare",
            crate::text::escape(name, crate::text::Charset::Unicode),
        )),
    }
}

/// Fills in what was captured and how it differs from the lock that was there.
/// `target` is what is going to be pinned, which may be a part of it.
fn describe(report: &mut Report, plan: &Plan, observed: &Observed, previous: Option<&Lock>, target: &PinnedSurface) {
    let pinned = &observed.pinned;
    report.counts = counts(pinned);
    add_entries(report, pinned);
    report.server = Some(server_summary(plan, observed));
    report.capabilities = capability_counts(pinned);
    report.findings = finding_lines(&observed.findings);
    report.notes.extend(observed.warnings.iter().cloned());
    report.notes.extend(missing_note(observed));
    if let Some(previous) = previous {
        report.notes.extend(
            eras::version_note(&previous.pin.mcp_protocol_version, &observed.surface.about.protocol_version)
                .filter(|_| previous.surface.launch == pinned.launch),
        );
        let items = drift::compare(previous, pinned);
        let fields = changed_fields(&previous.surface, pinned);
        report.blocks = drift_blocks(
            &items,
            &previous.inconsistencies(),
            &fields,
            &previous.findings,
            &report.findings,
            Some(pinned),
        );
        show_launches(report, previous);
        let lost: Vec<&str> = previous
            .surface
            .tools
            .iter()
            .filter(|old| old.inspection.is_some())
            .filter(|old| !target.tools.iter().any(|new| new.name == old.name && new.inspection.is_some()))
            .map(|tool| tool.name.as_str())
            .collect();
        if !lost.is_empty() {
            let names =
                crate::text::escape(&crate::text::shorten(&lost.join(", "), 300), crate::text::Charset::Unicode);
            report.notes.push(format!("inspection blocks of the old lock that no reviewed file repeats: {names}"));
        }
    }
}

/// Whether the lock on disk commits to exactly this already, at this level and captured in the same way.
fn says_the_same(previous: &Lock, target: &PinnedSurface, warden: &WardenPin) -> bool {
    previous.surface.overall_digest == target.overall_digest
        && previous.inconsistencies().is_empty()
        && (!previous.pin.approval.approved
            || previous.pin.approval.approved_digest == Some(target.overall_digest))
        && previous.pin.warden.allow_missing == warden.allow_missing
        && previous.pin.warden.prompt_arguments == warden.prompt_arguments
        && previous.pin.warden.started_with == warden.started_with
        // What no digest covers is recorded anew, unless that would cost an approval of the same digest.
        && (previous.pin.approval.approved || previous.pin.warden.not_covered == warden.not_covered)
}

/// Writes the lock, unless somebody changed the file since it was read: an approval given meanwhile must not vanish.
fn replace(path: &Path, on_disk: Option<&[u8]>, force: bool, text: &str) -> Result<(), CommandError> {
    let _held = interrupt::hold();
    if !force && file::read_bytes(path, wire::MAX_LOCK_BYTES).ok().as_deref() != on_disk {
        let changed =
            format!("{} was changed by somebody else during the capture and was left alone", shown_path(path));
        return Err(CommandError::file(changed, "it is not the file that this run compared with")
            .hint("look at it, and run the command again"));
    }
    file::replace(path, text.as_bytes()).map_err(|error| CommandError::unwritable_lock(path, &error))
}

fn advise(report: &mut Report, args: &PinArgs, keeps_texts: bool) {
    let path = args.lock.lock.as_path();
    let approved = report.lock.as_ref().is_some_and(|lock| lock.approval_binds);
    let options = RepeatedOptions {
        lock: path,
        source: &args.source,
        server: &args.server,
        entries: &args.entries,
        config: &args.config,
        chosen: Some(&args.chosen),
        save_surface: match &args.save_surface {
            Some(named) => Some(named.as_deref()),
            None => keeps_texts.then_some(None),
        },
    };
    let has_remaining = report.remaining.as_ref().is_some_and(|blocks| !blocks.is_empty());
    let mut step = |purpose, command| report.next.push(NextStep { purpose, command });
    match report.verdict {
        Verdict::Pinned | Verdict::Unchanged => {
            step("read it", show_command(path));
            if !approved {
                step("approve it", approve_command(path));
            }
            if has_remaining {
                let rest = RepeatedOptions { chosen: None, ..options };
                let approving = if approved { Approving::Anew } else { Approving::Not };
                step("accept the rest", accept_command(&rest, approving, None));
            }
            let check = ["warden", "check"].map(str::to_owned).into_iter().chain(repeated_words(&options, false));
            step("check in CI", quote_argv(check));
        }
        Verdict::Refused => {
            let command = |approval| accept_command(&options, approval, args_launch(args));
            step("approve the change", command(Approving::Anew));
            step("drop the approval", command(Approving::Dropped));
        }
        Verdict::NotPinned => {
            if let Some(server) = more_time(report, &args.server) {
                let approval = if args.approve { Approving::Anew } else { Approving::Not };
                let command =
                    accept_command(&RepeatedOptions { server: &server, ..options }, approval, args_launch(args));
                report.next.push(NextStep { purpose: "give it more time", command });
            }
        }
        _ => {}
    }
}

/// The words of the command where the user gave one.
fn args_launch(args: &PinArgs) -> Option<Vec<&str>> {
    let words: Vec<&str> = args.command.iter().filter_map(|word| word.to_str()).collect();
    Some(words).filter(|words| !words.is_empty())
}
