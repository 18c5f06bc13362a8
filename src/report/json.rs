//! The machine report: one versioned document (docs/json-output.md).
//!
//! Built as values of our own and written by one writer, so that no internal struct is a public format by accident.
//! Deterministic: no clock, no duration. Hidden characters are `\u` escapes, so that the text can be looked at.

use super::coverage::{Coverage, SectionState};
use super::error::ErrorReport;
use super::model::{
    AcceptedFinding, AttestationLine, Block, Compared, FilePlace, FindingLine, IgnoreLine, LockSummary, NextStep,
    PinnedItem, Report, TextChange, TextSide, UnstableField, severity_counts as severities_of,
};
use super::show::{EntryView, LockView, ParameterView, ToolView};
use crate::finding::Severity;
use crate::json::{Object, Value};
use crate::text::is_hidden;

/// Goes up when a member is removed or changes its meaning; new members do not count.
pub const REPORT_VERSION: i64 = 1;

/// Renders a report as one JSON document, final newline included.
pub fn json(report: &Report, exit_code: u8) -> String {
    let mut top = Object::new();
    top.insert("report_version", REPORT_VERSION);
    top.insert("command", report.command);
    top.insert("verdict", report.verdict.id());
    top.insert("exit_code", i64::from(exit_code));
    insert_members(&mut top, report);
    pretty_visible(top)
}

/// Everything about one server but how the run ended.
pub(super) fn insert_members(top: &mut Object, report: &Report) {
    top.insert("said", report.said.as_deref());
    top.insert("lock_path", Some(report.subject.lock_path.as_str()).filter(|path| !path.is_empty()));
    top.insert("launch", report.subject.launch.as_str());
    top.insert("counts", entry_counts(report));
    top.insert("severities", counts_object(severities_of(report.shown_blocks())));
    top.insert("lock", report.lock.as_ref().map(lock));
    top.insert("compared_with", report.compared_with.as_ref().map(compared));
    top.insert("server", server(report));
    top.insert("entries", report.shown_blocks().iter().map(block).collect::<Vec<_>>());
    top.insert("remaining", report.remaining.iter().flatten().map(block).collect::<Vec<_>>());
    top.insert("findings", report.findings.iter().map(finding).collect::<Vec<_>>());
    top.insert("accepted", report.config.iter().flat_map(|config| &config.accepted).map(accepted).collect::<Vec<_>>());
    top.insert("config", config(report));
    top.insert(
        "capabilities",
        report.capabilities.iter().map(|(flag, n)| (flag.as_str(), number(*n))).collect::<Object>(),
    );
    top.insert("failure", failure(report));
    let mut files = Object::new();
    files.insert("read_from", report.files.read_from.as_deref());
    files.insert("saved_to", report.files.saved_to.as_deref());
    top.insert("surface_file", files);
    top.insert("unstable", report.unstable.iter().map(unstable_field).collect::<Vec<_>>());
    top.insert("more_unstable", number(report.more_unstable));
    top.insert("coverage", report.coverage.as_ref().map(coverage));
    top.insert("entry", report.entry.as_deref());
    top.insert("entries_not_shown", number(report.hidden_blocks()));
    top.insert("notes", report.notes.clone());
    if !report.items.is_empty() {
        top.insert("items", report.items.iter().map(pinned_item).collect::<Vec<_>>());
    }
    if let Some(view) = &report.view {
        top.insert("view", lock_view(view));
    }
    top.insert("next", next_steps(&report.next));
}

pub(super) fn next_steps(steps: &[NextStep]) -> Vec<Object> {
    let step = |step: &NextStep| [("purpose", step.purpose), ("command", step.command.as_str())].into_iter().collect();
    steps.iter().map(step).collect()
}

/// Number of entries by section.
pub(super) fn entry_counts(report: &Report) -> Object {
    let counts =
        [("tools", report.counts.tools), ("resources", report.counts.resources), ("prompts", report.counts.prompts)];
    counts.into_iter().map(|(name, n)| (name, number(n))).collect()
}

/// Number of items by severity.
pub(super) fn severity_counts(report: &Report) -> Object {
    counts_object(report.severity_counts())
}

pub(super) fn counts_object(counts: Vec<(Severity, usize)>) -> Object {
    counts.into_iter().map(|(severity, n)| (severity.as_str(), number(n))).collect()
}

/// A document of JSON with hidden characters as escapes, final newline included.
pub(super) fn pretty_visible(document: Object) -> String {
    let mut text = visible(&crate::json::pretty(&document.into()));
    text.push('\n');
    text
}

/// Renders an error as one JSON document, final newline included.
pub fn json_error(error: &ErrorReport<'_>, exit_code: u8) -> String {
    let mut document = Object::new();
    document.insert("report_version", REPORT_VERSION);
    document.insert("verdict", "error");
    document.insert("exit_code", i64::from(exit_code));
    document.insert("error", error_members(error));
    pretty_visible(document)
}

