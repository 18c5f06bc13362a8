//! `WRD-LAUNCH-SECRET` and `WRD-LAUNCH-URL-SECRET`: keys and passwords in the command line or URL of a server.
//!
//! Command, arguments and URL are pinned word for word, so a secret there would be committed with the lock. What counts
//! as one:
//!
//! * `NAME=value`, alone (after `env`, after `docker run -e`) or inside a command string, where the name announces a
//!   secret (`secret_names`) and the value is none of the things that never are one: empty, a reference such as
//!   `${NAME}`, a switch word, a short number, a path;
//! * `--name value` and `--name=value` with such a name and value;
//! * a header `Name: value` or a JSON member `"name": "value"` inside a word, likewise;
//! * user information and secret query values of a URL;
//! * whatever the rules `WRD-SEC-*` find, whatever its name.

use super::Input;
use super::quote::{redact, show};
use super::randomness::most_random_stretch;
use super::secret_names::{is_reference, is_secret_name};
use super::secrets::{Scan, hits};
use super::sink::{Sink, Target};
use super::url_credentials;
use super::walk::Step;
use crate::surface::Launch;
use std::ops::Range;

/// What stands in place of a secret.
const REDACTED: &str = "<redacted>";

/// Values that switch something and are no secret.
const SWITCH_WORDS: &str = "true false yes no on off none null nil auto default optional required enabled disabled basic \
    bearer oauth oauth2 jwt oidc saml sso iam api_key apikey token password env file stdin keychain";

pub(super) fn check(input: &Input<'_>, sink: &mut Sink) {
    let words = input.launch.words();
    let rule_id = match input.launch {
        Launch::Stdio { .. } => "WRD-LAUNCH-SECRET",
        Launch::Url(_) => "WRD-LAUNCH-URL-SECRET",
    };
    for secret in find(&words) {
        let value = &words[secret.word][secret.range.clone()];
        let name = secret.name.as_deref().map(show);
        let snippet = match &name {
            Some(name) => format!("{name}: {}", shown(value)),
            None => shown(value),
        };
        sink.add(Target::Launch, rule_id, snippet, || match input.launch {
            Launch::Url(_) => {
                "The URL carries a secret and would be committed with the lock; send it in a header".to_owned()
            }
            Launch::Stdio { .. } => {
                let option = name.filter(|name| is_variable(name)).unwrap_or_else(|| "NAME".to_owned());
                format!(
                    "The command line carries a secret and would be committed with the lock; \
                     pass it through the environment with --env {option}"
                )
            }
        });
    }
}

/// A redacted value: what the published redaction shows of a real key is too much of a short password.
fn shown(value: &str) -> String {
    let length = value.chars().count();
    if length >= 16 {
        crate::text::escape(&redact(value), crate::text::Charset::Unicode)
    } else {
        format!("…(len={length})")
    }
}

fn is_variable(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The words of a command line with every secret value replaced by `<redacted>`. For showing, never for starting.
pub fn redact_argv(words: &[&str]) -> Vec<String> {
    let mut secrets = find(words).into_iter().peekable();
    let mut out = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let mut shown = String::with_capacity(word.len());
        let mut from = 0;
        while let Some(secret) = secrets.next_if(|secret| secret.word == at) {
            shown.push_str(&word[from..secret.range.start]);
            shown.push_str(REDACTED);
            from = secret.range.end;
        }
        shown.push_str(&word[from..]);
        out.push(shown);
    }
    out
}

/// Whether a command line, or the URL that is its only word, carries a secret.
pub fn argv_holds_secret(words: &[&str]) -> bool {
    !find(words).is_empty()
}

/// The words of a command line, or the URL that is its only word, that hold a secret: the place of each, and the
/// variable, option or header that the value is given to; raw.
pub fn secret_words(words: &[&str]) -> Vec<(usize, Option<String>)> {
    find(words).into_iter().map(|secret| (secret.word, secret.name)).collect()
}

/// Whether the value of a variable or header is a secret in clear: the name announces one and the value is no reference
/// or switch word, or the value looks like a key whatever its name.
///
/// `literal` is the value without the references in it; `has_reference` says whether there are any: then what stands
/// around them is a scheme more often than a password.
pub fn is_secret_setting(name: &str, literal: &str, has_reference: bool) -> bool {
    let value = SCHEMES.iter().find_map(|scheme| literal.strip_prefix(scheme)).unwrap_or(literal).trim();
    let mut urls = Vec::new();
    url_credentials::find(value, &Scan { path: &[], wary: false }, &mut urls);
    let named = !has_reference && is_secret_name(name) && is_plausible(name, value);
    named || !urls.is_empty() || !hits(value, &Scan { path: &[Step::Member(name)], wary: false }).is_empty()
}

/// What stands before a credential in a header.
const SCHEMES: [&str; 6] = ["Bearer ", "Basic ", "Token ", "bearer ", "basic ", "token "];

/// A secret value in a command line.
struct Secret {
    word: usize,
    range: Range<usize>,
    /// The variable, option or header it is given to.
    name: Option<String>,
}

