//! What a tool can probably do, derived from its names alone (SPEC.md §8).
//!
//! The flags are committed to by the digest, so table and tokenizer are fixed: no description is read, no type, no
//! nested schema. Pure.

mod table;
mod tokenizer;

pub use tokenizer::tokens;

use crate::json::Value;
use std::fmt;
use table::{CONTENT, ROWS, Row, Rule};

/// A coarse capability flag. Ordered as its text is, which is how entries store them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Can read a path of the file system.
    FsRead,
    /// Can write, create or delete a path of the file system.
    FsWrite,
    /// Can make a request over the network.
    HttpRequest,
    /// Can run a command.
    ShellExec,
    /// Can run a query of a database.
    SqlQuery,
}

impl Capability {
    /// All flags, sorted.
    pub const ALL: [Self; 5] = [Self::FsRead, Self::FsWrite, Self::HttpRequest, Self::ShellExec, Self::SqlQuery];

    /// The word that is hashed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FsRead => "fs-read",
            Self::FsWrite => "fs-write",
            Self::HttpRequest => "http-request",
            Self::ShellExec => "shell-exec",
            Self::SqlQuery => "sql-query",
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `pad`, so that callers can align.
        f.pad(self.as_str())
    }
}

/// What earned a flag. Raw text of the surface: escape it before showing it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence<'a> {
    /// A lower-cased word of the tool's name: the first by code point of those in the table.
    NameToken(String),
    /// The first property, in wire order, with a word of the table.
    Property(&'a str),
}

/// The flags of a tool, sorted and without repeats. A schema that is absent or not an object has no properties.
pub fn derive(tool_name: &str, input_schema: Option<&Value>) -> Vec<Capability> {
    evidence(tool_name, input_schema).into_iter().map(|(flag, _)| flag).collect()
}

/// The flags of a tool, sorted, each with what earned it.
pub fn evidence<'a>(tool_name: &str, input_schema: Option<&'a Value>) -> Vec<(Capability, Evidence<'a>)> {
    let name = tokens(tool_name);
    let properties: Vec<Property<'a>> = input_schema
        .and_then(|schema| schema.get("properties"))
        .and_then(Value::as_object)
        .map(|properties| properties.names().map(Property::new).collect())
        .unwrap_or_default();
    ROWS.iter().filter_map(|row| Some((row.flag, row.evidence(&name, &properties)?))).collect()
}

/// A property's name and its words.
struct Property<'a> {
    name: &'a str,
    tokens: Vec<String>,
}

impl<'a> Property<'a> {
    fn new(name: &'a str) -> Self {
        Self { name, tokens: tokens(name) }
    }

    fn has(&self, words: &[&str]) -> bool {
        self.tokens.iter().any(|token| words.contains(&token.as_str()))
    }
}

