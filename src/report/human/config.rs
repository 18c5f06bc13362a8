//! What `warden.toml` did: which file, what it accepts, and why.

use super::page::{Page, Style, Tone};
use crate::report::model::{AcceptedFinding, ConfigUse, Report};

/// The file and what it accepts, in one line; with `-v` every accepted finding.
pub(super) fn config_lines(page: &mut Page<'_>, report: &Report, style: &Style) {
    let Some(config) = &report.config else { return };
    page.blank();
    let path = page.text(&config.path);
    let more = if style.verbose { "" } else { " (-v lists them)" };
    let accepted = match config.accepted.len() {
        // Nobody knows what it would have accepted.
        0 if report.server.is_none() && report.view.is_none() => String::new(),
        0 => ": no finding accepted".to_owned(),
        1 => format!(": 1 finding accepted{more}"),
        n => format!(": {n} findings accepted{more}"),
    };
    page.labelled(2, "config", &format!("{path}{accepted}"));
    for accepted in config.accepted.iter().filter(|_| style.verbose) {
        let words = format!("{}: {}", page.text(&accepted.finding.target), accepted.finding.message);
        let small = reason(page, config, accepted);
        page.entry(accepted.finding.severity, &words, &small);
    }
}

/// Accepted findings that would be new on an entry that drifted, in the block of the entry.
pub(super) fn accepted_here(page: &mut Page<'_>, report: &Report, target: &str) {
    let Some(config) = &report.config else { return };
    for accepted in config.accepted.iter().filter(|accepted| accepted.is_new && accepted.finding.target == target) {
        page.line(4, &format!("new, but accepted: {}", accepted.finding.message), Tone::Plain);
        page.line(13, &reason(page, config, accepted), Tone::Dim);
    }
}

/// Who accepts a finding, why and until when.
fn reason(page: &Page<'_>, config: &ConfigUse, accepted: &AcceptedFinding) -> String {
    let by = &accepted.by;
    let until = by.expires.as_ref().map(|day| format!(" until {day}")).unwrap_or_default();
    let place = page.text(&format!("{}:{}", config.path, by.line));
    format!("{}, accepted{until}: {} ({place})", by.rule_id, page.text(&by.reason))
}
