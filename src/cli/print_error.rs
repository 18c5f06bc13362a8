//! The only place that prints an error: headline, causes, hints.

use super::exit::ExitStatus;
use super::terminal::{Terminal, charset};
use crate::commands::CommandError;
use crate::text::{Charset, ascii, escape, escape_hidden, inert, visibly};
use anstyle::{AnsiColor, Color, Style};
use clap::Parser as _;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::Write as _;

/// Prints an error for people on standard error, and gives the status to end with. That is all of it only where a report
/// was delivered already: elsewhere [`output::print_error`](super::output::print_error) tells it in every format.
pub(super) fn on_stderr(error: &CommandError, terminal: &Terminal) -> ExitStatus {
    say("error", AnsiColor::Red, &error.headline, terminal);
    for cause in &error.causes {
        line(&format!("  {cause}"));
    }
    for hint in &error.hints {
        say("  hint", AnsiColor::Cyan, hint, terminal);
    }
    ExitStatus::Usage
}

/// Prints what is wrong with the arguments, in clap's words. It quotes arguments as they came, so the error is made anew
/// of escaped ones: `words` are the arguments, the program's own first. Gives the same for other formats.
pub(super) fn usage(error: &clap::Error, words: &[OsString]) -> CommandError {
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
    let mut rest = lines.into_iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty());
    let headline = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing".to_owned(),
        _ => rest.next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
    };
    let mut usage = CommandError::usage(headline);
    usage.hints = rest.collect();
    usage
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

/// One line on standard error, in the characters that its reader can be shown. Logs of CI systems obey what they find
/// there as they do on standard output.
pub(super) fn line(text: &str) {
    let text = inert(text, visibly);
    let text = match charset() {
        Charset::Unicode => text,
        Charset::Ascii => ascii(&text),
    };
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}
