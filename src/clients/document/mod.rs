//! A configuration file as a tree that knows where everything stands, whatever syntax it was written in.
//!
//! Unlike `crate::json` this reads what other programs read: comments, TOML, YAML. Nothing of it is hashed. Members keep
//! their order and their repetitions, because a reviewer and a client may look at different ones of two equal names.
//! Depth is bounded, so the walks over a tree may call themselves.

mod front_matter;
mod json;
mod lines;
mod toml;
mod yaml;

use super::table::Syntax;
use lines::Lines;
use std::borrow::Cow;

/// How deep values may be nested. The deepest settings that people write stay below 20.
pub(super) const MAX_DEPTH: usize = 128;

/// A place in a file; lines and columns (in characters) count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl Position {
    /// Where a file begins: the place of what has no better one.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// A value and where it begins.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    pub at: Position,
    pub value: Value<'a>,
}

#[derive(Debug, Clone)]
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    /// As it is spelled.
    Number(Cow<'a, str>),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Map(Vec<Member<'a>>),
    /// A date, a tagged value: nothing that a server's entry is made of.
    Other,
}

/// A member of a map; `at` is the place of its name.
#[derive(Debug, Clone)]
pub(super) struct Member<'a> {
    pub name: Cow<'a, str>,
    pub at: Position,
    pub node: Node<'a>,
}

impl<'a> Node<'a> {
    pub fn members(&self) -> &[Member<'a>] {
        match &self.value {
            Value::Map(members) => members,
            _ => &[],
        }
    }

    /// Every member of that name; more than one where the file repeats it.
    pub fn all<'n>(&'n self, name: &str) -> impl Iterator<Item = &'n Member<'a>> {
        self.members().iter().filter(move |member| member.name == name)
    }

    /// The last member of that name that is not null: what most parsers keep.
    pub fn get(&self, name: &str) -> Option<&Node<'a>> {
        self.members()
            .iter()
            .rev()
            .map(|member| (member, &member.node))
            .find_map(|(member, node)| (member.name == name && !matches!(node.value, Value::Null)).then_some(node))
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> &[Node<'a>] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Whether two values say the same, wherever they stand.
    pub fn says_the_same(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) | (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.says_the_same(b)),
            (Value::Map(a), Value::Map(b)) => {
                let same = |(a, b): (&Member<'a>, &Member<'a>)| a.name == b.name && a.node.says_the_same(&b.node);
                a.len() == b.len() && a.iter().zip(b).all(same)
            }
            _ => false,
        }
    }

    pub fn is_map(&self) -> bool {
        matches!(self.value, Value::Map(_))
    }
}

/// Why a text is no document: where, and what its parser says. `cause` may quote the file and is not escaped.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub at: Position,
    pub cause: String,
}

const TOO_DEEP: &str = "values are nested too deeply";

/// Reads a text leniently: all JSON spellings that any client takes count as one language.
pub(super) fn parse(text: &str, syntax: Syntax) -> Result<Node<'_>, Unreadable> {
    match syntax {
        Syntax::Json | Syntax::JsonComments | Syntax::Jsonc | Syntax::Json5 => json::parse(text),
        Syntax::Toml => toml::parse(text),
        Syntax::Yaml => yaml::parse(text, 0),
        Syntax::FrontMatter => front_matter::parse(text),
        Syntax::Script => {
            Err(Unreadable { at: Position::START, cause: "a script cannot be read without running it".into() })
        }
    }
}

/// What a client of that syntax would refuse in a text that [`parse`] took.
pub(super) fn strictly(text: &str, syntax: Syntax) -> Result<(), Unreadable> {
    match syntax {
        Syntax::Json | Syntax::JsonComments | Syntax::Jsonc | Syntax::Json5 => json::strictly(text, syntax),
        // Their languages have one strength only, and it was read already.
        Syntax::Toml | Syntax::Yaml | Syntax::FrontMatter | Syntax::Script => Ok(()),
    }
}

/// Where a byte of a text stands.
pub(super) fn position(text: &str, offset: usize) -> Position {
    Lines::new(text).position(offset)
}
