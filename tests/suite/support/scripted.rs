//! The scripted server of `examples/`, started for real.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use warden::capture::{Capture, CaptureError, Deadline, Environment, Settings, Spec, start};
use warden::surface::Launch;

/// Path of the program; built on demand, because `cargo test --test suite` alone builds no examples, and would go on
/// with one that is older than its source.
pub fn program() -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_warden")).with_file_name("examples").join("scripted_server");
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scripted_server.rs");
        let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
        if modified(&path).is_none_or(|built| Some(built) < modified(&source)) {
            let status = Command::new(env!("CARGO"))
                .args(["build", "--quiet", "--example", "scripted_server"])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .status();
            assert!(status.is_ok_and(|status| status.success()), "cargo build --example scripted_server");
        }
    });
    path
}

/// Writes a script that can be started. Another process does it: were it this one, a child that a test in another thread
/// starts meanwhile would hold the file open for writing, and "text file busy" would be the answer to starting it.
#[cfg(unix)]
pub fn write_program(path: &Path, content: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf '%s' \"$2\" >\"$1\" && chmod +x \"$1\"", "sh"]).arg(path).arg(content);
    assert!(shell.status().expect("sh").success(), "{}", path.display());
}

/// A folder with a script in it, and what it takes to capture from a server that plays it.
pub struct Scene {
    folder: TempDir,
    script: Value,
    pub environment: Environment,
    pub settings: Settings,
}

impl Scene {
    pub fn new(script: Value) -> Self {
        Self {
            folder: TempDir::new().expect("a folder"),
            script,
            environment: Environment::new(std::env::vars_os()),
            settings: Settings::new(Deadline::after(Duration::from_secs(60))),
        }
    }

    /// A path in the folder, as a text for the script.
    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Adds a member to the script: the path of a file in the folder.
    pub fn file(mut self, member: &str) -> Self {
        self.script[member] = self.path(member).into();
        self
    }

    pub fn environment(mut self, change: impl FnOnce(Environment) -> Environment) -> Self {
        self.environment = change(self.environment);
        self
    }

    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// The command line, with the script written.
    pub fn argv(&self) -> Vec<String> {
        let script = self.path("script.json");
        std::fs::write(&script, self.script.to_string()).expect("a script");
        vec![program().to_str().expect("UTF-8").to_owned(), script]
    }

    pub fn run(&self) -> Result<Capture, CaptureError> {
        let argv = self.argv();
        self.run_command(&argv.iter().map(String::as_str).collect::<Vec<_>>())
    }

    pub fn run_command(&self, argv: &[&str]) -> Result<Capture, CaptureError> {
        start(Spec {
            launch: Launch::Stdio {
                command: argv[0].to_owned(),
                args: argv[1..].iter().map(|arg| (*arg).to_owned()).collect(),
            },
            environment: self.environment.clone(),
            settings: self.settings.clone(),
        })
    }

    pub fn failed(&self) -> CaptureError {
        match self.run() {
            Ok(capture) => panic!("captured {:?}", capture.captured),
            Err(error) => error,
        }
    }

    /// The pid that the server, or its child, wrote into a file.
    pub fn pid(&self, file: &str) -> i32 {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let text = std::fs::read_to_string(self.path(file)).unwrap_or_default();
            if let Ok(pid) = text.parse() {
                return pid;
            }
            assert!(Instant::now() < until, "no pid in {file}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Whether a process is gone; one that only waits for its parent to notice counts as gone.
#[cfg(unix)]
pub fn is_gone(pid: i32) -> bool {
    let process = rustix::process::Pid::from_raw(pid).expect("a pid");
    if rustix::process::test_kill_process(process).is_err() {
        return true;
    }
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X']))
}

/// As [`is_gone`], a little later at the latest.
#[cfg(unix)]
pub fn is_soon_gone(pid: i32) -> bool {
    let until = Instant::now() + Duration::from_secs(5);
    while !is_gone(pid) {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}
