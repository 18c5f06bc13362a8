//! The report for people. Verdict first in its own place, an entry a block, commands last.
//!
//! Every text from outside goes through [`text`](Page::text) or was escaped by whoever put it into the model.

mod config;
mod explanation;
mod page;
mod texts;
mod tree;

pub use explanation::{explanation, explanation_list};
pub use page::Style;

use super::model::{Block, BlockItem, Counts, Failure, FindingLine, Report, Verdict, severity_counts};
use crate::finding::Severity;
use crate::text::shorten;
use page::{Page, Tone};

/// Findings that a pin report lists without `-v`.
const FINDINGS_SHOWN: usize = 12;

/// Renders a report for a terminal or a log.
pub fn human(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    if style.quiet {
        verdict_line(&mut page, report);
        return page.finish();
    }
    captured_line(&mut page, report);
    compared_line(&mut page, report);
    verdict_line(&mut page, report);
    if report.verdict == Verdict::Approved {
        // What was approved was shown before; here stands that it was.
        note_lines(&mut page, report);
        next_lines(&mut page, report);
        return page.finish();
    }
    if let Some(failure) = &report.failure {
        failure_lines(&mut page, failure, report.verdict);
        texts::unstable_lines(&mut page, &report.unstable, report.more_unstable);
    }
    if let (Some(path), Verdict::Pinned | Verdict::Unchanged) = (&report.files.saved_to, report.verdict) {
        let path = page.text(path);
        page.column("texts", &path, "what was pinned, word for word", Tone::Dim);
    }
    if report.verdict == Verdict::Shown || report.view.is_some() {
        tree::lock_lines(&mut page, report);
    }
    if matches!(report.verdict, Verdict::Pinned | Verdict::Refused) && !report.blocks.is_empty() {
        page.blank();
        let what = if report.remaining.is_some() { "chosen" } else { "against the lock that was there" };
        let against = format!("{what}: {}, {}", places(&report.blocks), severities(&report.blocks));
        page.line(2, &against, Tone::Plain);
    }
    for block in &report.blocks {
        page.blank();
        block_lines(&mut page, block);
        config::accepted_here(&mut page, report, &block.target);
    }
    remaining_lines(&mut page, report);
    if !report.capabilities.is_empty() && report.view.is_none() {
        page.blank();
        let flags: Vec<String> =
            report.capabilities.iter().map(|(flag, count)| format!("{} {count}", page.text(flag))).collect();
        page.labelled(2, "capabilities", &flags.join("   "));
    }
    finding_lines(&mut page, report, style);
    config::config_lines(&mut page, report, style);
    note_lines(&mut page, report);
    next_lines(&mut page, report);
    page.finish()
}

/// What drifted and was not chosen: a pin of a part is no all-clear.
fn remaining_lines(page: &mut Page<'_>, report: &Report) {
    let Some(blocks) = &report.remaining else { return };
    page.blank();
    if blocks.is_empty() {
        page.line(2, "nothing else differs from the lock", Tone::Plain);
        return;
    }
    let what = "not chosen, so the lock keeps what was pinned, and a check still fails";
    page.line(2, &format!("{what}: {}, {}", places(blocks), severities(blocks)), Tone::Bad);
    for block in blocks {
        page.blank();
        block_lines(page, block);
    }
}

fn note_lines(page: &mut Page<'_>, report: &Report) {
    if !report.notes.is_empty() {
        page.blank();
    }
    for note in &report.notes {
        page.labelled(2, "note", note);
    }
}

/// `12 tools, 2 resources, 1 prompt`.
pub(super) fn counts_words(counts: &Counts) -> String {
    let part = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let parts = [part(counts.tools, "tool"), part(counts.resources, "resource"), part(counts.prompts, "prompt")];
    parts.join(", ")
}

fn compared_line(page: &mut Page<'_>, report: &Report) {
    if let Some(compared) = report.compared_with.as_ref().filter(|_| report.verdict != Verdict::Same) {
        let (from, to) = (page.text(&report.subject.lock_path), page.text(&compared.path));
        page.column("compared", &from, &format!("with {to}"), Tone::Dim);
        page.blank();
    }
}

fn captured_line(page: &mut Page<'_>, report: &Report) {
    let Some(server) = &report.server else { return };
    if report.verdict == Verdict::Clean {
        return;
    }
    let name = server.name.as_deref().unwrap_or("unnamed server");
    let version = server.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let protocol = match server.protocol_version.as_str() {
        "" => String::new(),
        version => format!(", MCP {version}"),
    };
    let who = page.text(&format!("{name}{version}{protocol}"));
    let word = if report.files.read_from.is_some() { "read" } else { "captured" };
    let origin = origin(page, report, server.seconds);
    page.column(word, &counts_words(&report.counts), &format!("{who}, {origin}"), Tone::Dim);
    page.blank();
}

