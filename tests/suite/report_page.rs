//! The captures in README.md and docs/report.md against what the program prints now. `WARDEN_UPDATE_DOCS=1` writes them
//! anew.

use crate::support::cli::{Run, Sandbox};
use crate::support::rich::rich_fixture;
use std::path::{Path, PathBuf};

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Replaces what stands in the code block behind each marker `<!-- capture: KEY -->` by what `capture` gives for the key,
/// and compares with what is there; `same` says whether two captures are one.
fn compare(name: &str, capture: impl Fn(&str) -> String, same: fn(&str, &str) -> bool) {
    let path = document(name);
    let text = std::fs::read_to_string(&path).expect("a document");
    let mut out = String::new();
    let mut keys = 0;
    let mut stale = Vec::new();
    for (i, part) in text.split("<!-- capture: ").enumerate() {
        if i == 0 {
            out.push_str(part);
            continue;
        }
        let (key, rest) = part.split_once(" -->\n```console\n").expect("a code block behind the marker");
        let (old, rest) = rest.split_once("```").expect("the end of the block");
        let new = capture(key);
        keys += 1;
        if !same(old, &new) {
            stale.push(key.to_owned());
        }
        out.push_str(&format!("<!-- capture: {key} -->\n```console\n{new}```{rest}"));
    }
    assert!(keys > 0, "{name} has no captures");
    if std::env::var_os("WARDEN_UPDATE_DOCS").is_some() {
        if !stale.is_empty() {
            std::fs::write(&path, out).expect("the document can be written");
        }
        return;
    }
    assert!(stale.is_empty(), "{name} is stale at {stale:?}: run the tests once with WARDEN_UPDATE_DOCS=1");
}

/// Runs `KEY`, a width and the words of a command (`80 check --entry tools/x`), in a folder with the rich fixture.
fn rich_capture(key: &str) -> String {
    let fixture = rich_fixture();
    let sandbox = Sandbox::new();
    sandbox.write("warden.lock", &fixture.lock);
    sandbox.write("warden.surface.json", &fixture.texts);
    sandbox.write("now.json", &fixture.now);
    let (width, line) = key.split_once(' ').expect("a width");
    let mut words: Vec<&str> = line.split(' ').collect();
    let run = Run::of(sandbox.command(&words).env("COLUMNS", width));
    words.insert(0, "warden");
    format!("$ {}\n{}", words.join(" "), run.stdout)
}

#[test]
fn the_page_about_reports_shows_what_they_look_like() {
    compare("docs/report.md", rich_capture, |old, new| old == new);
}

#[test]
fn the_readme_shows_the_demo_as_it_is() {
    let demo = |_: &str| {
        let run = Sandbox::new().run(&["demo"]).expect(0);
        let program = env!("CARGO_BIN_EXE_warden");
        let text = run.stdout.replace(program, "warden");
        let mut out = String::from("$ warden demo\n");
        for line in text.lines() {
            // How long it took is different each time.
            let words = line.split(' ').collect::<Vec<_>>();
            let is_time = |i: usize| {
                words.get(i + 1).is_some_and(|unit| unit.starts_with('s') && unit.trim_end_matches(')').len() == 1)
            };
            let fixed = words.iter().enumerate().map(|(i, word)| match word.trim_start_matches('(').parse::<f64>() {
                Ok(_) if is_time(i) && word.starts_with('(') => "(0.1".to_owned(),
                Ok(_) if is_time(i) => "0.1".to_owned(),
                // So is the digest where the program has another path.
                _ if word.starts_with("sha256:") => "sha256:5d47a140…e76e".to_owned(),
                _ => (*word).to_owned(),
            });
            out.push_str(&fixed.collect::<Vec<_>>().join(" "));
            out.push('\n');
        }
        out
    };
    // The path of the program is longer or shorter elsewhere, and lines break elsewhere then.
    compare("README.md", demo, |old, new| old.split_whitespace().eq(new.split_whitespace()));
}
