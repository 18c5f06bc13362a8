//! Which redirects are followed, pure: the ones that change neither who answers nor what is asked.
//!
//! A lock names a server by its URL. A redirect to another origin would let whoever answers there pass for it, and
//! would carry credentials away. 301, 302 and 303 turn a POST into a GET.

use super::address::same_origin;
use reqwest::Url;

/// Redirects in a row.
pub(super) const MOST: usize = 5;

/// Whether a status is a redirect at all.
pub(super) fn is_redirect(status: u16) -> bool {
    matches!(status, 300..=303 | 307 | 308)
}

/// Where to ask instead, or why not.
pub(super) fn decide(from: &Url, status: u16, location: Option<&str>) -> Result<Url, &'static str> {
    let Some(target) = location.and_then(|location| from.join(location).ok()) else {
        return Err("it names no target");
    };
    if !matches!(status, 307 | 308) {
        return Err("it would change a POST into a GET");
    }
    if !target.username().is_empty() || target.password().is_some() {
        return Err("its target holds credentials");
    }
    let safer = from.scheme() == "http"
        && target.scheme() == "https"
        && from.host_str() == target.host_str()
        && from.port_or_known_default() == Some(80)
        && target.port_or_known_default() == Some(443);
    match same_origin(from, &target) || safer {
        true => Ok(target),
        false => Err("it leads to another server"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_server_is_followed() {
        let decide =
            |from: &str, status, to: &str| decide(&Url::parse(from).expect(from), status, Some(to)).map(String::from);
        for (from, to, want) in [
            ("http://a.test/mcp", "/mcp/", "http://a.test/mcp/"),
            ("http://a.test/mcp", "http://a.test:80/mcp/", "http://a.test/mcp/"),
            ("http://a.test/mcp", "https://a.test/mcp", "https://a.test/mcp"),
            ("https://a.test/x/mcp", "mcp/?y=1", "https://a.test/x/mcp/?y=1"),
        ] {
            assert_eq!(decide(from, 307, to).as_deref(), Ok(want));
            assert_eq!(decide(from, 308, to).as_deref(), Ok(want));
            for status in [300, 301, 302, 303] {
                assert!(decide(from, status, to).is_err());
            }
        }
        for (from, to) in [
            ("https://a.test/mcp", "http://a.test/mcp"),
            ("https://a.test/mcp", "https://b.test/mcp"),
            ("https://a.test/mcp", "//b.test/mcp"),
            ("https://a.test/mcp", "https://a.test:8443/mcp"),
            ("http://a.test:8080/mcp", "https://a.test/mcp"),
            ("https://a.test/mcp", "https://u:p@a.test/mcp"),
            ("https://a.test/mcp", "javascript:alert(1)"),
        ] {
            assert!(decide(from, 307, to).is_err(), "{to}");
        }
    }
}
