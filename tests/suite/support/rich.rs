//! One lock and one surface that differ in every way the format has a class for: for whoever renders reports.
//!
//! The files stand in `tests/fixtures/rich`. By hand: copy `pinned.surface.json` to `warden.surface.json` beside
//! `warden.lock`, and run `warden check --surface now.surface.json` there.

use serde_json::{Value, json};
use warden::json::{ParseLimits, hash, parse};

/// What a check needs. Write `lock` to `warden.lock`, `texts` to `warden.surface.json` or nowhere, `now` to any file,
/// and run `warden check --surface FILE`.
pub struct RichFixture {
    /// The text of the lock.
    pub lock: String,
    /// The surface file that the lock was made of.
    pub texts: String,
    /// The surface file of what is there now.
    pub now: String,
}

/// An approved lock of level 4 with an inspection block, and a surface that has every drift class but two; those
/// exclude others, see [`rich_at_level_3`] and [`rich_reordered`]. The launch differs too.
pub fn rich_fixture() -> RichFixture {
    RichFixture {
        lock: include_str!("../../fixtures/rich/warden.lock").to_owned(),
        texts: include_str!("../../fixtures/rich/pinned.surface.json").to_owned(),
        now: include_str!("../../fixtures/rich/now.surface.json").to_owned(),
    }
}

/// The same server at level 3, unapproved: `schema-version-migrated`.
pub fn rich_at_level_3() -> RichFixture {
    let mut fixture = rich_fixture();
    let mut lock: Value = serde_json::from_str(&fixture.lock).expect("JSON");
    lock["schema_version"] = json!(3);
    for tool in lock["tools"].as_array_mut().expect("tools") {
        let tool = tool.as_object_mut().expect("a tool");
        for member in ["annotations_hash", "output_schema_hash", "output_schema_skeleton", "inspection"] {
            tool.remove(member);
        }
    }
    disapprove(&mut lock);
    rehash(&mut lock);
    fixture.lock = lock.to_string();
    fixture
}

/// A lock whose entries are those of the surface, in another order: `digest-mismatch-unexplained`, and nothing else.
pub fn rich_reordered() -> RichFixture {
    let mut fixture = rich_fixture();
    let mut lock: Value = serde_json::from_str(&fixture.lock).expect("JSON");
    lock["resources"].as_array_mut().expect("resources").reverse();
    for tool in lock["tools"].as_array_mut().expect("tools") {
        tool.as_object_mut().expect("a tool").remove("inspection");
    }
    disapprove(&mut lock);
    rehash(&mut lock);
    fixture.lock = lock.to_string();
    fixture.now = fixture.texts.clone();
    fixture
}

fn disapprove(lock: &mut Value) {
    lock["pin"]["approved"] = json!(false);
    for member in ["approver", "approved_at", "approved_digest"] {
        lock["pin"][member] = Value::Null;
    }
}

/// Makes an edited lock reproduce its digests again (SPEC.md §18).
fn rehash(lock: &mut Value) {
    let mut payload = json!({
        "schema_version": lock["schema_version"],
        "server": {"command_digest": lock["server"]["command_digest"]},
    });
    for section in ["tools", "resources", "prompts"] {
        let entries = lock[section].as_array_mut().expect("entries");
        for entry in entries.iter_mut() {
            entry.as_object_mut().expect("an entry").remove("entry_digest");
            entry["entry_digest"] = digest(entry);
        }
        payload[section] = entries.iter().map(|entry| entry["entry_digest"].clone()).collect();
    }
    lock["overall_digest"] = digest(&payload);
}

fn digest(value: &Value) -> Value {
    let text = value.to_string();
    let limits = ParseLimits { max_bytes: text.len(), max_depth: 512, max_values: usize::MAX };
    hash(&parse(text.as_bytes(), &limits).expect("JSON")).expect("a digest").to_string().into()
}
