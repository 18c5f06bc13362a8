//! The report as a comment for a pull or merge request, and as GitHub's step summary.
//!
//! No table but that of servers, and no HTML but `<details>`: everything from outside stands in code (see [`inline`]), so it can neither
//! link, mention, nor look like a part of the report. The length is bounded, because a comment that is too long is
//! refused as a whole.

mod findings;
mod inline;
mod servers;
mod texts;

use super::Rendering;
use super::accepted::{accepted_headline, accepted_lines};
use super::blocks::field_words;
use super::error::ErrorReport;
use super::facts::{Fact, FactKind, facts};
use super::headline::headline;
use super::human::counts_words;
use super::model::{Block, Failure, Report};
use super::show::LockView;
use super::verdict::Verdict;
use crate::text::{Charset, escape, inert, shorten, visibly};
pub(super) use inline::{block as code_block, code, prose};
pub use servers::project_markdown_within;
use sha2::{Digest as _, Sha256};
use texts::{details, text_details, unstable_details};

/// GitHub refuses comments of more than 65,536 characters; these are bytes, and leave room for a line around it.
pub const MAX_MARKDOWN: usize = 65_000;

const MAX_NAME: usize = 200;
const MAX_SENTENCE: usize = 1_000;
/// Items of one entry, notes, and findings that are listed.
const MAX_ITEMS: usize = 40;
const MAX_NOTES: usize = 12;
/// Above what a pin of chosen entries left.
const REMAINING: &str = "## Not chosen\n\nThe lock keeps what was pinned of these, and a check still fails.\n\n";
/// What is kept for the sentences about what was left out.
const RESERVE: usize = 400;

/// Renders a report.
pub fn markdown(report: &Report, rendering: &Rendering<'_>) -> String {
    markdown_within(report, rendering, MAX_MARKDOWN)
}

/// Renders a report in at most `limit` bytes, which must be some thousands; the least severe is left out first.
pub fn markdown_within(report: &Report, rendering: &Rendering<'_>, limit: usize) -> String {
    let mut out = head(report, rendering, limit / 4);
    let tail = tail(report, limit / 4);
    let mut parts = parts(report);
    let left_out = fit(&mut parts, limit.saturating_sub(out.len() + tail.len() + RESERVE), report.command);
    for part in &parts {
        out.push_str(&part.brief);
        out.push_str(&part.details);
    }
    out.push_str(&left_out);
    out.push_str(&tail);
    inert(&out, visibly)
}

/// Renders an error.
pub fn markdown_error(error: &ErrorReport<'_>, rendering: &Rendering<'_>) -> String {
    let mut out = format!("{}## warden: ERROR\n\n{}\n\n", marker(rendering), sentence(error.headline));
    for cause in error.causes.iter().take(MAX_NOTES) {
        out.push_str(&format!("- {}\n", sentence(cause)));
    }
    for hint in error.hints.iter().take(MAX_NOTES) {
        out.push_str(&format!("- hint: {}\n", sentence(hint)));
    }
    out.push_str("\nNothing was checked.\n");
    inert(&out, visibly)
}

/// A line by which a job finds its own comment again, one for each lock, and for each choice of a project's servers.
fn marker(rendering: &Rendering<'_>) -> String {
    let mut chosen: Vec<&str> = rendering.chosen.iter().map(String::as_str).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let mut hash = Sha256::new_with_prefix(rendering.lock_uri);
    for name in chosen {
        // Neither a path nor a name holds one.
        hash.update([0]);
        hash.update(name);
    }
    let digest = hex::encode(hash.finalize());
    format!("<!-- warden-report {} -->\n", &digest[..12])
}

/// A part of the body: what is said in any case, and what can be left out first.
struct Part {
    brief: String,
    details: String,
}

/// Leaves out details and then whole parts from the end until everything fits, and says so.
fn fit(parts: &mut Vec<Part>, room: usize, command: &str) -> String {
    let mut length: usize = parts.iter().map(|part| part.brief.len() + part.details.len()).sum();
    let mut without_details = 0;
    for part in parts.iter_mut().rev() {
        if length <= room {
            break;
        }
        if !part.details.is_empty() {
            length -= part.details.len();
            part.details.clear();
            without_details += 1;
        }
    }
    let mut dropped = 0;
    while length > room {
        let Some(part) = parts.pop() else { break };
        length -= part.brief.len();
        dropped += 1;
    }
    let mut what = Vec::new();
    if without_details > 0 {
        what.push(format!("the texts of {without_details} places"));
    }
    if dropped > 0 {
        what.push(format!("{dropped} whole places"));
    }
    if what.is_empty() {
        return String::new();
    }
    format!(
        "**Left out here, the least severe first: {}.** A comment must not be longer; `warden {command}` shows them.\n\n",
        what.join(" and ")
    )
}

