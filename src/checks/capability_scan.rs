//! `WRD-CAPX-*`: a stricter reading of names than the one in the digest.
//!
//! The format's derivation is fixed, so anybody can choose names that it does not see: `run/command`, `exec2`,
//! `getURLs`, full-width or Cyrillic letters, parameters behind a reference (SPEC.md §21.7). This reading uses the same
//! table of words and combinations on names cut and folded in more ways, and speaks only where the format is silent.

use super::Input;
use super::local_ref::follow;
use super::quote::{head, show};
use super::sink::{Sink, Target};
use crate::capability::{Capability, Evidence, derive, evidence};
use crate::json::{Object, Value};
use crate::surface::Section;
use crate::text::is_hidden;
use std::collections::{HashMap, HashSet};
use unicode_normalization::UnicodeNormalization;

/// Bytes of a name that are read: a longer one says nothing to a reader either.
const LONGEST_NAME: usize = 512;

/// Schemas that are visited behind references and alternatives of one tool.
const MOST_SCHEMAS: usize = 1_000;

pub(super) fn check(input: &Input<'_>, sink: &mut Sink) {
    // Tools of one server share most of their parameters' names.
    let mut spelled: HashMap<&str, String> = HashMap::new();
    for (at, tool) in input.surface.tools.iter().enumerate() {
        let target = Target::Entry(Section::Tools, at);
        let granted = derive(tool.name(), tool.input_schema());
        let names = property_names(tool.input_schema());
        // The table is reached through the format's own derivation, on names spelled so that it sees them.
        let plain_name = plain(tool.name());
        let plain_properties: Object = names
            .iter()
            .map(|name| (spelled.entry(name).or_insert_with(|| plain(name)).clone(), Value::Null))
            .collect();
        let schema: Value = Object::from_iter([("properties", plain_properties)]).into();
        for (flag, evidence) in evidence(&plain_name, Some(&schema)) {
            if granted.contains(&flag) {
                continue;
            }
            let snippet = match evidence {
                Evidence::NameToken(word) => format!("'{word}' in the name '{}'", show(tool.name())),
                Evidence::Property(spelled) => {
                    let name = names.iter().find(|name| plain(name) == spelled).copied().unwrap_or_default();
                    format!("property '{}'", show(name))
                }
            };
            sink.add(target, rule_id(flag), snippet, || {
                format!("A stricter reading of its names gives the tool {flag}, which the format does not")
            });
        }
    }
}

fn rule_id(flag: Capability) -> &'static str {
    match flag {
        Capability::FsRead => "WRD-CAPX-FS-READ",
        Capability::FsWrite => "WRD-CAPX-FS-WRITE",
        Capability::HttpRequest => "WRD-CAPX-HTTP",
        Capability::ShellExec => "WRD-CAPX-SHELL",
        Capability::SqlQuery => "WRD-CAPX-SQL",
    }
}

/// The parameters of a schema, also those behind a local reference or in an alternative, each once, in wire order.
fn property_names(schema: Option<&Value>) -> Vec<&str> {
    let Some(root) = schema.and_then(Value::as_object) else { return Vec::new() };
    let mut names = Vec::new();
    let mut seen = HashSet::new();
    let mut followed = HashSet::new();
    let mut open = vec![root];
    let mut visited = 0;
    while let Some(schema) = open.pop() {
        visited += 1;
        if visited > MOST_SCHEMAS {
            break;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        names.extend(properties.into_iter().flat_map(Object::names).filter(|name| seen.insert(*name)));
        let mut beside = Vec::new();
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str)
            && followed.insert(reference)
        {
            beside.extend(follow(root, reference));
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let schemas = schema.get(keyword).and_then(Value::as_array).unwrap_or_default();
            beside.extend(schemas.iter().filter_map(Value::as_object));
        }
        for keyword in ["if", "then", "else"] {
            beside.extend(schema.get(keyword).and_then(Value::as_object));
        }
        // Depth first, in order.
        open.extend(beside.into_iter().rev());
    }
    names
}

