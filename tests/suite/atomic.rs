//! A lock is the old one or the new one, whole, at any moment and whatever ends the process; and no server outlives it.

use crate::support::cli::{Run, Sandbox, fixture, serving};
use crate::support::scripted::{is_gone, is_soon_gone};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use warden::lock::wire;

/// Tools enough that writing their lock takes a while.
const TOOLS: usize = 60;

fn many(face: &str) -> Value {
    let schema = json!({"type": "object", "properties": {face: {"type": "string"}, "b": {"enum": ["x", "y", face]}}});
    let tools: Vec<Value> = (0..TOOLS).map(|i| json!({"name": format!("t{i}"), "inputSchema": schema})).collect();
    serving(json!(tools))
}

/// Numbers without a pattern that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

fn spawn(sandbox: &Sandbox, args: &[&str]) -> Child {
    let mut command = sandbox.command(args);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program")
}

fn send(child: &Child, signal: Signal) {
    // It may have ended by itself already.
    let _ = kill_process(Pid::from_child(child), signal);
}

#[track_caller]
fn wait(child: &mut Child) -> ExitStatus {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(status) = child.try_wait().expect("a status") {
            return status;
        }
        if Instant::now() > until {
            child.kill().expect("a kill");
            panic!("it did not end");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How long an undisturbed pin takes here and now.
fn usual_time(sandbox: &Sandbox) -> Duration {
    let begin = Instant::now();
    wait(&mut spawn(sandbox, &["pin", "--force"]));
    begin.elapsed()
}

/// Whether the lock is whole, and the same as before.
#[track_caller]
fn assert_whole(sandbox: &Sandbox, before: &str) -> bool {
    let now = sandbox.read("warden.lock");
    let lock = wire::read(now.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((lock.surface.tools.len(), lock.inconsistencies()), (TOOLS, Vec::new()));
    now == before
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_lock() {
    let sandbox = Sandbox::pinned(&many("a"), &[]);
    let mut random = Random(20_261_129);
    let usual = u64::try_from(usual_time(&sandbox).as_micros()).expect("a short time");
    let (mut kept, mut replaced) = (0, 0);
    for i in 0..100 {
        let mut script = many(&format!("face {i}"));
        script["pid_file"] = json!(sandbox.path("pid"));
        sandbox.script(&script);
        let before = sandbox.read("warden.lock");
        let mut child = spawn(&sandbox, &["pin", "--force"]);
        let mut wait_until = |done: &dyn Fn() -> bool| {
            let until = Instant::now() + Duration::from_secs(20);
            while !done() && child.try_wait().expect("a status").is_none() {
                assert!(Instant::now() < until, "no lock was written");
                std::thread::sleep(Duration::from_micros(50));
            }
        };
        match i % 4 {
            // Between the temporary file and its rename is where it would hurt.
            0 => {
                wait_until(&|| !sandbox.temporary_files().is_empty());
                std::thread::sleep(Duration::from_micros(random.below(300)));
            }
            // Right behind the rename.
            1 => wait_until(&|| sandbox.read("warden.lock") != before),
            _ => std::thread::sleep(Duration::from_micros(random.below(usual * 5 / 4))),
        }
        send(&child, Signal::KILL);
        wait(&mut child);
        match assert_whole(&sandbox, &before) {
            true => kept += 1,
            false => replaced += 1,
        }
        // Nothing can be tidied up by a process that was killed, but one file is all there is, and it is in nobody's way.
        let left = sandbox.temporary_files();
        assert!(left.len() <= 1 && left.iter().all(|name| name.ends_with(".tmp")), "{left:?}");
        left.iter().for_each(|name| std::fs::remove_file(sandbox.path(name)).expect("a file"));
        if let Ok(pid) = std::fs::read_to_string(sandbox.path("pid")).unwrap_or_default().parse() {
            assert!(is_soon_gone(pid), "a server stayed");
        }
    }
    assert!(kept > 5 && replaced > 5, "{kept} kept, {replaced} replaced: the moments are ill chosen");
    sandbox.run(&["pin", "--force"]).expect(0);
    sandbox.run(&["check"]).expect(0);
}

#[test]
fn a_signal_at_any_moment_leaves_a_whole_lock_and_nothing_else() {
    let sandbox = Sandbox::pinned(&many("a"), &[]);
    let mut random = Random(1970);
    let usual = u64::try_from(usual_time(&sandbox).as_micros()).expect("a short time");
    for i in 0..40 {
        sandbox.script(&many(&format!("face {i}")));
        let before = sandbox.read("warden.lock");
        let mut child = spawn(&sandbox, &["pin", "--force"]);
        // Before this the program has not even begun, and the signal does what it does to any process.
        std::thread::sleep(Duration::from_micros(random.below(usual * 5 / 4)));
        send(&child, if i % 3 == 0 { Signal::INT } else { Signal::TERM });
        let status = wait(&mut child);
        let unchanged = assert_whole(&sandbox, &before);
        assert_eq!(sandbox.temporary_files(), [""; 0]);
        match status.code() {
            Some(0) => assert!(!unchanged, "it says pinned and did not"),
            code => assert!(matches!(code, None | Some(130 | 143)), "{status}"),
        }
    }
}

#[test]
fn a_signal_during_a_capture_ends_server_and_program() {
    let waits = [
        json!({"startup_delay_ms": 60000}),
        json!({"methods": {"initialize": [{"hang": true}]}}),
        json!({"methods": {"tools/list": [{"hang": true}]}, "ignore_sigterm": true, "ignore_eof": true}),
    ];
    for (script, signal) in waits.into_iter().zip([Signal::INT, Signal::TERM, Signal::HUP]) {
        for command in ["pin", "check"] {
            let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
            let before = sandbox.read("warden.lock");
            let mut script = script.clone();
            for name in ["pid_file", "fork_child"] {
                script[name] = json!(sandbox.path(name));
            }
            sandbox.script(&script);
            let mut child = spawn(&sandbox, &[command]);
            let (server, grandchild) = (pid(&sandbox, "pid_file"), pid(&sandbox, "fork_child"));
            send(&child, signal);
            assert_eq!(wait(&mut child).code(), Some(128 + signal.as_raw()), "{command} {signal:?}");
            assert!(is_gone(server) && is_soon_gone(grandchild), "{command} {signal:?}");
            assert_eq!(sandbox.read("warden.lock"), before);
            assert_eq!(sandbox.temporary_files(), [""; 0]);
        }
    }
}

/// The pid that a server wrote into a file.
fn pid(sandbox: &Sandbox, file: &str) -> i32 {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        if let Ok(pid) = std::fs::read_to_string(sandbox.path(file)).unwrap_or_default().parse() {
            return pid;
        }
        assert!(Instant::now() < until, "no pid in {file}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn no_server_outlives_a_run_that_ends_by_itself() {
    let ends = [
        (json!({}), 1),
        (json!({"ignore_eof": true}), 1),
        (json!({"ignore_eof": true, "ignore_sigterm": true}), 1),
        (json!({"methods": {"initialize": [{"hang": true}]}, "ignore_sigterm": true}), 3),
        (json!({"methods": {"tools/list": [{"raw": "{\"jsonrpc\":"}]}, "ignore_eof": true}), 3),
    ];
    for (mut script, code) in ends {
        let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
        for name in ["pid_file", "fork_child"] {
            script[name] = json!(sandbox.path(name));
        }
        sandbox.script(&script);
        sandbox.run(&["check", "--timeout", "3"]).expect(code);
        assert!(is_gone(pid(&sandbox, "pid_file")) && is_soon_gone(pid(&sandbox, "fork_child")), "{script}");
    }
}

#[test]
fn a_signal_during_the_demo_leaves_no_folder() {
    let mut random = Random(7);
    for i in 0..24 {
        // A sandbox looks for what was left in its folder for temporary files.
        let sandbox = Sandbox::new();
        let mut child = spawn(&sandbox, &["demo"]);
        std::thread::sleep(Duration::from_millis(random.below(60)));
        send(&child, if i % 2 == 0 { Signal::INT } else { Signal::TERM });
        let status = wait(&mut child);
        assert!(matches!(status.code(), None | Some(0 | 130 | 143)), "{status}");
    }
}

/// Runs a pin in a shell that sets limits first.
fn pin_under(sandbox: &Sandbox, limits: &str) -> Run {
    let pin = sandbox.command(&["pin", "--force", "--", "./server", "s.json"]);
    let mut shell = std::process::Command::new("/bin/sh");
    shell.arg("-c").arg(format!("{limits}; exec \"$0\" \"$@\"")).arg(pin.get_program()).args(pin.get_args());
    shell.current_dir(sandbox.path("")).env_clear();
    Run::of(&mut shell)
}

#[test]
fn a_disk_that_is_full_leaves_the_old_lock() {
    // A limit for the size of files, without the signal that usually comes with it, fails a write halfway.
    let sandbox = Sandbox::pinned(&many("a"), &[]);
    sandbox.script(&many("b"));
    let before = sandbox.read("warden.lock");
    let run = pin_under(&sandbox, "trap '' XFSZ; ulimit -f 8").expect(2);
    assert!(run.stderr.contains("warden.lock could not be written"), "{run}");
    assert!(assert_whole(&sandbox, &before));
    assert_eq!(sandbox.temporary_files(), [""; 0]);
    std::fs::remove_file(sandbox.path("warden.lock")).unwrap();
    pin_under(&sandbox, "trap '' XFSZ; ulimit -f 8").expect(2);
    assert!(!sandbox.exists("warden.lock"));
    pin_under(&sandbox, "true").expect(0);
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.script(&fixture("notes-changed.json"));
    // Not even root can write here.
    if cfg!(target_os = "linux") {
        let run = sandbox.run(&["pin", "--lock", "/proc/warden.lock", "--", "./server", "s.json"]).expect(2);
        assert!(run.stderr.contains("could not be written") && run.stdout.is_empty(), "{run}");
    }
    if !rustix::process::geteuid().is_root() {
        let set = |mode| {
            let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
            std::fs::set_permissions(sandbox.path(""), permissions).expect("a mode");
        };
        let before = sandbox.read("warden.lock");
        set(0o555);
        let run = sandbox.run(&["pin", "--json"]);
        set(0o755);
        assert_eq!(run.expect(2).document()["verdict"], "error");
        assert_eq!(sandbox.read("warden.lock"), before);
    }
    // Below a file there is no folder.
    let run = sandbox.run(&["pin", "--lock", "s.json/warden.lock", "--", "./server", "s.json"]).expect(2);
    assert!(run.stderr.contains("could not be written"), "{run}");
}
