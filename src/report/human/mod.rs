//! The report for people. Verdict first, alone in its line; an entry a block, worst first; what was looked at and what
//! was not; commands last.
//!
//! Every text from outside goes through [`text`](Page::text) or was escaped by whoever put it into the model.

mod config;
mod coverage;
mod explanation;
mod findings;
mod page;
mod server_list;
mod servers;
mod texts;
mod tree;
mod verdict;
mod wrap;

pub(super) use verdict::{by_severity, counts_words, pinned_counts, severities, still_differs};

pub use explanation::{explanation, explanation_list};
pub use page::Style;
pub use server_list::server_list;
pub use servers::project_human;

use super::Verdict;
use super::blocks::is_whole_class;
use super::model::{Block, BlockItem, Failure, FindingLine, NextStep, Report};
use crate::drift::LAUNCH_TARGET;
use crate::text::{Charset, escape, shorten};
use page::{Page, Tone};
use unicode_width::UnicodeWidthStr as _;

/// Renders a report for a terminal or a log.
pub fn human(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    verdict::line(&mut page, report);
    if style.quiet {
        return page.finish();
    }
    verdict::captured_line(&mut page, report);
    verdict::compared_line(&mut page, report);
    body(&mut page, report, style);
    if !report.verified {
        next_lines(&mut page, &report.next);
    }
    page.finish()
}

/// Everything between the lines at the top and the commands that go on from here.
fn body(page: &mut Page<'_>, report: &Report, style: &Style) {
    if report.verified {
        // Whoever asks whether a lock holds wants to read what does not; the lock itself stands in `warden show`.
        for block in &report.blocks {
            page.blank();
            block_lines(page, block, style.verbose, report.entry.is_some());
        }
        return;
    }
    if report.verdict == Verdict::Approved {
        // What was approved was shown before; here stands that it was.
        note_lines(page, &report.notes);
        return;
    }
    if let Some(failure) = &report.failure {
        failure_lines(page, failure, report.verdict);
        texts::unstable_lines(page, &report.unstable, report.more_unstable);
    }
    secret_line(page, report);
    if let (Some(path), Verdict::Pinned | Verdict::Unchanged) = (&report.files.saved_to, report.verdict) {
        let path = page.text(path);
        page.column("texts", &path, "what was pinned, word for word", Tone::Dim);
    }
    if report.verdict == Verdict::Shown || report.view.is_some() {
        tree::lock_lines(page, report, style.verbose);
    }
    if matches!(report.verdict, Verdict::Pinned | Verdict::Refused) && !report.blocks.is_empty() {
        page.blank();
        let what = if report.remaining.is_some() { "chosen" } else { "against the lock that was there" };
        let (places, severities) = (verdict::places(&report.blocks, 0), verdict::severities(&report.blocks));
        let against = format!("{what}: {places}, {severities}");
        page.line(2, &against, Tone::Plain);
    }
    for block in report.shown_blocks() {
        page.blank();
        block_lines(page, block, style.verbose, report.entry.is_some());
        config::accepted_here(page, report, &block.target);
    }
    remaining_lines(page, report, style.verbose);
    if !report.capabilities.is_empty() && report.view.is_none() {
        page.blank();
        let flags: Vec<String> =
            report.capabilities.iter().map(|(flag, count)| format!("{} {count}", page.text(flag))).collect();
        page.labelled(2, "capabilities", &flags.join("   "));
    }
    findings::lines(page, report, style);
    config::config_lines(page, report, style);
    coverage::lines(page, report, style.verbose);
    note_lines(page, &report.notes);
}

/// What drifted and was not chosen: a pin of a part is no all-clear.
fn remaining_lines(page: &mut Page<'_>, report: &Report, verbose: bool) {
    let Some(blocks) = &report.remaining else { return };
    page.blank();
    if blocks.is_empty() {
        page.line(2, "nothing else differs from the lock", Tone::Plain);
        return;
    }
    let what = "not chosen, so the lock keeps what was pinned, and a check still fails";
    page.line(2, &format!("{what}: {}, {}", verdict::places(blocks, 0), verdict::severities(blocks)), Tone::Bad);
    for block in blocks {
        page.blank();
        block_lines(page, block, verbose, false);
        config::accepted_here(page, report, &block.target);
    }
}

