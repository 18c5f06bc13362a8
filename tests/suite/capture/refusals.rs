//! What a server writes and what cannot be pinned, or means two things at once.

use crate::support::replay::{Table, declares, error, result, tools};
use warden::capture::{CaptureError, Stage};

fn listing(tool: &str) -> CaptureError {
    Table::new().on("tools/list", &[&result(&format!(r#"{{"tools":[{{"name":"first"}},{tool}]}}"#))]).failed()
}

#[test]
fn an_integer_that_cannot_be_hashed_is_named_with_its_tool_and_its_place() {
    let failed =
        listing(r#"{"inputSchema":{"properties":{"a/b":{"maximum":18446744073709551615}}},"name":"al\u0070ha"}"#);
    assert_eq!(
        (failed.code(), failed.stage),
        ("E-REFUSED-MESSAGE", Stage::List { section: warden::surface::Section::Tools, page: 1 })
    );
    assert_eq!(
        failed.to_string(),
        "tools/list page 1: a message of the server is refused: tool \"alpha\" at /inputSchema/properties/a~1b/maximum: \
         the integer 18446744073709551615 is outside ±(2^53-1) and cannot be hashed exactly"
    );
    assert!(
        listing(r#"{"name":"x","y":1,"y":2}"#)
            .to_string()
            .contains("tool \"x\" at /y: the member name \"y\" is repeated")
    );
    assert!(listing(r#"{"name":"x","y":1e400}"#).to_string().contains("overflows"));
    assert!(
        listing(r#"{"name":"x\n","y":"\ud800"}"#)
            .to_string()
            .contains("tool \"x⟨LF⟩\" at /y: a \\u escape is an unpaired")
    );
    assert!(listing(r#"{"name":"\ud800"}"#).to_string().contains("tools/1 at /name: "));
}

#[test]
fn broken_json_is_refused_at_once() {
    for (tool, reason) in
        [(r#"{"name":"x","y":NaN}"#, "tool \"x\" at /y: expected a value, found 'N'"), ("}", "expected")]
    {
        let failed = listing(tool);
        assert_eq!(failed.code(), "E-BROKEN-MESSAGE");
        assert!(failed.to_string().contains(reason), "{failed}");
    }
    let half = Table::new()
        .on("tools/list", &["{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"na\n!exit 9"])
        .failed();
    assert_eq!(half.to_string(), "tools/list page 1: the server exited with code 9 before answering");
    assert_eq!(half.context.warnings, ["the server's last message is cut off"]);
}

#[test]
fn nesting_is_accepted_as_deep_as_the_format_goes() {
    let page = |depth: usize| {
        let schema = format!("{}{}", r#"{"a":"#.repeat(depth), "{}") + &"}".repeat(depth);
        result(&format!(r#"{{"tools":[{{"name":"x","inputSchema":{schema}}}]}}"#))
    };
    assert_eq!(Table::new().on("tools/list", &[&page(512)]).captured().surface.tools.len(), 1);
    let failed = Table::new().on("tools/list", &[&page(513)]).failed();
    assert_eq!(failed.code(), "E-REFUSED-MESSAGE");
    assert!(failed.to_string().contains("nesting is deeper than"), "{failed}");
    let failed = Table::new().on("tools/list", &[&page(200_000)]).failed();
    assert!(failed.to_string().len() < 1000, "{}", failed.to_string().len());
}

#[test]
fn two_answers_to_one_question_are_refused_unless_they_are_the_same() {
    let two = |second: &str| format!("{}\n{second}", tools(&["a"]));
    let failed = Table::new().on("tools/list", &[&two(&tools(&["b"]))]).failed();
    assert_eq!(failed.code(), "E-CONFLICT");
    assert!(failed.to_string().contains("(id 2)"));
    // Spelled differently, or as the very last line, or within a batch, it is still a second answer.
    let spelled = two(&tools(&["b"]).replace("$ID", "\"2\""));
    assert_eq!(Table::new().on("tools/list", &[&spelled]).failed().code(), "E-CONFLICT");
    let late = format!("{}\n{}", error(-32601), tools(&["b"]).replace("$ID", "2"));
    assert_eq!(Table::new().on("prompts/list", &[&late]).failed().code(), "E-CONFLICT");
    // An answer to what is asked next: a client that asks in one go takes it.
    let early = |name: &str| {
        format!(
            "{}\n{}",
            tools(&["alpha"]),
            r#"{"jsonrpc":"2.0","id":3,"result":{"resources":[NAME]}}"#.replace("NAME", name)
        )
    };
    let table = Table::new()
        .on("tools/list", &[&early(r#"{"uri":"x:"}"#)])
        .on("resources/list", &[r#"{"jsonrpc":"2.0","id":$ID,"result":{"resources":[]}}"#]);
    assert_eq!(table.failed().code(), "E-CONFLICT");
    let batch = format!("[{},{}]", tools(&["a"]), tools(&["a"]));
    assert_eq!(Table::new().on("tools/list", &[&batch]).failed().code(), "E-CONFLICT");
    // While templates are asked for, too.
    let templates = tools(&["b"]).replace("$ID", "2");
    let table = Table::new().on("initialize", &[&declares(&["tools", "resources"])]);
    let table = table.on("resources/list", &[&result(r#"{"resources":[]}"#)]);
    assert_eq!(table.on("resources/templates/list", &[&templates]).failed().code(), "E-CONFLICT");

    let captured = Table::new().on("tools/list", &[&two(&tools(&["a"]))]).captured();
    assert_eq!(captured.warnings, ["the server repeated its answer to request 2"]);
}

#[test]
fn entries_that_cannot_be_pinned_fail() {
    for (tool, reason) in [
        (r#"{"name":"first"}"#, "tool \"first\" is declared twice"),
        (r#"{"name":"x","inputSchema":true}"#, "tool \"x\": inputSchema is a boolean"),
        (r#"{"name":"x","outputSchema":[]}"#, "outputSchema is an array"),
        (r#"{"name":"x","description":7}"#, "description is a number"),
        (r#"{"title":"x"}"#, "tools/1 has no name"),
        ("7", "tools/1 is a number"),
    ] {
        let failed = listing(tool);
        assert_eq!((failed.code(), failed.stage), ("E-SURFACE", Stage::Surface), "{tool}");
        assert!(failed.to_string().contains(reason), "{failed}");
    }
    // Across pages, too.
    let first = result(r#"{"tools":[{"name":"a"}],"nextCursor":"2"}"#);
    let failed = Table::new().on("tools/list", &[&first, &tools(&["b", "a"])]).failed();
    assert!(failed.to_string().contains("tool \"a\" is declared twice"));
}
