//! From one entry of a document to what its client would start or ask.

mod command;
mod fields;
mod remote;
mod switches;

use super::document::Node;
use super::layout::URLS;
use super::model::{Shape, ToolFilter, Written};
use super::problem::{Need, NeedKind, Problem, Reason, Shown};
use super::table::{CommandForm, Dialect, TransportKind, Typeless};
use super::template::Reference;
use super::{document::Position, document::Value};
use fields::{repeated, text};
use std::collections::HashSet;

pub(super) use switches::switched_off;

/// What surrounds an entry.
pub(super) struct Surroundings<'c> {
    pub dialect: &'static Dialect,
    /// The ids of the file's inputs.
    pub inputs: &'c HashSet<String>,
}

/// An entry as one client reads it.
#[derive(Debug)]
pub(super) struct Draft {
    pub shape: Shape,
    pub tools: ToolFilter,
    pub problems: Vec<Problem>,
    pub needs: Vec<Need>,
    pub disabled: Option<Position>,
}

impl Draft {
    /// What can be said about an entry that nobody reads.
    pub fn empty() -> Self {
        let shape = Shape::NotReadable(Reason::NotAnObject);
        let tools = ToolFilter::default();
        Self { shape, tools, problems: Vec::new(), needs: Vec::new(), disabled: None }
    }
}

/// What an entry's type says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Local,
    Remote(TransportKind),
    Registry,
    BuiltIn,
    InlineCode,
}

fn type_of(word: &str, extensions: bool) -> Result<Type, Reason> {
    Ok(match word {
        "stdio" | "local" => Type::Local,
        "http" | "streamable-http" | "streamableHttp" | "streamable_http" | "streamable" => {
            Type::Remote(TransportKind::Http)
        }
        "sse" => Type::Remote(TransportKind::Sse),
        "ws" | "websocket" => Type::Remote(TransportKind::WebSocket),
        "remote" => Type::Remote(TransportKind::Auto),
        "registry" => Type::Registry,
        "builtin" | "platform" | "frontend" if extensions => Type::BuiltIn,
        "inline_python" if extensions => Type::InlineCode,
        _ => return Err(Reason::UnknownType),
    })
}

/// Reads an entry. Whatever is wrong with it stays in it.
pub(super) fn draft(name: &str, node: &Node<'_>, around: &Surroundings<'_>) -> Draft {
    let mut draft = Draft { tools: switches::tools(node, around.dialect), ..Draft::empty() };
    draft.disabled = switches::flag(node, around.dialect.off, &mut draft.problems);
    if around.dialect.reserved.contains(&name) {
        draft.problems.push(Problem::ReservedName);
    }
    draft.shape = shape(node, around, &mut draft).unwrap_or_else(Shape::NotReadable);
    draft.needs = command::helpers(node);
    needs(&mut draft, around);
    draft
}

fn shape(node: &Node<'_>, around: &Surroundings<'_>, draft: &mut Draft) -> Result<Shape, Reason> {
    let dialect = around.dialect;
    match &node.value {
        Value::Map(_) => {}
        Value::Text(_) => return Err(Reason::Reference),
        _ => return Err(Reason::NotAnObject),
    }
    repeated(node, "")?;
    if node.get("<<").is_some() {
        return Err(Reason::MergeKey);
    }
    // Some files keep what is needed for the connection one level deeper.
    let inner = node.get("transport").filter(|transport| transport.is_map()).unwrap_or(node);
    repeated(inner, "transport.")?;
    let kind = match ["type", "transport", "transportType"].iter().find_map(|name| Some((*name, inner.get(name)?))) {
        Some((name, word)) => Some(type_of(&text(word, name)?, dialect.extensions)?),
        None => None,
    };
    match kind {
        Some(Type::Registry) => return Err(Reason::Registry),
        Some(Type::BuiltIn) => return Err(Reason::BuiltIn),
        Some(Type::InlineCode) => return Err(Reason::InlineCode),
        Some(Type::Local | Type::Remote(_)) | None => {}
    }
    let command = inner.get(dialect.command);
    let url = url_of(inner, dialect, command.is_some(), &mut draft.problems);
    if dialect.type_required && kind.is_none() && (command.is_some() || url.is_some()) {
        draft.problems.push(Problem::TypeRequired);
    }
    match (command, url) {
        (Some(_), Some(_)) if !dialect.url_wins => Err(Reason::BothCommandAndUrl),
        (_, Some((url, fixed))) => {
            let kind = match (fixed, kind) {
                (_, Some(Type::Local)) => return Err(Reason::TypeWithoutCommand),
                (Some(fixed), _) => fixed,
                (None, Some(Type::Remote(kind))) => kind,
                (None, _) => match dialect.typeless {
                    Typeless::Is(kind) => kind,
                    Typeless::Refused => {
                        draft.problems.push(Problem::UrlWithoutType);
                        TransportKind::Auto
                    }
                },
            };
            if dialect.extensions && kind == TransportKind::Sse {
                draft.problems.push(Problem::RetiredTransport);
            }
            remote::read(inner, url, kind, dialect, &mut draft.problems).map(Shape::Remote)
        }
        (Some(_), None) if matches!(kind, Some(Type::Remote(_))) => Err(Reason::TypeWithoutUrl),
        (Some(command), None) => command::read(inner, command, dialect, &mut draft.problems).map(Shape::Stdio),
        (None, None) => Err(without_both(node, kind, dialect)),
    }
}

