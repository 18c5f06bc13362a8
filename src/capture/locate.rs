//! Finding out which entry of a list a refused line is about, pure.
//!
//! The strict parse stops at the first fault, and people know their tools by name, not by place. This reads just
//! enough of the raw text to name the entry; it believes nothing and decides nothing.

use crate::json::{ParseLimits, parse};
use crate::surface::Section;

/// Where in an answer a fault stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub section: Section,
    /// From 0.
    pub index: usize,
    /// The entry's name or URI, raw, where it could be read.
    pub identity: Option<String>,
    /// JSON pointer (RFC 6901) of the fault from the entry on.
    pub pointer: String,
}

/// The list entry that `pointer` (into the message, or the batch, of `line`) leads into, if it does.
pub fn entry_at(line: &[u8], pointer: &str) -> Option<Place> {
    let mut parts = pointer.split('/').skip(1);
    let mut at = line.trim_ascii();
    let mut part = parts.next()?;
    if at.first() == Some(&b'[') {
        at = element(at, part.parse().ok()?)?;
        part = parts.next()?;
    }
    if part != "result" {
        return None;
    }
    let key = parts.next()?;
    let section = Section::ALL.into_iter().find(|section| section.key() == key)?;
    let index = parts.next()?.parse().ok()?;
    let pointer = parts.map(|part| format!("/{part}")).collect();
    let entry = member(at, "result").and_then(|result| member(result, key)).and_then(|list| element(list, index));
    let identity = entry.and_then(|entry| member(entry, section.identity())).and_then(text);
    Some(Place { section, index, identity, pointer })
}

/// The text from the value of an object's first member of that name on.
fn member<'a>(object: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut rest = object.strip_prefix(b"{")?.trim_ascii_start();
    loop {
        let after_name = skip_string(rest)?;
        let found = text(rest).is_some_and(|found| found == name);
        let value = after_name.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        if found {
            return Some(value);
        }
        rest = skip_value(value)?.trim_ascii_start().strip_prefix(b",")?.trim_ascii_start();
    }
}

/// The text from an array's element on.
fn element(array: &[u8], index: usize) -> Option<&[u8]> {
    let mut rest = array.strip_prefix(b"[")?.trim_ascii_start();
    for _ in 0..index {
        rest = skip_value(rest)?.trim_ascii_start().strip_prefix(b",")?.trim_ascii_start();
    }
    Some(rest)
}

/// What follows the value that the text begins with. Iterative: hostile nesting costs no call stack.
fn skip_value(value: &[u8]) -> Option<&[u8]> {
    let mut depth = 0usize;
    let mut rest = value;
    loop {
        match rest.first()? {
            b'"' => rest = skip_string(rest)?,
            b'{' | b'[' => {
                depth += 1;
                rest = &rest[1..];
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                rest = &rest[1..];
            }
            b',' if depth == 0 => return None,
            b',' | b':' | b' ' | b'\t' | b'\r' => {
                rest = &rest[1..];
                continue;
            }
            _ => {
                let end = rest.iter().position(|byte| b",:]} \t\r".contains(byte))?;
                rest = &rest[end..];
            }
        }
        if depth == 0 {
            return Some(rest);
        }
    }
}

fn skip_string(string: &[u8]) -> Option<&[u8]> {
    let mut at = 1;
    if string.first() != Some(&b'"') {
        return None;
    }
    loop {
        match string.get(at)? {
            b'"' => return Some(&string[at + 1..]),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The string that the text begins with, decoded.
fn text(string: &[u8]) -> Option<String> {
    let rest = skip_string(string)?;
    let token = &string[..string.len() - rest.len()];
    let limits = ParseLimits { max_bytes: token.len(), max_depth: 0, max_values: usize::MAX };
    parse(token, &limits).ok()?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_is_named_whatever_else_stands_in_the_line() {
        let deep = format!("{}1e999{}", "[".repeat(2000), "]".repeat(2000));
        let line = format!(
            r#"{{"jsonrpc":"2.0", "id":1 ,"result": {{"nextCursor":"\"tools\":[","tools":[ {{"name":"a","x":{deep}}} , {{"y":"\ud800", "na\u006de" : "b\n" ,"inputSchema":{{"x":9007199254740993}}}}]}}}}"#
        );
        let place = entry_at(line.as_bytes(), "/result/tools/1/inputSchema/x").unwrap();
        let want =
            Place { section: Section::Tools, index: 1, identity: Some("b\n".into()), pointer: "/inputSchema/x".into() };
        assert_eq!(place, want);
        let batch = format!("[{line},{line}]");
        assert_eq!(entry_at(batch.as_bytes(), "/1/result/tools/1/inputSchema/x"), Some(want));
    }

    #[test]
    fn broken_and_other_texts_give_what_they_can() {
        let broken = br#"{"result":{"prompts":[{"name":"p","arguments":[nope"#;
        assert_eq!(entry_at(broken, "/result/prompts/0/arguments/0").unwrap().identity.as_deref(), Some("p"));
        let nameless = br#"{"result":{"resources":[{"name":"p"#;
        assert_eq!(entry_at(nameless, "/result/resources/0/name").unwrap().identity, None);
        for pointer in ["", "/", "/result", "/result/tools", "/result/tools/x", "/result/other/0", "/error/code"] {
            assert_eq!(entry_at(broken, pointer), None, "{pointer}");
        }
        assert_eq!(entry_at(b"[", "/0/result/tools/0").unwrap().identity, None);
    }
}
