//! A signal in the middle of `--all`: no server is left, no lock is half-written, nothing is left in a folder.

use crate::support::cli::serving;
use crate::support::project::{Project, tool};
use crate::support::scripted::is_soon_gone;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use warden::lock::wire;

const NAMES: [&str; 8] = ["ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal"];

fn many(face: &str) -> Value {
    let tools: Vec<Value> =
        (0..40).map(|i| json!({"name": format!("{face}{i}"), "inputSchema": {"type": "object"}})).collect();
    serving(json!(tools))
}

fn pids(project: &Project) -> Vec<i32> {
    let read = |name: &&str| std::fs::read_to_string(project.sandbox.path(format!("{name}.pid"))).ok()?.parse().ok();
    NAMES.iter().filter_map(read).collect()
}

/// Every file below a folder, from there.
fn files(folder: &Path) -> Vec<String> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        match path.is_dir() {
            true => open.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path())),
            false => found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned()),
        }
    }
    found
}

#[test]
fn whenever_it_comes_nothing_is_left() {
    let project = Project::of(&NAMES);
    project.pin().expect(0);
    let begin = Instant::now();
    project.pin().expect(0);
    let usual = begin.elapsed();
    let mut cut = 0;
    for round in 0..24_u32 {
        for name in NAMES {
            let mut script = many(&format!("r{round}-"));
            script["pid_file"] = json!(project.sandbox.path(format!("{name}.pid")));
            // Some would stay if nobody ended them.
            script["ignore_eof"] = json!(round % 2 == 0);
            script["ignore_sigterm"] = json!(round % 4 == 0);
            project.play(name, &script);
            let _ = std::fs::remove_file(project.sandbox.path(format!("{name}.pid")));
        }
        let mut command = project.sandbox.command(&["pin", "--all", "--yes", "--jobs", "3"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(usual.mul_f64(f64::from(round) / 16.0));
        let _ = kill_process(Pid::from_child(&child), if round % 3 == 0 { Signal::TERM } else { Signal::INT });
        let status = child.wait().unwrap();
        cut += usize::from(status.code() != Some(0));
        // One that comes before anybody listens ends the program as it ends any other.
        assert!(matches!(status.code(), None | Some(0 | 130 | 143)), "{status:?}");
        for pid in pids(&project) {
            assert!(is_soon_gone(pid), "round {round}: {pid} is left");
        }
        let mut left = files(&project.sandbox.path(".warden"));
        left.sort();
        assert_eq!(left, NAMES.map(|name| format!("{name}/warden.lock")), "round {round}");
        for name in NAMES {
            let lock = wire::read(project.lock(name).as_bytes()).unwrap();
            assert!(lock.inconsistencies().is_empty());
        }
    }
    assert!(cut > 3, "{cut} of 24 runs were cut short: the signals come too late");
}

#[test]
fn a_second_signal_and_hanging_servers_end_too() {
    let mut project = Project::of(&[]);
    for name in NAMES {
        let mut script = tool(name);
        script["pid_file"] = json!(project.sandbox.path(format!("{name}.pid")));
        script["methods"]["initialize"] = json!([{"hang": true}]);
        script["ignore_eof"] = json!(true);
        script["ignore_sigterm"] = json!(true);
        project.add(name, &script);
    }
    let mut command = project.sandbox.command(&["pin", "--all", "--yes", "--jobs", "8"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while pids(&project).len() < NAMES.len() {
        assert!(Instant::now() < until, "not all were started");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for pid in pids(&project) {
        assert!(is_soon_gone(pid), "{pid} is left");
    }
    assert!(!project.sandbox.exists(".warden"));
}
