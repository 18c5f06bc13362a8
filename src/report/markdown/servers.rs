//! The report about all servers of a project: a table of them, and a section for each that is not good.

use super::{Part, RESERVE, fit, marker, name, parts, prose, sentence, tail};
use crate::report::Rendering;
use crate::report::model::{Report, Subject};
use crate::report::project::{
    ProjectReport, ServerPart, Standing, clash_count, clash_sentence, entries_words, only_counts_clashes,
    project_headline, result_words, standing, tells_findings, verdict_words,
};
use crate::text::{inert, shorten, visibly};

/// Characters of a result in the table.
const MAX_RESULT: usize = 300;
/// A section that has less room than this says nothing.
const LEAST: usize = 700;

/// Renders a project in at most `limit` bytes, which must be some thousands.
pub fn project_markdown_within(project: &ProjectReport, rendering: &Rendering<'_>, limit: usize) -> String {
    let headline = sentence(&project_headline(project));
    let mut out = format!("{}## warden: {}\n\n{headline}\n\n", marker(rendering), project.verdict.word());
    out.push_str(&table(&project.servers, limit / 3));
    let own = said(project, rendering.style.verbose);
    let heading = if own.notes.is_empty() { "" } else { "## All servers\n\n" };
    let clashes = clashes(project, rendering.style.verbose, limit / 12);
    let tail = format!("{clashes}{heading}{}", tail(&own, limit / 6));
    let mut sections: Vec<(&ServerPart, Vec<Part>, usize)> = project
        .servers
        .iter()
        .filter(|part| is_told(part))
        .map(|part| {
            let parts = parts(&part.report);
            let length =
                head(part).len() + parts.iter().map(|part| part.brief.len() + part.details.len()).sum::<usize>();
            (part, parts, length)
        })
        .collect();
    let mut room = limit.saturating_sub(out.len() + tail.len() + RESERVE);
    let most = room / LEAST;
    let left_out = sections.len().saturating_sub(most);
    // Those that are known to be wrong stay.
    sections.sort_by_key(|(part, ..)| standing(part.report.verdict));
    sections.truncate(most);
    let lengths: Vec<usize> = sections.iter().map(|(_, _, length)| *length).collect();
    let share = fair_share(&lengths, room);
    sections.sort_by(|(a, ..), (b, ..)| a.name.cmp(&b.name));
    for (part, mut parts, length) in sections {
        let head = head(part);
        let space = length.min(share).min(room);
        let inner = if length <= space { length } else { space.saturating_sub(RESERVE) };
        let said = fit(&mut parts, inner.saturating_sub(head.len()), part.report.command);
        let text: String = parts.iter().map(|part| format!("{}{}", part.brief, part.details)).collect();
        let section = format!("{head}{text}{said}");
        room = room.saturating_sub(section.len());
        out.push_str(&section);
    }
    if left_out > 0 {
        out.push_str(&format!("**{left_out} more servers have something to tell.** A comment must not be longer.\n\n"));
    }
    out.push_str(&tail);
    inert(&out, visibly)
}

/// Whether a server has a section: something is wrong with it, or a pin of it accepted something or found something.
fn is_told(part: &ServerPart) -> bool {
    match standing(part.report.verdict) {
        Standing::Wrong | Standing::Unknown => true,
        Standing::Left => false,
        Standing::Good => {
            let report = &part.report;
            !report.blocks.is_empty()
                || tells_findings(report)
                || part.report.remaining.as_ref().is_some_and(|r| !r.is_empty())
        }
    }
}

/// The largest share of the room that, given to everybody who needs it, is no more than there is.
fn fair_share(lengths: &[usize], room: usize) -> usize {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    let (mut left, mut count) = (room, sorted.len());
    for length in sorted {
        if length > left / count {
            return left / count;
        }
        left -= length;
        count -= 1;
    }
    room
}

