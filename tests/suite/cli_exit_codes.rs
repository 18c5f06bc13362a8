//! Every command, every way it can end, every form of output: the status never depends on the form, and the document
//! says the same as the status.

use crate::support::cli::{Run, Sandbox, VERDICTS, fixture, serving};
use serde_json::{Value, json};
use std::process::Stdio;

/// Every form in which a result can be asked for.
const FORMS: [&[&str]; 5] = [&[], &["--json"], &["-q"], &["-v"], &["--color", "always"]];

/// One way to end.
struct Case {
    name: &'static str,
    /// A verdict of the document; its status follows.
    verdict: &'static str,
    prepare: fn() -> Sandbox,
    args: &'static [&'static str],
}

const fn case(
    name: &'static str,
    verdict: &'static str,
    prepare: fn() -> Sandbox,
    args: &'static [&'static str],
) -> Case {
    Case { name, verdict, prepare, args }
}

fn run_all(cases: &[Case]) {
    for case in cases {
        let code = VERDICTS.iter().find(|(verdict, _)| *verdict == case.verdict).expect("a known verdict").1;
        let mut shared = None;
        for form in FORMS {
            // Only a pin changes anything.
            if case.args.first() == Some(&"pin") {
                shared = None;
            }
            let sandbox = shared.get_or_insert_with(case.prepare);
            // A form stands behind the command or, being global, before it.
            let args: Vec<&str> = match case.args.split_first() {
                Some((command, rest)) if form != ["-q"] => [&[*command], form, rest].concat(),
                _ => [form, case.args].concat(),
            };
            let run = sandbox.run(&args);
            assert_eq!(run.code, Some(code), "{} {form:?}\n{run}", case.name);
            match form {
                ["--json"] => assert_eq!(run.document()["verdict"], case.verdict, "{} {run}", case.name),
                _ => assert_words(case, form, &run),
            }
        }
    }
}

/// What people read: an error on standard error alone, a report on standard output, and with `-q` one line of it.
fn assert_words(case: &Case, form: &[&str], run: &Run) {
    if case.verdict == "error" {
        assert!(run.stdout.is_empty(), "{}\n{run}", case.name);
        assert!(run.stderr.contains("error: ") || form == ["--color", "always"], "{}\n{run}", case.name);
        return;
    }
    let word = match case.verdict {
        "shown" => "LOCK".to_owned(),
        verdict => verdict.replace('-', " ").to_uppercase(),
    };
    let verdicts = run.stdout.lines().filter(|line| line.starts_with(&word)).count();
    let colored = run.stdout.lines().filter(|line| line.starts_with('\u{1b}') && line.contains(&word)).count();
    assert_eq!(if form == ["--color", "always"] { colored.max(verdicts) } else { verdicts }, 1, "{}\n{run}", case.name);
    if form == ["-q"] {
        assert!(run.stdout.starts_with(&word), "{}\n{run}", case.name);
        // Its continuation is the launch, or what could not be done, where they do not fit the line.
        assert!(run.stdout.lines().skip(1).all(|line| line.starts_with("  ")), "{}\n{run}", case.name);
        assert!(run.stderr.is_empty(), "{}\n{run}", case.name);
    }
}

fn empty() -> Sandbox {
    Sandbox::new()
}

/// A script beside no lock.
fn unpinned() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.script(&fixture("notes.json"));
    sandbox
}

fn pinned() -> Sandbox {
    Sandbox::pinned(&fixture("notes.json"), &[])
}

fn approved() -> Sandbox {
    Sandbox::pinned(&fixture("notes.json"), &["--approve", "--approver", "ann@example.com"])
}

/// With a surface file beside the lock.
fn captured() -> Sandbox {
    let sandbox = pinned();
    sandbox.run(&["capture", "-o", "surface.json", "--", "./server", "s.json"]).expect(0);
    sandbox
}

fn drifted(sandbox: Sandbox) -> Sandbox {
    sandbox.script(&fixture("notes-changed.json"));
    sandbox
}

