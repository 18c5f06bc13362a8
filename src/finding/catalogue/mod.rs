//! Every rule of this tool, in one table.
//!
//! Reports, `warden explain`, `docs/RULES.md` and machine formats take a rule's texts from here, so that an id means one thing
//! everywhere. An id never changes its meaning; a rule that is given up leaves its id unused. The ids under
//! `WRD-CAP-`, `WRD-SEC-` and `WRD-SUP-` that other implementations of the format write too keep what they mean
//! there (SPEC.md §21.2); the rest are this tool's own.

mod capabilities;
mod drift;
mod drift_schema;
mod formats;
mod lock;
mod markdown;
mod posture;
mod run;
mod surface;

pub use markdown::rules_markdown;

use super::Severity;

/// A rule: what it means, why it matters, what to do. Ids never change their meaning.
///
/// The texts are plain English with code in backticks, so they are Markdown and read well without it.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Stable, `WRD-…`.
    pub id: &'static str,
    /// Severity of the findings or items it makes.
    pub severity: Severity,
    /// One sentence: what it means. The title of the rule.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do about it.
    pub advice: &'static str,
    /// What it may look like, where a line can show it.
    pub example: Option<&'static str>,
}

/// What a rule is about, which decides whether it can fail a check and whether it can be accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// Advice about what a server declares or how it is started. Fails nothing by itself; `warden.toml` can accept it.
    Finding,
    /// A class of drift. Fails a check; only a new pin accepts it.
    Drift,
    /// About the lock itself. Fails a check.
    Lock,
    /// About an entry of `warden.toml`.
    Ignore,
    /// About a run that could not tell anything.
    Run,
    /// About how servers are configured. Fails `warden doctor`, and no check; `warden.toml` can accept it.
    Posture,
    /// About the servers of a project together, such as one without a lock.
    Project,
}

impl RuleKind {
    /// The word in documents and machine formats.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Finding => "finding",
            Self::Drift => "drift",
            Self::Lock => "lock",
            Self::Ignore => "ignore",
            Self::Run => "run",
            Self::Posture => "posture",
            Self::Project => "project",
        }
    }
}

/// Where the documents of this release can be read: the repository that `Cargo.toml` names, or, where it names none,
/// the folder of the documents.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The address of a document of the repository, for example `docs/RULES.md#wrd-cap-shell`. Relative where `Cargo.toml`
/// names no repository.
pub fn document_uri(path: &str) -> String {
    match REPOSITORY.trim_end_matches('/') {
        "" => path.to_owned(),
        base => format!("{base}/blob/v{}/{path}", env!("CARGO_PKG_VERSION")),
    }
}

impl Rule {
    /// What kind of rule it is; its id says so.
    pub fn kind(&self) -> RuleKind {
        let is = |family| self.id.starts_with(family);
        match () {
            () if is("WRD-DRIFT-") => RuleKind::Drift,
            () if is("WRD-LOCK-") => RuleKind::Lock,
            () if is("WRD-IGNORE-") => RuleKind::Ignore,
            () if is("WRD-CONF-") => RuleKind::Posture,
            () if is("WRD-COMMAND-") || is("WRD-SERVER-NOT-CAPTURED") => RuleKind::Run,
            () if is("WRD-SERVER-") => RuleKind::Project,
            () => RuleKind::Finding,
        }
    }

    /// The drift class, for a rule of that kind: `tool-added`.
    pub fn drift_class(&self) -> Option<String> {
        self.id.strip_prefix("WRD-DRIFT-").map(str::to_ascii_lowercase)
    }