/// All secrets, by word and place, without overlaps.
fn find(words: &[&str]) -> Vec<Secret> {
    let mut found = Vec::new();
    // The option that the next piece is the value of.
    let mut option: Option<String> = None;
    for (word, text) in words.iter().enumerate() {
        let mut here = Vec::new();
        for piece in pieces(text) {
            let given = option.take();
            let (name, value) = named_value(text, piece.clone());
            match (name, value) {
                (Some(name), Some(value)) => {
                    if is_secret_name(name) && is_plausible(name, &text[value.clone()]) {
                        here.push(Secret { word, range: value, name: Some(name.to_owned()) });
                    }
                }
                (Some(name), None) => option = Some(name.to_owned()),
                (None, _) => {
                    if let Some(name) = given.filter(|name| is_secret_name(name))
                        && is_plausible(&name, &text[piece.clone()])
                    {
                        here.push(Secret { word, range: piece, name: Some(name) });
                    }
                }
            }
        }
        members(word, text, &mut here);
        let mut urls = Vec::new();
        url_credentials::find(text, &Scan::wary(), &mut urls);
        here.extend(urls.into_iter().map(|hit| Secret { word, range: hit.range, name: None }));
        let path: Vec<Step<'_>> = option.as_deref().map(Step::Member).into_iter().collect();
        let scan = Scan { path: &path, wary: false };
        here.extend(hits(text, &scan).into_iter().map(|hit| Secret { word, range: hit.range, name: None }));
        found.extend(apart(here));
    }
    found
}

/// The first of those that overlap: earlier kinds know the whole value and its name.
fn apart(mut secrets: Vec<Secret>) -> Vec<Secret> {
    // Stable: of two at one place the earlier kind comes first.
    secrets.sort_by_key(|secret| secret.range.start);
    let mut out: Vec<Secret> = Vec::with_capacity(secrets.len());
    for secret in secrets {
        match out.last_mut() {
            Some(last) if last.range.end > secret.range.start => last.range.end = last.range.end.max(secret.range.end),
            _ => out.push(secret),
        }
    }
    out
}

/// A word, or the words inside it where it is a command string: what stands between white space, quotes kept together.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !text.contains(char::is_whitespace) {
        found.push(0..text.len());
        return found;
    }
    let mut start = 0;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c.is_whitespace() || matches!(c, ';' | '|' | '(' | ')') => {
                found.push(start..at);
                start = at + c.len_utf8();
            }
            None => {}
        }
    }
    found.push(start..text.len());
    found.retain(|piece| !piece.is_empty());
    found
}

/// The name and value of `NAME=value` and `--name=value`, or the name of `--name` alone.
fn named_value(text: &str, piece: Range<usize>) -> (Option<&str>, Option<Range<usize>>) {
    let part = &text[piece.clone()];
    let unquoted = |value: Range<usize>| {
        let inner = text[value.clone()].trim_matches(['"', '\'']);
        let start = value.start + text[value.clone()].find(inner).unwrap_or(0);
        start..start + inner.len()
    };
    let is_name = |name: &str| {
        !name.is_empty()
            && name.len() <= 128
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
    };
    match part.split_once('=') {
        Some((name, _)) if is_name(name) => (Some(name), Some(unquoted(piece.start + name.len() + 1..piece.end))),
        _ if part.starts_with('-') && part.len() > 1 && is_name(part) => (Some(part), None),
        _ => (None, None),
    }
}

/// Headers and JSON members inside a word: a secret name, a colon, a value.
fn members(word: usize, text: &str, found: &mut Vec<Secret>) {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    // A value is looked at once, whatever colons it holds: else a run of names would be quadratic.
    let mut looked_at = 0;
    for (colon, _) in text.match_indices(':').filter(|(colon, _)| !text[*colon..].starts_with("://")) {
        if colon < looked_at {
            continue;
        }
        let before = text[..colon].trim_end_matches(['"', '\'', '\\', ' ']);
        let length = before.as_bytes().iter().rev().take(128).take_while(|byte| is_name(byte)).count();
        let name = &before[before.len() - length..];
        if !is_secret_name(name) {
            continue;
        }
        let after = &text[colon + 1..];
        let value = after.trim_start_matches([' ', '"', '\'', '\\']);
        let value_start = colon + 1 + after.len() - value.len();
        let scheme = SCHEMES.iter().find(|scheme| value.starts_with(**scheme));
        let value_start = value_start + scheme.map_or(0, |scheme| scheme.len());
        let value = &text[value_start..];
        let end = value
            .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | ',' | '}'))
            .unwrap_or(value.len());
        let range = value_start..value_start + end;
        looked_at = range.end;
        if is_plausible(name, &text[range.clone()]) {
            found.push(Secret { word, range, name: Some(name.to_owned()) });
        }
    }
}