/// A text from outside; short also where every character of it is an escape.
fn name(raw: &str) -> String {
    code(&shorten(&escape(&shorten(raw, MAX_NAME), Charset::Unicode), 2 * MAX_NAME))
}

/// Words of ours with quoted parts, escaped already.
fn sentence(words: &str) -> String {
    prose(&shorten(words, MAX_SENTENCE))
}

/// Marker, verdict, and what was looked at; the last as far as `limit` goes.
fn head(report: &Report, rendering: &Rendering<'_>, limit: usize) -> String {
    let mut out = marker(rendering);
    out.push_str(&format!("## warden: {}\n\n{}\n\n", report.verdict.word(), sentence(&headline(report))));
    let mut line = |label: &str, text: String| push(&mut out, &format!("- {label}: {text}\n"), limit);
    if !rendering.lock_uri.is_empty() {
        line("lock", name(rendering.lock_uri));
    }
    if let Some(server) = &report.server {
        let parts = [server.name.as_deref().unwrap_or("unnamed"), server.version.as_deref().unwrap_or("")];
        let who = name(parts.join(" ").trim_end());
        let protocol = match server.protocol_version.as_str() {
            "" => String::new(),
            version => format!(", MCP {}", name(version)),
        };
        line("server", format!("{who}{protocol}, {}", counts_words(&report.counts)));
    }
    match &report.files.read_from {
        Some(path) => line("read from", name(path)),
        None if report.subject.launch.is_empty() => {}
        // Redacted and quoted already.
        None => line("launch", name(&report.subject.launch)),
    }
    if let Some(lock) = &report.lock {
        let approval = match (&lock.approver, lock.approved) {
            (_, false) => "nobody approved it".to_owned(),
            (approver, true) => {
                let bound = if lock.approval_binds { "" } else { ", for another digest than it has now" };
                format!("approved by {}{bound}", name(approver.as_deref().unwrap_or("nobody named")))
            }
        };
        line("pinned as", format!("{}, {approval}", name(&lock.overall_digest.abbreviated())));
    }
    if let Some(words) = accepted_headline(report) {
        line("accepted", sentence(&words));
    }
    if let (Some(entry), true) = (&report.entry, report.narrowed) {
        let hidden = match report.hidden_blocks() {
            0 => "nothing else differs".to_owned(),
            1 => "**1 other place that differs is not shown**".to_owned(),
            n => format!("**{n} other places that differ are not shown**"),
        };
        line("shown", format!("{} alone; {hidden}", name(entry)));
    }
    if !report.capabilities.is_empty() {
        let flags = report.capabilities.iter().take(MAX_ITEMS).map(|(flag, n)| format!("{} {n}", name(flag)));
        line("capabilities", flags.collect::<Vec<_>>().join(", "));
    }
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    out
}

/// Adds a line where there is room for it.
fn push(out: &mut String, line: &str, limit: usize) {
    if out.len() + line.len() <= limit {
        out.push_str(line);
    }
}

fn failure_part(failure: &Failure) -> Part {
    let mut out = format!("The server could not be asked, so nothing is known about it: {}", code(&failure.code));
    if let Some(hint) = &failure.hint {
        out.push_str(&format!(". {}", sentence(hint)));
    }
    out.push_str("\n\n");
    for warning in failure.warnings.iter().take(MAX_NOTES) {
        out.push_str(&format!("- {}\n", sentence(warning)));
    }
    if !failure.warnings.is_empty() {
        out.push('\n');
    }
    let mut stderr = String::new();
    if !failure.stderr.is_empty() {
        let lines: Vec<String> = failure.stderr.iter().map(|line| shorten(line, MAX_NAME)).collect();
        let first = lines.len().saturating_sub(MAX_ITEMS);
        stderr = details("Its last lines on standard error", &format!("{}\n", code_block("text", &lines[first..])));
    }
    Part { brief: out, details: stderr }
}

/// Everything that may be left out, worst first.
fn parts(report: &Report) -> Vec<Part> {
    let mut parts: Vec<Part> = report.failure.iter().map(failure_part).collect();
    let unstable = unstable_details(&report.unstable, report.more_unstable);
    parts.push(Part { brief: String::new(), details: unstable });
    parts.extend(report.shown_blocks().iter().map(block_part));
    let remaining = report.remaining.as_deref().unwrap_or_default();
    if !remaining.is_empty() {
        parts.push(Part { brief: REMAINING.to_owned(), details: String::new() });
        parts.extend(remaining.iter().map(block_part));
    }
    // Those that stand with an entry were told there.
    let mut told = std::collections::HashSet::new();
    let of_blocks = report.blocks.iter().chain(remaining).flat_map(|block| &block.findings);
    told.extend(of_blocks.map(|finding| (finding.rule_id.as_str(), finding.target.as_str(), finding.snippet.as_str())));
    let findings: Vec<Fact<'_>> = facts(report)
        .into_iter()
        .filter(|fact| fact.kind == FactKind::Finding && !told.contains(&(fact.rule_id, fact.target, fact.snippet)))
        .collect();
    parts.extend(findings::parts(&findings, report.verdict == Verdict::Findings));
    parts.extend(accepted_part(report));
    parts.extend(report.view.as_ref().map(view_part));
    parts
}

