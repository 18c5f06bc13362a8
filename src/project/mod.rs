//! The servers of a project: what its `warden.toml` and its clients' configuration files say together, and where the
//! lock of each is.
//!
//! [`load`] finds and reads all of it; [`gather`] puts it together and is pure. Nothing is started, and no variable is
//! looked up before [`Start::startup`]. Files of a project come with a clone: what they say is hostile input.

mod find;
mod gather;
mod left_out;
mod names;
mod own_files;
mod start;

pub use find::{Asked, LoadError, load, own_files, path_within, ways, with_settings};
pub use gather::{gather, how, start_of};
pub use left_out::{LeftOut, LeftServer};
pub use names::{folder_of, name_of};
pub use start::{NotKnown, Start, Startup, Surroundings, Target};

use crate::clients::{ClientId, ConfigFile, FileError};
use crate::config::{Config, Skip};
use std::path::{Path, PathBuf};

/// The folder of the locks, where the file does not name one.
pub const LOCKS: &str = ".warden";

/// The name of a lock in its folder.
pub const LOCK_NAME: &str = "warden.lock";

/// A project, as its files describe it.
#[derive(Debug)]
pub struct Project {
    /// Its folder from the current one: empty, or some `..`, or the way to the file that was named.
    pub folder: PathBuf,
    /// The same, absolute and without links.
    pub root: PathBuf,
    /// Its `warden.toml`, if it has one.
    pub config_path: Option<PathBuf>,
    pub config: Config,
    /// The clients' configuration files that were read.
    pub files: Vec<ConfigFile>,
    /// Those that are there and could not be read: servers may hide in them.
    pub unread: Vec<FileError>,
    /// Sorted by name.
    pub servers: Vec<Member>,
    /// Locks in the folder of locks that belong to no server, by the name of their folder where it is one.
    pub strays: Vec<Stray>,
    /// What `discover = false` leaves out; empty where files are named, which then are the only ones anyway.
    pub left_out: LeftOut,
}

/// A lock that no server of the project claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// Raw.
    pub name: String,
    pub lock: PathBuf,
}

/// A server of a project.
#[derive(Debug, Clone)]
pub struct Member {
    /// Raw.
    pub name: String,
    /// Its lock, from the current folder.
    pub lock: PathBuf,
    /// Every place that configures it; the first is the one that counts.
    pub places: Vec<Place>,
    pub how: How,
    /// Seconds for its capture.
    pub timeout: Option<f64>,
    /// Its inspection file, from the current folder.
    pub inspection: Option<PathBuf>,
    pub skip: Option<Skip>,
    /// Where it is switched off, if it is, everywhere.
    pub disabled: Option<Place>,
}

/// A place in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// From the current folder, or as it was named.
    pub path: PathBuf,
    /// Lines and columns from 1.
    pub line: usize,
    pub column: usize,
    /// The client whose file it is; `None`: `warden.toml`.
    pub client: Option<ClientId>,
}

/// Whether it is known how to start a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    Start(Box<Start>),
    /// No, and why; a sentence without a full stop, escaped.
    Unusable(String),
    /// Two places say different things about one name.
    Ambiguous,
}

impl Project {
    /// The server of that name.
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.servers.binary_search_by(|member| member.name.as_str().cmp(name)).ok().map(|at| &self.servers[at])
    }

    /// A path of the project, from the current folder.
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.folder.join(path)
    }
}