fn failing(sandbox: Sandbox) -> Sandbox {
    sandbox.script(&json!({"methods": {"tools/list": [{"error": {"code": -32603, "message": "no database"}}]}}));
    sandbox
}

/// Nothing drifts, but a tool's entry digest is somebody else's.
fn inconsistent(sandbox: Sandbox) -> Sandbox {
    sandbox.edit_lock(|lock| lock["tools"][0]["entry_digest"] = lock["overall_digest"].clone());
    sandbox
}

fn stale(sandbox: Sandbox) -> Sandbox {
    sandbox.edit_lock(|lock| lock["pin"]["approved_digest"] = lock["tools"][0]["entry_digest"].clone());
    sandbox
}

/// A `warden.toml` accepts a finding until a day that is past.
fn past(sandbox: Sandbox) -> Sandbox {
    let entry = "rule = \"WRD-UNCOMMITTED-INSTRUCTIONS\"\ntarget = \"server/instructions\"\nreason = \"read\"";
    sandbox.write("warden.toml", format!("[[ignore]]\n{entry}\nexpires = \"2020-02-29\"\n"));
    sandbox
}

fn with_config(text: &str) -> Sandbox {
    let sandbox = pinned();
    sandbox.write("warden.toml", text);
    sandbox
}

fn with_lock(text: &str) -> Sandbox {
    let sandbox = unpinned();
    sandbox.write("warden.lock", text);
    sandbox
}

fn newer() -> Sandbox {
    let sandbox = pinned();
    sandbox.edit_lock(|lock| lock["schema_version"] = json!(5));
    sandbox
}

fn with_inspection(blocks: Value) -> Sandbox {
    let sandbox = unpinned();
    sandbox.write("warden.inspection.json", blocks.to_string());
    sandbox
}

#[test]
fn check_ends_as_its_verdict_says() {
    run_all(&[
        case("as pinned", "clean", pinned, &["check"]),
        case("as pinned, by command", "clean", pinned, &["check", "--", "./server", "s.json"]),
        case("as pinned, without dashes", "clean", pinned, &["check", "./server", "s.json"]),
        case("approved", "clean", approved, &["check", "--require-approval"]),
        case("drift", "drift", || drifted(pinned()), &["check"]),
        case("drift from what was approved", "drift", || drifted(approved()), &["check"]),
        case("approval for something else", "drift", || stale(approved()), &["check"]),
        case("drift and contradiction", "drift", || inconsistent(drifted(pinned())), &["check"]),
        case("another launch", "drift", pinned, &["check", "--", "./server", "other.json"]),
        case("contradiction", "inconsistent", || inconsistent(pinned()), &["check"]),
        case("contradiction, failing", "inconsistent", || inconsistent(failing(pinned())), &["check"]),
        case("approval demanded", "not-approved", pinned, &["check", "--require-approval"]),
        case("an entry that is past", "expired", || past(pinned()), &["check"]),
        case("an entry that is past, no server", "expired", || past(failing(pinned())), &["check"]),
        case("an entry that is past, and drift", "drift", || past(drifted(pinned())), &["check"]),
        case("no configuration", "clean", || past(pinned()), &["check", "--no-config"]),
        case("a configuration that is none", "error", || with_config("ignore = 1"), &["check"]),
        case("failing", "not-checked", || failing(pinned()), &["check"]),
        case("no lock", "error", unpinned, &["check"]),
        case("no such lock", "error", pinned, &["check", "--lock", "elsewhere/warden.lock"]),
        case("a folder as lock", "error", pinned, &["check", "--lock", "."]),
        case("an empty lock", "error", || with_lock(""), &["check"]),
        case("another kind of file", "error", || with_lock("[]"), &["check"]),
        case("a newer lock", "error", newer, &["check"]),
        case("missing inspection file", "error", pinned, &["check", "--inspection", "none.json"]),
        case("a variable that is not set", "error", pinned, &["check", "--env", "NOT_SET"]),
        case("a variable without a name", "error", pinned, &["check", "--env", "=x"]),
    ]);
}

