//! Where values stand in a text: for who has to keep the bytes as they were sent.
//!
//! Only for texts that [`super::parse`] accepted. Others give fewer spans than they should, and never a wrong place.

use super::parse::{ParseLimits, parse};

/// Name (decoded) and verbatim value of each member of an object text, in order.
pub fn member_spans(object: &str) -> Vec<(String, &str)> {
    let mut spans = Vec::new();
    let mut text = Text::of(object);
    let mut more = text.opens(b'{');
    while more {
        let Some((name, value)) = member(&mut text) else { break };
        spans.push((name, value));
        more = text.takes(b',');
    }
    spans
}

/// The verbatim elements of an array text, in order.
pub fn element_spans(array: &str) -> Vec<&str> {
    let mut spans = Vec::new();
    let mut text = Text::of(array);
    let mut more = text.opens(b'[');
    while more {
        let Some(value) = text.value() else { break };
        spans.push(value);
        more = text.takes(b',');
    }
    spans
}

fn member<'a>(text: &mut Text<'a>) -> Option<(String, &'a str)> {
    let name = text.value()?;
    let name =
        parse(name.as_bytes(), &ParseLimits { max_bytes: name.len(), max_depth: 0, max_values: usize::MAX }).ok()?;
    if !text.takes(b':') {
        return None;
    }
    Some((name.as_str()?.to_owned(), text.value()?))
}

struct Text<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Text<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Whether a container of this kind begins here and is not empty.
    fn opens(&mut self, open: u8) -> bool {
        self.takes(open) && !matches!(self.peek(), None | Some(b'}' | b']'))
    }

    /// Steps over this byte, and over white space around it, if it is the next one.
    fn takes(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over one value. Iterative: nesting costs no call stack.
    fn value(&mut self) -> Option<&'a str> {
        self.peek()?;
        let begin = self.at;
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        loop {
            match bytes.get(self.at)? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' => {
                    self.at += 1;
                    continue;
                }
                _ => {
                    let end = bytes[self.at..].iter().position(|byte| b",:]} \t\n\r".contains(byte));
                    self.at = end.map_or(bytes.len(), |end| self.at + end);
                }
            }
            if depth == 0 {
                return self.text.get(begin..self.at);
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.text.as_bytes().get(self.at)? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_the_bytes_as_they_stand() {
        let text = "\n{ \"a\" : [1.0, {\"x\\\"}\": \"]\"}] ,\"\\u0062\":1.00 ,\"c\\\\\":{ } , \"d\":\"\\u00e9\" }\n";
        let want = [("a", "[1.0, {\"x\\\"}\": \"]\"}]"), ("b", "1.00"), ("c\\", "{ }"), ("d", "\"\\u00e9\"")];
        assert_eq!(member_spans(text), want.map(|(name, value)| (name.to_owned(), value)));
        assert_eq!(element_spans(" [ null,\t[ ] , {\"a\":[2]} ,-1e3]"), ["null", "[ ]", "{\"a\":[2]}", "-1e3"]);
        assert_eq!(element_spans("[ ]"), [""; 0]);
        assert_eq!(member_spans("{}"), []);
    }

    #[test]
    fn other_texts_give_what_they_can() {
        for text in ["", " ", "{", "[", "[1", "{\"a\"", "{\"a\":", "{\"a\":\"", "nul", "]", "[\"\\", "é", "[é", "[}]"]
        {
            assert!(member_spans(text).len() <= 1, "{text}");
            assert!(element_spans(text).len() <= 1, "{text}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(element_spans(&deep), [&deep[1..deep.len() - 1]]);
    }
}
