//! `warden pin --tool` and its like: chosen entries are accepted, and nothing else of the lock moves.

use crate::support::cli::{Run, Sandbox};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A server with these entries; a tool's, resource's or prompt's text is its description.
fn serving(tools: &[(&str, &str)], resources: &[(&str, &str)], prompts: &[(&str, &str)]) -> Value {
    let schema = json!({"type": "object", "properties": {"q": {"type": "number", "minimum": 1.0}}});
    let tools: Vec<Value> =
        tools.iter().map(|(name, text)| json!({"name": name, "description": text, "inputSchema": schema})).collect();
    let resources: Vec<Value> =
        resources.iter().map(|(uri, text)| json!({"uri": uri, "name": "n", "description": text})).collect();
    let prompts: Vec<Value> = prompts.iter().map(|(name, text)| json!({"name": name, "description": text})).collect();
    json!({"methods": {
        "tools/list": [{"result": {"tools": tools}}],
        "resources/list": [{"result": {"resources": resources}}],
        "prompts/list": [{"result": {"prompts": prompts}}],
    }})
}

fn before() -> Value {
    serving(&[("a", "one"), ("b", "two"), ("gone", "x")], &[("r:1", "one"), ("r:2", "two")], &[("p", "one")])
}

/// Everything changed, one tool went, and one came.
fn after() -> Value {
    serving(&[("a", "ONE"), ("b", "TWO"), ("new", "y")], &[("r:1", "ONE"), ("r:2", "TWO")], &[("p", "ONE")])
}

fn drifted(options: &[&str]) -> Sandbox {
    let sandbox = Sandbox::pinned(&before(), options);
    sandbox.script(&after());
    sandbox
}

