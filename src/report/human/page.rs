//! Lines on a page: indents, columns, wrapping, tones.

use super::super::model::Piece;
use super::texts::marked;
use super::wrap::{Long, authors_lines, wrap};
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
    /// A name that others belong to.
    Strong,
    Good,
    Bad,
    /// The old side of a change.
    Gone,
    /// The new side of a change.
    Came,
}

/// Names longer than this are cut in reports for people.
const MAX_TEXT: usize = 200;
/// The columns of a label, with the gap behind it.
const LABEL: usize = 11;
/// The same in a report whose verdict is too long for that.
const WIDE_LABEL: usize = 13;
/// The column in which block heads have their severity.
const HEADER: usize = 72;
/// The column in which asides of a list end.
const ASIDE: usize = 72;
/// Below this many columns, texts hang under their labels instead of beside them.
const NARROW: usize = 60;
/// Lines are not longer than this, however wide the terminal is.
const MAX_WIDTH: usize = 120;

/// What is gone and what came.
fn tone_of(mark: char) -> Tone {
    match mark {
        '-' => Tone::Gone,
        '+' => Tone::Came,
        _ => Tone::Dim,
    }
}

/// A text of at most so many columns.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let fits = |count: &usize| shorten(text, *count).width() <= columns;
    shorten(text, (0..columns).rev().find(fits).unwrap_or(0))
}

pub(super) struct Page<'s> {
    style: &'s Style,
    /// Where the text behind a label begins.
    gutter: usize,
    out: String,
}

impl<'s> Page<'s> {
    pub fn new(style: &'s Style) -> Self {
        Self { style, gutter: LABEL, out: String::new() }
    }

    /// Moves the gutter where a verdict needs it, so that all lines of one report begin in one column.
    pub fn make_room_for(&mut self, word: &str) {
        self.gutter = if word.len() < LABEL { LABEL } else { WIDE_LABEL };
    }

    /// A text from outside, safe to print and of bounded length.
    pub fn text(&self, raw: &str) -> String {
        escape(&shorten(raw, MAX_TEXT), Charset::Unicode)
    }

    pub fn dim(&self, text: &str) -> String {
        self.toned(text, Tone::Dim)
    }

