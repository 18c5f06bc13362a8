//! `warden approve`: attest a lock as it is, after it was shown. Offline.

use super::error::shown_path;
use super::next_steps::check_step;
use super::people::{People, approver, check_texts, nobody_named, pinner};
use super::show;
use super::summary::lock_summary;
use super::{CommandError, Context, Outcome};
use crate::capture::interrupt;
use crate::lock::file;
use crate::lock::wire::{self, APPROVER, NewAttestation, attested, check_name};
use crate::lock::{Inconsistency, Lock};
use crate::report::{Lengths, Report, Verdict};
use crate::text::{Charset, escape, shorten};
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};

/// Arguments of `warden approve`.
#[derive(Debug, Clone, Args)]
pub struct ApproveArgs {
    /// The lock file
    #[arg(value_name = "LOCK", default_value = "warden.lock", value_hint = ValueHint::FilePath)]
    pub lock: PathBuf,

    /// Who approves, for example an e-mail address [env: WARDEN_APPROVER; in CI, whoever started the run; on a terminal
    /// you are asked]
    #[arg(long, visible_alias = "actor", value_name = "WHO")]
    pub approver: Option<String>,

    /// In which role
    #[arg(long, value_name = "ROLE", default_value = APPROVER)]
    pub role: String,

    /// What you looked at, or why it is good; at most 1000 characters. It is public like the lock
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,

    /// Do not ask; needed where nobody is at a terminal. Say it only for a lock that was read before
    #[arg(short, long)]
    pub yes: bool,
}

/// Inconsistencies that an error names; the rest is counted.
const MAX_NAMED: usize = 20;

/// Runs `warden approve`.
///
/// # Errors
/// Nobody is named or agrees; a lock that cannot be read or written, that does not reproduce its own digests, whose
/// approval is for something else, or that was changed while it was being looked at.
pub fn run(args: &ApproveArgs, context: &Context<'_>, people: &dyn People) -> Result<Outcome, CommandError> {
    let path = &args.lock;
    check_texts(&args.role, args.note.as_deref())?;
    let named = approver(args.approver.as_deref(), context)?;
    if !args.yes && !people.can_be_asked() {
        return Err(CommandError::usage("nobody is at a terminal to be asked whether the lock is approved").hint(
            "read it with warden show, then say --yes; input that comes from a pipe or a file is never taken for a yes",
        ));
    }
    if named.is_none() && !people.can_be_asked() {
        return Err(nobody_named("an approval"));
    }
    file::check_replaceable(path).map_err(|error| CommandError::unwritable_lock(path, &error))?;
    let unreadable = |error| CommandError::unreadable_lock(path, &error);
    let bytes = file::read_bytes(path, wire::MAX_LOCK_BYTES).map_err(unreadable)?;
    let lock = wire::read(&bytes).map_err(|error| unreadable(error.into()))?;
    refuse_unsound(path, &lock)?;

    let mut report = show::report_of(path, &lock, String::from_utf8_lossy(&bytes).into_owned(), Lengths::WHOLE);
    report.command = "approve";
    let seen_only = Report { verdict: Verdict::Shown, ..report.clone() };
    people.show(&seen_only, !args.yes);
    let approver = match named {
        Some(name) => name,
        None => ask_name(people)?,
    };
    if !args.yes {
        let question = format!("approve this as {}? [y/N] ", escape(&approver, Charset::Unicode));
        let answer = people.ask(&question).unwrap_or_default();
        if !matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
            return Err(CommandError::usage(format!("{} was not approved and left as it is", shown_path(path))));
        }
    }
    let earlier = earlier_note(&lock);
    let now = (context.now)();
    let (actor, environment) = pinner(context);
    let new = NewAttestation {
        approver: &approver,
        role: &args.role,
        note: args.note.as_deref().filter(|note| !note.is_empty()),
        created_at: &now,
        warden_version: env!("CARGO_PKG_VERSION"),
        actor: actor.as_deref(),
        environment: environment.as_deref(),
    };
    let (lock, text) = write(path, &bytes, &lock, &new)?;
    report.lock_text = text;
    report.verdict = Verdict::Approved;
    report.lock = Some(lock_summary(&lock));
    report.notes.extend(earlier);
    report.next.push(check_step(path));
    Ok(report.into())
}

