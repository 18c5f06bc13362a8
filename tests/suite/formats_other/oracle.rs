//! Digests computed another way: over `serde_json` values, with a canonical form written from the documents alone.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// 64 digits over the canonical form.
pub fn digest(value: &Value) -> String {
    sha256(canonical(value).as_bytes())
}

pub fn prefixed(value: &Value) -> String {
    format!("sha256:{}", digest(value))
}

pub fn canonical(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => ecmascript(number.as_f64().expect("finite")),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| name.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
            let member = |(name, value): &(&String, &Value)| format!("{}:{}", quoted(name), canonical(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

/// The four cases of the number rule, from the shortest digits and their exponent.
fn ecmascript(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let shortest = format!("{:e}", number.abs());
    let (mantissa, exponent) = shortest.split_once('e').expect("an exponent");
    let digits = mantissa.replace('.', "");
    let count = i32::try_from(digits.len()).expect("few");
    let point = exponent.parse::<i32>().expect("a number") + 1;
    let zeros = |n: i32| "0".repeat(usize::try_from(n).expect("not negative"));
    let body = if count <= point && point <= 21 {
        format!("{digits}{}", zeros(point - count))
    } else if 0 < point && point <= 21 {
        let (whole, rest) = digits.split_at(usize::try_from(point).expect("positive"));
        format!("{whole}.{rest}")
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", zeros(-point))
    } else {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { String::new() } else { format!(".{rest}") };
        format!("{first}{rest}e{}{}", if point > 0 { '+' } else { '-' }, (point - 1).abs())
    };
    if number < 0.0 { format!("-{body}") } else { body }
}

#[test]
fn the_oracle_knows_the_worked_numbers() {
    for (number, want) in [
        (1e20, "100000000000000000000"),
        (1.5, "1.5"),
        (1e-6, "0.000001"),
        (1e21, "1e+21"),
        (1.0, "1"),
        (-0.0, "0"),
        (1.25e-9, "1.25e-9"),
        (-123.0, "-123"),
    ] {
        assert_eq!(ecmascript(number), want);
    }
}
