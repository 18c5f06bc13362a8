//! agentgate.lock in both forms: a test for each rule, named after its heading.

use super::oracle::{digest, prefixed};
use super::{
    LATER, NOW, compared, digests, entry, four, loaded, parsed, pinned, refused, reversed, stdio, surface, told,
};
use serde_json::{Value, json};
use warden::formats::{Dialect, EntryStart, Format, NewEntry, Options, empty, empty_agentgate};
use warden::surface::Launch;

const FORMAT: Format = Format::Agentgate;

fn shipped(tools: &Value) -> String {
    pinned(&*empty(FORMAT), "s", &stdio(&["npx", "-y", "@acme/server@1.2.3"]), tools, NOW).text
}

fn published(tools: &Value) -> String {
    let launch = stdio(&["npx", "-y", "@acme/server@1.2.3"]);
    pinned(&empty_agentgate(Dialect::Published), "s", &launch, tools, NOW).text
}

fn changed(text: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut document = parsed(text);
    change(&mut document);
    document.to_string()
}

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[test]
fn worked_digests_of_the_shipped_form() {
    // Worked out by hand with two other programs: name, description, inputSchema.
    let want = [
        [
            "noschema",
            "044b6ad2aead5d02a218770fa57fd55405ddeca8827243df0fe18a8fbc18ecb3",
            "07626001cb0b0468059ccaa9075afd2367c01fdd413f93e9b431040f244fe235",
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        ],
        [
            "ping",
            "758d61f26a44448384e5c4468a0dcb7a2abe456067b0f7b505bc28b9411fe931",
            EMPTY,
            "a2c799262a3ce3c19ef5cdd983bf3d12b43ab3c426227091b909dcb7054738c0",
        ],
        [
            "read_file",
            "c9f8123bd2726fc2414267256101446c45647b4754b1bad58feaf205125b4c96",
            "5fef479f4817523d96bd22f710a77ed22bb7fc424dbe64010d31a7e3dda06233",
            "923b083c9bcab2e3d3e07c7d9b4401688ad9f3d5e2c2f0c48fcd43052bdcb71b",
        ],
        [
            "Zeta",
            "f0ac255c776f4378eecea4afa3f73c73415ec7f9b8faee1fa35e21c4e2827441",
            EMPTY,
            "34c978d50fc7712ec282831fc6bddf0cc722506707759062095aa800584d9bbf",
        ],
    ];
    let members = ["name", "nameHash", "descriptionHash", "inputSchemaHash"];
    let want: Value = want
        .iter()
        .map(|values| {
            let tool = members.iter().zip(values).map(|(name, value)| ((*name).to_owned(), Value::from(*value)));
            Value::from(tool.collect::<serde_json::Map<_, _>>())
        })
        .collect();
    let text = shipped(&four());
    assert_eq!(parsed(&text)["servers"]["s"]["tools"], want);
    let surface = "bafa9a9c6911d103cf843f9f1c1845a9b4beeb2e66427dc02b23383a40b5c297";
    assert_eq!(entry(&*loaded(&text), "s").digest, surface);
    // The other order is fine with every reader.
    let by_unit = "124b9e0178a769d92c87126d586a1860fa8c2b754cddede4b2349401c27904d8";
    let other = loaded(&changed(&text, |document| document["servers"]["s"]["surfaceHash"] = by_unit.into()));
    assert_eq!((other.notes(), compared(&*other, "s", &four())), (Vec::new(), Vec::new()));
}

