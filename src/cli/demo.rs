//! `warden demo`: pin, a clean check, a rug pull, and the check that catches it, run for real in a folder that is
//! removed afterwards.

use super::demo_server::RUG_PULLED;
use super::exit::ExitStatus;
use super::terminal::Terminal;
use super::{args::Command, finish, print_error, with_context, write_out};
use crate::commands::{CommandError, Outcome, check, pin};
use crate::text::quote_argv;
use clap::Parser as _;
use std::ffi::OsString;
use std::path::Path;

/// Runs the three acts. Succeeds if the clean check was clean and the rug pull was caught.
pub(super) fn run(terminal: &Terminal) -> ExitStatus {
    match acts(terminal) {
        Ok(status) => status,
        Err(error) => print_error::print(&error, terminal),
    }
}

fn acts(terminal: &Terminal) -> Result<ExitStatus, CommandError> {
    let failed = |what: &'static str| move |error: std::io::Error| CommandError::file(what, error.to_string());
    let program = std::env::current_exe().map_err(failed("this program's own path is not known"))?;
    let folder = tempfile::Builder::new()
        .prefix("warden-demo-")
        .tempdir()
        .map_err(failed("no temporary folder could be made for the demo"))?;
    // Inside the folder the commands read as somebody would type them, with the default lock name.
    let before = std::env::current_dir().map_err(failed("the current folder is not known"))?;
    std::env::set_current_dir(folder.path()).map_err(failed("the demo's folder could not be entered"))?;
    let outcome = three_acts(terminal, &program);
    // A folder that is in use cannot be removed everywhere.
    std::env::set_current_dir(before).map_err(failed("the way back out of the demo's folder is gone"))?;
    outcome
}

fn three_acts(terminal: &Terminal, program: &Path) -> Result<ExitStatus, CommandError> {
    let failed = |what: &'static str| move |error: std::io::Error| CommandError::file(what, error.to_string());
    let face = Path::new("notes-server-state");
    let server: [OsString; 3] = [program.into(), "demo-server".into(), face.into()];
    let show_face =
        |content: &str| std::fs::write(face, content).map_err(failed("the demo server's file could not be written"));

    say("1. Pin a server: look at it once, write down what it declares.\n\n");
    show_face("honest")?;
    let pinned = act(terminal, &pin_words(&server))?;

    say("\n2. Check it, as CI would with every build. Nothing changed.\n\n");
    let clean = act(terminal, &check_words())?;

    say("\n3. The same command, a week later: the server now describes a tool differently (a rug pull).\n\n");
    show_face(RUG_PULLED)?;
    let caught = act(terminal, &check_words())?;

    let as_told = (pinned, clean, caught) == (ExitStatus::Success, ExitStatus::Success, ExitStatus::Drift);
    if as_told {
        say(EPILOGUE);
        return Ok(ExitStatus::Success);
    }
    Err(CommandError::file("the demo did not go as it should", "a step ended with another status than expected"))
}

const EPILOGUE: &str = "
The build would have failed there, before the new text reached a model. Try it on a server of your own:

  warden pin -- npx -y some-server@1.2.3
  warden check
";

fn pin_words(server: &[OsString]) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["warden".into(), "pin".into(), "--".into()];
    words.extend(server.iter().cloned());
    words
}

fn check_words() -> Vec<OsString> {
    vec!["warden".into(), "check".into()]
}

/// Shows a command and runs it as if it had been typed.
fn act(terminal: &Terminal, words: &[OsString]) -> Result<ExitStatus, CommandError> {
    say(&format!("$ {}\n", quote_argv(words.iter().map(|word| word.to_string_lossy()))));
    let cli = super::Cli::try_parse_from(words).map_err(|error| CommandError::usage(error.to_string()))?;
    let outcome: Outcome = match &cli.command {
        Command::Pin(args) => with_context(terminal, |context| pin::run(args, context))?,
        Command::Check(args) => with_context(terminal, |context| check::run(args, context))?,
        _ => return Err(CommandError::usage("not a step of the demo")),
    };
    let status = finish(outcome, terminal);
    say(&format!("exit {}\n", status.code()));
    Ok(status)
}

fn say(text: &str) {
    // A closed stream has nobody to tell.
    let _ = write_out(text);
}
