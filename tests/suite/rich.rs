//! The fixture with every drift class, held against the table of classes.

use crate::support::cli::Sandbox;
use crate::support::rich::{RichFixture, rich_at_level_3, rich_fixture, rich_reordered};
use serde_json::Value;
use std::collections::BTreeSet;
use warden::finding::RULES;

fn sandbox(fixture: &RichFixture) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("warden.lock", &fixture.lock);
    sandbox.write("warden.surface.json", &fixture.texts);
    sandbox.write("now.json", &fixture.now);
    sandbox
}

fn classes(fixture: &RichFixture) -> BTreeSet<String> {
    let document = sandbox(fixture).run(&["check", "--surface", "now.json", "--json"]).expect(1).document();
    let blocks = document["entries"].as_array().expect("blocks");
    let items = blocks.iter().flat_map(|block| block["items"].as_array().expect("items"));
    items.map(|item| item["class"].as_str().expect("a class").to_owned()).collect()
}

#[test]
fn every_class_of_the_table_occurs() {
    let mut found = classes(&rich_fixture());
    assert_eq!(classes(&rich_reordered()), BTreeSet::from(["digest-mismatch-unexplained".to_owned()]));
    found.extend(classes(&rich_reordered()));
    found.extend(classes(&rich_at_level_3()));
    assert!(!found.contains("lock-inconsistent"));
    let all = RULES.iter().filter_map(|rule| rule.id.strip_prefix("WRD-DRIFT-")).map(str::to_lowercase);
    // Those are for lock files of other tools.
    let table: BTreeSet<String> = all.filter(|class| !class.starts_with("pinned-")).collect();
    assert_eq!(found, table);
}

#[test]
fn the_lock_is_what_a_pin_of_its_texts_writes() {
    let fixture = rich_fixture();
    let sandbox = sandbox(&fixture);
    sandbox.write("warden.inspection.json", include_str!("../fixtures/rich/inspection.json"));
    let run = sandbox.run(&["pin", "--surface", "warden.surface.json"]).expect(0);
    assert!(run.stdout.contains("UNCHANGED"), "{run}");
    assert_eq!(sandbox.read("warden.lock"), fixture.lock);
    let lock: Value = serde_json::from_str(&fixture.lock).expect("JSON");
    assert_eq!(lock["pin"]["approved"], true);
}
