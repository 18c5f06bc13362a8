//! A client that exchanges the messages of `warden pin` with a server and does nothing else: what scripts/bench-peer
//! subtracts to find what a tool costs of its own.
//!
//! `bare_client COMMAND [ARG]...` starts the command, makes the handshake, asks for the three lists one after the
//! other, closes the server's input and waits for its end. Answers are read and thrown away, so it serves only servers
//! whose lists have one page. Not a program for users.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bare","version":"0"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    let command = words.next().ok_or("usage: bare_client COMMAND [ARG]...")?;
    let mut server = Command::new(command)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut input = server.stdin.take().ok_or("no input")?;
    let mut output = BufReader::new(server.stdout.take().ok_or("no output")?);
    let mut line = String::new();
    let mut ask = |message: String| -> Result<(), Box<dyn Error>> {
        input.write_all(message.as_bytes())?;
        line.clear();
        if output.read_line(&mut line)? == 0 { Err("the server ended".into()) } else { Ok(()) }
    };
    ask(format!("{INITIALIZE}\n"))?;
    let list = |id: u32, method: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{}}}}"#);
    ask(format!("{INITIALIZED}\n{}\n", list(2, "tools/list")))?;
    ask(format!("{}\n", list(3, "resources/list")))?;
    ask(format!("{}\n", list(4, "prompts/list")))?;
    drop(input);
    server.wait()?;
    Ok(())
}
