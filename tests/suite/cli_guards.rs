//! What warden does not do: start what nobody pinned, replace what somebody approved, write where nothing changed.

use crate::support::cli::{Run, Sandbox, fixture, serving};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, SystemTime};
#[cfg(feature = "http")]
use warden::lock::wire::{NewPin, render};
use warden::lock::{BuildOptions, WardenPin, build};
use warden::surface::{Launch, Surface};

/// A script that leaves a file behind as soon as its server starts.
fn telltale(sandbox: &Sandbox, name: &str) {
    sandbox.write(name, json!({"pid_file": sandbox.path("started")}).to_string());
}

fn approve(script: &Value) -> Sandbox {
    Sandbox::pinned(script, &["--approve", "--approver", "ann@example.com"])
}

fn classes(run: &Run) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let document = run.document();
    let blocks = document["entries"].as_array().expect("blocks");
    blocks
        .iter()
        .flat_map(|block| {
            let items = block["items"].as_array().expect("items");
            items.iter().map(|item| (text(&block["target"]), text(&item["class"])))
        })
        .collect()
}

fn pair(target: &str, class: &str) -> (String, String) {
    (target.to_owned(), class.to_owned())
}

#[test]
fn another_launch_than_the_pinned_one_is_not_started() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    telltale(&sandbox, "other.json");
    let run = sandbox.run(&["check", "--json", "--", "./server", "other.json"]).expect(1);
    assert_eq!(classes(&run), [pair("launch/command", "server-identity")]);
    assert!(!sandbox.exists("started"), "{run}");
    // Pinned in a second way only: one more word, another spelling of the program, another order.
    for words in [&["./server", "s.json", "x"][..], &["././server", "s.json"], &["./server"], &["s.json", "./server"]] {
        let run = sandbox.run(&[&["check", "--json", "--"], words].concat()).expect(1);
        assert_eq!(classes(&run), [pair("launch/command", "server-identity")]);
        assert!(run.document()["server"].is_null(), "{run}");
    }
    // The same command with permission: started, compared as a whole, and the launch is still named.
    let run = sandbox.run(&["check", "--json", "--allow-launch-change", "--", "./server", "other.json"]).expect(1);
    assert!(sandbox.exists("started"));
    let found = classes(&run);
    assert!(found.contains(&pair("launch/command", "server-identity")), "{run}");
    assert!(found.contains(&pair("tools/alpha", "tool-added")), "{run}");
}

#[test]
fn a_launch_that_was_edited_in_the_lock_is_not_started() {
    let edits: [fn(&mut Value); 5] = [
        |server| server["args"] = json!(["other.json"]),
        |server| server["command"] = json!("./other"),
        |server| server["args"] = json!(["s.json", "other.json"]),
        |server| server["url"] = json!("http://127.0.0.1:9/mcp"),
        |server| server["command_digest"] = json!(format!("sha256:{}", "0".repeat(64))),
    ];
    for edit in edits {
        let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
        std::os::unix::fs::symlink(sandbox.path("server"), sandbox.path("other")).unwrap();
        telltale(&sandbox, "other.json");
        telltale(&sandbox, "s.json");
        sandbox.edit_lock(|lock| edit(&mut lock["server"]));
        let before = sandbox.read("warden.lock");
        for options in [&[][..], &["--allow-launch-change"]] {
            let run = sandbox.run(&[&["check", "--json"], options].concat()).expect(1);
            assert_eq!(run.document()["verdict"], "inconsistent", "{run}");
            assert!(classes(&run).contains(&pair("launch/command", "lock-inconsistent")), "{run}");
        }
        let run = sandbox.run(&["pin"]).expect(2);
        assert!(run.stderr.contains("does not reproduce its own digest"), "{run}");
        sandbox.run(&["pin", "--force"]).expect(2);
        assert!(!sandbox.exists("started"), "{run}");
        assert_eq!(sandbox.read("warden.lock"), before);
    }
}

#[test]
fn a_trusted_command_is_started_beside_an_edited_one_but_never_clean() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.edit_lock(|lock| lock["server"]["args"] = json!(["other.json"]));
    let run = sandbox.run(&["check", "--json", "--", "./server", "s.json"]).expect(1);
    assert_eq!(run.document()["verdict"], "inconsistent", "{run}");
    assert_eq!(classes(&run), [pair("launch/command", "lock-inconsistent")]);
    assert!(!run.document()["server"].is_null(), "{run}");
}

