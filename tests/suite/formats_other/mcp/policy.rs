//! LOCKFILE.md, "Policy" and "Sandbox": what its owner may write, and what becomes of it when a server is pinned anew.

use super::*;

fn with(policy: Value) -> Value {
    let mut file = file_of(1, full());
    file["servers"]["t"]["policy"] = policy;
    file
}

fn wrong(policy: Value, words: &str) {
    let (kind, message) = refused(&with(policy));
    assert!(kind == "invalid" && message.contains("server \"t\": policy") && message.contains(words), "{message}");
}

#[test]
fn policy_names_locked_tools_or_for_sources_a_wildcard() {
    for policy in [
        json!({}),
        json!({"taint": {}}),
        json!({"taint": {"sources": ["fetch", "resources:*", "prompts:*"], "sinks": ["fetch", "add"]}}),
    ] {
        loaded(&with(policy));
    }
    wrong(json!({"taint": {"sources": ["fetsh"]}}), "\"fetsh\", which is no locked tool");
    wrong(json!({"taint": {"sources": ["tools:*"]}}), "\"tools:*\"");
    wrong(json!({"taint": {"sources": ["greet"]}}), "\"greet\"");
    wrong(json!({"taint": {"sinks": ["fetsh"]}}), "sinks names \"fetsh\"");
    wrong(json!({"taint": {"sinks": ["resources:*"]}}), "\"resources:*\"");
    wrong(json!({"taint": {"sinks": ["prompts:*"]}}), "\"prompts:*\"");
}

#[test]
fn policy_unknown_keys_are_errors_everywhere_in_it() {
    wrong(json!({"tain": {}}), "\"tain\"");
    wrong(json!({"taint": {"source": []}}), "policy.taint has a member \"source\"");
    wrong(json!({"sandbox": {"net": {}}}), "policy.sandbox has a member \"net\"");
    wrong(json!({"sandbox": {"filesystem": {"exec": []}}}), "filesystem has a member \"exec\"");
    wrong(json!({"sandbox": {"network": {"deny": []}}}), "network has a member \"deny\"");
}

#[test]
fn policy_has_its_types() {
    for bad in [json!(null), json!(7), json!("x"), json!([])] {
        wrong(bad.clone(), "not an object");
        wrong(json!({"taint": bad}), "not an object");
        wrong(json!({"sandbox": bad}), "not an object");
        wrong(json!({"sandbox": {"filesystem": bad}}), "not an object");
        wrong(json!({"sandbox": {"network": bad}}), "not an object");
    }
    for bad in [json!(null), json!(7), json!("fetch"), json!({})] {
        wrong(json!({"taint": {"sources": bad}}), "not an array");
        wrong(json!({"taint": {"sinks": bad}}), "not an array");
        wrong(json!({"sandbox": {"filesystem": {"read": bad}}}), "not an array");
        wrong(json!({"sandbox": {"network": {"allow": bad}}}), "not an array");
    }
    wrong(json!({"taint": {"sinks": ["fetch", 7]}}), "not only strings");
    wrong(json!({"sandbox": {"filesystem": {"write": [null]}}}), "not only strings");
}

#[test]
fn sandbox_keys_hold_paths_that_stay_where_they_begin() {
    let lists = |list: &str, path: &str| {
        let mut filesystem = Map::new();
        filesystem.insert(list.to_owned(), json!([path]));
        json!({"sandbox": {"filesystem": filesystem}})
    };
    for list in ["read", "write"] {
        for good in ["/data", "~", "~/notes", "${TMP}", "${TMP}/jobs"] {
            loaded(&with(lists(list, good)));
        }
        for bad in ["", "notes", "~user/x", "${HOME}/x", "/a/../b", "~/..", "/a\u{0}b"] {
            wrong(lists(list, bad), &format!("policy.sandbox.filesystem.{list} holds"));
        }
    }
}

#[test]
fn sandbox_keys_hold_hosts_with_ports() {
    let allow = |address: &str| json!({"sandbox": {"network": {"allow": [address]}}});
    for good in ["api.github.com:443", "*.example.com:443", "10.0.0.5:8080", "[::1]:9000"] {
        loaded(&with(allow(good)));
    }
    loaded(&with(json!({"sandbox": {"network": {"allow": []}}})));
    for bad in ["*:443", "a.*.com:443", "https://a.com:443", "a.com", "a.com:0", "a.com:70000", "[::1]"] {
        wrong(allow(bad), "policy.sandbox.network.allow holds");
    }
}

#[test]
fn sandbox_is_said_not_to_be_applied() {
    let notes = loaded(&with(json!({"sandbox": {}}))).notes();
    assert!(notes.len() == 1 && notes[0].contains("sandbox") && notes[0].contains("not applied"), "{notes:?}");
}

#[test]
fn policy_is_kept_byte_for_byte_when_a_server_is_pinned_anew() {
    let policy = "{ \"taint\":{\"sources\" : [\"fetch\",\"resources:*\", \"\\u0061dd\"],\n\"sinks\":[]}, \"sandbox\": {\"network\":{}}  }";
    let text = with(json!("HERE")).to_string().replace("\"HERE\"", policy);
    let file = load(&text).expect("a file");
    let mut now = full();
    now["instructions"] = json!("x");
    let again = pinned(&*file, &now).expect("a file");
    assert!(again.text.contains(&format!("\"policy\": {policy}\n    }}")), "{}", again.text);
    assert_eq!(again.notes, [""; 0]);
}

#[test]
fn policy_labels_of_vanished_tools_are_dropped_and_told() {
    let policy = json!({"taint": {"sources": ["add", "fetch", "prompts:*"], "sinks": ["add"]}});
    let file = loaded(&with(policy));
    let mut now = full();
    now["tools"].as_array_mut().expect("a list").remove(0);
    let again = pinned(&*file, &now).expect("a file");
    let stored: Value = serde_json::from_str(&again.text).expect("JSON");
    let left = json!({"taint": {"sources": ["fetch", "prompts:*"], "sinks": []}});
    assert_eq!(stored["servers"]["t"]["policy"], left);
    assert!(again.notes.len() == 1 && again.notes[0].contains("no longer labels \"add\""), "{:?}", again.notes);
    // A tool of another name is not protected by the old label.
    now["tools"][0]["name"] = json!("fetch2");
    let renamed = pinned(&*file, &now).expect("a file");
    let stored: Value = serde_json::from_str(&renamed.text).expect("JSON");
    assert_eq!(stored["servers"]["t"]["policy"]["taint"]["sources"], json!(["prompts:*"]));
    assert_eq!(renamed.notes.len(), 2, "{:?}", renamed.notes);
}
