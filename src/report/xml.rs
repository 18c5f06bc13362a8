//! Text inside XML 1.0. Forty lines against a library that would be one more thing to keep up to date.

use crate::text::inert;

/// Character data.
pub(super) fn content(text: &str) -> String {
    written(text, false)
}

/// The value of an attribute between double quotes, ` name="value"`.
pub(super) fn attribute(name: &str, value: &str) -> String {
    format!(" {name}=\"{}\"", written(value, true))
}

fn written(text: &str, in_attribute: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            // Everywhere, so that `]]>` does not occur.
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // A parser makes spaces of these, and a line feed of every CR.
            '\n' | '\t' if in_attribute => out.push_str(&reference(c)),
            '\r' => out.push_str(&reference(c)),
            c if is_character(c) => out.push(c),
            _ => out.push('\u{fffd}'),
        }
    }
    inert(&out, reference)
}

fn reference(c: char) -> String {
    format!("&#{};", u32::from(c))
}

/// What XML 1.0 has as a character; the others cannot be written at all, not even as references.
fn is_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_can_be_read_back_or_is_replaced() {
        assert_eq!(content("a<b>&\"]]>\r\n\t'"), "a&lt;b&gt;&amp;&quot;]]&gt;&#13;\n\t'");
        assert_eq!(attribute("a", "\n\t\r\"<"), " a=\"&#10;&#9;&#13;&quot;&lt;\"");
        assert_eq!(content("\0\u{1b}\u{fffe}\u{ffff}😀"), "\u{fffd}\u{fffd}\u{fffd}\u{fffd}😀");
        assert_eq!(content("::error::x ##[debug]"), "&#58;:error::x ##&#91;debug]");
    }
}
