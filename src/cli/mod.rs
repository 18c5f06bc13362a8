//! The only room that knows the argument list, the terminal, the environment and the clock.

mod all;
mod args;
mod asked;
mod board;
mod completions;
mod demo;
mod demo_server;
mod examples;
mod exit;
mod foreign;
mod git;
mod init;
mod manual;
mod output;
mod people;
mod print_error;
mod progress;
mod servers;
mod show_each;
mod step_summary;
mod terminal;

pub use args::{Cli, Command, EXIT_CODES};
pub use exit::ExitStatus;

use crate::capture::{Closing, Variation, interrupt};
use crate::commands::all::AllArgs;
use crate::commands::check::CheckArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::pin::PinArgs;
use crate::commands::show::ShowArgs;
use crate::commands::{CommandError, Context, Outcome, approve, capture, check, diff, doctor, explain, pin};
use crate::report::{Format, Report, explanation, explanation_json, explanation_list};
use clap::Parser as _;
use clap::error::ErrorKind as ClapErrorKind;
use people::Person;
use progress::Progress;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use terminal::Terminal;
use time::OffsetDateTime;
use time::macros::format_description;

/// Parses the arguments of this process, runs the command, and says with which status to end.
pub fn main() -> ExitCode {
    leave_nothing_after_a_panic();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error).into(),
    };
    let terminal = Terminal::new(&cli.output, cli.command.lock(), cli.command.chosen(), cli.command.inputs());
    run(&cli, &terminal).into()
}

/// A release build does not unwind (Cargo.toml), so what drops would do is done before the process ends: no server, no
/// temporary folder is left. Only a fault in this program leads here.
fn leave_nothing_after_a_panic() {
    const PANICKED: i32 = 101;
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        progress::clear();
        tell(panic);
        interrupt::kill_servers();
        if cfg!(panic = "abort") {
            let _demo = demo::clean_up();
            Variation::remove_all();
            std::process::exit(PANICKED);
        }
    }));
}

/// Help and version go to standard output and are no failure; a wrong argument is a usage error.
fn usage(error: &clap::Error) -> ExitStatus {
    let words: Vec<_> = std::env::args_os().collect();
    let own: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let terminal = Terminal::new(&asked::outputs_of(&own), None, &[], Vec::new());
    if matches!(error.kind(), ClapErrorKind::DisplayHelp | ClapErrorKind::DisplayVersion) {
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        return output::delivered(printed, "the help", ExitStatus::Success, &terminal);
    }
    let error = print_error::usage(error, &words);
    output::write_error(&error, &terminal)
}

fn run(cli: &Cli, terminal: &Terminal) -> ExitStatus {
    if let Command::DemoServer(args) = &cli.command {
        return demo_server::run(args);
    }
    if let Some(status) = informed(&cli.command, terminal) {
        return status;
    }
    // Without handlers of our own a signal would end us and leave the server behind.
    let ends = interrupt::listen(|signal| {
        progress::clear();
        let _demo = demo::clean_up();
        Variation::remove_all();
        std::process::exit(128 + signal);
    });
    if let Err(error) = ends {
        return output::print_error(&CommandError::usage(format!("signals cannot be handled: {error}")), terminal);
    }
    if let Err(error) = output::look(terminal) {
        return output::print_error(&error, terminal);
    }
    dispatch(&cli.command, terminal)
}

