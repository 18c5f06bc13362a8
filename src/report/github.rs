//! Workflow commands of GitHub Actions: annotations on locks and other files, and nothing else.
//!
//! Every line is a command of ours, and everything from outside stands in the value of a property or behind the last
//! `::`, escaped by GitHub's rules. So no line can be something that a server wrote.

use super::Rendering;
use super::accepted::{accepted_headline, accepted_lines};
use super::error::ErrorReport;
use super::facts::{Fact, FactKind};
use super::headline::headline;
use super::lines::{LockLines, Place};
use super::model::Report;
use super::project::Part;
use super::verdict::Verdict;
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
    github_of(&[Part::only(report, rendering)], report.verdict, &headline(report), rendering)
}

/// Renders several reports: one verdict, then the facts of all of them, worst first, within the limits of one step.
pub(super) fn github_of(parts: &[Part<'_>], verdict: Verdict, said: &str, rendering: &Rendering<'_>) -> String {
    let succeeds = rendering.exit_code == 0;
    let verdict_level = if succeeds { Level::Notice } else { Level::Error };
    let mut out = String::new();
    let top = Place { uri: rendering.lock_uri, line: 1, column: None };
    command(&mut out, verdict_level, &top, &format!("warden: {}", verdict.word()), said);
    let asides = asides(parts);
    let told = told(parts);
    for level in [Level::Error, Level::Warning, Level::Notice] {
        let groups = grouped(told.iter().filter(|told| told.level == level));
        let mut room = MAX_OF_A_LEVEL - usize::from(level == verdict_level);
        if level == Level::Notice {
            // Before the facts of that level, so that no number of them can push these out.
            for (title, lines) in &asides {
                command(&mut out, level, &top, title, &some_of(lines));
            }
            room -= asides.len();
        }
        let shown = if groups.len() > room { room - 1 } else { groups.len() };
        for group in &groups[..shown] {
            let title = group[0].part.qualified(&title_of(group));
            command(&mut out, level, &group[0].place, &title, &message_of(group));
        }
        if groups.len() > shown {
            let more = groups.len() - shown;
            let message = format!(
                "{more} more of this level are not shown as annotations: GitHub keeps {MAX_OF_A_LEVEL} for each step. \
                 The step summary has them, and so has the same command without --format github"
            );
            command(&mut out, level, &top, &format!("warden: {more} more"), &message);
        }
    }
    out
}

/// A fact on its way into an annotation.
struct Told<'p, 'r> {
    fact: Fact<'r>,
    part: &'p Part<'r>,
    place: Place<'r>,
    level: Level,
}

/// The facts of all parts, worst first.
fn told<'p, 'r>(parts: &'p [Part<'r>]) -> Vec<Told<'p, 'r>> {
    let mut told: Vec<Told<'p, 'r>> = Vec::new();
    for part in parts {
        let lines = LockLines::of(&part.report.lock_text);
        told.extend(part.facts().into_iter().map(|fact| Told {
            place: part.place_of(&fact, &lines),
            level: Level::of(&fact, !part.fails),
            fact,
            part,
        }));
    }
    // Stable: within a severity the order is that of the parts.
    told.sort_by_key(|told| (std::cmp::Reverse(told.fact.severity), told.fact.kind == FactKind::Finding));
    told
}

/// What decides nothing and must not be lost: what a file of the repository lets pass, and the notes.
fn asides(parts: &[Part<'_>]) -> Vec<(String, Vec<String>)> {
    let mut asides = Vec::new();
    let accepted =
        parts.iter().flat_map(|part| accepted_lines(part.report).into_iter().map(|line| part.qualified(&line)));
    let accepted: Vec<String> = accepted.collect();
    let headlines: Vec<String> = parts.iter().filter_map(|part| accepted_headline(part.report)).collect();
    match headlines.as_slice() {
        [] => {}
        [words] => asides.push((format!("warden: {words}"), accepted)),
        _ => asides.push((format!("warden: {} findings accepted", accepted.len()), accepted)),
    }
    let notes = parts.iter().flat_map(|part| part.report.notes.iter().map(|note| part.qualified(note)));
    let notes: Vec<String> = notes.collect();
    if !notes.is_empty() {
        let n = notes.len();
        asides.push((format!("warden: {n} note{}", if n == 1 { "" } else { "s" }), notes));
    }
    asides
}

/// Facts of one target stand together, where the worst of them would stand: a tool that changed in thirty ways must not
/// use up the annotations of all others.
fn grouped<'t, 'p, 'r>(all: impl Iterator<Item = &'t Told<'p, 'r>>) -> Vec<Vec<&'t Told<'p, 'r>>> {
    let mut groups: Vec<Vec<&Told<'p, 'r>>> = Vec::new();
    let mut known = HashMap::new();
    for told in all {
        // A server has one part.
        let key = (told.part.server, told.fact.target, told.fact.place);
        match known.get(&key) {
            Some(&at) => {
                let group: &mut Vec<_> = &mut groups[at];
                group.push(told);
            }
            None => {
                known.insert(key, groups.len());
                groups.push(vec![told]);
            }
        }
    }
    groups
}

/// Renders an error.
pub fn github_error(error: &ErrorReport<'_>, rendering: &Rendering<'_>) -> String {
    let mut out = String::new();
    let place = Place { uri: rendering.lock_uri, line: 1, column: None };
    let lines: Vec<String> =
        std::iter::once(error.sentence()).chain(error.hints.iter().map(|hint| format!("hint: {hint}"))).collect();
    command(&mut out, Level::Error, &place, "warden: ERROR", &lines.join("\n"));
    out
}

fn title_of(group: &[&Told<'_, '_>]) -> String {
    let target = small(group[0].fact.target);
    let what = match group {
        [told] => match (told.fact.kind, told.fact.class) {
            (FactKind::Drift, Some(class)) => small(class),
            (FactKind::Finding, _) => "finding".to_owned(),
            _ => "not captured".to_owned(),
        },
        _ => {
            let findings = group.iter().filter(|told| told.fact.kind == FactKind::Finding).count();
            let parts = [(group.len() - findings, "change"), (findings, "finding")];
            let words = parts.iter().filter(|(n, _)| *n > 0);
            let words = words.map(|(n, noun)| format!("{n} {noun}{}", if *n == 1 { "" } else { "s" }));
            words.collect::<Vec<_>>().join(" and ")
        }
    };
    format!("{target}: {what}")
}

fn message_of(group: &[&Told<'_, '_>]) -> String {
    some_of(&group.iter().map(|told| line_of(&told.fact)).collect::<Vec<_>>())
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
    // What is cut does something else.
    let fix = fact.fix.filter(|fix| fix.chars().count() <= MAX_MESSAGE);
    let fix = fix.map(|fix| format!("; to mend it: {fix}")).unwrap_or_default();
    format!("{} ({}){fix}", shorten(&fact.message, MAX_MESSAGE), notes.join(", "))
}

/// A text from outside, short and on one line.
fn small(raw: &str) -> String {
    escape(&shorten(raw, MAX_NAME), Charset::Unicode)
}

/// One command on one line.
fn command(out: &mut String, level: Level, place: &Place<'_>, title: &str, message: &str) {
    out.push_str("::");
    out.push_str(level.word());
    out.push(' ');
    // A file is found by its very name. One that hides something in it is not named.
    if !place.uri.is_empty() && !place.uri.contains(is_hidden) {
        out.push_str(&format!("file={},line={},", property(place.uri), place.line));
        if let Some(column) = place.column {
            out.push_str(&format!("col={column},"));
        }
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
