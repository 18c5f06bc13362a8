//! Schema to skeleton (SPEC.md §9.2 to §9.7).

use super::reference::{PointerError, resolve};
use super::{ROOT_PATH, Record, Skeleton};
use crate::json::{Object, Value, enum_text, python_str};
use std::collections::BTreeMap;

/// Nodes deeper than this are truncated leaves.
const MAX_NODE_DEPTH: usize = 64;
/// References followed on one walk path before the next one is an opaque leaf.
const MAX_FOLLOWED: usize = 256;
/// Kept as `true` where it is absent.
const ADDITIONAL_PROPERTIES: &str = "additionalProperties";
/// The keywords whose values are kept, besides type, required and enum; sorted.
const KEPT: [&str; 7] = [ADDITIONAL_PROPERTIES, "format", "maxLength", "maximum", "minLength", "minimum", "pattern"];

/// Whether references are followed. Levels 1 and 2 of the format never did (SPEC.md §7.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum References {
    Follow,
    Opaque,
}

/// What the skeletons of one tool may cost, input and output schema together (SPEC.md §9.7). Definitions that use
/// each other twice double per level, so that a kilobyte of schema can ask for gigabytes.
#[derive(Debug, Clone)]
pub struct Budget {
    records: usize,
    bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { records: Self::RECORDS, bytes: Self::BYTES }
    }
}

/// A schema whose skeleton passes the budget. It is refused, never cut: cutting would change a digest silently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the schema expands to more than {} records or {} MiB; warden refuses to pin it", Budget::RECORDS, Budget::BYTES >> 20)]
pub struct BudgetExceeded;

impl Budget {
    /// Records written, overwritten ones included.
    pub const RECORDS: usize = 20_000;
    /// Bytes of paths, enum members and constraint values, and of lists and references read on the way.
    pub const BYTES: usize = 8 << 20;

    /// What was spent so far: records and bytes.
    pub fn spent(&self) -> (usize, usize) {
        (Self::RECORDS - self.records, Self::BYTES - self.bytes)
    }

    fn spend(&mut self, path: &str, record: &Record) -> Result<(), BudgetExceeded> {
        let values = record.members.iter().flatten().chain(record.constraints.iter().map(|(_, value)| value));
        let bytes = path.len() + values.map(text_size).sum::<usize>();
        self.records = self.records.checked_sub(1).ok_or(BudgetExceeded)?;
        self.charge(bytes)
    }

    /// Pays for text that is read again at each use of a shared definition without being kept.
    fn charge(&mut self, bytes: usize) -> Result<(), BudgetExceeded> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(BudgetExceeded)?;
        Ok(())
    }
}

/// Roughly the size of a value's text.
fn text_size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => 2 + items.iter().map(text_size).sum::<usize>(),
        Value::Object(object) => 2 + object.iter().map(|(name, item)| name.len() + text_size(item)).sum::<usize>(),
        _ => 4,
    }
}

/// Extracts the skeleton of a schema. Anything that is not an object has the empty skeleton.
///
/// # Errors
/// [`BudgetExceeded`] when this schema, after others of the same tool, needs more than the budget.
pub fn extract(schema: &Value, references: References, budget: &mut Budget) -> Result<Skeleton, BudgetExceeded> {
    let mut walk =
        Walk { root: schema, references, budget, records: BTreeMap::new(), open: Vec::new(), followed: Vec::new() };
    if schema.as_object().is_some() {
        walk.visit(schema, "", false, 0)?;
    }
    Ok(Skeleton { records: walk.records })
}

struct Walk<'s, 'b> {
    root: &'s Value,
    references: References,
    budget: &'b mut Budget,
    records: BTreeMap<String, Record>,
    /// The described nodes from the root to here. Identity is the place in the document, hence the address.
    open: Vec<&'s Object>,
    /// The reference texts followed from the root to here.
    followed: Vec<&'s str>,
}

