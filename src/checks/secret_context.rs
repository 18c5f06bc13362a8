//! What the words around a random-looking text say about it.
//!
//! A hash and a key look alike: only their surroundings tell them apart. The nearest telling word decides, so that
//! "token mint address: …" is an address and "page id, then the api key: …" is a key.

use super::quote::{head, tail};
use super::walk::Step;
use crate::capability::tokens;

/// What a text's surroundings make of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// Called a key, token or password.
    Secret,
    /// Nothing is said.
    Unknown,
    /// Called an id, a hash, an address or an example.
    Harmless,
}

/// Bytes of text before a token that are looked at, and how many words of them.
const WINDOW: usize = 96;
const WORDS: usize = 8;

/// How many names on the way to a text are looked at.
const NAMES: usize = 2;

/// Names that say what a text is for in a schema, not what it is about.
const SCHEMA_WORDS: &str = "default enum examples example const description title items properties anyOf oneOf allOf \
    not if then else $defs definitions additionalProperties patternProperties prefixItems inputSchema outputSchema \
    annotations _meta arguments pattern name uri";

const SECRET: &str = "apikey apikeys secret secrets password passwords passwd passphrase pwd credential credentials \
    bearer authorization auth accesskey secretkey privatekey authtoken accesstoken pat";

/// Words before "key" that make it a secret one. A key without them may belong to a map, a table or an issue.
const KEY_OWNERS: &str = "api secret access private auth encryption signing service license licence master shared \
    webhook deploy admin account app consumer client subscription";

/// Words before "token" that make it a place in a list, or a coin.
const TOKEN_OWNERS: &str = "page next continuation pagination cursor sync resume start delta erc spl native \
    governance input output";

const HARMLESS: &str = "id ids uuid guid identifier identifiers spreadsheet hash hashes sha sha1 sha256 sha384 sha512 \
    md5 commit commits digest digests checksum fingerprint revision rev etag address addresses mint wallet contract tx \
    txid txhash transaction transactions usdc usdt weth solana ethereum bitcoin blockchain cid cursor cursors version \
    versions integrity example examples ex sample placeholder";

/// The stance of the words before a token, then of the names that lead to its text.
pub(super) fn stance(before: &str, path: &[Step<'_>]) -> Stance {
    judge(&words(tail(before, WINDOW)))
        .or_else(|| {
            let names = path.iter().rev().filter_map(|step| step.member());
            names
                .filter(|name| !listed(SCHEMA_WORDS, name))
                .take(NAMES)
                .find_map(|name| judge(&words(head(name, WINDOW))))
        })
        .unwrap_or(Stance::Unknown)
}

/// Whether a word stands in a list of words separated by spaces.
pub(super) fn listed(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split(' ').any(|entry| entry == word)
}

/// The words of a text in order; of a run-together name also the whole, after its parts (`eTag` is e, tag, etag).
fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for piece in text.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()) {
        let parts = tokens(piece);
        let whole = (parts.len() > 1).then(|| piece.to_lowercase());
        found.extend(parts);
        found.extend(whole);
    }
    found
}

/// What the last telling word says.
fn judge(words: &[String]) -> Option<Stance> {
    (0..words.len()).rev().take(WORDS).find_map(|at| {
        let word = words[at].as_str();
        let before = at.checked_sub(1).and_then(|at| words.get(at)).map_or("", String::as_str);
        match word {
            "key" | "keys" => listed(KEY_OWNERS, before).then_some(Stance::Secret),
            "token" | "tokens" if listed(TOKEN_OWNERS, before) => Some(Stance::Harmless),
            "token" | "tokens" => Some(Stance::Secret),
            "g" if before == "e" => Some(Stance::Harmless),
            word if listed(SECRET, word) => Some(Stance::Secret),
            word if listed(HARMLESS, word) => Some(Stance::Harmless),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_telling_word_decides() {
        for (before, want) in [
            ("Use the API key: ", Stance::Secret),
            ("apiKey=", Stance::Secret),
            ("token mint address ", Stance::Harmless),
            ("the page id, then the api key ", Stance::Secret),
            ("next_page_token: ", Stance::Harmless),
            ("Bearer ", Stance::Secret),
            ("the key ", Stance::Unknown),
            ("sha256:", Stance::Harmless),
            ("a database (e.g. ", Stance::Harmless),
            ("access key id ", Stance::Harmless),
            ("Reads a file. ", Stance::Unknown),
            ("", Stance::Unknown),
        ] {
            assert_eq!(stance(before, &[]), want, "{before}");
        }
    }

    #[test]
    fn names_on_the_way_speak_where_the_text_does_not() {
        let path = |name| {
            [Step::Member("inputSchema"), Step::Member("properties"), Step::Member(name), Step::Member("default")]
        };
        assert_eq!(stance("", &path("page_id")), Stance::Harmless);
        assert_eq!(stance("", &path("openaiApiKey")), Stance::Secret);
        assert_eq!(stance("password ", &path("page_id")), Stance::Secret);
        assert_eq!(stance("", &path("value")), Stance::Unknown);
        assert_eq!(stance("", &[Step::Member("example"), Step::Item(1)]), Stance::Unknown);
    }
}
