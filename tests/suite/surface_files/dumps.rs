//! Plain dumps: lists as other programs save them.

use super::{file, member, names, refused};
use warden::surface::Section;

#[test]
fn a_list_is_read_in_every_form_that_it_is_saved_in() {
    let tool = r#"{ "name" : "\u0061", "inputSchema":{"x":1.0} }"#;
    for (text, page) in [
        (format!("[{tool}]"), format!("{{\"tools\":[{tool}]}}")),
        (format!("\n[ {tool} ]\n"), format!("{{\"tools\":[ {tool} ]}}")),
        (format!("{{\"tools\":[{tool}]}}"), format!("{{\"tools\":[{tool}]}}")),
        (
            format!("{{\"tools\": [{tool}],\"nextCursor\":null}}"),
            format!("{{\"tools\": [{tool}],\"nextCursor\":null}}"),
        ),
        (
            format!("{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\": {{\"_meta\":{{}},\"tools\":[{tool}]}}}}"),
            format!("{{\"_meta\":{{}},\"tools\":[{tool}]}}"),
        ),
        (format!("{{\"result\":{{\"tools\":[{tool}]}},\"error\":null}}"), format!("{{\"tools\":[{tool}]}}")),
    ] {
        let file = file(&text);
        assert_eq!(names(&file), ["a"], "{text}");
        assert_eq!(file.raw.tools, [page], "{text}");
        assert_eq!(file.unlisted, [Section::Resources, Section::Prompts].into(), "{text}");
        assert_eq!((file.launch.as_ref(), file.raw.handshake.as_str()), (None, ""));
        assert!(file.surface.about.protocol_version.is_empty());
        assert!(member(&file, "inputSchema").is_some());
    }
}

#[test]
fn several_lists_in_one_object_become_a_page_each() {
    let file = file(
        r#"{"prompts":[{"name":"p"}],"tools":[ {"name":"t"}],"resources":null,"resourceTemplates":[{"uriTemplate":"u"}]}"#,
    );
    assert_eq!(names(&file), ["t"]);
    assert_eq!(file.surface.prompts[0].name(), "p");
    assert_eq!(file.raw.tools, [r#"{"tools":[ {"name":"t"}]}"#]);
    assert_eq!(file.raw.resource_templates, [r#"{"resourceTemplates":[{"uriTemplate":"u"}]}"#]);
    assert_eq!(file.unlisted, [Section::Resources].into());
    let goes_on = r#"{"prompts":[],"tools":[],"nextCursor":"x"}"#;
    assert_eq!(refused(goes_on), "at /nextCursor: several lists cannot go on at one cursor");
}

#[test]
fn answers_one_a_line_are_the_pages_of_a_recording() {
    let text = concat!(
        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s"}}}"#,
        "\n\n",
        r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}],"nextCursor":"2"}}"#,
        "\r\n",
        r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"b"}]}}"#,
        "\n",
        r#"{"prompts":[]}"#,
    );
    let file = file(text);
    assert_eq!(names(&file), ["a", "b"]);
    assert_eq!(file.raw.tools.len(), 2);
    assert_eq!(file.surface.about.protocol_version, "2024-11-05");
    assert_eq!(file.surface.about.server_name_and_version().0, Some("s"));
    assert!(file.raw.handshake.starts_with(r#"{"protocolVersion""#));
    assert_eq!(file.unlisted, [Section::Resources].into());
}

#[test]
fn what_is_incomplete_or_something_else_is_refused() {
    for (text, want) in [
        (
            r#"{"tools":[],"nextCursor":"x"}"#,
            "at /nextCursor: the list goes on, but the file ends here: every page is needed",
        ),
        (
            "{\"tools\":[],\"nextCursor\":\"x\"}\n{\"tools\":[],\"nextCursor\":\"y\"}",
            "at line 2 /nextCursor: the list goes on, but the file ends here: every page is needed",
        ),
        ("{\"tools\":[]}\n{\"tools\":[]}", "at line 1 /nextCursor: the list ends here, yet there are more pages"),
        (r#"{"result":{"tools":{}}}"#, "at /result/tools: an array is required, not an object"),
        (r#"{"error":{"code":1}}"#, "the answer is an error, which says nothing about a list"),
        ("{\"tools\":[]}\n{\"error\":{}}", "at line 2: the answer is an error, which says nothing about a list"),
        (r#"{"result":{"tools":[]},"error":{}}"#, "the answer has both a result and an error"),
        (
            r#"{"result":[]}"#,
            "at /result: neither a surface file nor a list of tools, resources or prompts, but an array",
        ),
        ("3", "neither a surface file nor a list of tools, resources or prompts, but a number"),
        ("{}", "neither a surface file nor a list of tools, resources or prompts, but an object without them"),
        (r#"{"tools":[],"resultType":"input_required"}"#, "at /resultType: the answer is not a complete one"),
        (r#"[{"title":"x"}]"#, "tools/0 has no name (a string is required)"),
        (r#"[{"name":"x"},{"name":"x"}]"#, "tool \"x\" is declared twice"),
        (r#"[{"name":"x","inputSchema":[]}]"#, "tool \"x\": inputSchema is an array; an object or null is required"),
        (
            r#"{"tools":null,"prompts":null}"#,
            "neither a surface file nor a list of tools, resources or prompts, but a text without them",
        ),
        ("{\"tools\":[]}\n{\"tools\":[}", "expected a value, found '}' at line 2, column 11 (in /tools/0)"),
        ("{\n\"tools\":[]\n}\n]", "expected the end of the text, found ']' at line 4, column 1"),
    ] {
        assert_eq!(refused(text), want, "{text}");
    }
}
