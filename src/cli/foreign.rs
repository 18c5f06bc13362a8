//! Commands on lock files of other tools: told by what a file holds, or by what a command is asked to write.

use super::all::{carry_out, locate};
use super::exit::ExitStatus;
use super::people::Person;
use super::terminal::Terminal;
use super::{Command, output};
use crate::commands::CommandError;
use crate::commands::foreign::{
    Recognized, plan_check, plan_convert, plan_pin, plan_show, recognize, refuse_approval, run_diff,
};
use crate::report::ProjectReport;
use clap::Parser as _;
use std::path::{Path, PathBuf};

/// Runs the command where it is about such a file; `None` where it is not.
pub(super) fn run(command: &Command, terminal: &Terminal) -> Option<ExitStatus> {
    let person = Person { terminal };
    let report = match command {
        Command::Check(args) if !args.all.all => {
            let file = recognize(&args.lock.lock)?;
            carry_out(terminal, |context| plan_check(file, args, context, &person))
        }
        Command::Pin(args) => {
            let format = match args.lock_format {
                Some(format) => format.foreign()?,
                None if args.all.all => return None,
                None => recognize(&args.lock.lock)?.format,
            };
            carry_out(terminal, |context| plan_pin(format, args, context))
        }
        Command::Show(args) if !args.all.all => {
            shown(&args.lock, &args.more, |file| carry_out(terminal, |_| plan_show(file, args)))?
        }
        Command::Diff(args) => {
            let (before, after) = (recognize(&args.before), recognize(&args.after));
            if before.is_none() && after.is_none() {
                return None;
            }
            run_diff(before, after, args).map(|mut report| {
                locate(&mut report);
                report
            })
        }
        Command::Approve(args) => Err(refuse_approval(&recognize(&args.lock)?)),
        Command::Convert(args) => match args.as_pin() {
            Some(words) => return Some(as_pin(&words, terminal)),
            None => carry_out(terminal, |context| plan_convert(args, context)),
        },
        _ => return None,
    };
    Some(match report {
        Ok(report) => output::print_project(&report, terminal),
        Err(error) => output::print_error(&error, terminal),
    })
}

/// The first lock that is shown, where it is such a file. Several are shown one by one, and each by its own rules.
fn shown(
    lock: &Path,
    more: &[PathBuf],
    show: impl FnOnce(Recognized) -> Result<ProjectReport, CommandError>,
) -> Option<Result<ProjectReport, CommandError>> {
    let file = recognize(lock)?;
    match more.is_empty() {
        true => Some(show(file)),
        false => Some(Err(CommandError::usage("several locks are shown at once only where each is a warden.lock")
            .hint("show them one by one"))),
    }
}

/// Runs the `warden pin` that a command stands for.
fn as_pin(words: &[std::ffi::OsString], terminal: &Terminal) -> ExitStatus {
    match super::Cli::try_parse_from(words) {
        Ok(cli) => super::dispatch(&cli.command, terminal),
        Err(error) => output::print_error(&CommandError::usage(error.to_string()), terminal),
    }
}