#[test]
fn pin_ends_as_its_verdict_says() {
    const APPROVE: &[&str] = &["pin", "--approve", "--approver", "bob@example.com"];
    run_all(&[
        case("first", "pinned", unpinned, &["pin", "--", "./server", "s.json"]),
        case("first, without dashes", "pinned", unpinned, &["pin", "./server", "s.json"]),
        case("changed", "pinned", || drifted(pinned()), &["pin"]),
        case("approving", "pinned", pinned, APPROVE),
        case("approving a change", "pinned", || drifted(approved()), APPROVE),
        case("forcing", "pinned", || drifted(approved()), &["pin", "--force"]),
        case(
            "forcing over another file",
            "pinned",
            || with_lock("[]"),
            &["pin", "--force", "--", "./server", "s.json"],
        ),
        case("same", "unchanged", pinned, &["pin"]),
        case("same, approved", "unchanged", approved, &["pin", "--", "./server", "s.json"]),
        case("approved otherwise", "refused", || drifted(approved()), &["pin"]),
        case("approval for something else", "refused", || stale(approved()), &["pin"]),
        case("failing", "not-pinned", || failing(unpinned()), &["pin", "--", "./server", "s.json"]),
        case("failing, pinned before", "not-pinned", || failing(pinned()), &["pin"]),
        case("nothing to pin", "error", unpinned, &["pin"]),
        case("nobody approves", "error", unpinned, &["pin", "--approve", "--", "./server", "s.json"]),
        case(
            "a blank approver",
            "error",
            unpinned,
            &["pin", "--approve", "--approver", " ", "--", "./server", "s.json"],
        ),
        case("over another file", "error", || with_lock("[]"), &["pin", "--", "./server", "s.json"]),
        case("over a folder", "error", unpinned, &["pin", "--lock", ".", "--", "./server", "s.json"]),
        case("into no folder", "error", unpinned, &["pin", "--lock", "none/warden.lock", "--", "./server", "s.json"]),
        case(
            "a block for no tool",
            "error",
            || with_inspection(json!({"nobody": {}})),
            &["pin", "--", "./server", "s.json"],
        ),
        case(
            "a block of a wrong form",
            "error",
            || with_inspection(json!({"ping": {"may_return_urls": "yes"}})),
            &["pin", "--", "./server", "s.json"],
        ),
        case("a variable that is not set", "error", unpinned, &["pin", "--env", "NOT_SET", "--", "./server", "s.json"]),
    ]);
}

#[test]
fn show_ends_as_its_verdict_says() {
    run_all(&[
        case("a lock", "shown", pinned, &["show"]),
        case("a lock by name", "shown", pinned, &["show", "./warden.lock"]),
        case("verified", "shown", approved, &["show", "--verify"]),
        case("inconsistent, merely shown", "shown", || inconsistent(pinned()), &["show"]),
        case("stale, merely shown", "shown", || stale(approved()), &["show"]),
        case("inconsistent", "inconsistent", || inconsistent(approved()), &["show", "--verify"]),
        case("an entry that is past", "shown", || past(pinned()), &["show", "--verify"]),
        case("a configuration that is none", "error", || with_config("ignore = 1"), &["show"]),
        case("stale", "not-approved", || stale(approved()), &["show", "--verify"]),
        case("no lock", "error", empty, &["show"]),
        case("another kind of file", "error", || with_lock("{}"), &["show"]),
        case("a newer lock", "error", newer, &["show"]),
    ]);
}

#[test]
fn capture_ends_as_its_verdict_says() {
    let with_file = || {
        let sandbox = unpinned();
        sandbox.write("other.json", "{}");
        sandbox
    };
    run_all(&[
        case("a server", "captured", unpinned, &["capture", "-o", "out.json", "--", "./server", "s.json"]),
        case(
            "over another file",
            "captured",
            with_file,
            &["capture", "--force", "-o", "other.json", "--", "./server", "s.json"],
        ),
        case(
            "a failing server",
            "not-captured",
            || failing(unpinned()),
            &["capture", "-o", "x", "--", "./server", "s.json"],
        ),
        case("no such program", "not-captured", unpinned, &["capture", "-o", "x", "--", "./missing"]),
        case("another file is there", "error", with_file, &["capture", "-o", "other.json", "--", "./server", "s.json"]),
        case("no command", "error", unpinned, &["capture", "-o", "x"]),
        case("no file", "error", unpinned, &["capture", "--", "./server", "s.json"]),
        case("a secret", "error", unpinned, &["capture", "-o", "x", "--", "./server", "--password", "hunter2-hunter2"]),
    ]);
}

