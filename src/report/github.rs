//! Workflow commands of GitHub Actions: annotations on the lock, and nothing else.
//!
//! Every line is a command of ours, and everything from outside stands in the value of a property or behind the last
//! `::`, escaped by GitHub's rules. So no line can be something that a server wrote.

use super::Rendering;
use super::error::ErrorReport;
use super::facts::{Fact, FactKind, facts};
use super::headline::headline;
use super::lines::LockLines;
use super::model::Report;
use crate::finding::Severity;
use crate::text::{Charset, escape, inert, shorten, visibly};

/// GitHub keeps this many annotations of each level for a step and drops the rest without a word.
const MAX_OF_A_LEVEL: usize = 10;
const MAX_TITLE: usize = 120;
const MAX_MESSAGE: usize = 2_000;

/// The level of an annotation, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }

    /// A run that succeeds shows no errors, and what a pin accepted is no more than news.
    fn of(fact: &Fact<'_>, succeeds: bool) -> Self {
        match fact.severity {
            _ if succeeds && fact.kind == FactKind::Drift => Self::Notice,
            Severity::Critical | Severity::High if !succeeds => Self::Error,
            Severity::Critical | Severity::High | Severity::Medium => Self::Warning,
            Severity::Low => Self::Notice,
        }
    }
}

/// Renders a report: the verdict, then the facts, worst first.
pub fn github(report: &Report, rendering: &Rendering<'_>) -> String {
    let succeeds = rendering.exit_code == 0;
    let lines = LockLines::of(&report.lock_text);
    let verdict_level = if succeeds { Level::Notice } else { Level::Error };
    let mut out = String::new();
    let place = Place { uri: rendering.lock_uri, line: 1 };
    let title = format!("warden: {}", report.verdict.word());
    command(&mut out, verdict_level, &place, &title, &headline(report));
    let facts = facts(report);
    for level in [Level::Error, Level::Warning, Level::Notice] {
        let of_level: Vec<&Fact<'_>> = facts.iter().filter(|fact| Level::of(fact, succeeds) == level).collect();
        let room = MAX_OF_A_LEVEL - usize::from(level == verdict_level);
        let shown = if of_level.len() > room { room - 1 } else { of_level.len() };
        for fact in &of_level[..shown] {
            let place = Place { uri: rendering.lock_uri, line: lines.line(fact.target) };
            command(&mut out, level, &place, &title_of(fact), &message_of(fact));
        }
        if of_level.len() > shown {
            let more = of_level.len() - shown;
            let message = format!(
                "{more} more of this level are not shown as annotations: GitHub keeps {MAX_OF_A_LEVEL} for each step. \
                 The step summary has them, and so has the same command without --format github"
            );
            command(&mut out, level, &place, &format!("warden: {more} more"), &message);
        }
    }
    out
}

/// Renders an error.
pub fn github_error(error: &ErrorReport<'_>, rendering: &Rendering<'_>) -> String {
    let mut out = String::new();
    let place = Place { uri: rendering.lock_uri, line: 1 };
    let lines: Vec<String> =
        std::iter::once(error.sentence()).chain(error.hints.iter().map(|hint| format!("hint: {hint}"))).collect();
    command(&mut out, Level::Error, &place, "warden: ERROR", &lines.join("\n"));
    out
}

fn title_of(fact: &Fact<'_>) -> String {
    let target = escape(&shorten(fact.target, MAX_TITLE), Charset::Unicode);
    match (fact.kind, fact.class) {
        (FactKind::Finding, _) => format!("{target}: finding"),
        (_, Some(class)) => format!("{target}: {}", escape(class, Charset::Unicode)),
        (_, None) => target,
    }
}

fn message_of(fact: &Fact<'_>) -> String {
    let small = |text: &str| escape(&shorten(text, MAX_TITLE), Charset::Unicode);
    let mut notes = vec![small(fact.rule_id)];
    let path = fact.path.filter(|path| *path != crate::skeleton::ROOT_PATH);
    notes.extend(path.map(|path| format!("at {}", small(path))));
    notes.extend(fact.detail.filter(|_| fact.kind == FactKind::Drift).map(small));
    if !fact.snippet.is_empty() && !fact.message.contains(fact.snippet) {
        notes.push(shorten(fact.snippet, MAX_TITLE));
    }
    format!("{}\n({})", shorten(&fact.message, MAX_MESSAGE), notes.join(", "))
}

struct Place<'p> {
    uri: &'p str,
    line: usize,
}

/// One command on one line.
fn command(out: &mut String, level: Level, place: &Place<'_>, title: &str, message: &str) {
    out.push_str("::");
    out.push_str(level.word());
    out.push(' ');
    if !place.uri.is_empty() {
        // A file is found by its very name, so hidden characters stay; the rules of properties cover line ends.
        out.push_str(&format!("file={},line={},", property(place.uri), place.line));
    }
    // Other systems look for commands anywhere in a line, and this output may end up in their logs.
    let message = inert(message, visibly);
    out.push_str(&format!("title={}::{}\n", property(&inert(title, visibly)), data(&message)));
}

/// The text behind the last `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped_by_the_documented_rules() {
        assert_eq!(data("100%\r\n%0A::error::a,b"), "100%25%0D%0A%250A::error::a,b");
        assert_eq!(property("a:b,c%\r\n"), "a%3Ab%2Cc%25%0D%0A");
    }
}
