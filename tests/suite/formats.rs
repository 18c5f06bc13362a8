//! Every format of one report with everything in it, and readers of the formats that did not write them.

use crate::support::cli::{Sandbox, fixture};
use crate::support::rich::rich_fixture;
use crate::support::schema::{faults, lines};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use warden::report::Format;

fn rich() -> Sandbox {
    let fixture = rich_fixture();
    let sandbox = Sandbox::new();
    sandbox.write("warden.lock", &fixture.lock);
    sandbox.write("warden.surface.json", &fixture.texts);
    sandbox.write("now.json", &fixture.now);
    sandbox
}

const CHECK: [&str; 3] = ["check", "--surface", "now.json"];

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or_else(|| panic!("no array: {value}"), Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// Reads a SARIF document as a code scanning service does, and stops at what such a service refuses. Gives the results.
pub fn read_sarif(document: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(document).expect("JSON");
    assert_eq!(document["version"], "2.1.0");
    let [run] = array(&document["runs"]) else { panic!("not one run") };
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "warden");
    assert_eq!(driver["semanticVersion"], env!("CARGO_PKG_VERSION"));
    let rules = array(&driver["rules"]);
    for rule in rules {
        for member in ["shortDescription", "fullDescription", "help"] {
            assert!(!text(&rule[member]["text"]).is_empty(), "{rule}");
        }
        assert!(["error", "warning", "note"].contains(&text(&rule["defaultConfiguration"]["level"])), "{rule}");
        let number: f64 = text(&rule["properties"]["security-severity"]).parse().expect("a number in a text");
        assert!((0.1..=10.0).contains(&number), "{rule}");
        assert!(array(&rule["properties"]["tags"]).contains(&json!("security")), "{rule}");
    }
    let ids: Vec<&str> = rules.iter().map(|rule| text(&rule["id"])).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    let suppressed = array(&run["results"]).iter().filter(|result| result.get("suppressions").is_some()).count();
    assert!(suppressed == 0 || suppressed == array(&run["results"]).len(), "of all results or of none");
    let mut fingerprints = BTreeSet::new();
    for result in array(&run["results"]) {
        let at = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        assert_eq!(result["ruleId"], ids[at], "{result}");
        let message = text(&result["message"]["text"]);
        assert!(!message.is_empty() && message.chars().count() <= 1_001 && !message.contains("]("), "{result}");
        let [location] = array(&result["locations"]) else { panic!("{result}") };
        let place = &location["physicalLocation"];
        let uri = text(&place["artifactLocation"]["uri"]);
        assert!(!uri.starts_with('/') && !uri.contains(['\\', ' ']), "{uri}");
        assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        assert!(place["region"]["startLine"].as_u64().expect("a line") >= 1, "{result}");
        let fingerprint = text(&result["partialFingerprints"]["primaryLocationLineHash"]);
        assert!(fingerprints.insert(fingerprint.to_owned()), "twice: {result}");
    }
    let used: BTreeSet<&str> = array(&run["results"]).iter().map(|result| text(&result["ruleId"])).collect();
    assert_eq!(used.into_iter().collect::<Vec<_>>(), ids, "rules that nothing uses");
    array(&run["results"]).to_vec()
}

fn invocation(document: &str) -> Value {
    let document: Value = serde_json::from_str(document).expect("JSON");
    document["runs"][0]["invocations"][0].clone()
}

