//! Typed access to the members of a lock document, with errors that name the place.

use crate::json::{Digest, Object, ParseError, Value};
use crate::text::{Charset, escape, shorten};

/// Why a document is no lock that this tool can read. The texts hold no text of the document but escaped names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("{}{}", what_it_is(.0), escape(&shorten(&.0.to_string(), 300), Charset::Unicode))]
    Json(ParseError),
    #[error("the document is {0}, not an object")]
    NotAnObject(&'static str),
    #[error("{}: {problem}", escape(&shorten(pointer, 120), Charset::Unicode))]
    Shape {
        /// JSON pointer of the offending member.
        pointer: String,
        problem: String,
    },
}

/// What no JSON parser would read is called so; the rest is JSON that the format refuses.
fn what_it_is(error: &ParseError) -> &'static str {
    if error.kind.is_well_formed_but_refused() { "" } else { "it is not valid JSON: " }
}

/// An object of the document together with its place.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub object: &'a Object,
    parent: Option<&'a Place<'a>>,
    step: &'a str,
}

impl<'a> Place<'a> {
    pub fn root(object: &'a Object) -> Self {
        Self { object, parent: None, step: "" }
    }

    /// The object under a member or index of this place.
    pub fn child(&'a self, step: &'a str, value: &'a Value) -> Result<Self, ReadError> {
        match value.as_object() {
            Some(object) => Ok(Self { object, parent: Some(self), step }),
            None => Err(self.error(step, format!("an object is required here, not {}", value.kind()))),
        }
    }

    /// An error about one member.
    pub fn error(&self, member: &str, problem: impl Into<String>) -> ReadError {
        let mut steps = vec![member];
        let mut place = Some(self);
        while let Some(at) = place {
            if at.parent.is_some() {
                steps.push(at.step);
            }
            place = at.parent;
        }
        let pointer =
            steps.iter().rev().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1"))).collect();
        ReadError::Shape { pointer, problem: problem.into() }
    }

    fn wrong(&self, member: &str, wanted: &str, value: &Value) -> ReadError {
        self.error(member, format!("{wanted} is required here, not {}", value.kind()))
    }

    /// A member that must be there; null counts as there.
    pub fn require(&self, member: &str) -> Result<&'a Value, ReadError> {
        self.object.get(member).ok_or_else(|| self.error(member, "this member is missing"))
    }

    pub fn text(&self, member: &str) -> Result<&'a str, ReadError> {
        let value = self.require(member)?;
        value.as_str().ok_or_else(|| self.wrong(member, "a string", value))
    }

    /// A member that may be missing or null.
    pub fn optional_text(&self, member: &str) -> Result<Option<String>, ReadError> {
        match self.object.get_non_null(member) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.wrong(member, "a string or null", other)),
        }
    }

    pub fn digest(&self, member: &str) -> Result<Digest, ReadError> {
        self.text(member)?
            .parse()
            .map_err(|problem: crate::json::DigestParseError| self.error(member, problem.to_string()))
    }

    pub fn array(&self, member: &str) -> Result<&'a [Value], ReadError> {
        let value = self.require(member)?;
        value.as_array().ok_or_else(|| self.wrong(member, "an array", value))
    }

    /// An array of texts that must be there.
    pub fn texts(&self, member: &str) -> Result<Vec<String>, ReadError> {
        let texts = self.array(member)?.iter().map(|item| match item {
            Value::String(text) => Ok(text.clone()),
            other => Err(self.error(member, format!("only strings may stand here, not {}", other.kind()))),
        });
        texts.collect()
    }

    /// A boolean that may be missing but not null.
    pub fn flag(&self, member: &str, default: bool) -> Result<bool, ReadError> {
        match self.object.get(member) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(member, "true or false", other)),
        }
    }
}
