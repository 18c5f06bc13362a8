//! The checks room from outside: real and made-up surfaces.

mod planted;
mod rules;

use std::collections::BTreeMap;
use warden::checks;
use warden::finding::Finding;
use warden::json::{Object, ParseLimits, Value, parse};
use warden::surface::{Launch, Surface};

fn parsed(text: &[u8]) -> Value {
    parse(text, &ParseLimits { max_bytes: 1 << 28, max_depth: 512, max_values: usize::MAX }).unwrap()
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
            // None of these servers leaks a key or hides text, so every such finding is a false alarm.
            if ["WRD-SEC-", "WRD-TEXT-", "WRD-LOOK-"].iter().any(|family| finding.rule_id.starts_with(family)) {
                wrong.push((name.clone(), finding));
            }
        }
    }
    // Shown by `cargo test -- --nocapture`.
    println!("findings on real surfaces: {counts:#?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_rule_document_is_generated_from_the_catalogue() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/RULES.md");
    let want = warden::finding::rules_markdown();
    if std::env::var_os("WARDEN_UPDATE_DOCS").is_some() {
        std::fs::write(path, &want).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    assert!(found == want, "docs/RULES.md is stale: run the tests once with WARDEN_UPDATE_DOCS=1");
}

/// Every file of the program's own code.
fn source_files(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_id_that_the_code_names_is_in_the_catalogue() {
    let mut files = Vec::new();
    source_files(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut named = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (at, _) in text.match_indices("\"WRD-") {
            let id = text[at + 1..].split('"').next().unwrap();
            // Beginnings of ids are put together elsewhere, and tests name what does not exist.
            if id.ends_with('-') || id.contains(['{', '…']) || id == "WRD-NOTHING" {
                continue;
            }
            named += 1;
            assert!(warden::finding::rule(id).is_some(), "{id} in {}", file.display());
        }
    }
    assert!(named > 100);
}

#[test]
fn a_big_surface_is_looked_at_in_one_go() {
    let tool = |i: usize| -> Value {
        parsed(
            format!(
                r##"{{"name":"get_item_{i}","description":"Reads item {i} of the list.","title":"Item {i}",
                "inputSchema":{{"type":"object","properties":{{"path":{{"type":"string"}},"a.b":{{}},"url_{i}":{{"$ref":"#/$defs/u"}}}},
                "required":["path","other"],"$defs":{{"u":{{"anyOf":[{{"type":"string"}},{{"type":"null"}}]}}}}}}}}"##
            )
            .as_bytes(),
        )
    };
    let surface = Surface::from_entries((0..10_000).map(tool).collect(), vec![], vec![]).unwrap();
    let findings = checks::run(&surface, &quiet_launch());
    assert!(findings.len() >= 30_000);
    assert!(findings.is_sorted_by_key(|finding| (finding.target.clone(), finding.rule_id, finding.snippet.clone())));
}