#[test]
fn sarif_has_every_fact_with_its_place() {
    let sandbox = rich();
    let report = sandbox.run(&[&CHECK[..], &["--json"]].concat()).expect(1).document();
    let run = sandbox.run(&[&CHECK[..], &["--format", "sarif"]].concat()).expect(1);
    let results = read_sarif(&run.stdout);
    let mut expected = Vec::new();
    for entry in array(&report["entries"]) {
        for item in array(&entry["items"]) {
            expected.push((item["rule_id"].clone(), entry["target"].clone(), item["detail"].clone()));
        }
        for finding in array(&entry["new_findings"]) {
            expected.push((finding["rule_id"].clone(), finding["target"].clone(), Value::Null));
        }
    }
    let mut found: Vec<_> = results
        .iter()
        .map(|result| {
            let properties = &result["properties"];
            (result["ruleId"].clone(), properties["target"].clone(), properties["detail"].clone())
        })
        .collect();
    let key = |(rule, target, detail): &(Value, Value, Value)| format!("{rule} {target} {detail}");
    expected.sort_by_key(key);
    found.sort_by_key(key);
    assert_eq!(found.len(), expected.len());
    assert_eq!(found, expected);
    // The line is that of the name of the entry.
    let lock = sandbox.read("warden.lock");
    let lock: Vec<&str> = lock.lines().collect();
    for result in &results {
        let line = result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().expect("a line");
        let line = lock[usize::try_from(line).expect("small") - 1];
        let target = text(&result["properties"]["target"]);
        let (section, name) = target.split_once('/').expect("a target");
        let begin = match section {
            "launch" => "\"server\"".to_owned(),
            "pin" => "\"approved_digest\"".to_owned(),
            // Of what the lock does not have yet, the line of the list.
            _ if text(&result["ruleId"]).ends_with("-ADDED") && !line.contains(':') => unreachable!("{line}"),
            _ if lock.iter().any(|line| line.contains(&format!("\": {}", json!(name)))) => json!(name).to_string(),
            section => format!("\"{section}\""),
        };
        assert!(line.contains(&begin), "{target}: {line}");
    }
    let levels = |severity: &str| {
        let of = results.iter().filter(|result| result["properties"]["severity"] == severity);
        of.map(|result| text(&result["level"]).to_owned()).collect::<BTreeSet<_>>()
    };
    for (severity, level) in [("critical", "error"), ("high", "error"), ("medium", "warning"), ("low", "note")] {
        assert_eq!(levels(severity), BTreeSet::from([level.to_owned()]), "{severity}");
    }
    // Old and new words are there where they are known.
    let message = |rule: &str| {
        let result = results.iter().find(|result| result["ruleId"] == rule).expect("the rule");
        (text(&result["message"]["text"]).to_owned(), text(&result["message"]["markdown"]).to_owned())
    };
    let (plain, markdown) = message("WRD-DRIFT-DESCRIPTION-MODIFIED");
    assert!(plain.contains("/description now: \"") && plain.contains("; before: \""), "{plain}");
    assert!(markdown.contains("`/description` before:\n\n```text\n"), "{markdown}");
    assert_eq!(invocation(&run.stdout)["executionSuccessful"], true);
    assert_eq!(invocation(&run.stdout)["exitCode"], 1);
}

#[test]
fn sarif_of_a_run_without_facts_is_whole() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let run = sandbox.run(&["check", "--format", "sarif"]).expect(0);
    assert_eq!(read_sarif(&run.stdout), [] as [Value; 0]);
    assert_eq!(invocation(&run.stdout), json!({"executionSuccessful": true, "exitCode": 0}));
}

#[test]
fn sarif_never_reads_as_clean_where_nothing_was_checked() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.script(&json!({"methods": {"initialize": [{"exit": 2}]}}));
    let cases: [(&[&str], i32, &str); 4] = [
        (&["check"], 3, "WRD-SERVER-NOT-CAPTURED"),
        (&["pin", "--lock", "a b.lock", "--", "./server", "s.json"], 3, "WRD-SERVER-NOT-CAPTURED"),
        (&["check", "--lock", "a b.lock"], 2, "WRD-COMMAND-FAILED"),
        (&["check", "--no-such-option"], 2, "WRD-COMMAND-FAILED"),
    ];
    for (args, code, rule) in cases {
        let run = sandbox.run(&[&["--format", "sarif"], args].concat()).expect(code);
        let results = read_sarif(&run.stdout);
        assert_eq!(results.iter().map(|result| text(&result["ruleId"])).collect::<Vec<_>>(), [rule], "{run}");
        let uri = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(uri, if args.contains(&"a b.lock") { "a%20b.lock" } else { "warden.lock" });
        let invocation = invocation(&run.stdout);
        assert_eq!(invocation["executionSuccessful"], false);
        assert_eq!(invocation["exitCode"], code);
        assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
    }
}

