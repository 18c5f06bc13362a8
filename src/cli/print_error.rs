//! The only place that prints an error: headline, causes, hints.

use super::exit::ExitStatus;
use super::is_machine;
use super::terminal::{Terminal, charset};
use crate::commands::CommandError;
use crate::json::{Object, pretty};
use crate::report::REPORT_VERSION;
use crate::text::{Charset, ascii, escape, escape_hidden};
use anstyle::{AnsiColor, Color, Style};
use clap::Parser as _;
use clap::error::ErrorKind;
use std::borrow::Cow;
use std::ffi::OsString;
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
        write_document(error, status);
    }
    status
}

/// Prints what is wrong with the arguments, in clap's words. It quotes arguments as they came, so the error is made anew
/// of escaped ones: `words` are the arguments, the program's own first.
pub(super) fn usage(error: &clap::Error, words: &[OsString], machine: bool) -> ExitStatus {
    let status = ExitStatus::Usage;
    let words = words.iter().skip(1).map(|word| escape(&word.to_string_lossy(), Charset::Unicode));
    let escaped = std::iter::once("warden".to_owned()).chain(words);
    // Where escaping made the argument a good one, the first error stays, on one line: nothing in it can look like a
    // line of ours.
    let text = match super::Cli::try_parse_from(escaped) {
        Err(same) if same.use_stderr() => same.render().to_string(),
        _ => error.render().to_string().split_whitespace().collect::<Vec<_>>().join(" "),
    };
    let lines: Vec<String> = text.lines().map(escape_hidden).collect();
    lines.iter().for_each(|text| line(text));
    if machine {
        let mut rest = lines.into_iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty());
        let headline = match error.kind() {
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing".to_owned(),
            _ => rest.next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
        };
        let mut usage = CommandError::usage(headline);
        usage.hints = rest.collect();
        write_document(&usage, status);
    }
    status
}

/// An error as the one document on standard output.
fn write_document(error: &CommandError, status: ExitStatus) {
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
    let _ = super::output::write_out(&format!("{}\n", pretty(&document.into())));
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

/// One line on standard error, in the characters that its reader can be shown.
pub(super) fn line(text: &str) {
    let text = match charset() {
        Charset::Unicode => Cow::Borrowed(text),
        Charset::Ascii => Cow::Owned(ascii(text)),
    };
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}
