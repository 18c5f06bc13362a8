//! What accepting a finding does, and what it does not.

use super::{flat, hook, ids, ignore, pinned};
use crate::support::cli::{Sandbox, serving};
use serde_json::json;

const FAR: &str = "expires = \"9999-12-31\"";
const PAST: &str = "expires = \"2020-02-29\"";

fn shell(more: &str) -> String {
    ignore("WRD-CAP-SHELL", "tools/run_hook", more)
}

/// The launch of every test here.
const LAUNCH: [&str; 3] = ["--", "./server", "s.json"];

#[test]
fn accepted_findings_leave_the_lists_and_are_counted() {
    let sandbox = pinned("");
    let before = sandbox.run(&["show", "--json"]).expect(0).document();
    assert!(ids(&before["findings"]).contains(&"WRD-CAP-SHELL"));
    assert_eq!((ids(&before["accepted"]).len(), &before["config"]["path"]), (0, &json!("warden.toml")));
    sandbox.write("warden.toml", shell(FAR));
    let lock = sandbox.read("warden.lock");
    for args in [vec!["show"], vec!["check"], [vec!["pin", "--force"], LAUNCH.to_vec()].concat()] {
        let mut machine = args.clone();
        machine.insert(1, "--json");
        let document = sandbox.run(&machine).expect(0).document();
        assert!(!ids(&document["findings"]).contains(&"WRD-CAP-SHELL"), "{document}");
        assert_eq!(ids(&document["accepted"]), ["WRD-CAP-SHELL"], "{document}");
        let accepted = &document["accepted"][0];
        assert_eq!(accepted["accepted_by"]["reason"], "reviewed by Ann");
        assert_eq!((&accepted["accepted_by"]["line"], &accepted["is_new"]), (&json!(1), &json!(false)));
        let run = sandbox.run(&args).expect(0);
        assert!(run.stdout.contains("warden.toml: 1 finding accepted (-v lists them)"), "{run}");
        assert!(!run.stdout.contains("WRD-CAP-SHELL"), "{run}");
        let mut verbose = args.clone();
        verbose.insert(1, "-v");
        let run = sandbox.run(&verbose).expect(0);
        assert!(
            run.stdout.contains("WRD-CAP-SHELL, accepted until 9999-12-31: reviewed by Ann (warden.toml:1)"),
            "{run}"
        );
    }
    // The lock has all of them, whatever the file says: only the date of the new pins is another.
    let strip = |text: &str| text.lines().filter(|line| !line.contains("created_at")).collect::<Vec<_>>().join("\n");
    assert_eq!(strip(&sandbox.read("warden.lock")), strip(&lock));
    assert!(lock.contains("WRD-CAP-SHELL"));
}

#[test]
fn a_new_finding_on_an_entry_that_drifted_is_shown_as_accepted() {
    let plain = json!({"name": "run_hook", "description": "Runs a hook.", "inputSchema": {"type": "object"}});
    let sandbox = Sandbox::pinned(&serving(json!([plain])), &[]);
    sandbox.script(&serving(json!([hook()])));
    let open = sandbox.run(&["check", "--json"]).expect(1).document();
    assert!(ids(&open["entries"][0]["new_findings"]).contains(&"WRD-CAP-SHELL"), "{open}");
    sandbox.write("warden.toml", shell(""));
    let run = sandbox.run(&["check"]).expect(1);
    assert!(run.stdout.contains("DRIFT") && run.stdout.contains("new, but accepted: "), "{run}");
    assert!(run.stdout.contains("WRD-CAP-SHELL, accepted: reviewed by Ann (warden.toml:1)"), "{run}");
    let accepted = sandbox.run(&["check", "--json"]).expect(1).document();
    assert!(!ids(&accepted["entries"][0]["new_findings"]).contains(&"WRD-CAP-SHELL"), "{accepted}");
    assert_eq!(accepted["accepted"][0]["is_new"], true);
    // What drifted is listed as before.
    assert_eq!(accepted["entries"][0]["items"], open["entries"][0]["items"]);
}