#[cfg(feature = "http")]
#[test]
fn a_lock_of_a_url_that_does_not_answer_is_still_known_to_be_wrong() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let url = "http://127.0.0.1:9/mcp";
    let digest = Launch::Url(url.to_owned()).digest().unwrap();
    sandbox.edit_lock(|lock| {
        let server = json!({"command": "", "args": [], "url": url, "command_digest": digest.to_string()});
        lock["server"] = server;
    });
    // Nobody listens there, and the rest of the lock is another server's.
    let run = sandbox.run(&["check", "--json"]).expect(1);
    assert_eq!(run.document()["failure"]["code"], "E-CONNECT", "{run}");
    assert_eq!(classes(&run), [pair("lock/overall_digest", "lock-inconsistent")]);
}

#[test]
fn a_command_beside_a_url_is_named() {
    let launch = Launch::Url("http://127.0.0.1:9/mcp".to_owned());
    let pinned = build(&Surface::default(), &launch, &BuildOptions::default()).unwrap();
    let pin = NewPin {
        created_at: "2026-01-02T03:04:05Z",
        warden_version: "0.1.0",
        mcp_protocol_version: "2025-11-25",
        approver: None,
        actor: None,
        environment: None,
        warden: WardenPin::default(),
        previous: None,
    };
    let sandbox = Sandbox::new();
    sandbox.write("warden.lock", render(&pinned, &[], &pin));
    sandbox.run(&["show", "--verify"]).expect(0);
    // It would be shown, and nothing commits to it.
    for (member, value) in [("command", json!("./server")), ("args", json!(["s.json"]))] {
        sandbox.write("warden.lock", render(&pinned, &[], &pin));
        sandbox.edit_lock(|lock| lock["server"][member] = value);
        let run = sandbox.run(&["show", "--json", "--verify"]).expect(1);
        assert_eq!(classes(&run), [pair("launch/command", "lock-inconsistent")]);
    }
}

#[test]
fn an_approval_needs_a_name_before_anything_starts() {
    let sandbox = Sandbox::new();
    telltale(&sandbox, "s.json");
    for approver in [None, Some(""), Some("  ")] {
        let mut command = sandbox.command(&["pin", "--approve", "--", "./server", "s.json"]);
        if let Some(approver) = approver {
            command.env("WARDEN_APPROVER", approver);
        }
        let run = Run::of(&mut command).expect(2);
        assert!(run.stderr.contains("WARDEN_APPROVER") && run.stderr.contains("--approver"), "{run}");
    }
    assert!(!sandbox.exists("started") && !sandbox.exists("warden.lock"));
}

#[test]
fn an_approval_names_who_and_binds_the_digest() {
    for (env, args, who) in [
        (Some("env@example.com"), &["--approve"][..], Some("env@example.com")),
        (Some("env@example.com"), &["--approve", "--approver", "ann@example.com"], Some("ann@example.com")),
        // Being known does not mean to approve.
        (Some("env@example.com"), &[], None),
    ] {
        let sandbox = Sandbox::new();
        sandbox.script(&fixture("notes.json"));
        let mut command = sandbox.command(&[&["pin"], args, &["--", "./server", "s.json"]].concat());
        command.envs(env.map(|who| ("WARDEN_APPROVER", who)));
        Run::of(&mut command).expect(0);
        let lock = sandbox.lock();
        let pin = &lock["pin"];
        assert_eq!(pin["approved"], who.is_some());
        assert_eq!(pin["approver"], json!(who));
        let attestations = pin["attestations"].as_array().unwrap();
        assert_eq!(attestations.len(), usize::from(who.is_some()));
        if who.is_some() {
            assert_eq!(pin["approved_digest"], lock["overall_digest"]);
            assert_eq!(pin["approved_at"], pin["created_at"]);
            let attestation = &attestations[0];
            assert_eq!((&attestation["actor"], &attestation["role"]), (&json!(who), &json!("approver")));
            assert_eq!(attestation["bound_digest"], lock["overall_digest"]);
        }
        let status = if who.is_some() { 0 } else { 1 };
        sandbox.run(&["check", "--require-approval"]).expect(status);
    }
}

