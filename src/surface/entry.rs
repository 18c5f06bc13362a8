//! The three kinds of entries and the types that the format asks of their members (SPEC.md §5).

use crate::json::{Object, Value};
use crate::text::{Charset, escape, shorten};
use std::collections::HashSet;

/// One of the three pinned lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    Tools,
    Resources,
    Prompts,
}

impl Section {
    /// All of them, in the order in which they are asked for and stored.
    pub const ALL: [Self; 3] = [Self::Tools, Self::Resources, Self::Prompts];

    /// The member of a lock or list result that holds the entries; also the first part of a target.
    pub fn key(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Prompts => "prompts",
        }
    }

    /// The member of an entry that is its identity.
    pub fn identity(self) -> &'static str {
        match self {
            Self::Tools | Self::Prompts => "name",
            Self::Resources => "uri",
        }
    }

    /// One entry of the section, as a noun.
    pub fn singular(self) -> &'static str {
        match self {
            Self::Tools => "tool",
            Self::Resources => "resource",
            Self::Prompts => "prompt",
        }
    }
}

/// The target text of an entry: section, slash, raw identity.
pub fn entry_target(section: Section, identity: &str) -> String {
    format!("{}/{identity}", section.key())
}

/// An entry that cannot be pinned. Texts from the server are escaped in the messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SurfaceError {
    #[error("{} is {kind}, not an array", section.key())]
    SectionNotArray { section: Section, kind: &'static str },
    #[error("{}/{index} is {kind}, not an object", section.key())]
    EntryNotObject { section: Section, index: usize, kind: &'static str },
    #[error("{}/{index} has no {} (a string is required)", section.key(), section.identity())]
    NoIdentity { section: Section, index: usize },
    #[error("{} {}: {member} is {kind}; {expected} is required", section.singular(), quoted(identity))]
    WrongType { section: Section, identity: String, member: &'static str, kind: &'static str, expected: &'static str },
    #[error("{} {} is declared twice", section.singular(), quoted(identity))]
    Repeated { section: Section, identity: String },
}

fn quoted(identity: &str) -> String {
    format!("\"{}\"", escape(&shorten(identity, 80), Charset::Unicode))
}

pub(super) fn refuse_repeated<'a>(
    section: Section,
    identities: impl Iterator<Item = &'a str>,
) -> Result<(), SurfaceError> {
    let mut seen = HashSet::new();
    for identity in identities {
        if !seen.insert(identity) {
            return Err(SurfaceError::Repeated { section, identity: identity.to_owned() });
        }
    }
    Ok(())
}

/// The raw object of an entry whose identity is known to be a string.
#[derive(Debug, Clone)]
struct Raw {
    section: Section,
    object: Object,
}

impl Raw {
    fn new(section: Section, index: usize, raw: Value) -> Result<Self, SurfaceError> {
        let object = match raw {
            Value::Object(object) => object,
            other => return Err(SurfaceError::EntryNotObject { section, index, kind: other.kind() }),
        };
        match object.get(section.identity()) {
            Some(Value::String(_)) => Ok(Self { section, object }),
            _ => Err(SurfaceError::NoIdentity { section, index }),
        }
    }

    fn identity(&self) -> &str {
        self.text(self.section.identity()).unwrap_or_default()
    }

    fn text(&self, member: &str) -> Option<&str> {
        self.object.get(member).and_then(Value::as_str)
    }

    fn wrong(&self, member: &'static str, value: &Value, expected: &'static str) -> SurfaceError {
        SurfaceError::WrongType {
            section: self.section,
            identity: self.identity().to_owned(),
            member,
            kind: value.kind(),
            expected,
        }
    }

    /// Refuses a member that is present, not `null`, and not what `is` accepts.
    fn require(
        &self,
        member: &'static str,
        expected: &'static str,
        is: fn(&Value) -> bool,
    ) -> Result<(), SurfaceError> {
        match self.object.get_non_null(member) {
            Some(value) if !is(value) => Err(self.wrong(member, value, expected)),
            _ => Ok(()),
        }
    }
}

fn is_string(value: &Value) -> bool {
    matches!(value, Value::String(_))
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Object(_))
}