/// Whether a value under a secret name can be the secret itself.
fn is_plausible(name: &str, value: &str) -> bool {
    let value = value.trim();
    if value.is_empty() || is_reference(value) {
        return false;
    }
    // What a shell would run is no secret, and must not be hidden from whoever reads the command.
    if value.contains('`') || value.contains("$(") {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    if value.len() <= 16 && super::secret_context::listed(SWITCH_WORDS, &lower) {
        return false;
    }
    // A limit, a port, a lifetime; but passwords of digits exist.
    let lower_name = name.to_ascii_lowercase();
    let of_digits = ["pass", "pwd", "secret", "pin"].iter().any(|word| lower_name.contains(word));
    if value.len() <= 6 && value.bytes().all(|byte| byte.is_ascii_digit()) && !of_digits {
        return false;
    }
    !is_path(value)
}

/// A file that holds the secret, or a URL (whose credentials are found by themselves).
fn is_path(value: &str) -> bool {
    let rooted = ["/", "./", "../", "~/"].iter().any(|prefix| value.starts_with(prefix))
        || value.as_bytes().get(1..3).is_some_and(|bytes| matches!(bytes, b":\\" | b":/"));
    // A key in base64 may begin with a slash; a path reads like words.
    value.contains("://") || (rooted && most_random_stretch(value.as_bytes()).bits < 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_redacted(words: &[&str], want: &[&str]) {
        assert_eq!(redact_argv(words), want);
        assert!(argv_holds_secret(words));
    }

    #[test]
    fn every_way_to_give_a_secret_is_redacted() {
        assert_redacted(
            &["env", "ACME_API_KEY=dummy", "node", "x.js"],
            &["env", "ACME_API_KEY=<redacted>", "node", "x.js"],
        );
        assert_redacted(&["x", "--token", "abc", "--port", "1"], &["x", "--token", "<redacted>", "--port", "1"]);
        assert_redacted(&["x", "--api-key=abc"], &["x", "--api-key=<redacted>"]);
        assert_redacted(
            &["docker", "run", "-e", "DB_PASSWORD=1234", "img"],
            &["docker", "run", "-e", "DB_PASSWORD=<redacted>", "img"],
        );
        assert_redacted(
            &["x", "--header", "Authorization: Bearer abc"],
            &["x", "--header", "Authorization: Bearer <redacted>"],
        );
        assert_redacted(&["x", "-H", "X-API-Key:abc"], &["x", "-H", "X-API-Key:<redacted>"]);
        assert_redacted(&["x", r#"{"apiKey": "abc","n":1}"#], &["x", r#"{"apiKey": "<redacted>","n":1}"#]);
        assert_redacted(
            &["sh", "-c", "export TOKEN='a b'; x --secret abc"],
            &["sh", "-c", "export TOKEN='<redacted>'; x --secret <redacted>"],
        );
        assert_redacted(&["x", "postgres://me:pw@db/x"], &["x", "postgres://me:<redacted>@db/x"]);
        assert_redacted(&["https://acme.test/mcp?api_key=abc&x=1"], &["https://acme.test/mcp?api_key=<redacted>&x=1"]);
        let key = format!("ghp_{}", "aB3dE6gH9jK2".repeat(3));
        assert_redacted(&["x", &key], &["x", "<redacted>"]);
        assert_redacted(&["x", &format!("--db=postgres://me:{key}@db")], &["x", "--db=postgres://me:<redacted>@db"]);
        assert_redacted(&["x", "K=k3Vq9ZtB7xLw2NfR8mYcJ4hGdP6sTa1E"], &["x", "K=<redacted>"]);
    }

    #[test]
    fn ordinary_launches_hold_no_secret() {
        for words in [
            vec!["env", "PATH=/usr/bin", "AUTHOR=me", "MCP_MODE=stdio", "node", "x.js"],
            vec!["env", "API_KEY=", "node"],
            vec!["env", "API_KEY=${API_KEY}", "node"],
            vec!["x", "--token-file", "/run/token"],
            vec!["x", "--password-stdin", "--auth", "none"],
            vec!["x", "--max-tokens", "4096", "--token-limit=100"],
            vec!["x", "--token", "--verbose"],
            vec!["x", "--private-key", "/etc/keys/id_ed25519"],
            vec![
                "docker",
                "run",
                "-i",
                "--rm",
                "-e",
                "GITHUB_TOKEN",
                "ghcr.io/acme/server@sha256:9f2c4e81b7d03a65e8f1c2907ab4d63e9f2c4e81b7d03a65e8f1c2907ab4d63e",
            ],
            vec!["npx", "-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "/home/me/projects"],
            vec!["uvx", "--from", "git+https://git.test/acme/x@9f2c4e81b7d03a65e8f1c2907ab4d63e00112233", "x"],
            vec!["/nix/store/0c5b1xkqz7v2mw8pjd4hr9ys3fgn6ali-acme-server-1.0/bin/acme-server"],
            vec!["mcp-neo4j", "--db-url", "bolt://127.0.0.1:9", "--username", "neo4j"],
            vec!["https://acme.test/mcp?page=1"],
        ] {
            assert_eq!(redact_argv(&words), words);
            assert!(!argv_holds_secret(&words));
        }
    }
}
