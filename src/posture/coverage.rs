//! Which lock covers a server: one whose launch is what the configuration starts.

use super::{Input, LockState};
use crate::clients::ServerEntry;
use crate::project::{How, Member, how};
use crate::surface::Launch;
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

/// The member of the project that an entry belongs to, if any.
pub fn member_of<'a>(input: &Input<'a>, entry: &ServerEntry) -> Option<&'a Member> {
    let is_place = |place: &crate::project::Place| {
        (place.path.as_path(), place.line, place.column)
            == (entry.file.as_path(), entry.at.line as usize, entry.at.column as usize)
    };
    input.project.servers.iter().find(|member| member.places.iter().any(is_place))
}

/// The lock of an entry of a client's file.
pub fn coverage<'a>(input: &Input<'a>, entry: &ServerEntry) -> Coverage<'a> {
    let member = member_of(input, entry);
    match how(entry) {
        // The settings of the project may add to what the entry starts, and never change its launch.
        How::Start(start) => of_launch(input, member, &start.launch()),
        How::Unusable(_) | How::Ambiguous => Coverage::Unknown,
    }
}

/// The lock of a server of the project.
pub fn member_coverage<'a>(input: &Input<'a>, member: &'a Member) -> Coverage<'a> {
    match &member.how {
        How::Start(start) => of_launch(input, Some(member), &start.launch()),
        How::Unusable(_) | How::Ambiguous => Coverage::Unknown,
    }
}

/// A member has its own lock and no other. What belongs to no project is covered by any lock that has its launch.
fn of_launch<'a>(input: &Input<'a>, member: Option<&'a Member>, launch: &Launch) -> Coverage<'a> {
    let covers = |state: &LockState| matches!(state, LockState::Read { launch: locked, .. } if locked == launch);
    let Some(member) = member else {
        let covering = input.locks.iter().find(|(_, state)| covers(state));
        return covering.map_or(Coverage::Missing, |(path, _)| Coverage::Locked(path));
    };
    match input.locks.get(&member.lock) {
        None | Some(LockState::Missing) => Coverage::Missing,
        Some(LockState::Unreadable(_)) => Coverage::Unreadable(&member.lock),
        Some(state) if covers(state) => Coverage::Locked(&member.lock),
        Some(LockState::Read { .. }) => Coverage::Stale(&member.lock),
    }
}