/// A tool as the server sent it.
#[derive(Debug, Clone)]
pub struct Tool(Raw);

impl Tool {
    /// `index` is the entry's place in its list, for errors.
    ///
    /// # Errors
    /// No name, or a `description`, `annotations` or `outputSchema` of a wrong type.
    pub fn new(index: usize, raw: Value) -> Result<Self, SurfaceError> {
        let raw = Raw::new(Section::Tools, index, raw)?;
        raw.require("description", "a string or null", is_string)?;
        raw.require("annotations", "an object or null", is_object)?;
        raw.require("outputSchema", "an object or null", is_object)?;
        Ok(Self(raw))
    }

    pub fn name(&self) -> &str {
        self.0.identity()
    }

    /// Absent and `null` are both `None`.
    pub fn description(&self) -> Option<&str> {
        self.0.text("description")
    }

    /// Absent and `null` are both `None`. Any type: see [`super::Surface::require_object_schemas`].
    pub fn input_schema(&self) -> Option<&Value> {
        self.0.object.get_non_null("inputSchema")
    }

    /// Absent and `null` are both `None`; otherwise an object.
    pub fn annotations(&self) -> Option<&Value> {
        self.0.object.get_non_null("annotations")
    }

    /// Absent and `null` are both `None`; otherwise an object.
    pub fn output_schema(&self) -> Option<&Value> {
        self.0.object.get_non_null("outputSchema")
    }

    /// Every member as it was sent.
    pub fn raw(&self) -> &Object {
        &self.0.object
    }

    pub(super) fn require_object_schema(&self) -> Result<(), SurfaceError> {
        self.0.require("inputSchema", "an object or null", is_object)
    }
}

/// A resource as the server sent it.
#[derive(Debug, Clone)]
pub struct Resource(Raw);

impl Resource {
    /// `index` is the entry's place in its list, for errors.
    ///
    /// # Errors
    /// No uri, or a `name`, `description` or `mimeType` of a wrong type.
    pub fn new(index: usize, raw: Value) -> Result<Self, SurfaceError> {
        let raw = Raw::new(Section::Resources, index, raw)?;
        for member in ["name", "description", "mimeType"] {
            raw.require(member, "a string or null", is_string)?;
        }
        Ok(Self(raw))
    }

    pub fn uri(&self) -> &str {
        self.0.identity()
    }

    pub fn name(&self) -> Option<&str> {
        self.0.text("name")
    }

    pub fn description(&self) -> Option<&str> {
        self.0.text("description")
    }

    pub fn mime_type(&self) -> Option<&str> {
        self.0.text("mimeType")
    }

    /// Every member as it was sent.
    pub fn raw(&self) -> &Object {
        &self.0.object
    }
}

/// A prompt as the server sent it.
#[derive(Debug, Clone)]
pub struct Prompt(Raw);

impl Prompt {
    /// `index` is the entry's place in its list, for errors.
    ///
    /// # Errors
    /// No name, or a `description` or `arguments` of a wrong type (an array with anything but objects included).
    pub fn new(index: usize, raw: Value) -> Result<Self, SurfaceError> {
        let raw = Raw::new(Section::Prompts, index, raw)?;
        raw.require("description", "a string or null", is_string)?;
        raw.require("arguments", "an array of objects or null", |value| {
            value.as_array().is_some_and(|items| items.iter().all(is_object))
        })?;
        Ok(Self(raw))
    }

    pub fn name(&self) -> &str {
        self.0.identity()
    }

    pub fn description(&self) -> Option<&str> {
        self.0.text("description")
    }

    /// Absent and `null` are both `None`; otherwise an array of objects.
    pub fn arguments(&self) -> Option<&Value> {
        self.0.object.get_non_null("arguments")
    }

    /// Every member as it was sent.
    pub fn raw(&self) -> &Object {
        &self.0.object
    }
}
