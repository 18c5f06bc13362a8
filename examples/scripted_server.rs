//! A scripted MCP server on standard input and output, for end-to-end tests.
//!
//! `scripted_server SCRIPT.json` reads a script, an object with any of these members:
//!
//! ```text
//! "methods": {METHOD: [REPLY, ...]}   replies to that request, in order; the last one repeats
//! "opening": [LINE, ...]              lines written before anything is read
//! "stderr": TEXT or NUMBER            written to standard error at the start; a number of bytes without line ends
//! "startup_delay_ms": N               silence at the start
//! "ignore_eof": true                  stays when its input ends
//! "ignore_sigterm": true              stays on SIGTERM
//! "fork_child": PATH                  leaves a child that ignores SIGTERM and holds the pipes; its pid goes to PATH
//! "daemon": PATH                      leaves a child in a session of its own that ignores SIGTERM; its pid goes to PATH
//! "deep_daemon": PATH                 the same, forked twice: its parent ends before the server begins
//! "pid_file": PATH                    its own pid goes there
//! "record": PATH                      every line received is appended there
//! "env_report": true or [NAME, ...]   one more tool whose description lists variables: all, or these; the working
//!                                     directory is called `(folder)`, the client's name `(client)`
//! "starts": {"count": PATH, "methods": [METHODS, ...]}
//!                                     the n-th start plays the n-th of these as "methods", the last one repeating; how
//!                                     many there were is kept in PATH
//! "era": "legacy", "modern" or "both" what it speaks (legacy unless said); with both, the first request decides
//! "modern_methods": as "methods"      replies in the modern era; those of "methods" where there are none
//! "exit_after": METHOD                exits with 1 at the first line after that request
//! ```
//!
//! A REPLY is an object with any of these members, done in this order:
//!
//! ```text
//! "delay_ms": N                       waits first
//! "wait_for": PATH                    and until this file is there
//! "before": [LINE, ...]               raw lines before the answer
//! "result": VALUE                     the answer
//! "error": VALUE                      the answer
//! "raw": LINE                         the answer as raw text
//! "raw_bytes": [N, ...]               the answer as raw bytes
//! "after": [LINE, ...]                raw lines after the answer
//! "stderr": TEXT or NUMBER            as above
//! "close_output": true                closes standard output and goes on
//! "exit": N                           exits
//! "hang": true                        does not answer
//! ```
//!
//! In a LINE `$ID` stands for the request's id. A LINE gets a line end, unless it ends with `$NONL`. Without a script
//! for it, `initialize` and `server/discover` are answered with tools declared, `tools/list` with one tool called
//! `alpha`, `ping` with an empty result, and everything else with "method not found"; in the modern era a request
//! without its envelope is refused, and results get the members that they have there. Not a program for users: it
//! stops at whatever is wrong with its script.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

type Fallible<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Fallible {
    let mut args = std::env::args_os().skip(1);
    let path = args.next().ok_or("usage: scripted_server SCRIPT.json")?;
    if path == "--sleep" {
        ignore_sigterm()?;
        std::thread::sleep(Duration::from_secs(300));
        return Ok(());
    }
    if path == "--daemon" {
        return be_daemon(args.next().ok_or("no file")?, args.next().is_some());
    }
    let mut script: Value = serde_json::from_slice(&std::fs::read(path)?)?;
    begin(&script)?;
    if let Some(methods) = methods_of_this_start(&script["starts"])? {
        script["methods"] = methods;
    }
    let mut server =
        Server { script: &script, client: String::new(), asked: HashMap::new(), modern: None, doomed: false };
    for line in io::stdin().lock().split(b'\n') {
        server.take(&line?)?;
    }
    if is_set(&script, "ignore_eof") {
        std::thread::sleep(Duration::from_secs(300));
    }
    Ok(())
}

fn begin(script: &Value) -> Fallible {
    if is_set(script, "ignore_sigterm") {
        ignore_sigterm()?;
    }
    if let Some(path) = script["pid_file"].as_str() {
        std::fs::write(path, std::process::id().to_string())?;
    }
    if let Some(path) = script["fork_child"].as_str() {
        let child = Command::new(std::env::current_exe()?).arg("--sleep").stdin(Stdio::null()).spawn()?;
        std::fs::write(path, child.id().to_string())?;
    }
    for (member, deep) in [("daemon", false), ("deep_daemon", true)] {
        let Some(path) = script[member].as_str() else { continue };
        // Of an earlier start.
        let _ = std::fs::remove_file(path);
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--daemon", path]).args(deep.then_some("deep"));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        if deep {
            child.wait()?;
        }
        wait_for(path);
    }
    complain(&script["stderr"])?;
    pause(&script["startup_delay_ms"]);
    write_lines(&script["opening"], &Value::Null)
}

