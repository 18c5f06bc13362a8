//! Surfaces to measure with: ordinary ones of any size, and hostile ones that stress one thing each.
//!
//! They are made as text, the way a server would send them: `{"tools": [...], ...}`.

use std::fmt::Write as _;
use std::ops::Range;

/// The ordinary tools of these numbers, about 1.7 kB of JSON each: nested objects, enums, references, bounds, long
/// descriptions, annotations, and for every other tool an output schema. `edition` 1 differs from edition 0 in every
/// tenth tool: an enum lost, a bound moved, a description reworded.
pub fn ordinary(numbers: Range<usize>, edition: usize) -> String {
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
        i.is_multiple_of(8),
    );
}

/// A name, and what makes the text.
type Shape = (&'static str, fn() -> String);

/// Shapes within the limits of a capture, each with one thing carried to an extreme.
pub const HOSTILE: [Shape; 15] = [
    ("annotations of 200 000 members", || {
        one_tool(&format!(r#""annotations":{{{}}}"#, list(200_000, |i| format!(r#""member_{i}":{i}"#))))
    }),
    ("a description of 8 MiB", || one_tool(&format!(r#""description":"{}""#, "x".repeat(MIB8)))),
    ("a description of 1.4 million escapes", || {
        one_tool(&format!(r#""description":"{}""#, r"\u0001".repeat(MIB8 / 6)))
    }),
    ("500 nested objects around 8 MiB", || one_tool(&format!(r#""annotations":{}"#, deep(MIB8)))),
    ("500 nested arrays around 8 MiB", || {
        let (open, close, text) = ("[".repeat(500), "]".repeat(500), "x".repeat(MIB8));
        one_tool(&format!(r#""annotations":{{"a":{open}"{text}"{close}}}"#))
    }),
    ("500 nested objects with names of 16 KiB", || {
        let open = format!(r#"{{"{}":"#, "n".repeat(16 << 10)).repeat(500);
        one_tool(&format!(r#""annotations":{open}1{}"#, "}".repeat(500)))
    }),
    ("8 MiB in additionalProperties, 500 deep", || {
        // A little less: the budget of a skeleton counts the names too.
        one_tool(&format!(r#""inputSchema":{{"additionalProperties":{}}}"#, deep(MIB8 - 4096)))
    }),
    ("19 000 properties, all required", || {
        let properties = list(19_000, |i| format!(r#""property_{i}":{{"type":"string"}}"#));
        let required = list(19_000, |i| format!(r#""property_{i}""#));
        one_tool(&format!(r#""inputSchema":{{"type":"object","properties":{{{properties}}},"required":[{required}]}}"#))
    }),
    ("an enum of 200 000 texts", || {
        let members = list(200_000, |i| format!(r#""value_{}""#, (i * 7919) % 200_000));
        one_tool(&format!(r#""inputSchema":{{"enum":[{members}]}}"#))
    }),
    ("an enum of 400 000 numbers", || {
        let members = list(400_000, |i| format!("{}.5", (i * 7919) % 400_000));
        one_tool(&format!(r#""inputSchema":{{"enum":[{members}]}}"#))
    }),
    ("2 million empty arrays in annotations", || {
        one_tool(&format!(r#""annotations":{{"a":[{}]}}"#, list(2_000_000, |_| "[]".to_owned())))
    }),
    ("1 million one-member objects in annotations", || {
        one_tool(&format!(r#""annotations":{{"a":[{}]}}"#, list(1_000_000, |_| r#"{"":0}"#.to_owned())))
    }),
    ("definitions that double 13 times", || {
        let doubling = list(13, |i| {
            let next = i + 1;
            format!(
                r##""d{i}":{{"properties":{{"l":{{"$ref":"#/$defs/d{next}"}},"r":{{"$ref":"#/$defs/d{next}"}}}}}}"##
            )
        });
        one_tool(&format!(
            r##""inputSchema":{{"properties":{{"a":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{doubling},"d13":{{"type":"string"}}}}}}"##
        ))
    }),
    ("20 000 resources", || {
        let resource = |i| {
            format!(
                r#"{{"uri":"file:///srv/data/{i}.txt","name":"entry {i}","description":"an entry","mimeType":"text/plain"}}"#
            )
        };
        format!(r#"{{"resources":[{}]}}"#, list(20_000, resource))
    }),
    ("20 000 prompts with arguments", || {
        let prompt = |i| {
            format!(r#"{{"name":"prompt_{i}","arguments":[{{"name":"topic","required":true}},{{"name":"length"}}]}}"#)
        };
        format!(r#"{{"prompts":[{}]}}"#, list(20_000, prompt))
    }),
];

const MIB8: usize = 8 << 20;

fn one_tool(members: &str) -> String {
    format!(r#"{{"tools":[{{"name":"t",{members}}}]}}"#)
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

/// A text of so many bytes inside 500 objects.
fn deep(bytes: usize) -> String {
    format!("{}\"{}\"{}", r#"{"a":"#.repeat(500), "x".repeat(bytes), "}".repeat(500))
}
