//! The built program in a sandbox: folders of its own for HOME, work and temporary files, and an environment that holds
//! nothing else. A sandbox that goes away without a panic looks whether something was left behind.

use super::scripted::{program, write_program};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The verdicts of machine reports and the status each of them means; errors have a document too.
pub const VERDICTS: [(&str, i32); 23] = [
    ("clean", 0),
    ("pinned", 0),
    ("unchanged", 0),
    ("shown", 0),
    ("approved", 0),
    ("same", 0),
    ("different", 0),
    ("captured", 0),
    ("drift", 1),
    ("inconsistent", 1),
    ("not-approved", 1),
    ("expired", 1),
    ("refused", 2),
    ("error", 2),
    ("not-checked", 3),
    ("not-pinned", 3),
    ("not-captured", 3),
    ("skipped", 0),
    ("not-asked", 0),
    ("not-locked", 1),
    ("not-configured", 1),
    ("findings", 1),
    ("failed", 2),
];

/// A script of `tests/fixtures/servers`.
pub fn fixture(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/servers").join(name);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).expect("a script")
}

/// A script that declares these tools, and nothing else.
pub fn serving(tools: Value) -> Value {
    json!({"methods": {"tools/list": [{"result": {"tools": tools}}]}})
}

/// A place to run the program in. The scripted server is `./server` there.
pub struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub fn new() -> Self {
        let sandbox = Self { folder: TempDir::new().expect("a folder") };
        for name in ["home", "tmp", "work"] {
            std::fs::create_dir(sandbox.folder.path().join(name)).expect("a folder");
        }
        std::os::unix::fs::symlink(program(), sandbox.path("server")).expect("a link");
        sandbox
    }

    /// With a script `s.json`, and the lock that a pin of `./server s.json` writes.
    pub fn pinned(script: &Value, options: &[&str]) -> Self {
        let sandbox = Self::new();
        sandbox.script(script);
        let mut args = vec!["pin"];
        args.extend(options);
        args.extend(["--", "./server", "s.json"]);
        sandbox.run(&args).expect(0);
        sandbox
    }

    /// A path in the working folder.
    pub fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.folder.path().join("work").join(Path::new(name.as_ref()))
    }

    /// Makes the working folder the root of a repository, as far as anybody looks.
    pub fn make_repository(&self) {
        std::fs::create_dir(self.path(".git")).expect("a folder");
    }

    pub fn remove_repository(&self) {
        std::fs::remove_dir_all(self.path(".git")).expect("the folder");
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("a file");
    }

    /// A script that can be started.
    pub fn executable(&self, name: &str, content: &str) {
        write_program(&self.path(name), content);
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    /// What the scripted server plays from now on.
    pub fn script(&self, script: &Value) {
        self.write("s.json", script.to_string());
    }

    pub fn lock(&self) -> Value {
        serde_json::from_str(&self.read("warden.lock")).expect("JSON")
    }

    /// Changes the lock as an editor would.
    pub fn edit_lock(&self, edit: impl FnOnce(&mut Value)) {
        let mut lock = self.lock();
        edit(&mut lock);
        self.write("warden.lock", format!("{}\n", serde_json::to_string_pretty(&lock).expect("JSON")));
    }

    /// Files in the working folder that a test did not name: what an interrupted write may leave.
    pub fn temporary_files(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.path("")).expect("the folder").map(|entry| entry.expect("an entry"));
        names.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| name.starts_with('.')).collect()
    }

    /// The program, ready to be started: no input, and nothing in its environment but what names the sandbox.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warden"));
        command.args(args).current_dir(self.path("")).env_clear().stdin(Stdio::null());
        command.env("HOME", self.folder.path().join("home")).env("TMPDIR", self.folder.path().join("tmp"));
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Run {
        Run::of(&mut self.command(args))
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            for name in ["home", "tmp"] {
                let left = std::fs::read_dir(self.folder.path().join(name)).expect("a folder").count();
                assert_eq!(left, 0, "something was left in {name}");
            }
        }
    }
}

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// The command line, for messages.
    line: String,
}

impl Run {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the program");
        // Whatever is printed is text: an output that is not UTF-8 fails here.
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
            line: format!("{command:?}"),
        }
    }

    /// A run that was watched in another way.
    pub fn from_parts(code: Option<i32>, stdout: String, stderr: String, line: String) -> Self {
        Self { code, stdout, stderr, line }
    }

    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Everything that was printed.
    pub fn all(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// The one document on standard output, checked for what holds of every document.
    #[track_caller]
    pub fn document(&self) -> Value {
        let document: Value =
            serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not one document: {error}\n{self}"));
        assert!(self.stdout.ends_with("}\n") && !self.stdout.ends_with("\n\n"), "{self}");
        assert_eq!(document["report_version"], 1, "{self}");
        assert_eq!(document["exit_code"].as_i64(), self.code.map(i64::from), "{self}");
        let known = VERDICTS.iter().any(|(verdict, code)| document["verdict"] == *verdict && self.code == Some(*code));
        assert!(known, "the verdict does not fit the status\n{self}");
        let schema = super::schema::documents();
        assert!(schema.is_valid(&document), "{self}\n{}", super::schema::faults(schema, &document));
        assert_classes_are_known(&document);
        document
    }
}

/// A class that a report prints is one that `warden explain` knows, and has the rule that stands beside it.
fn assert_classes_are_known(value: &Value) {
    if let (Some(class), Some(rule_id)) = (value["class"].as_str(), value["rule_id"].as_str()) {
        let known = warden::report::rule_of_class(class).map(|rule| rule.id);
        assert_eq!(known, Some(rule_id), "the class {class}");
    }
    match value {
        Value::Array(values) => values.iter().for_each(assert_classes_are_known),
        Value::Object(members) => members.values().for_each(assert_classes_are_known),
        _ => {}
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { code, stdout, stderr, line } = self;
        write!(f, "{line}\n-- exit {code:?}\n-- stdout\n{stdout}\n-- stderr\n{stderr}")
    }
}