/// Leaves the session, and stays; with `deep` a child does both once more, and this ends.
fn be_daemon(path: std::ffi::OsString, deep: bool) -> Fallible {
    #[cfg(unix)]
    rustix::process::setsid()?;
    if deep {
        Command::new(std::env::current_exe()?).arg("--daemon").arg(path).spawn()?;
        return Ok(());
    }
    ignore_sigterm()?;
    // Whole at once: the server goes on when it is there.
    let begun = std::path::PathBuf::from(&path).with_extension("begun");
    std::fs::write(&begun, std::process::id().to_string())?;
    std::fs::rename(begun, path)?;
    std::thread::sleep(Duration::from_secs(300));
    Ok(())
}

/// Counts a start, and gives what it plays.
fn methods_of_this_start(starts: &Value) -> Fallible<Option<Value>> {
    let (Some(path), Some(all)) = (starts["count"].as_str(), starts["methods"].as_array()) else { return Ok(None) };
    let before: usize = std::fs::read_to_string(path).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    std::fs::write(path, (before + 1).to_string())?;
    Ok(all.get(before).or(all.last()).cloned())
}

struct Server<'a> {
    script: &'a Value,
    /// What the client says it is called.
    client: String,
    /// How often each method was asked for.
    asked: HashMap<String, usize>,
    /// The era of the first request.
    modern: Option<bool>,
    /// Whether the next line is the last.
    doomed: bool,
}

const MODERN: &str = "2026-07-28";

impl Server<'_> {
    fn take(&mut self, line: &[u8]) -> Fallible {
        if let Some(path) = self.script["record"].as_str() {
            let mut record = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
            record.write_all(&[line, b"\n"].concat())?;
        }
        if self.doomed {
            std::process::exit(1);
        }
        let message: Value = serde_json::from_slice(line)?;
        let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) else { return Ok(()) };
        let named =
            [&message["params"]["clientInfo"], &message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"]];
        if let Some(name) = named.iter().find_map(|info| info["name"].as_str()) {
            self.client = name.to_owned();
        }
        let count = self.asked.entry(method.to_owned()).or_default();
        *count += 1;
        let count = *count;
        self.doomed = self.script["exit_after"] == method;
        let modern = *self.modern.get_or_insert(match self.script["era"].as_str() {
            Some("modern") => true,
            Some("both") => method != "initialize",
            _ => false,
        });
        let scripted = |table: &str| self.script[table][method].as_array().filter(|replies| !replies.is_empty());
        let replies = scripted("modern_methods").filter(|_| modern).or_else(|| scripted("methods"));
        let reply = match replies {
            Some(replies) => replies[(count - 1).min(replies.len() - 1)].clone(),
            None => self.usual(method, &message, modern),
        };
        perform(&reply, id)
    }

    fn usual(&self, method: &str, message: &Value, modern: bool) -> Value {
        if modern {
            return self.usual_in_modern(method, message);
        }
        match method {
            "initialize" => json!({"result": {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "scripted", "version": "1"},
            }}),
            "ping" => json!({"result": {}}),
            "tools/list" => {
                let mut tools = vec![json!({"name": "alpha", "inputSchema": {"type": "object"}})];
                if let Some(description) = self.variables() {
                    tools.push(json!({"name": "environment", "description": description}));
                }
                json!({"result": {"tools": tools}})
            }
            _ => json!({"error": {"code": -32601, "message": "method not found"}}),
        }
    }

    fn usual_in_modern(&self, method: &str, message: &Value) -> Value {
        let meta = &message["params"]["_meta"];
        let version = &meta["io.modelcontextprotocol/protocolVersion"];
        if method == "initialize" || (version.is_string() && version != MODERN) {
            let data = json!({"supported": [MODERN], "requested": message["params"]["protocolVersion"]});
            return json!({"error": {"code": -32022, "message": "unsupported protocol version", "data": data}});
        }
        if !(version.is_string() && meta["io.modelcontextprotocol/clientCapabilities"].is_object()) {
            return json!({"error": {"code": -32602, "message": "the envelope is incomplete"}});
        }
        let mut reply = match method {
            "server/discover" => json!({"result": {"supportedVersions": [MODERN], "capabilities": {"tools": {}}}}),
            "ping" => json!({"error": {"code": -32601, "message": "method not found"}}),
            _ => self.usual(method, message, false),
        };
        if let Some(result) = reply.get_mut("result").and_then(Value::as_object_mut) {
            result.insert("resultType".into(), "complete".into());
            result.insert("ttlMs".into(), 60_000.into());
            result.insert("cacheScope".into(), "private".into());
            let info = json!({"name": "scripted", "version": "1"});
            result.insert("_meta".into(), json!({"io.modelcontextprotocol/serverInfo": info}));
        }
        reply
    }

    fn variables(&self) -> Option<String> {
        let line = |name: &str, value: &str| format!("{name}={value}\n");
        match &self.script["env_report"] {
            Value::Array(names) => Some(
                names
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|name| match name {
                        "(client)" => line(name, &self.client),
                        "(folder)" => line(name, &std::env::current_dir().unwrap_or_default().to_string_lossy()),
                        name => line(name, &std::env::var(name).unwrap_or_else(|_| "(unset)".into())),
                    })
                    .collect(),
            ),
            Value::Bool(true) => {
                let mut all: Vec<_> = std::env::vars().map(|(name, value)| line(&name, &value)).collect();
                all.sort();
                Some(all.concat())
            }
            _ => None,
        }
    }
}

