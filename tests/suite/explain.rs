//! `warden explain`: one text for each rule and code, the same as in the documents.

use crate::support::cli::Sandbox;
use serde_json::Value;
use warden::finding::RULES;

/// A text with its line breaks and indents forgotten.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_rule_is_explained_in_the_words_of_the_document() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/RULES.md")).unwrap();
    let sandbox = Sandbox::new();
    // One run for all: each name is an argument.
    let args: Vec<&str> = ["explain"].into_iter().chain(RULES.iter().map(|rule| rule.id)).collect();
    let run = sandbox.run(&args).expect(0);
    assert!(run.stderr.is_empty(), "{run}");
    let text = flat(&run.stdout);
    for rule in RULES {
        let texts = [Some(rule.id), Some(rule.summary), Some(rule.why), Some(rule.advice), rule.example];
        for piece in texts.into_iter().flatten() {
            assert!(text.contains(&flat(piece)) && page.contains(piece), "{}: {piece}", rule.id);
        }
        assert!(text.contains(&rule.help_uri()), "{}", rule.id);
    }
}

#[test]
fn names_of_every_kind_are_known_in_any_case() {
    let sandbox = Sandbox::new();
    for (name, shown) in [
        ("wrd-cap-shell", "WRD-CAP-SHELL"),
        ("WRD-DRIFT-TOOL-ADDED", "WRD-DRIFT-TOOL-ADDED"),
        ("description-modified", "WRD-DRIFT-DESCRIPTION-MODIFIED"),
        ("lock-inconsistent", "WRD-LOCK-INCONSISTENT"),
        ("WRD-IGNORE-EXPIRED", "warden.toml"),
        ("E-TIMEOUT", "`--timeout` covers the whole run"),
        ("e-limit", "`max-pages`"),
    ] {
        let run = sandbox.run(&["explain", name]).expect(0);
        assert!(run.stdout.contains(shown), "{name}\n{run}");
    }
}

#[test]
fn an_unknown_name_is_an_error_that_offers_near_ones() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["explain", "wrd-cap-shel"]).expect(2);
    assert!(run.stdout.is_empty() && run.stderr.contains("did you mean WRD-CAP-SHELL"), "{run}");
    let run = sandbox.run(&["explain", "--json", "tool-aded"]).expect(2);
    assert_eq!(run.document()["verdict"], "error");
    assert_eq!(run.document()["error"]["hints"][0], "did you mean tool-added?");
    let run = sandbox.run(&["explain", "E-TIMEOUT", "zzz\u{1b}[31m\u{202e}"]).expect(2);
    assert!(run.stdout.is_empty() && !run.stderr.contains(['\u{1b}', '\u{202e}']), "{run}");
    sandbox.run(&["explain", "--list", "E-TIMEOUT"]).expect(2);
    // Formats of reports are not for it.
    sandbox.run(&["explain", "--format", "sarif", "E-TIMEOUT"]).expect(2);
    for command in [vec!["explain"], vec!["completions", "bash"], vec!["man", "--dir", "."]] {
        let run = sandbox.run(&[command, vec!["--output", "json=out.json"]].concat()).expect(2);
        assert!(run.stdout.is_empty() && !sandbox.exists("warden.1"), "{run}");
        // The error is delivered like every other.
        assert!(sandbox.read("out.json").contains("\"verdict\": \"error\""), "{run}");
        std::fs::remove_file(sandbox.path("out.json")).unwrap();
    }
}

#[test]
fn without_a_name_everything_is_listed_one_a_line() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["explain"]).expect(0);
    let first: Vec<&str> = run.stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    for rule in RULES {
        assert_eq!(first.iter().filter(|id| **id == rule.id).count(), 1, "{}", rule.id);
    }
    let codes = first.iter().filter(|id| id.starts_with("E-")).count();
    assert_eq!(first.len(), RULES.len() + codes);
    assert!(codes > 30, "{codes}");
    assert_eq!(sandbox.run(&["explain", "--list"]).expect(0).stdout, run.stdout);
}

#[test]
fn the_document_has_all_texts() {
    let sandbox = Sandbox::new();
    let all = sandbox.run(&["explain", "--json"]).expect(0).document();
    assert_eq!(all["verdict"], "shown");
    assert_eq!(all["rules"].as_array().unwrap().len(), RULES.len());
    let one = sandbox.run(&["--json", "explain", "tool-added"]).expect(0).document();
    let rule = &one["rules"][0];
    assert_eq!(
        (&rule["kind"], &rule["class"], &rule["severity"]),
        (&"drift".into(), &"tool-added".into(), &"high".into())
    );
    let known = warden::finding::rule("WRD-DRIFT-TOOL-ADDED").unwrap();
    assert_eq!((&rule["why"], &rule["advice"]), (&known.why.into(), &known.advice.into()));
    assert_eq!(one["errors"].as_array().map(Vec::len), Some(0));
    let code = sandbox.run(&["--json", "explain", "E-EXITED"]).expect(0).document();
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/troubleshooting.md")).unwrap();
    let text = code["errors"][0]["text"].as_str().unwrap();
    assert!(text.len() > 100 && page.contains(text), "{text}");
    assert_eq!(code["rules"], Value::Array(Vec::new()));
}