#[test]
fn an_approved_lock_is_not_replaced_unless_asked_to() {
    let sandbox = approve(&fixture("notes.json"));
    let before = Untouched::of(&sandbox);
    sandbox.script(&fixture("notes-changed.json"));
    let run = sandbox.run(&["pin", "--json"]).expect(2);
    before.assert(&sandbox);
    // What would change is shown, and how to go on.
    assert!(classes(&run).contains(&pair("tools/run_hook", "tool-added")), "{run}");
    let command = |purpose: &str| next_command(&run, purpose);
    assert_eq!(command("approve the change"), "warden pin --approve --approver you@example.com");
    assert_eq!(command("drop the approval"), "warden pin --force");
    // Forced: the approval is gone, not carried over.
    sandbox.run(&["pin", "--force"]).expect(0);
    let lock = sandbox.lock();
    assert_eq!(lock["pin"]["approved"], false);
    for member in ["approver", "approved_at", "approved_digest"] {
        assert!(lock["pin"][member].is_null());
    }
    sandbox.run(&["check"]).expect(0);
}

fn next_command(run: &Run, purpose: &str) -> String {
    let document = run.document();
    let steps = document["next"].as_array().expect("steps");
    let step = steps.iter().find(|step| step["purpose"] == purpose).unwrap_or_else(|| panic!("no {purpose}\n{run}"));
    step["command"].as_str().expect("a command").to_owned()
}

/// A lock's bytes and its time stamp, which is set long into the past.
struct Untouched(String, SystemTime);

impl Untouched {
    fn of(sandbox: &Sandbox) -> Self {
        let file = std::fs::File::options().write(true).open(sandbox.path("warden.lock")).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)).unwrap();
        let modified = sandbox.path("warden.lock").metadata().unwrap().modified().unwrap();
        Self(sandbox.read("warden.lock"), modified)
    }

    fn assert(&self, sandbox: &Sandbox) {
        assert_eq!(self.0, sandbox.read("warden.lock"));
        assert_eq!(self.1, sandbox.path("warden.lock").metadata().unwrap().modified().unwrap());
        assert_eq!(sandbox.temporary_files(), [""; 0]);
    }
}

#[test]
fn a_lock_that_says_the_same_is_left_as_it_is() {
    for sandbox in [Sandbox::pinned(&fixture("notes.json"), &[]), approve(&fixture("notes.json"))] {
        let before = Untouched::of(&sandbox);
        for args in [&["pin"][..], &["pin", "--", "./server", "s.json"]] {
            sandbox.run(args).expect(0);
            before.assert(&sandbox);
        }
        sandbox.run(&["check"]).expect(0);
        sandbox.run(&["show", "--verify"]).expect(0);
        before.assert(&sandbox);
    }
    // One that contradicts itself does not say the same, whatever its digest.
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.edit_lock(|lock| lock["tools"][0]["capabilities"] = json!(["shell-exec"]));
    sandbox.run(&["pin"]).expect(0);
    sandbox.run(&["check"]).expect(0);
}

#[test]
fn members_of_others_in_the_pin_block_are_kept() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let theirs = json!({"nested": [1, 2.0, {"deep": null}], "text": "\u{202e}"});
    sandbox.edit_lock(|lock| {
        lock["pin"]["x_theirs"] = theirs.clone();
        lock["pin"]["a_theirs"] = json!("first");
    });
    sandbox.script(&fixture("notes-changed.json"));
    for args in [&["pin"][..], &["pin", "--force"], &["pin", "--approve", "--approver", "ann"]] {
        sandbox.run(args).expect(0);
        let pin = &sandbox.lock()["pin"];
        assert_eq!(pin["x_theirs"], theirs);
        // In their old order, behind our own.
        let names: Vec<&String> = pin.as_object().unwrap().keys().collect();
        assert_eq!(names[names.len() - 2..], ["x_theirs", "a_theirs"]);
    }
    sandbox.run(&["check"]).expect(0);
}

