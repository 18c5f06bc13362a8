//! A small HTTP server whose replies are a function of the request, and which writes down what it was asked. It speaks
//! HTTP as badly as a test wants.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What was asked.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub method: String,
    /// Path and query; the whole URL where the request came to a proxy.
    pub path: String,
    headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    /// A header's value, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body as JSON; null where it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The JSON-RPC method, or an empty text.
    pub fn rpc(&self) -> String {
        self.json()["method"].as_str().unwrap_or_default().to_owned()
    }

    /// A reply that answers this request.
    pub fn result(&self, result: &str) -> Reply {
        Reply::json(200, &self.answer(result))
    }

    /// The JSON-RPC text that answers this request.
    pub fn answer(&self, result: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, self.json()["id"])
    }

    /// The reply that refuses this request in the way of JSON-RPC.
    pub fn error(&self, status: u16, code: i64) -> Reply {
        let id = &self.json()["id"];
        Reply::json(status, &format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"no"}}}}"#))
    }
}

/// A part of a reply's body.
#[derive(Debug, Clone)]
pub enum Piece {
    Bytes(Vec<u8>),
    Pause(u64),
    /// The same bytes until the other side has had enough.
    Forever(Vec<u8>, u64),
    /// Says nothing more and keeps the connection open.
    Hang,
    /// What somebody sends meanwhile.
    Live(Arc<Mutex<Receiver<String>>>),
}

/// What is sent back.
#[derive(Debug, Clone)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    pieces: Vec<Piece>,
    /// Whether the length of the body is announced, so that the connection lives on.
    whole: bool,
    /// Sent in place of everything else.
    raw: bool,
}

impl Reply {
    pub fn new(status: u16, content_type: &str, body: impl AsRef<[u8]>) -> Self {
        let mut reply = Self {
            status,
            headers: Vec::new(),
            pieces: vec![Piece::Bytes(body.as_ref().to_vec())],
            whole: true,
            raw: false,
        };
        if !content_type.is_empty() {
            reply = reply.header("Content-Type", content_type);
        }
        reply
    }

    pub fn status(status: u16) -> Self {
        Self::new(status, "", "")
    }

    pub fn json(status: u16, body: &str) -> Self {
        Self::new(status, "application/json", body)
    }

    /// A whole event stream.
    pub fn events(text: &str) -> Self {
        Self::new(200, "text/event-stream", text)
    }

    /// A body in pieces, which ends with the connection.
    pub fn pieces(status: u16, content_type: &str, pieces: impl IntoIterator<Item = Piece>) -> Self {
        let mut reply = Self::new(status, content_type, "");
        (reply.pieces, reply.whole) = (pieces.into_iter().collect(), false);
        reply
    }

    /// An event stream that goes on with what is sent to it.
    pub fn live(first: String, rest: Arc<Mutex<Receiver<String>>>) -> Self {
        Self::pieces(200, "text/event-stream", [Piece::Bytes(first.into()), Piece::Live(rest)])
    }

    /// Bytes in place of HTTP.
    pub fn raw(pieces: impl IntoIterator<Item = Piece>) -> Self {
        Self { raw: true, ..Self::pieces(200, "", pieces) }
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    fn write(&self, stream: &mut impl Write) -> std::io::Result<bool> {
        let mut head = String::new();
        if !self.raw {
            head = format!("HTTP/1.1 {} X\r\n", self.status);
            for (name, value) in &self.headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            let length: usize = self.pieces.iter().map(|p| if let Piece::Bytes(b) = p { b.len() } else { 0 }).sum();
            match self.whole {
                true => head.push_str(&format!("Content-Length: {length}\r\n\r\n")),
                false => head.push_str("Connection: close\r\n\r\n"),
            }
        }
        let mut out = head.into_bytes();
        for piece in &self.pieces {
            match piece {
                Piece::Bytes(bytes) => out.extend_from_slice(bytes),
                Piece::Pause(milliseconds) => {
                    stream.write_all(&out)?;
                    stream.flush()?;
                    out.clear();
                    std::thread::sleep(Duration::from_millis(*milliseconds));
                }
                Piece::Forever(bytes, milliseconds) => {
                    stream.write_all(&out)?;
                    loop {
                        stream.write_all(bytes)?;
                        stream.flush()?;
                        std::thread::sleep(Duration::from_millis(*milliseconds));
                    }
                }
                Piece::Live(rest) => {
                    stream.write_all(&out)?;
                    out.clear();
                    let rest = rest.lock().expect("one stream");
                    while let Ok(text) = rest.recv_timeout(Duration::from_secs(10)) {
                        stream.write_all(text.as_bytes())?;
                        stream.flush()?;
                    }
                }
                Piece::Hang => {
                    stream.write_all(&out)?;
                    stream.flush()?;
                    std::thread::sleep(Duration::from_secs(30));
                    return Ok(false);
                }
            }
        }
        stream.write_all(&out)?;
        stream.flush()?;
        Ok(self.whole && !self.raw)
    }
}

type Handler = dyn Fn(&Request) -> Reply + Send + Sync;

/// A server on a port of its own. It runs until the test process ends.
pub struct Web {
    pub port: u16,
    scheme: &'static str,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Web {
    pub fn start(handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self::serve("http", handler, |stream, work| work(&mut BufReader::new(Plain(stream))))
    }

