//! Texts made to break the reader.

use super::{file, refused};
use std::time::{Duration, Instant};
use warden::surface::RawSurface;
use warden::surface::file::{
    DEFAULT_MAX_ENTRIES, MAX_SURFACE_BYTES, MAX_SURFACE_VALUES, SurfaceFileError, is_surface_file, read, write,
};

fn form(change: impl FnOnce(&mut RawSurface)) -> String {
    let mut raw = RawSurface {
        handshake: r#"{"protocolVersion":"2025-11-25","capabilities":{}}"#.into(),
        tools: vec![r#"{"tools":[{"name":"a"}]}"#.into()],
        ..RawSurface::default()
    };
    change(&mut raw);
    write(None, "2025-11-25", &raw)
}

#[test]
fn members_of_wrong_types_are_named() {
    let good = form(|_| {});
    file(&good);
    let replaced = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    for (from, to, want) in [
        (
            "\"warden_surface\": 1",
            "\"warden_surface\": 1.0",
            "at /warden_surface: an integer is required, not a number",
        ),
        ("\"warden_surface\": 1", "\"warden_surface\": null", "at /warden_surface: an integer is required, not null"),
        ("\"launch\": null", "\"launch\": []", "at /launch: an object or null is required, not an array"),
        ("\"launch\": null", "\"lunch\": null", "it has no member launch"),
        (
            "\"handshake\": {",
            "\"handshake\": 0, \"h\": {",
            "at /handshake: an object or null is required, not a number",
        ),
        ("\"era\": \"legacy\"", "\"era\": \"both\"", "at /era: \"legacy\" or \"modern\" is required"),
        ("\"era\": \"legacy\"", "\"era\": \"modern\"", "at /era: it is not the era of this version"),
        ("\"errors\": {}", "\"errors\": []", "at /errors: an object is required, not an array"),
        ("\"prompts\": null", "\"prompts\": {}", "at /prompts: an array of pages or null is required, not an object"),
        (
            "\"protocol_version\": \"2025-11-25\"",
            "\"protocol_version\": \"2025-06-18\"",
            "at /protocol_version: it is not the version in the handshake",
        ),
        (
            "\"protocol_version\": \"2025-11-25\"",
            "\"protocol_version\": null",
            "at /protocol_version: version, era and handshake are required together, or null together where they are \
             not known",
        ),
    ] {
        assert_eq!(refused(replaced(from, to)), want);
    }
    let launch = "at /launch: either command (a string) with args (strings), or url, is required";
    for bad in [
        r#"{}"#,
        r#"{"command":"x"}"#,
        r#"{"command":"","args":[]}"#,
        r#"{"command":"x","args":[1]}"#,
        r#"{"command":"x","args":[],"url":"https://x"}"#,
        r#"{"url":""}"#,
        r#"{"url":null}"#,
    ] {
        assert_eq!(refused(replaced("\"launch\": null", &format!("\"launch\": {bad}"))), launch, "{bad}");
    }
}

#[test]
fn what_a_capture_refuses_is_refused_in_a_file_too() {
    let with_tool = |tool: &str| form(|raw| raw.tools = vec![format!("{{\"tools\":[{tool}]}}")]);
    for (tool, want) in [
        (r#"{"name":"a","name":"b"}"#, "the member name \"name\" is repeated in one object at line 8, column 27"),
        (r#"{"name":"a","x":9007199254740993}"#, "the integer 9007199254740993 is outside ±(2^53-1)"),
        (r#"{"name":"\ud800"}"#, "a \\u escape is an unpaired surrogate"),
        (r#"{"name":"a","x":NaN}"#, "expected a value, found 'N'"),
    ] {
        let text = refused(with_tool(tool));
        assert!(text.starts_with(want), "{text}");
    }
    let mut bytes = form(|_| {}).into_bytes();
    let at = bytes.len() - 5;
    bytes[at] = 0xff;
    assert!(refused(&bytes).starts_with("the text is not valid UTF-8 at line"));
    assert!(refused(b"").starts_with("expected a value, found the end of the text"));
    assert!(refused(b"\xef\xbb\xbf[]").starts_with("the text begins with a byte order mark"));
}

#[test]
fn nesting_is_bounded_as_in_a_capture() {
    let nest = |levels: usize| {
        let value = format!("{}0{}", "[".repeat(levels), "]".repeat(levels));
        form(|raw| raw.tools = vec![format!(r#"{{"tools":[{{"name":"a","inputSchema":{{"x":{value}}}}}]}}"#)])
    };
    // 512 levels below the schema, which is one of them.
    file(&nest(511));
    assert!(refused(nest(513)).starts_with("nesting is deeper than 517 levels"));
    assert!(refused("[".repeat(1 << 20)).starts_with("nesting is deeper than 517 levels"));
    assert!(!is_surface_file("{\"warden_surface\":1,\"a\":".repeat(1 << 16).as_bytes()));
}

#[test]
fn sizes_are_bounded() {
    let huge = format!("[\"{}\"]", "x".repeat(MAX_SURFACE_BYTES));
    assert_eq!(refused(huge), "the text is larger than 35651584 bytes at line 1, column 1");
    // Few bytes and much memory.
    let dense = format!("[{}0]", "[],".repeat(MAX_SURFACE_VALUES));
    assert!(refused(&dense).starts_with("it holds more than 2228224 JSON values"));
    let shared = format!("{{\"tools\":[]}}\n[{}0]\n", "[],".repeat(MAX_SURFACE_VALUES - 3));
    assert!(refused(shared).starts_with("it holds more than 2228224 JSON values at line 2"));
    let tools: Vec<String> = (0..20_001).map(|n| format!("{{\"name\":\"{n}\"}}")).collect();
    let want = "the list has more than 20000 entries";
    assert_eq!(refused(format!("[{}]", tools.join(","))), want);
    file(&format!("[{}]", tools[..20_000].join(",")));
    let lines: String =
        (0..20_001).map(|n| format!("{{\"tools\":[{{\"name\":\"{n}\"}}],\"nextCursor\":\"{n}\"}}\n")).collect();
    assert!(refused(lines).ends_with(want));
}

#[test]
fn work_is_linear() {
    let begin = Instant::now();
    let pages = |n: usize| -> Vec<String> {
        let page = |i: usize| {
            let next = if i + 1 == n { String::new() } else { format!(",\"nextCursor\":\"{i}\"") };
            format!("{{\"tools\":[]{next}}}")
        };
        (0..n).map(page).collect()
    };
    file(&form(|raw| raw.tools = pages(50_000)));
    file(&(pages(50_000).join("\n") + "\n"));
    let members: String = (0..75_000).map(|n| format!("\"m{n}\":[],")).collect();
    file(&form(|_| {}).replacen('{', &format!("{{{members}"), 1));
    file(&format!("{{{members}\"tools\":[],\"prompts\":[],\"resources\":[]}}"));
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// Whatever a file says, what was read of it can be written and read again, and is the same.
    #[test]
    fn what_is_read_can_be_written(edits in proptest::collection::vec((0_usize..900, 0_usize..40, ".{0,6}"), 0..4)) {
        let mut text = form(|raw| {
            raw.tools = vec![r#"{"tools":[{"name":"a","x":1.0}],"nextCursor":"n"}"#.into(), r#"{"tools":[ ]}"#.into()];
            raw.errors = [("prompts/list".to_owned(), "{\"code\":-32601}".to_owned())].into();
        });
        for (at, length, with) in edits {
            let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let (begin, end) = (boundary(at), boundary(at + length));
            text.replace_range(begin..end, &with);
        }
        if let Ok(file) = read(text.as_bytes(), DEFAULT_MAX_ENTRIES) {
            let again = write(file.launch.as_ref(), &file.surface.about.protocol_version, &file.raw);
            let again = read(again.as_bytes(), DEFAULT_MAX_ENTRIES).expect("readable");
            proptest::prop_assert_eq!(again.raw, file.raw);
            proptest::prop_assert_eq!(again.launch, file.launch);
        }
    }
}

#[test]
fn an_entry_that_cannot_be_pinned_is_told_from_a_broken_file() {
    assert!(matches!(read(br#"[{"name":"a"},{"name":"a"}]"#, 9), Err(SurfaceFileError::Surface(_))));
    assert!(matches!(read(br#"{"tools":[],"nextCursor":"a"}"#, 9), Err(SurfaceFileError::Shape { .. })));
}
