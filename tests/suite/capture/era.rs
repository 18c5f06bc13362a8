//! Which era a conversation ends up in, and what a modern one looks like (docs/protocol-eras.md).

use crate::support::replay::{Table, declares, error, result, tools, tools_then};
use std::time::Duration;
use warden::capture::{CaptureError, Captured, Client, Deadline, EraChoice, Stage};
use warden::surface::{Era, Section};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"tester","version":"9"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
const MODERN_FIRST: EraChoice = EraChoice::Auto { first: Era::Modern };

/// An answer to `server/discover` that lists these versions.
fn discovered(versions: &[&str]) -> String {
    result(&format!(
        r#"{{"resultType":"complete","supportedVersions":{versions:?},"capabilities":{{"tools":{{}}}},"ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"m","version":"2"}}}}}}"#
    ))
}

/// The error of a revision that is not spoken; the data as JSON, none where it is empty.
fn unsupported(data: &str) -> String {
    let data = if data.is_empty() { String::new() } else { format!(r#","data":{data}"#) };
    format!(r#"{{"jsonrpc":"2.0","id":$ID,"error":{{"code":-32022,"message":"no"{data}}}}}"#)
}

fn modern_only() -> Table {
    Table::new()
        .on("initialize", &[&unsupported(r#"{"supported":["2026-07-28"],"requested":"2025-11-25"}"#)])
        .on("server/discover", &[&discovered(&["2026-07-28"])])
}

fn choose(table: Table, era: EraChoice) -> Table {
    table.settings(|settings| {
        settings.era = era;
        settings.client = Client::new("tester", "9").expect("a client");
    })
}

/// How the conversation went: the methods that were asked for, up to the first list, and what it came to.
fn run(table: Table, era: EraChoice) -> (Vec<String>, Result<Captured, CaptureError>) {
    let (outcome, sent) = choose(table, era).run();
    let method = |line: &String| {
        let message: serde_json::Value = serde_json::from_str(line).expect("JSON");
        message["method"].as_str().unwrap_or("(an answer)").to_owned()
    };
    (sent.iter().map(method).take_while(|method| method != "tools/list").collect(), outcome)
}

#[track_caller]
fn agreed(table: Table, era: EraChoice, methods: &[&str], version: &str) -> Captured {
    let (asked, outcome) = run(table, era);
    assert_eq!(asked, methods);
    let captured = outcome.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(captured.surface.about.protocol_version, version);
    assert_eq!(captured.surface.tools[0].name(), "alpha");
    captured
}

#[track_caller]
fn refused(table: Table, era: EraChoice, methods: &[&str], code: &str) -> CaptureError {
    let (asked, outcome) = run(table, era);
    assert_eq!(asked, methods);
    let error = outcome.expect_err("no surface");
    assert_eq!((error.code(), error.stage), (code, Stage::Handshake), "{error}");
    error
}

#[test]
fn initialize_comes_first_and_suffices() {
    let both = || Table::new().on("server/discover", &[&discovered(&["2026-07-28"])]);
    for era in [EraChoice::default(), EraChoice::Only(Era::Legacy)] {
        let captured = agreed(both(), era, &["initialize", "notifications/initialized"], "2025-11-25");
        assert!(!captured.raw.is_modern);
    }
    agreed(both(), EraChoice::Only(Era::Modern), &["server/discover"], "2026-07-28");
    agreed(both(), MODERN_FIRST, &["server/discover"], "2026-07-28");
}

#[test]
fn a_server_that_refuses_initialize_as_modern_ones_do_is_discovered() {
    let modern = ["initialize", "server/discover"];
    agreed(modern_only(), EraChoice::default(), &modern, "2026-07-28");
    for refusal in [
        unsupported(""),
        unsupported("7"),
        unsupported(r#"{"supported":[]}"#),
        unsupported(r#"{"supported":["2025-06-18","2026-07-28"]}"#),
        error(-32601),
        error(-32602),
        error(-32020),
        error(-32021),
    ] {
        agreed(modern_only().on("initialize", &[&refusal]), EraChoice::default(), &modern, "2026-07-28");
    }
    // Other errors say nothing about the era.
    for code in [-32603, -32600, -32000, -32002, 0, 401] {
        let table = modern_only().on("initialize", &[&error(code)]);
        refused(table, EraChoice::default(), &["initialize"], "E-SERVER-ERROR");
    }
    // Where neither is of use, the answer to initialize is what the author meant to say.
    for code in [-32601, -32602] {
        let table = Table::new().on("initialize", &[&error(code)]);
        let told = refused(table, EraChoice::default(), &modern, "E-SERVER-ERROR").to_string();
        assert!(told.contains(&format!("answered initialize with error {code}")), "{told}");
    }
    let broken = modern_only().on("server/discover", &[&error(-32603)]);
    let told = refused(broken, EraChoice::default(), &modern, "E-SERVER-ERROR").to_string();
    assert!(told.contains("answered server/discover with error -32603"), "{told}");
}

#[test]
fn the_new_code_in_the_old_handshake_means_another_version() {
    let legacy = |supported: &str| {
        let again = result(r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}"#);
        Table::new().on("initialize", &[&unsupported(&format!(r#"{{"supported":{supported}}}"#)), &again])
    };
    let twice = ["initialize", "initialize", "notifications/initialized"];
    for era in [EraChoice::default(), EraChoice::Only(Era::Legacy)] {
        agreed(legacy(r#"["2024-11-05","2025-06-18","2023-01-01"]"#), era, &twice, "2025-06-18");
    }
    let (_, sent) = legacy(r#"["2024-11-05","2025-06-18"]"#).run();
    assert!(sent[1].contains(r#""protocolVersion":"2025-06-18""#), "{}", sent[1]);
    // A list of both eras is enough for somebody who wants this one.
    agreed(legacy(r#"["2025-06-18","2026-07-28"]"#), EraChoice::Only(Era::Legacy), &twice, "2025-06-18");

    // Once: a server that says so for ever is refused, and so is one that lists what it has just refused.
    let stubborn = Table::new().on("initialize", &[&unsupported(r#"{"supported":["2025-06-18"]}"#)]);
    refused(stubborn, EraChoice::default(), &["initialize", "initialize"], "E-SERVER-ERROR");
    refused(legacy(r#"["2025-11-25"]"#), EraChoice::default(), &["initialize"], "E-SERVER-ERROR");
    let unknown = refused(
        legacy(r#"["2027-01-01","\u001b"]"#),
        MODERN_FIRST,
        &["server/discover", "initialize"],
        "E-PROTOCOL-VERSION",
    );
    assert!(unknown.to_string().contains(r#"protocol version "2027-01-01", "⟨ESC⟩", which"#), "{unknown}");
}

#[test]
fn whatever_else_answers_discover_is_a_legacy_server() {
    let order = ["server/discover", "initialize", "notifications/initialized"];
    let codes = [-32601, -32602, -32603, -32600, -32000, -32001, 0, 1].map(error);
    let odd = [
        result("{}"),
        result("[]"),
        result(r#"{"supportedVersions":"2026-07-28"}"#),
        discovered(&["2025-06-18", "2025-11-25"]),
        unsupported(""),
        unsupported(r#"{"supported":["2025-06-18"]}"#),
    ];
    for answer in codes.iter().chain(&odd) {
        let (asked, outcome) = run(Table::new().on("server/discover", &[answer]), MODERN_FIRST);
        assert_eq!(asked, order, "{answer}");
        assert_eq!(outcome.expect("a surface").surface.about.protocol_version, "2025-11-25");
    }
    // These say that the server is a modern one, so `initialize` would only mislead.
    for code in [-32020, -32021] {
        let table = Table::new().on("server/discover", &[&error(code)]);
        refused(table, MODERN_FIRST, &["server/discover"], "E-SERVER-ERROR");
    }
    let refusing = Table::new().on("server/discover", &[&unsupported(r#"{"supported":["2026-07-28"]}"#)]);
    refused(refusing, MODERN_FIRST, &["server/discover"], "E-SERVER-ERROR");
    let unknown = Table::new().on("server/discover", &[&discovered(&["2027-01-01"])]);
    refused(unknown, MODERN_FIRST, &["server/discover"], "E-PROTOCOL-VERSION");
}

#[test]
fn one_era_alone_is_one_era_alone() {
    let legacy = refused(modern_only(), EraChoice::Only(Era::Legacy), &["initialize"], "E-ERA");
    assert_eq!(
        legacy.to_string(),
        "handshake: the server speaks \"2026-07-28\" only, and no revision of the legacy era"
    );
    let modern = EraChoice::Only(Era::Modern);
    let missing = refused(Table::new(), modern, &["server/discover"], "E-SERVER-ERROR");
    assert!(missing.hint().is_some_and(|hint| hint.contains("--era auto")));
    let old = Table::new().on("server/discover", &[&discovered(&["2025-11-25"])]);
    refused(old, modern, &["server/discover"], "E-ERA");
    let odd = Table::new().on("server/discover", &[&result("{}")]);
    refused(odd, modern, &["server/discover"], "E-NOT-MCP");
}

#[test]
fn a_silent_server_is_asked_in_the_other_era_on_the_same_pipe() {
    let hurried = |table: Table| table.settings(|settings| settings.deadline = Deadline::after(Duration::from_secs(1)));
    // Servers that ignore what they do not know.
    let legacy = hurried(Table::new().on("server/discover", &[""]));
    agreed(legacy, MODERN_FIRST, &["server/discover", "initialize", "notifications/initialized"], "2025-11-25");
    let modern = hurried(modern_only().on("initialize", &[""]));
    agreed(modern, EraChoice::default(), &["initialize", "server/discover"], "2026-07-28");
    // One that starts slowly reads both and answers both; the first answer that is of use decides.
    let answer = declares(&["tools"]).replace("$ID", "1");
    let slow = Table::new().on("initialize", &[""]).on("server/discover", &[&format!("{answer}\n{}", error(-32601))]);
    let captured = agreed(
        hurried(slow),
        EraChoice::default(),
        &["initialize", "server/discover", "notifications/initialized"],
        "2025-11-25",
    );
    assert_eq!(captured.warnings, Vec::<String>::new());
    // Both answers in one batch, in the order that is of less use.
    let batch = format!("[{},{answer}]", error(-32601));
    let batched = Table::new().on("initialize", &[""]).on("server/discover", &[&batch]);
    let methods = ["initialize", "server/discover", "notifications/initialized"];
    agreed(hurried(batched), EraChoice::default(), &methods, "2025-11-25");

    let dumb = hurried(Table::new().on("initialize", &[""]).on("server/discover", &[""]));
    refused(dumb, EraChoice::default(), &["initialize", "server/discover"], "E-TIMEOUT");
}

#[test]
fn every_modern_request_carries_its_envelope() {
    let list = |key: &str| result(&format!(r#"{{"{key}":[],"nextCursor":null}}"#));
    let discover = discovered(&["2026-07-28"]).replace(r#""tools":{}"#, r#""tools":{},"resources":{},"prompts":{}"#);
    let table = Table::new()
        .on("server/discover", &[&discover])
        .on("tools/list", &[&tools_then(&["alpha"], r#""p\"2""#), &tools(&["beta"])])
        .on("resources/list", &[&list("resources")])
        .on("prompts/list", &[&list("prompts")])
        .on("resources/templates/list", &[&list("resourceTemplates")]);
    let (outcome, sent) = choose(table, EraChoice::Only(Era::Modern)).run();
    outcome.expect("a surface");
    let request = |id: i64, method: &str, more: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{META}{more}}}}}"#)
    };
    assert_eq!(
        sent,
        [
            request(1, "server/discover", ""),
            request(2, "tools/list", ""),
            request(3, "tools/list", r#","cursor":"p\"2""#),
            request(4, "resources/list", ""),
            request(5, "prompts/list", ""),
            request(6, "resources/templates/list", ""),
        ]
    );
}

#[test]
fn what_only_modern_results_have_is_no_part_of_the_surface() {
    let page = |entry: &str, more: &str| {
        format!(r#"{{"resultType":"complete","ttlMs":1,"cacheScope":"private","_meta":{{}},"tools":[{entry}]{more}}}"#)
    };
    let first = page(r#"{ "name":"alpha","x":1.0 }"#, r#","nextCursor":"""#);
    let second = page(r#"{"name":"\u0062"}"#, "");
    let table = modern_only().on("tools/list", &[&result(&first), &result(&second)]);
    let captured = agreed(table, EraChoice::default(), &["initialize", "server/discover"], "2026-07-28");
    let raw: Vec<String> =
        captured.surface.tools.iter().map(|tool| serde_json::to_string(tool.raw()).expect("JSON")).collect();
    assert_eq!(raw, [r#"{"name":"alpha","x":1.0}"#, r#"{"name":"b"}"#]);
    let about = &captured.surface.about;
    assert_eq!((about.era(), about.server_name_and_version()), (Some(Era::Modern), (Some("m"), Some("2"))));
    // And yet nothing is lost.
    assert!(captured.raw.is_modern && captured.raw.handshake.contains(r#""supportedVersions":["2026-07-28"]"#));
    assert_eq!(captured.raw.tools, [first, second]);
    let missing = r#"{"code":-32601,"message":"no"}"#.to_owned();
    let errors = ["prompts/list", "resources/list"].map(|method| (method.to_owned(), missing.clone()));
    assert_eq!(captured.raw.errors, errors.into());
}

#[test]
fn the_text_of_a_surface_is_that_of_its_last_listing() {
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let handshake = r#"{ "protocolVersion":"2025-11-25","capabilities":{"resources":{}} ,"n":1e2}"#;
    let templates = r#"{"resourceTemplates":[ ]}"#;
    let captured = Table::new()
        .on("initialize", &[&result(handshake)])
        .on("tools/list", &[&format!("{}\n{changed}", tools_then(&["a"], "\"2\"")), &tools(&["b"]), &tools(&["c"])])
        .on("resources/list", &[&result(r#"{"resources":[]}"#)])
        .on("prompts/list", &[&error(1)])
        .on("resources/templates/list", &[&result(templates)])
        .captured();
    let raw = captured.raw;
    assert_eq!((raw.handshake.as_str(), raw.is_modern), (handshake, false));
    assert_eq!(raw.tools, [r#"{"tools":[{"name":"c"}]}"#]);
    assert_eq!((raw.resources.len(), raw.prompts.len(), raw.resource_templates), (1, 0, vec![templates.to_owned()]));
    assert_eq!(
        raw.errors.into_iter().collect::<Vec<_>>(),
        [("prompts/list".into(), r#"{"code":1,"message":"no"}"#.into())]
    );
}

#[test]
fn an_empty_cursor_is_followed_once_in_the_modern_era() {
    let stuck = modern_only().on("tools/list", &[&tools_then(&["a"], "\"\""), &tools_then(&["b"], "\"\"")]);
    let error = choose(stuck, EraChoice::default()).failed();
    assert_eq!((error.code(), error.stage), ("E-CURSOR", Stage::List { section: Section::Tools, page: 2 }));
    assert!(error.to_string().contains("gave the cursor \"\" a second time"), "{error}");
}

#[test]
fn a_result_that_is_not_complete_is_refused_by_the_name_of_its_method() {
    for (kind, problem) in [
        (r#""input_required""#, "\"input_required\": it wants input first"),
        (r#""later\u001b""#, "\"later⟨ESC⟩\", which is not known"),
        ("null", "null, not a string"),
        ("7", "a number, not a string"),
    ] {
        let answer = |rest: &str| result(&format!(r#"{{"resultType":{kind},{rest}}}"#));
        let listing = modern_only().on("tools/list", &[&answer(r#""tools":[]"#)]);
        let error = choose(listing, EraChoice::default()).failed();
        assert_eq!((error.code(), error.stage), ("E-RESULT-TYPE", Stage::List { section: Section::Tools, page: 1 }));
        assert!(error.to_string().contains(&format!("answer to tools/list is {problem}")), "{error}");
        let discover = modern_only().on("server/discover", &[&answer(r#""supportedVersions":["2026-07-28"]"#)]);
        let error = choose(discover, MODERN_FIRST).failed();
        assert!(error.to_string().contains(&format!("answer to server/discover is {problem}")), "{error}");
        // The legacy era has no such member; any member may be there.
        let legacy = Table::new().on("tools/list", &[&answer(r#""tools":[{"name":"alpha"}]"#)]);
        assert_eq!(choose(legacy, EraChoice::default()).captured().surface.tools.len(), 1);
    }
}

#[test]
fn requests_of_a_modern_server_are_not_answered() {
    let asks = [
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"r","method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#,
    ]
    .join("\n");
    let table = modern_only().on("tools/list", &[&format!("{asks}\n{}", tools(&["alpha"]))]);
    let (outcome, sent) = choose(table, EraChoice::default()).run();
    assert!(sent.iter().all(|line| line.contains("\"method\"")), "{sent:?}");
    assert_eq!(
        outcome.expect("a surface").warnings,
        [
            "the server sent a request, which its protocol version does not have: ping",
            "the server sent a request, which its protocol version does not have: roots/list",
        ]
    );
    // What `cat` does.
    let echo = Table::new().on("server/discover", &[r#"{"jsonrpc":"2.0","id":$ID,"method":"server/discover"}"#]);
    refused(echo, EraChoice::Only(Era::Modern), &["server/discover"], "E-NOT-MCP");
}

#[test]
fn a_change_that_a_modern_server_announces_counts_too() {
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let table = modern_only().on("tools/list", &[&format!("{changed}\n{}", tools(&["old"])), &tools(&["alpha"])]);
    assert_eq!(choose(table, EraChoice::default()).captured().surface.tools[0].name(), "alpha");
}
