//! A server that is a table: method -> what it writes then.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;
use warden::capture::transport::{Ending, Replay, Reply};
use warden::capture::{CaptureError, Captured, Deadline, Redactor, Settings, over};

/// Answers to `initialize` that declare these sections.
pub fn declares(sections: &[&str]) -> String {
    let members: Vec<String> = sections.iter().map(|section| format!(r#""{section}":{{}}"#)).collect();
    result(&format!(
        r#"{{"protocolVersion":"2025-11-25","capabilities":{{{}}},"serverInfo":{{"name":"s","version":"1"}}}}"#,
        members.join(",")
    ))
}

pub fn result(value: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{value}}}"#)
}

pub fn error(code: i64) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":$ID,"error":{{"code":{code},"message":"no"}}}}"#)
}

pub fn tools(names: &[&str]) -> String {
    result(&format!(r#"{{"tools":[{}]}}"#, tool_list(names)))
}

pub fn tools_then(names: &[&str], cursor: &str) -> String {
    result(&format!(r#"{{"tools":[{}],"nextCursor":{cursor}}}"#, tool_list(names)))
}

fn tool_list(names: &[&str]) -> String {
    names.iter().map(|name| format!(r#"{{"name":"{name}"}}"#)).collect::<Vec<_>>().join(",")
}

/// A scripted server. For each method replies in order, the last one repeating; a reply may be several lines, or none.
/// A line `!exit N` ends the connection. Methods without an entry are not found, and everything is written down.
#[derive(Default)]
pub struct Table {
    replies: HashMap<String, Vec<String>>,
    opening: Vec<Reply>,
    sent: Rc<RefCell<Vec<String>>>,
    pub settings: Option<Settings>,
}

impl Table {
    pub fn new() -> Self {
        Self::default().on("initialize", &[&declares(&["tools"])]).on("tools/list", &[&tools(&["alpha"])])
    }

    pub fn on(mut self, method: &str, replies: &[&str]) -> Self {
        self.replies.insert(method.to_owned(), replies.iter().map(|reply| (*reply).to_owned()).collect());
        self
    }

    pub fn opening(mut self, line: &[u8]) -> Self {
        self.opening.push(Reply::Line(line.to_vec()));
        self
    }

    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(self.settings.get_or_insert_with(settings));
        self
    }

    /// Captures, and also tells what was sent.
    pub fn run(self) -> (Result<Captured, CaptureError>, Vec<String>) {
        let Self { replies, opening, sent, settings: chosen } = self;
        let record = Rc::clone(&sent);
        let mut asked: HashMap<String, usize> = HashMap::new();
        let mut replay = Replay::new(move |message: &[u8]| {
            record.borrow_mut().push(String::from_utf8(message.to_vec()).expect("UTF-8"));
            let message: serde_json::Value = serde_json::from_slice(message).expect("JSON");
            let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) else { return Vec::new() };
            let count = asked.entry(method.to_owned()).or_default();
            *count += 1;
            let missing = error(-32601);
            let reply = match replies.get(method) {
                Some(replies) => &replies[(*count - 1).min(replies.len() - 1)],
                None => &missing,
            };
            reply.lines().map(|line| reply_line(line, &id.to_string())).collect()
        })
        .opening(opening);
        let outcome = over(&mut replay, &chosen.unwrap_or_else(settings), Redactor::default());
        drop(replay);
        (outcome, sent.take())
    }

    pub fn captured(self) -> Captured {
        self.run().0.unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn failed(self) -> CaptureError {
        match self.run().0 {
            Ok(captured) => panic!("captured {captured:?}"),
            Err(error) => error,
        }
    }
}

pub fn settings() -> Settings {
    Settings::new(Deadline::after(Duration::from_secs(60)))
}

fn reply_line(line: &str, id: &str) -> Reply {
    match line.strip_prefix("!exit ") {
        Some(code) => Reply::End(Ending::Exited(code.parse().expect("a code"))),
        None => line.replace("$ID", id).into(),
    }
}
