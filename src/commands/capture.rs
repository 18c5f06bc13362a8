//! `warden capture`: write what a server declares to a file, every page as it was sent.

use super::args::{EntryArgs, ServerArgs};
use super::server::{Baseline, Plan, launch_of, missing_note};
use super::summary::{add_entries, counts, server_summary, subject};
use super::surface_file::{Place, document, refuse_secret_launch};
use super::{CommandError, Context, Outcome};
use crate::report::{NextStep, Report, Verdict};
use crate::text::shell_quote;
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Arguments of `warden capture`.
#[derive(Debug, Clone, Args)]
pub struct CaptureArgs {
    /// The surface file to write; "-" for standard output (the report then goes to standard error)
    #[arg(short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,

    /// Replace a file that is no surface file
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub server: ServerArgs,

    /// The command that starts the server, as you would type it
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub command: Vec<OsString>,
}

/// Runs `warden capture`.
///
/// # Errors
/// Wrong arguments, a launch that holds a secret, or a file that cannot be written. A server that cannot be captured is
/// a report.
pub fn run(args: &CaptureArgs, context: &Context<'_>) -> Result<Outcome, CommandError> {
    let place = match args.output == Path::new("-") {
        true => None,
        false => Some(Place::look(&args.output, args.force)?),
    };
    let launch = launch_of(&args.command, &args.server)?.ok_or_else(|| {
        CommandError::usage("there is nothing to capture: name the command that starts the server, or its URL")
            .hint("for example: warden capture -o surface.json -- npx -y some-server@1.2.3")
    })?;
    refuse_secret_launch(&launch)?;
    let entries = EntryArgs::default();
    let baseline = Baseline { from_lock: false, recorded: None, version: None, lock_path: None, entries: &entries };
    let plan = Plan::new(launch, &args.server, &baseline, context)?;

    let mut report = Report::new("capture", Verdict::NotCaptured, subject(Path::new(""), &plan.launch));
    let observed = plan.observe(context).and_then(|observed| {
        plan.refuse_echoed_in_texts(&observed.raw)?;
        Ok(observed)
    });
    let observed = match observed {
        Ok(observed) => observed,
        Err(failure) => {
            report.failure = Some(*failure);
            let document = place.is_none().then(String::new);
            return Ok(Outcome { report, closing: None, document });
        }
    };
    report.verdict = Verdict::Captured;
    report.counts = counts(&observed.pinned);
    add_entries(&mut report, &observed.pinned);
    report.server = Some(server_summary(&plan, &observed));
    report.notes.extend(observed.warnings.iter().cloned());
    report.notes.extend(missing_note(&observed));
    let text = document(&plan, &observed)?;
    let standard_output = match place {
        None => Some(text),
        Some(place) => {
            place.write(&text)?;
            report.files.saved_to = Some(place.name());
            let name = shell_quote(&place.name());
            let mut step = |purpose, command| report.next.push(NextStep { purpose, command });
            step("check a lock against it", format!("warden check --surface {name}"));
            step("pin it", format!("warden pin --surface {name}"));
            None
        }
    };
    Ok(Outcome { report, closing: observed.closing, document: standard_output })
}
