//! The strict parse beside an independent one, and everything that is written from a parsed value.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warden::json::{ParseLimits, canonical_text, depth, enum_text, hash, parse, pretty, python_repr, python_str};

const LIMITS: ParseLimits = ParseLimits { max_bytes: 1 << 20, max_depth: 512, max_values: usize::MAX };

fn others_accept(text: &[u8]) -> bool {
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    let read = <serde_json::Value as serde::Deserialize>::deserialize(&mut reader);
    read.is_ok() && reader.end().is_ok()
}

fuzz_target!(|text: &[u8]| {
    let value = match parse(text, &LIMITS) {
        Ok(value) => value,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1);
            // Whatever is refused as no JSON is none for others either; the format's own rules refuse more.
            assert!(error.kind.is_well_formed_but_refused() || !others_accept(text), "{error}");
            return;
        }
    };
    assert!(others_accept(text));
    assert!(depth(&value) <= LIMITS.max_depth);
    let canonical = canonical_text(&value).expect("within the limits");
    assert_eq!(canonical, serde_json_canonicalizer::to_string(&value).expect("finite numbers"));
    let again = parse(pretty(&value).as_bytes(), &ParseLimits { max_bytes: 1 << 30, max_depth: 512, max_values: usize::MAX }).expect("JSON");
    assert_eq!(again, value);
    assert_eq!(hash(&again), hash(&value));
    assert_eq!(python_repr(&again), python_repr(&value));
    assert_eq!(enum_text(&again), enum_text(&value));
    let _ = python_str(&value);
});