#[test]
fn fingerprints_survive_what_does_not_matter() {
    let fingerprints = |sandbox: &Sandbox| {
        let run = sandbox.run(&[&CHECK[..], &["--format", "sarif"]].concat()).expect(1);
        let results = read_sarif(&run.stdout).into_iter().filter(|result| result["ruleId"] != "WRD-LOCK-INCONSISTENT");
        let print = |result: Value| text(&result["partialFingerprints"]["wardenFact/v1"]).to_owned();
        results.map(print).collect::<BTreeSet<_>>()
    };
    let sandbox = rich();
    let before = fingerprints(&sandbox);
    // Other lines, another version, another day.
    sandbox.edit_lock(|lock| {
        lock["pin"]["created_at"] = json!("2031-01-01T00:00:00Z");
        lock["warden_version"] = json!("9.9.9");
        lock["findings"] = json!([]);
    });
    let lock = sandbox.read("warden.lock");
    sandbox.write("warden.lock", format!("\n\n{lock}"));
    let after = fingerprints(&sandbox);
    assert!(before.is_subset(&after), "{before:?}\n{after:?}");
}

#[test]
fn sarif_of_findings_names_rules_of_other_tools_too() {
    let sandbox = Sandbox::new();
    sandbox.write("now.json", rich_fixture().now);
    let run = sandbox.run(&["pin", "--surface", "now.json", "--format", "sarif"]).expect(0);
    let results = read_sarif(&run.stdout);
    assert!(results.len() > 1 && results.iter().all(|result| result["properties"]["kind"] == "finding"), "{run}");
    sandbox.edit_lock(|lock| {
        let foreign = |rule: &str| {
            json!({"rule_id": rule, "severity": "medium", "target": "tools/x", "message": "[a](https://example.com)",
                "snippet": "\u{202e}``` <b>"})
        };
        lock["findings"] = json!([foreign("PEER-1"), foreign(""), foreign("a\u{1b}[31m\n")]);
    });
    let run = sandbox.run(&["show", "--format", "sarif"]).expect(0);
    assert!(run.stdout.is_ascii() || !run.stdout.contains(['\u{202e}', '\u{1b}']), "{run}");
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let rules = array(&document["runs"][0]["tool"]["driver"]["rules"]).iter();
    let ids: Vec<&str> = rules.map(|rule| text(&rule["id"])).collect();
    assert_eq!(ids, ["UNKNOWN", "PEER-1", "a⟨ESC⟩[31m⟨LF⟩"]);
}

#[test]
fn what_somebody_accepts_is_suppressed_and_says_why() {
    let sandbox = Sandbox::new();
    sandbox.write("now.json", rich_fixture().now);
    let pin = ["pin", "--surface", "now.json", "--format"];
    let before = read_sarif(&sandbox.run(&[&pin[..], &["sarif"]].concat()).expect(0).stdout);
    assert!(before.iter().all(|result| result.get("suppressions").is_none()));
    let (rule, target) = (text(&before[0]["ruleId"]), text(&before[0]["properties"]["target"]));
    let entry = format!("[[ignore]]\nrule = \"{rule}\"\ntarget = \"{target}\"\nreason = \"looked \\u202E at\"\n");
    sandbox.write("warden.toml", entry);
    let after = read_sarif(&sandbox.run(&[&pin[..], &["sarif"]].concat()).expect(0).stdout);
    assert_eq!(after.len(), before.len());
    let is_it = |result: &Value| result["ruleId"] == rule && result["properties"]["target"] == target;
    for result in &after {
        let suppressions = array(&result["suppressions"]);
        assert_eq!(suppressions.len(), usize::from(is_it(result)), "{result}");
        for suppression in suppressions {
            let why = "looked ⟨U+202E⟩ at (warden.toml:1)";
            assert_eq!(suppression, &json!({"kind": "external", "status": "accepted", "justification": why}));
        }
    }
    let run = sandbox.run(&[&pin[..], &["jsonl"]].concat()).expect(0);
    let accepted = run.stdout.lines().filter(|line| line.starts_with("{\"kind\":\"accepted\"")).count();
    assert_eq!(accepted, after.iter().filter(|result| is_it(result)).count(), "{run}");
    // Of a check only what is new would be told, and nothing is.
    let check = sandbox.run(&["check", "--surface", "now.json", "--format", "sarif"]).expect(0);
    assert_eq!(read_sarif(&check.stdout), [] as [Value; 0]);
}

