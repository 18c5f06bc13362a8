//! `warden pin`: capture a server and write its lock.

use super::args::{LockArgs, ServerArgs};
use super::error::shown_path;
use super::remote::option_words;
use super::server::{Observed, Plan, launch_of, missing_note, warden_pin};
use super::summary::{capability_counts, counts, finding_lines, lock_summary, server_summary, subject};
use super::{CommandError, Context, Outcome};
use crate::capture::interrupt;
use crate::drift::{self, fields::changed_fields};
use crate::lock::file::{self, FileError};
use crate::lock::wire::{self, NewPin};
use crate::lock::{Lock, WardenPin};
use crate::report::{NextStep, Report, Verdict, drift_blocks};
use crate::surface::Launch;
use crate::text::{quote_argv, shell_quote};
use clap::Args;
use std::ffi::OsString;
use std::path::Path;

/// Arguments of `warden pin`.
#[derive(Debug, Clone, Args)]
pub struct PinArgs {
    #[command(flatten)]
    pub lock: LockArgs,

    /// Approve what is pinned: the lock names you and binds the digest
    #[arg(long)]
    pub approve: bool,

    /// Who approves, for example an e-mail address
    #[arg(long, value_name = "WHO", env = "WARDEN_APPROVER", hide_env_values = true)]
    pub approver: Option<String>,

    /// Replace an approved lock without a new approval, or a file that is no lock
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub server: ServerArgs,

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
    let path = &args.lock.lock;
    let approver = approver(args)?;
    file::check_replaceable(path).map_err(|error| CommandError::unwritable_lock(path, &error))?;
    let previous = previous_lock(path, args.force)?;
    let (launch, recorded) = launch(args, previous.as_ref())?;
    let from_lock = args.command.is_empty() && args.server.http.url.is_none();
    let plan = Plan::new(launch, from_lock, &args.server, recorded, path, context)?;

