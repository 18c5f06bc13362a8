//! The strict parse: what it takes, what it refuses, and where it says the fault is.

use super::*;

const LIMITS: ParseLimits = ParseLimits { max_bytes: 1 << 20, max_depth: 512, max_values: usize::MAX };

fn kind(text: &str) -> ParseErrorKind {
    parse(text.as_bytes(), &LIMITS).unwrap_err().kind
}

#[test]
fn numbers_keep_their_spelling_class_and_the_domain_is_exact() {
    for (token, want) in [("-0", 0), ("9007199254740991", MAX_SAFE_INTEGER), ("-9007199254740991", -MAX_SAFE_INTEGER)] {
        assert!(matches!(parse(token.as_bytes(), &LIMITS), Ok(Value::Int(i)) if i == want), "{token}");
    }
    for (token, want) in [("1.0", 1.0), ("1E2", 100.0), ("1e20", 1e20), ("9007199254740992.0", 9007199254740992.0)] {
        assert!(matches!(parse(token.as_bytes(), &LIMITS), Ok(Value::Float(f)) if f == want), "{token}");
    }
    let negative_zero = parse(b"-0.0", &LIMITS);
    assert!(matches!(negative_zero, Ok(Value::Float(f)) if f == 0.0 && f.is_sign_negative()));
    for token in [
        "9007199254740992",
        "-9007199254740992",
        "-9223372036854775808",
        "9223372036854775807",
        "100000000000000000000",
        "18446744073709551616",
    ] {
        assert_eq!(kind(token), ParseErrorKind::IntegerOutOfRange(token.into()));
    }
    for token in ["1e400", "-1e400", "1.7976931348623159e308"] {
        assert_eq!(kind(token), ParseErrorKind::FloatOverflow(token.into()));
    }
    for token in ["NaN", "Infinity", "-Infinity", "01", "1.", ".5", "+1", "1e", "0x10", "--1", "- 1"] {
        assert!(matches!(kind(token), ParseErrorKind::Syntax { .. }), "{token}");
    }
    assert!(matches!(parse(b"1e-400", &LIMITS), Ok(Value::Float(f)) if f == 0.0));
}