#[test]
fn links_and_other_things_are_not_written_through() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    std::fs::rename(sandbox.path("warden.lock"), sandbox.path("real.lock")).unwrap();
    std::os::unix::fs::symlink("real.lock", sandbox.path("warden.lock")).unwrap();
    telltale(&sandbox, "s.json");
    let before = sandbox.read("real.lock");
    for args in [&["pin"][..], &["pin", "--force"], &["pin", "--force", "--", "./server", "s.json"]] {
        let run = sandbox.run(args).expect(2);
        assert!(run.stderr.contains("symbolic link"), "{run}");
    }
    assert!(!sandbox.exists("started"));
    assert_eq!(sandbox.read("real.lock"), before);
    // A dangling link would create its target.
    std::os::unix::fs::symlink("new.lock", sandbox.path("dangling.lock")).unwrap();
    sandbox.run(&["pin", "--lock", "dangling.lock", "--", "./server", "s.json"]).expect(2);
    assert!(!sandbox.exists("new.lock") && !sandbox.exists("started"));
    // A pipe would never end.
    let made = std::process::Command::new("mkfifo").arg(sandbox.path("pipe.lock")).status();
    assert!(made.expect("mkfifo").success());
    for args in [&["check", "--lock", "pipe.lock"][..], &["show", "pipe.lock"], &["pin", "--lock", "pipe.lock", "x"]] {
        let run = sandbox.run(args).expect(2);
        assert!(run.stderr.contains("not a regular file"), "{run}");
    }
}

#[test]
fn a_file_that_is_no_lock_is_only_replaced_by_force() {
    for content in ["", "{}", "my notes\n", "{\"schema_version\": 4}"] {
        let sandbox = Sandbox::new();
        telltale(&sandbox, "s.json");
        sandbox.write("warden.lock", content);
        let run = sandbox.run(&["pin", "--", "./server", "s.json"]).expect(2);
        assert!(run.stderr.contains("--force") && !sandbox.exists("started"), "{run}");
        assert_eq!(sandbox.read("warden.lock"), content);
        sandbox.run(&["pin", "--force", "--", "./server", "s.json"]).expect(0);
        sandbox.run(&["check"]).expect(0);
    }
}

#[test]
fn permissions_of_a_lock_survive_its_replacement() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let mode = |sandbox: &Sandbox| sandbox.path("warden.lock").metadata().unwrap().permissions().mode() & 0o777;
    // A fresh one is an ordinary file: what `touch` would make.
    sandbox.write("ordinary", "");
    assert_eq!(mode(&sandbox), sandbox.path("ordinary").metadata().unwrap().permissions().mode() & 0o777);
    for wanted in [0o600, 0o640, 0o444] {
        std::fs::set_permissions(sandbox.path("warden.lock"), std::fs::Permissions::from_mode(wanted)).unwrap();
        sandbox.script(&serving(json!([{"name": format!("t{wanted}")}])));
        sandbox.run(&["pin"]).expect(0);
        assert_eq!(mode(&sandbox), wanted);
    }
}

#[test]
fn advice_can_be_followed_to_the_letter() {
    // As somebody would who copies the command into a shell, with warden on the path.
    let follow = |sandbox: &Sandbox, command: &str| {
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_warden"));
        let mut shell = std::process::Command::new("/bin/bash");
        shell.args(["-c", command]).current_dir(sandbox.path("")).env_clear().env("PATH", program.parent().unwrap());
        Run::of(&mut shell)
    };
    let launch = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    for words in [launch(&["./server", "s.json"]), launch(&["./server", "s.json", "it's", "$(id)", "\u{202e}\n", ""])] {
        let sandbox = Sandbox::new();
        sandbox.script(&fixture("notes.json"));
        let with = |options: &[&str]| {
            let options = options.iter().map(|option| (*option).to_owned());
            options.chain(["--".to_owned()]).chain(words.clone()).collect::<Vec<_>>()
        };
        let run = sandbox.run(&with(&["pin", "--json", "--lock", "a b.lock"])).expect(0);
        follow(&sandbox, &next_command(&run, "read it")).expect(0);
        follow(&sandbox, &next_command(&run, "check in CI")).expect(0);
        // The one that asks somebody at a terminal.
        follow(&sandbox, &format!("{} --yes", next_command(&run, "approve it"))).expect(0);
        sandbox.script(&fixture("notes-changed.json"));
        let run = sandbox.run(&with(&["check", "--json", "--lock", "a b.lock"])).expect(1);
        follow(&sandbox, &next_command(&run, "see the pinned entries")).expect(0);
        follow(&sandbox, &next_command(&run, "accept all of it")).expect(0);
        sandbox.run(&["check", "--lock", "a b.lock", "--require-approval"]).expect(0);
    }
}