#[test]
fn a_great_many_results_are_cut_and_it_is_said() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let findings: Vec<Value> = (0..5_100)
        .map(|n| {
            let severity = if n == 5_099 { "critical" } else { "low" };
            json!({"rule_id": "X", "severity": severity, "target": format!("tools/{n}"), "message": "m", "snippet": ""})
        })
        .collect();
    sandbox.edit_lock(|lock| lock["findings"] = Value::Array(findings));
    let run = sandbox.run(&["show", "--format", "sarif"]).expect(0);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let results = array(&document["runs"][0]["results"]);
    assert_eq!(results.len(), 5_000);
    assert_eq!(results[0]["properties"]["target"], "tools/5099", "the worst one stays");
    let notifications = &invocation(&run.stdout)["toolExecutionNotifications"];
    assert!(text(&notifications[0]["message"]["text"]).contains("100 more were left out"), "{notifications}");
}

#[test]
fn jsonl_is_a_header_a_line_a_fact_and_counts() {
    let sandbox = rich();
    let run = sandbox.run(&[&CHECK[..], &["--format", "jsonl"]].concat()).expect(1);
    let parsed: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for line in &parsed {
        assert!(lines().is_valid(line), "{line}\n{}", faults(lines(), line));
    }
    let (first, last) = (&parsed[0], &parsed[parsed.len() - 1]);
    assert_eq!((&first["kind"], &last["kind"]), (&json!("report"), &json!("summary")));
    let count = |kind: &str| parsed.iter().filter(|line| line["kind"] == kind).count();
    for (kind, member) in [
        ("item", "items"),
        ("finding", "findings"),
        ("accepted", "accepted"),
        ("failure", "failures"),
        ("note", "notes"),
    ] {
        assert_eq!(last[member], count(kind), "{kind}");
    }
    assert_eq!(parsed.len(), 2 + count("item") + count("finding") + count("note"));
    let document = sandbox.run(&[&CHECK[..], &["--json"]].concat()).document();
    let items = array(&document["entries"]).iter().map(|entry| array(&entry["items"]).len()).sum::<usize>();
    assert_eq!(count("item"), items);
    assert_eq!(last["severities"], document["severities"]);
    let error = sandbox.run(&["check", "--lock", "none", "--format", "jsonl"]).expect(2);
    assert_eq!(error.stdout.lines().count(), 1, "{error}");
    assert_eq!(serde_json::from_str::<Value>(&error.stdout).expect("JSON")["kind"], "error");
}

/// The same facts give the same bytes, in every format.
#[test]
fn the_rich_report_reads_as_before_in_every_format() {
    for format in Format::ALL {
        let name = format.name();
        let sandbox = rich();
        let run = sandbox.run(&[&CHECK[..], &["--format", name]].concat()).expect(1);
        let again = sandbox.run(&[&CHECK[..], &["--format", name]].concat()).expect(1);
        assert_eq!(run.stdout, again.stdout, "{name}");
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings
            .add_filter(&format!("(ersion\": ?\"){}", env!("CARGO_PKG_VERSION").replace('.', r"\.")), "$1[version]");
        settings.bind(|| insta::assert_snapshot!(format!("rich-{name}"), run.stdout));
    }
}
