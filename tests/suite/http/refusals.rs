//! What a server, a gateway or a portal may answer that is no MCP, and what it costs.

use super::{Ask, answering, ordinary};
use crate::support::web::{Piece, Reply, Web};
use std::time::{Duration, Instant};
use warden::capture::remote::Evidence;
use warden::capture::{ErrorKind, Stage};

fn answered(reply: impl Fn() -> Reply + Send + Sync + 'static) -> (&'static str, String) {
    let web = Web::start(answering("tools/list", move |_| reply()));
    let error = Ask::at(&web).within(5_000).failed();
    (error.code(), error.to_string())
}

#[test]
fn a_page_for_people_is_named() {
    let (code, text) = answered(|| Reply::new(200, "text/html; charset=utf-8", "<html>Sign in</html>"));
    assert_eq!(code, "E-CONTENT-TYPE");
    assert!(text.contains("content type text/html instead of"), "{text}");
    let (_, text) = answered(|| Reply::new(200, "", "hello"));
    assert!(text.contains("content type none instead of"), "{text}");
    let (code, text) = answered(|| Reply::new(502, "text/html", "<html>Bad gateway</html>"));
    assert_eq!(code, "E-HTTP-STATUS");
    assert!(text.ends_with("with HTTP 502 and a page for people"), "{text}");
}

#[test]
fn an_acceptance_is_no_answer() {
    for status in [202, 204] {
        let (code, text) = answered(move || Reply::status(status));
        assert_eq!(code, "E-NO-ANSWER");
        assert!(text.contains("sent no answer"), "{text}");
    }
    for body in ["{}", "[]", "", "<html>", r#"{"jsonrpc":"2.0","id":77,"result":{}}"#] {
        let (code, text) = answered(move || Reply::json(200, body));
        assert_eq!(code, "E-NO-ANSWER", "{body}: {text}");
    }
}

