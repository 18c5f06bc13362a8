//! Runs the shell steps of `action.yml` as a runner does: expressions become variables, each step is a bash of its own,
//! and files take outputs and the summary.

use super::cli::{Run, Sandbox};
use super::yaml;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder that no file is written to, and an action in it.
pub struct Action<'s> {
    sandbox: &'s Sandbox,
    /// Where action.yml stands.
    pub folder: PathBuf,
    inputs: BTreeMap<String, String>,
    /// Outputs of steps: `step.name`.
    pub outputs: BTreeMap<String, String>,
    pub variables: BTreeMap<String, String>,
    pub summary: String,
}

impl<'s> Action<'s> {
    /// The action of this repository with these inputs, and the built program as `binary`.
    pub fn new(sandbox: &'s Sandbox, inputs: &[(&str, &str)]) -> Self {
        let mut all = BTreeMap::new();
        for (name, input) in yaml::file("action.yml")["inputs"].as_object().expect("inputs") {
            all.insert(name.clone(), input["default"].as_str().expect("a default that is a text").to_owned());
        }
        all.insert("binary".to_owned(), env!("CARGO_BIN_EXE_warden").to_owned());
        for (name, value) in inputs {
            assert!(all.insert((*name).to_owned(), (*value).to_owned()).is_some(), "no input {name}");
        }
        Self {
            sandbox,
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).to_owned(),
            inputs: all,
            outputs: BTreeMap::new(),
            variables: BTreeMap::new(),
            summary: String::new(),
        }
    }

    /// Installs and checks.
    pub fn run(&mut self) -> Run {
        let installed = self.step("install");
        if installed.code != Some(0) {
            return installed;
        }
        self.step("check")
    }

    /// One step that is a script.
    pub fn step(&mut self, id: &str) -> Run {
        let action = yaml::file("action.yml");
        let steps = action["runs"]["steps"].as_array().expect("steps");
        let step = steps.iter().find(|step| step["id"] == id).unwrap_or_else(|| panic!("no step {id}"));
        assert_eq!(step["shell"], "bash");
        let temporary = self.sandbox.path("_temp");
        std::fs::create_dir_all(&temporary).expect("a folder");
        let files = ["output", "summary", "env"].map(|name| temporary.join(format!("{id}.{name}")));
        for file in &files {
            std::fs::write(file, "").expect("a file");
        }
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().expect("a script")]);
        command.current_dir(self.sandbox.path("")).env_clear().stdin(Stdio::null());
        let home = self.sandbox.path("").with_file_name("home");
        command.env("HOME", home).env("TMPDIR", self.sandbox.path("").with_file_name("tmp"));
        command.env("PATH", std::env::var_os("PATH").expect("PATH")).env("LC_ALL", "C.UTF-8");
        command.env("RUNNER_TEMP", &temporary).env("RUNNER_OS", "Linux").env("RUNNER_ARCH", "X64");
        command.env("GITHUB_ACTION_PATH", &self.folder).env("GITHUB_SERVER_URL", "https://forge.example");
        command.env("GITHUB_OUTPUT", &files[0]).env("GITHUB_STEP_SUMMARY", &files[1]).env("GITHUB_ENV", &files[2]);
        command.envs(&self.variables);
        for (name, value) in step["env"].as_object().expect("variables") {
            command.env(name, self.expand(value.as_str().expect("a text")));
        }
        let run = Run::of(&mut command);
        for line in std::fs::read_to_string(&files[0]).expect("outputs").lines() {
            // Without `=` a runner ends the step with an error.
            let (name, value) = line.split_once('=').unwrap_or_else(|| panic!("no output: {line}\n{run}"));
            self.outputs.insert(format!("{id}.{name}"), value.to_owned());
        }
        self.summary.push_str(&std::fs::read_to_string(&files[1]).expect("a summary"));
        assert_eq!(std::fs::read_to_string(&files[2]).expect("variables"), "", "nothing is set for later steps");
        run
    }

    /// What an expression stands for. Only plain references are known: no functions, no operators.
    fn expand(&self, text: &str) -> String {
        let Some(name) = text.strip_prefix("${{ ").and_then(|rest| rest.strip_suffix(" }}")) else {
            assert!(!text.contains("${{"), "{text}");
            return text.to_owned();
        };
        match name.split('.').collect::<Vec<_>>().as_slice() {
            ["inputs", input] => self.inputs.get(*input).unwrap_or_else(|| panic!("no input {input}")).clone(),
            ["steps", step, "outputs", output] => {
                self.outputs.get(&format!("{step}.{output}")).cloned().unwrap_or_default()
            }
            ["github", "action_repository"] => "owner/warden".to_owned(),
            other => panic!("{other:?}"),
        }
    }

    /// An output of the whole action.
    pub fn output(&self, name: &str) -> String {
        let declared: Value = yaml::file("action.yml")["outputs"][name]["value"].clone();
        self.expand(declared.as_str().unwrap_or_else(|| panic!("no output {name}")))
    }
}

/// What a runner obeys in a log: lines that begin with two colons, spaces before them or not, or hold `##[`, as long as
/// commands are not stopped.
pub fn obeyed(log: &str) -> Vec<&str> {
    let mut stopped: Option<String> = None;
    let mut obeyed = Vec::new();
    for line in log.lines() {
        let text = line.trim_start();
        if let Some(token) = &stopped {
            if text == format!("::{token}::") {
                stopped = None;
            }
        } else if let Some(token) = text.strip_prefix("::stop-commands::") {
            assert!(token.len() >= 16, "a token that can be guessed: {token}");
            stopped = Some(token.to_owned());
        } else if text.starts_with("::") || text.contains("##[") {
            obeyed.push(line);
        }
    }
    assert!(stopped.is_none(), "commands stay off");
    obeyed
}
