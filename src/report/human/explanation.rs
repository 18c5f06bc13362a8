//! `warden explain` for people.

use super::page::{Page, Style, Tone};
use crate::finding::{Rule, RuleKind};
use crate::report::explanation::{ErrorCode, Explanation};

/// Everything about each rule and code.
pub fn explanation(explanation: &Explanation, style: &Style) -> String {
    let mut page = Page::new(style);
    for rule in &explanation.rules {
        page.blank();
        rule_lines(&mut page, rule);
    }
    for error in &explanation.errors {
        page.blank();
        error_lines(&mut page, error);
    }
    page.finish()
}

/// A line for each.
pub fn explanation_list(explanation: &Explanation, style: &Style) -> String {
    let mut page = Page::new(style);
    let width = explanation.rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for rule in &explanation.rules {
        page.raw(&format!("{:<width$}  {:<8}  {}", rule.id, rule.severity.as_str(), rule.summary));
    }
    for error in &explanation.errors {
        page.raw(&format!("{:<width$}  {:<8}  {}", error.code, "error", error.summary()));
    }
    page.finish()
}

fn rule_lines(page: &mut Page<'_>, rule: &Rule) {
    page.header(rule.id, rule.severity);
    page.line(4, rule.summary, Tone::Plain);
    page.blank();
    page.labelled(4, "why", rule.why);
    page.labelled(4, "what to do", rule.advice);
    if let Some(example) = rule.example {
        page.labelled(4, "example", example);
    }
    let check = match rule.kind() {
        RuleKind::Finding => "fails nothing by itself; warden.toml can accept it",
        RuleKind::Drift => "fails; only a new pin accepts it",
        RuleKind::Lock => "fails; nothing but a good lock mends it",
        RuleKind::Posture => "not looked at; fails warden doctor; warden.toml can accept it",
        RuleKind::Project if rule.id == "WRD-SERVER-TOOL-CLASH" => "of all servers a note; fails nothing",
        RuleKind::Project => "of all servers it fails",
        RuleKind::Run => "exit code 2 or 3: nothing was checked",
        RuleKind::Ignore if rule.id == "WRD-IGNORE-EXPIRED" => "fails",
        RuleKind::Ignore => "a note; fails nothing",
    };
    page.labelled(4, "in a check", check);
    page.labelled(4, "read on", &rule.help_uri());
}

fn error_lines(page: &mut Page<'_>, error: &ErrorCode) {
    page.raw(&format!("  {}", error.code));
    page.blank();
    markdown_lines(page, &error.plain());
    page.blank();
    page.labelled(4, "in a check", "exit code 3: the server could not be captured");
    page.labelled(4, "read on", &error.help_uri());
}

/// Paragraphs and list items, broken anew for this page; tables and code as they are.
fn markdown_lines(page: &mut Page<'_>, text: &str) {
    let mut pending = String::new();
    let mut in_code = false;
    for line in text.lines() {
        let bare = line.trim();
        let is_fence = bare.starts_with("```");
        if in_code || is_fence || bare.starts_with('|') {
            flush(page, &mut pending);
            in_code ^= is_fence;
            page.raw(&format!("    {line}"));
        } else if bare.is_empty() {
            flush(page, &mut pending);
            page.blank();
        } else {
            if bare.starts_with("* ") {
                flush(page, &mut pending);
            }
            if !pending.is_empty() {
                pending.push(' ');
            }
            pending.push_str(bare);
        }
    }
    flush(page, &mut pending);
}

fn flush(page: &mut Page<'_>, pending: &mut String) {
    let text = std::mem::take(pending);
    match text.strip_prefix("* ") {
        _ if text.is_empty() => {}
        Some(item) => page.hanging(4, "*", item),
        None => page.hanging(3, "", &text),
    }
}
