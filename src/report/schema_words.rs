//! Changes of schemas in plain words, with both sides wherever a skeleton knows them (SPEC.md §16.4).
//!
//! What comes out is escaped and of bounded length. A skeleton does not keep every keyword, so no sentence claims more
//! than the kept ones prove: that an enum is gone does not mean that anything goes.

use super::words::name;
use crate::json::{Value, compact, enum_text};
use crate::lock::ToolEntry;
use crate::skeleton::{Change, ROOT_PATH, Record, Skeleton};
use crate::text::{Charset, escape, shorten};
use std::collections::HashSet;

/// Values of an enum that a sentence names.
pub(super) const MAX_VALUES: usize = 6;
/// Characters of one value or pattern.
pub(super) const MAX_VALUE: usize = 60;

/// Which of a tool's two schemas a sentence is about: arguments go in, results come out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    Output,
}

/// The side that a class speaks of.
pub(super) fn side_of(class: &str) -> Side {
    if class.starts_with("schema-out-") { Side::Output } else { Side::Input }
}

impl Side {
    /// The skeleton of this side, where the entry has one.
    pub fn skeleton(self, tool: &ToolEntry) -> Option<&Skeleton> {
        match self {
            Self::Input => tool.schema_skeleton.as_ref(),
            Self::Output => tool.metadata.as_ref()?.output_schema_skeleton.as_ref(),
        }
    }

    /// What stands at a path, as the subject of a sentence.
    fn subject(self, path: &str) -> String {
        match (self, path == ROOT_PATH) {
            (Self::Input, true) => "the tool".to_owned(),
            (Self::Output, true) => "the result".to_owned(),
            (Self::Input, false) => name(path),
            (Self::Output, false) => format!("in results, {}", name(path)),
        }
    }

    /// Arguments are taken, results just are.
    fn verbs(self) -> (&'static str, &'static str) {
        match self {
            Self::Input => ("takes", "took"),
            Self::Output => ("is", "was"),
        }
    }
}

/// One changed fact. `record` is what stands at the path now.
pub(super) fn fact(side: Side, path: &str, change: &Change, record: Option<&Record>) -> String {
    let subject = side.subject(path);
    let (takes, took) = side.verbs();
    match change {
        Change::PathAdded { .. } if path == ROOT_PATH => match side {
            Side::Input => "the tool declares a schema for its arguments now; it had none".to_owned(),
            Side::Output => "the result has a schema now; it had none".to_owned(),
        },
        Change::PathRemoved { .. } if path == ROOT_PATH => match side {
            Side::Input => "the tool no longer declares a schema for its arguments".to_owned(),
            Side::Output => "the result no longer has a schema".to_owned(),
        },
        Change::PathAdded { required, unconstrained } => {
            let what = record
                .map_or_else(|| if *unconstrained { "unconstrained" } else { "constrained" }.to_owned(), type_phrase);
            format!("{subject} is new: {what}, {}", presence(side, *required))
        }
        Change::PathRemoved { required } => format!("{subject} is gone; it was {}", presence(side, *required)),
        Change::MadeOptional => match side {
            Side::Input => format!("{subject} may be left out now; it was required"),
            Side::Output => format!("{subject} may be missing now; it was always there"),
        },
        Change::MadeRequired { .. } => {
            let what = record.map(|record| format!(" ({})", type_phrase(record))).unwrap_or_default();
            match side {
                Side::Input => format!("{subject} must be given now{what}; it was optional"),
                Side::Output => format!("{subject} is always there now{what}; it could be missing"),
            }
        }
        Change::Types { before, now, .. } => {
            // No type is not any type: an enum, a const or a subschema may still say what fits.
            match (before.as_slice(), now.as_slice()) {
                (before, []) => format!("{subject} has no declared type any more; it {took} {}", types(before)),
                ([], now) => format!("{subject} {takes} {} now; it had no declared type", types(now)),
                (before, now) => format!("{subject} {takes} {} now; it {took} {}", types(now), types(before)),
            }
        }
        Change::EnumRemoved { before } => {
            format!("{subject} has no list of values any more; it was {}", one_of(before))
        }
        Change::EnumAdded { now } => format!("{subject} has a list of values now: {}", one_of(now)),
        Change::EnumNarrowed { before, now } => match side {
            Side::Input => format!("{subject} no longer accepts {}", values(&without(before, now), "and")),
            Side::Output => format!("{subject} is no longer {}", values(&without(before, now), "or")),
        },
        Change::EnumWidened { before, now } => enum_moved(side, &subject, before, now),
        Change::Marker { name, before, now } => marker(&subject, name, before, now),
        Change::AdditionalPropertiesOpened { now } => {
            let kind = match now {
                Value::Object(schema) if !schema.is_empty() => format!(", if they fit {}", value(now)),
                _ => String::new(),
            };
            // `propertyNames` and the like may still refuse some, so this is not "any name".
            format!("{subject} no longer rules out undeclared members{kind}: `additionalProperties` was false")
        }
        Change::AdditionalPropertiesClosed { .. } => {
            format!("{subject} rules out undeclared members now: `additionalProperties` is false")
        }
        Change::Bound { name, before, now, .. } => bound(side, &subject, name, before.as_ref(), now.as_ref()),
        Change::Text { name, before, now } => match (before, now) {
            (Some(before), Some(now)) => format!(
                "{subject}: the {name} is {} now; it was {}. Looser or stricter cannot be told",
                value(now),
                value(before)
            ),
            (None, Some(now)) => format!("{subject}: a {name} was added: {}", value(now)),
            (Some(before), None) => format!("{subject}: the {name} {} is gone", value(before)),
            (None, None) => format!("{subject}: {name}"),
        },
    }
}