fn perform(reply: &Value, id: &Value) -> Fallible {
    pause(&reply["delay_ms"]);
    if let Some(path) = reply["wait_for"].as_str() {
        wait_for(path);
    }
    write_lines(&reply["before"], id)?;
    for key in ["result", "error"] {
        if let Some(value) = reply.get(key) {
            put(format!("{}\n", json!({"jsonrpc": "2.0", "id": id, key: value})).as_bytes())?;
        }
    }
    if let Some(raw) = reply["raw"].as_str() {
        write_line(raw, id)?;
    }
    if let Some(bytes) = reply["raw_bytes"].as_array() {
        let bytes: Vec<u8> = bytes.iter().filter_map(|byte| u8::try_from(byte.as_u64()?).ok()).collect();
        put(&bytes)?;
    }
    write_lines(&reply["after"], id)?;
    complain(&reply["stderr"])?;
    if is_set(reply, "close_output") {
        close_output()?;
    }
    if let Some(code) = reply["exit"].as_i64() {
        std::process::exit(i32::try_from(code)?);
    }
    Ok(())
}

fn is_set(object: &Value, member: &str) -> bool {
    object[member] == true
}

fn pause(milliseconds: &Value) {
    std::thread::sleep(Duration::from_millis(milliseconds.as_u64().unwrap_or(0)));
}

fn wait_for(path: &str) {
    while !std::path::Path::new(path).exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn write_lines(lines: &Value, id: &Value) -> Fallible {
    lines.as_array().into_iter().flatten().filter_map(Value::as_str).try_for_each(|line| write_line(line, id))
}

fn write_line(line: &str, id: &Value) -> Fallible {
    let line = line.replace("$ID", &id.to_string());
    match line.strip_suffix("$NONL") {
        Some(rest) => put(rest.as_bytes()),
        None => put(format!("{line}\n").as_bytes()),
    }
}

fn put(bytes: &[u8]) -> Fallible {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

fn complain(what: &Value) -> Fallible {
    let mut err = io::stderr().lock();
    match what {
        Value::String(text) => err.write_all(text.as_bytes())?,
        Value::Number(count) => {
            let chunk = [b'w'; 1 << 10];
            for _ in 0..count.as_u64().unwrap_or(0) / 1024 {
                err.write_all(&chunk)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// A handler that does nothing is as good as ignoring the signal, and needs no unsafe code.
#[cfg(unix)]
fn ignore_sigterm() -> Fallible {
    let (ready, wait) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(async {
                let kind = tokio::signal::unix::SignalKind::terminate();
                if let Ok(mut signals) = tokio::signal::unix::signal(kind) {
                    ready.send(()).unwrap_or_default();
                    while signals.recv().await.is_some() {}
                }
            });
        }
    });
    Ok(wait.recv()?)
}

#[cfg(not(unix))]
fn ignore_sigterm() -> Fallible {
    Ok(())
}

/// Puts standard error in the place of standard output, which closes the pipe.
#[cfg(unix)]
fn close_output() -> Fallible {
    Ok(rustix::stdio::dup2_stdout(io::stderr())?)
}

#[cfg(not(unix))]
fn close_output() -> Fallible {
    Err("not here".into())
}
