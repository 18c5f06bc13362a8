//! Values as they are written, with their variables kept as references. Nothing here is looked up, read or run by itself.

use super::table::VariableSyntax;
use super::variables;
use std::fmt;

/// A text of a configuration file, and the ways in which its client writes variables.
///
/// The text may hold a secret, so `{:?}` does not show it. Two of them are equal if they say the same, whatever their
/// clients' ways to write it.
#[derive(Clone)]
pub struct Template {
    source: Source,
}

#[derive(Clone)]
enum Source {
    Written {
        text: String,
        syntaxes: &'static [VariableSyntax],
    },
    /// The file names a variable where others write a reference to it.
    Variable {
        before: String,
        name: String,
        after: String,
    },
}

/// A piece of a value.
#[derive(Clone, PartialEq, Eq)]
pub enum Part {
    Literal(String),
    Reference(Reference),
}

/// Something that stands for another text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// An environment variable; the default counts where it is unset or empty.
    Environment { name: String, default: Option<SecretText> },
    /// A value from the client's own store of secrets.
    Secret { name: String },
    /// `workspaceFolder`, `userHome` and the like, by the name that the client gives them.
    Folder { name: String },
    /// A value that the user is asked for.
    Input { id: String },
    /// A setting of the client.
    Setting { name: String },
    /// A parameter of a template file.
    Parameter { name: String },
    /// What a file holds.
    FileContents,
    /// What a command prints.
    CommandOutput,
    /// It looks like a reference, but this client does not know it: it would reach the server as it is written.
    Foreign { name: String },
}

/// A text that `{:?}` does not show.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(pub String);

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} bytes>", self.0.len())
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.parts()).finish()
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => write!(f, "<{} bytes>", text.len()),
            Self::Reference(reference) => reference.fmt(f),
        }
    }
}

/// Why a value cannot be known. Names come from the file and are not escaped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotExpand {
    #[error("the variable {name} is not set and has no default")]
    Unset { name: String },
    #[error("{name} comes from the client's store of secrets")]
    Secret { name: String },
    #[error("the client asks its user for {id}")]
    Asks { id: String },
    #[error("{name} is known to the client only")]
    ClientOnly { name: String },
    #[error("the value is what a command prints, and warden runs no command to learn a value")]
    RunsCommand,
    #[error("the value is what a file holds, and warden opens no file to learn a value")]
    ReadsFile,
    #[error("the client does not replace {name} here; the server would get it as it is written")]
    Foreign { name: String },
}

impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Template {}

/// The variables of `warden.toml`.
const SETTINGS: &[VariableSyntax] = &[VariableSyntax::Braced, VariableSyntax::Default];

impl Template {
    /// A text of `warden.toml`: `${NAME}` and `${NAME:-default}` are variables.
    pub fn of_settings(text: &str) -> Self {
        Self::new(text, SETTINGS)
    }

    pub(super) fn new(text: impl Into<String>, syntaxes: &'static [VariableSyntax]) -> Self {
        Self { source: Source::Written { text: text.into(), syntaxes } }
    }

    /// The value of a variable, with fixed texts around it.
    pub(super) fn of_variable(before: &str, name: &str, after: &str) -> Self {
        let source = Source::Variable { before: before.to_owned(), name: name.to_owned(), after: after.to_owned() };
        Self { source }
    }

    /// The text as it stands in the file; for a variable that the file only names, `None`.
    ///
    /// It may hold a secret.
    pub fn written(&self) -> Option<&str> {
        match &self.source {
            Source::Written { text, .. } => Some(text),
            Source::Variable { .. } => None,
        }
    }

    /// The value in pieces. Neighbouring literals are one piece; an empty text has none.
    pub fn parts(&self) -> Vec<Part> {
        match &self.source {
            Source::Written { text, syntaxes } => variables::parts(text, syntaxes),
            Source::Variable { before, name, after } => {
                let literal = |text: &String| (!text.is_empty()).then(|| Part::Literal(text.clone()));
                let reference = Reference::Environment { name: name.clone(), default: None };
                literal(before).into_iter().chain([Part::Reference(reference)]).chain(literal(after)).collect()
            }
        }
    }

