//! Logins: what a server asks for is told, what it is given is not.

use super::{Ask, answering, ordinary};
use crate::support::web::{Reply, Request, Web};
use warden::capture::remote::Evidence;
use warden::capture::{CaptureError, ErrorKind};

const METADATA: &str = "/.well-known/oauth-protected-resource";

fn challenge(request: &Request, status: u16) -> Reply {
    let host = request.header("host").unwrap_or_default();
    let challenge = format!(
        "Bearer realm=\"de\u{202e}mo\", error=\"invalid_token\", error_description=\"it \\\"expired\\\"\", \
         resource_metadata=\"http://{host}{METADATA}/mcp\", scope=\"tools:read\""
    );
    Reply::json(status, r#"{"error":"unauthorized"}"#).header("WWW-Authenticate", challenge)
}

fn guarded(request: &Request) -> Reply {
    if request.path == format!("{METADATA}/mcp") {
        assert_eq!(request.header("authorization"), None);
        return Reply::json(
            200,
            r#"{"resource":"x","authorization_servers":["https://auth.test/\u001b","https://b.test"]}"#,
        );
    }
    match request.header("authorization") {
        Some("Bearer good-token") => ordinary(request),
        _ => challenge(request, 401),
    }
}

#[test]
fn a_server_that_wants_a_login_is_quoted() {
    let web = Web::start(guarded);
    let error = Ask::at(&web).failed();
    assert_eq!(error.code(), "E-LOGIN");
    assert_eq!(
        error.to_string(),
        format!(
            "handshake: the server asked for login (HTTP 401 to initialize); scheme: Bearer; realm: de⟨U+202E⟩mo; scope: \
             tools:read; error: invalid_token (it \"expired\"); its metadata: {}; authorization server: \
             https://auth.test/⟨ESC⟩, https://b.test",
            web.url(&format!("{METADATA}/mcp"))
        )
    );
    assert!(error.hint().is_some_and(|hint| hint.contains("--bearer-env")));
    // No other way in is tried.
    assert!(web.asked().iter().all(|word| word == "initialize" || word.contains("well-known")), "{:?}", web.asked());
    match &error.kind {
        ErrorKind::Http(error) => assert_eq!(error.evidence(), Evidence::Auth),
        other => panic!("{other:?}"),
    }
    assert_eq!(Ask::at(&web).header("Authorization", "Bearer good-token").tools(), ["alpha"]);
}

#[test]
fn a_credential_that_is_refused_is_told_from_one_that_is_missing() {
    let web = Web::start(guarded);
    let ask = Ask::at(&web).header("Authorization", "Bearer bad-token-bad");
    assert!(ask.failed().to_string().contains("the server refused the credentials (HTTP 401"), "{}", ask.failed());
    let web = Web::start(answering("tools/list", |request| challenge(request, 403)));
    let error = Ask::at(&web).header("X-Api-Key", "bad-token-bad").failed();
    assert!(
        error.to_string().contains("tools/list page 1: the server refused what these credentials may see (HTTP 403")
    );
}

#[test]
fn what_a_challenge_names_is_fetched_only_from_the_server_or_over_https() {
    let other = Web::start(ordinary);
    let named = other.url("/metadata");
    let web = Web::start(move |request| match request.path.as_str() {
        "/mcp" => Reply::status(401).header("WWW-Authenticate", format!("Bearer resource_metadata=\"{named}\"")),
        _ => Reply::status(404),
    });
    // On one machine, its other ports count as the machine itself.
    Ask::at(&web).failed();
    assert_eq!(other.requests().len(), 1);
    let web = Web::start(|request| match request.path.as_str() {
        "/mcp" => {
            Reply::status(401).header("WWW-Authenticate", "Bearer resource_metadata=\"http://metadata.invalid/x\"")
        }
        _ => Reply::json(200, &format!("{{\"authorization_servers\":[\"{}\"]}}", "x".repeat(300_000))),
    });
    let error = Ask::at(&web).failed();
    assert!(error.to_string().contains("http://metadata.invalid/x"), "{error}");
    let web = Web::start(|_| Reply::status(401));
    let error = Ask::at(&web).failed();
    assert_eq!(error.to_string(), "handshake: the server asked for login (HTTP 401 to initialize)");
    let web = Web::start(|_| Reply::new(403, "text/plain", "Invalid Host header\n"));
    let text = Ask::at(&web).failed().to_string();
    assert!(text.ends_with("(HTTP 403 to initialize); error: Invalid Host header"), "{text}");
}

#[test]
fn explaining_a_login_takes_no_longer_than_there_is_time() {
    use crate::support::web::Piece;
    let web = Web::start(|request| match request.path.as_str() {
        "/mcp" => Reply::status(401),
        _ => Reply::raw([Piece::Hang]),
    });
    let begin = std::time::Instant::now();
    assert_eq!(Ask::at(&web).within(1000).failed().code(), "E-LOGIN");
    assert!(begin.elapsed() < std::time::Duration::from_secs(10));
}

/// Everything that a person or a machine could get to see of a failure.
fn everything(error: &CaptureError) -> String {
    format!("{error} {error:?} {:?}", error.context)
}

#[test]
fn no_message_holds_a_credential_even_where_the_server_repeats_it() {
    const KEY: &str = "sesame-0123456789";
    let echo = |request: &Request| request.header("x-api-key").unwrap_or_default().to_owned();
    for (method, reply) in [
        ("initialize", (|key: &str| Reply::new(500, "text/plain", key)) as fn(&str) -> Reply),
        ("initialize", |key| Reply::new(200, key, "")),
        ("initialize", |key| Reply::status(401).header("WWW-Authenticate", format!("Bearer realm=\"{key}\""))),
        ("initialize", |key| Reply::status(307).header("Location", format!("http://evil.test/{key}"))),
        ("initialize", |key| {
            Reply::json(400, &format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":1,"message":"{key}"}}}}"#))
        }),
        ("tools/list", |key| Reply::json(200, "x").header("Content-Encoding", key)),
        ("tools/list", |key| Reply::events(&format!("data: {key}\n\n"))),
    ] {
        let web = Web::start(answering(method, move |request| reply(&echo(request))));
        let error = Ask::at(&web).header("X-Api-Key", KEY).failed();
        assert!(!everything(&error).contains(KEY), "{}", everything(&error));
        assert!(!format!("{:?}", Ask::at(&web).header("X-Api-Key", KEY).settings.remote).contains(KEY));
    }
}
