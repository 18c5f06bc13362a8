//! The report about all servers of a project: the verdict, a line for each server, then what there is to say about those
//! that are not good.

use super::super::facts::TOOL_CLASH_RULE;
use super::super::model::{ConfigUse, Report};
use super::super::project::{
    ProjectReport, ServerPart, Standing, clash_count, clash_sentence, only_counts_clashes, project_headline,
    result_words, standing, tells_findings, verdict_words,
};
use super::super::verdict::Verdict;
use super::page::{Page, Style, Tone};
use super::{body, next_lines, note_lines};
use crate::finding::Severity;
use crate::text::{Charset, shorten};
use unicode_width::UnicodeWidthStr as _;

/// Columns of the names in the list; longer ones have a line of their own.
const MAX_COLUMN: usize = 24;
/// Characters of what the list says about a server.
const MAX_WORDS: usize = 300;
/// Names of tools that several servers offer, without `-v`.
const CLASHES_SHOWN: usize = 8;

/// Renders a project for a terminal or a log.
pub fn project_human(project: &ProjectReport, style: &Style) -> String {
    let mut page = Page::new(style);
    let word = project.verdict.word();
    page.make_room_for(word);
    page.column(word, &project_headline(project), "", tone(standing(project.verdict)));
    if style.quiet {
        return page.finish();
    }
    page.blank();
    let names: Vec<String> = project.servers.iter().map(|part| page.text(&part.name)).collect();
    let fitting = names.iter().map(|name| name.width()).filter(|width| *width <= MAX_COLUMN);
    let column = fitting.max().unwrap_or(0);
    for (part, name) in project.servers.iter().zip(&names) {
        server_line(&mut page, part, name, column, style);
    }
    let only_counts = |part: &ServerPart| {
        standing(part.report.verdict) == Standing::Good && !part.report.findings.is_empty() && !has_more(part)
    };
    if !style.verbose && project.servers.iter().any(only_counts) {
        page.line(2, "-v lists the findings that are only counted here", Tone::Dim);
    }
    for part in project.servers.iter().filter(|part| style.verbose || has_more(part)) {
        server_section(&mut page, part, style);
    }
    clash_lines(&mut page, project, style);
    if let (Some(config), true) = (&project.config, style.verbose || standing(project.verdict) != Standing::Good) {
        page.blank();
        let config = page.text(config);
        page.labelled(2, "config", &config);
    }
    note_lines(&mut page, &project.notes);
    next_lines(&mut page, &project.next);
    page.finish()
}

fn tone(standing: Standing) -> Tone {
    match standing {
        Standing::Good => Tone::Good,
        Standing::Wrong | Standing::Unknown => Tone::Bad,
        Standing::Left => Tone::Dim,
    }
}

fn server_line(page: &mut Page<'_>, part: &ServerPart, name: &str, column: usize, style: &Style) {
    let report = &part.report;
    let standing = standing(report.verdict);
    let mark = match (standing, style.charset) {
        (Standing::Good, Charset::Unicode) => "✓",
        (Standing::Good, Charset::Ascii) => "ok",
        (Standing::Wrong, Charset::Unicode) => "✗",
        (Standing::Wrong, Charset::Ascii) => "x ",
        (Standing::Unknown, Charset::Unicode) => "!",
        (Standing::Unknown, Charset::Ascii) => "! ",
        (Standing::Left, Charset::Unicode) => "-",
        (Standing::Left, Charset::Ascii) => "- ",
    };
    let words = shorten(&result_words(part), MAX_WORDS);
    let (word, words) = match standing {
        Standing::Good if matches!(report.verdict, Verdict::Clean | Verdict::Shown) => (String::new(), words),
        Standing::Good => (verdict_words(report.verdict), words),
        Standing::Left => (String::new(), words),
        Standing::Wrong | Standing::Unknown => (report.verdict.word().to_owned(), words),
    };
    let seconds = report.server.as_ref().filter(|_| report.files.read_from.is_none());
    let seconds = seconds.map(|server| format!("{:.1} s", server.seconds)).unwrap_or_default();
    page.server(mark, tone(standing), name, column, (&word, words.trim_end()), &seconds);
}

/// Whether a server has something to tell that its line does not say.
fn has_more(part: &ServerPart) -> bool {
    let report = &part.report;
    if !report.items.is_empty() {
        return true;
    }
    match standing(report.verdict) {
        // One sentence, and the line has it.
        _ if report.said.is_some() => !report.notes.is_empty(),
        Standing::Wrong | Standing::Unknown => true,
        Standing::Left => false,
        // What was accepted, what a first pin found, and a secret that a lock would store, are said whatever else is good.
        Standing::Good => {
            let differs = !report.blocks.is_empty() || report.remaining.as_ref().is_some_and(|rest| !rest.is_empty());
            differs || tells_findings(report) || super::launch_holds_a_secret(report)
        }
    }
}

fn server_section(page: &mut Page<'_>, part: &ServerPart, style: &Style) {
    page.blank();
    let (name, lock) = (page.text(&part.name), page.text(&part.report.subject.lock_path));
    page.server_head(&name, &lock);
    let places: Vec<String> =
        part.places.iter().map(|place| page.text(&format!("{}:{}", place.path, place.line))).collect();
    if !places.is_empty() {
        page.line(2, &places.join(", "), Tone::Dim);
    }
    for item in &part.report.items {
        let (target, digest) = (page.text(&item.target), page.text(&item.digest));
        page.line(2, &target, Tone::Plain);
        page.raw(&format!("    {digest}"));
        if let Some(fingerprint) = &item.fingerprint {
            page.raw(&format!("    portable fingerprint {fingerprint}"));
        }
    }
    // The file is the project's, and named below.
    let is_idle = |config: &&ConfigUse| config.accepted.is_empty() && config.expired.is_empty();
    match part.report.config.as_ref().filter(is_idle) {
        Some(_) => body(page, &Report { config: None, ..part.report.clone() }, style),
        None => body(page, &part.report, style),
    }
}

fn clash_lines(page: &mut Page<'_>, project: &ProjectReport, style: &Style) {
    let all = project.clashes.len();
    if all == 0 {
        return;
    }
    page.blank();
    if only_counts_clashes(project, style.verbose) {
        let count = clash_count(&project.clashes);
        return page.line(2, &format!("{count}: -v lists them"), Tone::Dim);
    }
    // They are no part of the last server's section.
    page.line(0, "Tools of more than one server", Tone::Strong);
    // The line that says that one more is hidden would take the room that hiding it saves.
    let shown = if style.verbose || all <= CLASHES_SHOWN + 1 { all } else { CLASHES_SHOWN };
    for clash in &project.clashes[..shown] {
        page.entry(Severity::Low, &clash_sentence(clash), TOOL_CLASH_RULE);
    }
    if shown < all {
        page.line(4, &format!("and {} more: -v lists them all", all - shown), Tone::Dim);
    }
}
