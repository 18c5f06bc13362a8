//! Servers at a URL: what travels in the open, who may ask, and programs that stand in front of one.

use super::subject::{Subject, word_name};
use super::{Fault, Found, mend, shown};
use crate::checks::{is_secret_name, program, redact_argv};

/// Programs that are a server on this machine and pass everything on to a URL.
const WRAPPERS: &[&str] = &[
    "mcp-remote",
    "supergateway",
    "mcp-proxy",
    "mcp-remote-go",
    "mcp-bridge",
    "mcp-superassistant-proxy",
    "mcp-stdio-to-streamable-http-adapter",
    "mcp-client-proxy",
    "mcp-streamablehttp-client",
    "fastmcp-proxy",
];

pub(super) fn check(subject: &Subject<'_>, faults: &mut Vec<Fault>) {
    if subject.is_url {
        let url = subject.words.first().map_or("", |word| word.text.as_str());
        plain_http(subject, 0, url, faults);
        // Of a socket on this machine, or a host that only the environment knows, nothing is said.
        if host(url).is_some() && !is_loopback(url) && !has_credentials(subject, url) {
            let found = Found {
                rule_id: "WRD-CONF-NO-AUTH",
                at: subject.place(0),
                message: "The entry has no credentials for the server at its URL".to_owned(),
                snippet: "url".to_owned(),
                fix: match mend::reference(subject.client(), "TOKEN") {
                    Some(reference) => format!("\"headers\": {{\"Authorization\": \"Bearer {reference}\"}}"),
                    None => "a header with the token, if the client does not log in by itself".to_owned(),
                },
            };
            faults.push(found.of(subject));
        }
    } else if let Some((wrapper, word, url)) = hidden_url(&subject.texts()) {
        let shown_url = shown(&redact_argv(&[url]).concat());
        let found = Found {
            rule_id: "WRD-CONF-HIDDEN-URL",
            at: subject.place(word),
            message: format!("{} passes everything on to the URL in {}", shown(wrapper), word_name(subject, word)),
            snippet: shown_url.clone(),
            fix: format!("\"url\": \"{shown_url}\" in place of the command"),
        };
        faults.push(found.of(subject));
        plain_http(subject, word, url, faults);
    }
}

/// The wrapper of a command line, the word with its URL, and the URL.
fn hidden_url<'a>(words: &[&'a str]) -> Option<(&'static str, usize, &'a str)> {
    let (at, wrapper) = words.iter().enumerate().find_map(|(at, word)| {
        let name = bare_name(word);
        WRAPPERS.iter().find(|wrapper| **wrapper == name).map(|wrapper| (at, *wrapper))
    })?;
    let url = |word: &'a str| {
        let value = word.split_once('=').filter(|_| word.starts_with('-')).map_or(word, |(_, value)| value);
        has_scheme(value).then_some(value)
    };
    words.iter().enumerate().skip(at + 1).find_map(|(at, word)| Some((wrapper, at, url(word)?)))
}

/// A program or package without folder, scope and version.
fn bare_name(word: &str) -> String {
    let name = program(word);
    let end = name.find(['@', '=', '[', '>', '<', '~', ':']).unwrap_or(name.len());
    name[..end].to_owned()
}

fn has_scheme(text: &str) -> bool {
    scheme(text).is_some()
}

fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    let is_ours = ["http", "https", "ws", "wss"].iter().any(|ours| scheme.eq_ignore_ascii_case(ours));
    is_ours.then_some((scheme, rest))
}

/// The host of a URL, without a port; `None` where it is not known.
fn host(url: &str) -> Option<&str> {
    let (_, rest) = scheme(url)?;
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    // What a reference stands for is not known.
    (!host.is_empty() && !host.contains(['$', '{', '%'])).then_some(host)
}

/// Whether a URL leads to this machine.
fn is_loopback(url: &str) -> bool {
    let Some(host) = host(url) else { return false };
    let lower = host.trim_end_matches('.').to_ascii_lowercase();
    let own = ["localhost", "0.0.0.0", "::", "::1", "0:0:0:0:0:0:0:1"];
    own.contains(&lower.as_str())
        || lower.ends_with(".localhost")
        || is_loopback_v4(lower.strip_prefix("::ffff:").unwrap_or(&lower))
}

