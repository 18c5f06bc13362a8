//! `warden.toml`: what a project says about its checks (docs/config.md).
//!
//! Pure but for [`find`], which looks for the file. Nothing in it can make drift, an inconsistent lock, a missing
//! approval or a failed capture pass: it speaks of findings, which fail nothing by themselves.

mod find;
mod read;

pub use find::{FILE_NAME, find};
pub use read::{ConfigError, IGNORE_KEYS, Key, MAX_BYTES, TOP_KEYS, parse};

/// The content of a `warden.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Config {
    /// In the order of the file; no two have the same rule and target.
    pub ignores: Vec<Ignore>,
}

/// One `[[ignore]]`: a finding that somebody looked at and accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignore {
    /// Id of a rule about findings.
    pub rule: &'static str,
    /// Where: compared character by character with the target of a finding. Raw.
    pub target: String,
    /// Why; not blank. Raw.
    pub reason: String,
    /// The last day on which it holds (UTC), as `YYYY-MM-DD`.
    pub expires: Option<String>,
    /// Where it stands in the file, counted from 1.
    pub line: usize,
}

impl Ignore {
    /// Whether its last day is past. `today` is a date, or a time that begins with one, in UTC: `2026-12-24T18:00:00Z`.
    pub fn is_expired(&self, today: &str) -> bool {
        // Dates of this form sort as texts.
        self.expires.as_deref().is_some_and(|last| today.get(..last.len()).is_none_or(|today| today > last))
    }
}

impl Config {
    /// The entry for a finding, expired or not.
    pub fn ignore_for(&self, rule: &str, target: &str) -> Option<&Ignore> {
        self.ignores.iter().find(|ignore| ignore.rule == rule && ignore.target == target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until(expires: Option<&str>) -> Ignore {
        Ignore {
            rule: "WRD-CAP-SHELL",
            target: "tools/run".into(),
            reason: "reviewed".into(),
            expires: expires.map(str::to_owned),
            line: 1,
        }
    }

    #[test]
    fn an_entry_holds_through_its_last_day() {
        let ignore = until(Some("2027-01-31"));
        for (now, expired) in [
            ("2026-12-31T23:59:59Z", false),
            ("2027-01-30T00:00:00Z", false),
            ("2027-01-31T00:00:00Z", false),
            ("2027-01-31T23:59:59Z", false),
            ("2027-02-01T00:00:00Z", true),
            ("2028-01-01T00:00:00Z", true),
            ("2027-01-31", false),
            ("2027-02-01", true),
            // No date at all never keeps an entry alive.
            ("", true),
        ] {
            assert_eq!(ignore.is_expired(now), expired, "{now}");
        }
        assert!(!until(None).is_expired("9999-12-31T00:00:00Z"));
    }

    #[test]
    fn rule_and_target_have_to_be_the_same() {
        let config = Config { ignores: vec![until(None)] };
        assert!(config.ignore_for("WRD-CAP-SHELL", "tools/run").is_some());
        for (rule, target) in [
            ("WRD-CAP-HTTP", "tools/run"),
            ("WRD-CAP-SHELL", "tools/run2"),
            ("WRD-CAP-SHELL", "tools/Run"),
            ("WRD-CAP-SHELL", "tools/"),
        ] {
            assert!(config.ignore_for(rule, target).is_none(), "{rule} {target}");
        }
    }
}
