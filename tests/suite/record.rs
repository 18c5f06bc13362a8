//! What a lock says outside of its digest and a check goes by: an edit of it is told.

use crate::support::cli::{Sandbox, fixture};
use crate::support::readers::workflow_command;
use serde_json::{Value, json};

/// `a.lock` as pinned, and `warden.lock` edited.
fn edited(edit: impl FnOnce(&mut Value)) -> Sandbox {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.write("a.lock", sandbox.read("warden.lock"));
    sandbox.edit_lock(edit);
    sandbox
}

fn record(lock: &mut Value) -> &mut Value {
    let pin = lock["pin"].as_object_mut().expect("a pin");
    pin.entry("warden").or_insert_with(|| json!({}))
}

const DIFF: [&str; 3] = ["diff", "a.lock", "warden.lock"];

#[test]
fn a_record_that_accepts_something_else_is_a_difference() {
    for (member, value, words) in [
        ("prompt_arguments", json!("normalized"), "and now in the rewritten form"),
        ("allow_missing", json!(["prompts", "tools"]), "may be missing: none before, and now tools, prompts"),
    ] {
        let sandbox = edited(|lock| record(lock)[member] = value);
        let run = sandbox.run(&[&DIFF[..], &["--json"]].concat()).expect(0);
        let document = run.document();
        let block = &document["entries"][0];
        assert_eq!((&document["verdict"], &block["target"]), (&json!("different"), &json!("pin/warden")), "{run}");
        let item = &block["items"][0];
        assert_eq!((&item["rule_id"], &item["severity"]), (&json!("WRD-LOCK-RECORD"), &json!("medium")));
        assert!(item["message"].as_str().is_some_and(|message| message.contains(words)), "{run}");
        let run = sandbox.run(&[&DIFF[..], &["--exit-code"]].concat()).expect(1);
        assert!(run.stdout.contains("the record of the capture"), "{run}");
        // The same the other way round, and nothing against itself.
        sandbox.run(&["diff", "warden.lock", "a.lock", "--exit-code"]).expect(1);
        sandbox.run(&["diff", "warden.lock", "warden.lock", "--exit-code"]).expect(0);
        // Who only reads the lock, or a report of a check in CI, is told too.
        let note = "recorded in the lock, and covered by no digest";
        for args in [&["show"][..], &["show", "--verify"], &["show", "--entry", "save_note"]] {
            let run = sandbox.run(&[args, &["--json"]].concat()).expect(0);
            assert!(
                run.document()["notes"].as_array().unwrap().iter().any(|text| text.to_string().contains(note)),
                "{run}"
            );
        }
        let run = sandbox.run(&["check", "--format", "github", "--output", "gitlab=g.json"]);
        let mut notices = run.stdout.lines().filter_map(workflow_command).filter(|command| command.name == "notice");
        assert!(notices.any(|command| command.data.contains(note)), "{run}");
        let issues: Value = serde_json::from_str(&sandbox.read("g.json")).expect("JSON");
        let mut issues = issues.as_array().expect("issues").iter();
        let issue = issues.find(|issue| issue["check_name"] == "WRD-LOCK-RECORD").expect("an issue");
        let line = issue["location"]["lines"]["begin"].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap();
        assert!(sandbox.read("warden.lock").lines().nth(line - 1).is_some_and(|line| line.contains("\"warden\"")));
    }
}

#[test]
fn an_edit_of_what_no_digest_covers_is_noted() {
    let notes = |sandbox: &Sandbox| {
        let run = sandbox.run(&[&DIFF[..], &["--json"]].concat()).expect(0);
        assert_eq!(run.document()["verdict"], "same", "{run}");
        run.document()["notes"].to_string()
    };
    let sandbox = edited(|lock| record(lock)["not_covered"] = json!({}));
    assert!(notes(&sandbox).contains("A records digests of what its own digest does not cover, and B does not: "));
    let sandbox = edited(|lock| record(lock)["not_covered"]["evil\u{1b}[2J"] = json!("x"));
    assert!(notes(&sandbox).contains("changed, and covered by no digest: evil⟨ESC⟩[2J"), "{}", notes(&sandbox));
    let sandbox = edited(|lock| lock["findings"] = json!([]));
    assert!(notes(&sandbox).contains("that B does not, and no digest covers them: WRD-"), "{}", notes(&sandbox));
    let many = |lock: &mut Value| {
        let findings = lock["findings"].as_array_mut().expect("findings");
        let one = |i: u32| json!({"rule_id": "WRD-CAP-SHELL", "severity": "high", "target": format!("tools/\u{202e}{i}"), "message": "m", "snippet": ""});
        findings.extend((0..1_000).map(one));
    };
    let noted = notes(&edited(many));
    assert!(noted.contains("B stores 1000 findings that A does not") && noted.contains(", and others"), "{noted}");
    assert!(!noted.contains('\u{202e}') && noted.len() < 3_000, "{noted}");
}