#[test]
fn a_surface_from_a_file_ends_as_one_from_a_server() {
    let changed = || {
        let sandbox = drifted(pinned());
        sandbox.run(&["capture", "-o", "surface.json", "--", "./server", "s.json"]).expect(0);
        sandbox
    };
    let twice = || {
        let sandbox = pinned();
        sandbox.write("surface.json", "[{\"name\":\"a\"},{\"name\":\"a\"}]");
        sandbox
    };
    run_all(&[
        case("the same", "clean", captured, &["check", "--surface", "surface.json"]),
        case("another one", "drift", changed, &["check", "--surface", "surface.json"]),
        case("no approval", "not-approved", captured, &["check", "--require-approval", "--surface", "surface.json"]),
        case("an edited lock", "inconsistent", || inconsistent(captured()), &["check", "--surface", "surface.json"]),
        case("not to be pinned", "not-checked", twice, &["check", "--surface", "surface.json"]),
        case("no file", "error", pinned, &["check", "--surface", "surface.json"]),
        case("pinned", "pinned", changed, &["pin", "--surface", "surface.json"]),
        case("pinned already", "unchanged", captured, &["pin", "--surface", "surface.json"]),
        case("not pinned", "not-pinned", twice, &["pin", "--surface", "surface.json"]),
    ]);
}

#[test]
fn wrong_arguments_are_usage_errors_of_every_command() {
    // The lock is there: none of these may be taken for a command to start.
    run_all(&[
        case("an option nobody knows", "error", pinned, &["check", "--require-aproval"]),
        case("a short option nobody knows", "error", pinned, &["pin", "-x"]),
        case("show has no such option", "error", pinned, &["show", "--approve"]),
        case("demo has no such option", "error", empty, &["demo", "--lock", "x"]),
        case("demo takes no word", "error", empty, &["demo", "word"]),
        case("two locks", "error", pinned, &["show", "warden.lock", "other.lock"]),
        case("no such command", "error", empty, &["chekc"]),
        case("a command before its options", "error", pinned, &["--lock", "x", "check"]),
        case("no time", "error", pinned, &["check", "--timeout", "0"]),
        case("too much time", "error", pinned, &["check", "--timeout", "86401"]),
        case("a time that is no number", "error", pinned, &["check", "--timeout", "NaN"]),
        case("no pages", "error", pinned, &["check", "--max-pages", "0"]),
        case("no such section", "error", pinned, &["check", "--allow-missing", "templates"]),
        case("no captures", "error", pinned, &["check", "--stability", "1"]),
        case("file and server", "error", pinned, &["check", "--surface", "x", "--stability", "2"]),
        case("no such colour", "error", pinned, &["check", "--color", "red"]),
        case("an option without its value", "error", pinned, &["check", "--lock"]),
        case("quiet and verbose", "error", pinned, &["check", "--quiet", "--verbose"]),
    ]);
}

