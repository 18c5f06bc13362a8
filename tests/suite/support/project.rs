//! A project with several scripted servers, in a sandbox.

use super::cli::{Run, Sandbox, serving};
use serde_json::{Map, Value, json};
use std::process::Command;

/// A sandbox whose working folder is a project with a `.mcp.json`.
pub struct Project {
    pub sandbox: Sandbox,
    servers: Map<String, Value>,
}

/// A script with one tool.
pub fn tool(name: &str) -> Value {
    serving(json!([{"name": name, "description": format!("It is {name}."), "inputSchema": {"type": "object"}}]))
}

impl Project {
    /// One with these servers, each with one tool of its name.
    pub fn of(names: &[&str]) -> Self {
        let mut project = Self { sandbox: Sandbox::new(), servers: Map::new() };
        project.sandbox.make_repository();
        for name in names {
            project.add(name, &tool(name));
        }
        project
    }

    /// Adds a server that plays a script of its own, `NAME.json`.
    pub fn add(&mut self, name: &str, script: &Value) {
        self.play(name, script);
        self.configure(name, json!({"command": "./server", "args": [format!("{name}.json")]}));
    }

    /// What a server plays from now on.
    pub fn play(&self, name: &str, script: &Value) {
        self.sandbox.write(&format!("{name}.json"), script.to_string());
    }

    /// Sets an entry of `.mcp.json`, as it stands there.
    pub fn configure(&mut self, name: &str, entry: Value) {
        self.servers.insert(name.to_owned(), entry);
        self.write();
    }

    pub fn remove(&mut self, name: &str) {
        self.servers.remove(name);
        self.write();
    }

    fn write(&self) {
        let text = serde_json::to_string_pretty(&json!({"mcpServers": self.servers})).expect("JSON");
        self.sandbox.write(".mcp.json", text);
    }

    pub fn pin(&self) -> Run {
        self.sandbox.run(&["pin", "--all", "--yes", "--json"])
    }

    pub fn check(&self, options: &[&str]) -> Run {
        self.sandbox.run(&[&["check", "--all", "--json"], options].concat())
    }

    pub fn lock(&self, name: &str) -> String {
        self.sandbox.read(&format!(".warden/{name}/warden.lock"))
    }

    /// git, without any settings but its own.
    pub fn git(&self, args: &[&str]) -> String {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
        let mut command = Command::new("git");
        command.args(identity).args(args).current_dir(self.sandbox.path("")).env_clear().env("PATH", path);
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", self.sandbox.path("../home"));
        let output = command.output().expect("git");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    }
}

/// Name and verdict of each server, in order.
pub fn verdicts(run: &Run) -> Vec<(String, String)> {
    let document = run.document();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let servers = document["servers"].as_array().expect("servers").iter();
    servers.map(|server| (text(&server["name"]), text(&server["verdict"]))).collect()
}

/// The part of a report that is about one server.
pub fn part(run: &Run, name: &str) -> Value {
    let document = run.document();
    let servers = document["servers"].as_array().expect("servers");
    servers.iter().find(|server| server["name"] == name).unwrap_or_else(|| panic!("no {name}\n{run}")).clone()
}

/// Pairs for comparing with [`verdicts`].
pub fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, verdict)| ((*name).to_owned(), (*verdict).to_owned())).collect()
}
