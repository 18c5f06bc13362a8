//! HTTP+SSE of 2024-11-05, found by the documented fallback.

use super::{ALPHA, Ask, HELLO};
use crate::support::web::{Piece, Reply, Web};
use std::sync::{Arc, Mutex};

/// A server of the old kind: answers go to the stream.
fn serving(endpoint: &'static str, status: u16) -> Web {
    let (sender, receiver) = std::sync::mpsc::channel::<String>();
    let (sender, receiver) = (Mutex::new(sender), Arc::new(Mutex::new(receiver)));
    Web::start(move |request| match (request.method.as_str(), request.path.as_str()) {
        ("POST", "/sse") => Reply::new(status, "text/plain", "Method Not Allowed"),
        ("GET", "/sse") => {
            let first = format!("event: endpoint\r\ndata: {endpoint}\r\n\r\n");
            Reply::live(first, Arc::clone(&receiver))
        }
        ("POST", _) => {
            let answer = match request.rpc().as_str() {
                "initialize" => request.answer(&HELLO.replace("2025-11-25", "2024-11-05")),
                "tools/list" => request.answer(ALPHA),
                method if method.starts_with("notifications/") => return Reply::status(202),
                _ => request.answer("0").replace("\"result\":0", r#""error":{"code":-32601,"message":"no"}"#),
            };
            let _ = sender.lock().expect("the stream").send(format!("event: message\r\ndata: {answer}\r\n\r\n"));
            Reply::new(202, "text/plain", "Accepted")
        }
        _ => Reply::status(404),
    })
}

#[test]
fn an_old_server_is_found_and_asked_at_its_endpoint() {
    for status in [400, 404, 405] {
        let web = serving("/messages/?session_id=7", status);
        assert_eq!(Ask::new(web.url("/sse")).tools(), ["alpha"], "{status}");
        assert_eq!(web.asked()[..3], ["initialize", "GET /sse", "initialize"]);
        let to_endpoint = web.requests().into_iter().skip(2).all(|request| {
            request.path == "/messages/?session_id=7" && request.header("mcp-protocol-version").is_none()
        });
        assert!(to_endpoint && !web.asked().contains(&"DELETE /sse".to_owned()));
    }
}

#[test]
fn an_endpoint_on_another_server_is_refused() {
    let elsewhere = Web::start(super::ordinary);
    for endpoint in [
        elsewhere.url("/messages"),
        "//127.0.0.2/messages".to_owned(),
        "https://127.0.0.1/messages".to_owned(),
        "http://u:p@127.0.0.1/".to_owned(),
        "http://[".to_owned(),
    ] {
        let endpoint: &'static str = endpoint.leak();
        let web = serving(endpoint, 405);
        let error = Ask::new(web.url("/sse")).header("Authorization", "Bearer sesame-sesame").failed();
        assert_eq!(error.code(), "E-ENDPOINT", "{error}");
    }
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn a_stream_without_an_endpoint_is_none() {
    // What the server said to the POST is reported.
    for first in ["event: message\ndata: {}\n\n", "data: /messages\n\n", ""] {
        let web = Web::start(move |request| match request.method.as_str() {
            "GET" => Reply::events(first),
            _ => Reply::new(405, "text/plain", "no POST here"),
        });
        let error = Ask::at(&web).failed();
        assert_eq!(error.to_string(), "handshake: the server answered initialize with HTTP 405: no POST here");
    }
    // A stream that stays silent costs a few seconds at most.
    let web = Web::start(|request| match request.method.as_str() {
        "GET" => Reply::pieces(200, "text/event-stream", [Piece::Hang]),
        _ => Reply::status(404),
    });
    assert_eq!(Ask::at(&web).within(1500).failed().code(), "E-HTTP-STATUS");
}

#[test]
fn only_these_answers_lead_to_the_old_transport() {
    for status in [401, 403, 406, 410, 500, 503] {
        let web = Web::start(move |request| match request.method.as_str() {
            "GET" => Reply::events("event: endpoint\ndata: /m\n\n"),
            _ => Reply::status(status),
        });
        Ask::at(&web).failed();
        assert!(!web.asked().contains(&"GET /mcp".to_owned()), "{status}");
    }
    // A modern error is an answer, whatever the status.
    for (status, code) in [(400, -32020), (404, -32601)] {
        let web = Web::start(move |request| request.error(status, code));
        assert_eq!(Ask::at(&web).failed().code(), "E-SERVER-ERROR");
        assert_eq!(web.asked(), ["initialize", "server/discover"]);
    }
}

#[test]
fn an_old_server_may_want_a_login_too() {
    let web = Web::start(|request| match request.method.as_str() {
        "GET" => Reply::status(401).header("WWW-Authenticate", "Bearer realm=\"old\""),
        _ => Reply::status(405),
    });
    let error = Ask::at(&web).failed();
    assert_eq!(error.code(), "E-LOGIN");
    assert!(error.to_string().contains("HTTP 401 to the event stream"), "{error}");
}

#[test]
fn the_end_of_the_stream_is_the_end() {
    let web = Web::start(|request| match (request.method.as_str(), request.path.as_str()) {
        ("GET", _) => Reply::events("event: endpoint\ndata: /messages\n\n"),
        ("POST", "/messages") => Reply::status(202),
        _ => Reply::status(405),
    });
    let error = Ask::at(&web).failed();
    assert_eq!(error.code(), "E-NO-ANSWER");
    assert!(error.to_string().contains("the event stream: it ended"), "{error}");
}