#[test]
fn statuses_are_told_with_what_was_said() {
    let (code, text) = answered(|| Reply::new(500, "text/plain", "boom \u{1b}[31m\n"));
    assert_eq!(code, "E-HTTP-STATUS");
    assert!(text.ends_with("with HTTP 500: boom ⟨ESC⟩[31m"), "{text}");
    // An error of JSON-RPC is an answer, whatever its status and id.
    let (code, text) = answered(|| {
        Reply::json(400, r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Missing"}}"#)
    });
    assert_eq!((code, text.contains("-32600: Missing")), ("E-SERVER-ERROR", true), "{text}");
    for (status, evidence) in [(400, Evidence::Legacy), (500, Evidence::Unusable), (429, Evidence::Unusable)] {
        let web = Web::start(move |_| Reply::status(status));
        match Ask::at(&web).failed().kind {
            ErrorKind::Http(error) => assert_eq!(error.evidence(), evidence, "{status}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn nothing_is_read_without_end() {
    let limited = |reply: fn() -> Reply| {
        let web = Web::start(answering("tools/list", move |_| reply()));
        let ask = Ask::at(&web).within(20_000).settings(|settings| {
            settings.limits.line_bytes = 1 << 20;
            settings.limits.values = 100_000;
        });
        ask.failed().to_string()
    };
    let text = limited(|| Reply::pieces(200, "application/json", [Piece::Forever(vec![b' '; 65536], 0)]));
    assert!(text.contains("max-line-bytes"), "{text}");
    let text = limited(|| {
        Reply::json(200, &format!("{{\"jsonrpc\":\"2.0\",\"id\":[{}0],\"result\":0}}", "[],".repeat(140_000)))
    });
    assert!(text.contains("max-values"), "{text}");
    // A refusal is read as far as it is of use.
    let text = limited(|| Reply::pieces(500, "text/plain", [Piece::Forever(vec![b'x'; 65536], 0)]));
    assert!(text.contains("HTTP 500: xxx") && text.len() < 1000, "{text}");
    let text = limited(|| Reply::json(200, "{}").header("X-Long", "x".repeat(1 << 20)));
    assert!(text.contains("could not be read"), "{text}");
    let text = limited(|| (0..500).fold(Reply::json(200, "{}"), |reply, at| reply.header(&format!("X-{at}"), "x")));
    assert!(text.contains("could not be read"), "{text}");
}

#[test]
fn a_server_that_dawdles_meets_the_deadline() {
    for pieces in [
        vec![Piece::Hang],
        vec![Piece::Bytes(b"HTTP/1.1 200 OK\r\n".to_vec()), Piece::Hang],
        vec![Piece::Bytes(b"HTTP/1.1 200 OK\r\nX: ".to_vec()), Piece::Forever(b"x".to_vec(), 20)],
    ] {
        let web = Web::start(answering("tools/list", move |_| Reply::raw(pieces.clone())));
        let begin = Instant::now();
        let error = Ask::at(&web).within(600).failed();
        assert_eq!(error.code(), "E-TIMEOUT");
        assert!(error.hint().is_some_and(|hint| hint.contains("accepted the request")));
        assert!(begin.elapsed() < Duration::from_secs(15));
    }
    let web = Web::start(answering("tools/list", |_| {
        Reply::pieces(200, "application/json", [Piece::Forever(b" ".to_vec(), 20)])
    }));
    assert_eq!(Ask::at(&web).within(600).failed().code(), "E-TIMEOUT");
    // A notification that nobody accepts, too.
    let web = Web::start(answering("notifications/initialized", |_| Reply::raw([Piece::Hang])));
    assert_eq!(Ask::at(&web).within(600).failed().code(), "E-TIMEOUT");
}

#[test]
fn broken_http_is_named() {
    for raw in ["SSH-2.0-OpenSSH_9\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", ""] {
        let web = Web::start(answering("tools/list", move |_| Reply::raw([Piece::Bytes(raw.into())])));
        let error = Ask::at(&web).within(5_000).failed();
        assert_eq!(error.code(), "E-HTTP", "{error}");
    }
    let cut = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\"";
    let web = Web::start(answering("tools/list", move |_| Reply::raw([Piece::Bytes(cut.into())])));
    assert_eq!(Ask::at(&web).failed().code(), "E-HTTP");
    let (code, text) = answered(|| Reply::json(200, "x").header("Content-Encoding", "br"));
    assert_eq!((code, text.contains("the encoding br")), ("E-CONTENT-TYPE", true), "{text}");
}

#[test]
fn a_refused_message_is_told_with_its_place() {
    let web = Web::start(answering("tools/list", |request| {
        request.result(r#"{"tools":[{"name":"alpha","inputSchema":{"maximum":9007199254740993}}]}"#)
    }));
    let error = Ask::at(&web).failed();
    assert_eq!(error.code(), "E-REFUSED-MESSAGE");
    assert!(error.to_string().contains("tool \"alpha\" at /inputSchema/maximum"), "{error}");
}

#[test]
fn only_connections_are_tried_again() {
    // A port that nobody listens on.
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port").local_addr().expect("an address").port();
    let begin = Instant::now();
    let error = Ask::new(format!("http://127.0.0.1:{port}/mcp")).failed();
    assert_eq!((error.code(), error.stage), ("E-CONNECT", Stage::Handshake));
    assert!(error.to_string().contains(&format!("could not connect to 127.0.0.1:{port}: ")), "{error}");
    assert!(begin.elapsed() >= Duration::from_millis(900) && begin.elapsed() < Duration::from_secs(10));
    let error = Ask::new("http://no-such-host.invalid/mcp".to_owned()).failed();
    assert_eq!(error.code(), "E-CONNECT");
    // What reached a server is not sent twice.
    let web = Web::start(answering("tools/list", |_| Reply::raw([])));
    assert_eq!(Ask::at(&web).failed().code(), "E-HTTP");
    assert_eq!(web.asked().iter().filter(|word| *word == "tools/list").count(), 1);
    // One that comes late is waited for.
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        Web::start_at(port, ordinary);
    });
    assert_eq!(Ask::new(format!("http://127.0.0.1:{port}/mcp")).tools(), ["alpha"]);
}

#[test]
fn urls_that_no_lock_may_hold_are_not_asked() {
    let error = Ask::new("http://user:password@127.0.0.1:9/mcp".to_owned()).failed();
    assert_eq!((error.code(), error.stage), ("E-TRANSPORT", Stage::Start));
    assert!(!error.to_string().contains("password@"), "{error}");
}
