//! Every rule of this tool, in one table.
//!
//! Reports, `docs/rules.md` and machine formats take a rule's texts from here, so that an id means one thing
//! everywhere. An id never changes its meaning; a rule that is given up leaves its id unused. The ids under
//! `WRD-CAP-`, `WRD-SEC-` and `WRD-SUP-` that other implementations of the format write too keep what they mean
//! there (SPEC.md §21.2); the rest are this tool's own.

mod capabilities;
mod drift;
mod markdown;
mod run;
mod surface;

pub use markdown::rules_markdown;

use super::Severity;

/// A rule: what a check looks for and what to do about it. Ids never change their meaning.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Stable, `WRD-…`.
    pub id: &'static str,
    /// Severity of the findings it makes.
    pub severity: Severity,
    /// One line: what it means.
    pub summary: &'static str,
    /// Why it matters and what to do.
    pub help: &'static str,
}

impl Rule {
    /// The title: one sentence.
    pub fn short(&self) -> &'static str {
        self.summary
    }

    /// Title and reason.
    pub fn full(&self) -> String {
        format!("{} {}", self.summary, self.help)
    }

    /// Everything but the title, as plain text.
    pub fn help_text(&self) -> String {
        self.help.to_owned()
    }

    /// The same as Markdown.
    pub fn help_markdown(&self) -> String {
        self.help.to_owned()
    }

    /// Where to read it; relative where `Cargo.toml` names no repository.
    pub fn help_uri(&self) -> String {
        let path = format!("docs/rules.md#{}", self.id.to_ascii_lowercase());
        match env!("CARGO_PKG_REPOSITORY").trim_end_matches('/') {
            "" => path,
            base => format!("{base}/blob/v{}/{path}", env!("CARGO_PKG_VERSION")),
        }
    }

    /// The severity as a number from 0 to 10, in the bands of code scanning services: above 9 critical, from 7 high, from
    /// 4 medium.
    pub fn security_severity(&self) -> &'static str {
        match self.severity {
            Severity::Critical => "9.5",
            Severity::High => "8.0",
            Severity::Medium => "5.5",
            Severity::Low => "2.0",
        }
    }
}

const fn new(id: &'static str, severity: Severity, summary: &'static str, help: &'static str) -> Rule {
    Rule { id, severity, summary, help }
}

const COUNT: usize = capabilities::RULES.len() + run::RULES.len() + drift::RULES.len() + surface::RULES.len();

const TABLE: [Rule; COUNT] = {
    let parts = [capabilities::RULES, run::RULES, drift::RULES, surface::RULES];
    let mut table = [parts[0][0]; COUNT];
    // Loops by hand: iterators are not available in constants.
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            table[at] = parts[part][i];
            at += 1;
            i += 1;
        }
        part += 1;
    }
    table
};

/// All rules, sorted by id.
pub const RULES: &[Rule] = &TABLE;

/// Looks a rule up by its id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.binary_search_by(|rule| rule.id.cmp(id)).ok().map(|at| &RULES[at])
}

/// The rule id of a drift class: `tool-added` is reported as `WRD-DRIFT-TOOL-ADDED`. `None` for a class that is not
/// in the table.
pub fn drift_rule(class: &str) -> Option<&'static Rule> {
    rule(&format!("WRD-DRIFT-{}", class.to_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_unique_and_complete() {
        assert!(RULES.windows(2).all(|pair| pair[0].id < pair[1].id), "not sorted by id");
        for rule in RULES {
            assert!(rule.id.starts_with("WRD-"), "{}", rule.id);
            assert!(rule.id.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-'), "{}", rule.id);
            for text in [rule.summary, rule.help] {
                assert!(text.len() > 10 && text.ends_with('.'), "{}: {text}", rule.id);
                assert!(!text.contains('\n') && !text.contains("  "), "{}: {text}", rule.id);
            }
            assert_eq!(super::rule(rule.id).map(|found| found.id), Some(rule.id));
        }
        assert!(rule("WRD-NOTHING").is_none());
    }

    #[test]
    fn classes_find_their_rules() {
        let severity = |class| drift_rule(class).map(|rule| rule.severity);
        assert_eq!(severity("server-identity"), Some(Severity::Critical));
        assert_eq!(severity("schema-out-type-broadened"), Some(Severity::High));
        assert_eq!(severity("nothing"), None);
    }
}