    /// The title: one sentence.
    pub fn short(&self) -> &'static str {
        self.summary
    }

    /// Title and reason.
    pub fn full(&self) -> String {
        format!("{} {}", self.summary, self.why)
    }

    /// Everything but the title, as plain text in paragraphs.
    pub fn help_text(&self) -> String {
        let example = self.example.map(|example| format!("\n\nExample: {example}")).unwrap_or_default();
        format!("{}\n\nWhat to do: {}{example}", self.why, self.advice)
    }

    /// The same as Markdown.
    pub fn help_markdown(&self) -> String {
        let example = self.example.map(|example| format!("\n\n**Example:** {example}")).unwrap_or_default();
        format!("{}\n\n**What to do:** {}{example}", self.why, self.advice)
    }

    /// Where to read it: [`document_uri`] of its section.
    pub fn help_uri(&self) -> String {
        document_uri(&format!("docs/RULES.md#{}", self.id.to_ascii_lowercase()))
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

    const fn example(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }
}

const fn new(
    id: &'static str,
    severity: Severity,
    summary: &'static str,
    why: &'static str,
    advice: &'static str,
) -> Rule {
    Rule { id, severity, summary, why, advice, example: None }
}

/// In the order of their ids.
const PARTS: [&[Rule]; 12] = [
    capabilities::RULES,
    run::FIRST,
    posture::RULES,
    drift::FIRST,
    formats::RULES,
    drift::MIDDLE,
    drift_schema::RULES,
    drift::LAST,
    lock::RULES,
    surface::FIRST,
    run::SERVERS,
    surface::LAST,
];

const COUNT: usize = {
    let (mut count, mut part) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
};

const TABLE: [Rule; COUNT] = {
    let mut table = [PARTS[0][0]; COUNT];
    // Loops by hand: iterators are not available in constants.
    let (mut part, mut at) = (0, 0);
    while part < PARTS.len() {
        let mut i = 0;
        while i < PARTS[part].len() {
            table[at] = PARTS[part][i];
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
            for text in [Some(rule.summary), Some(rule.why), Some(rule.advice), rule.example].into_iter().flatten() {
                assert!(text.len() > 10 && text.ends_with('.'), "{}: {text}", rule.id);
                assert!(!text.contains('\n') && !text.contains("  "), "{}: {text}", rule.id);
            }
            assert_eq!(super::rule(rule.id).map(|found| found.id), Some(rule.id));
        }
        assert!(rule("WRD-NOTHING").is_none());
    }

    #[test]
    fn a_rule_explains_itself() {
        let shell = rule("WRD-CAP-SHELL").unwrap();
        assert_eq!(shell.kind(), RuleKind::Finding);
        assert_eq!(shell.security_severity(), "9.5");
        assert!(shell.help_uri().ends_with("docs/RULES.md#wrd-cap-shell"));
        assert!(shell.full().starts_with(shell.short()) && shell.full().ends_with(shell.why));
        for text in [shell.help_text(), shell.help_markdown()] {
            assert!(text.contains(shell.why) && text.contains(shell.advice) && text.contains("run_hook"), "{text}");
        }
        let kind = |id| rule(id).unwrap().kind();
        assert_eq!(kind("WRD-DRIFT-TOOL-ADDED"), RuleKind::Drift);
        assert_eq!(kind("WRD-LOCK-INCONSISTENT"), RuleKind::Lock);
        assert_eq!(kind("WRD-IGNORE-UNUSED"), RuleKind::Ignore);
        assert_eq!(kind("WRD-CONF-SECRET"), RuleKind::Posture);
        assert_eq!(kind("WRD-SERVER-NOT-CAPTURED"), RuleKind::Run);
        assert_eq!(kind("WRD-SERVER-NOT-LOCKED"), RuleKind::Project);
        assert_eq!(rule("WRD-DRIFT-TOOL-ADDED").unwrap().drift_class().unwrap(), "tool-added");
    }

    #[test]
    fn classes_find_their_rules() {
        let severity = |class| drift_rule(class).map(|rule| rule.severity);
        assert_eq!(severity("server-identity"), Some(Severity::Critical));
        assert_eq!(severity("schema-out-type-broadened"), Some(Severity::High));
        assert_eq!(severity("nothing"), None);
    }
}
