//! What to write instead. Secrets in what is repeated are redacted; what is from a file is quoted.

use super::shown;
use crate::checks::redact_argv;
use crate::clients::{ClientId, VariableSyntax, clients};
use crate::text::{Charset, escape, quote_argv};

/// Characters of a command line that is repeated whole.
const MAX_COMMAND: usize = 400;

/// Characters that mean something to a shell.
const META: &str = "|&;<>()$`\\\"'*?[]#~%{}\n";

/// A command line with another package, or the package alone where that would be too long.
pub(super) fn with_package(words: &[&str], old: &str, new: &str) -> String {
    let exact = words.contains(&old);
    let replaced = redact_argv(words).into_iter().map(|word| match exact {
        true if word == old => new.to_owned(),
        true => word,
        false => word.replace(old, new),
    });
    let line = quote_argv(replaced);
    match line.chars().count() <= MAX_COMMAND {
        // A specification with a password in it was redacted, and so is not found again.
        true if line.contains(new) => line,
        _ => shown(&redact_argv(&[new]).concat()),
    }
}

/// The command that a shell was given, where it is a single one.
pub(super) fn without_shell(command: &[&str]) -> String {
    let line = match command {
        [text] if text.contains(char::is_whitespace) => {
            let words: Vec<&str> = text.split_whitespace().collect();
            quote_argv(redact_argv(&words))
        }
        words => quote_argv(redact_argv(words)),
    };
    let is_plain = !command.is_empty() && !command.iter().any(|word| word.contains(|c| META.contains(c)));
    match is_plain && line.chars().count() <= MAX_COMMAND {
        true => line,
        false => "the program itself, or a script of the repository that is started by its path".to_owned(),
    }
}

/// How a client refers to an environment variable; `None` where it does not.
pub(super) fn reference(client: Option<ClientId>, variable: &str) -> Option<String> {
    let Some(client) = client else { return Some(format!("${{{variable}}}")) };
    let row = clients().find(|row| row.id == client)?;
    let syntaxes = row.locations.iter().map(|location| location.dialect.variables);
    syntaxes.flatten().find_map(|syntax| match syntax {
        VariableSyntax::Braced | VariableSyntax::Shell => Some(format!("${{{variable}}}")),
        VariableSyntax::Bare => Some(format!("${variable}")),
        VariableSyntax::EnvColon => Some(format!("${{env:{variable}}}")),
        VariableSyntax::CurlyEnv => Some(format!("{{env:{variable}}}")),
        VariableSyntax::Secrets => Some(format!("${{{{ secrets.{variable} }}}}")),
        _ => None,
    })
}

/// A reference in the place of a value.
pub(super) fn reference_instead(client: Option<ClientId>, name: &str) -> String {
    let variable = variable(name);
    match (reference(client, &variable), client) {
        (Some(reference), _) => format!("{reference} in its place"),
        (None, Some(client)) => {
            let client = escape(client.name(), Charset::Unicode);
            format!("no value here: set {variable} in the environment that {client} is started in")
        }
        (None, None) => format!("no value here: set {variable} in the environment"),
    }
}

pub(super) fn header_instead(client: Option<ClientId>) -> String {
    match reference(client, "TOKEN") {
        Some(reference) => {
            format!("\"headers\": {{\"Authorization\": \"Bearer {reference}\"}}, and the URL without it")
        }
        None => "the URL without it, and the secret in a header".to_owned(),
    }
}

/// The name of a variable for what an option or header is given.
fn variable(name: &str) -> String {
    let bare = name.trim_start_matches('-');
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let name: String = bare.chars().take(60).map(letter).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// A way to start the program of a text with spaces: program and arguments apart, as JSON.
pub(super) fn split_command(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let redacted = redact_argv(&words);
    let quoted = |word: &String| format!("\"{}\"", shown(word).replace('"', "\\\""));
    let mut words = redacted.iter().map(quoted);
    let first = words.next().unwrap_or_default();
    let rest = words.collect::<Vec<_>>().join(", ");
    format!("\"command\": {first}, \"args\": [{rest}]")
}

/// An option of the command line and its value, in one word where the value could be taken for an option.
pub(super) fn option(name: &str, value: &str) -> Vec<String> {
    match value.starts_with('-') {
        true => vec![format!("{name}={value}")],
        false => vec![name.to_owned(), value.to_owned()],
    }
}
