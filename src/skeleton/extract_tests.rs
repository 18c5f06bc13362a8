//! Extraction: paths, references, leaves and the budget.

use super::*;
use crate::json::{ParseLimits, canonical_text, parse};

fn schema(text: &str) -> Value {
    parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 20, max_depth: 512, max_values: usize::MAX }).unwrap()
}

fn skeleton(text: &str) -> Skeleton {
    extract(&schema(text), References::Follow, &mut Budget::default()).unwrap()
}

fn paths(text: &str) -> Vec<String> {
    skeleton(text).records.into_keys().collect()
}

fn marker(text: &str, path: &str) -> String {
    canonical_text(&Value::from(&skeleton(text).records[path])).unwrap()
}

const OPEN: &str = r#""constraints":{"additionalProperties":true}"#;

#[test]
fn a_record_keeps_types_required_enum_and_constraints() {
    let text = r#"{"type":"object","required":["b",1],"properties":{
        "b":{"type":["string","null","string",5],"enum":["b",2,1.0,null,"a",true,[],{}],"maxLength":"x","pattern":null,"title":"t"},
        "a":true}}"#;
    assert_eq!(paths(text), ["$root", "a", "b"]);
    assert_eq!(marker(text, "a"), format!(r#"{{{OPEN},"enum":null,"required":false,"type":null}}"#));
    assert_eq!(
        marker(text, "b"),
        r#"{"constraints":{"additionalProperties":true,"maxLength":"x","pattern":null},"enum":[null,true,{},1,2,[],"a","b"],"required":true,"type":["null","string"]}"#
    );
}

#[test]
fn colliding_paths_keep_the_record_written_last() {
    let empty_name = r#"{"properties":{"":{"type":"string","properties":{"x":{}},"items":{}}}}"#;
    assert_eq!(paths(empty_name), ["$root", "[]", "x"]);
    assert_eq!(skeleton(empty_name).records["$root"].types, Some(vec!["string".to_owned()]));
    assert_eq!(paths(r#"{"properties":{"":true}}"#), ["$root"]);
    let literal = r#"{"properties":{"a":{"properties":{"b":{"type":"integer"}}},"a.b":{"type":"string"}}}"#;
    assert_eq!(skeleton(literal).records["a.b"].types, Some(vec!["string".to_owned()]));
    let items = r#"{"properties":{"[]":{"type":"integer"}},"items":{"type":"string"}}"#;
    assert_eq!(skeleton(items).records["[]"].types, Some(vec!["string".to_owned()]));
}

#[test]
fn references_that_cannot_be_followed_are_opaque() {
    for (reference, text) in [
        (r#"{"$ref":"other.json#/x"}"#, "other.json#/x"),
        (r##"{"$ref":"#"}"##, "#"),
        (r##"{"$ref":"#/nope"}"##, "#/nope"),
        (r##"{"$ref":"#/$defs/bool"}"##, "#/$defs/bool"),
        (r##"{"$ref":"#/$defs/s","title":"t"}"##, "#/$defs/s"),
        (r#"{"$ref":[1,"a",null]}"#, "[1, 'a', None]"),
        (r#"{"$ref":1e16}"#, "1e+16"),
    ] {
        let text_of_schema =
            format!(r#"{{"properties":{{"p":{reference}}},"$defs":{{"s":{{"type":"string"}},"bool":true}}}}"#);
        let record = &skeleton(&text_of_schema).records["p"];
        assert_eq!(record.constraints.get("$ref").and_then(Value::as_str), Some(text), "{reference}");
        assert_eq!(record.constraints.len(), 1);
    }
    let level_2 = schema(r##"{"properties":{"p":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string"}}}"##);
    let opaque = extract(&level_2, References::Opaque, &mut Budget::default()).unwrap();
    assert!(opaque.records["p"].constraints.contains("$ref"));
}

#[test]
fn cycles_are_truncated_under_any_spelling() {
    for text in [
        r##"{"properties":{"p":{"$ref":"#/$defs/n"}},"$defs":{"n":{"$ref":"#/$defs/n"}}}"##,
        r##"{"properties":{"p":{"$ref":"#/properties/p"}}}"##,
        r##"{"properties":{"p":{"$ref":"#/"}},"":{"$ref":"#/%"},"%":{"$ref":"#/"}}"##,
    ] {
        assert!(skeleton(text).records["p"].constraints.contains("_truncated"), "{text}");
    }
    let tree = r##"{"properties":{"root":{"$ref":"#/$defs/n"}},"$defs":{"n":{"properties":{"kids":{"items":{"$ref":"#/%24defs/n"}}}}}}"##;
    assert_eq!(paths(tree), ["$root", "root", "root.kids", "root.kids[]"]);
    assert!(skeleton(tree).records["root.kids[]"].constraints.contains("_truncated"));
}

#[test]
fn depth_64_is_described_and_65_truncated() {
    let nested = |n: usize| {
        (0..n).fold(r#"{"type":"string"}"#.to_owned(), |inner, _| format!(r#"{{"properties":{{"p":{inner}}}}}"#))
    };
    let deepest = |n: usize| {
        let skeleton = skeleton(&nested(n));
        let path = vec!["p"; n].join(".");
        skeleton.records[&path].constraints.contains("_truncated")
    };
    assert!(!deepest(64));
    assert!(deepest(65));
}

#[test]
fn chains_of_references_end_described_truncated_or_opaque() {
    let chain = |n: usize| {
        let mut defs: Vec<String> = (1..n).map(|i| format!(r##""d{i}":{{"$ref":"#/$defs/d{}"}}"##, i + 1)).collect();
        defs.push(format!(r#""d{n}":{{"type":"string"}}"#));
        let text = format!(r##"{{"properties":{{"p":{{"$ref":"#/$defs/d1"}}}},"$defs":{{{}}}}}"##, defs.join(","));
        skeleton(&text).records["p"].clone()
    };
    assert_eq!(chain(63).types, Some(vec!["string".to_owned()]));
    assert!(chain(64).constraints.contains("_truncated"));
    assert!(chain(256).constraints.contains("_truncated"));
    assert_eq!(chain(257).constraints.get("$ref").and_then(Value::as_str), Some("#/$defs/d257"));
}

#[test]
fn doubling_definitions_are_refused_not_cut() {
    let doubling = |levels: usize| {
        let defs: Vec<String> = (0..levels)
            .map(|i| {
                format!(
                    r##""d{i}":{{"properties":{{"a":{{"$ref":"#/$defs/d{0}"}},"b":{{"$ref":"#/$defs/d{0}"}}}}}}"##,
                    i + 1
                )
            })
            .collect();
        format!(r##"{{"properties":{{"p":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{},"d{levels}":{{}}}}}}"##, defs.join(","))
    };
    let run = |levels| extract(&schema(&doubling(levels)), References::Follow, &mut Budget::default());
    assert!(run(12).is_ok());
    assert_eq!(run(14), Err(BudgetExceeded));
    assert_eq!(run(25), Err(BudgetExceeded));
    // Few records, but one large enum copied at each use.
    let large = "x".repeat(100_000);
    let uses: Vec<String> = (0..100).map(|i| format!(r##""p{i}":{{"$ref":"#/$defs/e"}}"##)).collect();
    let text = format!(r#"{{"properties":{{{}}},"$defs":{{"e":{{"enum":["{large}"]}}}}}}"#, uses.join(","));
    assert_eq!(extract(&schema(&text), References::Follow, &mut Budget::default()), Err(BudgetExceeded));
}