#[test]
fn every_way_in_which_a_server_fails_is_status_3() {
    let hang = json!({"methods": {"initialize": [{"hang": true}]}});
    let silent = json!({"startup_delay_ms": 60000});
    let scripts = [
        (json!({"methods": {"initialize": [{"exit": 1}]}}), "E-EXITED"),
        (hang, "E-TIMEOUT"),
        (silent, "E-TIMEOUT"),
        (json!({"methods": {"initialize": [{"close_output": true}]}}), "E-CLOSED"),
        (json!({"methods": {"initialize": [{"error": {"code": -1, "message": "no"}}]}}), "E-SERVER-ERROR"),
        (serving(json!([{"name": "a"}, {"name": "a"}])), "E-SURFACE"),
        (serving(json!([{"name": "a", "inputSchema": [1]}])), "E-SURFACE"),
        (serving(json!("none")), "E-MALFORMED"),
        (json!({"methods": {"tools/list": [{"result": {"tools": [], "nextCursor": ""}}]}}), "E-CURSOR"),
        (json!({"methods": {"tools/list": [{"result": {"tools": [], "nextCursor": "x"}}]}}), "E-CURSOR"),
        (serving(json!([{"name": "n", "inputSchema": {"maximum": 9007199254740993_i64}}])), "E-REFUSED-MESSAGE"),
    ];
    let pages: Vec<Value> = (0..4).map(|i| json!({"result": {"tools": [], "nextCursor": i.to_string()}})).collect();
    let pages = (json!({"methods": {"tools/list": pages}}), "E-LIMIT");
    for (script, code) in scripts.into_iter().chain([pages]) {
        let sandbox = pinned();
        sandbox.script(&script);
        let before = sandbox.read("warden.lock");
        for (command, verdict) in [("check", "not-checked"), ("pin", "not-pinned")] {
            let seconds = if code == "E-TIMEOUT" { "0.4" } else { "30" };
            let options = ["--json", "--timeout", seconds, "--max-pages", "3"];
            let run = sandbox.run(&[&[command], &options[..]].concat()).expect(3);
            let document = run.document();
            assert_eq!((&document["verdict"], &document["failure"]["code"]), (&json!(verdict), &json!(code)), "{run}");
        }
        assert_eq!(sandbox.read("warden.lock"), before);
    }
    for (launch, code) in [("./nothing", "E-NOT-FOUND"), ("./warden.lock", "E-NOT-EXECUTABLE")] {
        let run = pinned().run(&["pin", "--json", "--", launch]).expect(3);
        assert_eq!(run.document()["failure"]["code"], code, "{run}");
    }
}

#[test]
fn the_demo_succeeds_in_every_form_and_leaves_nothing() {
    for form in FORMS {
        let sandbox = empty();
        let run = sandbox.run(&[&["demo"], form].concat()).expect(0);
        if form == ["--json"] {
            let document = run.document();
            let acts: Vec<&str> =
                document["acts"].as_array().unwrap().iter().map(|act| act["verdict"].as_str().unwrap()).collect();
            assert_eq!(acts, ["pinned", "clean", "drift"], "{run}");
        } else {
            for word in ["PINNED", "CLEAN", "DRIFT"] {
                assert_eq!(run.stdout.matches(word).count(), 1, "{run}");
            }
        }
        assert_eq!(sandbox.temporary_files(), [""; 0]);
        assert!(!sandbox.exists("warden.lock") && !sandbox.exists("notes-server-state"));
    }
}

#[test]
fn help_and_version_are_no_failure() {
    let sandbox = empty();
    for args in [
        &["--help"][..],
        &["-h"],
        &["help"],
        &["help", "check"],
        &["pin", "--help"],
        &["check", "-h"],
        &["show", "--help"],
        &["demo", "--help"],
        &["--version"],
        &["-V"],
    ] {
        let run = sandbox.run(args).expect(0);
        assert!(!run.stdout.is_empty() && run.stderr.is_empty(), "{run}");
    }
    let run = sandbox.run(&[""; 0]).expect(2);
    assert!(run.stdout.is_empty() && run.stderr.contains("Usage:"), "{run}");
    let table = sandbox.run(&["--help"]).stdout;
    for code in ["0  clean", "1  drift", "2  usage error", "3  the server could not be captured"] {
        assert!(table.contains(code), "{table}");
    }
}

#[test]
fn a_closed_pipe_does_not_change_the_status() {
    for (sandbox, code) in [(pinned(), 0), (drifted(pinned()), 1)] {
        let mut command = sandbox.command(&["check"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(code));
    }
    // A report that could not be written is never a success.
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        for (sandbox, code) in [(pinned(), 2), (drifted(pinned()), 1)] {
            let mut command = sandbox.command(&["check"]);
            let status = command.stdout(full.try_clone().unwrap()).stderr(Stdio::null()).status().unwrap();
            assert_eq!(status.code(), Some(code));
        }
    }
}
