//! JSON strings with the fewest escapes: `"`, `\` and controls below U+0020, the short forms where they exist. Canonical
//! text (SPEC.md §3.1), enum order (§9.6) and lock files (§12) all write them this way.

/// Where text goes.
pub(super) trait Sink {
    fn put(&mut self, text: &str);
}

impl Sink for String {
    fn put(&mut self, text: &str) {
        self.push_str(text);
    }
}

impl Sink for Vec<u8> {
    fn put(&mut self, text: &str) {
        self.extend_from_slice(text.as_bytes());
    }
}

/// Writes a text as a JSON string, quotes included.
pub(super) fn string_into(sink: &mut impl Sink, text: &str) {
    sink.put("\"");
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        // What is escaped is ASCII, so both ends are character boundaries.
        sink.put(&text[plain..at]);
        plain = at + 1;
        match byte {
            b'"' => sink.put("\\\""),
            b'\\' => sink.put("\\\\"),
            0x8 => sink.put("\\b"),
            b'\t' => sink.put("\\t"),
            b'\n' => sink.put("\\n"),
            0xc => sink.put("\\f"),
            b'\r' => sink.put("\\r"),
            control => {
                let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
                let mut escape = String::from("\\u00");
                escape.extend([digit(control >> 4), digit(control & 0xf)]);
                sink.put(&escape);
            }
        }
    }
    sink.put(&text[plain..]);
    sink.put("\"");
}
