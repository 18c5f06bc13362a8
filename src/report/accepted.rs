//! Findings that `warden.toml` accepts, for formats that have no list of their own for them: what a file of the repository
//! lets pass is never without a trace.

use super::model::{AcceptedFinding, Report};
use crate::text::{Charset, escape, shorten};

const MAX_NAME: usize = 120;
const MAX_REASON: usize = 200;

/// `1 finding accepted by warden.toml`; `None` where none is. Escaped.
pub(super) fn accepted_headline(report: &Report) -> Option<String> {
    let config = report.config.as_ref()?;
    let path = small(&config.path, MAX_NAME);
    match config.accepted.len() {
        0 => None,
        1 => Some(format!("1 finding accepted by {path}")),
        n => Some(format!("{n} findings accepted by {path}")),
    }
}

/// A line for each, new ones first and then the worst: what is accepted, where and why. Escaped.
pub(super) fn accepted_lines(report: &Report) -> Vec<String> {
    let mut accepted: Vec<&AcceptedFinding> = report.config.iter().flat_map(|config| &config.accepted).collect();
    accepted.sort_by_key(|accepted| std::cmp::Reverse((accepted.is_new, accepted.finding.severity)));
    let line = |accepted: &&AcceptedFinding| {
        let finding = &accepted.finding;
        let new = if accepted.is_new { "new, " } else { "" };
        let (rule, target) = (small(&finding.rule_id, MAX_NAME), small(&finding.target, MAX_NAME));
        format!("{new}{}: {rule} on {target}, {}", finding.severity, accepted_by(report, accepted))
    };
    accepted.iter().map(line).collect()
}

/// `accepted by warden.toml:1 until 2030-01-01 (reviewed by Ann)`; escaped.
pub(super) fn accepted_by(report: &Report, accepted: &AcceptedFinding) -> String {
    let path = report.config.as_ref().map(|config| small(&config.path, MAX_NAME)).unwrap_or_default();
    let by = &accepted.by;
    let until = by.expires.as_ref().map(|day| format!(" until {day}")).unwrap_or_default();
    format!("accepted by {path}:{}{until} ({})", by.line, small(&by.reason, MAX_REASON))
}

fn small(raw: &str, most: usize) -> String {
    escape(&shorten(raw, most), Charset::Unicode)
}