impl Row {
    fn evidence<'a>(&self, name: &[String], properties: &[Property<'a>]) -> Option<Evidence<'a>> {
        let word = name.iter().filter(|token| self.name.contains(&token.as_str())).min();
        let property = properties.iter().find(|property| property.has(self.property));
        let granted = match self.rule {
            Rule::Either => word.is_some() || property.is_some(),
            Rule::Both => word.is_some() && property.is_some(),
            Rule::PropertyWithNameOrContent => {
                property.is_some() && (word.is_some() || properties.iter().any(|property| property.has(CONTENT)))
            }
        };
        if !granted {
            return None;
        }
        match word {
            Some(word) => Some(Evidence::NameToken(word.clone())),
            None => property.map(|property| Evidence::Property(property.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Object;

    fn schema(properties: &[&str]) -> Value {
        let properties: Object = properties.iter().map(|name| (*name, Value::Null)).collect();
        Object::from_iter([("properties", properties)]).into()
    }

    #[track_caller]
    fn assert_flags(name: &str, properties: &[&str], want: &str) {
        let flags: Vec<&str> = derive(name, Some(&schema(properties))).into_iter().map(Capability::as_str).collect();
        assert_eq!(flags.join(" "), want, "{name} {properties:?}");
    }

    #[test]
    fn flags_sort_as_their_texts_do_and_the_table_is_complete() {
        let texts = Capability::ALL.map(Capability::as_str);
        assert!(texts.is_sorted());
        assert!(Capability::ALL.is_sorted());
        assert!(ROWS.iter().map(|row| row.flag).eq(Capability::ALL));
    }

    #[test]
    fn either_a_name_or_a_property_is_enough_for_three_flags() {
        for row in ROWS.iter().filter(|row| matches!(row.rule, Rule::Either)) {
            for word in row.name {
                assert!(derive(&format!("x_{word}"), None).contains(&row.flag), "{word}");
            }
            for word in row.property {
                assert!(derive("x", Some(&schema(&[&format!("x_{word}")]))).contains(&row.flag), "{word}");
            }
        }
        assert_flags("x", &["y"], "");
    }

    #[test]
    fn reading_needs_name_and_property() {
        for word in ["read", "cat", "open", "load", "get", "list"] {
            assert_flags(word, &[], "");
            for property in ["path", "file", "filename", "src", "source"] {
                assert_flags(word, &[property], "fs-read");
                assert_flags("x", &[property], "");
            }
            assert_flags(word, &["dest", "target"], "");
        }
    }

    #[test]
    fn writing_needs_a_place_and_a_verb_or_content() {
        for property in ["path", "file", "filename", "dest", "target"] {
            assert_flags("x", &[property], "");
            for word in ["write", "save", "create", "delete", "rm", "unlink", "mkdir", "chmod", "mv", "rename"] {
                assert_flags(word, &[property], "fs-write");
                assert_flags(word, &["src", "source"], "");
            }
            for content in CONTENT {
                assert_flags("x", &[content, property], "fs-write");
                assert_flags("write", &[content], "");
            }
        }
        assert_flags("x", &["pathContent"], "fs-write");
        assert_flags("x", &["file_content"], "fs-write");
    }

    #[test]
    fn only_top_level_property_names_of_an_object_count() {
        let parse = |text: &str| {
            let limits = crate::json::ParseLimits { max_bytes: 1 << 10, max_depth: 64, max_values: usize::MAX };
            crate::json::parse(text.as_bytes(), &limits).unwrap()
        };
        for text in [
            r#"{"properties":["url"]}"#,
            r#""url""#,
            r#"["url"]"#,
            r#"{"allOf":[{"properties":{"url":{}}}]}"#,
            r#"{"properties":{"x":{"properties":{"url":{}}}}}"#,
            r#"{"$ref":"\#/x","x":{"properties":{"url":{}}}}"#,
        ] {
            assert_eq!(derive("x", Some(&parse(&text.replace("\\#", "#")))), [], "{text}");
        }
        for text in [r#"{"properties":{"url":null}}"#, r#"{"properties":{"url":false}}"#] {
            assert_eq!(derive("x", Some(&parse(text))), [Capability::HttpRequest], "{text}");
        }
        assert_eq!(derive("webhoo\u{212a}", None), [Capability::HttpRequest]);
    }

    #[test]
    fn evidence_is_the_first_word_by_code_point_or_the_first_property_on_the_wire() {
        let properties = schema(&["z_url", "a_url", "text", "target", "path"]);
        let found = evidence("sudo_bash_shell", Some(&properties));
        assert_eq!(
            found,
            [
                (Capability::FsWrite, Evidence::Property("target")),
                (Capability::HttpRequest, Evidence::Property("z_url")),
                (Capability::ShellExec, Evidence::NameToken("bash".into())),
            ]
        );
        let found = evidence("read", Some(&properties));
        assert_eq!(found[0], (Capability::FsRead, Evidence::NameToken("read".into())));
    }
}
