//! Every rule of this tool, in one table.

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

/// All rules, sorted by id.
pub const RULES: &[Rule] = &[];

/// Looks a rule up by its id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}
