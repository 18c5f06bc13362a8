//! The writer of our own form.

use super::{SURFACE_FILE_VERSION, VERSION};
use crate::json::{Object, Value, pretty};
use crate::surface::{Launch, RawSurface};

/// The document of a surface, final newline included. Pages stand in it byte by byte as they were sent; nothing in it
/// tells when it was written, so that the same surface gives the same file.
///
/// The launch is written exactly as it is, because the identity of a server is hashed over it: whoever writes files has
/// to look for secrets in it first.
pub fn write(launch: Option<&Launch>, protocol_version: &str, raw: &RawSurface) -> String {
    let known = !raw.handshake.is_empty();
    let era = if raw.is_modern { "modern" } else { "legacy" };
    let text = |text: &str| if known { pretty(&text.into()) } else { "null".to_owned() };
    let mut members = vec![
        (VERSION, SURFACE_FILE_VERSION.to_string()),
        ("launch", indented(&launch.map(launch_object).into())),
        ("protocol_version", text(protocol_version)),
        ("era", text(era)),
        ("handshake", if known { raw.handshake.clone() } else { "null".to_owned() }),
    ];
    for (name, method, pages) in [
        ("tools", "tools/list", &raw.tools),
        ("resources", "resources/list", &raw.resources),
        ("prompts", "prompts/list", &raw.prompts),
        ("resource_templates", "resources/templates/list", &raw.resource_templates),
    ] {
        let asked = !pages.is_empty() || raw.errors.contains_key(method);
        members.push((name, if asked { list(pages.iter().cloned(), '[', ']') } else { "null".to_owned() }));
    }
    let errors = raw.errors.iter().map(|(method, error)| format!("{}: {error}", pretty(&method.as_str().into())));
    members.push(("errors", list(errors, '{', '}')));
    let members: Vec<String> = members.into_iter().map(|(name, value)| format!("  \"{name}\": {value}")).collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

fn launch_object(launch: &Launch) -> Object {
    match launch {
        Launch::Stdio { command, args } => {
            [("command", Value::from(command.as_str())), ("args", args.clone().into())].into_iter().collect()
        }
        Launch::Url(url) => [("url", url.as_str())].into_iter().collect(),
    }
}

/// One item a line, at the second level of the document.
fn list(items: impl Iterator<Item = String>, open: char, close: char) -> String {
    let items: Vec<String> = items.map(|item| format!("    {item}")).collect();
    if items.is_empty() { format!("{open}{close}") } else { format!("{open}\n{}\n  {close}", items.join(",\n")) }
}

/// A value of ours at the first level of the document. Line feeds in it are layout: strings hold none.
fn indented(value: &Value) -> String {
    pretty(value).replace('\n', "\n  ")
}
