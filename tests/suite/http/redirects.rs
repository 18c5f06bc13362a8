//! Redirects: followed within the server, and never with anything to somebody else.

use super::{Ask, ordinary};
use crate::support::web::{Reply, Web};

const TOKEN: &str = "Bearer sesame-sesame-sesame";

#[test]
fn a_redirect_within_the_server_is_followed_with_method_body_and_headers() {
    for (status, absolute) in [(307, false), (308, false), (307, true)] {
        let web = Web::start(move |request| match (request.path.as_str(), absolute) {
            ("/mcp/", _) => ordinary(request),
            (_, false) => Reply::status(status).header("Location", "/mcp/"),
            (_, true) => {
                let host = request.header("host").unwrap_or_default();
                Reply::status(status).header("Location", format!("http://{host}/mcp/"))
            }
        });
        assert_eq!(Ask::at(&web).header("Authorization", TOKEN).tools(), ["alpha"]);
        let requests = web.requests();
        assert!(requests.iter().all(|request| request.header("authorization") == Some(TOKEN)));
        // Once is enough: the rest goes there directly.
        assert_eq!(requests.iter().filter(|request| request.path == "/mcp").count(), 1);
    }
}

#[test]
fn nothing_follows_a_redirect_to_another_server() {
    let elsewhere = Web::start(ordinary);
    for status in [301, 302, 303, 307, 308] {
        let target = elsewhere.url("/steal");
        let web = Web::start(move |_| Reply::status(status).header("Location", target.clone()));
        let error = Ask::at(&web).header("Authorization", TOKEN).failed();
        assert_eq!(error.code(), "E-REDIRECT");
        assert!(error.to_string().contains(&elsewhere.url("/steal")), "{error}");
    }
    assert!(elsewhere.requests().is_empty(), "{:?}", elsewhere.asked());
}

#[test]
fn a_redirect_that_changes_the_method_is_not_followed() {
    for status in [301, 302, 303] {
        let web = Web::start(move |request| match request.path.as_str() {
            "/mcp/" => ordinary(request),
            _ => Reply::status(status).header("Location", "/mcp/"),
        });
        let error = Ask::at(&web).failed();
        assert!(error.to_string().contains("would change a POST into a GET"), "{error}");
        assert_eq!(web.requests().len(), 1);
    }
}

#[test]
fn redirects_end_and_their_targets_are_quoted() {
    let web = Web::start(|request| Reply::status(307).header("Location", format!("{}x", request.path)));
    let error = Ask::at(&web).failed();
    assert!(error.to_string().contains("too many redirects"), "{error}");
    assert_eq!(web.requests().len(), 6);
    let web = Web::start(|_| Reply::status(307));
    assert!(Ask::at(&web).failed().to_string().contains("to nowhere"));
    let web = Web::start(|_| Reply::status(307).header("Location", "http://evil.test/\u{202e}sesame-sesame-sesame"));
    let text = Ask::at(&web).header("X-Key", "sesame-sesame-sesame").failed().to_string();
    assert!(!text.contains('\u{202e}') && text.contains("⟨U+202E⟩") && !text.contains("sesame"), "{text}");
}

#[test]
fn a_redirect_away_in_the_middle_is_refused_too() {
    let elsewhere = Web::start(ordinary);
    let target = elsewhere.url("/mcp");
    let web =
        Web::start(super::answering("tools/list", move |_| Reply::status(307).header("Location", target.clone())));
    let error = Ask::at(&web).header("Cookie", "session=sesame-sesame").failed();
    assert_eq!(error.code(), "E-REDIRECT");
    assert!(elsewhere.requests().is_empty());
}
