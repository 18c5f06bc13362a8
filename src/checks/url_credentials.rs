//! `WRD-SEC-URL`: passwords and keys inside URLs and connection strings.

use super::entropy::{holds_stock_word, is_placeholder};
use super::quote::head;
use super::randomness::most_random_stretch;
use super::secret_names::{is_reference, is_secret_name};
use super::secrets::{Hit, Scan};
use std::ops::Range;

/// Paths of web hooks, where the path itself is the key.
const HOOKS: &[&str] = &["hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/"];

/// Passwords that documentation puts into its URLs.
const STOCK_PASSWORDS: &str = "password passwd pass pwd pw secret token key changeme test testing admin root guest user \
    username postgres mysql mongo redis rabbitmq neo4j minioadmin example foobar hunter2 p@ssw0rd mypassword \
    mysecretpassword apikey api_key";

/// Bytes of one URL that are looked at.
const LONGEST: usize = 8192;

/// Credentials in URLs of a text.
pub(super) fn find(text: &str, scan: &Scan<'_>, found: &mut Vec<Hit>) {
    let mut from = 0;
    while let Some(at) = text[from..].find("://") {
        let start = from + at + 3;
        let url = head(&text[start..], LONGEST);
        // A URL inside a URL is looked at on its own.
        let url = &url[..url.find("://").unwrap_or(url.len())];
        let stops = |c: char| c.is_whitespace() || c.is_control() || "\"'`<>\\|^".contains(c);
        let end = start + url.find(stops).unwrap_or(url.len());
        for range in within(text, start..end, scan.wary) {
            found.push(Hit { range, rule_id: "WRD-SEC-URL", what: "a credential inside a URL" });
        }
        from = end;
    }
}

/// The credentials of one URL, `url` being what follows `://`. `wary` believes a password that may be a stock word.
fn within(text: &str, url: Range<usize>, wary: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let rest = &text[url.clone()];
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    // A raw slash, question mark or hash in a password ends the authority early: look for an at sign behind it too.
    if let Some(at) = authority.rfind('@').or_else(|| unescaped_at(rest, authority.len())) {
        found.extend(user_info(&rest[..at], wary).map(|range| url.start + range.start..url.start + range.end));
    }
    let after = url.start + authority.len();
    if let Some(mark) = text[after..url.end].find(['?', '#']) {
        query(text, after + mark + 1..url.end, wary, &mut found);
    }
    for hook in HOOKS {
        if let Some(key) = rest.strip_prefix(hook) {
            let key = key.trim_end_matches(['.', ')', ',', '/']);
            let last = key.rsplit('/').next().unwrap_or_default();
            if last.len() >= 16 && most_random_stretch(last.as_bytes()).bits >= 8 && !is_placeholder(last.as_bytes()) {
                let start = url.start + hook.len();
                found.push(start..start + key.len());
            }
        }
    }
    found
}

/// `user:pa/ss@host`: an at sign in what looks like the path, when the authority looks like user and password.
fn unescaped_at(rest: &str, authority: usize) -> Option<usize> {
    let (_, password) = rest[..authority].split_once(':')?;
    // A port, not a password.
    if password.is_empty() || password.bytes().all(|byte| byte.is_ascii_digit()) || password.starts_with('[') {
        return None;
    }
    rest[authority..].find('@').map(|at| authority + at)
}

/// The password of `user:password`, or a token in place of the user.
fn user_info(info: &str, wary: bool) -> Option<Range<usize>> {
    let Some(colon) = info.find(':') else {
        let random = info.len() >= 16 && most_random_stretch(info.as_bytes()).bits >= 14;
        return (random && !is_placeholder(info.as_bytes())).then_some(0..info.len());
    };
    let (user, password) = (&info[..colon], &info[colon + 1..]);
    if password.is_empty() || is_reference(password) {
        return None;
    }
    let range = colon + 1..info.len();
    if wary {
        return Some(range);
    }
    let lower = password.to_ascii_lowercase();
    let stock = super::secret_context::listed(STOCK_PASSWORDS, &lower)
        || password == user
        || password.len() < 6
        || lower.contains("password")
        || is_dull(password)
        || holds_stock_word(password.as_bytes());
    (!stock).then_some(range)
}

