//! LOCKFILE.md, "Drift classes": what is definitional, what is informational, and the order in which it is told.

use super::*;

const STRICT: Options = Options { allow_new: false, strict: true };

fn told_after(change: impl FnOnce(&mut Value), options: Options) -> Vec<String> {
    let mut now = full();
    change(&mut now);
    told(&*loaded(&file_of(1, full())), &now, options)
}

#[test]
fn drift_classes_nothing_changed() {
    assert_eq!(told_after(|_| {}, STRICT), [""; 0]);
    // Order of lists and of members, and how a number is spelled, are no change.
    let reordered = |now: &mut Value| {
        now["tools"].as_array_mut().expect("a list").reverse();
        now["tools"][1]["inputSchema"]["properties"]["a"]["minimum"] = json!(1.0);
    };
    assert_eq!(told_after(reordered, STRICT), [""; 0]);
}

#[test]
fn drift_classes_definitional_is_every_definition_of_the_four_kinds() {
    for (list, key) in KINDS {
        let family = if list == "resourceTemplates" { "resource-templates" } else { list };
        let class = if list == "tools" { "tool" } else { "entry" };
        let first = full()[list][0][key].as_str().expect("a key").to_owned();
        let gone = told_after(|now| drop(now[list].as_array_mut().expect("a list").remove(0)), Options::default());
        assert_eq!(gone, [format!("+ pinned-{class}-removed {family}/{first}")]);
        let changed = told_after(
            |now| {
                now[list][0]["title"] = json!("t");
                now[list][0]["_meta"] = json!({"a": 1});
            },
            Options::default(),
        );
        assert_eq!(changed, [format!("+ pinned-{class}-changed {family}/{first} _meta,title")]);
        let added = told_after(
            |now| {
                let mut new = now[list][0].clone();
                new[key] = json!("zz");
                now[list].as_array_mut().expect("a list").push(new);
            },
            Options::default(),
        );
        assert_eq!(added, [format!("+ pinned-{class}-added {family}/zz")]);
    }
}

#[test]
fn drift_classes_instructions_are_definitional() {
    let changed = ["+ pinned-instructions-changed server/instructions"];
    assert_eq!(told_after(|now| now["instructions"] = json!("Use these tools!"), Options::default()), changed);
    assert_eq!(told_after(|now| now["instructions"] = json!(null), Options::default()), changed);
    assert_eq!(told_after(|now| now["instructions"] = json!(""), Options::default()), changed);
    let mut none = full();
    none["instructions"] = json!(null);
    assert_eq!(told(&*loaded(&file_of(1, none)), &full(), Options::default()), changed);
}

#[test]
fn drift_classes_informational_fails_only_where_it_is_asked_for() {
    let change = |now: &mut Value| {
        now["protocolVersion"] = json!("2025-06-18");
        now["serverInfo"]["version"] = json!("1.0.1");
        now["capabilities"]["prompts"] = json!({"listChanged": true});
    };
    let lines = |sign| {
        ["protocolVersion", "serverInfo version", "capabilities prompts"]
            .map(|what| format!("{sign} pinned-about-changed server/{what}"))
    };
    assert_eq!(told_after(change, Options::default()), lines("-"));
    assert_eq!(told_after(change, STRICT), lines("+"));
    let mut now = super::era::modern();
    now["supportedVersions"] = json!(["2026-07-28"]);
    let file = loaded(&file_of(2, super::era::modern()));
    assert_eq!(told(&*file, &now, Options::default()), ["- pinned-about-changed server/supportedVersions"]);
}

#[test]
fn drift_classes_are_told_in_the_order_of_the_format() {
    let change = |now: &mut Value| {
        now["instructions"] = json!("x");
        now["serverInfo"] = json!({"name": "other"});
        now["protocolVersion"] = json!("2025-06-18");
        now["capabilities"] = json!({});
        now["resources"] = json!([]);
        now["prompts"] = json!([{"name": "a"}, {"name": "greet"}]);
        now["tools"] = json!([{"name": "zzz", "inputSchema": {}}, {"name": "aaa", "inputSchema": {}}, {"name": "fetch", "inputSchema": {}}]);
        now["resourceTemplates"][0]["name"] = json!("x");
    };
    assert_eq!(
        told_after(change, Options::default()),
        [
            "- pinned-about-changed server/protocolVersion",
            "- pinned-about-changed server/serverInfo name,version",
            "- pinned-about-changed server/capabilities prompts,tools",
            "+ pinned-instructions-changed server/instructions",
            "+ pinned-tool-removed tools/add",
            "+ pinned-tool-changed tools/fetch annotations,description,inputSchema",
            "+ pinned-tool-added tools/aaa",
            "+ pinned-tool-added tools/zzz",
            "+ pinned-entry-changed prompts/greet arguments",
            "+ pinned-entry-added prompts/a",
            "+ pinned-entry-removed resources/file:///readme.md",
            "+ pinned-entry-changed resource-templates/notes://{id} name",
        ]
    );
}

#[test]
fn drift_every_class_is_a_rule_and_what_is_quoted_is_escaped() {
    let file = loaded(&file_of(1, full()));
    let mut now = full();
    now["serverInfo"]["na\u{1b}me"] = json!("x");
    now["protocolVersion"] = json!("a\u{202e}b");
    now["tools"][0]["name"] = json!("n\n\u{200b}");
    let found = file.compare("t", &surface_of(&now), Options::default()).expect("comparable");
    assert_eq!(found.len(), 4, "{found:?}");
    for difference in &found {
        let rule = warden::finding::drift_rule(difference.class).unwrap_or_else(|| panic!("{}", difference.class));
        assert_eq!(rule.severity, difference.severity);
        assert!(difference.words.chars().all(|c| !warden::text::is_hidden(c)), "{}", difference.words);
    }
    assert!(found.iter().any(|difference| difference.target == "tools/n\n\u{200b}"), "targets are raw");
}

#[test]
fn drift_what_cannot_be_compared_is_an_error_and_never_clean() {
    let file = loaded(&file_of(1, full()));
    let refusal = |name: &str, surface: &Surface| {
        file.compare(name, surface, Options::default()).expect_err("a refusal").to_string()
    };
    assert!(refusal("other", &surface_of(&full())).contains("no server \"other\""));
    assert!(refusal("t", &Surface::default()).contains("handshake"));
    for name in ["serverInfo", "capabilities"] {
        let mut now = full();
        now[name] = json!("x");
        assert!(refusal("t", &surface_of(&now)).contains(&format!("{name} is a string")));
    }
    for templates in [json!(["x"]), json!([{}]), json!([{"uriTemplate": "a"}, {"uriTemplate": "a"}])] {
        let mut now = full();
        now["resourceTemplates"] = templates;
        assert!(refusal("t", &surface_of(&now)).contains("resource template"));
    }
}

#[test]
fn drift_between_two_files() {
    let (before, mut entry) = (loaded(&file_of(1, full())), full());
    entry["tools"][0]["description"] = json!("x");
    entry["serverInfo"]["version"] = json!("2");
    let now = loaded(&file_of(1, entry));
    let found = before.compare_files("t", &*now, Options::default()).expect("two of a kind");
    assert_eq!(
        lines(&found),
        ["- pinned-about-changed server/serverInfo version", "+ pinned-tool-changed tools/add description"]
    );
    assert_eq!(before.compare_files("t", &*before, STRICT), Some(Vec::new()));
    assert_eq!(before.compare_files("other", &*now, STRICT), None);
    assert_eq!(before.compare_files("t", &*empty(Format::Contractpin), STRICT), None);
}
