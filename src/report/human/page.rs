//! Lines on a page: indents, columns, wrapping, tones.

use crate::finding::Severity;
use crate::text::{Charset, ascii, escape, shorten};
use anstyle::{AnsiColor, Color};
use unicode_width::UnicodeWidthStr as _;

/// How a report for people looks. Colour repeats what words say already.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub color: bool,
    /// Columns to wrap at.
    pub width: usize,
    pub charset: Charset,
    /// The verdict line only.
    pub quiet: bool,
    /// Everything that is known.
    pub verbose: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, width: 100, charset: Charset::Unicode, quiet: false, verbose: false }
    }
}

/// The mood of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Dim,
    Good,
    Bad,
}

/// Names longer than this are cut in reports for people.
const MAX_TEXT: usize = 200;
const LABEL: usize = 11;

pub(super) struct Page<'s> {
    style: &'s Style,
    out: String,
}

impl<'s> Page<'s> {
    pub fn new(style: &'s Style) -> Self {
        Self { style, out: String::new() }
    }

    /// A text from outside, safe to print and of bounded length.
    pub fn text(&self, raw: &str) -> String {
        escape(&shorten(raw, MAX_TEXT), Charset::Unicode)
    }

    pub fn dim(&self, text: &str) -> String {
        self.toned(text, Tone::Dim)
    }

    fn toned(&self, text: &str, tone: Tone) -> String {
        let style = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Dim => anstyle::Style::new().dimmed(),
            Tone::Good => anstyle::Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::Green))),
            Tone::Bad => anstyle::Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::Red))),
        };
        self.paint(text, style)
    }

    fn severity(&self, severity: Severity, width: usize) -> String {
        let color = match severity {
            Severity::Critical | Severity::High => AnsiColor::Red,
            Severity::Medium => AnsiColor::Yellow,
            Severity::Low => AnsiColor::Cyan,
        };
        let style = anstyle::Style::new().fg_color(Some(Color::Ansi(color)));
        self.paint(&format!("{severity:<width$}"), style)
    }

    fn paint(&self, text: &str, style: anstyle::Style) -> String {
        if self.style.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    pub fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// One line as it is.
    pub fn raw(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    /// Wrapped text under an indent; lines after the first hang two columns deeper.
    pub fn line(&mut self, indent: usize, text: &str, tone: Tone) {
        self.wrapped(&" ".repeat(indent), &" ".repeat(indent + 2), text, tone);
    }

    fn wrapped(&mut self, first: &str, rest: &str, text: &str, tone: Tone) {
        let width = self.style.width.max(20);
        let room = |prefix: &str| width.saturating_sub(prefix.width()).max(10);
        // Measured without the prefixes, which may hold colour.
        // Only at spaces: a pointer, a path or a name that is broken in two can be neither copied nor searched for.
        let options = textwrap::Options::new(room(rest))
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(true);
        for (i, line) in textwrap::wrap(text, options).iter().enumerate() {
            let prefix = if i == 0 { first } else { rest };
            let line = self.toned(line, tone);
            self.raw(&format!("{prefix}{line}"));
        }
    }

    /// A short word, then text that hangs behind it.
    pub fn hanging(&mut self, indent: usize, word: &str, text: &str) {
        let first = format!("{}{word} ", " ".repeat(indent));
        self.wrapped(&first, &" ".repeat(first.len()), text, Tone::Plain);
    }

    /// A word in the margin, then text.
    pub fn labelled(&mut self, indent: usize, label: &str, text: &str) {
        let first = format!("{}{label:<14} ", " ".repeat(indent));
        let rest = " ".repeat(first.len());
        self.wrapped(&first, &rest, text, Tone::Plain);
    }

    /// A word, a subject, and what is said of it, on one line where they fit.
    pub fn column(&mut self, word: &str, subject: &str, said: &str, tone: Tone) {
        let label = self.toned(&format!("{word:<width$}", width = LABEL.max(word.len() + 1)), tone);
        let used = LABEL.max(word.len() + 1) + subject.width();
        let plain_said = anstream::adapter::strip_str(said).to_string();
        if said.is_empty() {
            self.raw(&format!("{label}{subject}"));
        } else if used + 2 + plain_said.width() <= self.style.width.max(20) {
            let gap = 48_usize
                .saturating_sub(used)
                .max(2)
                .min(self.style.width.saturating_sub(used + plain_said.width()).max(2));
            self.raw(&format!("{label}{subject}{}{said}", " ".repeat(gap)));
        } else {
            self.raw(&format!("{label}{subject}"));
            let indent = " ".repeat(LABEL);
            self.wrapped(&indent, &indent, &plain_said, Tone::Plain);
        }
    }

    /// The head of a block: target and worst severity.
    pub fn header(&mut self, target: &str, severity: Severity) {
        let gap = 72_usize.min(self.style.width.saturating_sub(10)).saturating_sub(2 + target.width()).max(2);
        let target = self.paint(target, anstyle::Style::new().bold());
        let severity = self.severity(severity, 0);
        self.raw(&format!("  {target}{}{severity}", " ".repeat(gap)));
    }

    /// One fact: severity, plain words, and the technical line below, dimmed.
    pub fn entry(&mut self, severity: Severity, words: &str, small: &str) {
        let first = format!("    {} ", self.severity(severity, 8));
        let rest = " ".repeat(13);
        self.wrapped(&first, &rest, words, Tone::Plain);
        self.wrapped(&rest, &rest, small, Tone::Dim);
    }

    /// The finished text; in ASCII where the reader can show nothing else.
    pub fn finish(self) -> String {
        match self.style.charset {
            Charset::Unicode => self.out,
            // Everything is escaped by now.
            Charset::Ascii => ascii(&self.out),
        }
    }
}
