//! Bytes to a document, and typed access to its members with errors that name the place.

use super::FormatError;
use crate::json::{Digest, MAX_DEPTH, Object, ParseErrorKind, ParseLimits, Value, parse, values_in};
use crate::text::{Charset, escape, shorten};

/// The largest file of a format that is read: some 25,000 ordinary tools.
pub const MAX_FORMAT_BYTES: usize = 16 << 20;

/// Parses a file whose digests stand for everything else: an object, no member twice, bounded in every way.
pub(super) fn document(bytes: &[u8]) -> Result<Object, FormatError> {
    let limits =
        ParseLimits { max_bytes: MAX_FORMAT_BYTES, max_depth: MAX_DEPTH, max_values: values_in(MAX_FORMAT_BYTES) };
    match parse(bytes, &limits) {
        Ok(Value::Object(document)) => Ok(document),
        Ok(other) => Err(FormatError::Invalid(format!("the document is {}, not an object", other.kind()))),
        Err(error) => {
            let what = if error.kind.is_well_formed_but_refused() { "" } else { "it is not valid JSON: " };
            let size = matches!(error.kind, ParseErrorKind::TooLarge { .. });
            let problem = if size { error.kind.to_string() } else { error.to_string() };
            Err(FormatError::Invalid(format!("{what}{}", shown(&problem, 300))))
        }
    }
}

/// Text of a file as a message may hold it.
pub(super) fn shown(text: &str, limit: usize) -> String {
    escape(&shorten(text, limit), Charset::Unicode)
}

/// A name of a file, in quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", shown(name, 80))
}

/// An object of the document together with its place.
#[derive(Clone)]
pub(super) struct Place<'a> {
    pub object: &'a Object,
    /// JSON pointer; raw.
    pointer: String,
}

impl<'a> Place<'a> {
    pub fn root(object: &'a Object) -> Self {
        Self { object, pointer: String::new() }
    }

    /// The place of a member or an element.
    pub fn pointer(&self, step: &str) -> String {
        format!("{}/{}", self.pointer, step.replace('~', "~0").replace('/', "~1"))
    }

    /// A problem with a member, in the words that every error about a place has.
    pub fn problem(&self, member: &str, problem: &str) -> String {
        format!("{}: {problem}", shown(&self.pointer(member), 160))
    }

    pub fn invalid(&self, member: &str, problem: &str) -> FormatError {
        FormatError::Invalid(self.problem(member, problem))
    }

    pub fn corrupt(&self, member: &str, problem: &str) -> FormatError {
        FormatError::Corrupt(self.problem(member, problem))
    }

    fn wrong(&self, member: &str, wanted: &str, value: &Value) -> FormatError {
        self.invalid(member, &format!("{wanted} is required here, not {}", value.kind()))
    }

    /// A member that must be there; null counts as there.
    pub fn require(&self, member: &str) -> Result<&'a Value, FormatError> {
        self.object.get(member).ok_or_else(|| self.invalid(member, "this member is missing"))
    }

    pub fn text(&self, member: &str) -> Result<&'a str, FormatError> {
        let value = self.require(member)?;
        value.as_str().ok_or_else(|| self.wrong(member, "a string", value))
    }

    /// A text that must not be empty.
    pub fn some_text(&self, member: &str) -> Result<&'a str, FormatError> {
        match self.text(member)? {
            "" => Err(self.invalid(member, "an empty string says nothing here")),
            text => Ok(text),
        }
    }

    /// A text that may be missing or null.
    pub fn optional_text(&self, member: &str) -> Result<Option<&'a str>, FormatError> {
        match self.object.get_non_null(member) {
            None => Ok(None),
            Some(_) => self.text(member).map(Some),
        }
    }

    pub fn integer(&self, member: &str) -> Result<i64, FormatError> {
        match self.require(member)? {
            Value::Int(int) => Ok(*int),
            other => Err(self.wrong(member, "an integer", other)),
        }
    }

    pub fn array(&self, member: &str) -> Result<&'a [Value], FormatError> {
        let value = self.require(member)?;
        value.as_array().ok_or_else(|| self.wrong(member, "an array", value))
    }

    /// The object that a member is.
    pub fn object(&self, member: &str) -> Result<Place<'a>, FormatError> {
        self.child(member, self.require(member)?)
    }

    /// The object under a member or element of this place.
    pub fn child(&self, step: &str, value: &'a Value) -> Result<Place<'a>, FormatError> {
        match value.as_object() {
            Some(object) => Ok(Place { object, pointer: self.pointer(step) }),
            None => Err(self.wrong(step, "an object", value)),
        }
    }

    /// Elements of an array that is a member.
    pub fn elements(&self, member: &str) -> Result<Vec<Place<'a>>, FormatError> {
        let list = Place { object: self.object, pointer: self.pointer(member) };
        self.array(member)?.iter().enumerate().map(|(index, value)| list.child(&index.to_string(), value)).collect()
    }

    /// `sha256:` and 64 digits.
    pub fn digest(&self, member: &str) -> Result<Digest, FormatError> {
        self.text(member)?
            .parse()
            .map_err(|problem: crate::json::DigestParseError| self.invalid(member, &problem.to_string()))
    }

    /// 64 digits.
    pub fn bare_digest(&self, member: &str) -> Result<Digest, FormatError> {
        format!("sha256:{}", self.text(member)?)
            .parse()
            .map_err(|_| self.invalid(member, "not a digest: expected 64 lower-case hexadecimal digits"))
    }
}
