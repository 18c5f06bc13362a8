//! Which lock covers a server: one whose launch is what the configuration starts.

use super::{Input, LockState};
use crate::clients::ServerEntry;
use crate::project::{How, Member, how};
use crate::surface::Launch;
use std::collections::HashMap;
use std::path::Path;

/// What is known about a server's lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage<'a> {
    /// A lock has this launch.
    Locked(&'a Path),
    /// The server's own lock has another launch.
    Stale(&'a Path),
    /// The server's own lock cannot be read.
    Unreadable(&'a Path),
    Missing,
    /// It is not known what the server starts, so no lock can be said to have it.
    Unknown,
}

/// Members of the project by their places, and locks by their launches: files may hold very many servers.
pub struct Covers<'a> {
    input: &'a Input<'a>,
    members: HashMap<(&'a Path, usize, usize), &'a Member>,
    locks: HashMap<Vec<&'a str>, &'a Path>,
}

impl<'a> Covers<'a> {
    pub fn new(input: &'a Input<'a>) -> Self {
        let place = |member: &'a Member| {
            member.places.iter().map(move |place| ((place.path.as_path(), place.line, place.column), member))
        };
        let lock = |(path, state): (&'a std::path::PathBuf, &'a LockState)| match state {
            LockState::Read { launch, .. } => Some((key(launch), path.as_path())),
            LockState::Missing | LockState::Unreadable(_) => None,
        };
        let members = input.project.servers.iter().flat_map(place).collect();
        // Of several, the first by name.
        let locks = input.locks.iter().rev().filter_map(lock).collect();
        Self { input, members, locks }
    }

    /// The member of the project that an entry belongs to, if any.
    pub fn member(&self, entry: &ServerEntry) -> Option<&'a Member> {
        let place = (entry.file.as_path(), entry.at.line as usize, entry.at.column as usize);
        self.members.get(&place).copied()
    }

    /// The lock of an entry of a client's file.
    pub fn entry(&self, entry: &ServerEntry) -> Coverage<'a> {
        match how(entry) {
            // The settings of the project may add to what the entry starts, and never change its launch.
            How::Start(start) => self.launch(self.member(entry), &start.launch()),
            How::Unusable(_) | How::Ambiguous => Coverage::Unknown,
        }
    }

    /// The lock of a server of the project.
    pub fn of_member(&self, member: &'a Member) -> Coverage<'a> {
        match &member.how {
            How::Start(start) => self.launch(Some(member), &start.launch()),
            How::Unusable(_) | How::Ambiguous => Coverage::Unknown,
        }
    }

    /// A member has its own lock and no other. What belongs to no project is covered by any lock that has its launch.
    fn launch(&self, member: Option<&'a Member>, launch: &Launch) -> Coverage<'a> {
        let Some(member) = member else {
            return self.locks.get(&key(launch)).map_or(Coverage::Missing, |path| Coverage::Locked(path));
        };
        match self.input.locks.get(&member.lock) {
            None | Some(LockState::Missing) => Coverage::Missing,
            Some(LockState::Unreadable(_)) => Coverage::Unreadable(&member.lock),
            Some(LockState::Read { launch: locked, .. }) if locked == launch => Coverage::Locked(&member.lock),
            Some(LockState::Read { .. }) => Coverage::Stale(&member.lock),
        }
    }
}

/// A launch as a key. A URL is told from a program of that name by the word behind it, which no program can get.
fn key(launch: &Launch) -> Vec<&str> {
    let mut words = launch.words();
    if matches!(launch, Launch::Url(_)) {
        words.push("\0");
    }
    words
}
