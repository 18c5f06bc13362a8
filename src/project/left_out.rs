//! What takes no part in a project because `warden.toml` says `discover = false`: clients start it all the same, and
//! nobody checks it. Pure.

use super::gather::how;
use super::{How, Member, Place, Target};
use crate::clients::{ConfigFile, FileError, ServerEntry};
use crate::config::{Config, ServerSource};
use std::path::Path;

/// Servers and files that are left out.
#[derive(Debug, Default)]
pub struct LeftOut {
    /// Servers of clients' files that no table of `warden.toml` is about, in the order of the files.
    pub servers: Vec<LeftServer>,
    /// Files that could not be read: any server may be in them.
    pub unread: Vec<FileError>,
}

/// A server that clients start, and that is no server of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftServer {
    /// Raw.
    pub name: String,
    pub place: Place,
}

/// The servers of these files that some client starts and no table is about.
pub(super) fn left_out(config: &Config, folder: &Path, members: &[Member], files: &[ConfigFile]) -> Vec<LeftServer> {
    let entries = files.iter().flat_map(|file| &file.servers);
    let runs = entries.filter(|entry| entry.is_enabled() && !entry.read_by.is_empty());
    let left = runs.filter(|entry| !is_named(entry, config, folder) && !is_the_same(entry, members));
    let server = |entry: &ServerEntry| LeftServer { name: entry.name.clone(), place: super::gather::place_of(entry) };
    left.map(server).collect()
}

/// Whether a `from` names the entry.
fn is_named(entry: &ServerEntry, config: &Config, folder: &Path) -> bool {
    config.servers.iter().any(|server| match &server.source {
        ServerSource::From { file, entry: name } => {
            name.as_deref().unwrap_or(&server.name) == entry.name && folder.join(file) == entry.file
        }
        ServerSource::Command(_) | ServerSource::Url(_) | ServerSource::Found => false,
    })
}

/// Whether the project has a server of this name that is started alike. One of the same name that is another server
/// says nothing about this one. `members` are sorted by name.
fn is_the_same(entry: &ServerEntry, members: &[Member]) -> bool {
    let Ok(at) = members.binary_search_by(|member| member.name.cmp(&entry.name)) else { return false };
    let target = |how: &How| -> Option<Target> {
        match how {
            How::Start(start) => Some(start.target.clone()),
            How::Unusable(_) | How::Ambiguous => None,
        }
    };
    target(&members[at].how).is_some_and(|own| target(&how(entry)) == Some(own))
}
