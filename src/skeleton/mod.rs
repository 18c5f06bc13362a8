//! The structural skeleton of a schema, and what changed between two of them (SPEC.md §9, §16.4).
//!
//! Pure: schema in, records out; records in, changes out.

mod change;
mod compare;
mod extract;
mod reference;

pub use change::{BoundChange, Change, Fact, TypeChange};
pub use compare::compare;
pub use extract::{Budget, BudgetExceeded, References, extract};

use crate::json::{Object, Value};
use std::collections::BTreeMap;

/// The path under which the root of a schema stands.
pub const ROOT_PATH: &str = "$root";

/// One record per dotted property path, in code-point order of the paths.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skeleton {
    pub records: BTreeMap<String, Record>,
}

/// What the format keeps of one schema node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// Type words, sorted, without repetition; `None` where the schema names none.
    pub types: Option<Vec<String>>,
    pub required: bool,
    /// Members in the order of SPEC.md §9.6.
    pub members: Option<Vec<Value>>,
    /// The seven kept keywords, or the one marker of a leaf (`$ref`, `_truncated`); sorted by name where extracted.
    pub constraints: Object,
}

impl Record {
    /// A constraint that is present and not `null`.
    pub fn constraint(&self, name: &str) -> Option<&Value> {
        self.constraints.get(name).filter(|value| !value.is_null())
    }

    /// Whether members of other names than the declared ones are refused.
    pub fn is_closed(&self) -> bool {
        self.constraints.get("additionalProperties").is_some_and(|value| matches!(value, Value::Bool(false)))
    }

    /// Nothing narrows the value: no enum, no pattern, no length bound, and no type but text or object
    /// (SPEC.md §16.4).
    pub fn is_unconstrained(&self) -> bool {
        self.members.as_ref().is_none_or(Vec::is_empty)
            && self.constraint("pattern").is_none()
            && self.constraint("maxLength").is_none()
            && self.types.iter().flatten().all(|word| word == "string" || word == "object")
    }
}

/// The form in which skeletons are hashed and stored (SPEC.md §9.1, member order of §12.3).
impl From<&Skeleton> for Value {
    fn from(skeleton: &Skeleton) -> Self {
        let props: Object =
            skeleton.records.iter().map(|(path, record)| (path.as_str(), Value::from(record))).collect();
        [("props", props)].into_iter().collect::<Object>().into()
    }
}

impl From<&Record> for Value {
    fn from(record: &Record) -> Self {
        let mut object = Object::new();
        object.insert("type", record.types.clone());
        object.insert("required", record.required);
        object.insert("enum", record.members.clone());
        object.insert("constraints", record.constraints.clone());
        object.into()
    }
}
