//! `WRD-SEC-ENTROPY`: keys that carry no mark, by their randomness and surroundings.
//!
//! The published rule counts the entropy of characters, which long identifiers, paths and addresses pass as easily as
//! keys. This one keeps the id and what it stands for, and asks three things instead: is a stretch of the text more
//! likely drawn than written (`randomness`), is it none of the random things that are public by nature (identifiers
//! in the form of UUIDs, pinned revisions, pictures, encoded text, placeholders), and what do the words around it call
//! it (`secret_context`). A text that is called a key needs less evidence; one that is called an id is let alone.

use super::randomness::most_random_stretch;
use super::secret_context::{Stance, stance};
use super::secrets::{Hit, Scan};
use std::cell::OnceCell;
use std::ops::Range;

/// Characters of the shortest word that can hold a secret.
const SHORTEST: usize = 16;

/// A longer text without anything that calls it a key is data: a picture, an archive.
const LONGEST_UNNAMED: usize = 512;

/// The stretches of a text between white space, quotes, brackets and the like that are long enough to matter.
pub(super) fn long_words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    // By bytes: every byte of a character beyond ASCII breaks a word.
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        if BREAKS[usize::from(byte)] {
            if at - start >= SHORTEST {
                found.push(start..at);
            }
            start = at + 1;
        }
    }
    if text.len() - start >= SHORTEST {
        found.push(start..text.len());
    }
    found
}

/// Bytes that end a word.
const BREAKS: [bool; 256] = {
    let marks = b"\"'`<>()[]{},;|\\";
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = byte <= 0x20 || byte >= 0x7f;
        byte += 1;
    }
    let mut mark = 0;
    while mark < marks.len() {
        table[marks[mark] as usize] = true;
        mark += 1;
    }
    table
};

/// Unmarked keys of a text.
pub(super) fn find(text: &str, words: &[Range<usize>], scan: &Scan<'_>, found: &mut Vec<Hit>) {
    for word in words {
        // Parts of a URL are names, ids and hashes; its credentials have a rule of their own.
        let url = text[word.clone()].find("://").map_or(word.end, |at| word.start + at);
        let mut at = word.start;
        for piece in text[word.start..url].split(|c: char| !is_key_char(c)) {
            let start = at;
            at += piece.len() + 1;
            if piece.len() >= SHORTEST {
                let keys = keys_within(text, start..start + piece.len(), scan);
                found.extend(keys.into_iter().map(|range| Hit {
                    range,
                    rule_id: "WRD-SEC-ENTROPY",
                    what: "a generated key",
                }));
            }
        }
    }
}

fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '_' | '-')
}

/// The suspicious parts of a piece: the piece itself, or what stands between its separators.
fn keys_within(text: &str, piece: Range<usize>, scan: &Scan<'_>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let stance_here = OnceCell::new();
    let stance = || match scan.wary {
        true => Stance::Unknown,
        false => *stance_here.get_or_init(|| stance(&text[..piece.start], scan.path)),
    };
    let suspicious = |range: &Range<usize>| {
        let token = &bytes[range.clone()];
        // The cheap look first; the surroundings are read only for what passes it.
        Evidence::of(token).is_some_and(|evidence| {
            evidence.is_enough(token, stance())
                && !is_pinned_revision(&bytes[..range.start], token)
                && !is_picture(&text[..piece.start])
        })
    };
    let token = &bytes[piece.clone()];
    let is_path = is_path(bytes, &piece);
    if is_path && stance() != Stance::Secret {
        return Vec::new();
    }
    // Base64 uses the separators as letters: the whole piece may be one key.
    if !is_path && !holds_uuid(token) && suspicious(&piece) {
        return vec![piece];
    }
    let mut at = piece.start;
    let atoms = token.split(|byte| !byte.is_ascii_alphanumeric()).map(|atom| {
        let start = at;
        at += atom.len() + 1;
        start..start + atom.len()
    });
    atoms.filter(|atom| atom.len() >= SHORTEST && *atom != piece && suspicious(atom)).collect()
}