#[test]
fn a_reserved_looking_member_name_stays_an_object() {
    let value = parse(br#"{"$serde_json::private::Number":"1"}"#, &LIMITS).unwrap();
    assert_eq!(value.as_object().unwrap().len(), 1);
}

#[test]
fn errors_carry_pointer_line_and_column() {
    let error = parse("{\n \"a/b\": [0, {\"é\": 1, \"x\": 12345678901234567890}]}".as_bytes(), &LIMITS).unwrap_err();
    assert_eq!((error.pointer.as_str(), error.line, error.column), ("/a~1b/1/x", 2, 27));
    let error = parse(br#"{"a":{"b":1,"b":2}}"#, &LIMITS).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::DuplicateMember("b".into()));
    assert_eq!((error.pointer.as_str(), error.column), ("/a/b", 13));
    // Where no name is read yet, the object itself is meant.
    for (text, pointer) in [("{bad", ""), (r#"{"a":1"#, ""), (r#"{"a":{"b":1 "c":2}}"#, "/a"), (r#"{"":[x]}"#, "//0")] {
        assert_eq!(parse(text.as_bytes(), &LIMITS).unwrap_err().pointer, pointer, "{text}");
    }
}

#[test]
fn names_that_differ_only_in_escapes_are_repeated_names() {
    assert!(matches!(kind(r#"{"a":1,"\u0061":2}"#), ParseErrorKind::DuplicateMember(_)));
}

#[test]
fn depth_is_counted_as_the_specification_counts_it() {
    let nested = |n: usize| format!("{}0{}", "[".repeat(n), "]".repeat(n));
    assert!(parse(nested(512).as_bytes(), &LIMITS).is_ok());
    assert_eq!(kind(&nested(513)), ParseErrorKind::TooDeep { limit: 512 });
    // An empty container is itself the deepest element.
    let empty = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert!(parse(empty(513).as_bytes(), &LIMITS).is_ok());
    assert_eq!(kind(&empty(514)), ParseErrorKind::TooDeep { limit: 512 });
    // Hostile nesting costs no call stack.
    assert_eq!(kind(&"[".repeat(900_000)), ParseErrorKind::TooDeep { limit: 512 });
    assert_eq!(kind(&"{\"a\":".repeat(180_000)), ParseErrorKind::TooDeep { limit: 512 });
}

#[test]
fn text_outside_the_grammar_is_refused() {
    assert_eq!(kind("\u{feff}{}"), ParseErrorKind::ByteOrderMark);
    for text in [r#""\ud800""#, r#""\udc00""#, r#""\ud800\u0041""#, r#"{"\ud83d":1}"#, r#""\ud800x""#] {
        assert_eq!(kind(text), ParseErrorKind::LoneSurrogate, "{text}");
    }
    assert_eq!(parse(b"\"a\xff\"", &LIMITS).unwrap_err().kind, ParseErrorKind::NotUtf8);
    for text in [
        "",
        " ",
        "{",
        "[",
        "[1",
        "[1,",
        "[,]",
        "{\"a\"",
        "{\"a\":",
        "{a:1}",
        "{\"a\":1,}",
        "[1,]",
        "\"",
        "\"\\x\"",
        "\"\t\"",
        "1 2",
        "{}{}",
        "tru",
        "nul",
        "\"\\u12\"",
    ] {
        assert!(matches!(kind(text), ParseErrorKind::Syntax { .. }), "{text:?}");
    }
    let small = ParseLimits { max_bytes: 3, max_depth: 512, max_values: usize::MAX };
    assert_eq!(parse(b"[1,2]", &small).unwrap_err().kind, ParseErrorKind::TooLarge { limit: 3 });
}

#[test]
fn escapes_decode() {
    let value = parse(r#""a\u00e9\ud83d\ude00\n\/\u0000""#.as_bytes(), &LIMITS).unwrap();
    assert_eq!(value.as_str(), Some("aé😀\n/\0"));
}

#[test]
fn values_are_counted_over_all_documents_that_share_a_budget() {
    let limits = ParseLimits { max_values: 4, ..LIMITS };
    assert!(parse(br#"[0,{"a":null}]"#, &limits).is_ok());
    let error = parse(br#"[0,{"a":[]},1]"#, &limits).unwrap_err();
    assert_eq!((error.kind, error.column), (ParseErrorKind::TooManyValues { limit: 4 }, 13));
    let mut left = 4;
    assert!(parse_within(b"[0]", &limits, &mut left).is_ok());
    assert!(parse_within(b"[[[[", &limits, &mut left).is_err());
    assert_eq!(left, 0);
    assert!(parse_within(b"0", &limits, &mut left).is_err());
}

#[test]
fn wide_integers_are_rounded_only_where_that_was_asked_for() {
    let text =
        br#"{"a":9007199254740991,"b":[9007199254740993,18446744073709551616,-9007199254740992],"c":1.0,"d":1e30}"#;
    assert_eq!(parse(text, &LIMITS).unwrap_err().kind, ParseErrorKind::IntegerOutOfRange("9007199254740993".into()));
    let rounded = parse_rounding(text, &LIMITS).unwrap();
    assert_eq!(rounded.at, [27, 44, 65]);
    assert!(matches!(rounded.value.get("a"), Some(Value::Int(MAX_SAFE_INTEGER))));
    let wide = rounded.value.get("b").unwrap().as_array().unwrap();
    for (value, want) in wide.iter().zip([9007199254740992.0, 18446744073709551616.0, -9007199254740992.0]) {
        assert!(matches!(value, Value::Float(f) if *f == want), "{value:?}");
    }
    // What is no double either stays an error, and nothing else becomes laxer.
    let huge = "9".repeat(400);
    assert!(matches!(parse_rounding(huge.as_bytes(), &LIMITS).unwrap_err().kind, ParseErrorKind::IntegerOutOfRange(_)));
    for text in ["{\"a\":1,\"a\":2}", "1e400", "01", "[1,]", "\"\\ud800\""] {
        assert_eq!(parse_rounding(text.as_bytes(), &LIMITS).unwrap_err(), parse(text.as_bytes(), &LIMITS).unwrap_err());
    }
}
