//! LOCKFILE.md, "Protocol era": entries of both eras, what a modern server must say, and changes between eras.

use super::*;
use warden::surface::Era;

pub fn modern() -> Value {
    let mut entry = full();
    entry["protocolVersion"] = "2026-07-28".into();
    entry["supportedVersions"] = json!(["2025-11-25", "2026-07-28"]);
    entry
}

fn refusal(change: impl FnOnce(&mut Value)) -> String {
    let mut entry = modern();
    change(&mut entry);
    pinned(&*empty(Format::Mcp), &entry).expect_err("a refusal").to_string()
}

#[test]
fn era_a_modern_entry_makes_the_file_version_2_and_says_its_era() {
    let text = written(&modern());
    let file = load(&text).expect("a file");
    assert_eq!(file.version(), "mcp.lock 2");
    assert_eq!(file.entries()[0].protocol_version.as_deref(), Some("2026-07-28"));
    assert_eq!(mcp(&*file).era("t"), Some(Era::Modern));
    assert_eq!(mcp(&*file).era("other"), None);
    let stored: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(stored["servers"]["t"]["supportedVersions"], json!(["2025-11-25", "2026-07-28"]));
    let legacy = load(&written(&full())).expect("a file");
    assert_eq!(mcp(&*legacy).era("t"), Some(Era::Legacy));
}

#[test]
fn era_a_discover_result_must_list_the_version_name_the_server_and_be_complete() {
    let refused = refusal(|entry| entry["supportedVersions"] = json!(["2025-11-25"]));
    assert!(refused.contains("does not list \"2026-07-28\""), "{refused}");
    let refused = refusal(|entry| {
        entry.as_object_mut().expect("an object").remove("serverInfo");
    });
    assert!(refused.contains("no serverInfo"), "{refused}");
    let refused = refusal(|entry| entry["resultType"] = json!("task"));
    assert!(refused.contains("\"task\"") && refused.contains("server \"t\""), "{refused}");
    for versions in [json!(null), json!("2026-07-28"), json!([1, "2026-07-28"])] {
        assert!(refusal(|entry| entry["supportedVersions"] = versions).contains("supportedVersions"));
    }
    let mut complete = modern();
    complete["resultType"] = json!("complete");
    assert_eq!(written(&complete), written(&modern()));
}

#[test]
fn era_an_entry_whose_version_is_not_among_those_listed_is_refused() {
    let mut entry = modern();
    entry["supportedVersions"] = json!(["2025-11-25"]);
    let (kind, message) = refused(&file_of(2, entry.clone()));
    assert!(kind == "invalid" && message.contains("supportedVersions"), "{message}");
    for wrong in [json!(null), json!("2026-07-28"), json!([2026]), json!({})] {
        entry["supportedVersions"] = wrong;
        assert_eq!(refused(&file_of(2, entry.clone())).0, "invalid");
    }
}

#[test]
fn era_it_is_part_of_the_entry_and_a_change_is_definitional() {
    let changed = ["+ pinned-era-changed server/era"];
    assert_eq!(told(&*loaded(&file_of(1, full())), &modern(), Options::default()), changed);
    assert_eq!(told(&*loaded(&file_of(2, modern())), &full(), Options::default()), changed);
    // A server of the older era that answers with the newer revision stays of the older era.
    let mut odd = full();
    odd["protocolVersion"] = "2026-07-28".into();
    let file = loaded(&file_of(1, odd));
    assert_eq!(mcp(&*file).era("t"), Some(Era::Legacy));
    assert_eq!(told(&*file, &modern(), Options::default()), changed);
    assert!(file.surface("t").is_none());
}

#[test]
fn era_moving_an_entry_is_told_where_it_is_written() {
    let file = loaded(&file_of(1, full()));
    let moved = pinned(&*file, &modern()).expect("a file");
    assert!(moved.notes[0].contains("legacy") && moved.notes[0].contains("modern"), "{:?}", moved.notes);
    let back = pinned(&*load(&moved.text).expect("a file"), &full()).expect("a file");
    assert!(back.text.starts_with("{\n  \"lockfileVersion\": 1,\n"), "version 2 only where an entry needs it");
    assert!(!back.text.contains("supportedVersions"));
}

#[test]
fn era_a_server_that_lists_the_locked_version_no_more_cannot_be_compared() {
    let mut entry = modern();
    entry["protocolVersion"] = "2027-01-01".into();
    entry["supportedVersions"] = json!(["2027-01-01", "2026-07-28"]);
    let file = loaded(&file_of(2, entry));
    let mut now = modern();
    now["supportedVersions"] = json!(["2026-07-28"]);
    let error = file.compare("t", &surface_of(&now), Options::default()).expect_err("a refusal");
    assert!(error.to_string().contains("no longer lists \"2027-01-01\""), "{error}");
}
