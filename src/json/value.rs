//! The value a strict parse yields: member order and number spelling survive.

use indexmap::IndexMap;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// The largest magnitude of an integer token that a double holds exactly: 2^53 - 1 (SPEC.md §2.3).
pub const MAX_SAFE_INTEGER: i64 = 9_007_199_254_740_991;

/// The members of a JSON object in the order they were written; no name twice.
#[derive(Debug, Clone, Default)]
pub struct Object(Members);

/// Most objects have a handful of members, and looking through those is cheaper than keeping an index. A large one
/// must have it, or hostile sizes would make every look-up linear.
#[derive(Debug, Clone)]
enum Members {
    Few(Vec<(String, Value)>),
    Many(Box<IndexMap<String, Value>>),
}

/// The most members that are kept without an index.
const FEW: usize = 12;

impl Default for Members {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

/// A JSON value. `Int` and `Float` keep how the number was spelled: `1` is an `Int`, `1.0` and `1e0` are `Float`s.
#[derive(Debug, Clone, Default)]
pub enum Value {
    #[default]
    Null,
    Bool(bool),
    /// A token without `.`, `e` or `E`; always within ±[`MAX_SAFE_INTEGER`] when it comes from [`super::parse`].
    Int(i64),
    /// A token with `.`, `e` or `E`; always finite when it comes from [`super::parse`].
    Float(f64),
    String(String),
    Array(Vec<Value>),
    Object(Object),
}

impl Object {
    /// An object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a member, or `None` where there is no such member (a `null` member is `Some(Value::Null)`).
    pub fn get(&self, name: &str) -> Option<&Value> {
        match &self.0 {
            Members::Few(members) => members.iter().find(|(known, _)| known == name).map(|(_, value)| value),
            Members::Many(members) => members.get(name),
        }
    }

    /// The value of a member that is present and not `null`: the two mean the same in most places of the format.
    pub fn get_non_null(&self, name: &str) -> Option<&Value> {
        self.get(name).filter(|value| !matches!(value, Value::Null))
    }

    /// Whether a member of this name exists, `null` included.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets a member: at its place where the name exists, else at the end.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        let (name, value) = (name.into(), value.into());
        match &mut self.0 {
            Members::Few(members) => {
                if let Some((_, old)) = members.iter_mut().find(|(known, _)| *known == name) {
                    *old = value;
                } else if members.len() < FEW {
                    members.push((name, value));
                } else {
                    let mut many: IndexMap<_, _> = members.drain(..).collect();
                    many.insert(name, value);
                    self.0 = Members::Many(Box::new(many));
                }
            }
            Members::Many(members) => {
                members.insert(name, value);
            }
        }
    }

    /// Adds a member at the end. Its name must not be there yet: not looked for once more.
    pub(super) fn push_new(&mut self, name: String, value: Value) {
        match &mut self.0 {
            Members::Few(members) if members.len() < FEW => members.push((name, value)),
            _ => self.insert(name, value),
        }
    }

    /// Gives back the room that was kept for more members.
    pub(super) fn shrink_to_fit(&mut self) {
        match &mut self.0 {
            Members::Few(members) => members.shrink_to_fit(),
            Members::Many(members) => members.shrink_to_fit(),
        }
    }

    /// Removes a member, keeping the order of the others.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        match &mut self.0 {
            Members::Few(members) => members.iter().position(|(known, _)| known == name).map(|at| members.remove(at).1),
            Members::Many(members) => members.shift_remove(name),
        }
    }

    /// Name and value of each member, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let (few, many) = match &self.0 {
            Members::Few(members) => (Some(members), None),
            Members::Many(members) => (None, Some(members)),
        };
        let few = few.into_iter().flatten().map(|(name, value)| (name.as_str(), value));
        few.chain(many.into_iter().flat_map(|members| members.iter()).map(|(name, value)| (name.as_str(), value)))
    }

    /// Names of the members, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        match &self.0 {
            Members::Few(members) => members.len(),
            Members::Many(members) => members.len(),
        }
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        let mut object = Self::new();
        for (name, value) in members {
            object.insert(name, value);
        }
        object
    }
}

/// Two objects are equal when they have the same members, in whatever order.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Value {
    /// The text of a string value.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of an array value.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members of an object value.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The value of an object's member; `None` for anything that is not an object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object().and_then(|object| object.get(name))
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The number as a double, for either spelling.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            // Exact: within ±2^53.
            Self::Int(int) => Some(*int as f64),
            Self::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// What the value is, in JSON's own words, for error messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::Float(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

/// JSON equality: booleans never equal numbers, `1` equals `1.0`, member order does not matter (SPEC.md §16.4).
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => a == b,
            (Self::Int(_) | Self::Float(_), Self::Int(_) | Self::Float(_)) => self.as_f64() == other.as_f64(),
            _ => false,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl From<Object> for Value {
    fn from(value: Object) -> Self {
        Self::Object(value)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(value: Vec<T>) -> Self {
        Self::Array(value.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::String(value) => serializer.serialize_str(value),
            Self::Array(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Self::Object(object) => object.serialize(serializer),
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
