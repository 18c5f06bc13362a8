//! Findings of a whole surface, or of a project's settings.

use super::super::Verdict;
use super::super::model::{FindingLine, Report};
use super::page::{Page, Style, Tone};
use super::verdict;
use crate::finding::Severity;
use crate::text::shorten;

/// Findings that a report lists without `-v`, where they are not what it is about.
const FINDINGS_SHOWN: usize = 8;

pub(super) fn lines(page: &mut Page<'_>, report: &Report, style: &Style) {
    if report.findings.is_empty() {
        return;
    }
    page.blank();
    let mut sorted: Vec<&FindingLine> = report.findings.iter().collect();
    let counts: Vec<String> =
        verdict::by_severity(&sorted).iter().map(|(severity, n)| format!("{n} {severity}")).collect();
    // Nothing was written: what was found is no news, or stands with the change that brings it.
    if matches!(report.verdict, Verdict::Unchanged | Verdict::Refused) && !style.verbose {
        page.labelled(2, "findings", &format!("{} (-v lists them)", counts.join(", ")));
        return;
    }
    // The verdict says how many, and they are all that the report is about.
    let decides = report.verdict == Verdict::Findings;
    if !decides {
        page.labelled(2, "findings", &counts.join(", "));
    }
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    // What is low is worth a count, unless there is nothing else.
    let only_low = sorted.iter().all(|finding| finding.severity == Severity::Low);
    let is_worth = |finding: &&&FindingLine| style.verbose || decides || only_low || finding.severity > Severity::Low;
    let most = if style.verbose || decides { sorted.len() } else { FINDINGS_SHOWN };
    let worth = sorted.iter().filter(is_worth).take(most).count();
    // The line that says that one more is hidden would take the room that hiding it saves.
    let shown = if sorted.len() - worth == 1 { sorted.len() } else { worth };
    for finding in &sorted[..shown] {
        let target = page.text(&finding.target);
        let rule = page.text(&finding.rule_id);
        page.entry(finding.severity, &format!("{target}: {}", words(finding)), &rule);
        place_and_fix(page, finding);
    }
    if let Some(rest) = sorted.get(shown..).filter(|rest| !rest.is_empty()) {
        let counts: Vec<String> =
            verdict::by_severity(rest).iter().map(|(severity, n)| format!("{n} {severity}")).collect();
        page.line(4, &format!("and {}: -v lists them all", counts.join(", ")), Tone::Dim);
    }
}

/// The message and, where it does not hold it already, what it was found in.
pub(super) fn words(finding: &FindingLine) -> String {
    match finding.snippet.is_empty() || finding.message.contains(&finding.snippet) {
        true => finding.message.clone(),
        false => format!("{}: {}", finding.message, shorten(&finding.snippet, 200)),
    }
}

/// Where a finding stands, if that is not in a lock, and what mends it. That is for copying, so it is never broken.
pub(super) fn place_and_fix(page: &mut Page<'_>, finding: &FindingLine) {
    if let Some(place) = &finding.place {
        let path = page.text(&place.path);
        page.line(page.entry_indent(), &format!("{path}:{}:{}", place.line, place.column), Tone::Dim);
    }
    if let Some(fix) = &finding.fix {
        page.beneath("to mend it:", fix);
    }
}