#[test]
fn worked_digests_of_the_published_form() {
    // Worked out by hand with two other programs: hash, nameHash, descriptionHash.
    let text = published(&four());
    let tools = parsed(&text)["servers"]["s"]["tools"].clone();
    for (name, hash, name_hash, description) in [
        (
            "read_file",
            "ec3d9d36dff46ea919f752177ca15373a1eb5f72793f13b2565b5de40872676c",
            "6913ac2ef1d90958887910f5c5df25a3a221b0c4e491b359a9159946f1b993c4",
            "75618fabc8557fc0875c0c489c85e33eb84d82960dae3a210b73e2308ebc63d1",
        ),
        (
            "ping",
            "23d13339fb7939c79df21615c34d3619cd28e06c8b6c6ef89a3fb516c8a33f94",
            "271ba4dc1270c42e5665af239d8910676c6c5e0a6c51d16d6ce6018b66b9a950",
            "12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126",
        ),
        (
            "Zeta",
            "c3c0f66339c6b9ee21e15dc26f91e637e79c209cf81175d29f4715624cf2b5ce",
            "4f30b3a68ef2797b9e5c19101f09910ef28e4bb1fbb38c3860b201c56808a16c",
            "12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126",
        ),
        (
            "noschema",
            "e23b8d7fbfc2ae6f68385913e9f3119f46d88ba97297233b2064d5c99b752e13",
            "ca8497dfa1e3a673beb7d64cd7321d622b3b5a368cfd96af72902a38b634551d",
            "bf80c27defe573804231366295f27b3c8522d2a0192aaab30963932c2994df58",
        ),
    ] {
        let tool = &tools[name];
        assert_eq!(tool["hash"], format!("sha256:{hash}"), "{name}");
        assert_eq!(tool["nameHash"], format!("sha256:{name_hash}"), "{name}");
        assert_eq!(tool["descriptionHash"], format!("sha256:{description}"), "{name}");
    }
    let surface = |tools: &Value| entry(&*loaded(&published(tools)), "s").digest.clone();
    let four_tools = "sha256:055d09d365cf7b839d62b7e4547bb1e8636fb99e792e9b122db88295d107f6b3";
    let none = "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";
    let one = "sha256:a57656d5ec5fdfb6ff402bea7305cb655057f9713e82e5a644ee1ccf7891ca16";
    assert_eq!(surface(&four()), four_tools);
    assert_eq!(surface(&json!([])), none);
    assert_eq!(surface(&json!([four()[0]])), one);
    // Readings that were not taken.
    let bare = "sha256:dcfd8e4347c2242b2bdba4660073b9ced67a0ea0e879d8c090279bbade0dfe49";
    let null = "sha256:d9ebf44ed6e03ec73279c456bc401115110d071fa6ad45c160025241b49053bb";
    let left_out = "sha256:50f729fba0aa51f78cf94c1ca23fd07f217375133d9c20b0764d808d56c61db9";
    assert_ne!(one, bare);
    assert!(tools["ping"]["hash"] != null && tools["ping"]["hash"] != left_out);
    // Both forms agree on schemas but for the prefix.
    for tool in parsed(&shipped(&four()))["servers"]["s"]["tools"].as_array().unwrap() {
        let bare = tool["inputSchemaHash"].as_str().unwrap();
        assert_eq!(tools[tool["name"].as_str().unwrap()]["inputSchemaHash"], format!("sha256:{bare}"));
    }
}

#[test]
fn hashing_rules_every_hash_is_over_the_canonical_form() {
    let tool = json!({"name": "t/\u{e9}", "description": "a\n", "inputSchema": {"b": 1.0, "a": [1e21, -0.0]}});
    let text = published(&json!([tool]));
    let found = parsed(&text)["servers"]["s"]["tools"]["t/\u{e9}"].clone();
    assert_eq!(found["hash"], prefixed(&tool));
    for (member, part) in [("nameHash", "name"), ("descriptionHash", "description"), ("inputSchemaHash", "inputSchema")]
    {
        assert_eq!(found[member], prefixed(&tool[part]));
    }
    let surface = parsed(&text)["servers"]["s"]["toolSurfaceHash"].clone();
    assert_eq!(surface, prefixed(&json!([prefixed(&tool)])));
    assert_eq!(
        parsed(&shipped(&json!([tool])))["servers"]["s"]["tools"][0]["inputSchemaHash"],
        digest(&tool["inputSchema"])
    );
}