/// Runs a command and prints what it found.
fn dispatch(command: &Command, terminal: &Terminal) -> ExitStatus {
    if let Some(status) = foreign::run(command, terminal) {
        return status;
    }
    let outcome = match command {
        Command::Demo => return demo::run(terminal),
        Command::Init(args) => return init::run(args, terminal),
        Command::Pin(PinArgs { all: AllArgs { all: true, .. }, .. })
        | Command::Check(CheckArgs { all: AllArgs { all: true, .. }, .. })
        | Command::Show(ShowArgs { all: AllArgs { all: true, .. }, .. }) => return all::run(command, terminal),
        Command::Servers(args) => return servers::run(args, terminal),
        Command::Show(args) => return show_each::run(args, terminal),
        Command::Diff(args) => diff::run(args),
        Command::Doctor(args) => with_context(terminal, |context| doctor::run(args, context)),
        Command::Approve(args) => {
            let person = Person { terminal };
            with_context(terminal, |context| approve::run(args, context, &person))
        }
        Command::Pin(args) => with_context(terminal, |context| pin::run(args, context)),
        Command::Check(args) => with_context(terminal, |context| check::run(args, context)),
        Command::Capture(args) => with_context(terminal, |context| capture::run(args, context)),
        // Done above: nothing of these has to be ended.
        Command::Convert(_)
        | Command::DemoServer(_)
        | Command::Explain(_)
        | Command::Completions(_)
        | Command::Man(_) => return ExitStatus::Success,
    };
    match outcome {
        Ok(outcome) => finish(outcome, terminal),
        Err(error) => output::print_error(&error, terminal),
    }
}

/// Says of every file that a finding names where it is in its repository.
fn locate(report: &mut Report) {
    let accepted =
        report.config.iter_mut().flat_map(|config| &mut config.accepted).map(|accepted| &mut accepted.finding);
    for place in report.findings.iter_mut().chain(accepted).filter_map(|finding| finding.place.as_mut()) {
        place.uri = output::place_in_repository(Path::new(&place.uri));
    }
}

/// Commands that tell something built in: they make no report and start nothing that has to be ended. `None` for the
/// others.
fn informed(command: &Command, terminal: &Terminal) -> Option<ExitStatus> {
    let makes_no_report = || CommandError::usage("--output takes a report, and this command makes none");
    let (text, what) = match command {
        Command::Explain(_) | Command::Completions(_) | Command::Man(_) if !terminal.outputs.is_empty() => {
            (Err(makes_no_report()), "nothing")
        }
        Command::Explain(args) => (explained(args, terminal), "the explanation"),
        Command::Completions(args) => (Ok(completions::script(args)), "the script"),
        Command::Man(args) => match &args.dir {
            None => (Ok(manual::main_page()), "the manual page"),
            Some(folder) => (manual::write_pages(folder).map(|()| String::new()), "the manual page"),
        },
        _ => return None,
    };
    Some(match text {
        Ok(text) => output::delivered(output::write_out(&text), what, ExitStatus::Success, terminal),
        Err(error) => output::print_error(&error, terminal),
    })
}

/// What a rule or a code means, for people or as a document.
fn explained(args: &ExplainArgs, terminal: &Terminal) -> Result<String, CommandError> {
    let found = explain::run(args)?;
    match terminal.format {
        Format::Human if explain::wants_list(args) => Ok(explanation_list(&found, &terminal.style)),
        Format::Human => Ok(explanation(&found, &terminal.style)),
        Format::Json => Ok(explanation_json(&found, ExitStatus::Success.code())),
        _ => Err(CommandError::usage("explanations are text or one JSON document: --format human or json")),
    }
}

/// Runs a command that starts a server, with a progress line where somebody watches.
fn with_context<T>(terminal: &Terminal, command: impl FnOnce(&Context<'_>) -> T) -> T {
    let progress = Arc::new(Progress::start(terminal));
    let starting = |launch: &str, from_lock: bool| progress.starting(launch, from_lock);
    let context = Context {
        environment: std::env::vars_os().collect(),
        // Where it was removed, nothing is found from it.
        current: std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default(),
        now: &now,
        changed_since: &git::changed_since,
        starting: &starting,
        observer: progress.clone(),
    };
    let outcome = command(&context);
    progress.stop();
    outcome
}

/// Prints the report while the server is still closing down, then waits for its end.
fn finish(mut outcome: Outcome, terminal: &Terminal) -> ExitStatus {
    locate(&mut outcome.report);
    let status = match &outcome.document {
        None => output::print_report(&outcome.report, terminal),
        Some(document) => output::print_document(document, &outcome.report, terminal),
    };
    close(outcome.closing, terminal);
    status
}

fn close(closing: Option<Closing>, terminal: &Terminal) {
    if closing.is_some_and(|closing| closing.finish().is_none()) {
        print_error::warn("the server could not be ended: a process of it may still run", terminal);
    }
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
