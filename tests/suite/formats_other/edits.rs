//! Every value and every name of a file, edited one at a time: what comes of it is spelled out here.

use super::{NOW, four, kind, parsed, pinned, stdio, surface};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use warden::formats::{Dialect, Format, LockFile, NewEntry, Options, empty, empty_agentgate, read};

/// JSON pointer of every value of a document, the document itself left out.
fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
    let mut below = |step: String, value: &Value| {
        let at = format!("{at}/{}", step.replace('~', "~0").replace('/', "~1"));
        out.push(at.clone());
        pointers(value, &at, out);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| below(name.clone(), value)),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, value)| below(at.to_string(), value)),
        _ => {}
    }
}

/// Other values of the same kind, as near as can be: the first or the last letter or digit is another one. The word
/// before a digest is left alone here; it has a test of its own.
fn nudged(value: &Value) -> Vec<Value> {
    let is_sign = |c: char| c.is_ascii_alphanumeric();
    match value {
        Value::String(text) => {
            let begin = text.find("sha256:").map_or(0, |at| at + 7);
            let first = text.get(begin..).and_then(|rest| rest.find(is_sign)).map(|at| begin + at);
            [first, text.rfind(is_sign)].into_iter().flatten().map(|at| other_at(text, at)).collect()
        }
        Value::Number(number) => number.as_i64().map(|number| (number + 1).into()).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn other_at(text: &str, at: usize) -> Value {
    let other = match &text[at..=at] {
        "0" => "1",
        digit if digit.chars().all(|c| c.is_ascii_digit()) => "0",
        "a" => "b",
        _ => "a",
    };
    format!("{}{other}{}", &text[..at], &text[at + 1..]).into()
}

/// What comes of a file: refused and how, drift, something that is told, or nothing.
fn outcome(format: Format, text: &str, before: &dyn LockFile) -> String {
    let file = match read(format, text.as_bytes()) {
        Err(error) => {
            let message = error.to_string();
            assert!(message.len() < 600 && !message.contains('\n'), "{message}");
            return kind(&error).to_owned();
        }
        Ok(file) => file,
    };
    let Ok(found) = file.compare("s", &surface(&four()), Options::default()) else { return "not there".to_owned() };
    match () {
        () if found.iter().any(|difference| difference.fails) => "drift".to_owned(),
        () if !found.is_empty() => "told".to_owned(),
        () if file.notes() != before.notes() => "noted".to_owned(),
        () => "unseen".to_owned(),
    }
}

/// A place in words: tools and elements have no names.
fn place(pointer: &str) -> String {
    let names = ["read_file", "ping", "Zeta", "noschema"];
    let steps =
        pointer.split('/').map(|step| if names.contains(&step) || step.parse::<u32>().is_ok() { "*" } else { step });
    steps.collect::<Vec<_>>().join("/").replace("/servers/s", "/S")
}

type Outcomes = BTreeMap<String, BTreeSet<String>>;

/// Outcomes by place, of every value nudged and of every member renamed.
fn outcomes(format: Format, text: &str) -> (Outcomes, Outcomes) {
    let document = parsed(text);
    let before = read(format, text.as_bytes()).expect("a file");
    assert_eq!(outcome(format, text, &*before), "unseen");
    let mut all = Vec::new();
    pointers(&document, "", &mut all);
    let (mut values, mut names) = (Outcomes::new(), Outcomes::new());
    let note = |map: &mut Outcomes, pointer: &str, found: String| {
        map.entry(place(pointer)).or_default().insert(found);
    };
    for pointer in all {
        let value = document.pointer(&pointer).expect("a value");
        for other in nudged(value) {
            let mut edited = document.clone();
            *edited.pointer_mut(&pointer).expect("a value") = other;
            note(&mut values, &pointer, outcome(format, &edited.to_string(), &*before));
        }
        let (parent, name) = pointer.rsplit_once('/').expect("a slash");
        let mut edited = document.clone();
        if let Some(members) = edited.pointer_mut(parent).and_then(Value::as_object_mut) {
            let value = members.shift_remove(name).expect("a member");
            members.insert(format!("{name}x"), value);
            note(&mut names, &pointer, outcome(format, &edited.to_string(), &*before));
        }
    }
    (values, names)
}

fn table(rows: &Outcomes) -> Vec<String> {
    rows.iter()
        .map(|(place, found)| format!("{place} {}", found.iter().map(String::as_str).collect::<Vec<_>>().join("|")))
        .collect()
}

#[test]
fn every_edit_of_a_contractpin_file() {
    let surface = surface(&four());
    let launch = stdio(&["npx", "-y", "acme"]);
    let env = ["TOKEN".to_owned()];
    let new = NewEntry { name: "s", launch: &launch, env: &env, surface: &surface };
    let mut document = parsed(&empty(Format::Contractpin).with(&[new], NOW).expect("a file").text);
    document["servers"]["s"]["cwd"] = "server".into();
    let (values, names) = outcomes(Format::Contractpin, &document.to_string());
    // Not covered: the time, and how the server is started.
    let want = [
        "/S/command/* unseen",
        "/S/cwd unseen",
        "/S/digest corrupt",
        "/S/env/TOKEN unseen",
        "/S/tool_count corrupt",
        "/S/tools/*/digest corrupt",
        "/S/tools/*/fields/annotations told",
        "/S/tools/*/fields/description told",
        "/S/tools/*/fields/inputSchema told",
        "/S/tools/*/fields/name corrupt",
        "/S/transport invalid",
        "/algorithm unknown",
        "/canonicalization unknown",
        "/contractpin unknown",
        "/generated_at invalid|unseen",
    ];
    assert_eq!(table(&values), want);
    let want = [
        "/S not there",
        "/S/command invalid",
        "/S/cwd unseen",
        "/S/digest invalid",
        "/S/env unseen",
        "/S/env/TOKEN unseen",
        "/S/tool_count invalid",
        "/S/tools invalid",
        "/S/tools/* corrupt",
        "/S/tools/*/digest invalid",
        "/S/tools/*/fields unseen",
        "/S/tools/*/fields/annotations told",
        "/S/tools/*/fields/description told",
        "/S/tools/*/fields/inputSchema told",
        "/S/tools/*/fields/name told",
        "/S/transport invalid",
        "/algorithm invalid",
        "/canonicalization invalid",
        "/contractpin invalid",
        "/generated_at invalid",
        "/servers invalid",
    ];
    assert_eq!(table(&names), want);
}

#[test]
fn every_edit_of_a_shipped_agentgate_file() {
    let text = pinned(&*empty(Format::Agentgate), "s", &stdio(&["x"]), &four(), NOW).text;
    let (values, names) = outcomes(Format::Agentgate, &text);
    // Not covered: who wrote it and when, and the version, as version 2 only adds skills.
    let want = [
        "/S/surfaceHash noted",
        "/S/tools/*/descriptionHash drift",
        "/S/tools/*/inputSchemaHash drift",
        "/S/tools/*/name corrupt",
        "/S/tools/*/nameHash corrupt",
        "/generatedAt unseen",
        "/generatedBy unseen",
        "/lockfileVersion unseen",
    ];
    assert_eq!(table(&values), want);
    let want = [
        "/S not there",
        "/S/surfaceHash invalid",
        "/S/tools invalid",
        "/S/tools/*/descriptionHash invalid",
        "/S/tools/*/inputSchemaHash invalid",
        "/S/tools/*/name invalid",
        "/S/tools/*/nameHash invalid",
        "/generatedAt invalid",
        "/generatedBy invalid",
        "/lockfileVersion invalid",
        "/servers invalid",
    ];
    assert_eq!(table(&names), want);
}

#[test]
fn every_edit_of_a_published_agentgate_file() {
    let launch = stdio(&["npx", "a@1.0.0"]);
    let text = pinned(&empty_agentgate(Dialect::Published), "s", &launch, &four(), NOW).text;
    let (values, names) = outcomes(Format::Agentgate, &text);
    // Not covered: who wrote it and when, and where the server comes from, which is compared with its launch alone.
    let want = [
        "/S/source/package unseen",
        "/S/source/type invalid",
        "/S/source/version unseen",
        "/S/toolSurfaceHash corrupt",
        "/S/tools/*/descriptionHash told",
        "/S/tools/*/hash corrupt",
        "/S/tools/*/inputSchemaHash told",
        "/S/tools/*/nameHash corrupt",
        "/S/transport invalid",
        "/agentgateVersion unseen",
        "/generatedAt unseen",
        "/lockfileVersion unknown",
    ];
    assert_eq!(table(&values), want);
    assert!(names.values().all(|found| !found.contains("drift")));
    let unseen: Vec<_> =
        names.iter().filter(|(_, found)| found.contains("unseen")).map(|(place, _)| place.as_str()).collect();
    assert_eq!(unseen, ["/S/source/package", "/S/source/version"]);
}

#[test]
fn a_change_of_a_tool_is_caught_where_the_format_covers_it() {
    let base = json!([{
        "name": "t",
        "title": "T",
        "description": "d",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true},
        "_meta": {"a": 1},
    }]);
    let files: [Box<dyn LockFile>; 3] =
        [empty(Format::Contractpin), empty(Format::Agentgate), Box::new(empty_agentgate(Dialect::Published))];
    let texts = files.map(|file| pinned(&*file, "s", &stdio(&["x"]), &base, NOW).text);
    for (member, caught) in [
        ("name", [true, true, true]),
        ("title", [false, false, false]),
        ("description", [true, true, true]),
        ("inputSchema", [true, true, true]),
        ("outputSchema", [true, false, false]),
        ("annotations", [true, false, false]),
        ("_meta", [false, false, false]),
    ] {
        let mut tools = base.clone();
        tools[0][member] = match &tools[0][member] {
            Value::String(_) => "other".into(),
            _ => json!({"other": false}),
        };
        let found = texts
            .each_ref()
            .map(|text| super::compared(&*super::loaded(text), "s", &tools).iter().any(|difference| difference.fails));
        assert_eq!(found, caught, "{member}");
    }
}