    pub fn toned(&self, text: &str, tone: Tone) -> String {
        let style = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Dim => anstyle::Style::new().dimmed(),
            Tone::Good => anstyle::Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::Green))),
            Tone::Strong => anstyle::Style::new().bold(),
            Tone::Gone => anstyle::Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red))),
            Tone::Came => anstyle::Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green))),
            Tone::Bad => anstyle::Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::Red))),
        };
        self.paint(text, style)
    }

    pub fn severity(&self, severity: Severity, width: usize) -> String {
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

    /// Columns that lines are broken at. Wider ones are hard to read.
    pub fn width(&self) -> usize {
        self.style.width.clamp(20, MAX_WIDTH)
    }

    /// Whether there is so little room that columns are given up.
    pub fn is_narrow(&self) -> bool {
        self.width() < NARROW
    }

    /// Wrapped text under an indent; lines after the first hang two columns deeper.
    pub fn line(&mut self, indent: usize, text: &str, tone: Tone) {
        self.wrapped(&" ".repeat(indent), &" ".repeat(indent + 2), text, tone, Long::Keep);
    }

    fn room(&self, prefix: &str) -> usize {
        // Measured without what may colour it.
        let used = anstream::adapter::strip_str(prefix).to_string().width();
        self.width().saturating_sub(used).max(10)
    }

    fn wrapped(&mut self, first: &str, rest: &str, text: &str, tone: Tone, long: Long) {
        for (i, line) in wrap(text, self.room(first), self.room(rest), long).iter().enumerate() {
            let prefix = if i == 0 { first } else { rest };
            let line = self.toned(line, tone);
            self.raw(&format!("{prefix}{line}"));
        }
    }

    /// A text of a stranger's. Every line of it begins with the margin, so that no text can pass for a line of ours;
    /// `mark` stands beside what changed.
    pub fn quoted(&mut self, indent: usize, margin: char, mark: char, pieces: &[Piece]) {
        let prefix = format!("{}{} ", " ".repeat(indent), self.toned(&margin.to_string(), tone_of(margin)));
        let room = self.room(&prefix);
        let mut is_changed = false;
        for pieces in authors_lines(pieces) {
            for line in wrap(&marked(&pieces, mark), room, room, Long::Break) {
                let line = self.with_marks(&line, mark, &mut is_changed);
                self.raw(&format!("{prefix}{line}"));
            }
        }
    }

    /// Colours what stands between marks of change, over line ends too. Outside of our marks their brackets never stand
    /// beside a plus or a minus: they are escaped.
    fn with_marks(&self, line: &str, mark: char, is_changed: &mut bool) -> String {
        let (open, close) = (format!("⟨{mark}"), format!("{mark}⟩"));
        let mut out = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let end = match is_changed {
                true => rest.find(&close).map(|at| at + close.len()),
                false => rest.find(&open),
            };
            let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
            let tone = if *is_changed { tone_of(mark) } else { Tone::Plain };
            out.push_str(&self.toned(part, tone));
            if end.is_some() {
                *is_changed = !*is_changed;
            }
            rest = after;
        }
        out
    }

    /// A short word, then text that hangs behind it.
    pub fn hanging(&mut self, indent: usize, word: &str, text: &str) {
        let first = format!("{}{word} ", " ".repeat(indent));
        self.wrapped(&first, &" ".repeat(first.len()), text, Tone::Plain, Long::Keep);
    }

    /// A pointer, dimmed, and what is said of the place.
    pub fn beside(&mut self, pointer: &str, said: &str) {
        let used = 4 + pointer.width();
        let dim = self.dim(pointer);
        if used + 2 + said.width() <= self.width() {
            self.raw(&format!("    {dim}  {said}"));
        } else {
            self.line(4, pointer, Tone::Dim);
            self.wrapped("      ", "      ", said, Tone::Plain, Long::Break);
        }
    }

    /// A row of a table: a name in its column, a short text, and facts that hang behind both.
    pub fn row(&mut self, indent: usize, name: &str, column: usize, short: &str, facts: &str) {
        let margin = " ".repeat(indent);
        let used = indent + column + 2 + short.width() + 2;
        if self.is_narrow() || used + 16 > self.width() {
            self.raw(&format!("{margin}{name}  {}", short.trim()));
            if !facts.is_empty() {
                let inner = format!("{margin}{}", " ".repeat(name.len() - name.trim_start().len() + 4));
                self.wrapped(&inner, &inner, facts, Tone::Plain, Long::Break);
            }
            return;
        }
        let first = if name.width() <= column {
            format!("{margin}{name}{}  {short}  ", " ".repeat(column - name.width()))
        } else {
            self.raw(&format!("{margin}{name}"));
            format!("{margin}{}  {short}  ", " ".repeat(column))
        };
        self.wrapped(&first, &" ".repeat(used), facts, Tone::Plain, Long::Break);
    }

    /// A word in the margin, then text.
    pub fn labelled(&mut self, indent: usize, label: &str, text: &str) {
        let first = match self.is_narrow() {
            true => format!("{}{label}{}", " ".repeat(indent), if label.is_empty() { "" } else { "  " }),
            false => format!("{}{label:<14} ", " ".repeat(indent)),
        };
        let rest = if self.is_narrow() { " ".repeat(indent + 2) } else { " ".repeat(first.len()) };
        let opening = text.split(' ').next().unwrap_or_default().width();
        if self.is_narrow() && !label.is_empty() && opening > self.room(&first) {
            self.raw(&first);
            self.wrapped(&rest, &rest, text, Tone::Plain, Long::Keep);
            return;
        }
        self.wrapped(&first, &rest, text, Tone::Plain, Long::Keep);
    }

    /// A word, a subject, and what is said of it, on one line where they fit.
    pub fn column(&mut self, word: &str, subject: &str, said: &str, tone: Tone) {
        let gutter = self.gutter.max(word.len() + 1);
        let label = self.toned(&format!("{word:<gutter$}"), tone);
        let used = gutter + subject.width();
        let plain_said = anstream::adapter::strip_str(said).to_string();
        let indent = " ".repeat(if self.is_narrow() { 2 } else { gutter });
        if said.is_empty() && used <= self.width() {
            self.raw(&format!("{label}{subject}"));
        } else if !said.is_empty() && used + 2 + plain_said.width() <= self.width() {
            let most = self.width().saturating_sub(used + plain_said.width()).max(2);
            let gap = 48_usize.saturating_sub(used).max(2).min(most);
            self.raw(&format!("{label}{subject}{}{said}", " ".repeat(gap)));
        } else {
            self.wrapped(&label, &indent, subject, Tone::Plain, Long::Keep);
            if !plain_said.is_empty() {
                self.wrapped(&indent, &indent, &plain_said, Tone::Plain, Long::Keep);
            }
        }
    }

    /// As [`Page::column`] about a launch, which may be long: in a quiet report it is cut.
    pub fn launch_column(&mut self, word: &str, launch: &str, said: &str, tone: Tone) {
        if self.style.quiet && !self.is_narrow() {
            let (launch, said) = self.fitted(word, launch, said);
            self.column(word, &launch, &said, tone);
        } else {
            self.column(word, launch, said, tone);
        }
    }

    /// Subject and what is said of it, cut so that they fit on one line behind a word: the verdict is all that a quiet
    /// report says, and a log shows it in one line. What is said goes before a long subject.
    fn fitted(&self, word: &str, subject: &str, said: &str) -> (String, String) {
        const LEAST: usize = 16;
        let room = self.width().saturating_sub(self.gutter.max(word.len() + 1) + 2);
        let plain = anstream::adapter::strip_str(said).to_string();
        let said = match plain.width() + subject.width().min(LEAST) <= room {
            true => said.to_owned(),
            false => cut(&plain, room.saturating_sub(subject.width().min(LEAST))),
        };
        let used = anstream::adapter::strip_str(&said).to_string().width();
        (cut(subject, room.saturating_sub(used)), said)
    }

    /// The head of a block: target and worst severity, in one column for all blocks.
    pub fn header(&mut self, target: &str, severity: Severity) {
        let used = 2 + target.width();
        let column = HEADER.min(self.width().saturating_sub(8));
        let shown = self.toned(target, Tone::Strong);
        let severity_word = self.severity(severity, 0);
        if used + 2 <= column || used + 2 + severity.as_str().len() <= self.width() {
            let gap = column.saturating_sub(used).max(2);
            self.raw(&format!("  {shown}{}{severity_word}", " ".repeat(gap)));
        } else {
            for (i, line) in wrap(target, self.room("  "), self.room("    "), Long::Keep).iter().enumerate() {
                let line = self.toned(line, Tone::Strong);
                self.raw(&format!("{}{line}", if i == 0 { "  " } else { "    " }));
            }
            self.raw(&format!("{}{severity_word}", " ".repeat(column)));
        }
    }

    /// One fact: severity, plain words, and behind them, dimmed, what a rule or class calls it.
    pub fn entry(&mut self, severity: Severity, words: &str, small: &str) {
        let (first, rest) = match self.is_narrow() {
            true => (format!("    {}  ", self.severity(severity, 0)), " ".repeat(6)),
            false => (format!("    {} ", self.severity(severity, 8)), " ".repeat(13)),
        };
        let small = format!("[{small}]");
        let mut lines = wrap(words, self.room(&first), self.room(&rest), Long::Keep);
        let room = if lines.len() == 1 { self.room(&first) } else { self.room(&rest) };
        let dim = self.dim(&small);
        match lines.last_mut() {
            Some(last) if last.width() + 1 + small.width() <= room => *last = format!("{last} {dim}"),
            _ => lines
                .extend(wrap(&small, self.room(&rest), self.room(&rest), Long::Keep).iter().map(|line| self.dim(line))),
        }
        for (i, line) in lines.iter().enumerate() {
            let prefix = if i == 0 { &first } else { &rest };
            self.raw(&format!("{prefix}{line}"));
        }
    }

    /// Where the words of an [`entry`](Self::entry) begin.
    pub fn entry_indent(&self) -> usize {
        if self.is_narrow() { 6 } else { 13 }
    }

    /// A label under an entry, and text that must survive copying: on the same line where it fits, else alone in one.
    pub fn beneath(&mut self, label: &str, text: &str) {
        let margin = " ".repeat(self.entry_indent());
        let label_shown = self.dim(label);
        if margin.len() + label.len() + 1 + text.width() <= self.width() {
            self.raw(&format!("{margin}{label_shown} {text}"));
        } else {
            self.raw(&format!("{margin}{label_shown}"));
            self.raw(&format!("{margin}{text}"));
        }
    }

    /// A server in a list: how it stands, its name in a column, and what is said of it, with an aside at the end.
    pub fn server(&mut self, mark: &str, tone: Tone, name: &str, column: usize, said: (&str, &str), aside: &str) {
        let (word, words) = said;
        let head = format!("  {} ", self.toned(mark, tone));
        let indent = 3 + mark.width();
        let mut first =
            format!("{head}{}{}  ", self.toned(name, Tone::Strong), " ".repeat(column.saturating_sub(name.width())));
        let mut hang = indent + column + 2;
        if name.width() > column || self.is_narrow() || hang + word.width() + 18 > self.width() {
            self.wrapped(&head, &" ".repeat(indent), name, Tone::Strong, Long::Break);
            hang = indent + 2;
            first = " ".repeat(hang);
        }
        if !word.is_empty() {
            first.push_str(&self.toned(word, tone));
            first.push_str(if words.is_empty() { "" } else { "  " });
        }
        let rest = " ".repeat(hang);
        let mut lines = wrap(words, self.room(&first), self.room(&rest), Long::Keep);
        lines.resize(lines.len().max(1), String::new());
        let last = lines.len() - 1;
        for (i, line) in lines.iter().enumerate() {
            let mut line = format!("{}{line}", if i == 0 { &first } else { &rest });
            let used = anstream::adapter::strip_str(&line).to_string().width();
            let gap = ASIDE.saturating_sub(used + aside.width()).max(2);
            if i == last && !aside.is_empty() && used + gap + aside.width() <= self.width() {
                line.push_str(&format!("{}{}", " ".repeat(gap), self.dim(aside)));
            }
            self.raw(&line);
        }
    }

    /// The head of what is said about one server of several.
    pub fn server_head(&mut self, name: &str, lock: &str) {
        if !lock.is_empty() && name.width() + 2 + lock.width() <= self.width() {
            let line = format!("{}  {}", self.toned(name, Tone::Strong), self.dim(lock));
            self.raw(&line);
            return;
        }
        self.wrapped("", "  ", name, Tone::Strong, Long::Break);
        if !lock.is_empty() {
            self.line(2, lock, Tone::Dim);
        }
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