/// A name spelled so that the format's tokenizer finds every word in it: look-alike letters as ASCII, words cut at
/// anything that is no letter or digit and between letters and digits, plurals and run-together forms beside their
/// words.
fn plain(name: &str) -> String {
    let name = head(name, LONGEST_NAME);
    let folded = if name.is_ascii() { name.to_owned() } else { fold(name) };
    let mut words = Vec::new();
    for piece in folded.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()) {
        // As the format cuts it, and as one word: getURLs is get, urls; SQLite is sqlite.
        words.extend(crate::capability::tokens(piece));
        words.push(piece.to_lowercase());
        // Letters apart from digits: exec2, 2exec.
        words.extend(piece.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).map(str::to_lowercase));
        words.extend(acronym_plural(piece));
    }
    let singular: Vec<String> = words.iter().filter_map(|word| singular(word)).collect();
    words.extend(singular);
    words.join("_")
}

/// Compatibility forms and letters of other scripts that are drawn like ASCII, as ASCII; hidden characters dropped.
fn fold(text: &str) -> String {
    let mut buffer = [0; 4];
    let mut out = String::with_capacity(text.len());
    for c in text.nfkc().filter(|&c| !is_hidden(c)) {
        let drawn: String = unicode_security::skeleton(c.encode_utf8(&mut buffer)).collect();
        if !c.is_ascii() && drawn.is_ascii() { out.push_str(&drawn) } else { out.push(c) }
    }
    out
}

/// `URLs` at the end of a piece: capitals and a plural s.
fn acronym_plural(piece: &str) -> Option<String> {
    let capitals = piece.strip_suffix('s')?;
    let start = capitals.trim_end_matches(|c: char| c.is_ascii_uppercase()).len();
    (capitals.len() - start >= 2).then(|| capitals[start..].to_lowercase())
}

/// What the table has a word for, of a plural or a compound that it has not.
fn singular(word: &str) -> Option<String> {
    if let Some(compound) = ["sqlite", "mysql", "postgresql", "nosql"].iter().find(|compound| word == **compound) {
        return compound.contains("sql").then(|| "sql".to_owned());
    }
    let stem = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    // Short words end in s by themselves.
    stem.or_else(|| word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s')).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};

    #[track_caller]
    fn assert_found(name: &str, schema: &str, want: &[Capability]) {
        let schema =
            parse(schema.as_bytes(), &ParseLimits { max_bytes: 1 << 12, max_depth: 64, max_values: usize::MAX })
                .unwrap();
        let names: Object = property_names(Some(&schema)).into_iter().map(|name| (plain(name), Value::Null)).collect();
        let spelled: Value = Object::from_iter([("properties", names)]).into();
        let granted = derive(name, Some(&schema));
        let found: Vec<Capability> =
            derive(&plain(name), Some(&spelled)).into_iter().filter(|flag| !granted.contains(flag)).collect();
        assert_eq!(found, want, "{name} {schema:?}");
    }

    #[test]
    fn names_that_avoid_the_derivation_are_read() {
        for name in ["exec2", "run/exec", "a:shell", "ｅxec", "ехес", "SHELLs", "x(bash)", "e\u{200b}xec"] {
            assert_found(name, "{}", &[Capability::ShellExec]);
        }
        assert_found("SQLite", "{}", &[Capability::SqlQuery]);
        assert_found("x", r#"{"properties":{"callbackURLs":{}}}"#, &[Capability::HttpRequest]);
        assert_found("x", r#"{"properties":{"queries":{}}}"#, &[Capability::SqlQuery]);
        assert_found("read_all", r#"{"properties":{"paths":{}}}"#, &[Capability::FsRead]);
    }

    #[test]
    fn parameters_behind_references_and_alternatives_are_read() {
        for schema in [
            r##"{"$ref":"#/$defs/d","$defs":{"d":{"properties":{"url":{}}}}}"##,
            r#"{"allOf":[{"anyOf":[{"properties":{"url":{}}}]}]}"#,
            r##"{"oneOf":[{"$ref":"#/definitions/d"}],"definitions":{"d":{"properties":{"url":{}},"allOf":[{"$ref":"#/definitions/d"}]}}}"##,
            r#"{"if":{},"then":{"properties":{"url":{}}}}"#,
        ] {
            assert_found("x", schema, &[Capability::HttpRequest]);
        }
    }

    #[test]
    fn what_the_format_grants_or_plain_names_say_is_not_repeated() {
        for (name, schema) in [
            ("exec", "{}"),
            ("get_status", r#"{"properties":{"address":{},"class":{},"status":{}}}"#),
            ("x", r#"{"properties":{"body":{"properties":{"url":{}}}}}"#),
            ("systematic_review", "{}"),
            ("list_all", r#"{"properties":{"profile":{}}}"#),
        ] {
            assert_found(name, schema, &[]);
        }
    }
}
