//! A lock for reviewers: identity, approval, integrity, then every entry.

use super::super::model::Report;
use super::super::show::{EntryView, LockView, ParameterView, ToolView};
use super::page::{Page, Tone};

pub(super) fn lock_lines(page: &mut Page<'_>, report: &Report) {
    let Some(view) = &report.view else { return };
    if let Some(lock) = &report.lock {
        let who = page
            .text(&format!("level {}, written by version {} on {}", lock.level, lock.warden_version, lock.created_at));
        page.labelled(0, "format", &who);
        page.labelled(0, "server", &report.subject.launch);
        let reproduced =
            report.blocks.iter().all(|block| block.target != "lock/overall_digest" && block.items.is_empty());
        let integrity = if reproduced { "reproduced from the entries" } else { "NOT reproduced: see below" };
        page.labelled(0, "digest", &format!("{}  {integrity}", lock.overall_digest));
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
    }
    tools(page, view);
    entries(page, "RESOURCES", &view.resources);
    entries(page, "PROMPTS", &view.prompts);
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
    page.raw(&format!("  {name:<32} {flags:<28} {digest}"));
    match &tool.parameters {
        None => page.line(4, "no skeleton in this lock: changes can only be told coarsely", Tone::Dim),
        Some(parameters) => parameter_lines(page, parameters, 4),
    }
    if let Some(returns) = &tool.returns {
        page.line(4, "returns", Tone::Plain);
        parameter_lines(page, returns, 6);
    }
    match tool.annotated {
        Some(true) => page.line(4, "annotated (hints the server gives about itself)", Tone::Dim),
        Some(false) => page.line(4, "not annotated", Tone::Dim),
        None => page.line(4, "annotations and output schema are not committed at this level", Tone::Dim),
    }
    if let Some(inspection) = &tool.inspection {
        let members: Vec<String> =
            inspection.iter().map(|(name, value)| format!("{name} {}", crate::json::python_str(value))).collect();
        let text = page.text(&members.join(", "));
        page.line(4, &format!("inspection: {text}"), Tone::Plain);
    }
}

fn parameter_lines(page: &mut Page<'_>, parameters: &[ParameterView], indent: usize) {
    for parameter in parameters {
        let left = format!("{}{}", " ".repeat(indent + 2 * parameter.level), page.text(&parameter.label));
        let required = if parameter.required { "required" } else { "" };
        page.raw(&format!("{left:<28} {:<18} {required:<9} {}", parameter.types, parameter.facts.join(", ")));
    }
}

fn entries(page: &mut Page<'_>, title: &str, entries: &[EntryView]) {
    page.raw(&format!("{title}  {}", entries.len()));
    for entry in entries {
        let (identity, details) = (page.text(&entry.identity), page.text(&entry.details.join(", ")));
        let digest = page.dim(&entry.entry_digest.short());
        page.raw(&format!("  {identity:<32} {details:<28} {digest}"));
    }
}