#[test]
fn a_pin_of_some_entries_says_it_of_the_others_too() {
    let plain = |name: &str| json!({"name": name, "description": "Runs.", "inputSchema": {"type": "object"}});
    let sandbox = Sandbox::pinned(&serving(json!([plain("run_hook"), plain("other")])), &[]);
    let other = json!({"name": "other", "description": "Runs more.", "inputSchema": {"type": "object"}});
    sandbox.script(&serving(json!([hook(), other])));
    sandbox.write("warden.toml", shell(""));
    let document = sandbox.run(&["pin", "--json", "--tool", "other"]).expect(0).document();
    let rest = &document["remaining"][0];
    assert_eq!(rest["target"], "tools/run_hook", "{document}");
    assert!(!ids(&rest["new_findings"]).contains(&"WRD-CAP-SHELL"), "{document}");
    assert_eq!((&document["accepted"][0]["is_new"], ids(&document["accepted"]).len()), (&json!(true), 1));
    let run = sandbox.run(&["pin", "--tool", "other", "--force"]).expect(0);
    assert!(run.stdout.contains("new, but accepted: "), "{run}");
}

#[test]
fn nothing_but_findings_can_be_accepted() {
    let all = shell(FAR);
    // Drift stays drift.
    let sandbox = pinned(&all);
    sandbox.script(&serving(json!([hook(), {"name": "more", "inputSchema": {"type": "object"}}])));
    sandbox.run(&["check"]).expect(1);
    // A lock that contradicts itself, an approval that is missing, a server that is not there.
    let sandbox = pinned(&all);
    sandbox.run(&["check", "--require-approval"]).expect(1);
    sandbox.script(&json!({"methods": {"initialize": [{"exit": 1}]}}));
    sandbox.run(&["check"]).expect(3);
    let sandbox = pinned(&all);
    sandbox.edit_lock(|lock| lock["tools"][0]["entry_digest"] = lock["overall_digest"].clone());
    sandbox.run(&["check"]).expect(1);
    sandbox.run(&["show", "--verify"]).expect(1);
    for rule in ["WRD-DRIFT-TOOL-ADDED", "WRD-LOCK-INCONSISTENT", "WRD-LOCK-NOT-APPROVED", "WRD-IGNORE-EXPIRED"] {
        let sandbox = pinned(&ignore(rule, "tools/run_hook", ""));
        let run = sandbox.run(&["check"]).expect(2);
        assert!(run.stderr.contains(&format!("line 2, column 8: {rule} cannot be ignored")), "{run}");
    }
}

#[test]
fn an_entry_that_is_past_fails_a_check_and_accepts_nothing() {
    let sandbox = pinned(&shell(PAST));
    let run = sandbox.run(&["check"]).expect(1);
    for words in ["EXPIRED", "warden.toml:1: WRD-CAP-SHELL on tools/run_hook", "2020-02-29", "warden explain"] {
        assert!(run.stdout.contains(words), "{words}\n{run}");
    }
    let document = sandbox.run(&["check", "--json"]).expect(1).document();
    assert_eq!(document["verdict"], "expired");
    assert_eq!(ids(&document["entries"][0]["items"]), ["WRD-IGNORE-EXPIRED"]);
    assert_eq!(document["config"]["expired"][0]["line"], 1);
    assert_eq!(ids(&document["accepted"]).len(), 0);
    // Whoever only looks is told, and the finding is open again.
    for args in [vec!["show", "--json"], vec!["pin", "--json"]] {
        let document = sandbox.run(&args).expect(0).document();
        assert!(document["notes"].to_string().contains("WRD-IGNORE-EXPIRED warden.toml:1"), "{document}");
        assert!(ids(&document["findings"]).contains(&"WRD-CAP-SHELL"), "{document}");
    }
    sandbox.run(&["show", "--verify"]).expect(0);
    sandbox.run(&["check", "--no-config"]).expect(0);
}

#[test]
fn an_entry_that_is_past_stands_beside_whatever_else_is_wrong() {
    // Known to be wrong beats not known.
    let sandbox = pinned(&shell(PAST));
    sandbox.script(&json!({"methods": {"initialize": [{"exit": 1}]}}));
    let document = sandbox.run(&["check", "--json"]).expect(1).document();
    assert_eq!((&document["verdict"], &document["failure"]["code"]), (&json!("expired"), &json!("E-EXITED")));
    // Drift comes first, and so does another launch.
    sandbox.script(&serving(json!([])));
    for args in [vec!["check", "--json"], vec!["check", "--json", "--", "./server", "other.json"]] {
        let document = sandbox.run(&args).expect(1).document();
        assert_eq!(document["verdict"], "drift");
        let entries = document["entries"].as_array().unwrap();
        assert!(entries.iter().any(|entry| entry["target"] == "config/ignore"), "{document}");
    }
    let sandbox = pinned(&shell(PAST));
    let document = sandbox.run(&["check", "--json", "--require-approval"]).expect(1).document();
    assert_eq!((&document["verdict"], document["entries"].as_array().unwrap().len()), (&json!("not-approved"), 2));
}

