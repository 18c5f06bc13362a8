//! `warden explain`: what a rule or an error code means, why it matters, and what to do.

use super::CommandError;
use crate::finding::{self, RULES, Rule};
use crate::report::{ErrorCode, Explanation, OTHER_CLASSES, rule_of_class};
use crate::text::{Charset, escape, near, shorten};
use clap::Args;
use std::sync::LazyLock;

/// The page that explains error codes. Built in, so that there is one text and it is that of this release.
const TROUBLESHOOTING: &str = include_str!("../../docs/troubleshooting.md");

/// Arguments of `warden explain`.
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// A rule (WRD-CAP-SHELL), a class of drift (description-modified) or an error code (E-TIMEOUT). The first parts of
    /// a name (wrd-cap) list all that begin so. Without one, all are listed
    #[arg(value_name = "RULE", conflicts_with = "list")]
    pub rules: Vec<String>,

    /// List all rules and error codes, one a line
    #[arg(long)]
    pub list: bool,
}

/// Runs `warden explain`.
///
/// # Errors
/// A name that nothing has.
pub fn run(args: &ExplainArgs) -> Result<Explanation, CommandError> {
    if args.rules.is_empty() {
        return Ok(Explanation { rules: RULES.iter().collect(), errors: error_codes().to_vec() });
    }
    let mut explanation = Explanation::default();
    for name in &args.rules {
        match (rule_called(name), error_called(name)) {
            (Some(rule), _) => explanation.rules.push(rule),
            (None, Some(error)) => explanation.errors.push(error),
            (None, None) => {
                let (rules, errors) = family(name);
                if rules.is_empty() && errors.is_empty() {
                    return Err(unknown(name));
                }
                explanation.rules.extend(rules);
                explanation.errors.extend(errors);
            }
        }
    }
    Ok(explanation)
}

/// The rule of an id or of a class in a report, in whatever case; the family prefix may be left out.
fn rule_called(name: &str) -> Option<&'static Rule> {
    let upper = name.trim().to_ascii_uppercase();
    rule_of_class(&upper.to_ascii_lowercase())
        .or_else(|| finding::rule(&upper))
        .or_else(|| finding::rule(&format!("WRD-{upper}")))
}

fn error_called(name: &str) -> Option<ErrorCode> {
    let upper = name.trim().to_ascii_uppercase();
    error_codes().iter().find(|error| error.code == upper).cloned()
}

/// Whether a list answers: all were asked for, or a name that only begins the names of others.
pub fn wants_list(args: &ExplainArgs) -> bool {
    let is_one = |name: &String| rule_called(name).is_some() || error_called(name).is_some();
    args.rules.is_empty() || !args.rules.iter().all(is_one)
}

/// The rules and codes whose names begin with the parts of this one: all of `WRD-CAP-SHELL` and `WRD-CAP-SQL` for
/// `wrd-cap`. A part that is only begun is a typing error more often, and near names are offered for it.
fn family(name: &str) -> (Vec<&'static Rule>, Vec<ErrorCode>) {
    let upper = name.trim().trim_end_matches(['-', '*']).to_ascii_uppercase();
    let begins = |id: &str, with: &str| id.strip_prefix(with).is_some_and(|rest| rest.starts_with('-'));
    let is_in = |id: &str| {
        begins(id, &upper)
            || id.strip_prefix("WRD-").is_some_and(|id| begins(id, &upper))
            || id.strip_prefix("WRD-DRIFT-").is_some_and(|id| begins(id, &upper))
    };
    let rules = RULES.iter().filter(|rule| is_in(rule.id)).collect();
    (rules, error_codes().iter().filter(|error| begins(error.code, &upper)).cloned().collect())
}

/// Every code that the page explains, in its order.
pub fn error_codes() -> &'static [ErrorCode] {
    static CODES: LazyLock<Vec<ErrorCode>> = LazyLock::new(|| {
        let sections = TROUBLESHOOTING.split("\n## ").filter(|section| section.starts_with("E-"));
        let code = |section: &'static str| {
            let (code, text) = section.split_once('\n').unwrap_or((section, ""));
            ErrorCode { code: code.trim(), text: text.trim() }
        };
        sections.map(code).collect()
    });
    &CODES
}