/// The URL of an entry, and the transport that its member stands for.
fn url_of<'n, 'a>(
    node: &'n Node<'a>,
    dialect: &Dialect,
    has_command: bool,
    problems: &mut Vec<Problem>,
) -> Option<(&'n Node<'a>, Option<TransportKind>)> {
    if let Some(own) = dialect.urls.iter().find_map(|(name, kind)| Some((node.get(name)?, *kind))) {
        return Some(own);
    }
    // A client that does not know the member starts the command.
    let (name, foreign) = URLS.iter().filter(|_| !has_command).find_map(|name| Some((*name, node.get(name)?)))?;
    problems.push(Problem::ForeignMember(Shown::new(name)));
    Some((foreign, None))
}

fn without_both(node: &Node<'_>, kind: Option<Type>, dialect: &Dialect) -> Reason {
    let source = node.get("source").and_then(Node::text);
    match kind {
        _ if node.get("uses").is_some() => Reason::Reference,
        _ if dialect.command_form == CommandForm::TextOrObject
            && (source == Some("extension") || node.get("settings").is_some()) =>
        {
            Reason::Extension
        }
        Some(Type::Local) => Reason::TypeWithoutCommand,
        Some(Type::Remote(_)) => Reason::TypeWithoutUrl,
        _ if dialect.patches && !node.members().is_empty() => Reason::Patch,
        _ => Reason::NeitherCommandNorUrl,
    }
}

/// What an entry holds that only its client can know.
fn needs(draft: &mut Draft, around: &Surroundings<'_>) {
    let mut values: Vec<(String, &Written)> = Vec::new();
    let settings = match &draft.shape {
        Shape::NotReadable(_) => return,
        Shape::Stdio(stdio) => {
            values.push((around.dialect.command.to_owned(), &stdio.command));
            values.extend(stdio.args.iter().enumerate().map(|(at, word)| (format!("args[{at}]"), word)));
            values.extend(stdio.cwd.iter().map(|cwd| (around.dialect.cwd.to_owned(), cwd)));
            &stdio.env
        }
        Shape::Remote(remote) => {
            values.push(("url".to_owned(), &remote.url));
            &remote.headers
        }
    };
    let values = values.into_iter().map(|(member, written)| (member, &written.value, written.at));
    let settings = settings.iter().map(|setting| (setting.name.clone(), &setting.value, setting.at));
    for (member, value, at) in values.chain(settings) {
        for reference in value.references() {
            let kind = match reference {
                Reference::CommandOutput => NeedKind::RunsCommand,
                Reference::FileContents => NeedKind::ReadsFile,
                Reference::Input { id } => {
                    if around.dialect.asks_for_inputs() && !around.inputs.contains(&id) {
                        draft.problems.push(Problem::NoSuchInput(Shown::new(id)));
                    }
                    NeedKind::AsksUser
                }
                _ => continue,
            };
            draft.needs.push(Need { kind, member: Shown::new(member.clone()), at });
        }
    }
}
