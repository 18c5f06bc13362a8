//! The catalogue as a document.

use super::RULES;

const HEAD: &str = "\
# Rules

Every finding and every drift item carries one of these ids. Severity drives how a report is ordered and coloured;
it never decides whether a check passes. Drift fails a check whatever its severity. A finding fails no check;
[warden.toml](config.md) can accept it. `warden doctor` is there for findings and fails for each, those of the kind `posture`
and others that it makes.

`warden explain RULE` prints the same texts. This file is generated from the rule catalogue; a test compares the two.
";

/// The text of `docs/RULES.md`: an index by severity, then each rule with its texts.
pub fn rules_markdown() -> String {
    let mut out = String::from(HEAD);
    out.push_str("\n| rule | severity | meaning |\n|---|---|---|\n");
    for rule in RULES {
        let anchor = rule.id.to_ascii_lowercase();
        out.push_str(&format!("| [{}](#{anchor}) | {} | {} |\n", rule.id, rule.severity, rule.summary));
    }
    for rule in RULES {
        let kind = rule.kind().as_str();
        let title = format!("{} ({}, {kind})", rule.summary, rule.severity);
        out.push_str(&format!("\n## {}\n\n{title}\n\n{}\n", rule.id, rule.help_markdown()));
    }
    out
}
