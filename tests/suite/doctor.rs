//! `warden doctor`: what is found in configuration files, with its place and with what mends it.

mod faults;
mod files;
mod locks;
mod output;
mod samples;
mod settings;

use crate::support::cli::Sandbox;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Puts the file of a sample into the working folder; gives its path there.
fn copy_sample(sandbox: &Sandbox, name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/clients").join(name);
    let mut pending = vec![folder.clone()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else if !path.ends_with("expected.jsonl") {
            let inside = path.strip_prefix(&folder).unwrap();
            write(sandbox, inside.to_str().unwrap(), &std::fs::read_to_string(&path).unwrap());
            return inside.to_str().unwrap().to_owned();
        }
    }
    panic!("{name} has no file");
}

/// A file, in folders that are made.
fn write(sandbox: &Sandbox, name: &str, text: &str) -> PathBuf {
    let path = sandbox.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

/// The document of a run with findings or without.
fn document(sandbox: &Sandbox, args: &[&str]) -> Value {
    sandbox.run(&[&["doctor", "--json"], args].concat()).document()
}

/// One finding in a line: `3 notes CONF-SHELL`.
fn row(finding: &Value) -> String {
    let text = |member: &str| finding[member].as_str().unwrap().to_owned();
    let target = text("target");
    let name = target.strip_prefix("servers/").unwrap_or(&target);
    format!("{} {name} {}", finding["place"]["line"], text("rule_id").trim_start_matches("WRD-"))
}

/// The findings of files, in the order of their places, and the servers of which a lock is missing.
#[track_caller]
fn findings(sandbox: &Sandbox, args: &[&str]) -> (Vec<String>, Vec<String>) {
    let document = document(sandbox, args);
    let mut all: Vec<Value> = document["findings"].as_array().unwrap().clone();
    all.sort_by_key(|finding| {
        (
            finding["place"]["line"].as_i64(),
            finding["place"]["column"].as_i64().filter(|_| is_missing(finding)),
            row(finding),
        )
    });
    for finding in &all {
        assert!(finding["fix"].as_str().is_some_and(|fix| !fix.is_empty()), "{finding}");
        assert!(finding["place"]["column"].as_i64().unwrap() > 0, "{finding}");
    }
    let (missing, found): (Vec<&Value>, Vec<&Value>) = all.iter().partition(|finding| is_missing(finding));
    let server = |finding: &Value| finding["target"].as_str().unwrap().trim_start_matches("servers/").to_owned();
    (found.into_iter().map(row).collect(), missing.into_iter().map(server).collect())
}

fn is_missing(finding: &Value) -> bool {
    finding["rule_id"] == "WRD-CONF-LOCK-MISSING"
}