/// SPEC.md §13.4: what does not hold together must not be attested, and neither must a lock whose approval is for
/// something else: whoever reads it later could not tell what was approved when.
fn refuse_unsound(path: &Path, lock: &Lock) -> Result<(), CommandError> {
    let problems = lock.inconsistencies();
    let shown = shown_path(path);
    if !problems.is_empty() {
        let mut error =
            CommandError::usage(format!("{shown} does not reproduce its own digests, so it was not approved"));
        let cause = |problem: &Inconsistency| {
            format!(
                "{}: {}",
                escape(&shorten(&problem.target, 120), Charset::Unicode),
                escape(&problem.problem, Charset::Unicode)
            )
        };
        error.causes = problems.iter().take(MAX_NAMED).map(cause).collect();
        if problems.len() > MAX_NAMED {
            error.causes.push(format!("and {} more places", problems.len() - MAX_NAMED));
        }
        return Err(error.hint("it was edited by hand or damaged: restore it from version control, or pin anew"));
    }
    let approval = &lock.pin.approval;
    if approval.approved && approval.approved_digest != Some(lock.surface.overall_digest) {
        return Err(CommandError::file(
            format!("{shown} was approved for another digest than it has now, so it was not approved"),
            "approved_digest is not the overall digest",
        )
        .hint("pin anew, which settles what is approved: warden pin --approve --approver you@example.com"));
    }
    Ok(())
}

fn ask_name(people: &dyn People) -> Result<String, CommandError> {
    let name = people.ask("who approves? (for example an e-mail address) ").unwrap_or_default();
    let name = name.trim().to_owned();
    match check_name(&name) {
        Ok(()) => Ok(name),
        Err(wire::TextError::Empty) => Err(nobody_named("an approval")),
        Err(error) => Err(CommandError::usage(format!("this name cannot be written into a lock: {error}"))),
    }
}

/// Who approved the very same before: a second reviewer is added, not put in the place of the first.
fn earlier_note(lock: &Lock) -> Option<String> {
    if !lock.pin.approval.approved {
        return None;
    }
    let by = lock.pin.approval.named().unwrap_or("nobody named");
    let by = escape(&shorten(by, 80), Charset::Unicode);
    let count = lock.pin.attestations().count();
    Some(format!(
        "approved before by {by}, for the same digest; that attestation stays in the lock, which holds {} now",
        count + 1
    ))
}

/// Replaces the lock, unless it is no longer the one that was shown.
fn write(path: &Path, seen: &[u8], lock: &Lock, new: &NewAttestation<'_>) -> Result<(Lock, String), CommandError> {
    // It was read as UTF-8 a moment ago.
    let text = attested(&String::from_utf8_lossy(seen), lock, new);
    let unwritable = |error| CommandError::unwritable_lock(path, &error);
    // Read back before it replaces anything: nothing that a reader would refuse may be written (SPEC.md §20).
    let written = wire::read(text.as_bytes()).map_err(|error| unwritable(error.into()))?;
    let holds = written.pin.approval.holds_for(lock.surface.overall_digest);
    if !holds || written.surface.overall_digest != lock.surface.overall_digest {
        return Err(CommandError::file(
            format!("{} was left as it is", shown_path(path)),
            "the new text would not hold",
        ));
    }
    let _held = interrupt::hold();
    if file::read_bytes(path, wire::MAX_LOCK_BYTES).ok().as_deref() != Some(seen) {
        return Err(CommandError::file(
            format!("{} was changed while it was being looked at, and was left alone", shown_path(path)),
            "it is not the file that was shown",
        )
        .hint("look at it, and run the command again"));
    }
    file::replace(path, text.as_bytes()).map_err(unwritable)?;
    Ok((written, text))
}