#[test]
fn hashing_rules_only_three_members_count() {
    let mut tools = four();
    tools[0]["title"] = "T".into();
    tools[0]["annotations"] = json!({"readOnlyHint": true});
    tools[0]["outputSchema"] = json!({"type": "object"});
    tools[0]["_meta"] = json!({});
    for text in [published(&four()), shipped(&four())] {
        assert_eq!(compared(&*loaded(&text), "s", &tools), []);
    }
    let mut with_empty = four();
    with_empty[1]["description"] = "".into();
    with_empty[3]["inputSchema"] = json!({});
    for text in [published(&four()), shipped(&four())] {
        assert_eq!(compared(&*loaded(&text), "s", &with_empty), [], "absent is empty");
    }
}

#[test]
fn design_goals_the_same_surface_gives_the_same_bytes() {
    let launch = stdio(&["npx", "-y", "@acme/server@1.2.3"]);
    for text in [published(&four()), shipped(&four())] {
        let mut tools = four();
        tools.as_array_mut().unwrap().reverse();
        assert_eq!(pinned(&*loaded(&text), "s", &launch, &tools, LATER).text, text);
        let reordered = reversed(&parsed(&text)).to_string();
        let file = loaded(&reordered);
        assert_eq!(compared(&*file, "s", &four()), []);
        assert_eq!(digests(&*file, "s"), digests(&*loaded(&text), "s"));
        let other = pinned(&*loaded(&text), "t", &launch, &four(), LATER).text;
        let again = pinned(&*loaded(&other), "t", &launch, &four(), NOW).text;
        assert_eq!(again, other);
    }
}

#[test]
fn design_goals_the_published_form_is_sorted() {
    let text = published(&four());
    let names: Vec<String> = parsed(&text).as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["agentgateVersion", "generatedAt", "lockfileVersion", "servers"]);
    assert_eq!(text, serde_json::to_string_pretty(&parsed(&text)).unwrap() + "\n");
    let tools: Vec<String> = parsed(&text)["servers"]["s"]["tools"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(tools, ["Zeta", "noschema", "ping", "read_file"]);
    assert_eq!(parsed(&text)["generatedAt"], NOW);
}

