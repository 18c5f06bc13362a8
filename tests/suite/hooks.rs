//! The hooks for pre-commit, and what they rest on: one run that looks at several locks.

use crate::support::cli::Sandbox;
use crate::support::yaml;
use clap::CommandFactory as _;
use serde_json::{Value, json};

fn hooks() -> Vec<Value> {
    yaml::file(".pre-commit-hooks.yaml").as_array().expect("a list").clone()
}

#[test]
fn the_hooks_are_what_the_framework_expects() {
    let hooks = hooks();
    let ids: Vec<&str> = hooks.iter().filter_map(|hook| hook["id"].as_str()).collect();
    assert_eq!(ids, ["warden-lint", "warden-check"]);
    for hook in &hooks {
        assert_eq!(hook["language"], "rust");
        assert!(hook["name"].is_string() && hook["description"].is_string());
        // The entry and its own options are words that the program knows.
        let entry: Vec<&str> = hook["entry"].as_str().expect("an entry").split(' ').collect();
        let parsed = warden::cli::Cli::command().try_get_matches_from(&entry);
        assert!(parsed.is_ok(), "{entry:?}: {parsed:?}");
    }
    // One process gets the names, and none of them can be taken for an option.
    assert_eq!((&hooks[0]["require_serial"], &hooks[0]["args"]), (&json!(true), &json!(["--"])));
    // A server changes while files do not; it is not started with every commit.
    assert_eq!((&hooks[1]["pass_filenames"], &hooks[1]["always_run"]), (&json!(false), &json!(true)));
    assert_eq!(hooks[1]["stages"], json!(["pre-push", "manual"]));
}

#[test]
fn the_hook_finds_locks_and_nothing_else() {
    let files = regex::Regex::new(hooks()[0]["files"].as_str().expect("a pattern")).expect("a regular expression");
    for name in ["warden.lock", "a/b/warden.lock", "locks/search.warden.lock", "search-warden.lock", "-x/warden.lock"] {
        assert!(files.is_match(name), "{name}");
    }
    for name in ["Cargo.lock", "warden.lock.bak", "xwarden.lock", "warden.lock/x", "wardenxlock"] {
        assert!(!files.is_match(name), "{name}");
    }
}

#[test]
fn a_file_that_is_no_json_is_called_so_once() {
    let sandbox = Sandbox::new();
    sandbox.write("bad.lock", "{bad\n");
    sandbox.write("big.lock", "{\"schema_version\": 12345678901234567890}\n");
    let causes = |name: &str| {
        let run = sandbox.run(&["show", name]).expect(2);
        assert!(run.stderr.starts_with(&format!("error: {name} could not be read as a lock\n")), "{run}");
        run.stderr.lines().nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(causes("bad.lock"), "  it is not valid JSON: expected a member name, found 'b' at line 1, column 2");
    // Good JSON that the format refuses is not called bad.
    assert!(causes("big.lock").starts_with("  the integer 12345678901234567890 is outside"), "{}", causes("big.lock"));
}

/// A good lock, one that was edited, and one that is none.
fn three() -> Sandbox {
    let sandbox = Sandbox::pinned(&json!({}), &[]);
    let good = sandbox.read("warden.lock");
    sandbox.write("good.lock", &good);
    sandbox.write("edited.lock", good.replace("alpha", "omega"));
    sandbox.write("broken.lock", "<<<<<<< ours\n");
    sandbox
}

#[test]
fn the_worst_of_several_locks_decides() {
    let sandbox = three();
    for (locks, code) in [
        (["good.lock", "warden.lock", "good.lock"], 0),
        (["good.lock", "edited.lock", "warden.lock"], 1),
        (["good.lock", "broken.lock", "warden.lock"], 2),
        (["missing.lock", "good.lock", "warden.lock"], 2),
        // What is known to be wrong beats what could not be read, in any order.
        (["edited.lock", "broken.lock", "good.lock"], 1),
        (["broken.lock", "edited.lock", "good.lock"], 1),
    ] {
        for form in [&["show", "--verify"][..], &["show", "--verify", "--quiet"]] {
            let run = sandbox.run(&[form, &["--"], &locks].concat()).expect(code);
            // Each is named, also behind one that is wrong.
            assert!(locks.iter().all(|lock| run.all().contains(lock)), "{run}");
        }
    }
    // Without a verification there is nothing to add up, and one run writes one document.
    sandbox.run(&["show", "good.lock", "warden.lock"]).expect(2);
    for options in [&["--json"][..], &["--format", "sarif"], &["--output", "json=out.json"]] {
        let run = sandbox.run(&[&["show", "--verify", "good.lock", "warden.lock"], options].concat()).expect(2);
        assert!(run.stderr.contains("several locks"), "{run}");
    }
    assert!(sandbox.read("out.json").contains("\"verdict\": \"error\""), "an error is delivered too");
}

#[test]
fn a_verification_says_the_verdict_first_and_then_only_the_faults() {
    let sandbox = three();
    let run = sandbox.run(&["show", "--verify", "edited.lock"]).expect(1);
    assert!(run.stdout.starts_with("INCONSISTENT edited.lock "), "{run}");
    assert!(run.stdout.contains("[lock-inconsistent]"), "{run}");
    let run = sandbox.run(&["show", "--verify", "good.lock"]).expect(0);
    assert!(run.stdout.starts_with("LOCK       good.lock ") && run.stdout.lines().count() == 1, "{run}");
    // The document is that of `warden show`, whole.
    let document = sandbox.run(&["show", "--verify", "--json", "good.lock"]).expect(0).stdout;
    assert_eq!(document, sandbox.run(&["show", "--json", "good.lock"]).expect(0).stdout);
    // An entry that is named is shown all the same.
    let run = sandbox.run(&["show", "--verify", "--entry", "alpha", "good.lock"]).expect(0);
    assert!(run.stdout.contains("\nTOOLS  1\n  alpha"), "{run}");
    // Several: each verdict names its lock, and nothing stands before it.
    let run = sandbox.run(&["show", "--verify", "good.lock", "edited.lock"]).expect(1);
    assert!(
        run.stdout.starts_with("LOCK       good.lock ") && run.stdout.contains("\nINCONSISTENT edited.lock "),
        "{run}"
    );
    assert!(run.stderr.is_empty(), "{run}");
    // A name is text of a stranger.
    let hostile = "a\u{1b}[2Jb.lock";
    std::fs::copy(sandbox.path("edited.lock"), sandbox.path(hostile)).expect("a copy");
    let run = sandbox.run(&["show", "--verify", hostile]).expect(1);
    assert!(!run.all().contains('\u{1b}'), "{run:?}");
}