/// `/a/b`, `./a`, `~/a`, `a/b.txt`: folders of package stores and names of files are often hashes.
fn is_path(bytes: &[u8], piece: &Range<usize>) -> bool {
    let rooted = bytes[piece.start] == b'/';
    let folders = bytes[piece.start + 1..piece.end].contains(&b'/');
    let ending = matches!(bytes.get(piece.end..piece.end + 2), Some([b'.', letter]) if letter.is_ascii_alphanumeric());
    (rooted && (folders || matches!(bytes[..piece.start].last(), Some(b'.' | b'~')))) || (folders && ending)
}

/// What a token says by itself.
struct Evidence {
    bits: i32,
    length: usize,
    digits: bool,
    mixed_case: bool,
    hexadecimal: bool,
}

impl Evidence {
    /// `None` for what is no key under any name.
    fn of(token: &[u8]) -> Option<Self> {
        let stretch = most_random_stretch(token);
        if stretch.bits < 14 || stretch.length < 12 || is_placeholder(token) {
            return None;
        }
        let any = |is: fn(&u8) -> bool| token.iter().any(is);
        let (lower, upper) = (any(u8::is_ascii_lowercase), any(u8::is_ascii_uppercase));
        if !lower && !upper {
            return None;
        }
        // Runs of separators draw lines and tables; in base64 two may meet, hardly three.
        if token.windows(3).any(|run| run.iter().all(|byte| !byte.is_ascii_alphanumeric())) {
            return None;
        }
        Some(Self {
            bits: stretch.bits,
            length: stretch.length,
            digits: any(u8::is_ascii_digit),
            mixed_case: lower && upper,
            hexadecimal: token.iter().all(u8::is_ascii_hexdigit),
        })
    }

    fn is_enough(&self, token: &[u8], stance: Stance) -> bool {
        let text = decodes_to_text(token);
        match stance {
            Stance::Harmless => false,
            Stance::Secret => text != Some(Decoded::Document) && (self.digits || self.bits >= 24),
            Stance::Unknown => {
                let long = token.len() >= if self.hexadecimal { 32 } else { 24 };
                // Letters of one case and nothing else: a word of some language, a protein, a key of none.
                let bits = match (self.digits, self.mixed_case) {
                    (true, _) => 24,
                    (false, true) => 40,
                    (false, false) => return false,
                };
                let address = token.starts_with(b"0x") && token[2..].iter().all(u8::is_ascii_hexdigit);
                long && token.len() <= LONGEST_UNNAMED
                    && self.length >= 18
                    && self.bits >= bits
                    && text.is_none()
                    && !address
            }
        }
    }
}

/// Whether a token holds a word that only documentation puts into a key.
pub(super) fn holds_stock_word(token: &[u8]) -> bool {
    const STOCK: [&str; 10] =
        ["example", "placeholder", "your", "xxxx", "redacted", "dummy", "sample", "changeme", "replace", "insert"];
    STOCK.iter().any(|word| token.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes())))
}

/// Whether a token is visibly made up: a stock word, few different characters, or a count up or down.
pub(super) fn is_placeholder(token: &[u8]) -> bool {
    let lower = token.to_ascii_lowercase();
    let mut seen = [false; 256];
    lower.iter().for_each(|&byte| seen[usize::from(byte)] = true);
    if seen.iter().filter(|seen| **seen).count() < 8 {
        return true;
    }
    // 1234abcd, and a1b2c3d4: neighbours, or neighbours but one, that follow each other.
    (1..=2).any(|step| {
        let counts = lower.windows(step + 1).filter(|window| window[0].abs_diff(window[step]) == 1).count();
        counts * 5 >= lower.len() * 2
    }) || holds_stock_word(&lower)
}

/// Whether a piece has the form 8-4-4-4-12 of a UUID in it: public identifiers, whatever they are called.
fn holds_uuid(piece: &[u8]) -> bool {
    piece.windows(36).any(|window| {
        window.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
    })
}

/// Whether a hash names a revision or an archive of code: `package@<hash>`, `url#<hash>`.
fn is_pinned_revision(before: &[u8], token: &[u8]) -> bool {
    matches!(token.len(), 40 | 64)
        && token.iter().all(u8::is_ascii_hexdigit)
        && matches!(before.last(), Some(b'@' | b'#'))
}

/// Whether what follows is the content of a `data:` URL.
fn is_picture(before: &str) -> bool {
    before.ends_with("base64,")
}

/// What a token holds that is the base64 form of a text.
#[derive(Debug, PartialEq, Eq)]
enum Decoded {
    /// JSON or markup.
    Document,
    Text,
}