/// `127.` and three more numbers.
fn is_loopback_v4(host: &str) -> bool {
    let numbers: Vec<Option<u8>> = host.split('.').map(|number| number.parse().ok()).collect();
    matches!(numbers[..], [Some(127), Some(_), Some(_), Some(_)])
}

fn plain_http(subject: &Subject<'_>, word: usize, url: &str, faults: &mut Vec<Fault>) {
    let is_plain = scheme(url).is_some_and(|(scheme, _)| matches!(scheme.len(), 2 | 4));
    let Some(host) = host(url).filter(|_| is_plain && !is_loopback(url)) else { return };
    let secure = url.split_once("://").map(|(scheme, rest)| format!("{scheme}s://{rest}")).unwrap_or_default();
    let found = Found {
        rule_id: "WRD-CONF-PLAIN-HTTP",
        at: subject.place(word),
        message: format!("The way to {} is not encrypted", shown(host)),
        snippet: shown(host),
        fix: shown(&redact_argv(&[&secure]).concat()),
    };
    faults.push(found.of(subject));
}

/// Whether anything in an entry logs in, or may do so.
fn has_credentials(subject: &Subject<'_>, url: &str) -> bool {
    let is_header = |setting: &crate::clients::Setting| {
        is_secret_name(&setting.name) || setting.value.references().next().is_some()
    };
    let named = |(name, value): &(String, crate::clients::Template)| {
        is_secret_name(name) || value.references().next().is_some()
    };
    let in_url = scheme(url).is_some_and(|(_, rest)| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let query = rest.split_once('?').map_or("", |(_, query)| query);
        authority.contains('@')
            || query.split('&').filter_map(|pair| pair.split_once('=')).any(|(name, _)| is_secret_name(name))
    });
    let asked = subject.entry.is_some_and(|entry| {
        let is_named = matches!(&entry.shape, crate::clients::Shape::Remote(remote) if !remote.forward.is_empty());
        !entry.needs.is_empty() || is_named
    });
    let by_settings = subject.start.bearer_env.is_some() || subject.start.headers.iter().any(named);
    in_url || asked || by_settings || subject.headers().iter().any(is_header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_many_names() {
        for url in [
            "http://localhost:8080/mcp",
            "http://LOCALHOST./x",
            "http://api.localhost",
            "http://127.0.0.1",
            "http://127.8.9.1:1",
            "http://[::1]:3000/mcp",
            "http://user@localhost/",
            "http://0.0.0.0:1",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://127.0.0.256",
            "http://127.1.example",
            "http://example.com/@localhost",
            "http://localhost@example.com/",
            "http://example.com#@localhost",
            "http://example.com\\@localhost",
            "http://10.0.0.1",
            "http://[fe80::1]",
            "http://${HOST}/",
            "localhost",
            "",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
    }

    #[test]
    fn wrappers_are_known_by_name_and_url() {
        let find = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            hidden_url(&words).map(|(wrapper, word, _)| format!("{wrapper} {word}")).unwrap_or_default()
        };
        for (line, want) in [
            ("npx -y mcp-remote@0.1.37 https://a.test/sse --header X", "mcp-remote 3"),
            ("npx @acme/mcp-remote https://a.test/", "mcp-remote 2"),
            ("npx.cmd supergateway --sse https://a.test/sse", "supergateway 3"),
            ("uvx mcp-proxy==0.8.0 --url=https://a.test/sse", "mcp-proxy 2"),
            ("/usr/local/bin/mcp-proxy HTTP://a.test", "mcp-proxy 1"),
            ("npx supergateway --stdio ./server", ""),
            ("npx tide-mcp --api https://a.test", ""),
            ("curl https://a.test mcp-proxy", ""),
        ] {
            assert_eq!(find(line), want, "{line}");
        }
    }
}
