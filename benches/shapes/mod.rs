//! Surfaces to measure with: ordinary ones of any size, and hostile ones that stress one thing each.
//!
//! They are made as text, the way a server would send them: `{"tools": [...], ...}`.

use std::fmt::Write as _;
use std::ops::Range;

/// A surface of so many ordinary tools: see [`ordinary_page`].
pub fn ordinary(tools: usize, edition: usize) -> String {
    ordinary_page(0..tools, edition)
}

/// The ordinary tools of these numbers, about 1.6 kB of JSON each: nested objects, enums, references, bounds, long
/// descriptions, annotations, and for every other tool an output schema. `edition` 1 differs from edition 0 in every
/// tenth tool: an enum lost, a bound moved, a description reworded.
pub fn ordinary_page(numbers: Range<usize>, edition: usize) -> String {
    let mut out = String::from(r#"{"tools":["#);
    for i in numbers.clone() {
        if i > numbers.start {
            out.push(',');
        }
        ordinary_tool(&mut out, i, if i % 10 == 0 { edition } else { 0 });
    }
    out.push_str("]}");
    out
}

fn ordinary_tool(out: &mut String, i: usize, edition: usize) {
    let verb = ["read", "create", "search", "list", "update", "delete", "export", "sync"][i % 8];
    let noun = ["file", "issue", "query", "calendar_event", "customer", "webhook", "report"][i % 7];
    let states = if edition == 0 { r#","enum":["open","closed","merged","draft","all"]"# } else { "" };
    let output = match i % 2 {
        0 => String::new(),
        _ => format!(
            r##","outputSchema":{{"type":"object","required":["items"],"properties":{{"items":{{"type":"array","items":{{"$ref":"#/$defs/item"}}}},"nextCursor":{{"type":["string","null"]}},"total":{{"type":"integer","minimum":0}}}},"$defs":{{"item":{{"type":"object","required":["id"],"properties":{{"id":{{"type":"string","format":"uuid"}},"title":{{"type":"string","maxLength":{}}},"score":{{"type":"number"}}}}}}}}}}"##,
            100 + i % 100
        ),
    };
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        r##"{{"name":"{verb}_{noun}_{i}","title":"{verb} {noun}","description":"{verb} one or more entries of kind {noun} (number {i}, edition {edition}).\n\nUse this tool when the user asks to {verb} something by its identifier, a free-text query or a date range – results are paged. Returns a JSON object; errors are reported with a human-readable message.","inputSchema":{{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["id","query"],"properties":{{"id":{{"type":"string","description":"Identifier as returned by the list tool","minLength":1,"maxLength":{},"pattern":"^[a-z0-9_-]+$"}},"query":{{"type":"string","description":"What to look for; quotes \"like this\" keep words together"}},"state":{{"type":"string","default":"open"{states}}},"limit":{{"type":"integer","minimum":1,"maximum":{},"default":50}},"path":{{"type":["string","null"]}},"range":{{"type":"object","required":["from"],"properties":{{"from":{{"type":"string","format":"date-time"}},"to":{{"type":"string","format":"date-time"}},"zone":{{"type":"string","enum":["UTC","local"]}}}}}},"labels":{{"type":"array","items":{{"type":"object","properties":{{"name":{{"type":"string","maxLength":50}},"weight":{{"type":"number","minimum":0.0,"maximum":1.0}}}}}}}},"owner":{{"$ref":"#/$defs/owner"}}}},"$defs":{{"owner":{{"type":"object","properties":{{"login":{{"type":"string"}},"team":{{"type":"string"}}}}}}}}}},"annotations":{{"readOnlyHint":{},"destructiveHint":false,"openWorldHint":true}}{output}}}"##,
        64 + i % 64,
        100 + edition,
        i % 8 == 0,
    );
}

/// A hostile surface: a name, and what stands in the one tool's members (or in the whole document).
pub struct Hostile {
    pub name: &'static str,
    pub text: String,
}

fn one_tool(name: &'static str, members: &str) -> Hostile {
    Hostile { name, text: format!(r#"{{"tools":[{{"name":"t",{members}}}]}}"#) }
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

/// Shapes within the limits of a capture (a line of 16 MiB), each with one thing carried to an extreme.
pub fn hostile() -> Vec<Hostile> {
    let mib8 = "x".repeat(8 << 20);
    let escapes = r#"\u0001"#.repeat((8 << 20) / 6);
    let deep_objects = format!("{}\"{mib8}\"{}", r#"{"a":"#.repeat(500), "}".repeat(500));
    let deep_arrays = format!("{}\"{mib8}\"{}", "[".repeat(500), "]".repeat(500));
    let deep_names = {
        let name = "n".repeat(16 << 10);
        format!("{}1{}", format!(r#"{{"{name}":"#).repeat(500), "}".repeat(500))
    };
    let properties = |count: usize| list(count, |i| format!(r#""property_{i}":{{"type":"string"}}"#));
    vec![
        one_tool(
            "annotations of 200 000 members",
            &format!(r#""annotations":{{{}}}"#, list(200_000, |i| format!(r#""member_{i}":{i}"#))),
        ),
        one_tool("a description of 8 MiB", &format!(r#""description":"{mib8}""#)),
        one_tool("a description of 1.4 million escapes", &format!(r#""description":"{escapes}""#)),
        one_tool("500 nested objects around 8 MiB", &format!(r#""annotations":{deep_objects}"#)),
        one_tool("500 nested arrays around 8 MiB", &format!(r#""annotations":{{"a":{deep_arrays}}}"#)),
        one_tool("500 nested objects with names of 16 KiB", &format!(r#""annotations":{deep_names}"#)),
        one_tool(
            "8 MiB in additionalProperties, 500 deep",
            &format!(r#""inputSchema":{{"additionalProperties":{deep_objects}}}"#).replacen(
                &mib8,
                &mib8[..(8 << 20) - 2048],
                1,
            ),
        ),
        one_tool(
            "19 000 properties, all required",
            &format!(
                r#""inputSchema":{{"type":"object","properties":{{{}}},"required":[{}]}}"#,
                properties(19_000),
                list(19_000, |i| format!(r#""property_{i}""#))
            ),
        ),
        one_tool(
            "an enum of 200 000 members",
            &format!(
                r#""inputSchema":{{"enum":[{}]}}"#,
                list(200_000, |i| format!(r#""value_{}""#, (i * 7919) % 200_000))
            ),
        ),
        one_tool(
            "an enum of 400 000 numbers",
            &format!(r#""inputSchema":{{"enum":[{}]}}"#, list(400_000, |i| format!("{}.5", (i * 7919) % 400_000))),
        ),
        one_tool(
            "definitions that double 14 times",
            &format!(
                r##""inputSchema":{{"properties":{{"a":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{},"d14":{{"type":"string"}}}}}}"##,
                list(14, |i| format!(
                    r##""d{i}":{{"properties":{{"l":{{"$ref":"#/$defs/d{0}"}},"r":{{"$ref":"#/$defs/d{0}"}}}}}}"##,
                    i + 1
                ))
            ),
        ),
        Hostile {
            name: "50 000 tools without anything",
            text: format!(r#"{{"tools":[{}]}}"#, list(50_000, |i| format!(r#"{{"name":"tool_{i}"}}"#))),
        },
        Hostile {
            name: "50 000 resources",
            text: format!(
                r#"{{"resources":[{}]}}"#,
                list(50_000, |i| format!(
                    r#"{{"uri":"file:///srv/data/{i}.txt","name":"entry {i}","description":"an entry","mimeType":"text/plain"}}"#
                ))
            ),
        },
        Hostile {
            name: "50 000 prompts with arguments",
            text: format!(
                r#"{{"prompts":[{}]}}"#,
                list(50_000, |i| format!(
                    r#"{{"name":"prompt_{i}","arguments":[{{"name":"topic","required":true}},{{"name":"length"}}]}}"#
                ))
            ),
        },
    ]
}
