//! What `warden servers` lists. Names, paths and launches are raw, save that launches have no secrets; reasons are
//! escaped.

use super::json::visible;
use crate::json::{Object, Value, pretty};
use crate::text::inert;

/// The version of the document: it goes up when a member is removed or changes its meaning.
pub const SERVERS_VERSION: i64 = 1;

/// Everything that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerList {
    pub files: Vec<ListedFile>,
    /// Files that could not be read: the place, and why.
    pub unread: Vec<UnreadFile>,
    /// Locks that no server has: name and path.
    pub strays: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// For people: from the current folder, or with `~`.
    pub path: String,
    /// For machines: from the root of its repository, or absolute.
    pub uri: String,
    /// `project`, `user` or `machine`.
    pub scope: &'static str,
    /// Names of the clients that read it; none for `warden.toml`.
    pub clients: Vec<&'static str>,
    pub servers: Vec<ListedServer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedServer {
    pub name: String,
    /// From 1.
    pub line: usize,
    pub column: usize,
    /// The clients that load this entry.
    pub clients: Vec<&'static str>,
    /// `stdio`, `http`, `sse`, `ws`, `auto`; `None` where there is nothing to start.
    pub transport: Option<&'static str>,
    /// The command, quoted for a shell, or the URL; secrets redacted.
    pub launch: Option<String>,
    /// Names of variables that are set or handed on, sorted.
    pub env: Vec<String>,
    /// Names of headers, sorted.
    pub headers: Vec<String>,
    pub enabled: bool,
    /// The project that it is for, where the file says so.
    pub project: Option<String>,
    /// Why it is not known what is started.
    pub not_readable: Option<String>,
    /// Where the same name stands for another server; escaped.
    pub same_name: Option<String>,
    /// Why `warden.toml` leaves it out.
    pub skipped: Option<String>,
    pub lock: LockWord,
    pub lock_path: Option<String>,
}

/// What is said of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockWord {
    Locked,
    Stale,
    Unreadable,
    Missing,
    Unknown,
}

impl LockWord {
    /// For people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::Stale => "stale",
            Self::Unreadable => "unreadable",
            Self::Missing => "no lock",
            Self::Unknown => "unknown",
        }
    }

    /// In the document.
    pub fn id(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            other => other.word(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadFile {
    pub path: String,
    pub uri: String,
    /// From 1, where the cause is at a place.
    pub at: Option<(usize, usize)>,
    /// Escaped.
    pub cause: String,
}

impl ServerList {
    pub fn servers(&self) -> impl Iterator<Item = &ListedServer> {
        self.files.iter().flat_map(|file| &file.servers)
    }

    /// How many servers have a lock of this kind.
    pub fn count(&self, word: LockWord) -> usize {
        self.servers().filter(|server| server.lock == word).count()
    }
}

/// One document, final newline included (docs/json-output.md).
pub fn servers_json(list: &ServerList, exit_code: u8) -> String {
    let mut top = Object::new();
    top.insert("servers_version", SERVERS_VERSION);
    top.insert("command", "servers");
    top.insert("exit_code", i64::from(exit_code));
    top.insert("files", list.files.iter().map(file_object).collect::<Vec<_>>());
    top.insert("unread", list.unread.iter().map(unread_object).collect::<Vec<_>>());
    let stray = |(name, lock): &(String, String)| -> Object {
        [("name", Value::from(name.clone())), ("lock_path", Value::from(lock.clone()))].into_iter().collect()
    };
    top.insert("strays", list.strays.iter().map(stray).collect::<Vec<_>>());
    let text = format!("{}\n", pretty(&top.into()));
    // Both only occur inside of strings.
    let text = visible(&text);
    inert(&text, |c| format!("\\u{:04x}", u32::from(c)))
}

fn file_object(file: &ListedFile) -> Object {
    let mut object = Object::new();
    object.insert("path", file.path.clone());
    object.insert("uri", file.uri.clone());
    object.insert("scope", file.scope);
    object.insert("clients", texts(&file.clients));
    object.insert("servers", file.servers.iter().map(server_object).collect::<Vec<_>>());
    object
}

fn server_object(server: &ListedServer) -> Object {
    let mut object = Object::new();
    object.insert("name", server.name.clone());
    object.insert("line", number(server.line));
    object.insert("column", number(server.column));
    object.insert("clients", texts(&server.clients));
    object.insert("transport", server.transport.map(str::to_owned));
    object.insert("launch", server.launch.clone());
    object.insert("env", server.env.clone());
    object.insert("headers", server.headers.clone());
    object.insert("enabled", server.enabled);
    object.insert("project", server.project.clone());
    object.insert("not_readable", server.not_readable.clone());
    object.insert("same_name", server.same_name.clone());
    object.insert("skipped", server.skipped.clone());
    object.insert("lock", server.lock.id());
    object.insert("lock_path", server.lock_path.clone());
    object
}

fn unread_object(file: &UnreadFile) -> Object {
    let mut object = Object::new();
    object.insert("path", file.path.clone());
    object.insert("uri", file.uri.clone());
    object.insert("line", file.at.map(|(line, _)| number(line)));
    object.insert("column", file.at.map(|(_, column)| number(column)));
    object.insert("cause", file.cause.clone());
    object
}

fn texts(names: &[&str]) -> Vec<Value> {
    names.iter().map(|name| Value::from(*name)).collect()
}

fn number(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