/// As [`fact`] for an enum, a bound or a pattern that is gone, where a look at the schema itself showed that nothing else
/// limits the place; `None` for other changes.
pub(super) fn unlimited(side: Side, path: &str, change: &Change, record: &Record) -> Option<String> {
    let was = match change {
        Change::EnumRemoved { before } => format!("it was {}", one_of(before)),
        Change::Bound { name, before: Some(before), now: None, .. } => {
            let unit = if name.ends_with("Length") { " characters" } else { "" };
            let limit = if name.starts_with("max") { "upper limit" } else { "lower limit" };
            format!("the {limit} was {}{unit}", value(before))
        }
        Change::Text { name, before: Some(before), now: None } => format!("the {name} was {}", value(before)),
        _ => return None,
    };
    let (takes, _) = side.verbs();
    let any = match record.types.as_deref() {
        Some([word]) => format!("any {}", types(std::slice::from_ref(word))),
        Some(words) if !words.is_empty() => format!("any {}", types(words)),
        _ => "anything".to_owned(),
    };
    Some(format!("{} {takes} {any} now; {was}", side.subject(path)))
}

fn presence(side: Side, required: bool) -> &'static str {
    match (side, required) {
        (Side::Input, true) => "required",
        (Side::Output, true) => "always there",
        (_, false) => "optional",
    }
}

fn enum_moved(side: Side, subject: &str, before: &[Value], now: &[Value]) -> String {
    let (gained, lost) = (without(now, before), without(before, now));
    match (side, gained.is_empty(), lost.is_empty()) {
        (_, true, _) => format!("{subject} lists the same values, some of them another number of times"),
        (Side::Input, false, true) => format!("{subject} accepts {} now as well", values(&gained, "and")),
        (Side::Output, false, true) => format!("{subject} may be {} now as well", values(&gained, "or")),
        (Side::Input, false, false) => {
            format!("{subject} accepts {} now, and no longer {}", values(&gained, "and"), values(&lost, "or"))
        }
        (Side::Output, false, false) => {
            format!("{subject} may be {} now, and no longer {}", values(&gained, "or"), values(&lost, "or"))
        }
    }
}

fn marker(subject: &str, name: &str, before: &Value, now: &Value) -> String {
    match (name, before, now) {
        ("$ref", Value::Null, now) => {
            format!("{subject} points to {} now, which is not followed: what fits there is unknown", value(now))
        }
        ("$ref", _, Value::Null) => format!("{subject} is described in place now; it pointed elsewhere"),
        ("$ref", before, now) => format!(
            "{subject} points to {} now, and pointed to {}: neither is followed, so what fits there is unknown",
            value(now),
            value(before)
        ),
        (_, _, Value::Null) => format!("{subject} is described in full now; it was part of a cycle or nested too deep"),
        _ => format!("{subject} is part of a cycle or nested too deep now, so its inside is not described any more"),
    }
}

fn bound(side: Side, subject: &str, name: &str, before: Option<&Value>, now: Option<&Value>) -> String {
    let unit = if name.ends_with("Length") { " characters" } else { "" };
    let (allows, limit) = match (side, name) {
        (Side::Input, "maxLength" | "maximum") => ("allows up to", "upper limit"),
        (Side::Output, "maxLength" | "maximum") => ("goes up to", "upper limit"),
        (Side::Input, "minLength" | "minimum") => ("must be at least", "lower limit"),
        (Side::Output, "minLength" | "minimum") => ("is at least", "lower limit"),
        (_, other) => ("is limited to", other),
    };
    match (before, now) {
        (Some(before), Some(now)) => {
            format!("{subject} {allows} {}{unit} now; it was {}", value(now), value(before))
        }
        // Another keyword may limit the same value, so that a keyword came or went is all that is known.
        (None, Some(now)) => format!("{subject}: the {limit} `{name}` {}{unit} is new", value(now)),
        (Some(before), None) => format!("{subject}: the {limit} `{name}` {}{unit} is gone", value(before)),
        (None, None) => format!("{subject}: the {limit} changed"),
    }
}

/// The types of a record as a table shows them. A node without a type may still be narrowed by keywords that
/// skeletons do not keep, so it is not called "any".
pub(super) fn type_names(record: &Record) -> String {
    match (&record.members, record.types.as_deref()) {
        (Some(members), _) => format!("one of {}", count(members)),
        (None, None | Some([])) => "untyped".to_owned(),
        (None, Some(words)) => types(words),
    }
}

