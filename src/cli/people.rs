//! Whoever sits at the terminal: shown a report, asked a question.

use super::progress;
use super::terminal::Terminal;
use crate::commands::people::People;
use crate::report::{Format, Report, human};
use std::io::{BufRead as _, IsTerminal as _, Read as _, Write as _};

/// The terminal that this program was started from, if it was.
pub(super) struct Person<'t> {
    pub terminal: &'t Terminal,
}

/// Bytes of an answer that are read.
const MAX_ANSWER: u64 = 4096;

impl People for Person<'_> {
    fn can_be_asked(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// On standard error, like all that is not the report. Machine output holds the same members. Whoever is going to be
    /// asked sees it whole, however quiet the rest should be.
    fn show(&self, report: &Report, asks: bool) {
        if asks || (self.terminal.format == Format::Human && !self.terminal.style.quiet) {
            progress::clear();
            let mut style = self.terminal.style;
            style.color = self.terminal.color_stderr;
            style.quiet = false;
            // Nothing may be approved with an end that was left out.
            style.verbose = true;
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(std::io::stderr(), "{}", human(report, &style));
        }
    }

    fn ask(&self, question: &str) -> Option<String> {
        if !self.can_be_asked() {
            return None;
        }
        forget_typed_ahead();
        let mut err = std::io::stderr();
        // A question that nobody saw has no answer.
        write!(err, "{question}").and_then(|()| err.flush()).ok()?;
        let mut line = Vec::new();
        let read = std::io::stdin().lock().take(MAX_ANSWER).read_until(b'\n', &mut line);
        // An answer that was cut, or that ends with the input, is none. Nothing ended the question's line then, and what
        // is said next begins a line.
        if read.is_err() || line.last() != Some(&b'\n') {
            let _ = writeln!(err);
            return None;
        }
        String::from_utf8(line).ok()
    }
}

/// What was typed before a question was shown does not answer it.
#[cfg(unix)]
fn forget_typed_ahead() {
    use rustix::termios::{QueueSelector, tcflush};
    // Where it cannot be done, what was typed is still somebody's.
    let _ = tcflush(rustix::stdio::stdin(), QueueSelector::IFlush);
}

#[cfg(not(unix))]
fn forget_typed_ahead() {}