/// The file that a surface came from, or how long it took to get it from a server.
fn origin(page: &Page<'_>, report: &Report, seconds: f64) -> String {
    match &report.files.read_from {
        Some(path) => format!("from {}", page.text(path)),
        None => format!("{seconds:.1} s"),
    }
}

fn verdict_line(page: &mut Page<'_>, report: &Report) {
    let lock = page.text(&report.subject.lock_path);
    // Shown, not for copying: a lock may hold arguments of any length.
    let launch = shorten(&report.subject.launch, 300);
    let launch = launch.as_str();
    let digest = |page: &Page<'_>| {
        report.lock.as_ref().map(|lock| page.dim(&lock.overall_digest.abbreviated())).unwrap_or_default()
    };
    let word = report.verdict.word();
    let counts = counts_words(&report.counts);
    match report.verdict {
        Verdict::Clean => {
            let origin = report.server.as_ref().map(|server| format!(" ({})", origin(page, report, server.seconds)));
            page.column(word, launch, &format!("{counts} match {lock}{}", origin.unwrap_or_default()), Tone::Good);
        }
        Verdict::Same => {
            let other = report.compared_with.as_ref().map(|compared| page.text(&compared.path)).unwrap_or_default();
            page.column(word, &lock, &format!("{counts} match {other}"), Tone::Good);
        }
        Verdict::Drift | Verdict::Inconsistent | Verdict::NotApproved | Verdict::Different | Verdict::Expired => {
            page.column(word, &places(&report.blocks), &severities(&report.blocks), Tone::Bad);
        }
        Verdict::Refused => {
            let who = report.lock.as_ref().and_then(|lock| lock.approver.as_deref()).unwrap_or("nobody named");
            let who = page.text(who);
            page.column(word, &lock, &format!("approved by {who}; it was left as it is"), Tone::Bad);
        }
        Verdict::NotChecked | Verdict::NotPinned | Verdict::NotCaptured => {
            let stage = report.failure.as_ref().map(|failure| format!("{}: {}", failure.stage, failure.message));
            page.column(word, launch, &stage.unwrap_or_default(), Tone::Bad);
        }
        Verdict::Pinned => {
            let digest = digest(page);
            page.column(word, &lock, &digest, Tone::Good);
        }
        Verdict::Unchanged => page.column(word, &lock, &format!("{counts}; the file was left as it is"), Tone::Good),
        Verdict::Approved => {
            let lock_summary = report.lock.as_ref();
            let who = lock_summary.and_then(|lock| lock.approver.as_deref()).unwrap_or("nobody named");
            let said = format!("by {}, {}", page.text(who), digest(page));
            page.column(word, &lock, &said, Tone::Good);
        }
        Verdict::Shown => page.column(word, &lock, &counts, Tone::Plain),
        Verdict::Captured => {
            let path = report.files.saved_to.as_deref().map(|path| page.text(path));
            page.column(word, &path.unwrap_or_default(), launch, Tone::Good);
        }
    }
}

/// How many entries and other places the blocks are about.
fn places(blocks: &[Block]) -> String {
    match blocks.len() {
        1 => "1 place".to_owned(),
        n => format!("{n} places"),
    }
}

/// Items by severity, and the findings that are new beside them.
fn severities(blocks: &[Block]) -> String {
    let count = |(severity, n): (Severity, usize)| format!("{n} {severity}");
    let items: Vec<String> = severity_counts(blocks).into_iter().map(count).collect();
    let findings: Vec<&FindingLine> = blocks.iter().flat_map(|block| &block.findings).collect();
    let findings: Vec<String> = by_severity(&findings).into_iter().map(count).collect();
    match findings.as_slice() {
        [] => items.join(", "),
        _ => format!("{}; new findings: {}", items.join(", "), findings.join(", ")),
    }
}

/// Worst first, zeros left out.
fn by_severity(findings: &[&FindingLine]) -> Vec<(Severity, usize)> {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    Severity::WORST_FIRST.into_iter().map(|severity| (severity, count(severity))).filter(|(_, n)| *n > 0).collect()
}

fn failure_lines(page: &mut Page<'_>, failure: &Failure, verdict: Verdict) {
    page.blank();
    if !matches!(verdict, Verdict::NotChecked | Verdict::NotPinned | Verdict::NotCaptured) {
        page.line(2, &format!("The server could not be asked. {}: {}", failure.stage, failure.message), Tone::Plain);
    }
    for warning in &failure.warnings {
        page.line(2, warning, Tone::Plain);
    }
    let was_waiting = !matches!(failure.stage.as_str(), "start" | "surface") && !failure.remote;
    if failure.stderr.is_empty() && was_waiting {
        page.line(2, "The server wrote nothing on stderr.", Tone::Plain);
    }
    if !failure.stderr.is_empty() {
        page.line(2, "Its last lines on stderr:", Tone::Plain);
        for line in &failure.stderr {
            page.line(4, line, Tone::Dim);
        }
    }
    if let Some(hint) = &failure.hint {
        page.line(2, hint, Tone::Plain);
    }
    page.line(2, &format!("{}, see docs/troubleshooting.md", failure.code), Tone::Dim);
}

