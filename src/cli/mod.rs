//! The only room that knows the argument list, the terminal, the environment and the clock.

mod args;
mod completions;
mod demo;
mod demo_server;
mod exit;
mod manual;
mod print_error;
mod progress;
mod terminal;

pub use args::{Cli, Command, EXIT_CODES};
pub use exit::ExitStatus;

use crate::capture::{Closing, Variation, interrupt};
use crate::commands::explain::ExplainArgs;
use crate::commands::{CommandError, Context, Outcome, capture, check, explain, pin, show};
use crate::report::{Format, Report, explanation, explanation_json, explanation_list, render};
use clap::Parser as _;
use clap::error::ErrorKind as ClapErrorKind;
use progress::Progress;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use terminal::Terminal;
use time::OffsetDateTime;
use time::macros::format_description;

/// Parses the arguments of this process, runs the command, and says with which status to end.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error).into(),
    };
    let terminal = Terminal::new(&cli.output);
    run(&cli, &terminal).into()
}

/// Help and version go to standard output and are no failure; a wrong argument is a usage error.
fn usage(error: &clap::Error) -> ExitStatus {
    if matches!(error.kind(), ClapErrorKind::DisplayHelp | ClapErrorKind::DisplayVersion) {
        // Nobody is left to tell if this stream is closed.
        let _ = error.print();
        return ExitStatus::Success;
    }
    let words: Vec<_> = std::env::args_os().collect();
    // Nothing is parsed yet that would say so; behind two dashes stand the words of a server.
    let machine = words.iter().skip(1).take_while(|word| *word != "--").any(|word| word == "--json");
    print_error::usage(error, &words, machine)
}

fn run(cli: &Cli, terminal: &Terminal) -> ExitStatus {
    if let Command::DemoServer(args) = &cli.command {
        return demo_server::run(args);
    }
    match &cli.command {
        Command::Explain(args) => return explain(args, terminal),
        Command::Completions(args) => return deliver(&completions::script(args), "the script", terminal),
        Command::Man(args) => {
            return match &args.dir {
                None => deliver(&manual::main_page(), "the manual page", terminal),
                Some(folder) => match manual::write_pages(folder) {
                    Ok(()) => ExitStatus::Success,
                    Err(error) => print_error::print(&error, terminal),
                },
            };
        }
        _ => {}
    }
    // Without handlers of our own a signal would end us and leave the server behind.
    let ends = interrupt::listen(|signal| {
        progress::clear();
        let _demo = demo::clean_up();
        Variation::remove_all();
        std::process::exit(128 + signal);
    });
    if let Err(error) = ends {
        return print_error::print(&CommandError::usage(format!("signals cannot be handled: {error}")), terminal);
    }
    let outcome = match &cli.command {
        Command::Demo => return demo::run(terminal),
        Command::Show(args) => with_context(terminal, |context| show::run(args, context)),
        Command::Pin(args) => with_context(terminal, |context| pin::run(args, context)),
        Command::Check(args) => with_context(terminal, |context| check::run(args, context)),
        Command::Capture(args) => with_context(terminal, |context| capture::run(args, context)),
        // Done above: nothing of these has to be ended.
        Command::DemoServer(_) | Command::Explain(_) | Command::Completions(_) | Command::Man(_) => {
            return ExitStatus::Success;
        }
    };
    match outcome {
        Ok(outcome) => finish(outcome, terminal),
        Err(error) => print_error::print(&error, terminal),
    }
}

/// Prints what a rule or a code means.
fn explain(args: &ExplainArgs, terminal: &Terminal) -> ExitStatus {
    let found = match explain::run(args) {
        Ok(found) => found,
        Err(error) => return print_error::print(&error, terminal),
    };
    let text = match (is_machine(terminal.format), args.rules.is_empty()) {
        (true, _) => explanation_json(&found, ExitStatus::Success.code()),
        (false, true) => explanation_list(&found, &terminal.style),
        (false, false) => explanation(&found, &terminal.style),
    };
    deliver(&text, "the explanation", terminal)
}

fn deliver(text: &str, what: &str, terminal: &Terminal) -> ExitStatus {
    delivered(write_out(text), what, ExitStatus::Success, terminal)
}

/// Runs a command that starts a server, with a progress line where somebody watches.
fn with_context<T>(terminal: &Terminal, command: impl FnOnce(&Context<'_>) -> T) -> T {
    let progress = Arc::new(Progress::start(terminal));
    let starting = |launch: &str, from_lock: bool| progress.starting(launch, from_lock);
    let context = Context {
        environment: std::env::vars_os().collect(),
        now: &now,
        starting: &starting,
        observer: progress.clone(),
    };
    let outcome = command(&context);
    progress.stop();
    outcome
}

/// Prints the report while the server is still closing down, then waits for its end.
fn finish(outcome: Outcome, terminal: &Terminal) -> ExitStatus {
    let status = match &outcome.document {
        None => print_report(&outcome.report, terminal),
        Some(document) => print_document(document, &outcome.report, terminal),
    };
    close(outcome.closing, terminal);
    status
}

fn close(closing: Option<Closing>, terminal: &Terminal) {
    if closing.is_some_and(|closing| closing.finish().is_none()) {
        print_error::warn("the server could not be ended: a process of it may still run", terminal);
    }
}

/// The report to standard output. The verdict decides the status, in every format; a report that could not be
/// delivered is never a success.
fn print_report(report: &Report, terminal: &Terminal) -> ExitStatus {
    let status = ExitStatus::of(report.verdict);
    let text = render(terminal.format, report, &terminal.style, status.code());
    delivered(write_out(&text), "the report", status, terminal)
}

/// A document to standard output, which leaves standard error to the report.
fn print_document(document: &str, report: &Report, terminal: &Terminal) -> ExitStatus {
    let status = ExitStatus::of(report.verdict);
    let written = write_out(document);
    let text = render(terminal.format, report, &terminal.style, status.code());
    // Nobody is left to tell if standard error is closed.
    let _ = io::stderr().lock().write_all(text.as_bytes());
    delivered(written, "the document", status, terminal)
}

/// The status of a run whose result was, or was not, written.
fn delivered(written: io::Result<()>, what: &str, status: ExitStatus, terminal: &Terminal) -> ExitStatus {
    match written {
        Ok(()) => status,
        // Whoever closed the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status,
        Err(error) => {
            let failed = CommandError::file(format!("{what} could not be written"), error.to_string());
            let printed = print_error::print(&failed, terminal);
            if status == ExitStatus::Success { printed } else { status }
        }
    }
}

fn write_out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The time as locks store it.
fn now() -> String {
    let format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z");
    // A year of four digits always has this form.
    OffsetDateTime::now_utc().format(format).unwrap_or_else(|_| "1970-01-01T00:00:00Z".to_owned())
}

/// Whether machine output was asked for.
fn is_machine(format: Format) -> bool {
    format != Format::Human
}
