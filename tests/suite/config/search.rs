//! Which file is used, and files that cannot be.

use super::{flat, ids, ignore, pinned};
use crate::support::cli::Sandbox;

fn shell() -> String {
    ignore("WRD-CAP-SHELL", "tools/run_hook", "")
}

/// A pinned server whose lock is `project/locks/a.lock`.
fn nested() -> Sandbox {
    let sandbox = pinned("");
    std::fs::remove_file(sandbox.path("warden.toml")).unwrap();
    std::fs::create_dir_all(sandbox.path("project/locks")).unwrap();
    std::fs::rename(sandbox.path("warden.lock"), sandbox.path("project/locks/a.lock")).unwrap();
    sandbox
}

#[track_caller]
fn used(sandbox: &Sandbox, args: &[&str]) -> Option<String> {
    let args = [&["check", "--json", "--lock", "project/locks/a.lock"], args].concat();
    let document = sandbox.run(&args).expect(0).document();
    let path = document["config"]["path"].as_str().map(str::to_owned);
    assert_eq!(ids(&document["accepted"]).len(), usize::from(path.is_some()), "{document}");
    path
}

#[test]
fn the_file_nearest_to_the_lock_is_used_up_to_the_repository() {
    let sandbox = nested();
    assert_eq!(used(&sandbox, &[]), None);
    sandbox.write("warden.toml", shell());
    assert!(used(&sandbox, &[]).unwrap().ends_with("work/warden.toml"));
    std::fs::create_dir(sandbox.path("project/.git")).unwrap();
    assert_eq!(used(&sandbox, &[]), None, "beyond the repository");
    sandbox.write("project/warden.toml", shell());
    assert!(used(&sandbox, &[]).unwrap().ends_with("project/warden.toml"));
    sandbox.write("project/locks/warden.toml", shell());
    assert_eq!(used(&sandbox, &[]).as_deref(), Some("project/locks/warden.toml"));
    assert_eq!(used(&sandbox, &["--no-config"]), None);
    assert_eq!(used(&sandbox, &["--config", "warden.toml"]).as_deref(), Some("warden.toml"));
    // A worktree has a file of that name.
    std::fs::remove_file(sandbox.path("project/locks/warden.toml")).unwrap();
    sandbox.write("project/locks/.git", "gitdir: elsewhere\n");
    assert_eq!(used(&sandbox, &[]), None);
}

#[test]
fn a_named_file_has_to_be_there_and_goes_with_no_other_word() {
    let sandbox = pinned("");
    for command in ["check", "pin", "show"] {
        let run = sandbox.run(&[command, "--config", "missing.toml"]).expect(2);
        assert!(run.stderr.contains("missing.toml could not be read") && !run.stderr.contains("starting"), "{run}");
        sandbox.run(&[command, "--config", "warden.toml", "--no-config"]).expect(2);
    }
}

#[test]
fn commands_that_a_report_suggests_keep_the_choice() {
    let sandbox = pinned("");
    sandbox.script(&crate::support::cli::serving(serde_json::json!([])));
    for (options, words) in
        [(vec!["--config", "warden.toml"], "--config warden.toml"), (vec!["--no-config"], "--no-config")]
    {
        let run = sandbox.run(&[vec!["check"], options].concat()).expect(1);
        assert!(run.stdout.contains(&format!("warden pin {words}")), "{run}");
    }
}

#[test]
fn a_file_that_cannot_be_used_stops_everything_before_anything_starts() {
    let sandbox = pinned("");
    let lock = sandbox.read("warden.lock");
    let expect = |cause: &str| {
        for args in [vec!["check"], vec!["show"], vec!["pin", "--force", "--", "./server", "s.json"]] {
            let run = sandbox.run(&args).expect(2);
            assert!(run.stdout.is_empty() && !run.stderr.contains("starting"), "{run}");
            assert!(run.stderr.contains("warden.toml") && run.stderr.contains(cause), "{cause}\n{run}");
            let machine = [&[args[0], "--json"], &args[1..]].concat();
            assert_eq!(sandbox.run(&machine).expect(2).document()["verdict"], "error");
        }
        assert_eq!(sandbox.read("warden.lock"), lock);
    };
    sandbox.write("warden.toml", "[[ignore]\n");
    expect("line 1, column");
    sandbox.write("warden.toml", shell().replace("reason", "raeson"));
    expect("line 4, column 1: [[ignore]] has no member \"raeson\"");
    expect("did you mean reason?");
    sandbox.write("warden.toml", b"# \xff\n");
    expect("line 1, column 3: this is not UTF-8");
    sandbox.write("warden.toml", format!("# {}\n", "x".repeat(1 << 20)));
    expect("it is larger than 1 MiB");
    std::fs::remove_file(sandbox.path("warden.toml")).unwrap();
    std::fs::create_dir(sandbox.path("warden.toml")).unwrap();
    expect("it is not a regular file");
    std::fs::remove_dir(sandbox.path("warden.toml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", sandbox.path("warden.toml")).unwrap();
    expect("is a link out of its repository");
    std::fs::remove_file(sandbox.path("warden.toml")).unwrap();
    // Not there is not the same as not to be read.
    std::os::unix::fs::symlink("nowhere", sandbox.path("warden.toml")).unwrap();
    expect("there is no such file");
}

#[test]
fn the_demo_belongs_to_nobody_and_captures_need_no_file() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("t")).unwrap();
    sandbox.write("warden.toml", "not a configuration");
    let run = crate::support::cli::Run::of(sandbox.command(&["demo"]).env("TMPDIR", sandbox.path("t"))).expect(0);
    assert!(!run.all().contains("config"), "{run}");
    sandbox.script(&crate::support::cli::serving(serde_json::json!([])));
    sandbox.run(&["capture", "-o", "-", "--", "./server", "s.json"]).expect(0);
}

#[test]
fn a_link_out_of_the_repository_is_no_configuration_of_the_project() {
    let sandbox = pinned("");
    sandbox.make_repository();
    sandbox.write("../outside.toml", shell());
    let link = |target: &str| {
        std::fs::remove_file(sandbox.path("warden.toml")).unwrap();
        std::os::unix::fs::symlink(target, sandbox.path("warden.toml")).unwrap();
    };
    link("../outside.toml");
    for args in [&["check"][..], &["show"], &["check", "--all"], &["doctor"], &["servers"]] {
        let run = sandbox.run(args).expect(2);
        assert!(flat(&run.stderr).contains("warden.toml is a link out of its repository"), "{run}");
        assert!(run.stderr.contains("--config FILE"), "{run}");
    }
    // Whoever names it wants it, and nobody has to have one.
    sandbox.run(&["check", "--config", "warden.toml"]).expect(0);
    sandbox.run(&["check", "--no-config"]).expect(0);
    // Within the repository a link is a file like another.
    sandbox.write("shared.toml", shell());
    link("shared.toml");
    sandbox.run(&["check"]).expect(0);
    std::fs::remove_file(sandbox.path("../outside.toml")).unwrap();
}
