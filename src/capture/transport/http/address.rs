//! Addresses: which URL may be pinned, and which other ones may be talked to. Pure.

use reqwest::Url;
use std::net::IpAddr;

/// Reads the URL of a server.
///
/// # Errors
/// It cannot be asked, or a lock must not hold it: the lock stores a URL word for word, and everybody who reads the
/// lock reads it. The problem is a lower-case fragment that quotes nothing of the URL.
pub fn parse(text: &str) -> Result<Url, &'static str> {
    // The parser drops or repairs these silently; two texts that look alike would be one server and two identities.
    if text.chars().any(|c| c.is_whitespace() || crate::text::is_hidden(c) || c == '\\') {
        return Err("it holds white space, a backslash or hidden characters");
    }
    let url = Url::parse(text).map_err(|_| "it is not a complete URL, such as https://mcp.example.com/mcp")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("only http and https are spoken");
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("it names no host");
    }
    if !url.username().is_empty()
        || url.password().is_some()
        || text.split('/').nth(2).is_some_and(|part| part.contains('@'))
    {
        return Err("it holds a user name or password, which a lock would store");
    }
    if url.fragment().is_some() {
        return Err("it holds a fragment (#...), which is never sent to a server");
    }
    Ok(url)
}

/// Whether two URLs have scheme, host and port in common.
pub(super) fn same_origin(one: &Url, other: &Url) -> bool {
    one.scheme() == other.scheme()
        && one.host_str() == other.host_str()
        && one.port_or_known_default() == other.port_or_known_default()
}

/// Whether a URL names this very machine, so that nobody in between can listen.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

/// Whether documents about logins may be fetched from there: what the server itself says, or what nobody on the way
/// could have changed. On a developer's machine, its other ports.
pub(super) fn may_fetch(target: &Url, server: &Url) -> bool {
    let plain = target.username().is_empty() && target.password().is_none();
    plain && (same_origin(target, server) || may_hold_secrets(target, server))
}

/// Whether a client's secret may be sent there.
pub(super) fn may_hold_secrets(target: &Url, server: &Url) -> bool {
    target.scheme() == "https" || (target.scheme() == "http" && is_loopback(target) && is_loopback(server))
}

/// Host and port, for messages.
pub(super) fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_urls_that_a_lock_may_hold_are_taken() {
        for text in
            ["https://mcp.acme.test/mcp", "http://127.0.0.1:8000/mcp/", "https://[::1]:1/x?tenant=a", "HTTPS://A.test"]
        {
            assert!(parse(text).is_ok(), "{text}");
        }
        for (text, problem) in [
            ("mcp.acme.test/mcp", "complete"),
            ("localhost:8000/mcp", "only http"),
            ("ftp://acme.test/", "only http"),
            ("https://", "complete"),
            ("https://user@acme.test/", "user name"),
            ("https://user:pw@acme.test/", "user name"),
            ("https://:pw@acme.test/", "user name"),
            ("https://@acme.test/", "user name"),
            ("https://acme.test/mcp#top", "fragment"),
            (" https://acme.test/mcp", "white space"),
            ("https://acme.test/m\ncp", "white space"),
            ("https:\\\\acme.test/mcp", "backslash"),
            ("https://acme\u{200b}.test/mcp", "hidden"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(problem), "{text}: {error}");
        }
        assert!(parse("https://acme.test/@scope/mcp").is_ok());
    }

    #[test]
    fn origins_are_scheme_host_and_port() {
        let url = |text: &str| Url::parse(text).expect(text);
        let same = |one: &str, other: &str| same_origin(&url(one), &url(other));
        assert!(same("https://a.test/x", "https://A.TEST:443/y?z"));
        assert!(!same("https://a.test", "http://a.test"));
        assert!(!same("https://a.test", "https://a.test:8443"));
        assert!(!same("https://a.test", "https://a.test.evil.test"));
        for text in ["http://localhost:1", "http://127.3.2.1", "http://[::1]/"] {
            assert!(is_loopback(&url(text)), "{text}");
        }
        for text in ["http://localhost.evil.test", "http://10.0.0.1", "http://128.0.0.1"] {
            assert!(!is_loopback(&url(text)), "{text}");
        }
        let server = url("http://127.0.0.1:1/mcp");
        assert!(may_fetch(&url("http://127.0.0.1:1/.well-known/x"), &url("http://127.0.0.1:1/mcp")));
        assert!(may_hold_secrets(&url("http://127.0.0.1:2/"), &server));
        assert!(!may_hold_secrets(&url("http://127.0.0.1:2/"), &url("https://a.test/")));
        assert!(!may_fetch(&url("http://metadata.test/"), &server));
        assert!(!may_fetch(&url("https://u@a.test/"), &server));
        assert_eq!(place(&url("https://a.test/x")), "a.test:443");
    }
}