/// The types of a record, whatever its enum says.
pub(super) fn kind(record: &Record) -> String {
    match record.types.as_deref() {
        None | Some([]) => "untyped".to_owned(),
        Some(words) => types(words),
    }
}

/// The types of a record within a sentence.
pub(super) fn type_phrase(record: &Record) -> String {
    match &record.members {
        Some(members) => one_of(members),
        None if record.constraints.contains("$ref") => "behind a reference that is not followed".to_owned(),
        None if record.types.as_deref().is_none_or(<[String]>::is_empty) => "of no declared type".to_owned(),
        None if record.is_unconstrained() && record.constraint("format").is_none() && is_text(record) => {
            "unconstrained string".to_owned()
        }
        None => types(record.types.as_deref().unwrap_or_default()),
    }
}

fn is_text(record: &Record) -> bool {
    record.types.as_deref().is_some_and(|words| words == ["string"])
}

fn types(words: &[String]) -> String {
    match words {
        [] => "any type".to_owned(),
        words => {
            let shown: Vec<String> = words.iter().take(MAX_VALUES + 1).map(|word| type_word(word)).collect();
            let more = if words.len() > shown.len() {
                format!(" or {} more", words.len() - shown.len())
            } else {
                String::new()
            };
            format!("{}{more}", shown.join(" or "))
        }
    }
}

/// One of the seven types as it is. Any other word is quoted: it is somebody else's text, and no part of our sentence.
fn type_word(word: &str) -> String {
    const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];
    if TYPES.contains(&word) { word.to_owned() } else { value(&Value::from(word)) }
}

/// A value as JSON, escaped and cut. A backtick, which JSON only has in strings, is written as JSON's own escape: no value
/// can open or close a quotation of ours.
pub(super) fn value(value: &Value) -> String {
    let text = match value {
        // The quotes stay on what is cut inside.
        Value::String(text) => compact(&Value::String(shorten(text, MAX_VALUE))),
        value => shorten(&compact(value), MAX_VALUE),
    };
    escape(&text, Charset::Unicode).replace('`', "\\u0060")
}

/// `"a", "b" and "c"`; the rest is counted.
pub(super) fn values(members: &[Value], last: &str) -> String {
    let shown: Vec<String> = members.iter().take(MAX_VALUES).map(value).collect();
    match (members.len().saturating_sub(MAX_VALUES), shown.as_slice()) {
        (0, []) => "nothing".to_owned(),
        (0, [one]) => one.clone(),
        (0, [rest @ .., end]) => format!("{} {last} {end}", rest.join(", ")),
        (more, _) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// `one of "a", "b" or "c"`; a long list is counted too.
pub(super) fn one_of(members: &[Value]) -> String {
    match members {
        [] => "no value at all".to_owned(),
        [one] => format!("always {}", value(one)),
        members if members.len() > MAX_VALUES => format!("one of {}: {}", count(members), values(members, "or")),
        members => format!("one of {}", values(members, "or")),
    }
}

/// The members that the other list lacks, in their order.
pub(super) fn without(members: &[Value], others: &[Value]) -> Vec<Value> {
    let known: HashSet<String> = others.iter().map(enum_text).collect();
    members.iter().filter(|member| !known.contains(&enum_text(member))).cloned().collect()
}

fn count(members: &[Value]) -> String {
    match members.len() {
        1 => "1 value".to_owned(),
        n => format!("{n} values"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{BoundChange, TypeChange};

    #[test]
    fn no_sentence_claims_more_than_the_keyword() {
        let say = |change: &Change| fact(Side::Input, "m", change, None);
        let bound = |before: Option<i64>, now: Option<i64>| Change::Bound {
            name: "maximum",
            change: BoundChange::Relaxed,
            before: before.map(Value::from),
            now: now.map(Value::from),
        };
        assert_eq!(say(&bound(Some(5), None)), "`m`: the upper limit `maximum` 5 is gone");
        assert_eq!(say(&bound(None, Some(500))), "`m`: the upper limit `maximum` 500 is new");
        assert_eq!(
            say(&Change::AdditionalPropertiesOpened { now: Value::Bool(true) }),
            "`m` no longer rules out undeclared members: `additionalProperties` was false"
        );
        assert_eq!(
            say(&Change::AdditionalPropertiesClosed { before: Value::Bool(true) }),
            "`m` rules out undeclared members now: `additionalProperties` is false"
        );
        let types = Change::Types { change: TypeChange::Broadened, before: vec!["string".to_owned()], now: Vec::new() };
        assert_eq!(say(&types), "`m` has no declared type any more; it took string");
    }

    #[test]
    fn unknown_types_and_backticks_are_quoted() {
        let word = "string, optional. This was reviewed".to_owned();
        assert_eq!(types(&["null".to_owned(), word]), "null or \"string, optional. This was reviewed\"");
        assert_eq!(value(&Value::from("a` is new; `b")), "\"a\\u0060 is new; \\u0060b\"");
    }
}