fn note_lines(page: &mut Page<'_>, notes: &[String]) {
    if !notes.is_empty() {
        page.blank();
    }
    for note in notes {
        page.labelled(2, "note", note);
    }
}

/// A secret in the launch stands in the lock word for word, and locks are committed: this cannot wait among findings.
fn secret_line(page: &mut Page<'_>, report: &Report) {
    if !launch_holds_a_secret(report) {
        return;
    }
    let advice = match report.verdict {
        Verdict::Pinned | Verdict::Unchanged | Verdict::Shown => {
            "The launch holds what looks like a secret, and the lock stores it word for word. Do not commit this lock: \
             hand the value over by --env NAME (or --header-env), pin again, and replace the secret if it was shared."
        }
        _ => "The launch holds what looks like a secret. Hand it over by --env NAME (or --header-env) instead.",
    };
    page.blank();
    page.line(2, &format!("SECRET: {advice}"), Tone::Bad);
}

fn launch_holds_a_secret(report: &Report) -> bool {
    let is_secret = |finding: &FindingLine| {
        finding.target == LAUNCH_TARGET
            && (finding.rule_id.starts_with("WRD-SEC-") || finding.rule_id.starts_with("WRD-LAUNCH-"))
            && finding.rule_id.contains("SEC")
    };
    report.findings.iter().any(is_secret)
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
    page.line(2, &format!("What that means: warden explain {}", failure.code), Tone::Dim);
}

fn block_lines(page: &mut Page<'_>, block: &Block, verbose: bool, whole: bool) {
    page.header(&page.text(&block.target), block.severity());
    for item in &block.items {
        let small = item_small(page, item, verbose);
        page.entry(item.severity, &item.words, &small);
    }
    for finding in &block.findings {
        let rule = page.text(&finding.rule_id);
        page.entry(finding.severity, &format!("new finding: {}", findings::words(finding)), &rule);
        findings::place_and_fix(page, finding);
    }
    let derived = |member: &str| matches!(member, "schema_skeleton" | "output_schema_skeleton");
    let silent: Vec<String> = block
        .fields
        .iter()
        .filter(|field| !field.has_item && !derived(&field.member))
        .map(|field| escape(&shorten(&super::blocks::field_words(&field.member), 80), Charset::Unicode))
        .collect();
    // For these the format has one item, whatever changed in them, and its words name the members.
    let is_named = block.items.iter().any(|item| is_whole_class(&item.class));
    if !silent.is_empty() && !is_named {
        page.line(
            4,
            &format!("changed too: {} (the format has no item for it beside what stands above)", silent.join(" and ")),
            Tone::Plain,
        );
    }
    texts::text_lines(page, &block.texts, block.more_texts, whole);
}

/// Class and, where the words do not say it all, where and what in the format's own words.
fn item_small(page: &Page<'_>, item: &BlockItem, verbose: bool) -> String {
    let mut small = item.class.clone();
    if !verbose {
        return small;
    }
    if let Some(path) = &item.path {
        small.push_str(&format!(" at {}", page.text(path)));
    }
    if let Some(detail) = &item.detail {
        small.push_str(&format!(", {}", page.text(detail)));
    }
    small
}

/// Commands are never broken: they must survive copying. Where one does not fit beside its purpose, all stand below.
fn next_lines(page: &mut Page<'_>, steps: &[NextStep]) {
    if steps.is_empty() {
        return;
    }
    page.blank();
    let purposes = steps.iter().map(|step| step.purpose.len() + 2).max().unwrap_or(0);
    let fits = steps.iter().all(|step| 7 + purposes + step.command.width() <= page.width());
    for (i, step) in steps.iter().enumerate() {
        let label = if i == 0 { "next" } else { "" };
        let purpose = format!("{}:", step.purpose);
        if fits {
            page.raw(&format!("{label:<7}{purpose:<purposes$}{}", step.command));
        } else {
            page.raw(&format!("{label:<7}{purpose}"));
            page.raw(&format!("         {}", step.command));
        }
    }
}
