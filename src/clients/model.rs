//! What a configuration file says, as data. Nothing here was looked up, expanded or started.
//!
//! Names, paths and values come from strangers and are kept exactly; whoever prints them escapes them (`crate::text`).

use super::disagreement::Disagreement;
use super::document::Position;
use super::problem::{Need, Problem, Reason, Refusal, Remark};
use super::table::{ClientId, Scope, TransportKind};
use super::template::Template;
use std::path::PathBuf;

/// A file that was read.
#[derive(Debug, Clone)]
pub struct ConfigFile {
    pub path: PathBuf,
    /// Every client whose table names this path.
    pub clients: Vec<ClientId>,
    pub scope: Scope,
    /// In file order, one for each entry: two entries of one name are two servers.
    pub servers: Vec<ServerEntry>,
    /// Clients that would refuse the whole file, although it can be read.
    pub refusals: Vec<Refusal>,
    pub remarks: Vec<Remark>,
}

/// One entry of a configuration file.
#[derive(Debug, Clone)]
pub struct ServerEntry {
    /// As written. In a list without names, the position, counted from 0.
    pub name: String,
    /// The client that speaks for the entry: the first that reads this part of the file and has not switched it off.
    pub client: ClientId,
    /// All clients that read this part of the file. Empty: none does, see [`Problem::NotLoaded`].
    pub read_by: Vec<ClientId>,
    pub file: PathBuf,
    pub scope: Scope,
    /// The members on the way to the map, each as written: `["projects", "/home/ann/shop", "mcpServers"]`.
    pub map: Vec<String>,
    /// Where its name stands; in a list, where the entry begins.
    pub at: Position,
    pub shape: Shape,
    /// Where it is switched off, if it is for every client that reads it.
    pub disabled: Option<Position>,
    pub tools: ToolFilter,
    /// Why a client would not run the entry as it stands, although it can be read.
    pub problems: Vec<(ClientId, Problem)>,
    /// Clients that would run another server than the first one that runs it; then nothing here speaks for all of them.
    pub disagreements: Vec<Disagreement>,
    /// What else the client does before the server runs, and `warden` does not.
    pub needs: Vec<Need>,
}

impl ServerEntry {
    pub fn is_enabled(&self) -> bool {
        self.disabled.is_none()
    }

    /// The absolute folder of the project that the entry is for, where the file says so (Claude Code's local scope).
    pub fn project(&self) -> Option<&str> {
        match self.map.as_slice() {
            [first, project, _] if first == "projects" => Some(project),
            _ => None,
        }
    }
}

/// How a server is reached.
#[derive(Debug, Clone)]
pub enum Shape {
    Stdio(Stdio),
    Remote(Remote),
    /// There is nothing here that could be started or asked, and why.
    NotReadable(Reason),
}

/// A value, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub value: Template,
    pub at: Position,
}

/// An environment variable or a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub name: String,
    pub value: Template,
    /// Where its name stands.
    pub at: Position,
}

/// A name without a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub at: Position,
}

/// A program on this machine.
#[derive(Debug, Clone)]
pub struct Stdio {
    pub command: Written,
    /// Exactly the words that the program gets, before variables are replaced.
    pub args: Vec<Written>,
    pub env: Vec<Setting>,
    /// Variables that are taken away.
    pub unset: Vec<Named>,
    /// Variables that are handed on from the client's own environment.
    pub forward: Vec<Named>,
    pub cwd: Option<Written>,
}

/// A server at a URL.
#[derive(Debug, Clone)]
pub struct Remote {
    pub kind: TransportKind,
    pub url: Written,
    pub headers: Vec<Setting>,
    /// Variables that the values of headers come from, where the file only names them.
    pub forward: Vec<Named>,
}

/// Which of a server's tools the client shows. It changes nothing about the server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolFilter {
    /// Only these; `None`: all.
    pub only: Option<Vec<String>>,
    pub hide: Vec<String>,
}
