//! Findings: a list to unfold where they are an aside, a section each where they are what the report is about.

use super::{MAX_ITEMS, Part, code_block, details, name, sentence};
use crate::report::facts::Fact;

/// The parts that tell findings; they are sorted, worst first.
pub(super) fn parts(findings: &[Fact<'_>], they_decide: bool) -> Vec<Part> {
    match findings {
        [] => Vec::new(),
        findings if they_decide => findings.iter().map(section).collect(),
        findings => vec![folded(findings)],
    }
}

fn folded(findings: &[Fact<'_>]) -> Part {
    let mut body = String::new();
    for fact in findings.iter().take(MAX_ITEMS) {
        let (target, rule) = (name(fact.target), name(fact.rule_id));
        body.push_str(&format!(
            "- **{}** {target}: {} ({rule}{})\n",
            fact.severity,
            sentence(&fact.message),
            place(fact)
        ));
    }
    if findings.len() > MAX_ITEMS {
        body.push_str(&format!("- and {} more\n", findings.len() - MAX_ITEMS));
    }
    body.push('\n');
    let count = if findings.len() == 1 { "1 finding".to_owned() } else { format!("{} findings", findings.len()) };
    Part {
        brief: format!("{count}. A finding is something to look at, and decides nothing.\n\n"),
        details: details("Findings", &body),
    }
}

fn section(fact: &Fact<'_>) -> Part {
    let (target, rule) = (name(fact.target), name(fact.rule_id));
    let mut brief =
        format!("### {}: {target}\n\n- {} ({rule}{})\n", fact.severity, sentence(&fact.message), place(fact));
    if !fact.snippet.is_empty() && !fact.message.contains(fact.snippet) {
        brief.push_str(&format!("- found: {}\n", name(fact.snippet)));
    }
    brief.push('\n');
    if let Some(fix) = fact.fix {
        brief.push_str(&format!("To mend it:\n\n{}\n", code_block("text", &[fix.to_owned()])));
    }
    Part { brief, details: String::new() }
}

fn place(fact: &Fact<'_>) -> String {
    let place = fact.place.map(|place| name(&format!("{}:{}:{}", place.path, place.line, place.column)));
    place.map(|place| format!(" at {place}")).unwrap_or_default()
}