    /// The text with its references in one spelling, whatever client wrote them: `${NAME}` and the like. It may hold a
    /// secret.
    pub fn canonical(&self) -> String {
        let text = |part: Part| match part {
            Part::Literal(text) => text,
            Part::Reference(reference) => reference.canonical(),
        };
        self.parts().into_iter().map(text).collect()
    }

    /// The same with `*` for defaults, which may be secrets: for showing.
    pub fn without_defaults(&self) -> String {
        let text = |part: Part| match part {
            Part::Literal(text) => text,
            Part::Reference(Reference::Environment { name, default: Some(_) }) => format!("${{{name}:-*}}"),
            Part::Reference(reference) => reference.canonical(),
        };
        self.parts().into_iter().map(text).collect()
    }

    /// The same with a `*` for each literal piece, and without defaults: fit to be stored.
    pub fn masked(&self) -> String {
        let text = |part: Part| match part {
            Part::Literal(_) => "*".to_owned(),
            Part::Reference(Reference::Environment { name, default: Some(_) }) => format!("${{{name}:-*}}"),
            Part::Reference(reference) => reference.canonical(),
        };
        self.parts().into_iter().map(text).collect()
    }

    /// Everything that stands for another text, in order.
    pub fn references(&self) -> impl Iterator<Item = Reference> + use<> {
        self.parts().into_iter().filter_map(|part| match part {
            Part::Reference(reference) => Some(reference),
            Part::Literal(_) => None,
        })
    }
}

impl Reference {
    /// One spelling for all clients.
    pub fn canonical(&self) -> String {
        match self {
            Self::Environment { name, default: None } => format!("${{{name}}}"),
            Self::Environment { name, default: Some(default) } => format!("${{{name}:-{}}}", default.0),
            Self::Secret { name } => format!("${{{{ secrets.{name} }}}}"),
            Self::Folder { name } => format!("${{{name}}}"),
            Self::Input { id } => format!("${{input:{id}}}"),
            Self::Setting { name } => format!("${{config:{name}}}"),
            Self::Parameter { name } => format!("{{{{ {name} }}}}"),
            Self::FileContents => "${file:...}".to_owned(),
            Self::CommandOutput => "$(...)".to_owned(),
            Self::Foreign { name } => name.clone(),
        }
    }
}

/// The value of a template as its client would hand it to the server.
///
/// `lookup` answers for environment variables, and for whatever else the caller knows: folders, a secret, an input. A
/// reference without an answer and without a default is an error, never an empty text; what only a command or a file
/// can tell is not even asked for.
///
/// # Errors
/// The first reference that cannot be replaced.
pub fn expand(template: &Template, lookup: &dyn Fn(&Reference) -> Option<String>) -> Result<String, CannotExpand> {
    let mut out = String::new();
    for part in template.parts() {
        match part {
            Part::Literal(text) => out.push_str(&text),
            Part::Reference(reference) => out.push_str(&value(reference, lookup)?),
        }
    }
    Ok(out)
}

fn value(reference: Reference, lookup: &dyn Fn(&Reference) -> Option<String>) -> Result<String, CannotExpand> {
    if matches!(reference, Reference::FileContents) {
        return Err(CannotExpand::ReadsFile);
    }
    if matches!(reference, Reference::CommandOutput) {
        return Err(CannotExpand::RunsCommand);
    }
    let answer = lookup(&reference);
    if let Reference::Environment { default: Some(default), .. } = &reference {
        return Ok(answer.filter(|text| !text.is_empty()).unwrap_or_else(|| default.0.clone()));
    }
    answer.ok_or(match reference {
        Reference::Environment { name, .. } => CannotExpand::Unset { name },
        Reference::Secret { name } => CannotExpand::Secret { name },
        Reference::Input { id } => CannotExpand::Asks { id },
        Reference::Folder { name } | Reference::Setting { name } | Reference::Parameter { name } => {
            CannotExpand::ClientOnly { name }
        }
        Reference::Foreign { name } => CannotExpand::Foreign { name },
        Reference::FileContents => CannotExpand::ReadsFile,
        Reference::CommandOutput => CannotExpand::RunsCommand,
    })
}