/// The text whose base64 form, of either alphabet and padded or not, this is; `None` where it is none of printable ASCII.
pub fn decode_base64(token: &str) -> Option<String> {
    let mut text = String::new();
    decode(token.trim_end_matches('=').as_bytes(), |byte| text.push(char::from(byte)))?;
    Some(text)
}

/// What base64 of either alphabet stands for; `None` where the result is no readable text.
fn decodes_to_text(token: &[u8]) -> Option<Decoded> {
    let (mut first, mut total) = (None, 0usize);
    decode(token, |byte| {
        first.get_or_insert(byte);
        total += 1;
    })?;
    // A few printable bytes come about by chance.
    if total < 10 {
        return None;
    }
    Some(if matches!(first, Some(b'{' | b'[' | b'<')) { Decoded::Document } else { Decoded::Text })
}

/// Decodes base64 without padding, byte by byte, up to the first that is not printable ASCII.
fn decode(token: &[u8], mut take: impl FnMut(u8)) -> Option<()> {
    let (mut bits, mut count) = (0u32, 0u32);
    for &byte in token {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xfff;
        count += 6;
        if count >= 8 {
            count -= 8;
            let decoded = (bits >> count & 0xff) as u8;
            if !(0x20..0x7f).contains(&decoded) && !matches!(decoded, b'\n' | b'\r' | b'\t') {
                return None;
            }
            take(decoded);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::walk::Step;

    fn found_in(text: &str, path: &[Step<'_>]) -> Vec<String> {
        let mut found = Vec::new();
        find(text, &long_words(text), &Scan { path, wary: false }, &mut found);
        found.into_iter().map(|hit| text[hit.range].to_owned()).collect()
    }

    const HEX: &str = "9f2c4e81b7d03a65e8f1c2907ab4d63e";
    const KEY: &str = "k3Vq9ZtB7xLw2NfR8mYcJ4hGdP6sTa1E";

    #[test]
    fn keys_are_found_whole() {
        for text in [
            format!("Connects with {KEY}."),
            format!("Connects with ({HEX})"),
            format!("acme_{HEX}"),
            format!("ACME-KEY:{KEY}"),
        ] {
            assert_eq!(found_in(&text, &[]).len(), 1, "{text}");
        }
        assert_eq!(found_in(&format!("x {KEY} y"), &[]), [KEY]);
        assert_eq!(found_in("secret: a9Kd7Qx2Lm5Zr8Wt", &[]), ["a9Kd7Qx2Lm5Zr8Wt"]);
        assert_eq!(found_in("wait, a9Kd7Qx2Lm5Zr8Wt", &[]), [] as [&str; 0]);
    }

    #[test]
    fn what_is_public_by_nature_is_let_alone() {
        for text in [
            format!("the page id {HEX}"),
            format!("sha256:{HEX}{HEX}"),
            format!("git+ssh: acme/tools@{}{}", HEX, &HEX[..8]),
            format!("see https://docs.acme.test/{KEY}/edit"),
            format!("contract 0x{HEX}{}", &HEX[..8]),
            format!("0x{HEX}{}", &HEX[..8]),
            "1946b8b7-8f03-4dc0-ac2d-5fac0d960c6a".into(),
            "form-1946b8b7-8f03-4dc0-ac2d-5fac0d960c6a-draft".into(),
            "0123456789abcdef0123456789abcdef".into(),
            "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6".into(),
            "deadbeefdeadbeefdeadbeefdeadbeef".into(),
            format!("{KEY}EXAMPLE"),
            "eyJvZmZzZXQiOjEwMCwibGltaXQiOjUwfQ".into(),
            format!("data:image/png;base64,{KEY}{KEY}"),
            "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ".into(),
            "+----------+-----+--------------+".into(),
        ] {
            assert_eq!(found_in(&text, &[]), [] as [&str; 0], "{text}");
        }
    }

    #[test]
    fn the_name_of_a_parameter_tells_ids_from_keys() {
        let path = |name| [Step::Member("properties"), Step::Member(name), Step::Member("default")];
        assert_eq!(found_in(HEX, &path("database_id")).len(), 0);
        assert_eq!(found_in(HEX, &path("apiKey")).len(), 1);
        assert_eq!(found_in(&KEY[..20], &path("password")).len(), 1);
    }
}
