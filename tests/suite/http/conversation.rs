//! An ordinary conversation: what is sent with which headers, in which order, and how it ends.

use super::{ALPHA, Ask, HELLO, answering, ordinary};
use crate::support::web::{Piece, Reply, Request, Web};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// With a session that is checked as strict servers do.
fn strict(request: &Request) -> Reply {
    let versioned = request.header("mcp-protocol-version") == Some("2025-11-25");
    match request.rpc().as_str() {
        "initialize" => request.result(HELLO).header("Mcp-Session-Id", "s-1"),
        _ if request.header("mcp-session-id") != Some("s-1") || !versioned => Reply::status(400),
        _ if request.method == "DELETE" => Reply::status(204),
        _ => ordinary(request),
    }
}

#[test]
fn each_message_is_a_request_with_the_headers_that_servers_check() {
    let web = Web::start(strict);
    assert_eq!(Ask::at(&web).tools(), ["alpha"]);
    assert_eq!(
        web.asked(),
        ["initialize", "notifications/initialized", "tools/list", "resources/list", "prompts/list", "DELETE /mcp"]
    );
    for request in web.requests() {
        let first = request.rpc() == "initialize";
        assert_eq!(request.header("mcp-session-id").is_some(), !first, "{request:?}");
        assert_eq!(request.header("mcp-protocol-version").is_some(), !first, "{request:?}");
        assert_eq!((request.header("origin"), request.header("mcp-method")), (None, None));
        assert!(request.header("user-agent").is_some_and(|agent| agent.starts_with("warden/")));
        if request.method == "POST" {
            assert_eq!(request.header("content-type"), Some("application/json"));
            assert_eq!(request.header("accept"), Some("application/json, text/event-stream"));
        }
    }
}

#[test]
fn without_a_session_none_is_sent_and_none_is_ended() {
    let web = Web::start(ordinary);
    Ask::at(&web).captured();
    assert!(
        web.requests().iter().all(|request| request.method == "POST" && request.header("mcp-session-id").is_none())
    );
}

#[test]
fn the_version_header_belongs_to_the_revisions_that_have_it() {
    for (version, sent) in [("2024-11-05", false), ("2025-03-26", false), ("2025-06-18", true), ("2025-11-25", true)] {
        let web =
            Web::start(answering("initialize", move |request| request.result(&HELLO.replace("2025-11-25", version))));
        assert_eq!(Ask::at(&web).captured().surface.about.protocol_version, version);
        assert_eq!(web.requests()[2].header("mcp-protocol-version").is_some(), sent, "{version}");
    }
}

#[test]
fn a_session_id_on_an_error_opens_no_session() {
    let web = Web::start(answering("initialize", |request| request.error(400, -32600).header("Mcp-Session-Id", "s-9")));
    let error = Ask::at(&web).failed();
    assert_eq!(error.code(), "E-SERVER-ERROR");
    assert!(web.requests().iter().all(|request| request.header("mcp-session-id").is_none()));
    let web = Web::start(answering("initialize", |request| request.result(HELLO).header("Mcp-Session-Id", "a b")));
    assert_eq!(Ask::at(&web).failed().code(), "E-SESSION");
}