impl<'s> Walk<'s, '_> {
    /// Recursion is bounded: described nodes by [`MAX_NODE_DEPTH`], references by [`MAX_FOLLOWED`].
    fn visit(&mut self, node: &'s Value, path: &str, required: bool, depth: usize) -> Result<(), BudgetExceeded> {
        let Some(object) = node.as_object() else {
            // `required` is dropped and the root-level name "" leaves no record at all (SPEC.md §9.3, test 1).
            let record = Record { constraints: constraint(ADDITIONAL_PROPERTIES, true.into()), ..Record::default() };
            return if path.is_empty() { Ok(()) } else { self.store(path, record) };
        };
        if let Some(reference) = object.get("$ref") {
            return self.visit_reference(object, reference, path, required, depth);
        }
        if depth > MAX_NODE_DEPTH || self.open.iter().any(|open| std::ptr::eq(*open, object)) {
            return self.store_leaf(path, required, "_truncated", true.into());
        }
        let lists = ["type", "required"].map(|name| object.get(name).and_then(Value::as_array).map_or(0, <[_]>::len));
        self.budget.charge(lists.iter().sum())?;
        self.store(path, describe(object, required))?;
        self.open.push(object);
        self.visit_children(object, path, depth)?;
        self.open.pop();
        Ok(())
    }

    fn visit_children(&mut self, object: &'s Object, path: &str, depth: usize) -> Result<(), BudgetExceeded> {
        if let Some(properties) = object.get("properties").and_then(Value::as_object) {
            let required = RequiredNames::of(object, properties.len());
            let mut members: Vec<_> = properties.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            for (name, property) in members {
                let child = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
                self.visit(property, &child, required.contains(name), depth + 1)?;
            }
        }
        match object.get("items") {
            Some(items @ Value::Object(_)) => self.visit(items, &format!("{path}[]"), false, depth + 1),
            _ => Ok(()),
        }
    }

    /// The rows of SPEC.md §9.5, in order.
    fn visit_reference(
        &mut self,
        node: &'s Object,
        reference: &'s Value,
        path: &str,
        required: bool,
        depth: usize,
    ) -> Result<(), BudgetExceeded> {
        let followable = match reference.as_str() {
            Some(text) if node.len() == 1 && text.len() > 1 && text.starts_with('#') => Some(text),
            _ => None,
        };
        let opaque = || python_str(reference).into();
        let Some(text) = followable.filter(|_| self.references == References::Follow) else {
            return self.store_leaf(path, required, "$ref", opaque());
        };
        if self.followed.contains(&text) {
            return self.store_leaf(path, required, "_truncated", true.into());
        }
        if self.followed.len() >= MAX_FOLLOWED {
            return self.store_leaf(path, required, "$ref", opaque());
        }
        self.budget.charge(text.len())?;
        match resolve(self.root, text) {
            Ok(target @ Value::Object(_)) => {
                self.followed.push(text);
                self.visit(target, path, required, depth + 1)?;
                self.followed.pop();
                Ok(())
            }
            Ok(_) | Err(PointerError) => self.store_leaf(path, required, "$ref", opaque()),
        }
    }

    fn store_leaf(&mut self, path: &str, required: bool, marker: &str, value: Value) -> Result<(), BudgetExceeded> {
        self.store(path, Record { required, constraints: constraint(marker, value), ..Record::default() })
    }

    /// Paths collide by design; the record written last stays (SPEC.md §9.2.2).
    fn store(&mut self, path: &str, record: Record) -> Result<(), BudgetExceeded> {
        self.budget.spend(path, &record)?;
        let path = if path.is_empty() { ROOT_PATH } else { path };
        self.records.insert(path.to_owned(), record);
        Ok(())
    }
}

fn constraint(name: &str, value: Value) -> Object {
    [(name, value)].into_iter().collect()
}

/// The text members of a `required` array, as a set: thousands of required names stay linear.
struct RequiredNames<'s>(std::collections::HashSet<&'s str>);

impl<'s> RequiredNames<'s> {
    fn of(object: &'s Object, properties: usize) -> Self {
        let names = object.get("required").and_then(Value::as_array).unwrap_or_default();
        let names = if properties == 0 { &[] } else { names };
        Self(names.iter().filter_map(Value::as_str).collect())
    }

    fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// SPEC.md §9.4.
fn describe(object: &Object, required: bool) -> Record {
    let types = match object.get("type") {
        Some(Value::String(word)) => Some(vec![word.clone()]),
        Some(Value::Array(words)) => {
            let mut words: Vec<_> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            words.sort_unstable();
            words.dedup();
            Some(words).filter(|words| !words.is_empty())
        }
        _ => None,
    };
    let open = Value::Bool(true);
    let kept = KEPT.iter().filter_map(|&name| {
        let absent = (name == ADDITIONAL_PROPERTIES).then_some(&open);
        Some((name, object.get(name).or(absent)?.clone()))
    });
    let constraints: Object = kept.collect();
    let members = object.get("enum").and_then(Value::as_array).map(in_enum_order);
    Record { types, required, members, constraints }
}

/// SPEC.md §9.6: stable, by type word and then by text.
fn in_enum_order(members: &[Value]) -> Vec<Value> {
    let mut keyed: Vec<_> = members.iter().map(|member| ((type_word(member), enum_text(member)), member)).collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    keyed.into_iter().map(|(_, member)| member.clone()).collect()
}

fn type_word(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Object(_) => "dict",
        Value::Float(_) => "float",
        Value::Int(_) => "int",
        Value::Array(_) => "list",
        Value::String(_) => "str",
    }
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
