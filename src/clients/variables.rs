//! Finding references in a text, as each client writes them. One pass from left to right; a value that was put in is
//! not looked at again, and a default is plain text.

use super::table::VariableSyntax;
use super::template::{Part, Reference, SecretText};

/// Names of `${...}` that editors replace by themselves.
const FOLDERS: [&str; 16] = [
    "workspaceFolder",
    "workspaceFolderBasename",
    "workspaceRoot",
    "userHome",
    "pathSeparator",
    "/",
    "cwd",
    "file",
    "fileBasename",
    "fileBasenameNoExtension",
    "fileDirname",
    "fileExtname",
    "fileWorkspaceFolder",
    "relativeFile",
    "relativeFileDirname",
    "execPath",
];

/// Whether a variable can have that name.
pub(super) fn is_name(text: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(first) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The longest name that a text begins with.
fn leading_name(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    if is_name(&text[..end]) { &text[..end] } else { "" }
}

fn environment(name: &str, default: Option<&str>) -> Reference {
    Reference::Environment { name: name.to_owned(), default: default.map(|text| SecretText(text.to_owned())) }
}

/// What a text consists of.
pub(super) fn parts(text: &str, syntaxes: &[VariableSyntax]) -> Vec<Part> {
    let mut out = Vec::new();
    let mut literal = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['$', '{', '`', '~', '\\']) {
        at += found;
        match reference(&text[at..], at == 0, syntaxes) {
            Some((length, reference)) => {
                if literal < at {
                    out.push(Part::Literal(text[literal..at].to_owned()));
                }
                out.push(Part::Reference(reference));
                at += length;
                literal = at;
            }
            // All of the characters searched for are one byte long.
            None => at += 1,
        }
    }
    if literal < text.len() {
        out.push(Part::Literal(text[literal..].to_owned()));
    }
    out
}

/// The reference that a text begins with, and its length in bytes.
fn reference(text: &str, is_start: bool, syntaxes: &[VariableSyntax]) -> Option<(usize, Reference)> {
    let knows = |syntax| syntaxes.contains(&syntax);
    if text.starts_with('~') {
        let is_home = is_start && matches!(text.as_bytes().get(1), None | Some(b'/' | b'\\'));
        return (is_home && knows(VariableSyntax::Tilde))
            .then(|| (1, Reference::Folder { name: "userHome".to_owned() }));
    }
    if knows(VariableSyntax::Shell) {
        return shell(text);
    }
    if text.starts_with("{{") {
        let end = text.find("}}").filter(|_| knows(VariableSyntax::Parameters))?;
        return Some((end + 2, Reference::Parameter { name: text[2..end].trim().to_owned() }));
    }
    if let Some(rest) = text.strip_prefix('{') {
        let inner = &rest[..rest.find('}')?];
        let length = inner.len() + 2;
        return match inner.split_once(':') {
            Some(("env", name)) if knows(VariableSyntax::CurlyEnv) => Some((length, environment(name, None))),
            Some(("file", _)) if knows(VariableSyntax::CurlyEnv) => Some((length, Reference::FileContents)),
            _ => None,
        };
    }
    if text.starts_with("${{") {
        let end = text.find("}}")?;
        let inner = text[3..end].trim();
        let reference = match inner.split_once('.') {
            Some(("secrets", name)) if knows(VariableSyntax::Secrets) => Reference::Secret { name: name.to_owned() },
            Some(("inputs", id)) if knows(VariableSyntax::Secrets) => Reference::Input { id: id.to_owned() },
            _ => Reference::Foreign { name: format!("${{{{ {inner} }}}}") },
        };
        return Some((end + 2, reference));
    }
    if let Some(rest) = text.strip_prefix("${") {
        let inner = &rest[..rest.find('}')?];
        return Some((inner.len() + 3, braced(inner, &knows)));
    }
    let name = leading_name(text.strip_prefix('$')?);
    (!name.is_empty() && knows(VariableSyntax::Bare)).then(|| (name.len() + 1, environment(name, None)))
}

/// What stands between `${` and `}`.
fn braced(inner: &str, knows: &dyn Fn(VariableSyntax) -> bool) -> Reference {
    if is_name(inner) && knows(VariableSyntax::Braced) {
        return environment(inner, None);
    }
    if FOLDERS.contains(&inner) && knows(VariableSyntax::Folders) {
        return Reference::Folder { name: inner.to_owned() };
    }
    if let Some((name, default)) = inner.split_once(":-")
        && is_name(name)
        && knows(VariableSyntax::Default)
    {
        return environment(name, Some(default));
    }
    let foreign = || {
        // What follows a name may be a default, and a default may be a secret.
        let end = inner.find([':', '-', '=', '?']).unwrap_or(inner.len());
        let more = if end < inner.len() { "..." } else { "" };
        Reference::Foreign { name: format!("${{{}{more}}}", &inner[..end]) }
    };
    let Some((kind, rest)) = inner.split_once(':') else { return foreign() };
    match kind {
        "env" if knows(VariableSyntax::EnvColon) => environment(rest, None),
        "file" if knows(VariableSyntax::FileContents) => Reference::FileContents,
        "workspaceFolder" if knows(VariableSyntax::Folders) => Reference::Folder { name: inner.to_owned() },
        "input" if knows(VariableSyntax::Editor) => Reference::Input { id: rest.to_owned() },
        "config" if knows(VariableSyntax::Editor) => Reference::Setting { name: rest.to_owned() },
        "command" if knows(VariableSyntax::Editor) => Reference::CommandOutput,
        "cmd" if knows(VariableSyntax::Command) => Reference::CommandOutput,
        _ => foreign(),
    }
}

/// The shell's own rules. What is more than a plain variable, or goes on inside of quotes and escapes, is left alone as
/// a whole rather than understood by half.
fn shell(text: &str) -> Option<(usize, Reference)> {
    let rest = match text.as_bytes() {
        // Whatever follows may run something.
        [b'`', ..] | [b'$', b'(', ..] => return Some((text.len(), Reference::CommandOutput)),
        [b'\\', ..] => return Some((text.len(), Reference::Foreign { name: "\\".to_owned() })),
        [b'$', ..] => &text[1..],
        _ => return None,
    };
    let Some(inner) = rest.strip_prefix('{') else {
        let name = leading_name(rest);
        return (!name.is_empty()).then(|| (name.len() + 1, environment(name, None)));
    };
    let name = leading_name(inner);
    let after = &inner[name.len()..];
    let unclear = Some((text.len(), Reference::Foreign { name: format!("${{{name}...}}") }));
    let Some(end) = after.find('}') else { return unclear };
    let (operator, length) = (&after[..end], name.len() + end + 3);
    if name.is_empty() || operator.contains(['$', '`', '\\', '"', '\'', '{']) {
        // A command may hide in a default.
        let runs = after.contains("$(") || after.contains('`');
        return if runs { Some((text.len(), Reference::CommandOutput)) } else { unclear };
    }
    match operator {
        "" => Some((length, environment(name, None))),
        // Unset is an error with that message in the client, and an error here.
        _ if operator.starts_with(":?") => Some((length, environment(name, None))),
        _ => match operator.strip_prefix(":-") {
            Some(default) => Some((length, environment(name, Some(default)))),
            None => unclear,
        },
    }
}

#[cfg(test)]
#[path = "variables_tests.rs"]
mod tests;
