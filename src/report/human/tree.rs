//! A lock for reviewers: identity, approval, integrity, then every entry.

use super::super::blocks::INCONSISTENT_CLASS;
use super::super::model::{AttestationLine, Piece, Report};
use super::super::show::{EntryView, LockView, ParameterView, ToolView};
use super::super::word_diff::alone;
use super::page::{Page, Tone};
use super::verdict::by_severity;
use crate::json::{Value, spaced};
use crate::text::{Charset, escape, shorten};
use unicode_width::UnicodeWidthStr as _;

/// Characters of a description that are shown, unless one entry is asked for.
const MAX_DESCRIPTION: usize = 1_000;
/// Columns of a table do not grow past this for the sake of one long text.
const MAX_COLUMN: usize = 36;

/// Attestations that are listed.
const MAX_ATTESTATIONS: usize = 10;

pub(super) fn lock_lines(page: &mut Page<'_>, report: &Report, verbose: bool) {
    let Some(view) = &report.view else { return };
    if report.entry.is_none() || report.command == "show" {
        head(page, report, view);
    }
    let most = if report.entry.is_some() || verbose { usize::MAX } else { MAX_DESCRIPTION };
    let shows = |count: usize| report.entry.is_none() || count > 0;
    if shows(view.tools.len()) {
        page.blank();
        page.raw(&format!("TOOLS  {}", view.tools.len()));
        // One column of flags and one of digests for all of them.
        let names =
            view.tools.iter().map(|tool| page.text(&tool.name).width() + 2).filter(|width| *width <= MAX_COLUMN);
        let flags = view.tools.iter().map(|tool| page.text(&tool.capabilities.join(", ")).width()).max().unwrap_or(0);
        let columns = [names.max().unwrap_or(0).max(24), flags.min(MAX_COLUMN)];
        for tool in &view.tools {
            tool_lines(page, tool, columns, most);
        }
    }
    for (title, entries) in [("RESOURCES", &view.resources), ("PROMPTS", &view.prompts)] {
        if shows(entries.len()) {
            page.blank();
            entry_lines(page, title, entries, most);
        }
    }
}

fn head(page: &mut Page<'_>, report: &Report, view: &LockView) {
    let Some(lock) = &report.lock else { return };
    let who = page.text(&format!("{}, written by warden {} on {}", lock.level, lock.warden_version, lock.created_at));
    page.labelled(2, "level", &who);
    page.labelled(2, "server", &report.subject.launch);
    let reproduced = !report.blocks.iter().flat_map(|block| &block.items).any(|item| item.class == INCONSISTENT_CLASS);
    page.labelled(2, "digest", &lock.overall_digest.to_string());
    page.labelled(2, "", if reproduced { "reproduced from the entries" } else { "NOT reproduced: see below" });
    let approval = match (lock.approved, lock.approval_binds) {
        (false, _) => "none".to_owned(),
        (true, binds) => {
            let by = lock.approver.as_deref().unwrap_or("nobody named");
            let on = lock.approved_at.as_deref().unwrap_or("an unknown date");
            let binds = if binds { "binds this digest" } else { "is for ANOTHER digest" };
            page.text(&format!("{by} on {on}, {binds}"))
        }
    };
    page.labelled(2, "approval", &approval);
    attestation_lines(page, &lock.attestations);
    let findings: Vec<_> = report.findings.iter().collect();
    let findings: Vec<String> =
        by_severity(&findings).iter().map(|(severity, count)| format!("{count} {severity}")).collect();
    let findings = if findings.is_empty() { "none when it was pinned".to_owned() } else { findings.join(", ") };
    page.labelled(2, "findings", &findings);
    if !view.has_texts {
        page.labelled(
            2,
            "texts",
            "unknown: a lock holds hashes of them; warden pin --save-surface keeps them beside it",
        );
    }
}

/// Everybody's statement, newest first, where there is more to say than who approved.
fn attestation_lines(page: &mut Page<'_>, attestations: &[AttestationLine]) {
    let is_plain = |line: &AttestationLine| line.note.is_none() && line.role == "approver";
    if attestations.len() < 2 && attestations.iter().all(is_plain) {
        return;
    }
    for line in attestations.iter().rev().take(MAX_ATTESTATIONS) {
        let binds = if line.binds { "this digest" } else { "another digest" };
        let who = page.text(&format!("{} ({})", line.actor, line.role));
        page.labelled(2, "attested", &format!("{who} on {}, {binds}", page.text(&line.created_at)));
        if let Some(note) = &line.note {
            page.labelled(2, "", &format!("\"{}\"", escape(&shorten(note, MAX_DESCRIPTION), Charset::Unicode)));
        }
    }
    let more = attestations.len().saturating_sub(MAX_ATTESTATIONS);
    if more > 0 {
        page.labelled(2, "", &format!("and {more} older ones"));
    }
}

