//! The checks room from outside: real and made-up surfaces.

use std::collections::BTreeMap;
use warden::checks;
use warden::finding::Finding;
use warden::json::{Object, ParseLimits, Value, parse};
use warden::surface::{Launch, Surface};

fn parsed(text: &[u8]) -> Value {
    parse(text, &ParseLimits { max_bytes: 1 << 28, max_depth: 512 }).unwrap()
}

/// The surface of a recording: `{"initialize": …, "tools": [page, …], …}`, each page a list result.
fn recorded_surface(recording: &Object) -> Surface {
    let entries = |section: &str| -> Vec<Value> {
        let pages = recording.get(section).and_then(Value::as_array).unwrap_or_default();
        pages.iter().flat_map(|page| page.get(section).and_then(Value::as_array).unwrap_or_default()).cloned().collect()
    };
    let mut surface = Surface::from_entries(entries("tools"), entries("resources"), entries("prompts")).unwrap();
    surface.about.resource_templates = entries("resourceTemplates");
    let said = recording.get("initialize").or_else(|| recording.get("discover")).and_then(Value::as_object);
    surface.about.declaration = said.cloned().unwrap_or_default();
    surface
}

fn quiet_launch() -> Launch {
    Launch::Stdio { command: "acme-server".into(), args: vec![] }
}

/// Every recording of the folder that the environment names.
fn real_surfaces() -> Vec<(String, Surface)> {
    let Some(folder) = std::env::var_os("WARDEN_SURFACES_DIR") else { return Vec::new() };
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let recording = parsed(&std::fs::read(path).unwrap());
            (path.file_name().unwrap().to_string_lossy().into_owned(), recorded_surface(recording.as_object().unwrap()))
        })
        .collect()
}

#[test]
fn real_surfaces_hold_no_secret_and_few_alarms() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong: Vec<(String, Finding)> = Vec::new();
    for (name, surface) in real_surfaces() {
        for finding in checks::run(&surface, &quiet_launch()) {
            *counts.entry(finding.rule_id).or_default() += 1;
            if std::env::var("SHOW").is_ok_and(|show| finding.rule_id.contains(&show)) {
                println!("{name}: {} {} | {} | {}", finding.rule_id, finding.target, finding.message, finding.snippet);
            }
            if finding.rule_id.starts_with("WRD-SEC-") {
                wrong.push((name.clone(), finding));
            }
        }
    }
    println!("{counts:#?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