fn head(part: &ServerPart) -> String {
    let report = &part.report;
    let mut out = format!("## {}: {}\n\n", name(&part.name), report.verdict.word());
    let said = sentence(&super::headline(report));
    // Otherwise the blocks say it.
    if !said.is_empty() && (report.blocks.is_empty() || report.failure.is_some()) {
        out.push_str(&format!("{said}\n\n"));
    }
    if !part.lock_uri.is_empty() {
        out.push_str(&format!("- lock: {}\n", name(&part.lock_uri)));
    }
    for place in part.places.iter().take(super::MAX_NOTES) {
        out.push_str(&format!("- configured in: {}\n", name(&format!("{}:{}", place.path, place.line))));
    }
    if !report.subject.launch.is_empty() {
        out.push_str(&format!("- launch: {}\n", name(&report.subject.launch)));
    }
    for note in report.notes.iter().take(super::MAX_NOTES) {
        out.push_str(&format!("- note: {}\n", sentence(note)));
    }
    out.push('\n');
    out
}

/// One row for each server. Where not all fit, the good ones are left out first, and it is said.
fn table(servers: &[ServerPart], limit: usize) -> String {
    let mut rows: Vec<(Standing, String)> =
        servers.iter().map(|part| (standing(part.report.verdict), row(part))).collect();
    let mut length: usize = rows.iter().map(|(_, row)| row.len()).sum();
    let mut left_out = 0;
    for expendable in [Standing::Left, Standing::Good, Standing::Unknown, Standing::Wrong] {
        while length > limit {
            let Some(at) = rows.iter().rposition(|(standing, _)| *standing == expendable) else { break };
            length -= rows.remove(at).1.len();
            left_out += 1;
        }
    }
    if rows.is_empty() && left_out == 0 {
        return String::new();
    }
    let rows: String = rows.into_iter().map(|(_, row)| row).collect();
    let more = if left_out > 0 { format!("and {left_out} more servers\n\n") } else { String::new() };
    format!("| server | result | entries |\n|---|---|---|\n{rows}\n{more}")
}

fn row(part: &ServerPart) -> String {
    let report = &part.report;
    let words = result_words(part);
    let said = prose(&shorten(&words, MAX_RESULT));
    let (result, entries) = match standing(report.verdict) {
        Standing::Good => (verdict_words(report.verdict), said),
        _ if said.is_empty() => (format!("**{}**", verdict_words(report.verdict)), String::new()),
        Standing::Left => (said, String::new()),
        _ => (format!("**{}**: {said}", verdict_words(report.verdict)), entries_of(report)),
    };
    format!("| {} | {} | {} |\n", cell(&name(&part.name)), cell(&result), cell(&entries))
}

fn entries_of(report: &Report) -> String {
    match report.server {
        Some(_) => entries_words(&report.counts),
        None => String::new(),
    }
}

/// A bar ends a cell, also one within code.
fn cell(text: &str) -> String {
    text.replace('|', "⟨U+007C⟩")
}

/// What the project says for itself.
fn said(project: &ProjectReport, verbose: bool) -> Report {
    let mut own = Report::new(project.command, project.verdict, Subject::default());
    if !project.clashes.is_empty() && only_counts_clashes(project, verbose) {
        own.notes.push(clash_count(&project.clashes));
    }
    own.notes.extend(project.notes.iter().cloned());
    own.next.clone_from(&project.next);
    own
}

/// A section of the tools that several servers offer, as far as `limit` goes.
fn clashes(project: &ProjectReport, verbose: bool, limit: usize) -> String {
    if project.clashes.is_empty() || only_counts_clashes(project, verbose) {
        return String::new();
    }
    let mut out = "## Tools of more than one server\n\n".to_owned();
    let mut told = 0;
    for clash in project.clashes.iter().take(super::MAX_NOTES) {
        let line = format!("- {}\n", sentence(&clash_sentence(clash)));
        if out.len() + line.len() > limit {
            break;
        }
        out.push_str(&line);
        told += 1;
    }
    if told < project.clashes.len() {
        out.push_str(&format!("- and {} more\n", project.clashes.len() - told));
    }
    out.push('\n');
    out
}
