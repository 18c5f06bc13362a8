//! A lock for reviewers: identity, approval, integrity, then every entry.

use super::super::blocks::INCONSISTENT_CLASS;
use super::super::model::{AttestationLine, Report};
use super::super::show::{EntryView, LockView, ParameterView, ToolView};
use super::super::word_diff::alone;
use super::page::{Page, Tone};
use super::texts::marked;
use crate::text::{Charset, escape, shorten};
use unicode_width::UnicodeWidthStr as _;

/// Characters of a description that are shown.
const MAX_DESCRIPTION: usize = 1_000;

/// Attestations that are listed.
const MAX_ATTESTATIONS: usize = 10;

pub(super) fn lock_lines(page: &mut Page<'_>, report: &Report) {
    let Some(view) = &report.view else { return };
    if let Some(lock) = &report.lock {
        let who = page
            .text(&format!("level {}, written by version {} on {}", lock.level, lock.warden_version, lock.created_at));
        page.labelled(0, "format", &who);
        page.labelled(0, "server", &report.subject.launch);
        let reproduced =
            !report.blocks.iter().flat_map(|block| &block.items).any(|item| item.class == INCONSISTENT_CLASS);
        let integrity = if reproduced { "reproduced from the entries" } else { "NOT reproduced: see below" };
        page.labelled(0, "digest", &lock.overall_digest.to_string());
        page.labelled(0, "", integrity);
        let approval = match (lock.approved, lock.approval_binds) {
            (false, _) => "none".to_owned(),
            (true, binds) => {
                let by = lock.approver.as_deref().unwrap_or("nobody named");
                let on = lock.approved_at.as_deref().unwrap_or("an unknown date");
                let binds = if binds { "binds this digest" } else { "is for ANOTHER digest" };
                page.text(&format!("{by} on {on}, {binds}"))
            }
        };
        page.labelled(0, "approval", &approval);
        attestation_lines(page, &lock.attestations);
    }
    tools(page, view);
    entries(page, "RESOURCES", &view.resources);
    entries(page, "PROMPTS", &view.prompts);
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
        page.labelled(0, "attested", &format!("{who} on {}, {binds}", page.text(&line.created_at)));
        if let Some(note) = &line.note {
            page.labelled(0, "", &format!("\"{}\"", escape(&shorten(note, MAX_DESCRIPTION), Charset::Unicode)));
        }
    }
    let more = attestations.len().saturating_sub(MAX_ATTESTATIONS);
    if more > 0 {
        page.labelled(0, "", &format!("and {more} older ones"));
    }
}

fn tools(page: &mut Page<'_>, view: &LockView) {
    page.blank();
    page.raw(&format!("TOOLS  {}", view.tools.len()));
    for tool in &view.tools {
        tool_lines(page, tool);
    }
}

fn tool_lines(page: &mut Page<'_>, tool: &ToolView) {
    let flags = page.text(&tool.capabilities.join(", "));
    let name = page.text(&tool.name);
    let digest = page.dim(&tool.entry_digest.short());
    page.raw(&format!("  {} {} {digest}", pad(&name, 32), pad(&flags, 28)));
    description_line(page, tool.description.as_deref());
    match &tool.parameters {
        None => page.line(4, "no skeleton in this lock: changes can only be told coarsely", Tone::Dim),
        Some(parameters) => parameter_lines(page, parameters, 4),
    }
    if let Some(returns) = &tool.returns {
        page.line(4, "returns", Tone::Plain);
        parameter_lines(page, returns, 6);
    }
    match tool.annotated {
        Some(true) => page.line(4, "annotated: yes", Tone::Dim),
        Some(false) => page.line(4, "annotated: no", Tone::Dim),
        None => page.line(4, "annotations and output schema are not committed at this level", Tone::Dim),
    }
    if let Some(inspection) = &tool.inspection {
        let members: Vec<String> =
            inspection.iter().map(|(name, value)| format!("{name} {}", crate::json::enum_text(value))).collect();
        let text = page.text(&members.join(", "));
        page.line(4, &format!("inspection: {text}"), Tone::Plain);
    }
}

/// The words that a model is told, where they are known.
fn description_line(page: &mut Page<'_>, description: Option<&str>) {
    match description {
        None => {}
        Some("") => page.line(4, "(no description)", Tone::Dim),
        Some(text) => page.line(4, &format!("\"{}\"", marked(&alone(text, MAX_DESCRIPTION), ' ')), Tone::Plain),
    }
}

fn parameter_lines(page: &mut Page<'_>, parameters: &[ParameterView], indent: usize) {
    for parameter in parameters {
        let left = format!("{}{}", " ".repeat(indent + 2 * parameter.level), page.text(&parameter.label));
        let required = if parameter.required { "required" } else { "" };
        page.raw(&format!(
            "{} {} {required:<9} {}",
            pad(&left, 28),
            pad(&parameter.types, 18),
            parameter.facts.join(", ")
        ));
    }
}

fn entries(page: &mut Page<'_>, title: &str, entries: &[EntryView]) {
    page.raw(&format!("{title}  {}", entries.len()));
    let width =
        |texts: &mut dyn Iterator<Item = String>| texts.map(|text| text.width()).max().unwrap_or(0).min(MAX_COLUMN);
    let identities = width(&mut entries.iter().map(|entry| page.text(&entry.identity)));
    let details_width = width(&mut entries.iter().map(|entry| page.text(&entry.details.join(", "))));
    for entry in entries {
        let (identity, details) = (page.text(&entry.identity), page.text(&entry.details.join(", ")));
        let digest = page.dim(&entry.entry_digest.short());
        page.raw(&format!(
            "  {} {} {digest}",
            pad(&identity, identities.max(32)),
            pad(&details, details_width.max(28))
        ));
        description_line(page, entry.description.as_deref());
    }
}

/// Columns of a table do not grow past this for the sake of one long text.
const MAX_COLUMN: usize = 60;

/// Filled with spaces to a width in terminal columns; left alone where it is wider.
fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}
