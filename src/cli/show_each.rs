//! `warden show`, for one lock or, as a hook hands them over, for several: a report for each, and one status.

use super::exit::ExitStatus;
use super::terminal::Terminal;
use super::{finish, is_machine, output, with_context};
use crate::commands::CommandError;
use crate::commands::show::{self, ShowArgs};

/// Shows every lock that was named. What is known to be wrong beats what could not be read.
pub(super) fn run(args: &ShowArgs, terminal: &Terminal) -> ExitStatus {
    let several = !args.more.is_empty();
    if several && (is_machine(terminal.format) || !terminal.outputs.is_empty()) {
        // One run writes one document.
        let error = CommandError::usage("several locks can only be shown as text for people")
            .hint("--format and --output take one lock at a time");
        return output::print_error(&error, terminal);
    }
    std::iter::once(&args.lock).chain(&args.more).fold(ExitStatus::Success, |worst, path| {
        let one = ShowArgs { lock: path.clone(), more: Vec::new(), ..args.clone() };
        let status = match with_context(terminal, |context| show::run(&one, context)) {
            Ok(outcome) => finish(outcome, terminal),
            Err(error) => output::print_error(&error, terminal),
        };
        match (worst, status) {
            (ExitStatus::Drift, _) | (_, ExitStatus::Success) => worst,
            _ => status,
        }
    })
}