/// A line of JSON with hidden characters as escapes, line feed included.
pub(super) fn compact_visible(line: Object) -> String {
    let mut text = visible(&crate::json::compact(&line.into()));
    text.push('\n');
    text
}

/// What an error says.
pub(super) fn error_members(error: &ErrorReport<'_>) -> Object {
    let mut body = Object::new();
    body.insert("message", error.headline);
    body.insert("causes", error.causes.to_vec());
    body.insert("hints", error.hints.to_vec());
    body
}

/// Replaces hidden characters by escapes. They only occur inside strings there, line feeds apart, which are layout.
pub(super) fn visible(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && is_hidden(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

pub(super) fn number(n: usize) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn compared(compared: &Compared) -> Object {
    let mut object = Object::new();
    object.insert("path", compared.path.as_str());
    object.insert("lock", compared.lock.as_ref().map(lock));
    object
}

pub(super) fn lock(lock: &LockSummary) -> Object {
    let mut object = Object::new();
    object.insert("schema_version", i64::from(lock.level));
    object.insert("warden_version", lock.warden_version.as_str());
    object.insert("created_at", lock.created_at.as_str());
    object.insert("overall_digest", lock.overall_digest);
    object.insert("approved", lock.approved);
    object.insert("approver", lock.approver.as_deref());
    object.insert("approved_at", lock.approved_at.as_deref());
    object.insert("approval_binds", lock.approval_binds);
    object.insert("attestations", lock.attestations.iter().map(attestation).collect::<Vec<_>>());
    object
}

fn attestation(line: &AttestationLine) -> Object {
    let mut object = Object::new();
    object.insert("actor", line.actor.as_str());
    object.insert("role", line.role.as_str());
    object.insert("created_at", line.created_at.as_str());
    object.insert("note", line.note.as_deref());
    object.insert("binds", line.binds);
    object
}

pub(super) fn server(report: &Report) -> Option<Object> {
    report.server.as_ref().map(|server| {
        let mut object = Object::new();
        object.insert("name", server.name.as_deref());
        object.insert("version", server.version.as_deref());
        object.insert("protocol_version", server.protocol_version.as_str());
        object.insert("missing_sections", server.missing.clone());
        object.insert("overall_digest", server.overall_digest);
        object
    })
}

fn block(block: &Block) -> Object {
    let items = block.items.iter().map(|item| {
        let mut object = Object::new();
        object.insert("rule_id", item.rule_id.as_str());
        object.insert("class", item.class.as_str());
        object.insert("severity", item.severity.as_str());
        object.insert("detail", item.detail.as_deref());
        object.insert("path", item.path.as_deref());
        object.insert("message", item.words.as_str());
        object
    });
    let mut object = Object::new();
    object.insert("target", block.target.as_str());
    object.insert("severity", block.severity().as_str());
    object.insert("items", items.collect::<Vec<_>>());
    object.insert("changed_fields", block.fields.iter().map(|field| field.member.clone()).collect::<Vec<_>>());
    object.insert("new_findings", block.findings.iter().map(finding).collect::<Vec<_>>());
    object.insert("texts", block.texts.iter().map(text_change).collect::<Vec<_>>());
    object.insert("more_texts", number(block.more_texts));
    object
}

/// A side that is absent is null; so is one that is not known, and then `before_known` or `now_known` is false.
fn text_change(change: &TextChange) -> Object {
    let mut object = Object::new();
    object.insert("pointer", change.pointer.as_str());
    object.insert("before_known", change.before != TextSide::Unknown);
    object.insert("before", text_side(&change.before));
    object.insert("now_known", change.now != TextSide::Unknown);
    object.insert("now", text_side(&change.now));
    object
}

fn coverage(coverage: &Coverage) -> Object {
    let section = |(section, state): &(&'static str, SectionState)| {
        let mut object = Object::new();
        object.insert("section", *section);
        object.insert("state", state.id());
        object.insert("entries", if let SectionState::Listed(count) = state { number(*count) } else { number(0) });
        object
    };
    let compared = coverage.compared.map(|compared| {
        let counts =
            [("same", compared.same), ("changed", compared.changed), ("gone", compared.gone), ("new", compared.new)];
        counts.into_iter().map(|(name, n)| (name, number(n))).collect::<Object>()
    });
    let mut object = Object::new();
    object.insert("level", i64::from(coverage.level));
    object.insert("sections", coverage.sections.iter().map(section).collect::<Vec<_>>());
    object.insert("compared", compared);
    object.insert("not_covered", coverage.not_covered.clone());
    object
}

fn unstable_field(field: &UnstableField) -> Object {
    let mut object = Object::new();
    object.insert("target", field.target.as_str());
    object.insert("pointer", field.pointer.as_str());
    object.insert("capture", number(field.capture));
    object.insert("first", text_side(&field.first));
    object.insert("other", text_side(&field.other));
    object
}

fn text_side(side: &TextSide) -> Option<&str> {
    match side {
        TextSide::Unknown | TextSide::Absent => None,
        TextSide::Text { raw, .. } => Some(raw),
    }
}

fn finding(finding: &FindingLine) -> Object {
    let members = [
        ("rule_id", finding.rule_id.as_str()),
        ("severity", finding.severity.as_str()),
        ("target", finding.target.as_str()),
        ("message", finding.message.as_str()),
        ("snippet", finding.snippet.as_str()),
    ];
    let mut object: Object = members.into_iter().collect();
    object.insert("place", finding.place.as_ref().map(place));
    object.insert("fix", finding.fix.as_deref());
    object
}

/// A place in a file that is not a lock.
pub(super) fn place(place: &FilePlace) -> Object {
    let mut object = Object::new();
    object.insert("path", place.path.as_str());
    object.insert("line", number(place.line));
    object.insert("column", number(place.column));
    object
}

fn config(report: &Report) -> Option<Object> {
    report.config.as_ref().map(|config| {
        let mut object = Object::new();
        object.insert("path", config.path.as_str());
        object.insert("expired", config.expired.iter().map(ignore).collect::<Vec<_>>());
        object.insert("unused", config.unused.iter().map(ignore).collect::<Vec<_>>());
        object
    })
}

pub(super) fn accepted(accepted: &AcceptedFinding) -> Object {
    let mut object = finding(&accepted.finding);
    object.insert("is_new", accepted.is_new);
    object.insert("accepted_by", ignore(&accepted.by));
    object
}

fn ignore(ignore: &IgnoreLine) -> Object {
    let mut object = Object::new();
    object.insert("rule_id", ignore.rule_id);
    object.insert("target", ignore.target.as_str());
    object.insert("reason", ignore.reason.as_str());
    object.insert("expires", ignore.expires.as_deref());
    object.insert("line", number(ignore.line));
    object
}

pub(super) fn failure(report: &Report) -> Option<Object> {
    report.failure.as_ref().map(|failure| {
        let mut object = Object::new();
        object.insert("code", failure.code.as_str());
        object.insert("stage", failure.stage.as_str());
        object.insert("message", failure.message.as_str());
        object.insert("hint", failure.hint.as_deref());
        object.insert("stderr", failure.stderr.clone());
        object.insert("warnings", failure.warnings.clone());
        object
    })
}

fn lock_view(view: &LockView) -> Object {
    let entries = |entries: &[EntryView]| entries.iter().map(entry_view).collect::<Vec<_>>();
    let mut object = Object::new();
    object.insert("tools", view.tools.iter().map(tool_view).collect::<Vec<_>>());
    object.insert("resources", entries(&view.resources));
    object.insert("prompts", entries(&view.prompts));
    object
}

fn tool_view(tool: &ToolView) -> Object {
    let parameters = |parameters: &Vec<ParameterView>| parameters.iter().map(parameter_view).collect::<Vec<_>>();
    let mut object = Object::new();
    object.insert("name", tool.name.as_str());
    object.insert("description", tool.description.as_deref());
    object.insert("capabilities", tool.capabilities.clone());
    object.insert("parameters", tool.parameters.as_ref().map(parameters));
    object.insert("returns", tool.returns.as_ref().map(parameters));
    object.insert("annotated", tool.annotated);
    object.insert("inspection", tool.inspection.clone());
    object.insert("description_hash", tool.description_hash);
    object.insert("input_schema_hash", tool.input_schema_hash);
    object.insert("entry_digest", tool.entry_digest);
    object.insert("fingerprint", tool.fingerprint.as_deref());
    object
}

/// An entry as a lock file of another tool pins it.
fn pinned_item(item: &PinnedItem) -> Object {
    let mut object = Object::new();
    object.insert("target", item.target.as_str());
    object.insert("digest", item.digest.as_str());
    object.insert("fingerprint", item.fingerprint.as_deref());
    object
}

fn parameter_view(parameter: &ParameterView) -> Object {
    let mut object = Object::new();
    object.insert("path", parameter.path.as_str());
    object.insert("required", parameter.required);
    object.insert("type", parameter.types.as_str());
    object.insert("facts", parameter.facts.clone());
    object
}

fn entry_view(entry: &EntryView) -> Object {
    let mut object = Object::new();
    object.insert("identity", entry.identity.as_str());
    object.insert("description", entry.description.as_deref());
    object.insert("details", entry.details.clone());
    object.insert("entry_digest", entry.entry_digest);
    object
}