fn tool_lines(page: &mut Page<'_>, tool: &ToolView, columns: [usize; 2], most: usize) {
    let flags = page.text(&tool.capabilities.join(", "));
    title(page, &tool.name, &flags, columns, &tool.entry_digest.short());
    description_lines(page, tool.description.as_deref(), 4, most);
    match &tool.parameters {
        None => page.line(4, "no skeleton in this lock: changes can only be told coarsely", Tone::Dim),
        Some(parameters) => parameter_lines(page, parameters, 4),
    }
    if let Some(returns) = &tool.returns {
        page.line(4, "returns", Tone::Plain);
        parameter_lines(page, returns, 6);
    }
    match (&tool.annotations, tool.annotated) {
        (Some(annotations), _) => value_line(page, "annotations", annotations),
        (None, Some(true)) => page.line(4, "annotated: yes", Tone::Dim),
        (None, Some(false)) => page.line(4, "annotated: no", Tone::Dim),
        (None, None) => page.line(4, "annotations and output schema are not committed at this level", Tone::Dim),
    }
    if let Some(fingerprint) = tool.fingerprint.as_ref().filter(|_| most == usize::MAX) {
        page.raw(&format!("    portable fingerprint {}", page.dim(fingerprint)));
    }
    if let Some(inspection) = &tool.inspection {
        value_line(page, "inspection", &inspection.clone().into());
    }
}

/// An object of the entry in one line, its members bare.
fn value_line(page: &mut Page<'_>, label: &str, value: &Value) {
    let text = page.text(&spaced(value));
    page.line(4, &format!("{label}: {text}"), Tone::Dim);
}

/// The first line of an entry: name, what it is, and the digest by which it can be told from another version.
fn title(page: &mut Page<'_>, name: &str, said: &str, columns: [usize; 2], digest: &str) {
    let name = page.text(name);
    let digest = page.dim(digest);
    let shown = page.toned(&name, Tone::Strong);
    if page.is_narrow() || 3 + columns[0] + columns[1] + 9 > page.width() {
        // No room for columns.
        page.line(2, &name, Tone::Strong);
        let said = if said.is_empty() { String::new() } else { format!("{said}  ") };
        page.raw(&format!("    {said}{digest}"));
        return;
    }
    let rest = format!("{} {digest}", pad(said, columns[1]));
    if name.width() <= columns[0] {
        let gap = " ".repeat(columns[0] - name.width());
        page.raw(&format!("  {shown}{gap} {rest}"));
    } else {
        page.raw(&format!("  {shown}"));
        page.raw(&format!("  {} {rest}", " ".repeat(columns[0])));
    }
}

/// The words that a model is told, where they are known.
fn description_lines(page: &mut Page<'_>, description: Option<&str>, indent: usize, most: usize) {
    match description {
        None => {}
        Some("") => page.line(indent, "(no description)", Tone::Dim),
        Some(text) => page.quoted(indent, '|', ' ', &alone(text, most)),
    }
}

fn parameter_lines(page: &mut Page<'_>, parameters: &[ParameterView], indent: usize) {
    let left = |parameter: &ParameterView, page: &Page<'_>| {
        format!("{}{}", " ".repeat(2 * parameter.level.min(12)), page.text(&parameter.label))
    };
    let widest =
        |widths: &mut dyn Iterator<Item = usize>, most: usize| widths.filter(|width| *width <= most).max().unwrap_or(0);
    let names =
        widest(&mut parameters.iter().map(|parameter| left(parameter, page).width()), MAX_COLUMN - indent).max(12);
    let kinds = widest(&mut parameters.iter().map(|parameter| parameter.kind.width()), 24).max(8);
    for parameter in parameters {
        let label = left(parameter, page);
        let required = if parameter.required { "required" } else { "" };
        let facts = parameter.limits.join(", ");
        page.row(indent, &label, names, &format!("{} {required:<8}", pad(&parameter.kind, kinds)), &facts);
        if let Some(text) = &parameter.description {
            page.quoted(indent + 2 * parameter.level.min(12) + 2, '|', ' ', &[Piece::Same(text.clone())]);
        }
    }
}

fn entry_lines(page: &mut Page<'_>, heading: &str, entries: &[EntryView], most: usize) {
    page.raw(&format!("{heading}  {}", entries.len()));
    let names = entries.iter().map(|entry| page.text(&entry.identity).width() + 2).filter(|width| *width <= MAX_COLUMN);
    let details = entries.iter().map(|entry| page.text(&entry.details.join(", ")).width()).max().unwrap_or(0);
    let columns = [names.max().unwrap_or(0).max(24), details.min(MAX_COLUMN)];
    for entry in entries {
        let details = page.text(&entry.details.join(", "));
        title(page, &entry.identity, &details, columns, &entry.entry_digest.short());
        description_lines(page, entry.description.as_deref(), 4, most);
        for argument in entry.arguments.iter().filter_map(Value::as_array).flatten() {
            let text = page.text(&spaced(argument));
            page.line(4, &format!("takes {text}"), Tone::Dim);
        }
    }
}

/// Filled with spaces to a width in terminal columns; left alone where it is wider.
fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}
