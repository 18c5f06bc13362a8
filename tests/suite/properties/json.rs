//! The strict parse against an independent one, and the texts that are written against the values that are read.

use super::generators::{LIMITS, config, object, parsed, random, reworded, text, value};
use proptest::prelude::*;
use warden::json::{
    MAX_SAFE_INTEGER, ParseErrorKind, Value, canonical_text, depth, enum_text, hash, is_nonprintable, parse, pretty,
    python_repr,
};

/// Whether both parsers read the same value. Floats are compared by their own test: serde_json rounds carelessly.
fn agrees(ours: &Value, theirs: &serde_json::Value) -> bool {
    use serde_json::Value as Theirs;
    match (ours, theirs) {
        (Value::Null, Theirs::Null) => true,
        (Value::Bool(a), Theirs::Bool(b)) => a == b,
        (Value::String(a), Theirs::String(b)) => a == b,
        (Value::Int(a), Theirs::Number(b)) => b.as_i64() == Some(*a) || (*a == 0 && b.as_f64() == Some(0.0)),
        (Value::Float(a), Theirs::Number(b)) => {
            b.is_f64() && b.as_f64().is_some_and(|b| a == &b || (a - b).abs() <= a.abs() * 1e-15 + f64::MIN_POSITIVE)
        }
        (Value::Array(a), Theirs::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees(a, b)),
        (Value::Object(a), Theirs::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((m, a), (n, b))| m == n && agrees(a, b))
        }
        _ => false,
    }
}

fn assert_agreement(text: &[u8]) -> Result<(), TestCaseError> {
    let theirs = serde_json::from_slice::<serde_json::Value>(text);
    match (parse(text, &LIMITS), theirs) {
        (Ok(ours), Ok(theirs)) => prop_assert!(agrees(&ours, &theirs), "{ours:?} {theirs:?}"),
        (Err(_), Err(_)) => {}
        // Exactly the stricter rules of SPEC.md §2.
        (Err(error), Ok(_)) => prop_assert!(
            matches!(
                error.kind,
                ParseErrorKind::DuplicateMember(_)
                    | ParseErrorKind::IntegerOutOfRange(_)
                    | ParseErrorKind::TooDeep { .. }
            ),
            "{error}"
        ),
        (Ok(ours), Err(error)) => prop_assert!(depth(&ours) > 120, "{error}"),
    }
    Ok(())
}