    /// The same on a port that was chosen before.
    pub fn start_at(port: u16, handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("the port");
        Self::listen(listener, "http", handler, |stream, work| work(&mut BufReader::new(Plain(stream))))
    }

    /// The same behind TLS.
    pub fn start_tls(
        config: rustls::ServerConfig,
        handler: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let config = Arc::new(config);
        Self::serve("https", handler, move |stream, work| {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).expect("a connection");
            work(&mut BufReader::new(Plain(rustls::StreamOwned::new(connection, stream))));
        })
    }

    fn serve(
        scheme: &'static str,
        handler: impl Fn(&Request) -> Reply + Send + Sync + 'static,
        wrap: impl Fn(TcpStream, &dyn Fn(&mut dyn Connection)) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        Self::listen(listener, scheme, handler, wrap)
    }

    fn listen(
        listener: TcpListener,
        scheme: &'static str,
        handler: impl Fn(&Request) -> Reply + Send + Sync + 'static,
        wrap: impl Fn(TcpStream, &dyn Fn(&mut dyn Connection)) + Send + Sync + 'static,
    ) -> Self {
        let port = listener.local_addr().expect("an address").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (handler, wrap): (Arc<Handler>, _) = (Arc::new(handler), Arc::new(wrap));
        let record = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                let _ = stream.set_nodelay(true);
                let (handler, record, wrap) = (Arc::clone(&handler), Arc::clone(&record), Arc::clone(&wrap));
                std::thread::spawn(move || {
                    wrap(stream, &|connection| {
                        while let Some(request) = read(connection) {
                            record.lock().expect("the record").push(request.clone());
                            if !matches!(handler(&request).write(&mut connection.writer()), Ok(true)) {
                                return;
                            }
                        }
                    });
                });
            }
        });
        Self { port, scheme, requests }
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}://127.0.0.1:{}{path}", self.scheme, self.port)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("the record").clone()
    }

    /// What was asked, one word each: the JSON-RPC method, or method and path of HTTP.
    pub fn asked(&self) -> Vec<String> {
        let word = |request: &Request| match request.rpc() {
            rpc if rpc.is_empty() => format!("{} {}", request.method, request.path),
            rpc => rpc,
        };
        self.requests().iter().map(word).collect()
    }
}

/// A stream that is read by lines and written at the same time.
struct Plain<S>(S);

impl<S: Read> Read for Plain<S> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer)
    }
}

trait Connection: BufRead {
    fn writer(&mut self) -> &mut dyn Write;
}

impl<S: Read + Write> Connection for BufReader<Plain<S>> {
    fn writer(&mut self) -> &mut dyn Write {
        &mut self.get_mut().0
    }
}

impl Write for &mut dyn Connection {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer().flush()
    }
}

fn read(connection: &mut dyn Connection) -> Option<Request> {
    let mut request = Request::default();
    let mut line = String::new();
    connection.read_line(&mut line).ok().filter(|count| *count > 0)?;
    let mut words = line.split_whitespace();
    (request.method, request.path) = (words.next()?.to_owned(), words.next()?.to_owned());
    loop {
        line.clear();
        connection.read_line(&mut line).ok().filter(|count| *count > 0)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => request.headers.push((name.to_owned(), value.trim().to_owned())),
            None => break,
        }
    }
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    connection.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).ok()?;
    Some(request)
}
