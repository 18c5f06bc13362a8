//! `docs/schema/report.schema.json` is strict: it describes what is written, member by member. That real documents
//! satisfy it is looked at wherever a test reads one ([`crate::support::cli::Run::document`]).

use crate::support::cli::{Sandbox, fixture};
use crate::support::rich::rich_fixture;
use crate::support::schema::{documents, lines};
use jsonschema::Validator;
use serde_json::{Value, json};

/// Objects with names that are data.
const OPEN: [&str; 4] = ["severities", "capabilities", "inspection", "verdicts"];

/// The pointers of every value below this one that the schema has an opinion about.
fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(members) if !OPEN.iter().any(|name| at.ends_with(name)) => {
            for (name, member) in members {
                let pointer = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                pointers(member, &pointer, out);
                out.push(pointer);
            }
        }
        // One of each kind is enough.
        Value::Array(items) => items.iter().take(1).for_each(|item| pointers(item, &format!("{at}/0"), out)),
        _ => {}
    }
}

/// Every member removed, every value of another type, and a member more in each object: none of it is valid.
pub fn assert_strict(validator: &Validator, document: &Value) {
    assert!(validator.is_valid(document));
    let mut all = Vec::new();
    pointers(document, "", &mut all);
    for pointer in &all {
        let (parent, name) = pointer.rsplit_once('/').expect("a member");
        let name = name.replace("~1", "/").replace("~0", "~");
        let edited = |edit: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let mut edited = document.clone();
            edit(edited.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object"));
            edited
        };
        let removed = edited(&|members| drop(members.remove(&name)));
        assert!(!validator.is_valid(&removed), "{pointer} can be removed");
        let retyped = edited(&|members| drop(members.insert(name.clone(), json!(-1.5))));
        assert!(!validator.is_valid(&retyped), "{pointer} can be a number");
        let added = edited(&|members| drop(members.insert("more".to_owned(), json!(1))));
        assert!(!validator.is_valid(&added), "{parent} can have more members");
    }
}

#[test]
fn documents_can_lose_gain_and_change_nothing() {
    let fixture_ = rich_fixture();
    let sandbox = Sandbox::new();
    sandbox.write("warden.lock", &fixture_.lock);
    sandbox.write("warden.surface.json", &fixture_.texts);
    sandbox.write("now.json", &fixture_.now);
    let runs: [&[&str]; 8] = [
        &["check", "--surface", "now.json"],
        &["pin", "--lock", "new.lock", "--surface", "now.json"],
        &["show"],
        &["pin", "--lock", "no.lock", "--", "./server", "missing.json"],
        &["show", "missing.lock"],
        &["diff", "warden.lock", "now.json"],
        &["diff", "warden.lock", "new.lock"],
        &["pin", "--surface", "now.json", "--force", "--tool", "plan_route"],
    ];
    for args in runs {
        assert_strict(documents(), &sandbox.run(&[&["--json"], args].concat()).document());
        let run = sandbox.run(&[&["--format", "jsonl"], args].concat());
        run.stdout.lines().for_each(|line| assert_strict(lines(), &serde_json::from_str(line).expect("JSON")));
    }
    let unstable = Sandbox::new();
    let face = |text: &str| json!({"tools/list": [{"result": {"tools": [{"name": "a", "description": text}]}}]});
    unstable.script(&json!({"starts": {"count": "count", "methods": [face("1"), face("2")]}}));
    let run = unstable.run(&["pin", "--json", "--stability", "2", "--", "./server", "s.json"]).expect(3);
    assert_strict(documents(), &run.document());
    assert!(!run.document()["unstable"].as_array().expect("fields").is_empty());
    // Another version is another schema.
    let mut other = Sandbox::pinned(&fixture("notes.json"), &[]).run(&["show", "--json"]).document();
    other["report_version"] = json!(2);
    assert!(!documents().is_valid(&other));
}

#[test]
fn what_a_configuration_does_is_described_too() {
    let entry = |target: &str, more: &str| {
        format!(
            "[[ignore]]\nrule = \"WRD-UNCOMMITTED-INSTRUCTIONS\"\ntarget = \"{target}\"\nreason = \"read\"\n{more}\n"
        )
    };
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let until = |day: &str| format!("expires = \"{day}\"");
    let entries = [
        entry("server/instructions", &until("9999-12-31")),
        entry("server/a", &until("2020-02-29")),
        entry("server/b", ""),
    ];
    sandbox.write("warden.toml", entries.concat());
    let document = sandbox.run(&["check", "--json"]).expect(1).document();
    for list in ["/accepted", "/config/expired", "/config/unused"] {
        assert_eq!(document.pointer(list).and_then(Value::as_array).map(Vec::len), Some(1), "{list}");
    }
    // A last day is optional, in the one entry that has none.
    assert!(documents().is_valid(&document));
    sandbox.write("warden.toml", &entries[0]);
    assert_strict(documents(), &sandbox.run(&["check", "--json"]).expect(0).document());
}

#[test]
fn every_kind_of_document_is_described_by_one_alternative_only() {
    let demo = Sandbox::new().run(&["demo", "--json"]).expect(0).document();
    assert_strict(documents(), &demo);
    let explained =
        Sandbox::new().run(&["explain", "--json", "WRD-CAP-SHELL", "tool-added", "E-IO"]).expect(0).document();
    assert_strict(documents(), &explained);
}

#[test]
fn the_manual_names_every_member() {
    let schema: Value = serde_json::from_str(include_str!("../../docs/schema/report.schema.json")).expect("JSON");
    let manual = [include_str!("../../docs/json-output.md"), include_str!("../../docs/output-formats.md")].concat();
    let mut pending = vec![&schema];
    while let Some(value) = pending.pop() {
        for (name, member) in value.as_object().into_iter().flatten() {
            pending.push(member);
            let names = member.as_object().filter(|_| name == "properties").into_iter().flatten();
            for (name, _) in names {
                assert!(manual.contains(&format!("`{name}`")), "no word about {name}");
            }
        }
    }
    let verdicts = schema["$defs"]["verdict"]["enum"].as_array().expect("verdicts");
    assert!(verdicts.iter().all(|verdict| manual.contains(&format!("`{}`", verdict.as_str().expect("a text")))));
}
