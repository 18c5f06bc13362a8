//! The vocabulary that drift, checks and reports share: severities, findings, and the catalogue of rules.
//!
//! A leaf room, pure.

mod catalogue;

pub use catalogue::{RULES, Rule, RuleKind, document_uri, drift_rule, rule, rules_markdown};

use std::fmt;

/// How much a finding or a drift item matters. Ordered: `Low < Medium < High < Critical`. It drives reporting only,
/// never the verdict (SPEC.md §16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    /// All of them, worst first.
    pub const WORST_FIRST: [Self; 4] = [Self::Critical, Self::High, Self::Medium, Self::Low];

    /// The severity of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORST_FIRST.into_iter().find(|severity| severity.as_str() == word)
    }

    /// The word as it stands in locks and machine formats.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `pad`, so that callers can align.
        f.pad(self.as_str())
    }
}

/// What a static check says about one declared thing. Embedded in a lock at pin; never part of a digest
/// (SPEC.md §21).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A rule of [`RULES`].
    pub rule_id: &'static str,
    pub severity: Severity,
    /// `tools/<name>`, `resources/<uri>`, `prompts/<name>`, `launch/command`, or `server/` and a part of the handshake;
    /// raw text.
    pub target: String,
    /// One sentence in our words. Quoted parts of the surface are escaped already; no secret stands in it.
    pub message: String,
    /// The evidence, redacted and escaped.
    pub snippet: String,
}
