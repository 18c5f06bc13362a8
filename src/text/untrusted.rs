//! Making hidden and dangerous characters visible.

use crate::json::is_nonprintable;

/// What the reader's terminal or file can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Charset {
    #[default]
    Unicode,
    /// Only ASCII: everything else is written as an escape.
    Ascii,
}

/// Whether a character is invisible, moves the cursor, reorders text or has no glyph: controls, bidirectional and
/// zero-width formatting, tags, separators, private use, unassigned, blank letters and variation selectors.
pub fn is_hidden(c: char) -> bool {
    is_nonprintable(c)
        || matches!(c,
            // Letters, marks and symbols by category that nevertheless show nothing.
            '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}')
}

/// The text on one line with every hidden character visible: `⟨ESC⟩`, `⟨LF⟩`, `⟨U+200B⟩`; in ASCII, `<U+00E9>`.
/// The brackets themselves are escaped too, so that no text can imitate an escape.
pub fn escape(text: &str, charset: Charset) -> String {
    let (open, close) = match charset {
        Charset::Unicode => ('⟨', '⟩'),
        Charset::Ascii => ('<', '>'),
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let plain = match charset {
            Charset::Unicode => !is_hidden(c) && c != open && c != close,
            Charset::Ascii => c.is_ascii() && !is_hidden(c),
        };
        if plain {
            out.push(c);
            continue;
        }
        out.push(open);
        match c {
            '\0' => out.push_str("NUL"),
            '\t' => out.push_str("TAB"),
            '\n' => out.push_str("LF"),
            '\r' => out.push_str("CR"),
            '\u{1b}' => out.push_str("ESC"),
            '\u{7f}' => out.push_str("DEL"),
            c => out.push_str(&format!("U+{:04X}", u32::from(c))),
        }
        out.push(close);
    }
    out
}

/// Text that was escaped before it was stored, from a file that may have been edited since: hidden characters become
/// visible, the marks of earlier escapes stay as they are.
pub fn escape_hidden(text: &str) -> String {
    text.split_inclusive(['⟨', '⟩'])
        .map(|piece| match piece.strip_suffix(['⟨', '⟩']) {
            None => escape(piece, Charset::Unicode),
            Some(rest) => format!("{}{}", escape(rest, Charset::Unicode), &piece[rest.len()..]),
        })
        .collect()
}

/// A text that was escaped already, for a reader who can be shown nothing but ASCII: the marks of escapes and our own
/// signs get their ASCII forms, every other character is written as `<U+00E9>`.
pub fn ascii(escaped: &str) -> String {
    let mut out = String::with_capacity(escaped.len());
    for c in escaped.chars() {
        match c {
            '⟨' => out.push('<'),
            '⟩' => out.push('>'),
            '…' => out.push_str("..."),
            '→' => out.push_str("->"),
            c if c.is_ascii() => out.push(c),
            c => out.push_str(&format!("<U+{:04X}>", u32::from(c))),
        }
    }
    out
}

/// At most `limit` code points of a text, an ellipsis in place of the rest. Escape afterwards, not before.
pub fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_become_visible_and_ordinary_text_stays() {
        assert_eq!(
            escape("a\u{1b}[31mb\n\u{202e}c\u{200b}\u{e0041}", Charset::Unicode),
            "a⟨ESC⟩[31mb⟨LF⟩⟨U+202E⟩c⟨U+200B⟩⟨U+E0041⟩"
        );
        assert_eq!(escape("café 中 😀", Charset::Unicode), "café 中 😀");
        assert_eq!(escape("café⟨", Charset::Ascii), "caf<U+00E9><U+27E8>");
        assert_eq!(escape("⟨ESC⟩", Charset::Unicode), "⟨U+27E8⟩ESC⟨U+27E9⟩");
        assert_eq!(escape("\u{3164}\u{fe0f}\u{a0}", Charset::Unicode), "⟨U+3164⟩⟨U+FE0F⟩⟨U+00A0⟩");
    }

    #[test]
    fn stored_escapes_survive_and_new_hidden_characters_do_not() {
        assert_eq!(escape_hidden("a⟨U+200B⟩b\u{200b}\n"), "a⟨U+200B⟩b⟨U+200B⟩⟨LF⟩");
    }

    #[test]
    fn escaped_text_has_an_ascii_form() {
        assert_eq!(ascii("a⟨ESC⟩é…→\n"), "a<ESC><U+00E9>...->\n");
    }

    #[test]
    fn shortening_counts_code_points() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüx", 3), "äöü…");
    }
}