/// Pieces of JSON that fit together often enough.
fn nearly_json() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"b\"",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud800\"",
        "\"\\x\"",
        "\"",
        "null",
        "true",
        "false",
        "nul",
        "NaN",
        "Infinity",
        "0",
        "-0",
        "-",
        "01",
        "1",
        "1.5",
        "1.",
        ".5",
        "1e5",
        "1e400",
        "1E+2",
        "-1e-400",
        "9007199254740991",
        "9007199254740992",
        "18446744073709551616",
        "1e20",
        "+1",
        " ",
        "\n",
        "\u{a0}",
        "\u{feff}",
        "//",
        "'a'",
        "\0",
    ];
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..12).prop_map(|pieces| pieces.concat());
    let valid = (value(), any::<u64>()).prop_map(|(value, seed)| reworded(&value, &mut random(seed))).boxed();
    let broken =
        (valid.clone(), any::<prop::sample::Index>(), prop::sample::select(PIECES)).prop_map(|(text, at, piece)| {
            let at = text.char_indices().map(|(at, _)| at).nth(at.index(text.chars().count().max(1))).unwrap_or(0);
            format!("{}{piece}{}", &text[..at], &text[at..])
        });
    prop_oneof![2 => pieces, 1 => valid, 2 => broken]
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn the_parser_agrees_with_another_one(text in nearly_json()) {
        assert_agreement(text.as_bytes())?;
    }

    #[test]
    fn the_parser_agrees_about_bytes(mut bytes in nearly_json().prop_map(String::into_bytes), at: prop::sample::Index, byte: u8) {
        if !bytes.is_empty() {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        assert_agreement(&bytes)?;
    }

    #[test]
    fn a_float_is_the_nearest_double(float in any::<f64>().prop_filter("finite", |float| float.is_finite()), digits in 0..20_usize) {
        for token in [format!("{float:e}"), format!("{float:.digits$e}"), format!("{float:?}")] {
            let expected: f64 = token.parse().unwrap();
            // The form without exponent and point is an integer token.
            if token.contains(['.', 'e']) && expected.is_finite() {
                let Value::Float(read) = parsed(&token) else { panic!("{token}") };
                prop_assert_eq!(read.to_bits(), expected.to_bits(), "{}", token);
            }
        }
    }

    #[test]
    fn an_integer_is_exact_or_refused(integer: i64) {
        let read = parse(integer.to_string().as_bytes(), &LIMITS);
        match integer.abs() <= MAX_SAFE_INTEGER {
            true => prop_assert_eq!(read.unwrap(), Value::Int(integer)),
            false => prop_assert!(matches!(read.unwrap_err().kind, ParseErrorKind::IntegerOutOfRange(_))),
        }
    }

    #[test]
    fn a_repeated_name_is_refused_wherever_it_stands(members in object(), again in value(), depth in 0..20_usize, seed: u64) {
        prop_assume!(!members.is_empty());
        let mut random = random(seed);
        let inside = reworded(&members.clone().into(), &mut random);
        let name = members.names().nth(random(members.len())).expect("a name");
        // In another spelling.
        let repeated = reworded(&name.into(), &mut random);
        let inside = inside.trim_end().strip_suffix('}').expect("an object");
        let text = format!("{}{inside},{repeated}:{}}}{}", "[".repeat(depth), reworded(&again, &mut random), "]".repeat(depth));
        let error = parse(text.as_bytes(), &LIMITS).unwrap_err();
        prop_assert_eq!(error.kind, ParseErrorKind::DuplicateMember(name.to_owned()));
    }

    #[test]
    fn what_is_written_is_read_again(value in value(), seed: u64) {
        let written = pretty(&value);
        let read = parsed(&written);
        prop_assert_eq!(&read, &value);
        // Spelling and order survive as well.
        prop_assert_eq!(pretty(&read), written);
        let other = parsed(&reworded(&value, &mut random(seed)));
        prop_assert_eq!(&other, &value);
        prop_assert_eq!(hash(&other), hash(&value));
    }

    #[test]
    fn the_canonical_text_is_one_and_says_everything(value in value(), other in value()) {
        let text = canonical_text(&value).unwrap();
        prop_assert_eq!(text == canonical_text(&other).unwrap(), value == other);
        // A whole number beyond 2^53 is written as an integer token, which no parse here takes (SPEC.md §2.3).
        if let Ok(read) = parse(text.as_bytes(), &LIMITS) {
            prop_assert_eq!(&read, &value);
            prop_assert_eq!(canonical_text(&read).unwrap(), text);
        } else {
            prop_assert!(has_large_whole_float(&value), "{}", text);
        }
    }

    #[test]
    fn canonical_text_agrees_with_another_writer(value in value()) {
        // Of a value without floats, sorted compact JSON is canonical wherever UTF-16 and UTF-8 order agree.
        let theirs: serde_json::Value = serde_json::from_str(&pretty(&value)).unwrap();
        if !pretty(&value).chars().any(|c| c >= '\u{e000}') && !has_float(&value) {
            prop_assert_eq!(canonical_text(&value).unwrap(), sorted(&theirs).to_string());
        }
    }

    #[test]
    fn python_text_hides_what_does_not_print(value in value(), text in text()) {
        let shown = python_repr(&Value::Array(vec![text.into(), value.clone()]));
        prop_assert!(!shown.chars().any(is_nonprintable), "{}", shown);
        // Equal text is equal spelling: sets of enum members rest on it.
        prop_assert_eq!(parsed(&pretty(&value)), value.clone());
        prop_assert!(!enum_text(&value).is_empty() || value == Value::from(""));
    }
}

fn has_float(value: &Value) -> bool {
    match value {
        Value::Float(_) => true,
        Value::Array(items) => items.iter().any(has_float),
        Value::Object(object) => object.iter().any(|(_, item)| has_float(item)),
        _ => false,
    }
}

fn has_large_whole_float(value: &Value) -> bool {
    match value {
        Value::Float(float) => float.abs() >= 9_007_199_254_740_992.0 && float.abs() < 1e21,
        Value::Array(items) => items.iter().any(has_large_whole_float),
        Value::Object(object) => object.iter().any(|(_, item)| has_large_whole_float(item)),
        _ => false,
    }
}

fn sorted(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            serde_json::Value::Object(members.into_iter().collect())
        }
        serde_json::Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}