fn block_lines(page: &mut Page<'_>, block: &Block) {
    let severity = block.severity();
    page.header(&page.text(&block.target), severity);
    for item in &block.items {
        item_lines(page, item);
    }
    let silent: Vec<&str> =
        block.fields.iter().filter(|field| !field.has_item).map(|field| field.member.as_str()).collect();
    let derived = |member: &str| matches!(member, "schema_skeleton" | "output_schema_skeleton");
    let silent: Vec<String> =
        silent.into_iter().filter(|member| !derived(member)).map(|member| page.text(&field_words(member))).collect();
    // For these the format has one item, whatever changed in them.
    let is_whole = |item: &BlockItem| ["resource-modified", "prompt-modified"].contains(&item.class.as_str());
    if block.items.iter().any(is_whole) {
        page.line(4, &format!("changed: {}", silent.join(", ")), Tone::Plain);
    } else if !silent.is_empty() {
        page.line(
            4,
            &format!("changed too: {} (the format has no item for it beside what stands above)", silent.join(", ")),
            Tone::Plain,
        );
    }
    texts::text_lines(page, &block.texts, block.more_texts);
    for finding in &block.findings {
        let small = finding_small(page, finding);
        page.entry(finding.severity, &format!("new finding: {}", finding.message), &small);
    }
}

/// The everyday name of an entry's member; any other text is given back as it is.
pub fn field_words(member: &str) -> String {
    match member {
        "description_hash" => "description",
        "input_schema_hash" => "input schema",
        "schema_skeleton" => "input schema's structure",
        "output_schema_hash" => "output schema",
        "output_schema_skeleton" => "output schema's structure",
        "annotations_hash" => "annotations",
        "arguments_hash" => "arguments",
        "mime_type" => "media type",
        "inspection" => "inspection block",
        other => other,
    }
    .to_owned()
}

fn item_lines(page: &mut Page<'_>, item: &BlockItem) {
    let mut small = item.class.clone();
    if let Some(path) = item.path.as_deref().filter(|path| *path != crate::skeleton::ROOT_PATH) {
        small.push_str(&format!(" at {}", page.text(path)));
    }
    if let Some(detail) = &item.detail {
        small.push_str(&format!(", {}", page.text(detail)));
    }
    page.entry(item.severity, &item.words, &small);
}

fn finding_lines(page: &mut Page<'_>, report: &Report, style: &Style) {
    if report.findings.is_empty() {
        return;
    }
    page.blank();
    let mut sorted: Vec<&FindingLine> = report.findings.iter().collect();
    let counts: Vec<String> = by_severity(&sorted).iter().map(|(severity, n)| format!("{n} {severity}")).collect();
    // Nothing was written: what was found is no news, or stands with the change that brings it.
    if matches!(report.verdict, Verdict::Unchanged | Verdict::Refused) && !style.verbose {
        page.labelled(2, "findings", &format!("{} (-v lists them)", counts.join(", ")));
        return;
    }
    page.labelled(2, "findings", &counts.join(", "));
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let shown = if style.verbose { sorted.len() } else { FINDINGS_SHOWN };
    for finding in sorted.iter().take(shown) {
        let target = page.text(&finding.target);
        let small = finding_small(page, finding);
        page.entry(finding.severity, &format!("{target}: {}", finding.message), &small);
    }
    if sorted.len() > shown {
        page.line(4, &format!("and {} more: -v lists them all", sorted.len() - shown), Tone::Dim);
    }
}

fn finding_small(page: &Page<'_>, finding: &FindingLine) -> String {
    let rule = page.text(&finding.rule_id);
    // Many messages end with it.
    if finding.message.contains(&finding.snippet) {
        return rule;
    }
    format!("{rule} {}", crate::text::shorten(&finding.snippet, 200))
}

fn next_lines(page: &mut Page<'_>, report: &Report) {
    if report.next.is_empty() {
        return;
    }
    page.blank();
    let width = report.next.iter().map(|step| step.purpose.len()).max().unwrap_or(0) + 2;
    for (i, step) in report.next.iter().enumerate() {
        let label = if i == 0 { "next" } else { "" };
        // A command is never wrapped: it must survive copying.
        page.raw(&format!("{label:<7}{:<width$}{}", format!("{}:", step.purpose), step.command));
    }
}