#[test]
fn an_entry_for_nothing_is_noted_where_everything_was_seen() {
    let unused = ignore("WRD-CAP-SQL", "tools/run_hook", "");
    let sandbox = pinned(&format!("{}{unused}", shell("")));
    for args in [vec!["check"], vec!["pin"]] {
        let run = sandbox.run(&args).expect(0);
        let note = "WRD-IGNORE-UNUSED warden.toml:6: there is no finding WRD-CAP-SQL on tools/run_hook to accept";
        assert!(flat(&run.stdout).contains(note), "{run}");
        let document = sandbox.run(&[args[0], "--json"]).expect(0).document();
        assert_eq!(document["config"]["unused"].as_array().unwrap().len(), 1);
        assert_eq!(document["config"]["unused"][0]["rule_id"], "WRD-CAP-SQL");
    }
    // A lock may come from a tool with other rules, and a server that is gone has shown nothing.
    assert!(!sandbox.run(&["show"]).expect(0).all().contains("WRD-IGNORE-UNUSED"));
    sandbox.script(&json!({"methods": {"initialize": [{"exit": 1}]}}));
    assert!(!sandbox.run(&["check"]).expect(3).all().contains("WRD-IGNORE-UNUSED"));
    // One that is past is not unused as well.
    sandbox.script(&serving(json!([hook()])));
    sandbox.write("warden.toml", ignore("WRD-CAP-SQL", "tools/run_hook", PAST));
    let run = sandbox.run(&["check"]).expect(1);
    assert!(!run.all().contains("WRD-IGNORE-UNUSED") && run.all().contains("WRD-IGNORE-EXPIRED"), "{run}");
}

#[test]
fn what_the_file_says_is_printed_escaped() {
    let hostile = "reviewed\\u001b[31m by\\u202e\\nCLEAN everything";
    for more in [FAR, PAST, ""] {
        let config = shell(more).replace("reviewed by Ann", hostile);
        let other = config.replace("tools/run_hook", "tools/\\u001b[2J\\u200b");
        let sandbox = pinned(&format!("{config}{other}"));
        for args in [["check", "-v"], ["show", "-v"], ["pin", "-v"], ["check", "--json"], ["show", "--json"]] {
            let run = sandbox.run(&args);
            let hidden = ['\u{1b}', '\u{202e}', '\u{200b}'];
            assert!(!run.all().contains(hidden) && !run.all().contains("\nCLEAN everything"), "{args:?}\n{run}");
        }
    }
    let sandbox = pinned("\"\\u001b[2J\u{202e}\" = 1\n");
    let run = sandbox.run(&["check"]).expect(2);
    assert!(!run.all().contains(['\u{1b}', '\u{202e}']), "{run}");
}

/// A file that any change of the repository may bring along lets nothing pass in silence.
#[test]
fn what_is_accepted_leaves_a_trace_in_each_format() {
    let plain = json!({"name": "run_hook", "description": "Runs a hook.", "inputSchema": {"type": "object"}});
    let sandbox = Sandbox::pinned(&serving(json!([plain])), &[]);
    sandbox.script(&serving(json!([hook()])));
    sandbox.write("warden.toml", shell(FAR));
    for (args, code) in [(&["check"][..], 1), (&["pin", "--force"], 0), (&["show"], 0)] {
        for format in ["human", "json", "jsonl", "sarif", "github", "markdown", "junit", "gitlab"] {
            let text = sandbox.run(&[args, &["-v", "--format", format]].concat()).expect(code).stdout;
            for word in ["WRD-CAP-SHELL", "reviewed by Ann"] {
                assert!(flat(&text).contains(word), "{args:?} {format} lacks {word}: {text}");
            }
        }
    }
    let run = |format: &str| sandbox.run(&["check", "--format", format]).expect(0).stdout;
    let github = run("github");
    let notice = github.lines().find(|line| line.contains("1 finding accepted by warden.toml")).expect("a notice");
    assert!(
        notice.starts_with("::notice ") && notice.contains("accepted by warden.toml:1 until 9999-12-31"),
        "{notice}"
    );
    let markdown = run("markdown").replace('`', "");
    assert!(markdown.contains("- accepted: 1 finding accepted by warden.toml\n"), "{markdown}");
    assert!(
        run("junit").contains("accepted finding: critical: WRD-CAP-SHELL on tools/run_hook, accepted by warden.toml:1")
    );
    let issues: serde_json::Value = serde_json::from_str(&run("gitlab")).expect("JSON");
    assert_eq!((&issues[0]["severity"], &issues[0]["check_name"]), (&json!("info"), &json!("WRD-CAP-SHELL")));
}
