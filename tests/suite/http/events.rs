//! Event streams as servers write them: odd line ends, early ends, and no end at all.

use super::{ALPHA, Ask, HELLO, answering, ordinary};
use crate::support::web::{Piece, Reply, Web};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[test]
fn every_line_end_and_every_noise_is_read() {
    for end in ["\n", "\r", "\r\n"] {
        let web = Web::start(answering("tools/list", move |request| {
            let text = request.answer(&ALPHA.replace(",", ",\n").replace(":", ": "));
            let mut lines =
                vec!["\u{feff}id: 1", "retry: 10", "data:", "", ": keep-alive", "event: ping", "data: {}", ""];
            lines.extend(["data: {\"heartbeat\": 1}", "", "event: message", "id: 2", "foo: bar"]);
            let data: Vec<String> = text.lines().map(|line| format!("data: {line}")).collect();
            lines.extend(data.iter().map(String::as_str));
            lines.extend(["", ""]);
            Reply::events(&lines.join(end))
        }));
        let captured = Ask::at(&web).captured();
        assert_eq!(captured.surface.tools[0].name(), "alpha", "{end:?}");
        assert!(captured.warnings[0].contains("heartbeat"), "{:?}", captured.warnings);
    }
}

/// Ends the stream of `tools/list` early, and gives the rest to whoever comes back.
fn in_two_parts(first: &'static str, second: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Web {
    Web::start(move |request| match (request.method.as_str(), request.rpc().as_str()) {
        ("POST", "initialize") => request.result(HELLO).header("Mcp-Session-Id", "s-1"),
        ("POST", "tools/list") => Reply::events(first),
        ("GET", _) => {
            let session = (request.header("mcp-session-id"), request.header("mcp-protocol-version"));
            assert_eq!(session, (Some("s-1"), Some("2025-11-25")));
            assert_eq!(request.header("accept"), Some("text/event-stream"));
            second(request.header("last-event-id").unwrap_or_default())
        }
        _ => ordinary(request),
    })
}

const ANSWER: &str = "id: 9\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"alpha\"}]}}\n\n";

#[test]
fn a_stream_that_ends_early_is_taken_up_where_it_broke_off() {
    let web = in_two_parts("id: e-7\nretry: 300\ndata:\n\n", |id| {
        assert_eq!(id, "e-7");
        // Servers keep such a stream open.
        Reply::pieces(200, "text/event-stream", [Piece::Bytes(ANSWER.into()), Piece::Hang])
    });
    let begin = Instant::now();
    assert_eq!(Ask::at(&web).tools(), ["alpha"]);
    assert!(begin.elapsed() >= Duration::from_millis(300));
    assert_eq!(web.asked().iter().filter(|word| *word == "GET /mcp").count(), 1);
}

#[test]
fn taking_up_again_is_bounded() {
    static ROUND: AtomicUsize = AtomicUsize::new(0);
    // A few rounds with something new in each are polling.
    let web = in_two_parts("id: 0\nretry: 1\ndata:\n\n", |_| match ROUND.fetch_add(1, Ordering::SeqCst) {
        5 => Reply::events(ANSWER),
        round => Reply::events(&format!("id: r{round}\nretry: 1\ndata:\n\n")),
    });
    assert_eq!(Ask::at(&web).tools(), ["alpha"]);
    // Without anything new they are not.
    let web = in_two_parts("id: 0\nretry: 1\ndata:\n\n", |_| Reply::events("retry: 1\n\n"));
    let error = Ask::at(&web).failed();
    assert_eq!(error.code(), "E-NO-ANSWER");
    assert!(error.to_string().contains("again and again"), "{error}");
    assert!(web.asked().len() < 10);
    let web = in_two_parts("id: 0\nretry: 3600000\ndata:\n\n", |_| Reply::events(ANSWER));
    let begin = Instant::now();
    let error = Ask::at(&web).failed();
    assert!(error.to_string().contains("come back in 3600 s"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(15));
    for refusal in [404, 405, 200] {
        let web = in_two_parts("id: 0\nretry: 1\ndata:\n\n", move |_| Reply::new(refusal, "text/html", "<html>"));
        let code = Ask::at(&web).failed().code();
        assert_eq!(code, if refusal == 404 { "E-SESSION" } else { "E-NO-ANSWER" });
    }
}

#[test]
fn a_stream_that_says_not_where_it_broke_off_is_an_error() {
    for text in ["", ": nothing\n\n", "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n", "id: 1\n"] {
        let web = in_two_parts(text, |_| Reply::events(ANSWER));
        let error = Ask::at(&web).failed();
        assert_eq!(
            error.to_string(),
            "tools/list page 1: tools/list: the server ended the event stream before its answer"
        );
        assert!(web.asked().iter().all(|word| !word.starts_with("GET")));
    }
}

#[test]
fn a_stream_may_go_on_after_its_answer() {
    let web = Web::start(answering("tools/list", |request| {
        let answer = format!("data: {}\n\n", request.answer(ALPHA));
        Reply::pieces(200, "text/event-stream", [Piece::Bytes(answer.into()), Piece::Hang])
    }));
    let begin = Instant::now();
    assert_eq!(Ask::at(&web).tools(), ["alpha"]);
    assert!(begin.elapsed() < Duration::from_secs(15));
}

#[test]
fn two_different_answers_are_refused() {
    let web = Web::start(answering("tools/list", |request| {
        let second = request.answer(r#"{"tools":[{"name":"beta"}]}"#);
        Reply::events(&format!("data: {}\n\ndata: {second}\n\n", request.answer(ALPHA)))
    }));
    assert_eq!(Ask::at(&web).failed().code(), "E-CONFLICT");
}

#[test]
fn endless_streams_meet_a_limit_or_the_deadline() {
    let endless = |bytes: Vec<u8>, pause| {
        let web = Web::start(answering("tools/list", move |_| {
            Reply::pieces(200, "text/event-stream", [Piece::Forever(bytes.clone(), pause)])
        }));
        let ask = Ask::at(&web).within(20_000).settings(|settings| {
            settings.limits.total_bytes = 4 << 20;
            settings.limits.line_bytes = 1 << 20;
        });
        let error = ask.failed();
        (error.code(), error.to_string())
    };
    for (bytes, limit) in [
        (b": comment\n".repeat(5000), "max-total-bytes"),
        (b"data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n".repeat(1000), "max-total-bytes"),
        (b"data: {}\n\n".repeat(500), "max-noise-lines"),
        (vec![b'x'; 65536], "max-line-bytes"),
        (b"data: 0123456789abcdef\n".repeat(2000), "max-line-bytes"),
    ] {
        let (code, text) = endless(bytes, 0);
        assert_eq!(code, "E-LIMIT");
        assert!(text.contains(limit), "{text}");
    }
    // Comments keep a connection warm, and do not stretch the time.
    let web = Web::start(answering("tools/list", |_| {
        Reply::pieces(200, "text/event-stream", [Piece::Forever(b": warm\n\n".to_vec(), 20)])
    }));
    let begin = Instant::now();
    assert_eq!(Ask::at(&web).within(700).failed().code(), "E-TIMEOUT");
    assert!(begin.elapsed() < Duration::from_secs(15));
}
