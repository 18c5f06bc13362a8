//! The transport under a session of its own making: what the session of this version never sends.

use super::*;
use crate::capture::redact::Redactor;
use crate::json::Object;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;

/// A server that gives one reply for each request, each on a connection of its own, and hands on what it read.
fn server(replies: &'static [&'static str]) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for reply in replies {
            let (stream, _) = listener.accept().expect("a connection");
            let mut reader = BufReader::new(stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).expect("a line") > 0 {}
            let head = head.to_ascii_lowercase();
            let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            reader.read_exact(&mut body).expect("a body");
            let (start, body) = reply.split_once("\n\n").expect("a head and a body");
            let reply = format!("{}\r\nconnection: close\r\n\r\n{body}", start.replace('\n', "\r\n"));
            reader.get_mut().write_all(reply.as_bytes()).expect("a reply");
            sender.send(head).expect("a test");
        }
    });
    (url, receiver)
}

fn open(url: &str) -> Http {
    let deadline = Deadline::after(Duration::from_secs(20));
    let quoter = Quoter::new(Redactor::default(), 100);
    Http::open(url, &Remote::default(), &Limits::default(), &quoter, deadline, Running::begin()).expect("a server")
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

fn modern(id: i64, method: &str) -> Vec<u8> {
    let meta: Object = [("io.modelcontextprotocol/protocolVersion", "2026-07-28")].into_iter().collect();
    crate::capture::jsonrpc::request(id, method, [("_meta", meta)].into_iter().collect())
}

#[test]
fn a_modern_request_carries_its_own_headers_and_no_session() {
    let (url, seen) = server(&[
        "HTTP/1.1 200 OK\ncontent-type: application/json\nmcp-session-id: s-1\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\"}}",
        "HTTP/1.1 200 OK\ncontent-type: application/json\nmcp-session-id: s-2\n\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}",
        "HTTP/1.1 404 X\ncontent-type: application/json\n\n{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32601,\"message\":\"no\"}}",
        "HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\nid: 7\nretry: 1\ndata:\n\n",
    ]);
    block_on(async {
        let mut http = open(&url);
        http.send(&crate::capture::jsonrpc::request(1, "initialize", Object::new())).expect("room");
        http.receive().await.expect("an answer");
        http.send(&modern(2, "server/discover")).expect("room");
        http.receive().await.expect("an answer");
        // "Not found" is the answer of a modern server, not the end of a session.
        http.send(&modern(3, "tools/list")).expect("room");
        assert!(String::from_utf8(http.receive().await.expect("an answer")).expect("UTF-8").contains("-32601"));
        // Nor is a broken stream taken up again.
        http.send(&modern(4, "tools/list")).expect("room");
        match http.receive().await {
            Err(TransportError::Http(error)) => assert_eq!(error.code(), "E-NO-ANSWER"),
            other => panic!("{other:?}"),
        }
    });
    let first = seen.recv().expect("a request");
    assert!(!first.contains("mcp-"), "{first}");
    for method in ["server/discover", "tools/list", "tools/list"] {
        let head = seen.recv().expect("a request");
        assert!(head.starts_with("post /mcp ") && head.contains("mcp-protocol-version: 2026-07-28\r\n"), "{head}");
        assert!(head.contains(&format!("mcp-method: {method}\r\n")) && !head.contains("mcp-session-id"), "{head}");
    }
}

#[test]
fn waiting_may_be_given_up_and_begun_again() {
    let (url, _seen) =
        server(&["HTTP/1.1 200 OK\ncontent-type: application/json\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"]);
    block_on(async {
        let mut http = open(&url);
        http.send(&crate::capture::jsonrpc::request(1, "tools/list", Object::new())).expect("room");
        for _ in 0..50 {
            if let Ok(message) = tokio::time::timeout(Duration::from_micros(100), http.receive()).await {
                message.expect("an answer");
                return;
            }
        }
        http.receive().await.expect("an answer");
    });
}

#[test]
fn the_end_of_a_request_that_nobody_waits_for_is_no_error() {
    let (url, _seen) = server(&[
        "HTTP/1.1 500 X\n\n",
        "HTTP/1.1 200 OK\ncontent-type: application/json\n\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}",
    ]);
    block_on(async {
        let mut http = open(&url);
        http.send(&crate::capture::jsonrpc::request(1, "resources/templates/list", Object::new())).expect("room");
        tokio::time::sleep(Duration::from_millis(200)).await;
        http.send(&crate::capture::jsonrpc::request(2, "tools/list", Object::new())).expect("room");
        let answer = http.receive().await.expect("an answer");
        assert!(answer.ends_with(b"\"id\":2,\"result\":{}}"));
    });
}

#[test]
fn a_queue_that_grows_meets_its_limit() {
    block_on(async {
        let mut http = open("http://127.0.0.1:9/mcp");
        let message = vec![b' '; 300 << 10];
        let sent = (0..4).map(|_| http.send(&message)).collect::<Vec<_>>();
        assert!(sent[..3].iter().all(Result::is_ok));
        assert_eq!(sent[3], Err(TransportError::Limit(Limit::OutgoingBytes)));
    });
}