#[test]
fn a_forgotten_session_is_begun_again_once() {
    let sessions = AtomicUsize::new(0);
    let web = Web::start(move |request| match request.rpc().as_str() {
        "initialize" => {
            let count = sessions.fetch_add(1, Ordering::SeqCst);
            request.result(HELLO).header("Mcp-Session-Id", format!("s-{count}"))
        }
        // The first session ends after its first page.
        "tools/list" if request.header("mcp-session-id") == Some("s-0") && request.body.contains("cursor") => {
            request.error(404, -32001)
        }
        "tools/list" if request.header("mcp-session-id") == Some("s-0") => {
            request.result(r#"{"tools":[{"name":"stale"}],"nextCursor":"2"}"#)
        }
        _ => ordinary(request),
    });
    let captured = Ask::at(&web).captured();
    assert_eq!(captured.surface.tools.len(), 1);
    assert_eq!(captured.surface.tools[0].name(), "alpha");
    let again = web.requests().into_iter().filter(|request| request.rpc() == "initialize");
    assert_eq!(
        again.map(|request| request.header("mcp-session-id").map(str::to_owned)).collect::<Vec<_>>(),
        [None, None]
    );
    assert!(captured.warnings.iter().any(|text| text.contains("once more")), "{:?}", captured.warnings);

    let web = Web::start(answering("tools/list", |request| request.error(404, -32001)));
    // Without a session a 404 is an answer.
    assert_eq!(Ask::at(&web).failed().code(), "E-SERVER-ERROR");
    let web = Web::start(|request| match request.rpc().as_str() {
        "initialize" => request.result(HELLO).header("Mcp-Session-Id", "s"),
        "tools/list" => Reply::status(404),
        _ => ordinary(request),
    });
    assert_eq!(Ask::at(&web).failed().code(), "E-SESSION");
    assert_eq!(web.asked().iter().filter(|word| *word == "initialize").count(), 2);
}

#[test]
fn the_server_may_ask_something_before_it_answers() {
    // Both wait for each other unless our answer is a request of its own.
    static ANSWERED: AtomicUsize = AtomicUsize::new(0);
    let web = Web::start(|request| {
        if request.rpc().is_empty() && request.method == "POST" {
            ANSWERED.fetch_add(1, Ordering::SeqCst);
            return Reply::status(202);
        }
        if request.rpc() != "tools/list" {
            return ordinary(request);
        }
        let ask = concat!(
            "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n\n",
            "data: {\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"roots/list\"}\n\n",
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n",
        );
        let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
        let answer = format!("data: {}\n\n", request.answer(ALPHA));
        // The question goes out on a stream of its own, whose end waits for the answers.
        let stream = [Piece::Bytes(ask.into()), Piece::Pause(300), Piece::Bytes(answer.into())];
        assert!(std::time::Instant::now() < until);
        Reply::pieces(200, "text/event-stream", stream)
    });
    assert_eq!(Ask::at(&web).tools(), ["alpha"]);
    assert_eq!(ANSWERED.load(Ordering::SeqCst), 2);
    let answers: Vec<String> =
        web.requests().into_iter().filter(|request| request.rpc().is_empty()).map(|request| request.body).collect();
    assert!(answers.iter().any(|body| body.contains(r#""id":2,"result":{}"#)), "{answers:?}");
    assert!(answers.iter().any(|body| body.contains(r#""id":"r","error""#) && body.contains("-32601")), "{answers:?}");
}

#[test]
fn nothing_is_asked_before_the_notification_was_accepted() {
    static ACCEPTED: AtomicBool = AtomicBool::new(false);
    let web = Web::start(|request| match request.rpc().as_str() {
        "notifications/initialized" => {
            std::thread::sleep(std::time::Duration::from_millis(100));
            ACCEPTED.store(true, Ordering::SeqCst);
            Reply::status(202)
        }
        "tools/list" if !ACCEPTED.load(Ordering::SeqCst) => request.error(400, -32002),
        _ => ordinary(request),
    });
    assert_eq!(Ask::at(&web).tools(), ["alpha"]);
}

#[test]
fn lists_are_followed_page_by_page() {
    let web = Web::start(answering("tools/list", |request| match request.json()["params"]["cursor"].as_str() {
        None => request.result(r#"{"tools":[{"name":"a"}],"nextCursor":"p 2/ü"}"#),
        Some("p 2/ü") => {
            Reply::events(&format!("event: message\ndata: {}\n\n", request.answer(r#"{"tools":[{"name":"b"}]}"#)))
        }
        Some(_) => request.error(200, -32602),
    }));
    assert_eq!(Ask::at(&web).tools(), ["a", "b"]);
}

#[test]
fn answers_may_come_in_any_content_type_that_the_protocol_has() {
    for reply in [
        |request: &Request| Reply::new(200, "Application/JSON; charset=UTF-8", request.answer(ALPHA)),
        |request: &Request| Reply::new(201, "application/json", format!("\u{feff} {}\n", request.answer(ALPHA))),
        |request: &Request| {
            Reply::new(200, "text/event-stream;charset=utf-8", format!("data: {}\n\n", request.answer(ALPHA)))
        },
        |request: &Request| {
            Reply::json(200, &format!("[{{\"jsonrpc\":\"2.0\",\"method\":\"x\"}},{}]", request.answer(ALPHA)))
        },
    ] {
        let web = Web::start(answering("tools/list", reply));
        assert_eq!(Ask::at(&web).tools(), ["alpha"]);
    }
}

#[test]
fn a_list_that_was_never_declared_may_be_refused_in_any_way() {
    for status in [400, 404, 405, 501] {
        let web = Web::start(answering("prompts/list", move |_| Reply::new(status, "text/plain", "no such thing")));
        assert_eq!(Ask::at(&web).tools(), ["alpha"]);
    }
    let web = Web::start(answering("tools/list", |_| Reply::new(404, "text/plain", "no such thing")));
    let error = Ask::at(&web).failed();
    assert_eq!(error.to_string(), "tools/list page 1: the server answered tools/list with HTTP 404: no such thing");
    let web = Web::start(answering("prompts/list", |_| Reply::status(500)));
    assert_eq!(Ask::at(&web).failed().code(), "E-HTTP-STATUS");
}

#[test]
fn a_server_that_asks_without_end_meets_a_limit() {
    // Nobody takes the answers.
    let web = Web::start(|request| match request.rpc().as_str() {
        "tools/list" => {
            let ask = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n".repeat(1000);
            Reply::pieces(200, "text/event-stream", [Piece::Forever(ask.into_bytes(), 0)])
        }
        "" => Reply::raw([Piece::Hang]),
        _ => ordinary(request),
    });
    let error = Ask::at(&web).settings(|settings| settings.limits.outgoing_bytes = 50_000).failed();
    assert!(error.to_string().contains("max-outgoing-bytes"), "{error}");
    assert!(web.requests().iter().filter(|request| request.rpc().is_empty() && request.method == "POST").count() <= 8);
}