    let mut report = Report::new("pin", Verdict::NotPinned, subject(path, &plan.launch));
    let observed = match plan.observe(context) {
        Ok(observed) => observed,
        Err(failure) => {
            report.failure = Some(*failure);
            return Ok(report.into());
        }
    };
    refuse_unknown_inspection(&plan, &observed)?;
    let warden = warden_pin(&plan, &observed);
    describe(&mut report, &plan, &observed, previous.as_ref());
    report.verdict = match &previous {
        Some(previous) if approver.is_none() && !args.force && says_the_same(previous, &observed, &warden) => {
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
    let lock = match report.verdict {
        Verdict::Pinned => {
            let now = (context.now)();
            let (actor, environment) = (context.variable("WARDEN_ACTOR"), context.variable("WARDEN_ENV"));
            let pin = NewPin {
                created_at: &now,
                warden_version: env!("CARGO_PKG_VERSION"),
                mcp_protocol_version: &observed.surface.about.protocol_version,
                approver,
                actor: actor.as_deref(),
                environment: environment.as_deref(),
                warden,
                previous: previous.as_ref().map(|lock| &lock.pin),
            };
            Some(write(path, &observed, &pin)?)
        }
        _ => previous,
    };
    report.lock = lock.as_ref().map(lock_summary);
    advise(&mut report, args, path);
    Ok(Outcome { report, closing: Some(observed.closing) })
}

/// Who approves, where an approval was asked for.
fn approver(args: &PinArgs) -> Result<Option<&str>, CommandError> {
    let named = args.approver.as_deref().filter(|name| !name.trim().is_empty());
    match (args.approve, named) {
        (false, _) => Ok(None),
        (true, Some(name)) => Ok(Some(name)),
        (true, None) => Err(CommandError::usage("--approve needs to know who approves")
            .hint("add --approver you@example.com, or set WARDEN_APPROVER")),
    }
}

/// The lock that is there, if any. With `force`, a file that is no lock counts as none.
fn previous_lock(path: &Path, force: bool) -> Result<Option<Lock>, CommandError> {
    match file::load(path) {
        Ok(lock) => Ok(Some(lock)),
        Err(FileError::NotFound) => Ok(None),
        Err(FileError::Invalid(_) | FileError::TooLarge) if force => Ok(None),
        Err(error) => Err(CommandError::file(
            format!("{} is there already and is no lock that warden can read", shown_path(path)),
            error.to_string(),
        )
        .hint("name another file with --lock, or replace this one with --force")),
    }
}

/// What to start: the command of the arguments, or what the lock has; with the latter also what was recorded then.
fn launch<'l>(args: &PinArgs, previous: Option<&'l Lock>) -> Result<(Launch, Option<&'l WardenPin>), CommandError> {
    if let Some(launch) = launch_of(&args.command, args.server.http.url.as_deref())? {
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
    Ok((lock.surface.launch.clone(), Some(&lock.pin.warden)))
}

/// A block for a tool that is not there would silently do nothing.
fn refuse_unknown_inspection(plan: &Plan, observed: &Observed) -> Result<(), CommandError> {
    let declared = |name: &str| observed.surface.tools.iter().any(|tool| tool.name() == name);
    match plan.inspection.iter().flat_map(|policy| policy.tools()).find(|name| !declared(name)) {
        None => Ok(()),
        Some(name) => Err(CommandError::file(
            "the inspection file has a block for a tool that the server does not declare",
            crate::text::escape(name, crate::text::Charset::Unicode),
        )),
    }
}

/// Fills in what was captured and how it differs from the lock that was there.
fn describe(report: &mut Report, plan: &Plan, observed: &Observed, previous: Option<&Lock>) {
    let pinned = &observed.pinned;
    report.counts = counts(pinned);
    report.server = Some(server_summary(plan, observed));
    report.capabilities = capability_counts(pinned);
    report.findings = finding_lines(&observed.findings);
    report.notes.extend(observed.warnings.iter().cloned());
    report.notes.extend(missing_note(observed));
    if let Some(previous) = previous {
        let items = drift::compare(previous, pinned);
        let fields = changed_fields(&previous.surface, pinned);
        report.blocks = drift_blocks(
            &items,
            &previous.inconsistencies(),
            &fields,
            &previous.findings,
            &observed.findings,
            Some(pinned),
        );
        let lost: Vec<&str> = previous
            .surface
            .tools
            .iter()
            .filter(|old| old.inspection.is_some())
            .filter(|old| !pinned.tools.iter().any(|new| new.name == old.name && new.inspection.is_some()))
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
fn says_the_same(previous: &Lock, observed: &Observed, warden: &WardenPin) -> bool {
    previous.surface.overall_digest == observed.pinned.overall_digest
        && previous.inconsistencies().is_empty()
        && (!previous.pin.approval.approved
            || previous.pin.approval.approved_digest == Some(observed.pinned.overall_digest))
        && previous.pin.warden.allow_missing == warden.allow_missing
        && previous.pin.warden.prompt_arguments == warden.prompt_arguments
        // What no digest covers is recorded anew, unless that would cost an approval of the same digest.
        && (previous.pin.approval.approved || previous.pin.warden.not_covered == warden.not_covered)
}

fn write(path: &Path, observed: &Observed, pin: &NewPin<'_>) -> Result<Lock, CommandError> {
    let text = wire::render(&observed.pinned, &observed.findings, pin);
    // Read back before it replaces anything: nothing that a reader would refuse may be written (SPEC.md §20).
    let lock = wire::read(text.as_bytes()).map_err(|error| CommandError::unwritable_lock(path, &error.into()))?;
    let _held = interrupt::hold();
    file::replace(path, text.as_bytes()).map_err(|error| CommandError::unwritable_lock(path, &error))?;
    Ok(lock)
}

fn advise(report: &mut Report, args: &PinArgs, path: &Path) {
    let lock = if path == Path::new("warden.lock") { String::new() } else { shell_quote(&path.to_string_lossy()) };
    let named = if lock.is_empty() { String::new() } else { format!(" --lock {lock}") };
    let shown = if lock.is_empty() { String::new() } else { format!(" {lock}") };
    let approved = report.lock.as_ref().is_some_and(|lock| lock.approval_binds);
    let mut step = |purpose, command| report.next.push(NextStep { purpose, command });
    match report.verdict {
        Verdict::Pinned | Verdict::Unchanged => {
            step("read it", format!("warden show{shown}"));
            let remote = option_words(&args.server.http);
            let remote = if remote.is_empty() { remote.concat() } else { format!(" {}", quote_argv(remote)) };
            if !approved {
                step("approve it", format!("warden pin{named}{remote} --approve --approver you@example.com"));
            }
            step("check in CI", format!("warden check{named}{remote}"));
        }
        Verdict::Refused => {
            let command = super::check::accept_command(path, &args.server, Some("you@example.com"), args_launch(args));
            step("approve the change", command.clone());
            step("drop the approval", command.replace("--approve --approver you@example.com", "--force"));
        }
        _ => {}
    }
}

/// The words of the command where the user gave one.
fn args_launch(args: &PinArgs) -> Option<Vec<&str>> {
    let words: Vec<&str> = args.command.iter().filter_map(|word| word.to_str()).collect();
    Some(words).filter(|words| !words.is_empty())
}