/// Texts that once made, or could make, a scan go over the same ground again and again. Nothing is timed: a scan that
/// is not linear does not end.
#[test]
fn hostile_texts_cost_no_more_than_their_length() {
    const SIZE: usize = 50_000;
    for unit in [
        "SG.",
        "dp.st.",
        "://",
        "a://b:c@",
        "eyJaaaaaaaaaa.",
        "xoxb-aaaaaaaaaa-",
        "key:",
        "key=",
        "--",
        "\u{200d}",
        "👩\u{200d}",
        "\u{e0061}",
        "\u{fe0f}",
        "e\u{301}",
        "а",
        "0x",
        "-",
        "/",
        "=",
        "$ref",
        "https://hooks.slack.com/services/",
        "\"",
        "a ",
        "k3Vq9ZtB7xLw2NfR8mYcJ4hGdP6sTa1E ",
        "sk-",
        "\\",
    ] {
        let text = unit.repeat(SIZE / unit.len());
        let tool: Object = [("name", format!("x{text}")), ("description", text.clone())].into_iter().collect();
        let surface = Surface::from_entries(vec![tool.into()], vec![], vec![]).unwrap();
        let launch = Launch::Stdio { command: "npx".into(), args: vec![text.clone(), format!("curl {text}")] };
        let findings = checks::run(&surface, &launch);
        assert!(findings.iter().all(|finding| finding.message.len() + finding.snippet.len() < 4000), "{unit}");
        checks::redact_argv(&launch.words());
    }
    let words = vec!["--"; SIZE];
    let launch = Launch::Stdio { command: "npx".into(), args: words.iter().map(|word| (*word).to_owned()).collect() };
    checks::run(&Surface::default(), &launch);
    // Many small faults under a long name: the name is repeated in each target, so there must be few.
    let members: Vec<String> = (0..20_000).map(|i| format!("\"p\u{200b}{i}\":{{}}")).collect();
    let text = format!(r#"{{"name":"{}","inputSchema":{{"properties":{{{}}}}}}}"#, "n".repeat(SIZE), members.join(","));
    let surface = Surface::from_entries(vec![parsed(text.as_bytes())], vec![], vec![]).unwrap();
    assert!(checks::run(&surface, &quiet_launch()).len() < 100);
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    /// Texts made of what the checks look for, and of anything.
    fn texts() -> impl Strategy<Value = String> {
        let telling = prop::sample::select(vec![
            "key",
            "token=",
            "://",
            "user:pw@",
            "sk-",
            "ghp_",
            "eyJ",
            ".",
            "-",
            "=",
            "a1B2c3D4e5F6g7H8",
            "\u{200d}",
            "\u{202e}",
            "\u{e0041}",
            "\u{fe0f}",
            "👩",
            "а",
            "\n",
            "\"",
            "'",
            "\\",
            "[]",
            "$root",
            "#/$defs/a",
            "npx",
            "|",
            "curl",
            " ",
            "é",
            "\0",
        ]);
        prop::collection::vec(prop_oneof![4 => telling.prop_map(str::to_owned), 1 => any::<String>()], 0..12)
            .prop_map(|parts| parts.concat())
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-9i64..9).prop_map(Value::from),
            texts().prop_map(Value::from)
        ];
        let names = prop_oneof![
            texts(),
            prop::sample::select(vec![
                "properties",
                "items",
                "$ref",
                "$defs",
                "anyOf",
                "required",
                "enum",
                "default",
                "const",
                "title",
                "",
                "$root",
                "a",
            ])
            .prop_map(str::to_owned)
        ];
        leaf.prop_recursive(5, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((names.clone(), inner), 0..5)
                    .prop_map(|members| Value::from(members.into_iter().collect::<Object>()))
            ]
        })
    }

    proptest! {
        #[test]
        fn nothing_panics_and_what_is_shown_is_plain(
            name in texts(), description in texts(), schema in values(), meta in values(), words in prop::collection::vec(texts(), 0..6),
        ) {
            let mut tool = Object::new();
            tool.insert("name", name);
            tool.insert("description", description.clone());
            tool.insert("inputSchema", schema);
            tool.insert("_meta", meta.clone());
            let prompt: Object = [("name", description)].into_iter().collect();
            let mut surface = Surface::from_entries(vec![tool.into()], vec![], vec![prompt.into()]).unwrap();
            surface.about.resource_templates = vec![meta];
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let command = words.first().copied().unwrap_or_default().to_owned();
            let args = words.iter().skip(1).map(|word| (*word).to_owned()).collect();
            let findings = checks::run(&surface, &Launch::Stdio { command, args });
            for finding in &findings {
                for text in [&finding.message, &finding.snippet] {
                    prop_assert!(!text.chars().any(warden::text::is_hidden), "{finding:?}");
                }
            }
            let keys: Vec<_> = findings.iter().map(|f| (&f.target, f.rule_id, &f.snippet)).collect();
            prop_assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
            checks::not_covered(&surface);
            let redacted = checks::redact_argv(&words);
            prop_assert_eq!(redacted.len(), words.len());
            prop_assert_eq!(checks::argv_holds_secret(&words), redacted != words);
        }
    }
}
