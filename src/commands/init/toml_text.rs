//! Texts and keys as TOML writes them. Names come from strangers' files and may hold anything.

use crate::text::is_hidden;

/// A text between double quotes, on one line. Whatever cannot be seen is written as an escape, so that a reviewer sees
/// what a program reads.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c != ' ' && is_hidden(c) && u32::from(c) <= 0xffff => {
                out.push_str(&format!("\\u{:04X}", u32::from(c)))
            }
            c if c != ' ' && is_hidden(c) => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A name in `[servers.NAME]`: bare where TOML allows it.
pub(super) fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    match !name.is_empty() && name.bytes().all(is_bare) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;

    #[test]
    fn every_name_and_text_comes_back() {
        let all: String =
            (1..0x250_u32).chain(0x2000..0x2070).chain(0xe0000..0xe0080).filter_map(char::from_u32).collect();
        for text in [
            "notes",
            "a b",
            "a.b",
            "\"",
            "\\",
            "'",
            "#x",
            "]\n[servers.evil]\ncommand = [\"x\"]",
            "\u{202e}é\u{1f600}",
            &all,
        ] {
            let file = format!("[servers.{}]\nskip = {{ reason = {} }}\n", key(text), quoted(&format!("x{text}")));
            assert_eq!(file.lines().count(), 2, "{file}");
            assert!(!file.contains(|c: char| c != ' ' && c != '\n' && is_hidden(c)), "{file:?}");
            let servers = config::parse(file.as_bytes()).unwrap().servers;
            assert_eq!(servers.len(), 1);
            assert_eq!(servers[0].name, text);
            assert_eq!(servers[0].skip.as_ref().unwrap().reason, format!("x{text}"));
        }
        assert_eq!((key("a-B_1"), key("a b"), key("é")), ("a-B_1".into(), "\"a b\"".into(), "\"é\"".into()));
    }
}