fn block_part(block: &Block) -> Part {
    let mut brief = format!("### {}: {}\n\n", block.severity(), name(&block.target));
    for item in block.items.iter().take(MAX_ITEMS) {
        let mut small = name(&item.class);
        if let Some(path) = item.path.as_deref().filter(|path| *path != crate::skeleton::ROOT_PATH) {
            small.push_str(&format!(" at {}", name(path)));
        }
        if let Some(detail) = &item.detail {
            small.push_str(&format!(", {}", name(detail)));
        }
        brief.push_str(&format!("- **{}**: {} ({small})\n", item.severity, sentence(&item.words)));
    }
    if block.items.len() > MAX_ITEMS {
        brief.push_str(&format!("- and {} more\n", block.items.len() - MAX_ITEMS));
    }
    let derived = |member: &str| matches!(member, "schema_skeleton" | "output_schema_skeleton");
    let silent = block.fields.iter().filter(|field| !field.has_item && !derived(&field.member));
    let silent: Vec<String> =
        silent.map(|field| sentence(&escape(&field_words(&field.member), Charset::Unicode))).collect();
    if !silent.is_empty() {
        brief.push_str(&format!("- changed too: {}\n", silent.join(", ")));
    }
    for finding in block.findings.iter().take(MAX_ITEMS) {
        brief.push_str(&format!(
            "- **{}**, new finding: {} ({})\n",
            finding.severity,
            sentence(&finding.message),
            name(&finding.rule_id)
        ));
    }
    brief.push('\n');
    Part { brief, details: text_details(&block.texts, block.more_texts) }
}

fn accepted_part(report: &Report) -> Option<Part> {
    let lines = accepted_lines(report);
    let mut body: String = lines.iter().take(MAX_ITEMS).map(|line| format!("- {}\n", sentence(line))).collect();
    if lines.len() > MAX_ITEMS {
        body.push_str(&format!("- and {} more\n", lines.len() - MAX_ITEMS));
    }
    body.push('\n');
    (!lines.is_empty()).then(|| Part { brief: String::new(), details: details("Accepted findings", &body) })
}

fn view_part(view: &LockView) -> Part {
    const MAX_ENTRIES: usize = 300;
    let tools = view.tools.iter().map(|tool| {
        let flags = match tool.capabilities.as_slice() {
            [] => String::new(),
            flags => format!(" ({})", name(&flags.join(", "))),
        };
        format!("- tool {}{flags}: {}\n", name(&tool.name), name(&tool.entry_digest.abbreviated()))
    });
    let others = [("resource", &view.resources), ("prompt", &view.prompts)].into_iter().flat_map(|(kind, entries)| {
        entries.iter().map(move |entry| {
            format!("- {kind} {}: {}\n", name(&entry.identity), name(&entry.entry_digest.abbreviated()))
        })
    });
    let lines: Vec<String> = tools.chain(others).collect();
    let mut body = lines[..lines.len().min(MAX_ENTRIES)].concat();
    if lines.len() > MAX_ENTRIES {
        body.push_str(&format!("- and {} more\n", lines.len() - MAX_ENTRIES));
    }
    body.push('\n');
    Part { brief: String::new(), details: if lines.is_empty() { String::new() } else { details("Entries", &body) } }
}

/// Notes and commands, as far as `limit` goes.
fn tail(report: &Report, limit: usize) -> String {
    let mut out = String::new();
    for note in report.notes.iter().take(MAX_NOTES) {
        push(&mut out, &format!("- note: {}\n", sentence(note)), limit / 2);
    }
    if report.notes.len() > MAX_NOTES {
        out.push_str(&format!("- and {} more notes\n", report.notes.len() - MAX_NOTES));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    // A command that is cut does something else.
    let mut room = limit / 2;
    let steps = report.next.iter().map(|step| [format!("# {}", step.purpose), step.command.clone()]);
    let fitting = steps.take_while(|[purpose, command]| {
        let length = purpose.len() + command.len();
        let fits = length <= room;
        room -= length.min(room);
        fits
    });
    let lines: Vec<String> = fitting.flatten().collect();
    if !lines.is_empty() {
        out.push_str(&format!("Next:\n\n{}", code_block("sh", &lines)));
    }
    out
}
