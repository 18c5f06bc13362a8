//! Values, schemas and surfaces that a server might send, and some that no server should.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;
use warden::json::{MAX_SAFE_INTEGER, Object, ParseLimits, Value, parse};
use warden::lock::{BuildOptions, PinnedSurface, build};
use warden::surface::{Launch, Surface};

pub const LIMITS: ParseLimits = ParseLimits { max_bytes: 1 << 24, max_depth: 512, max_values: usize::MAX };

/// So many cases, the same ones in every run; `PROPTEST_CASES` asks for so many new ones instead.
pub fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig { max_global_rejects: 1 << 20, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => default,
        None => ProptestConfig { cases, rng_seed: RngSeed::Fixed(20_261_129), ..default },
    }
}

/// Texts: words that mean something to the format, words that mean nothing, and what breaks programs.
pub fn text() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "",
        "a",
        "b",
        "url",
        "readFile",
        "exec_command",
        "$ref",
        "$root",
        "a.b",
        "[]",
        "a[]",
        "props",
        "~",
        "/",
        "~1",
        "%41",
        "secret",
        "\u{0}",
        "\u{7f}",
        "\u{202e}",
        "\u{200b}",
        "\u{feff}",
        "\u{1f600}",
        "\u{e000}",
        "\u{fb33}",
        "é",
        "e\u{301}",
        "\u{212a}",
        "ß",
        "İ",
        "'",
        "\"",
        "\\",
        "\n",
        "\u{2028}",
    ];
    prop_oneof![3 => select(KNOWN).prop_map(str::to_owned), 2 => "[a-z]{1,5}", 1 => "\\PC{0,6}", 1 => any::<String>()]
}

pub fn number() -> impl Strategy<Value = Value> {
    let floats = prop_oneof![
        any::<f64>().prop_filter("JSON has no others", |float| float.is_finite()),
        select(&[0.0, -0.0, 1.0, 1.5, 1e20, 1e21, 1e-7, 5e-324, f64::MAX, 9_007_199_254_740_992.0][..]),
    ];
    prop_oneof![
        (-5..100_i64).prop_map(Value::Int),
        (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER).prop_map(Value::Int),
        floats.prop_map(Value::Float),
    ]
}

/// Any JSON value that may be hashed.
pub fn value() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::Bool), number(), text().prop_map(Value::String)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((text(), inner), 0..4)
                .prop_map(|members| members.into_iter().collect::<Object>().into()),
        ]
    })
}

pub fn object() -> impl Strategy<Value = Object> {
    prop::collection::vec((text(), value()), 0..4).prop_map(|members| members.into_iter().collect())
}

/// A schema: mostly of the usual form, with every keyword that a skeleton keeps and some that it does not.
pub fn schema() -> impl Strategy<Value = Value> {
    let references =
        select(&["#/$defs/a", "#/properties/a", "#", "#/", "https://example.com/x", "#/$defs/a/properties/b"][..]);
    let leaf = prop_oneof![
        4 => keywords().prop_map(Value::from),
        1 => references.prop_map(|target| [("$ref", target)].into_iter().collect::<Object>().into()),
        1 => value(),
    ];
    leaf.prop_recursive(4, 30, 4, |inner| {
        let named = prop::collection::vec((text(), inner.clone()), 0..4);
        let definitions = prop::option::of(inner.clone());
        let items = prop::option::of(inner);
        (keywords(), named, items, definitions).prop_map(|(mut schema, properties, items, definition)| {
            if !properties.is_empty() {
                schema.insert("properties", properties.into_iter().collect::<Object>());
            }
            if let Some(items) = items {
                schema.insert("items", items);
            }
            if let Some(definition) = definition {
                schema.insert("$defs", [("a", definition)].into_iter().collect::<Object>());
            }
            schema.into()
        })
    })
}

fn keywords() -> impl Strategy<Value = Object> {
    const WORDS: &[&str] = &["string", "object", "array", "integer", "null", "unknown"];
    let word = || select(WORDS).prop_map(Value::from);
    let types = prop_oneof![word(), prop::collection::vec(word(), 0..3).prop_map(Value::Array)];
    let texts = prop::collection::vec(text().prop_map(Value::String), 0..3).prop_map(Value::Array);
    let members = prop::collection::vec(value(), 0..4).prop_map(Value::Array);
    let member = prop_oneof![
        types.prop_map(|value| ("type", value)),
        texts.prop_map(|value| ("required", value)),
        members.prop_map(|value| ("enum", value)),
        (select(&["minLength", "maxLength", "minimum", "maximum"][..]), prop_oneof![3 => number(), 1 => value()]),
        (select(&["pattern", "format", "description", "const"][..]), text().prop_map(Value::String)),
        (Just("additionalProperties"), prop_oneof![any::<bool>().prop_map(Value::Bool), value()]),
    ];
    prop::collection::vec(member, 0..4).prop_map(|members| members.into_iter().collect())
}

