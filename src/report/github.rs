//! Workflow commands of GitHub Actions: annotations on the lock, and nothing else.
//!
//! Every line is a command of ours, and everything from outside stands in the value of a property or behind the last
//! `::`, escaped by GitHub's rules. So no line can be something that a server wrote.

use super::Rendering;
use super::accepted::{accepted_headline, accepted_lines};
use super::error::ErrorReport;
use super::facts::{Fact, FactKind, facts};
use super::headline::headline;
use super::lines::LockLines;
use super::model::Report;
use crate::finding::Severity;
use crate::text::{Charset, escape, inert, is_hidden, shorten, visibly};
use std::collections::HashMap;

/// GitHub keeps this many annotations of each level for a step and drops the rest without a word.
const MAX_OF_A_LEVEL: usize = 10;
/// Lines of one annotation.
const MAX_LINES: usize = 10;
const MAX_NAME: usize = 120;
const MAX_MESSAGE: usize = 500;
/// Characters of a line: a message and what stands behind it.
const MAX_LINE: usize = 1_200;

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
    let asides = asides(report);
    let facts = facts(report);
    for level in [Level::Error, Level::Warning, Level::Notice] {
        let groups = by_target(facts.iter().filter(|fact| Level::of(fact, succeeds) == level));
        let mut room = MAX_OF_A_LEVEL - usize::from(level == verdict_level);
        if level == Level::Notice {
            // Before the facts of that level, so that no number of them can push these out.
            for (title, lines) in &asides {
                command(&mut out, level, &place, title, &some_of(lines));
            }
            room -= asides.len();
        }
        let shown = if groups.len() > room { room - 1 } else { groups.len() };
        for group in &groups[..shown] {
            let place = Place { uri: rendering.lock_uri, line: lines.line(group[0].target) };
            command(&mut out, level, &place, &title_of(group), &message_of(group));
        }
        if groups.len() > shown {
            let more = groups.len() - shown;
            let message = format!(
                "{more} more of this level are not shown as annotations: GitHub keeps {MAX_OF_A_LEVEL} for each step. \
                 The step summary has them, and so has the same command without --format github"
            );
            command(&mut out, level, &place, &format!("warden: {more} more"), &message);
        }
    }
    out
}

/// What decides nothing and must not be lost: what a file of the repository lets pass, and the notes.
fn asides(report: &Report) -> Vec<(String, Vec<String>)> {
    let mut asides = Vec::new();
    asides.extend(accepted_headline(report).map(|words| (format!("warden: {words}"), accepted_lines(report))));
    if !report.notes.is_empty() {
        let n = report.notes.len();
        asides.push((format!("warden: {n} note{}", if n == 1 { "" } else { "s" }), report.notes.clone()));
    }
    asides
}

/// Facts of one target stand together, where the worst of them would stand: a tool that changed in thirty ways must not
/// use up the annotations of all others.
fn by_target<'f, 'r>(facts: impl Iterator<Item = &'f Fact<'r>>) -> Vec<Vec<&'f Fact<'r>>> {
    let mut groups: Vec<Vec<&Fact<'r>>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for fact in facts {
        match known.get(fact.target) {
            Some(&at) => groups[at].push(fact),
            None => {
                known.insert(fact.target, groups.len());
                groups.push(vec![fact]);
            }
        }
    }
    groups
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

fn title_of(group: &[&Fact<'_>]) -> String {
    let target = small(group[0].target);
    let what = match group {
        [fact] => match (fact.kind, fact.class) {
            (FactKind::Drift, Some(class)) => small(class),
            (FactKind::Finding, _) => "finding".to_owned(),
            _ => "not captured".to_owned(),
        },
        _ => {
            let findings = group.iter().filter(|fact| fact.kind == FactKind::Finding).count();
            let parts = [(group.len() - findings, "change"), (findings, "finding")];
            let words = parts.iter().filter(|(n, _)| *n > 0);
            let words = words.map(|(n, noun)| format!("{n} {noun}{}", if *n == 1 { "" } else { "s" }));
            words.collect::<Vec<_>>().join(" and ")
        }
    };
    format!("{target}: {what}")
}

fn message_of(group: &[&Fact<'_>]) -> String {
    some_of(&group.iter().map(|fact| line_of(fact)).collect::<Vec<_>>())
}

/// The first lines of a message, and how many more there are.
fn some_of(lines: &[String]) -> String {
    let mut shown: Vec<String> = lines.iter().take(MAX_LINES).map(|line| shorten(line, MAX_LINE)).collect();
    if lines.len() > MAX_LINES {
        shown.push(format!("and {} more", lines.len() - MAX_LINES));
    }
    shown.join("\n")
}

fn line_of(fact: &Fact<'_>) -> String {
    let mut notes = vec![small(fact.class.unwrap_or(fact.rule_id))];
    let path = fact.path.filter(|path| *path != crate::skeleton::ROOT_PATH);
    notes.extend(path.map(|path| format!("at {}", small(path))));
    notes.extend(fact.detail.filter(|_| fact.kind == FactKind::Drift).map(small));
    if !fact.snippet.is_empty() && !fact.message.contains(fact.snippet) {
        notes.push(shorten(fact.snippet, MAX_NAME));
    }
    format!("{} ({})", shorten(&fact.message, MAX_MESSAGE), notes.join(", "))
}

/// A text from outside, short and on one line.
fn small(raw: &str) -> String {
    escape(&shorten(raw, MAX_NAME), Charset::Unicode)
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
    // A file is found by its very name. One that hides something in it is not named.
    if !place.uri.is_empty() && !place.uri.contains(is_hidden) {
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