fn unknown(name: &str) -> CommandError {
    let upper = name.to_ascii_uppercase();
    let classes: Vec<String> = RULES.iter().filter_map(Rule::drift_class).collect();
    let names = RULES
        .iter()
        .map(|rule| rule.id)
        .chain(error_codes().iter().map(|error| error.code))
        .chain(classes.iter().map(String::as_str))
        .chain(OTHER_CLASSES.map(|(class, _)| class));
    let meant = near(&upper, names);
    let shown = escape(&shorten(name, 100), Charset::Unicode);
    let error = CommandError::usage(format!("there is no rule, class or error code {shown}"));
    match meant.as_slice() {
        [] => error.hint("warden explain lists all of them"),
        meant => error.hint(format!("did you mean {}?", meant.join(" or "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(names: &[&str]) -> Vec<&'static str> {
        let args = ExplainArgs { rules: names.iter().map(|name| (*name).to_owned()).collect(), list: false };
        let explanation = run(&args).unwrap();
        let errors = explanation.errors.iter().map(|error| error.code);
        explanation.rules.iter().map(|rule| rule.id).chain(errors).collect()
    }

    #[test]
    fn every_way_to_name_a_rule_works() {
        for name in ["WRD-DRIFT-TOOL-ADDED", "wrd-drift-tool-added", "tool-added", "DRIFT-TOOL-ADDED", " Tool-Added "] {
            assert_eq!(ids(&[name]), ["WRD-DRIFT-TOOL-ADDED"], "{name}");
        }
        assert_eq!(ids(&["launch-settings", "Approval-Missing"]), ["WRD-LOCK-SETTINGS", "WRD-LOCK-NOT-APPROVED"]);
        assert_eq!(ids(&["ignore-expired", "e-timeout"]), ["WRD-IGNORE-EXPIRED", "E-TIMEOUT"]);
        for (class, rule_id) in OTHER_CLASSES {
            assert_eq!(ids(&[class]), [rule_id]);
            assert_eq!(ids(&[&class.to_ascii_uppercase()]), [rule_id]);
        }
        for rule in RULES {
            assert_eq!(ids(&[rule.id]), [rule.id]);
            if let Some(class) = rule.drift_class() {
                assert_eq!(ids(&[&class]), [rule.id]);
            }
        }
    }

    #[test]
    fn the_first_parts_of_a_name_list_what_begins_so() {
        let with = |prefix: &str| -> Vec<&str> {
            RULES.iter().map(|rule| rule.id).filter(|id| id.starts_with(prefix)).collect()
        };
        for name in ["wrd-cap", "WRD-CAP-", "cap", "wrd-cap-*"] {
            assert_eq!(ids(&[name]), with("WRD-CAP-"), "{name}");
        }
        assert_eq!(ids(&["wrd"]).len(), RULES.len());
        assert_eq!(ids(&["e"]).len(), error_codes().len());
        assert!(ids(&["tool"]).contains(&"WRD-DRIFT-TOOL-ADDED"));
        let list = |names: &[&str]| {
            wants_list(&ExplainArgs { rules: names.iter().map(|name| (*name).to_owned()).collect(), list: false })
        };
        assert!(list(&[]) && list(&["wrd-cap"]) && !list(&["wrd-cap-shell", "e-timeout"]));
        // Only whole parts: the rest is a typing error. Nothing begins everything.
        for name in ["wrd-ca", "", "-", "w"] {
            let args = ExplainArgs { rules: vec![name.to_owned()], list: false };
            assert!(run(&args).is_err(), "{name}");
        }
    }

    #[test]
    fn every_error_code_has_a_text() {
        assert!(error_codes().len() > 30);
        for error in error_codes() {
            let summary = error.summary();
            assert!(error.text.len() > 40 && !error.text.contains("\n## "), "{}", error.code);
            assert!(summary.ends_with('.') && !summary.contains('\n') && !summary.contains("]("), "{summary}");
        }
    }

    #[test]
    fn unknown_names_are_errors_with_near_ones() {
        let error = unknown("wrd-cap-shel");
        assert!(error.hints[0].starts_with("did you mean WRD-CAP-SHELL"), "{error:?}");
        assert!(unknown("tool-aded").hints[0].contains("tool-added"));
        assert!(unknown("launch-setings").hints[0].contains("launch-settings"));
        assert!(unknown("e-timeouts").hints[0].contains("E-TIMEOUT"));
        assert_eq!(unknown("qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq").hints, ["warden explain lists all of them"]);
        let hostile = unknown("\u{1b}[2J\u{202e}");
        assert!(!hostile.headline.chars().any(crate::text::is_hidden), "{hostile:?}");
    }
}
