//! `warden approve`: what it writes, what it refuses, and that nothing but a person's yes, or `--yes`, is a yes.

use crate::support::cli::{Run, Sandbox, fixture, serving};
use crate::support::terminal::{run_and_then, run_at_terminal};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;

const ANN: [&str; 4] = ["approve", "--yes", "--approver", "ann@example.com"];

fn pinned() -> Sandbox {
    Sandbox::pinned(&fixture("notes.json"), &[])
}

fn with(options: &[&'static str]) -> Vec<&'static str> {
    [&ANN[..], options].concat()
}

#[test]
fn an_approval_adds_what_the_format_says_and_changes_nothing_else() {
    let sandbox = pinned();
    let before = sandbox.lock();
    let run = sandbox.run(&with(&["--note", "read 1.2.3\nline by line"])).expect(0);
    assert!(run.stdout.starts_with("APPROVED   warden.lock") && run.stdout.contains("ann@example.com"), "{run}");
    // What was approved was shown.
    assert!(run.stderr.contains("LOCK       warden.lock") && run.stderr.contains("save_note"), "{run}");
    let after = sandbox.lock();
    let pin = &after["pin"];
    let now = &pin["rotated_at"];
    assert!(now.as_str().is_some_and(|now| now.len() == 20 && now.ends_with('Z')), "{now}");
    let version = env!("CARGO_PKG_VERSION");
    let mut want = before;
    let digest = want["overall_digest"].clone();
    let members = json!({
        "approved": true, "approver": "ann@example.com", "approved_at": now, "approved_digest": digest,
        "pinner": {"tool": "warden", "tool_version": version, "actor": null, "environment": null},
        "attestations": [{
            "actor": "ann@example.com", "role": "approver", "method": "manual", "created_at": now,
            "bound_digest": digest, "note": "read 1.2.3\nline by line", "signature_bundle": null,
        }],
        "rotated_at": now, "rotation_count": 1,
    });
    for (name, value) in members.as_object().unwrap() {
        want["pin"][name] = value.clone();
    }
    assert_eq!(after, want);
    sandbox.run(&["check", "--require-approval"]).expect(0);
    sandbox.run(&["show", "--verify"]).expect(0);
}

#[test]
fn a_second_reviewer_is_added_to_the_first() {
    let sandbox = pinned();
    sandbox.run(&ANN).expect(0);
    let args = ["approve", "-y", "--actor", "bob@example.com", "--role", "security", "--note", "fine", "--json"];
    let run = sandbox.run(&args).expect(0);
    let pin = &sandbox.lock()["pin"];
    assert_eq!((&pin["approver"], &pin["rotation_count"]), (&json!("bob@example.com"), &json!(2)));
    let said: Vec<(&Value, &Value)> =
        pin["attestations"].as_array().unwrap().iter().map(|one| (&one["actor"], &one["role"])).collect();
    assert_eq!(
        said,
        [(&json!("ann@example.com"), &json!("approver")), (&json!("bob@example.com"), &json!("security"))]
    );
    let document = run.document();
    assert_eq!((&document["command"], &document["verdict"]), (&json!("approve"), &json!("approved")));
    assert_eq!(document["lock"]["attestations"][1]["note"], "fine");
    assert!(document["notes"][0].as_str().unwrap().contains("ann@example.com"), "{run}");
    // Nothing but the document where a machine reads.
    assert_eq!(run.stderr, "");
    let show = sandbox.run(&["show"]).expect(0);
    assert!(show.stdout.contains("ann@example.com (approver)") && show.stdout.contains("\"fine\""), "{show}");
}

#[test]
fn whatever_others_wrote_survives_byte_for_byte() {
    let sandbox = pinned();
    let text = sandbox.read("warden.lock");
    // Members, spellings and a layout that this program would not write.
    let strange = text
        .replacen("{\n", "{\n  \"x_top\": {\"deep\" : [1.50, 1E2, \"\\u00e9\"]},\n", 1)
        .replacen("\"pin\": {\n", "\"pin\": {\n    \"x_pin\": [ -0.0,\"\\u202e\"],\n", 1)
        .replacen(
            "\"attestations\": []",
            "\"attestations\": [{\"actor\":\"zoe\",\"created_at\":\"x\",\"bound_digest\":\"sha256:7\",\"n\":2.50}]",
            1,
        );
    let strange = strange.replace("sha256:7\"", &format!("sha256:{}\"", "7".repeat(64)));
    sandbox.write("warden.lock", &strange);
    sandbox.run(&ANN).expect(0);
    let now = sandbox.read("warden.lock");
    let entries = |text: &str| text[..text.find("\"pin\"").unwrap()].to_owned();
    assert_eq!(entries(&now), entries(&strange));
    for kept in [
        "\"x_pin\": [ -0.0,\"\\u202e\"]",
        "{\"actor\":\"zoe\",\"created_at\":\"x\",\"bound_digest\":\"sha256:",
        "\"n\":2.50}",
    ] {
        assert!(now.contains(kept), "{kept}\n{now}");
    }
    assert!(now.ends_with("}\n") && !now.ends_with("\n\n"));
    sandbox.run(&["check", "--require-approval"]).expect(0);
    // Locks of every level are attested as they are.
    for level in 1..=4 {
        let path = format!("{}/tests/fixtures/levels/level-{level}.lock", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        sandbox.write("old.lock", &text);
        sandbox.run(&with(&["old.lock"])).expect(0);
        assert_eq!(entries(&sandbox.read("old.lock")), entries(&text), "level {level}");
        sandbox.run(&["show", "--verify", "old.lock"]).expect(0);
    }
}

type Edit = fn(&mut Value);

#[test]
fn what_does_not_hold_together_is_not_approved() {
    let edits: [(&str, Edit, &str); 8] = [
        ("an entry", |lock| lock["tools"][0]["capabilities"] = json!(["shell-exec"]), "tools/"),
        ("an entry's digest", |lock| lock["tools"][0]["entry_digest"] = lock["overall_digest"].clone(), "tools/"),
        ("the launch", |lock| lock["server"]["args"] = json!(["other"]), "launch/command"),
        ("the overall digest", |lock| lock["overall_digest"] = lock["tools"][0]["entry_digest"].clone(), "lock/"),
        ("an order", |lock| lock["tools"].as_array_mut().unwrap().reverse(), "lock/"),
        ("a withdrawn approval", |lock| lock["pin"]["approver"] = json!("zoe"), "pin/approved"),
        (
            "an approval of something else",
            |lock| {
                lock["pin"]["approved"] = json!(true);
                lock["pin"]["approved_digest"] = lock["tools"][0]["entry_digest"].clone();
            },
            "approved_digest",
        ),
        ("an approval of nothing", |lock| lock["pin"]["approved"] = json!(true), "approved_digest"),
    ];
    for (what, edit, named) in edits {
        let sandbox = pinned();
        sandbox.edit_lock(edit);
        let before = sandbox.read("warden.lock");
        let run = sandbox.run(&ANN).expect(2);
        assert!(run.stderr.contains(named) && run.stderr.contains("not approved"), "{what}\n{run}");
        assert_eq!(sandbox.read("warden.lock"), before, "{what}");
        assert_eq!(sandbox.temporary_files(), [""; 0]);
    }
    // Every place is named, a hundred of them are counted.
    let sandbox = pinned();
    sandbox.edit_lock(|lock| {
        let mut tool = lock["tools"][0].clone();
        tool["capabilities"] = json!(["shell-exec"]);
        lock["tools"] = (0..100).map(|_| tool.clone()).collect();
    });
    let run = sandbox.run(&with(&["--json"])).expect(2);
    let causes = run.document()["error"]["causes"].as_array().unwrap().len();
    assert_eq!(causes, 21, "{run}");
}

#[test]
fn a_pipe_is_never_a_yes() {
    let sandbox = pinned();
    let before = sandbox.read("warden.lock");
    for answer in ["y\n", "yes\n", "", "y"] {
        let mut command = sandbox.command(&["approve", "--approver", "ann@example.com"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // It may have ended before it could be told anything.
        let _ = child.stdin.take().unwrap().write_all(answer.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("--yes"));
        assert_eq!(sandbox.read("warden.lock"), before);
    }
}

#[test]
fn only_yes_is_a_yes_at_a_terminal() {
    for (typed, approved) in [
        ("y\n", true),
        ("YES\n", true),
        ("\n", false),
        ("n\n", false),
        ("yep\n", false),
        ("y y\n", false),
        ("\u{4}", false),
        ("y\u{4}\u{4}", false),
    ] {
        let sandbox = pinned();
        let before = sandbox.read("warden.lock");
        let run =
            run_at_terminal(&mut sandbox.command(&["approve", "--approver", "ann@example.com"]), &[("[y/N]", typed)]);
        assert_eq!(run.code, Some(if approved { 0 } else { 2 }), "{typed:?}\n{run}");
        assert_eq!(sandbox.read("warden.lock") != before, approved, "{typed:?}");
        // Shown, then asked, and only then answered.
        let at = |text: &str| run.stderr.find(text).unwrap_or_else(|| panic!("no {text}\n{run}"));
        assert!(at("LOCK       warden.lock") < at("save_note") && at("save_note") < at("[y/N]"), "{run}");
        assert_eq!(run.stdout.starts_with("APPROVED"), approved, "{run}");
    }
}

#[test]
fn nobody_approves_what_was_not_shown() {
    for quiet in [&["-q"][..], &["-q", "--format", "github"], &["--json"]] {
        let sandbox = pinned();
        let args = [&["approve", "--approver", "ann@example.com"], quiet].concat();
        let run = run_at_terminal(&mut sandbox.command(&args), &[("[y/N]", "y\n")]);
        let at = |text: &str| run.stderr.find(text).unwrap_or_else(|| panic!("no {text}\n{run}"));
        assert!(at("save_note") < at("[y/N]"), "{run}");
    }
}

#[test]
fn what_is_approved_is_shown_to_its_end() {
    let sandbox = Sandbox::new();
    let long = format!("Reads. {} THE-END", "word ".repeat(4_000));
    sandbox.script(&serving(json!([{"name": "t", "description": long, "inputSchema": {"type": "object"}}])));
    sandbox.run(&["pin", "--save-surface", "--", "./server", "s.json"]).expect(0);
    let mut command = sandbox.command(&["approve", "--approver", "ann@example.com"]);
    let run = run_at_terminal(&mut command, &[("[y/N]", "y\n")]);
    assert!(run.stderr.contains("THE-END"), "{run}");
}

#[test]
fn what_was_typed_before_the_question_is_no_answer() {
    let sandbox = pinned();
    let before = sandbox.read("warden.lock");
    let run =
        run_at_terminal(&mut sandbox.command(&["approve", "--approver", "ann"]), &[("", "y\n"), ("[y/N]", "\u{4}")]);
    assert_eq!((run.code, sandbox.read("warden.lock") == before), (Some(2), true), "{run}");
    // The end of input ends no line, and the error begins one.
    assert!(run.stderr.contains("[y/N] \n"), "{run}");
}

#[test]
fn somebody_at_a_terminal_is_asked_who_they_are() {
    let sandbox = pinned();
    let answers = [("who approves?", "  cy@example.com \n"), ("[y/N]", "y\n")];
    run_at_terminal(&mut sandbox.command(&["approve"]), &answers).expect(0);
    assert_eq!(sandbox.lock()["pin"]["approver"], "cy@example.com");
    let before = sandbox.read("warden.lock");
    for typed in ["\n", "\u{202e}evil\n"] {
        let answers = [("who approves?", typed), ("[y/N]", "y\n")];
        run_at_terminal(&mut sandbox.command(&["approve"]), &answers).expect(2);
        assert_eq!(sandbox.read("warden.lock"), before);
    }
}

#[test]
fn ci_says_who_and_where() {
    for (variables, options, approver, pinner) in [
        (&[("CI", "true"), ("GITHUB_ACTOR", "octo")][..], &[][..], Some("octo"), json!(["octo", "ci"])),
        (&[("CI", "1"), ("GITLAB_USER_LOGIN", "tanuki")], &[], Some("tanuki"), json!(["tanuki", "ci"])),
        (
            &[("CI", "true"), ("WARDEN_APPROVER", "ann"), ("GITHUB_ACTOR", "octo")],
            &[],
            Some("ann"),
            json!(["octo", "ci"]),
        ),
        (
            &[("CI", "true"), ("GITHUB_ACTOR", "octo"), ("WARDEN_ACTOR", "bot"), ("WARDEN_ENV", "prod")],
            &["--approver", "ann"],
            Some("ann"),
            json!(["bot", "prod"]),
        ),
        // Outside CI such a variable says nothing.
        (&[("GITHUB_ACTOR", "octo")], &[], None, Value::Null),
        (&[("CI", "false"), ("GITHUB_ACTOR", "octo")], &[], None, Value::Null),
        (&[("CI", "true")], &[], None, Value::Null),
        (&[("CI", "true"), ("GITHUB_ACTOR", "\u{1b}[2J")], &[], None, Value::Null),
    ] {
        let sandbox = pinned();
        let mut command = sandbox.command(&[&["approve", "--yes"], options].concat());
        command.envs(variables.iter().copied());
        let run = Run::of(&mut command).expect(if approver.is_some() { 0 } else { 2 });
        let pin = &sandbox.lock()["pin"];
        assert_eq!(pin["approver"], json!(approver), "{run}");
        if approver.is_some() {
            assert_eq!(json!([pin["pinner"]["actor"], pin["pinner"]["environment"]]), pinner, "{run}");
        }
        // A pin says it in the same way.
        let mut command = sandbox.command(&[&["pin", "--force", "--approve"], options].concat());
        command.envs(variables.iter().copied());
        Run::of(&mut command).expect(if approver.is_some() { 0 } else { 2 });
        assert_eq!(sandbox.lock()["pin"]["approver"], json!(approver), "{run}");
    }
}

#[test]
fn texts_that_would_mislead_a_reader_are_refused() {
    let sandbox = pinned();
    let before = sandbox.read("warden.lock");
    let (long, longest) = ("é".repeat(1001), "é".repeat(1000));
    let huge = "x".repeat(100_000);
    for (option, text) in [
        ("--note", long.as_str()),
        ("--note", &huge),
        ("--note", "a\u{1b}[2Jb"),
        ("--note", "a\u{202e}b"),
        ("--role", "x\ny"),
        ("--role", " "),
        ("--role", "\u{200b}"),
        ("--approver", "\u{1b}]0;x\u{7}"),
        ("--approver", &huge),
        ("--approver", " "),
    ] {
        let mut args = vec!["approve", "--yes", option, text];
        if option != "--approver" {
            args.extend(["--approver", "ann"]);
        }
        let run = sandbox.run(&args).expect(2);
        assert!(run.all().chars().all(|c| c == '\n' || !warden::text::is_hidden(c)), "{run}");
        assert_eq!(sandbox.read("warden.lock"), before, "{option}");
    }
    sandbox.run(&["approve", "--yes", "--approver", "ann", "--note", &longest]).expect(0);
    assert_eq!(sandbox.lock()["pin"]["attestations"][0]["note"], json!(longest));
    // pin refuses the same names.
    sandbox.run(&["pin", "--approve", "--approver", "\u{202e}x"]).expect(2);
}

#[test]
fn names_in_a_lock_do_not_drive_the_terminal() {
    let sandbox =
        Sandbox::pinned(&crate::support::cli::serving(json!([{"name": "\u{1b}[2J\u{202e}x", "inputSchema": {}}])), &[]);
    sandbox.run(&ANN).expect(0);
    sandbox.edit_lock(|lock| {
        lock["pin"]["approver"] = json!("\u{1b}[31mann");
        lock["pin"]["attestations"][0]["note"] = json!("\u{1b}]0;x\u{7}");
        lock["pin"]["attestations"][0]["role"] = json!("a\u{202e}");
        lock["pin"]["attestations"][0]["actor"] = json!("b\n\u{9b}");
        lock["pin"]["attestations"][0]["created_at"] = json!("\u{1b}c");
    });
    for run in [
        run_at_terminal(
            &mut sandbox.command(&["approve", "--approver", "bob", "--color", "never"]),
            &[("[y/N]", "y\n")],
        )
        .expect(0),
        sandbox.run(&["show"]).expect(0),
        sandbox.run(&["show", "--json"]).expect(0),
        sandbox.run(&["check", "--require-approval"]).expect(0),
    ] {
        assert!(run.all().chars().all(|c| c == '\n' || !warden::text::is_hidden(c)), "{run}");
    }
}

#[test]
fn places_that_cannot_be_replaced_are_left_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = pinned();
    let before = sandbox.read("warden.lock");
    std::os::unix::fs::symlink("warden.lock", sandbox.path("link.lock")).unwrap();
    let run = sandbox.run(&with(&["link.lock"])).expect(2);
    assert!(run.stderr.contains("symbolic link"), "{run}");
    sandbox.run(&with(&["missing.lock"])).expect(2);
    sandbox.run(&with(&["."])).expect(2);
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    sandbox.write("folder/a.lock", &before);
    let mode = |mode| std::fs::set_permissions(sandbox.path("folder"), std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    // Some users may write anywhere.
    let may_write = std::fs::write(sandbox.path("folder/probe"), "").is_ok();
    let run = sandbox.run(&with(&["folder/a.lock"]));
    mode(0o755);
    assert_eq!(run.code, Some(if may_write { 0 } else { 2 }), "{run}");
    assert_eq!(sandbox.read("folder/a.lock") != before, may_write);
    assert_eq!(sandbox.read("warden.lock"), before);
}

#[test]
fn a_lock_that_changes_while_it_is_read_is_not_approved() {
    let sandbox = pinned();
    let other = sandbox.read("warden.lock").replacen('{', "{ ", 1);
    let path = sandbox.path("warden.lock");
    // The question is asked behind the first look at the lock; the change comes before the answer.
    let mut change = {
        let (path, other) = (path.clone(), other.clone());
        move || std::fs::write(&path, &other).unwrap()
    };
    let mut command = sandbox.command(&["approve", "--approver", "ann"]);
    let run = run_and_then(&mut command, &mut change, &[("[y/N]", "y\n")]).expect(2);
    assert!(run.stderr.contains("was changed"), "{run}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
}

#[test]
fn a_counter_that_cannot_grow_is_left_alone() {
    let sandbox = pinned();
    sandbox.edit_lock(|lock| lock["pin"]["rotation_count"] = json!(9_007_199_254_740_991_u64));
    let before = sandbox.read("warden.lock");
    sandbox.run(&ANN).expect(2);
    assert_eq!(sandbox.read("warden.lock"), before);
}

#[test]
fn an_approval_that_names_nobody_is_none() {
    for approver in [Value::Null, json!(""), json!("  ")] {
        let sandbox = pinned();
        sandbox.run(&ANN).expect(0);
        sandbox.edit_lock(|lock| lock["pin"]["approver"] = approver.clone());
        let run = sandbox.run(&["check", "--require-approval", "--json"]).expect(1);
        assert_eq!(run.document()["verdict"], "not-approved");
        let next = run.document()["next"].clone();
        assert_eq!(next[1]["command"], "warden approve --approver you@example.com", "{run}");
        sandbox.run(&["check"]).expect(0);
        sandbox.run(&ANN).expect(0);
        sandbox.run(&["check", "--require-approval"]).expect(0);
    }
}

#[test]
fn an_approver_without_an_approval_is_a_mistake() {
    let sandbox = pinned();
    let before = sandbox.read("warden.lock");
    for option in ["--approver", "--actor"] {
        let run = sandbox.run(&["pin", option, "ann"]).expect(2);
        assert!(run.stderr.contains("--approve"), "{run}");
    }
    assert_eq!(sandbox.read("warden.lock"), before);
    sandbox.run(&["pin", "--approve", "--actor", "ann"]).expect(0);
    assert_eq!(sandbox.lock()["pin"]["approver"], "ann");
    // A report suggests nobody's name but a placeholder.
    sandbox.script(&fixture("notes-changed.json"));
    let run = sandbox.run(&["check"]).expect(1);
    assert!(run.stdout.contains("--approver you@example.com") && !run.stdout.contains("--approver ann"), "{run}");
}
