//! What was looked at and what was not: one line each. Nothing is skipped silently.

use super::super::coverage::Coverage;
use super::super::model::Report;
use super::super::verdict::Verdict;
use super::page::Page;

pub(super) fn lines(page: &mut Page<'_>, report: &Report, verbose: bool) {
    let Some(coverage) = &report.coverage else { return };
    // A clean check is one line, unless somebody asks.
    if report.verdict == Verdict::Clean && !verbose {
        return;
    }
    page.blank();
    if let Some(words) = compared(coverage) {
        page.labelled(2, "compared", &words);
    }
    let asked: Vec<String> =
        coverage.sections.iter().map(|(section, state)| format!("{section} ({})", state.words())).collect();
    page.labelled(2, "asked for", &asked.join(", "));
    let uncovered = match coverage.not_covered.as_slice() {
        [] => "nothing that the server declares".to_owned(),
        parts => parts.join("; "),
    };
    page.labelled(2, "not covered", &format!("by level {}: {uncovered}", coverage.level));
}

/// `14 pinned entries: 4 as pinned, 6 changed, 4 gone; 7 new`.
fn compared(coverage: &Coverage) -> Option<String> {
    let compared = coverage.compared?;
    let total = compared.same + compared.changed + compared.gone;
    let entries = if total == 1 { "entry" } else { "entries" };
    let mut parts = vec![format!("{} as pinned", compared.same)];
    for (count, word) in [(compared.changed, "changed"), (compared.gone, "gone")] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    let new = if compared.new > 0 { format!("; {} new", compared.new) } else { String::new() };
    Some(format!("{total} pinned {entries}: {}{new}", parts.join(", ")))
}
