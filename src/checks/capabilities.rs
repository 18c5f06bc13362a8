//! `WRD-CAP-*`: one finding for each flag that the format grants, and `WRD-SCHEMA-MALFORMED` (SPEC.md §21.2).

use super::Input;
use super::quote::show;
use super::sink::{Sink, Target};
use crate::capability::{Capability, Evidence, evidence};
use crate::json::Value;
use crate::surface::Section;

pub(super) fn check(input: &Input<'_>, sink: &mut Sink) {
    for (at, tool) in input.surface.tools.iter().enumerate() {
        let target = Target::Entry(Section::Tools, at);
        for (flag, evidence) in evidence(tool.name(), tool.input_schema()) {
            let snippet = match evidence {
                Evidence::NameToken(token) => format!("name token '{token}'"),
                Evidence::Property(name) => format!("property '{}'", show(name)),
            };
            let (rule_id, phrase) = rule_and_phrase(flag);
            sink.add(target, rule_id, snippet.clone(), || format!("The tool {phrase} ({flag}): {snippet}"));
        }
        if let Some(kind) = tool.input_schema().and_then(malformed) {
            let message = || "The input schema is not an object, so its text is not committed to".to_owned();
            sink.add(target, "WRD-SCHEMA-MALFORMED", format!("inputSchema type={kind}"), message);
        }
    }
}

fn rule_and_phrase(flag: Capability) -> (&'static str, &'static str) {
    match flag {
        Capability::FsRead => ("WRD-CAP-FS-READ", "can read files"),
        Capability::FsWrite => ("WRD-CAP-FS-WRITE", "can write files"),
        Capability::HttpRequest => ("WRD-CAP-HTTP", "can make network requests"),
        Capability::ShellExec => ("WRD-CAP-SHELL", "can run commands"),
        Capability::SqlQuery => ("WRD-CAP-SQL", "can run database queries"),
    }
}

/// The published word for what stands in place of an object.
fn malformed(schema: &Value) -> Option<&'static str> {
    match schema {
        Value::Object(_) | Value::Null => None,
        Value::String(_) => Some("str"),
        Value::Array(_) => Some("list"),
        Value::Bool(_) => Some("bool"),
        Value::Int(_) => Some("int"),
        Value::Float(_) => Some("float"),
    }
}