/// The targets that a check or a report lists.
fn targets(document: &Value, member: &str) -> BTreeSet<String> {
    let blocks = document[member].as_array().expect("blocks").iter();
    blocks.map(|block| block["target"].as_str().expect("a target").to_owned()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

const ALL: [&str; 7] = ["prompts/p", "resources/r:1", "resources/r:2", "tools/a", "tools/b", "tools/gone", "tools/new"];

#[test]
fn chosen_entries_are_accepted_and_the_rest_still_drifts() {
    for (options, accepted) in [
        (&["--tool", "a"][..], &["tools/a"][..]),
        (&["--tool", "new"], &["tools/new"]),
        (&["--tool=gone"], &["tools/gone"]),
        (&["--resource", "r:2"], &["resources/r:2"]),
        (&["--prompt", "p"], &["prompts/p"]),
        (&["--tool", "b", "--tool", "new", "--prompt", "p"], &["prompts/p", "tools/b", "tools/new"]),
    ] {
        let sandbox = drifted(&[]);
        let run = sandbox.run(&[&["pin", "--json"], options].concat()).expect(0);
        let document = run.document();
        let rest: BTreeSet<String> = set(&ALL).difference(&set(accepted)).cloned().collect();
        assert_eq!(document["verdict"], "pinned");
        assert_eq!((targets(&document, "entries"), targets(&document, "remaining")), (set(accepted), rest.clone()));
        // The lock says so too, and holds together.
        let check = sandbox.run(&["check", "--json"]).expect(1).document();
        assert_eq!(targets(&check, "entries"), rest, "{options:?}");
        sandbox.run(&["show", "--verify"]).expect(0);
        // What is left is accepted in the same way, or all at once.
        let run = sandbox.run(&["pin"]).expect(0);
        assert!(!run.stdout.contains("not chosen"), "{run}");
        sandbox.run(&["check"]).expect(0);
    }
}

#[test]
fn accepting_every_entry_one_by_one_gives_the_lock_of_a_whole_pin() {
    let sandbox = drifted(&[]);
    for (option, name) in [
        ("--tool", "new"),
        ("--tool", "a"),
        ("--resource", "r:1"),
        ("--tool", "gone"),
        ("--prompt", "p"),
        ("--resource", "r:2"),
        ("--tool", "b"),
    ] {
        sandbox.run(&["pin", option, name]).expect(0);
    }
    sandbox.run(&["check"]).expect(0);
    sandbox.run(&["pin", "--lock", "whole.lock", "--", "./server", "s.json"]).expect(0);
    let lock = |name: &str| -> Value {
        let mut lock: Value = serde_json::from_str(&sandbox.read(name)).unwrap();
        lock["pin"]["created_at"] = Value::Null;
        lock
    };
    assert_eq!(lock("warden.lock"), lock("whole.lock"));
}

#[test]
fn what_was_not_chosen_stays_byte_for_byte() {
    let sandbox = drifted(&[]);
    // Findings of a chosen entry, of another, and of the whole; members and spellings of others.
    sandbox.edit_lock(|lock| {
        let finding = |target: &str| json!({"rule_id": "X", "severity": "low", "target": target, "message": "m", "snippet": "s", "x": 1});
        lock["findings"] = json!([finding("tools/a"), finding("tools/b"), finding("server/instructions")]);
        lock["pin"]["x_theirs"] = json!({"k": [1]});
    });
    let strange = sandbox
        .read("warden.lock")
        .replacen("{\n", "{\n  \"x_top\": [1.50,1E2],\n", 1)
        .replacen("\"name\": \"b\",", "\"\\u006eame\" :   \"b\",", 1)
        .replacen("\"command\": \"./server\"", "\"command\" :\"\\u002e/server\"", 1);
    sandbox.write("warden.lock", &strange);
    sandbox.run(&["show", "--verify"]).expect(0);
    sandbox.run(&["pin", "--tool", "a"]).expect(0);
    let now = sandbox.read("warden.lock");
    sandbox.run(&["show", "--verify"]).expect(0);
    for kept in
        ["\"x_top\": [1.50,1E2]", "\"\\u006eame\" :   \"b\",", "\"command\" :\"\\u002e/server\"", "\"minimum\": 1.0"]
    {
        assert!(now.contains(kept), "{kept}\n{now}");
    }
    let (old, new): (Value, Value) = (serde_json::from_str(&strange).unwrap(), sandbox.lock());
    assert_eq!(new["pin"]["x_theirs"], old["pin"]["x_theirs"]);
    assert_eq!(new["findings"], json!([old["findings"][1], old["findings"][2]]));
    // Line by line, only these lines may differ.
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(&strange), lines(&now));
    let gone: Vec<&String> = old.iter().filter(|line| !new.contains(line)).collect();
    let moved = ["description_hash", "entry_digest", "overall_digest", "created_at", "tools/a"];
    assert!(gone.iter().all(|line| moved.iter().any(|word| line.contains(word))), "{gone:#?}");
}

#[test]
fn a_name_that_nobody_has_is_refused() {
    let sandbox = drifted(&[]);
    let before = sandbox.read("warden.lock");
    for (option, name, hint) in [
        ("--tool", "nwe", "similar: new"),
        ("--tool", "GONE", "similar: gone"),
        ("--resource", "r:3", "similar: r:"),
        ("--prompt", "zzzzzz", "warden show"),
        ("--tool", "r:1", "warden show"),
        ("--tool", "", "warden show"),
        ("--tool", "-a", "similar: a"),
        ("--tool", "\u{1b}[2J\u{202e}", "warden show"),
    ] {
        let run = sandbox.run(&["pin", option, name]).expect(2);
        assert!(run.stderr.contains("neither the lock nor the server") && run.stderr.contains(hint), "{run}");
        assert!(run.all().chars().all(|c| c == '\n' || !warden::text::is_hidden(c)), "{run}");
    }
    let huge = "x".repeat(100_000);
    assert!(sandbox.run(&["pin", "--tool", &huge]).expect(2).all().len() < 1000);
    assert_eq!(sandbox.read("warden.lock"), before);
}

#[test]
fn what_cannot_keep_the_rest_true_is_refused_before_anything_starts() {
    let refused = |sandbox: &Sandbox, args: &[&str], why: &str| {
        let pid = sandbox.path("pid");
        let mut script = after();
        script["pid_file"] = json!(pid);
        sandbox.script(&script);
        let before = sandbox.exists("warden.lock").then(|| sandbox.read("warden.lock"));
        let run = sandbox.run(&[&["pin", "--tool", "a"], args].concat()).expect(2);
        assert!(run.stderr.contains(why), "{why}\n{run}");
        assert!(!pid.exists(), "it was started\n{run}");
        assert_eq!(sandbox.exists("warden.lock").then(|| sandbox.read("warden.lock")), before);
    };
    refused(&Sandbox::new(), &["--", "./server", "s.json"], "no lock");
    refused(&drifted(&[]), &["--", "./server", "other.json"], "launch is not the pinned one");
    refused(&drifted(&[]), &["--normalize-prompt-arguments"], "mix two forms");
    for level in 1..=3 {
        let sandbox = Sandbox::new();
        let path = format!("{}/tests/fixtures/levels/level-{level}.lock", env!("CARGO_MANIFEST_DIR"));
        sandbox.write("warden.lock", std::fs::read(path).unwrap());
        refused(&sandbox, &[], &format!("of level {level}"));
    }
    let edits: [fn(&mut Value); 3] = [
        |lock| lock["tools"][1]["capabilities"] = json!(["shell-exec"]),
        |lock| lock["overall_digest"] = lock["tools"][0]["entry_digest"].clone(),
        |lock| lock["pin"]["approver"] = json!("zoe"),
    ];
    for edit in edits {
        let sandbox = drifted(&[]);
        sandbox.edit_lock(edit);
        refused(&sandbox, &[], "does not reproduce its own digests");
        refused(&sandbox, &["--force"], "does not reproduce its own digests");
    }
}

#[test]
fn an_approval_is_for_the_whole_lock() {
    let sandbox = drifted(&["--approve", "--approver", "ann"]);
    let before = sandbox.read("warden.lock");
    let run = sandbox.run(&["pin", "--tool", "a", "--json"]).expect(2);
    assert_eq!(run.document()["verdict"], "refused");
    assert_eq!(sandbox.read("warden.lock"), before);
    let next = run.document()["next"][0]["command"].clone();
    assert_eq!(next, "warden pin --tool=a --approve --approver you@example.com");
    sandbox.run(&["pin", "--tool", "a", "--approve", "--approver", "bob"]).expect(0);
    let lock = sandbox.lock();
    assert_eq!((&lock["pin"]["approver"], &lock["pin"]["approved_digest"]), (&json!("bob"), &lock["overall_digest"]));
    let check = sandbox.run(&["check", "--json"]).expect(1).document();
    assert!(targets(&check, "entries").contains("pin/approved_digest"), "the approval is for what was pinned only");
    sandbox.run(&["pin", "--tool", "b", "--force"]).expect(0);
    let lock = sandbox.lock();
    assert_eq!((&lock["pin"]["approved"], &lock["pin"]["approver"]), (&json!(false), &Value::Null));
    // Nothing to accept: the file is left as it is, and what still drifts is told.
    let before = sandbox.read("warden.lock");
    let run = sandbox.run(&["pin", "--tool", "b"]).expect(0);
    assert!(run.stdout.contains("UNCHANGED") && run.stdout.contains("not chosen"), "{run}");
    assert_eq!(sandbox.read("warden.lock"), before);
}

/// Whether the file gives the lock, as a check and a comparison see it.
#[track_caller]
fn assert_reproduced(sandbox: &Sandbox) -> Run {
    sandbox.run(&["diff", "--exit-code", "warden.lock", "warden.surface.json"]).expect(0)
}

#[test]
fn saved_texts_are_those_of_the_lock() {
    let sandbox = drifted(&["--save-surface"]);
    for (option, name) in [("--tool", "a"), ("--tool", "gone"), ("--tool", "new"), ("--resource", "r:2")] {
        let run = sandbox.run(&["pin", option, name, "--save-surface"]).expect(0);
        assert!(!run.stdout.contains("was not written"), "{run}");
        assert_reproduced(&sandbox);
        // The words of what was not chosen are the old ones.
        let check = sandbox.run(&["check"]).expect(1);
        assert!(check.stdout.contains("- two\n") && check.stdout.contains("+ TWO\n"), "{check}");
    }
    // A pin from the merged file is the same lock.
    sandbox.run(&["check", "--surface", "warden.surface.json"]).expect(0);
    sandbox.run(&["pin", "--save-surface"]).expect(0);
    assert_reproduced(&sandbox);
    // Where the old texts are unknown, nothing is written that the lock would not come out of.
    let sandbox = drifted(&[]);
    let run = sandbox.run(&["pin", "--tool", "a", "--save-surface"]).expect(0);
    assert!(run.stdout.contains("warden.surface.json was not written"), "{run}");
    assert!(!sandbox.exists("warden.surface.json"));
    // Once the rest is accepted too, there is nothing to merge.
    for name in ["b", "gone", "new"] {
        sandbox.run(&["pin", "--tool", name]).expect(0);
    }
    sandbox.run(&["pin", "--resource", "r:1", "--resource", "r:2", "--prompt", "p", "--save-surface"]).expect(0);
    assert_reproduced(&sandbox);
}

#[test]
fn a_surface_file_is_accepted_in_part_too() {
    let sandbox = drifted(&[]);
    sandbox.run(&["capture", "-o", "now.json", "--", "./server", "s.json"]).expect(0);
    std::fs::remove_file(sandbox.path("s.json")).unwrap();
    let run = sandbox.run(&["pin", "--surface", "now.json", "--tool", "a", "--json"]).expect(0);
    assert_eq!(targets(&run.document(), "entries"), set(&["tools/a"]));
}

#[test]
fn what_an_earlier_pin_recorded_stays_with_the_rest() {
    let sandbox = drifted(&["--normalize-prompt-arguments"]);
    let recorded = sandbox.lock()["pin"]["warden"].clone();
    assert_eq!(recorded["prompt_arguments"], "normalized");
    // The launch that is named is the pinned one, so this is no new lock.
    sandbox.run(&["pin", "--prompt", "p", "--", "./server", "s.json"]).expect(0);
    assert_eq!(sandbox.lock()["pin"]["warden"], recorded);
    let check = sandbox.run(&["check", "--json"]).expect(1).document();
    assert!(!targets(&check, "entries").contains("prompts/p"));
}

#[test]
fn a_check_with_several_changes_says_how_to_accept_one() {
    let sandbox = drifted(&[]);
    let run = sandbox.run(&["check"]).expect(1);
    assert!(run.stdout.contains("accept one entry:") && run.stdout.contains("warden pin --tool=new"), "{run}");
}

/// The lock's own counts, and that it is not what the server declares.
#[test]
fn a_headline_of_a_part_is_about_the_lock() {
    let one = serving(&[("a", "one")], &[], &[]);
    let three = serving(&[("a", "one"), ("b", "two"), ("c", "three")], &[], &[]);
    let sandbox = Sandbox::pinned(&one, &[]);
    sandbox.script(&three);
    let headlines = |verdict: &str, sentence: &str| {
        let outputs = ["--output", "junit=j.xml", "--output", "markdown=m.md", "--output", "human=h.txt"];
        let run = sandbox.run(&[&["pin", "--tool", "b", "--format", "github"][..], &outputs].concat()).expect(0);
        for text in [run.stdout.as_str(), &sandbox.read("j.xml"), &sandbox.read("m.md").replace('`', "")] {
            assert!(text.contains(sentence) && !text.contains("3 tools, 0 resources, 0 prompts\n\n"), "{text}");
        }
        let human = sandbox.read("h.txt");
        assert!(human.starts_with(verdict) && human.contains("2 tools, 0 resources, 0 prompts;"), "{human}");
        assert!(human.contains("1 place still differs"), "{human}");
        // What was left is not passed as pinned.
        assert!(sandbox.read("j.xml").contains("it differs, and was not chosen"));
    };
    headlines("PINNED", "warden.lock was written: 2 tools, 0 resources, 0 prompts; 1 place still differs from it");
    headlines(
        "UNCHANGED",
        "warden.lock was left as it is: 2 tools, 0 resources, 0 prompts; 1 place still differs from it",
    );
}
