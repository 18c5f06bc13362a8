//! The only place that prints an error: headline, causes, hints.

use super::exit::ExitStatus;
use super::is_machine;
use super::terminal::Terminal;
use crate::commands::CommandError;
use crate::json::{Object, pretty};
use crate::report::REPORT_VERSION;
use anstyle::{AnsiColor, Color, Style};
use std::io::Write as _;

/// Prints an error for people on standard error and, where machine output was asked for, as a document on standard
/// output. Gives the status to end with.
pub(super) fn print(error: &CommandError, terminal: &Terminal) -> ExitStatus {
    let status = ExitStatus::Usage;
    say("error", AnsiColor::Red, &error.headline, terminal);
    for cause in &error.causes {
        line(&format!("  {cause}"));
    }
    for hint in &error.hints {
        say("  hint", AnsiColor::Cyan, hint, terminal);
    }
    if is_machine(terminal.format) {
        let mut document = Object::new();
        document.insert("report_version", REPORT_VERSION);
        document.insert("verdict", "error");
        document.insert("exit_code", i64::from(status.code()));
        let mut body = Object::new();
        body.insert("message", error.headline.as_str());
        body.insert("causes", error.causes.clone());
        body.insert("hints", error.hints.clone());
        document.insert("error", body);
        // A closed stream has nobody to tell; the status says it too.
        let _ = super::write_out(&format!("{}\n", pretty(&document.into())));
    }
    status
}

/// Prints a warning on standard error.
pub(super) fn warn(text: &str, terminal: &Terminal) {
    say("warning", AnsiColor::Yellow, text, terminal);
}

fn say(word: &str, color: AnsiColor, text: &str, terminal: &Terminal) {
    let style =
        if terminal.color_stderr { Style::new().bold().fg_color(Some(Color::Ansi(color))) } else { Style::new() };
    line(&format!("{style}{word}:{style:#} {text}"));
}

fn line(text: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}
