//! Our own form: what is written is read back to the byte.

use super::{file, member, names, refused};
use warden::json::{Value, compact};
use warden::lock::{BuildOptions, build};
use warden::surface::file::{is_surface_file, write};
use warden::surface::{Launch, RawSurface, Section, Surface};

/// Pages as odd as servers send them, or odder.
fn raw() -> RawSurface {
    RawSurface {
        handshake: r#"{ "protocolVersion" : "2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s\u0000","version":"1"} }"#
            .into(),
        is_modern: false,
        tools: vec![
            "{\"tools\":[ {\"name\":\"\\u0061lpha\",\t\"description\":\"\\ud83d\\ude00 \\/ é\",\"inputSchema\":{\"properties\":{\"n\":{\"enum\":[1.0,1,1e0],\"minimum\":1.00,\"maximum\":-0.0}}}} ] ,\"nextCursor\":\"2\\\"]}\"}".into(),
            "{\n \"tools\": [\r\n{\"name\":\"beta\"}],\n \"nextCursor\":null}".into(),
        ],
        resources: vec![r#"{"resources":[]}"#.into()],
        prompts: Vec::new(),
        resource_templates: Vec::new(),
        errors: [("prompts/list".to_owned(), r#"{"code":-32601 ,"message":"n\u006f"}"#.to_owned())].into(),
    }
}

fn launch() -> Launch {
    Launch::Stdio { command: "npx".into(), args: vec!["-y".into(), "a \"b\"\n\u{202e}".into(), String::new()] }
}

#[test]
fn pages_survive_to_the_byte() {
    let text = write(Some(&launch()), "2025-06-18", &raw());
    let file = file(&text);
    assert_eq!(file.raw, raw());
    assert_eq!(file.launch, Some(launch()));
    assert_eq!(names(&file), ["alpha", "beta"]);
    assert_eq!(file.surface.tools[0].description(), Some("😀 / é"));
    let schema = member(&file, "inputSchema").map(compact).unwrap_or_default();
    assert!(schema.contains(r#""enum":[1.0,1,1.0],"minimum":1.0,"maximum":-0.0"#), "{schema}");
    assert_eq!(file.surface.about.protocol_version, "2025-06-18");
    assert_eq!(file.surface.about.server_name_and_version(), (Some("s\0"), Some("1")));
    assert!(file.missing.is_empty() && file.unlisted.is_empty());
    // Read and written again it is the same file, and it is JSON that others can read.
    assert_eq!(write(file.launch.as_ref(), &file.surface.about.protocol_version, &file.raw), text);
    assert!(is_surface_file(text.as_bytes()));
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["tools"][1]["tools"][0]["name"], "beta");
    assert_eq!(document["errors"]["prompts/list"]["code"], -32601);
    assert!(document["resource_templates"].is_null());
}

#[test]
fn the_layout_is_fixed() {
    let mut raw = raw();
    raw.tools.truncate(1);
    raw.tools[0] = r#"{"tools":[]}"#.into();
    raw.handshake = r#"{"protocolVersion":"2025-06-18","capabilities":{}}"#.into();
    let launch = Launch::Stdio { command: "npx".into(), args: vec!["-y".into(), "x@1".into()] };
    let want = r#"{
  "warden_surface": 1,
  "launch": {
    "command": "npx",
    "args": [
      "-y",
      "x@1"
    ]
  },
  "protocol_version": "2025-06-18",
  "era": "legacy",
  "handshake": {"protocolVersion":"2025-06-18","capabilities":{}},
  "tools": [
    {"tools":[]}
  ],
  "resources": [
    {"resources":[]}
  ],
  "prompts": [],
  "resource_templates": null,
  "errors": {
    "prompts/list": {"code":-32601 ,"message":"n\u006f"}
  }
}
"#;
    assert_eq!(write(Some(&launch), "2025-06-18", &raw), want);
}

#[test]
fn a_url_and_the_modern_era_have_their_form() {
    let raw = RawSurface {
        handshake: r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#.into(),
        is_modern: true,
        tools: vec![
            r#"{"resultType":"complete","tools":[{"name":"a"}],"nextCursor":""}"#.into(),
            r#"{"tools":[{"name":"b"}]}"#.into(),
        ],
        resource_templates: vec![r#"{"resourceTemplates":[{"uriTemplate":"x://{y}"}]}"#.into()],
        ..RawSurface::default()
    };
    let launch = Launch::Url("https://example.com/mcp".into());
    let file = file(&write(Some(&launch), "2026-07-28", &raw));
    assert_eq!((&file.raw, &file.launch), (&raw, &Some(launch)));
    assert_eq!(names(&file), ["a", "b"]);
    assert_eq!(file.surface.about.resource_templates.len(), 1);
    let text = write(None, "2026-07-28", &raw).replace("\"complete\"", "\"input_required\"");
    assert_eq!(refused(text), "at /tools/0/resultType: the answer is not a complete one");
}

#[test]
fn a_file_hashes_like_the_surface_it_was_made_of() {
    let surface = |raw: &RawSurface| {
        let list = |pages: &[String], key: &str| -> Vec<Value> {
            let page = |page: &String| match warden::json::parse(
                page.as_bytes(),
                &warden::json::ParseLimits { max_bytes: 1 << 20, max_depth: 600, max_values: usize::MAX },
            ) {
                Ok(page) => page.get(key).and_then(Value::as_array).unwrap_or_default().to_vec(),
                Err(error) => panic!("{error}"),
            };
            pages.iter().flat_map(page).collect()
        };
        Surface::from_entries(list(&raw.tools, "tools"), list(&raw.resources, "resources"), Vec::new()).expect("valid")
    };
    let digest = |surface: &Surface| build(surface, &launch(), &BuildOptions::default()).expect("built").overall_digest;
    let file = file(&write(Some(&launch()), "2025-06-18", &raw()));
    assert_eq!(digest(&file.surface), digest(&surface(&raw())));
}

#[test]
fn later_members_are_ignored_and_later_versions_are_not_read() {
    let text = write(Some(&launch()), "2025-06-18", &raw());
    let more = text.replacen('{', "{ \"later\": [1e5],", 1);
    assert_eq!(file(&more).raw, raw());
    let later = text.replace("\"warden_surface\": 1", "\"warden_surface\": 2");
    assert_eq!(refused(&later), "its form is version 2, and this version of warden reads 1");
    assert!(is_surface_file(later.as_bytes()));
    assert!(!is_surface_file(b"{\"warden_surface\": \"1\"}") && !is_surface_file(b"") && !is_surface_file(b"{}"));
}

#[test]
fn an_error_stands_for_a_declared_list_only_where_the_method_is_missing() {
    let mut raw = raw();
    raw.handshake = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"prompts":{}}}"#.into();
    let text = write(None, "2025-06-18", &raw);
    assert_eq!(file(&text).missing, [Section::Prompts].into());
    let other = text.replace("-32601", "-32603");
    let want =
        "at /errors/prompts~1list: the server declares prompts; only \"method not found\" may stand for its list";
    assert_eq!(refused(other), want);
    raw.errors.clear();
    let absent = "at /prompts: the server declares this list, but the file does not hold it";
    assert_eq!(refused(write(None, "2025-06-18", &raw)), absent);
    raw.prompts = vec![r#"{"prompts":[]}"#.into()];
    raw.errors = [("prompts/list".to_owned(), "{}".to_owned())].into();
    assert_eq!(refused(write(None, "2025-06-18", &raw)), "at /prompts: the list has pages and an error at once");
}

#[test]
fn a_list_that_was_cut_is_not_a_short_list() {
    let with_tools = |pages: &[&str]| {
        let tools = pages.iter().map(|page| (*page).to_owned()).collect();
        write(None, "2025-06-18", &RawSurface { tools, ..raw() })
    };
    for (pages, want) in [
        (
            &[r#"{"tools":[],"nextCursor":"a"}"#][..],
            "at /tools/0/nextCursor: the list goes on, but the file ends here: every page is needed",
        ),
        (
            &[r#"{"tools":[]}"#, r#"{"tools":[]}"#],
            "at /tools/0/nextCursor: the list ends here, yet there are more pages",
        ),
        (
            &[r#"{"tools":[],"nextCursor":""}"#, r#"{"tools":[]}"#],
            "at /tools/0/nextCursor: an empty cursor says neither that the list ends nor where it goes on",
        ),
        (
            &[r#"{"tools":[],"nextCursor":"a"}"#, r#"{"tools":[],"nextCursor":"a"}"#, r#"{"tools":[]}"#],
            "at /tools/1/nextCursor: the cursor is one that was followed before",
        ),
        (
            &[r#"{"tools":[],"nextCursor":1}"#, r#"{"tools":[]}"#],
            "at /tools/0/nextCursor: a string is required, not a number",
        ),
        (&[r#"{"tools":{}}"#], "at /tools/0/tools: an array is required, not an object"),
        (&[r#"{"resources":[]}"#], "at /tools/0: the page has no tools"),
        (&["[]"], "at /tools/0: a page of a list is an object, not an array"),
    ] {
        assert_eq!(refused(with_tools(pages)), want);
    }
}

#[test]
fn the_example_of_the_document_is_a_surface_file() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/surface-files.md")).expect("the page");
    let (_, rest) = page.split_once("```json\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let file = file(example);
    assert_eq!(names(&file), ["add_note", "list_notes"]);
    assert_eq!(write(file.launch.as_ref(), &file.surface.about.protocol_version, &file.raw), example);
}