/// Optional members of an entry, each present or not, sometimes null.
fn members(
    parts: Vec<(&'static str, BoxedStrategy<Value>)>,
) -> impl Strategy<Value = Vec<(&'static str, Option<Value>)>> {
    parts
        .into_iter()
        .map(|(name, part)| {
            let part = prop_oneof![5 => part.prop_map(Some), 1 => Just(Some(Value::Null)), 2 => Just(None)];
            part.prop_map(move |value| (name, value))
        })
        .collect::<Vec<_>>()
}

fn entries(
    identity: &'static str,
    parts: fn() -> Vec<(&'static str, BoxedStrategy<Value>)>,
) -> impl Strategy<Value = Vec<Value>> {
    let entry = (object(), members(parts())).prop_map(|(mut entry, members)| {
        // Members that the format does not name are carried along.
        for name in
            ["name", "uri", "description", "mimeType", "inputSchema", "outputSchema", "annotations", "arguments"]
        {
            entry.remove(name);
        }
        for (name, value) in members {
            if let Some(value) = value {
                entry.insert(name, value);
            }
        }
        entry
    });
    prop::collection::btree_map(text(), entry, 0..4).prop_map(move |entries: BTreeMap<String, Object>| {
        let with_identity = |(name, mut entry): (String, Object)| {
            entry.insert(identity, name);
            Value::from(entry)
        };
        entries.into_iter().map(with_identity).collect()
    })
}

fn a_text() -> BoxedStrategy<Value> {
    text().prop_map(Value::String).boxed()
}

pub fn input_schema() -> BoxedStrategy<Value> {
    schema().prop_filter("capture refuses others", |schema| schema.as_object().is_some()).boxed()
}

pub fn arguments() -> BoxedStrategy<Value> {
    prop::collection::vec(object().prop_map(Value::from), 0..3).prop_map(Value::Array).boxed()
}

/// A surface document: three lists, as a server sends them.
pub fn surface() -> impl Strategy<Value = Value> {
    let tools = entries("name", || {
        vec![
            ("description", a_text()),
            ("inputSchema", input_schema()),
            ("outputSchema", input_schema()),
            ("annotations", object().prop_map(Value::from).boxed()),
        ]
    });
    let resources = entries("uri", || vec![("name", a_text()), ("description", a_text()), ("mimeType", a_text())]);
    let prompts = entries("name", || vec![("description", a_text()), ("arguments", arguments())]);
    (tools, resources, prompts).prop_map(|(tools, resources, prompts)| {
        [("tools", tools), ("resources", resources), ("prompts", prompts)].into_iter().collect::<Object>().into()
    })
}

pub fn launch() -> Launch {
    Launch::Stdio { command: "server".to_owned(), args: vec!["--stdio".to_owned()] }
}

/// The entries of a surface document.
pub fn built(document: &Value) -> PinnedSurface {
    let surface = Surface::from_document(document.as_object().expect("an object")).expect("a surface");
    build(&surface, &launch(), &BuildOptions::default()).expect("entries")
}

pub fn parsed(text: &str) -> Value {
    parse(text.as_bytes(), &LIMITS).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The same value in other words: members in another order, white space anywhere, characters as escapes. Below a `$ref`
/// the order stays: a reference that is no text enters the skeleton as it is rendered (SPEC.md §2.2, §9.5).
pub fn reworded(value: &Value, random: &mut impl FnMut(usize) -> usize) -> String {
    spelled(value, true, random)
}

fn spelled(value: &Value, shuffle: bool, random: &mut impl FnMut(usize) -> usize) -> String {
    const SPACE: [&str; 6] = ["", "", " ", "\n", "\t\r", "  "];
    let mut space = SPACE[random(SPACE.len())].to_owned();
    let body = match value {
        Value::String(text) => quoted(text, random),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| spelled(item, shuffle, random)).collect::<Vec<_>>().join(","))
        }
        Value::Object(object) => {
            let mut members: Vec<(&str, &Value)> = object.iter().collect();
            for at in (1..members.len()).rev().filter(|_| shuffle) {
                members.swap(at, random(at + 1));
            }
            let members: Vec<String> = members
                .into_iter()
                .map(|(name, value)| {
                    format!("{}{space}:{}", quoted(name, random), spelled(value, shuffle && name != "$ref", random))
                })
                .collect();
            format!("{{{space}{}}}", members.join(","))
        }
        scalar => warden::json::pretty(scalar),
    };
    space.push_str(&body);
    space + SPACE[random(SPACE.len())]
}

fn quoted(text: &str, random: &mut impl FnMut(usize) -> usize) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if c < ' ' || c == '"' || c == '\\' || random(4) == 0 {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let hex = if random(2) == 0 { format!("{unit:04x}") } else { format!("{unit:04X}") };
                out.push_str(&format!("\\u{hex}"));
            }
        } else {
            out.push(c);
        }
    }
    out.push('"');
    out
}

/// Numbers below a limit, in an order that a seed decides.
pub fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |limit| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % limit.max(1)
    }
}
