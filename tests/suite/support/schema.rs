//! The published schema of documents, in somebody else's reading.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::sync::OnceLock;

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../docs/schema/report.schema.json")).expect("the schema")
}

/// Validates whole documents.
pub fn documents() -> &'static Validator {
    static VALIDATOR: OnceLock<Validator> = OnceLock::new();
    VALIDATOR.get_or_init(|| jsonschema::draft202012::new(&schema()).expect("a schema"))
}

/// Validates what a definition of the schema describes.
fn defined(name: &str) -> Validator {
    let mut schema = schema();
    let top = schema.as_object_mut().expect("an object");
    top.remove("oneOf");
    top.insert("$ref".to_owned(), json!(format!("#/$defs/{name}")));
    jsonschema::draft202012::new(&schema).expect("a schema")
}

/// Validates lines of the `jsonl` format.
pub fn lines() -> &'static Validator {
    static VALIDATOR: OnceLock<Validator> = OnceLock::new();
    VALIDATOR.get_or_init(|| defined("line"))
}

/// Validates those that are about one server of several.
pub fn server_lines() -> &'static Validator {
    static VALIDATOR: OnceLock<Validator> = OnceLock::new();
    VALIDATOR.get_or_init(|| defined("line_of_server"))
}

/// What is wrong, for messages.
pub fn faults(validator: &Validator, document: &Value) -> String {
    let faults = validator.iter_errors(document).map(|error| format!("{}: {error:.300}", error.instance_path()));
    faults.collect::<Vec<_>>().join("\n")
}