#[test]
fn the_shipped_form_has_the_order_of_its_tool() {
    let file = loaded(&shipped(&four()));
    let text = pinned(&*file, "10", &stdio(&["x"]), &json!([]), NOW).text;
    let text = pinned(&*loaded(&text), "9", &stdio(&["x"]), &json!([]), NOW).text;
    let document: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    let names: Vec<&String> = document.keys().collect();
    assert_eq!(names, ["lockfileVersion", "generatedBy", "generatedAt", "servers"]);
    let servers: Vec<&String> = document["servers"].as_object().unwrap().keys().collect();
    assert_eq!(servers, ["9", "10", "s"]);
    assert_eq!(document["generatedAt"], "2026-08-14T09:31:07.000Z");
    assert_eq!(text, serde_json::to_string_pretty(&document).unwrap() + "\n");
    // Names of tools as a dictionary has them, or by code unit where one is not ASCII.
    let order = |names: &[&str]| {
        let tools: Value = names.iter().map(|name| json!({"name": name})).collect();
        let text = shipped(&tools);
        let tools = parsed(&text)["servers"]["s"]["tools"].clone();
        let names = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    let names = ["Read", "a-b", "aB", "a_b", "ab", "read", "readFile", "read_file"];
    assert_eq!(order(&names), "a_b a-b ab aB read Read read_file readFile");
    assert_eq!(order(&["b", "\u{e9}", "B", "a"]), "B a b \u{e9}");
}

#[test]
fn compatibility_unknown_members_are_ignored_and_survive() {
    let edit = |document: &mut Value| {
        document["x-team"] = json!({"z": [1.5], "a": null});
        document["servers"]["s"]["owner"] = "Ann".into();
        let server = &mut document["servers"]["s"]["tools"];
        let tool = if server.is_array() { &mut server[1] } else { &mut server["ping"] };
        tool["extra"] = true.into();
    };
    for text in [published(&four()), shipped(&four())] {
        let is_shipped = text.contains("generatedBy");
        let file = loaded(&changed(&text, edit));
        assert_eq!(compared(&*file, "s", &four()), []);
        let mut tools = four();
        tools[0]["description"] = "new".into();
        let document = parsed(&pinned(&*file, "s", &stdio(&["node", "x.js"]), &tools, LATER).text);
        assert_eq!(document["x-team"], json!({"z": [1.5], "a": null}));
        assert_eq!(document["servers"]["s"]["owner"], "Ann");
        assert!(!document.to_string().contains("extra"), "the promise is not about tools");
        assert_eq!(file.notes().join(" ").contains("x-team"), is_shipped, "{:?}", file.notes());
        assert_eq!(file.notes().join(" ").contains("owner"), is_shipped);
    }
}

#[test]
fn compatibility_a_newer_version_is_refused() {
    for (text, version) in
        [(published(&four()), 2), (published(&four()), 3), (shipped(&four()), 3), (shipped(&four()), 0)]
    {
        let (kind, message) = refused(FORMAT, &changed(&text, |document| document["lockfileVersion"] = version.into()));
        assert!(kind == "unknown" && message.contains("lockfileVersion"), "{message}");
    }
    for version in [json!("1"), json!(1.0), Value::Null, json!([1])] {
        let text = changed(&shipped(&four()), |document| document["lockfileVersion"] = version);
        assert_eq!(refused(FORMAT, &text).0, "invalid");
    }
    // The shape of a newer version is anything.
    assert_eq!(refused(FORMAT, r#"{"lockfileVersion": 7, "generatedBy": "x", "servers": []}"#).0, "unknown");
}

#[test]
fn skills_are_kept_byte_for_byte_and_are_of_version_2() {
    let skills = "{\n\t\"surfaceHash\":  \"0\", \"files\": {\"b\\u0061\": 1.50,\n \"a\": [ ]}}";
    let text =
        shipped(&four()).replace("\"lockfileVersion\": 1,", &format!("\"skills\": {skills},\n\"lockfileVersion\": 2,"));
    let file = loaded(&text);
    assert!(file.version().contains("agentgate.lock 2") && file.notes().join(" ").contains("skills"));
    assert_eq!(compared(&*file, "s", &four()), []);
    let written = pinned(&*file, "t", &stdio(&["x"]), &four(), LATER).text;
    assert!(written.ends_with(&format!("\"skills\": {skills}\n}}\n")), "{written}");
    assert!(written.starts_with("{\n  \"lockfileVersion\": 2,\n"));
    assert_eq!(pinned(&*loaded(&written), "t", &stdio(&["x"]), &four(), NOW).text, written);
    let (kind, message) = refused(FORMAT, &text.replace("\"lockfileVersion\": 2", "\"lockfileVersion\": 1"));
    assert!(kind == "invalid" && message.contains("skills"));
}

#[test]
fn fields_source_and_transport_come_from_the_launch() {
    let server = |launch: &Launch| {
        let text = pinned(&empty_agentgate(Dialect::Published), "s", launch, &four(), NOW).text;
        parsed(&text)["servers"]["s"].clone()
    };
    let npm = server(&stdio(&["npx", "-y", "@acme/server@1.2.3"]));
    assert_eq!(npm["source"], json!({"type": "npm", "package": "@acme/server", "version": "1.2.3"}));
    assert_eq!(npm["transport"], "stdio");
    assert_eq!(server(&stdio(&["uvx", "mcp-x"]))["source"], json!({"type": "pypi", "package": "mcp-x"}));
    assert_eq!(server(&stdio(&["node", "x.js"]))["source"], json!({"type": "local"}));
    // Nothing of the address is written.
    let remote = server(&Launch::Url("https://ann:hunter2@a.test".to_owned()));
    assert_eq!((&remote["source"], &remote["transport"]), (&json!({"type": "remote"}), &json!("http")));
    let file = loaded(&published(&four()));
    assert_eq!(entry(&*file, "s").start, EntryStart::Unknown);
    assert_eq!(file.start_notes("s", &stdio(&["npx", "@acme/server@1.2.3"])), [""; 0]);
    assert_eq!(file.start_notes("s", &Launch::Url("https://a.test".to_owned())).len(), 2);
    assert_eq!(loaded(&shipped(&four())).start_notes("s", &stdio(&["x"])), [""; 0]);
    // Which of the two remote transports it is cannot be seen in a URL.
    let url = Launch::Url("https://a.test".to_owned());
    let sse = changed(&published(&four()), |document| document["servers"]["s"]["transport"] = "sse".into());
    assert_eq!(parsed(&pinned(&*loaded(&sse), "s", &url, &four(), NOW).text)["servers"]["s"]["transport"], "sse");
}

#[test]
fn fields_the_three_hashes_say_what_drifted() {
    let mut tools = four();
    tools[0]["description"] = "x".into();
    tools[0]["inputSchema"] = json!({});
    tools[1]["inputSchema"] = json!({});
    tools[3]["name"] = "new".into();
    let want = [
        "+ pinned-tool-removed tools/noschema",
        "+ pinned-tool-added tools/new",
        "+ pinned-tool-changed tools/ping inputSchema",
        "+ pinned-tool-changed tools/read_file description,inputSchema",
    ];
    for (old, new) in [(published(&four()), published(&tools)), (shipped(&four()), shipped(&tools))] {
        let file = loaded(&old);
        assert_eq!(told(&compared(&*file, "s", &tools)), want);
        assert_eq!(told(&file.compare_files("s", &*loaded(&new), Options::default()).unwrap()), want);
    }
    let (one, other) = (loaded(&published(&four())), loaded(&shipped(&four())));
    assert_eq!(one.compare_files("s", &*other, Options::default()), None);
}

#[test]
fn a_surface_hash_alone_is_no_drift() {
    let text = changed(&shipped(&four()), |document| document["servers"]["s"]["surfaceHash"] = EMPTY.into());
    let file = loaded(&text);
    assert_eq!(compared(&*file, "s", &four()), []);
    assert!(file.notes().join(" ").contains("surfaceHash"));
    // The published form says how it comes about, so there it has to fit.
    let zero = format!("sha256:{EMPTY}");
    let text = changed(&published(&four()), |document| document["servers"]["s"]["toolSurfaceHash"] = zero.into());
    assert_eq!(refused(FORMAT, &text).0, "corrupt");
}

#[test]
fn two_tools_of_one_name_and_two_forms_in_one_file_are_refused() {
    let text = changed(&shipped(&four()), |document| {
        let tools = document["servers"]["s"]["tools"].as_array_mut().unwrap();
        tools.push(tools[0].clone());
    });
    assert!(refused(FORMAT, &text).1.contains("twice"));
    let text = changed(&shipped(&four()), |document| document["agentgateVersion"] = "1".into());
    assert!(refused(FORMAT, &text).1.contains("mixed"));
    let mut surface = surface(&four());
    surface.tools.push(surface.tools[0].clone());
    for text in [published(&four()), shipped(&four())] {
        assert!(loaded(&text).compare("s", &surface, Options::default()).is_err());
        let launch = stdio(&["x"]);
        let new = NewEntry { name: "t", launch: &launch, env: &[], surface: &surface };
        assert!(loaded(&text).with(&[new], NOW).is_err());
    }
    assert!(loaded(&shipped(&four())).with_dump("s", "x.json", &super::surface(&four()), NOW).is_err());
}

#[test]
fn fingerprints_are_told_only_by_the_published_form() {
    let shared = "ec3d9d36dff46ea919f752177ca15373a1eb5f72793f13b2565b5de40872676c";
    let of = |text: &str| -> Vec<Option<String>> {
        entry(&*loaded(text), "s").items.iter().map(|item| item.fingerprint.clone()).collect()
    };
    assert_eq!(of(&published(&four())), [None, None, None, Some(shared.to_owned())]);
    assert_eq!(of(&shipped(&four())), [None, None, None, None]);
}
