//! A signal in the middle of `warden init`: every file is whole or not there, and the next run does the rest.

use super::{GITHUB, HOOKS, everything, init};
use crate::support::project::Project;
use rustix::process::{Pid, Signal, kill_process};
use std::process::Stdio;
use std::time::{Duration, Instant};
use warden::lock::wire;

#[test]
fn whenever_it_comes_files_are_whole() {
    let names = ["ada", "bob", "cyd"];
    let whole = Project::of(&names);
    let begin = Instant::now();
    init(&whole, &["--forge", "github"]).expect(0);
    let usual = begin.elapsed();
    let mut cut = 0;
    for round in 0..16_u32 {
        let project = Project::of(&names);
        let mut command = project.sandbox.command(&["init", "--yes", "--forge", "github"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program");
        std::thread::sleep(usual.mul_f64(f64::from(round) / 12.0).min(Duration::from_secs(5)));
        let _ = kill_process(Pid::from_child(&child), if round % 2 == 0 { Signal::TERM } else { Signal::INT });
        cut += usize::from(!child.wait().expect("an end").success());
        for (name, text) in everything(&project) {
            assert!(!name.contains(".tmp"), "{name}");
            if ["warden.toml", GITHUB, HOOKS].iter().any(|file| name == format!("/{file}")) {
                assert_eq!(text, whole.sandbox.read(&name[1..]).into_bytes(), "{name}");
            }
            if name.ends_with("warden.lock") {
                assert!(wire::read(&text).is_ok(), "{name}");
            }
        }
        // What is written last is there only if all the rest is.
        assert!(!project.sandbox.exists(GITHUB) || project.sandbox.exists("warden.toml"));
        if project.sandbox.exists("warden.toml") {
            names.iter().for_each(|name| assert!(!project.lock(name).is_empty()));
        }
        init(&project, &["--forge", "github"]).expect(0);
        let names = |project: &Project| everything(project).into_keys().collect::<Vec<_>>();
        assert_eq!(names(&project), names(&whole));
        project.check(&[]).expect(0);
    }
    assert!(cut > 0, "no run was cut short");
}
