//! Signals. A listener belongs to a whole process, so the tests start this test binary once more: [`program`] is its
//! main function then.

use crate::support::scripted::{Scene, is_gone, is_soon_gone};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use warden::capture::{Environment, interrupt};

/// What the program does once it has its surface.
const THEN: &str = "WARDEN_TEST_THEN";
const SCRIPT: &str = "WARDEN_TEST_SCRIPT";
const MARK: &str = "WARDEN_TEST_MARK";

#[test]
#[ignore = "not a test: the program that the other tests start"]
fn program() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let returns = variable(THEN) == "return";
    interrupt::listen(move |signal| {
        if !returns {
            std::process::exit(128 + signal)
        }
    })
    .expect("a listener");
    let scene = Scene::new(json!({})).environment(|_| Environment::new(std::env::vars_os()));
    let server = crate::support::scripted::program();
    let outcome = scene.run_command(&[server.to_str().expect("UTF-8"), &variable(SCRIPT)]);
    let mark = |text: &str| std::fs::write(variable(MARK), text).expect("a mark");
    match outcome {
        Ok(capture) => {
            match variable(THEN).as_str() {
                "close" => {
                    mark("captured");
                    capture.closing.finish();
                    // A signal meanwhile must have ended the program.
                    std::process::exit(0);
                }
                "write" => {
                    capture.closing.finish();
                    let hold = interrupt::hold();
                    mark("begun");
                    std::thread::sleep(Duration::from_millis(700));
                    mark("whole");
                    drop(hold);
                }
                _ => {
                    capture.closing.finish();
                    mark("captured");
                }
            }
            std::thread::sleep(Duration::from_secs(60));
            std::process::exit(0);
        }
        Err(error) if returns => {
            assert_eq!(error.to_string(), "tools/list page 1: interrupted by signal 15");
            std::process::exit(7);
        }
        Err(error) => panic!("{error}"),
    }
}

/// Starts [`program`] over a script.
fn begin(scene: &Scene, then: &str) -> Child {
    let argv = scene.argv();
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "capture::interrupt::program", "--ignored", "--nocapture"])
        .env(SCRIPT, &argv[1])
        .env(MARK, scene.path("mark"))
        .env(THEN, then)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("this program")
}

fn end(mut child: Child, signal: Signal) -> Option<i32> {
    kill_process(Pid::from_child(&child), signal).expect("a living program");
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        if let Some(status) = child.try_wait().expect("a status") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("a living program");
    panic!("it did not end");
}

fn wait_for(path: &Path, text: &str) {
    let until = Instant::now() + Duration::from_secs(20);
    while std::fs::read_to_string(path).unwrap_or_default() != text {
        assert!(Instant::now() < until, "no {text} in {}", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_signal_ends_the_server_and_then_the_program() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let hang = json!({"methods": {"tools/list": [{"hang": true}]}});
        let scene = Scene::new(hang).file("pid_file").file("record");
        let program = begin(&scene, "");
        let server = scene.pid("pid_file");
        assert_eq!(end(program, signal), Some(status));
        assert!(is_gone(server));
    }
}

#[test]
fn not_even_a_stubborn_server_with_a_child_stays() {
    let script = json!({"startup_delay_ms": 60000, "ignore_sigterm": true, "ignore_eof": true});
    let scene = Scene::new(script).file("pid_file").file("fork_child");
    let program = begin(&scene, "");
    let (server, child) = (scene.pid("pid_file"), scene.pid("fork_child"));
    assert_eq!(end(program, Signal::TERM), Some(143));
    assert!(is_gone(server) && is_soon_gone(child));
}

#[test]
fn a_signal_after_the_capture_still_ends_the_program() {
    let scene = Scene::new(json!({})).file("fork_child");
    let program = begin(&scene, "");
    wait_for(Path::new(&scene.path("mark")), "captured");
    // Not merely a zombie: the program adopted and reaped it.
    assert!(!Path::new(&format!("/proc/{}", scene.pid("fork_child"))).exists());
    assert_eq!(end(program, Signal::INT), Some(130));
}

#[test]
fn a_signal_while_the_server_is_ended_ends_the_program() {
    let scene = Scene::new(json!({"ignore_sigterm": true, "ignore_eof": true})).file("pid_file");
    let program = begin(&scene, "close");
    wait_for(Path::new(&scene.path("mark")), "captured");
    assert_eq!(end(program, Signal::TERM), Some(143));
    assert!(is_gone(scene.pid("pid_file")));
}

#[test]
fn a_program_that_does_not_end_gets_an_error() {
    let hang = json!({"methods": {"tools/list": [{"hang": true}]}});
    let scene = Scene::new(hang).file("pid_file").file("record");
    let program = begin(&scene, "return");
    let record = scene.path("record");
    let until = Instant::now() + Duration::from_secs(20);
    while !std::fs::read_to_string(&record).unwrap_or_default().contains("tools/list") {
        assert!(Instant::now() < until, "it asked for no list");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(end(program, Signal::TERM), Some(7));
    assert!(is_gone(scene.pid("pid_file")));
}

#[test]
fn a_signal_waits_for_a_write() {
    let scene = Scene::new(json!({}));
    let program = begin(&scene, "write");
    let mark = scene.path("mark");
    wait_for(Path::new(&mark), "begun");
    assert_eq!(end(program, Signal::TERM), Some(143));
    assert_eq!(std::fs::read_to_string(mark).expect("a mark"), "whole");
}

// Elsewhere nothing tells, without unsafe code, which signals were ignored.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let scene = Scene::new(json!({})).file("pid_file");
    let argv = scene.argv();
    // As `nohup` does.
    let mut program = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().expect("this program"))
        .args(["--exact", "capture::interrupt::program", "--ignored", "--nocapture"])
        .env(SCRIPT, &argv[1])
        .env(MARK, scene.path("mark"))
        .stdout(Stdio::null())
        .spawn()
        .expect("a shell");
    wait_for(Path::new(&scene.path("mark")), "captured");
    kill_process(Pid::from_child(&program), Signal::HUP).expect("a living program");
    std::thread::sleep(Duration::from_millis(300));
    assert!(program.try_wait().expect("a status").is_none());
    assert_eq!(end(program, Signal::TERM), Some(143));
}