/// Stars, dots, one letter over and over.
fn is_dull(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first = bytes.next();
    bytes.all(|byte| Some(byte) == first)
}

/// Values of parameters whose names say that they are secret.
fn query(text: &str, query: Range<usize>, wary: bool, found: &mut Vec<Range<usize>>) {
    let mut at = query.start;
    for pair in text[query].split(['&', ';', '#']) {
        let start = at;
        at += pair.len() + 1;
        let Some((name, value)) = pair.split_once('=') else { continue };
        // Brackets end a URL in running text and Markdown; a full stop or comma may.
        let value = value.split([')', ']', '}']).next().unwrap_or_default().trim_end_matches(['.', ',']);
        let named = is_secret_name(name) || matches!(name, "sig" | "X-Amz-Signature" | "X-Goog-Signature");
        if !named || value.is_empty() || is_reference(value) {
            continue;
        }
        let bytes = value.as_bytes();
        let looks = value.len() >= 12 && !is_placeholder(bytes) && most_random_stretch(bytes).bits >= 8;
        if wary || looks {
            let start = start + name.len() + 1;
            found.push(start..start + value.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found_in(text: &str, wary: bool) -> Vec<&str> {
        let mut found = Vec::new();
        find(text, &Scan { path: &[], wary }, &mut found);
        found.into_iter().map(|hit| &text[hit.range]).collect()
    }

    #[test]
    fn passwords_and_keys_of_urls_are_found() {
        for (text, want) in [
            ("postgres://svc:Kd83-vmQ2z@db.acme.test:5432/main", "Kd83-vmQ2z"),
            ("mongodb+srv://svc:a/b9Kx!2q@cluster.acme.test", "a/b9Kx!2q"),
            ("(https://q7x2k9v4m1z8p3w6t5r0@git.acme.test/x)", "q7x2k9v4m1z8p3w6t5r0"),
            ("https://mcp.acme.test/sse?api_key=q7x2k9v4m1z8p3w6 or so", "q7x2k9v4m1z8p3w6"),
            ("https://acme.test/?to=postgres://svc:Kd83-vmQ2z@db.acme.test", "Kd83-vmQ2z"),
            ("https://acme.test/cb#access_token=q7x2k9v4m1z8p3w6", "q7x2k9v4m1z8p3w6"),
        ] {
            assert_eq!(found_in(text, false), [want], "{text}");
        }
        let hook = format!("https://hooks.slack.com/{}/T01AB2CD3/B04EF5GH6/q7X2k9V4m1Z8p3W6t5R0sN8b", "services");
        assert_eq!(found_in(&hook, false), ["T01AB2CD3/B04EF5GH6/q7X2k9V4m1Z8p3W6t5R0sN8b"]);
    }

    #[test]
    fn documentation_urls_are_let_alone() {
        for text in [
            "postgresql://user:password@localhost:5432/db",
            "postgres://postgres:postgres@db/main",
            "bolt://127.0.0.1:9",
            "redis://:${REDIS_PASSWORD}@host:6379",
            "https://user:****@host/",
            "https://user:<password>@host/",
            "https://acme.test/?api_key=YOUR_API_KEY",
            "https://acme.test/?key={key}&token=",
            "[![coverage](https://acme.test/badge.svg?token=q7x2k9v4m1)](https://acme.test/x1y2z3)",
            "https://acme.test/?page_token=q7x2k9v4m1z8p3w6",
            "https://acme.test:8080/@scope/package@1.2.3",
            "mailto:someone@acme.test or ssh://git@acme.test/x",
            "://",
        ] {
            assert_eq!(found_in(text, false), [] as [&str; 0], "{text}");
        }
        assert_eq!(found_in("postgresql://user:password@localhost:5432/db", true), ["password"]);
    }
}
