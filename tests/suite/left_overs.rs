//! Daemons: what a server starts and sends away, out of its process group and its session, ends with it. Linux only,
//! where a process can be made the parent of whatever loses its own.

use crate::support::cli::{Sandbox, serving};
use crate::support::scripted::{Scene, program};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use warden::capture::{Environment, interrupt};

/// A script that leaves two daemons, which ignore SIGTERM.
fn haunted(sandbox: &Sandbox, mut script: Value) -> Value {
    for member in ["daemon", "deep_daemon", "pid_file"] {
        let _ = std::fs::remove_file(sandbox.path(member));
        script[member] = json!(sandbox.path(member));
    }
    script
}

fn pid(path: impl AsRef<Path>) -> i32 {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        match std::fs::read_to_string(&path).unwrap_or_default().parse() {
            Ok(pid) => return pid,
            Err(_) => assert!(Instant::now() < until, "no pid in {}", path.as_ref().display()),
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Not there, not even as a zombie: whoever adopted it has to have reaped it.
fn there(pid: i32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

fn send(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).expect("a pid"), signal).expect("a living process");
}

fn code(mut child: Child) -> Option<i32> {
    let until = Instant::now() + Duration::from_secs(30);
    while Instant::now() < until {
        if let Some(status) = child.try_wait().expect("a status") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("a kill");
    panic!("it did not end");
}

fn alpha() -> Value {
    serving(json!([{"name": "alpha"}]))
}

#[test]
fn a_daemon_ends_with_its_server() {
    let sandbox = Sandbox::new();
    sandbox.script(&haunted(&sandbox, alpha()));
    for (args, status) in [
        (&["pin", "--", "./server", "s.json"][..], 0),
        (&["check"], 0),
        (&["check", "--stability", "2"], 0),
        (&["check", "--max-pages", "1"], 3),
    ] {
        if status == 3 {
            let endless = json!({"methods": {"tools/list": [{"result": {"tools": [], "nextCursor": "x"}}]}});
            sandbox.script(&haunted(&sandbox, endless));
        }
        sandbox.run(args).expect(status);
        for name in ["daemon", "deep_daemon"] {
            assert!(!there(pid(sandbox.path(name))), "the {name} of {args:?} is left");
        }
    }
}

#[test]
fn a_daemon_ends_with_a_signal() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let sandbox = Sandbox::pinned(&alpha(), &[]);
        sandbox.script(&haunted(&sandbox, json!({"methods": {"tools/list": [{"hang": true}]}})));
        let child = sandbox.command(&["check"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("warden");
        let daemons = [pid(sandbox.path("daemon")), pid(sandbox.path("deep_daemon"))];
        send(i32::try_from(child.id()).expect("a pid"), signal);
        assert_eq!(code(child), Some(status));
        assert_eq!(daemons.map(there), [false; 2]);
    }
}

#[test]
fn a_daemon_ends_when_its_server_was_killed() {
    let sandbox = Sandbox::pinned(&alpha(), &[]);
    sandbox.script(&haunted(&sandbox, json!({"methods": {"tools/list": [{"hang": true}]}})));
    let child = sandbox.command(&["check"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("warden");
    let daemons = [pid(sandbox.path("daemon")), pid(sandbox.path("deep_daemon"))];
    send(pid(sandbox.path("pid_file")), Signal::KILL);
    assert_eq!(code(child), Some(3));
    assert_eq!(daemons.map(there), [false; 2]);
}

#[test]
fn what_was_there_before_is_not_touched() {
    let sandbox = Sandbox::pinned(&alpha(), &[]);
    let warden = sandbox.command(&[""; 0]).get_program().to_owned();
    // The shell's background job is a child of `warden`, which takes the shell's place.
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "\"$1\" --daemon job </dev/null >/dev/null 2>&1 & exec \"$0\" check"]);
    shell.arg(warden).arg(program()).current_dir(sandbox.path("")).stdout(Stdio::null()).stderr(Stdio::null());
    shell.env_clear().stdin(Stdio::null());
    let shell = shell.spawn().expect("a shell");
    let job = pid(sandbox.path("job"));
    assert_eq!(code(shell), Some(0));
    assert!(there(job));
    send(job, Signal::KILL);
}

const FOLDER: &str = "WARDEN_TEST_FOLDER";

/// Two captures beside each other; the listener belongs to a process, so this one is started by the test below.
#[test]
#[ignore = "not a test: the program that another test starts"]
fn two_at_once() {
    let folder = std::env::var(FOLDER).expect("a folder");
    let folder = Path::new(&folder);
    interrupt::listen(|_| std::process::exit(9)).expect("a listener");
    let capture = |name: &'static str| {
        let scene = Scene::new(json!({})).environment(|_| Environment::new(std::env::vars_os()));
        let script = folder.join(name).to_str().expect("UTF-8").to_owned();
        scene.run_command(&[program().to_str().expect("UTF-8"), &script]).expect("a surface").closing.finish();
    };
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| capture("slow"));
        // It has a server, and daemons, by now.
        pid(folder.join("slow.deep"));
        capture("quick");
        let state = ["slow.pid", "slow.plain", "slow.deep"].map(|name| there(pid(folder.join(name))));
        std::fs::write(folder.join("go"), "").expect("a file");
        slow.join().expect("a capture");
        assert_eq!(state, [true; 3], "of the other server");
    });
    for name in ["slow.pid", "slow.plain", "slow.deep", "quick.pid", "quick.plain", "quick.deep"] {
        assert!(!there(pid(folder.join(name))), "{name} is left");
    }
}

#[test]
fn captures_beside_each_other_end_their_own_only() {
    let folder = tempfile::TempDir::new().expect("a folder");
    for name in ["slow", "quick"] {
        let file = |kind: &str| json!(folder.path().join(format!("{name}.{kind}")));
        let mut script = alpha();
        if name == "slow" {
            script["methods"]["tools/list"][0]["wait_for"] = json!(folder.path().join("go"));
        }
        script["pid_file"] = file("pid");
        script["daemon"] = file("plain");
        script["deep_daemon"] = file("deep");
        std::fs::write(folder.path().join(name), script.to_string()).expect("a script");
    }
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "left_overs::two_at_once", "--ignored", "--nocapture"])
        .env(FOLDER, folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("this program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
