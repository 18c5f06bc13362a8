//! `warden demo`: pin, a clean check, a rug pull, and the check that catches it, run for real in a folder that is
//! removed afterwards.

use super::demo_server::RUG_PULLED;
use super::exit::ExitStatus;
use super::output::{self, text_of, write_out};
use super::terminal::Terminal;
use super::{args::Command, close, finish, is_machine, with_context};
use crate::commands::check::{self, CheckArgs};
use crate::commands::pin::{self, PinArgs};
use crate::commands::{CommandError, Outcome};
use crate::json::{MAX_DEPTH, Object, ParseLimits, Value, parse, pretty};
use crate::report::{Format, REPORT_VERSION};
use crate::text::quote_argv;
use clap::Parser as _;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The folder of a running demo: a signal ends the process without unwinding, and nothing may stay behind.
static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Removes the folder of a demo that does not come to its end. The process ends with the signal that asked for it: who
/// holds what is returned keeps the demo, whose files vanish under it, from ending it first with an error of its own.
pub(super) fn clean_up() -> MutexGuard<'static, Option<PathBuf>> {
    let mut registered = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = registered.take() else { return registered };
    // The demo runs on meanwhile: a file that it makes just now keeps the folder from being removed, once or twice.
    for _ in 0..100 {
        if std::fs::remove_dir_all(&folder).is_ok() || !folder.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    registered
}

/// Runs the three acts. Succeeds if the clean check was clean and the rug pull was caught.
pub(super) fn run(terminal: &Terminal) -> ExitStatus {
    let outcome = acts(terminal);
    drop(FOLDER.lock());
    match outcome {
        Ok(status) => status,
        Err(error) => output::print_error(&error, terminal),
    }
}

fn acts(terminal: &Terminal) -> Result<ExitStatus, CommandError> {
    if !matches!(terminal.format, Format::Human | Format::Json) || !terminal.outputs.is_empty() {
        return Err(CommandError::usage("the demo is told as text or as JSON, on standard output only"));
    }
    let failed = |what: &'static str| move |error: std::io::Error| CommandError::file(what, error.to_string());
    let program = std::env::current_exe().map_err(failed("this program's own path is not known"))?;
    let folder = {
        // Made under the lock: a signal finds the folder here or not at all.
        let mut registered = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::Builder::new()
            .prefix("warden-demo-")
            .tempdir()
            .map_err(failed("no temporary folder could be made for the demo"))?;
        *registered = Some(folder.path().to_owned());
        folder
    };
    // Inside the folder the commands read as somebody would type them, with the default lock name.
    let before = std::env::current_dir().map_err(failed("the current folder is not known"))?;
    std::env::set_current_dir(folder.path()).map_err(failed("the demo's folder could not be entered"))?;
    let outcome = three_acts(terminal, &program);
    // A folder that is in use cannot be removed everywhere.
    std::env::set_current_dir(before).map_err(failed("the way back out of the demo's folder is gone"))?;
    outcome
}

fn three_acts(terminal: &Terminal, program: &Path) -> Result<ExitStatus, CommandError> {
    let say = |text: &str| say(text, terminal);
    let mut documents = Vec::new();
    let failed = |what: &'static str| move |error: std::io::Error| CommandError::file(what, error.to_string());
    let face = Path::new("notes-server-state");
    let server: [OsString; 3] = [program.into(), "demo-server".into(), face.into()];
    let show_face =
        |content: &str| std::fs::write(face, content).map_err(failed("the demo server's file could not be written"));

    say("1. Pin a server: look at it once, write down what it declares.\n\n");
    show_face("honest")?;
    let pinned = act(terminal, &pin_words(&server), &mut documents)?;

    say("\n2. Check it, as CI would with every build. Nothing changed.\n\n");
    let clean = act(terminal, &check_words(), &mut documents)?;

    say("\n3. The same command, a week later: the server now describes a tool differently (a rug pull).\n\n");
    show_face(RUG_PULLED)?;
    let caught = act(terminal, &check_words(), &mut documents)?;

    let as_told = (pinned, clean, caught) == (ExitStatus::Success, ExitStatus::Success, ExitStatus::Drift);
    if as_told {
        say(EPILOGUE);
        let written = if is_machine(terminal.format) { write_document(documents) } else { Ok(()) };
        return Ok(output::delivered(written, "the document", ExitStatus::Success, terminal));
    }
    Err(CommandError::file("the demo did not go as it should", "a step ended with another status than expected"))
}

const EPILOGUE: &str = "
The build would have failed there, before the new text reached a model. Try it on a server of your own:

  warden pin -- npx -y some-server@1.2.3
  warden check
";

fn pin_words(server: &[OsString]) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["warden".into(), "pin".into(), "--save-surface".into(), "--".into()];
    words.extend(server.iter().cloned());
    words
}

fn check_words() -> Vec<OsString> {
    vec!["warden".into(), "check".into()]
}

/// Shows a command and runs it as if it had been typed. Machine reports are gathered: all of them are one document.
fn act(terminal: &Terminal, words: &[OsString], documents: &mut Vec<Value>) -> Result<ExitStatus, CommandError> {
    say(&format!("$ {}\n", quote_argv(words.iter().map(|word| word.to_string_lossy()))), terminal);
    let mut cli = super::Cli::try_parse_from(words).map_err(|error| CommandError::usage(error.to_string()))?;
    // The folder for temporary files may be in somebody's project.
    if let Command::Pin(PinArgs { config, .. }) | Command::Check(CheckArgs { config, .. }) = &mut cli.command {
        config.unsearched = true;
    }
    let outcome: Outcome = match &cli.command {
        Command::Pin(args) => with_context(terminal, |context| pin::run(args, context))?,
        Command::Check(args) => with_context(terminal, |context| check::run(args, context))?,
        _ => return Err(CommandError::usage("not a step of the demo")),
    };
    if is_machine(terminal.format) {
        let status = ExitStatus::of(outcome.report.verdict);
        let text = text_of(&outcome.report, terminal.format, terminal, status, "warden.lock");
        let limits = ParseLimits { max_bytes: text.len(), max_depth: MAX_DEPTH, max_values: usize::MAX };
        let document = parse(text.as_bytes(), &limits)
            .map_err(|error| CommandError::file("a report of the demo cannot be read", error.to_string()))?;
        documents.push(document);
        close(outcome.closing, terminal);
        return Ok(status);
    }
    let status = finish(outcome, terminal);
    say(&format!("exit {}\n", status.code()), terminal);
    Ok(status)
}

/// The reports of the acts, in order, as one document.
fn write_document(acts: Vec<Value>) -> std::io::Result<()> {
    let mut document = Object::new();
    document.insert("report_version", REPORT_VERSION);
    document.insert("command", "demo");
    document.insert("verdict", "shown");
    document.insert("exit_code", i64::from(ExitStatus::Success.code()));
    document.insert("acts", acts);
    write_out(&format!("{}\n", pretty(&document.into())))
}

/// Narrates, where somebody reads it.
fn say(text: &str, terminal: &Terminal) {
    if !is_machine(terminal.format) && !terminal.style.quiet {
        // A closed stream has nobody to tell.
        let _ = write_out(text);
    }
}
