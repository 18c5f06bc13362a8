//! `warden servers`: what was found, where, and whether a lock covers it. Starts nothing.

use super::look::{Look, LookArgs};
use super::summary::shown_launch;
use super::{CommandError, Context};
use crate::clients::{Named, Position, Scope, ServerEntry, Setting, Shape};
use crate::config::ServerSource;
use crate::posture::{Coverage, Covers, doubled, why_unreadable};
use crate::project::{How, Member, Target, start_of};
use crate::report::{ListedFile, ListedServer, LockWord, ServerList, UnreadFile};
use std::collections::HashMap;
use std::path::Path;

/// Arguments of `warden servers`.
pub type ServersArgs = LookArgs;

/// Runs `warden servers`. The `uri` of a file is its path; whoever knows the repository makes it one.
///
/// # Errors
/// There is nothing to look at, a file that was named is of no kind that is known, or `warden.toml` cannot be read.
pub fn run(args: &ServersArgs, context: &Context<'_>) -> Result<ServerList, CommandError> {
    let look = Look::load(args, context)?;
    let input = look.input();
    let covers = Covers::new(&input);
    let doubled = doubled(&input);
    let twice = doubled.iter().map(|fault| ((fault.path.as_path(), fault.at), fault.message.as_str())).collect();
    let found = Found { look: &look, covers: &covers, twice: &twice };
    let mut files: Vec<ListedFile> = look
        .files
        .iter()
        // A settings file of an editor that holds no server has nothing to be listed.
        .filter(|file| !file.servers.is_empty() || look.named.contains(&file.path))
        .map(|file| ListedFile {
            path: text(&look.for_people(&file.path)),
            uri: text(&file.path),
            scope: file.scope.as_str(),
            clients: file.clients.iter().map(|client| client.name()).collect(),
            servers: file.servers.iter().map(|entry| listed(entry, &found)).collect(),
        })
        .collect();
    files.splice(0..0, tables(&found));
    let unread = look.unread.iter().map(|error| UnreadFile {
        path: text(&look.for_people(&error.path)),
        uri: text(&error.path),
        at: error.at.map(|at| (at.line as usize, at.column as usize)),
        cause: error.cause.to_string(),
    });
    let strays = look.project.strays.iter().filter(|_| look.named.is_empty());
    Ok(ServerList {
        files,
        unread: unread.collect(),
        strays: strays.map(|stray| (stray.name.clone(), text(&stray.lock))).collect(),
    })
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// What is known about all servers.
struct Found<'a> {
    look: &'a Look,
    covers: &'a Covers<'a>,
    /// Where a name stands for another server too, and what is said about it.
    twice: &'a HashMap<(&'a Path, Position), &'a str>,
}

fn listed(entry: &ServerEntry, found: &Found<'_>) -> ListedServer {
    let Found { look, covers, twice } = found;
    let place = (entry.at.line as usize, entry.at.column as usize);
    let (env, headers, transport) = match &entry.shape {
        Shape::Stdio(stdio) => (names(&stdio.env, &stdio.forward), Vec::new(), Some("stdio")),
        Shape::Remote(remote) => (names(&[], &remote.forward), names(&remote.headers, &[]), Some(remote.kind.as_str())),
        Shape::NotReadable(_) => (Vec::new(), Vec::new(), None),
    };
    let (lock, lock_path) = lock(covers.entry(entry), look);
    ListedServer {
        name: entry.name.clone(),
        line: place.0,
        column: place.1,
        clients: entry.read_by.iter().map(|client| client.name()).collect(),
        transport,
        launch: start_of(&entry.shape).map(|start| shown_launch(&start.shown())),
        env,
        headers,
        enabled: entry.is_enabled(),
        project: entry.project().map(str::to_owned),
        not_readable: why_unreadable(entry),
        same_name: twice.get(&(entry.file.as_path(), entry.at)).map(|said| (*said).to_owned()),
        skipped: covers.member(entry).and_then(|member| skipped(member, look)),
        lock,
        lock_path,
    }
}

fn names(settings: &[Setting], forward: &[Named]) -> Vec<String> {
    let set = settings.iter().map(|setting| &setting.name);
    let mut names: Vec<String> = set.chain(forward.iter().map(|named| &named.name)).cloned().collect();
    names.sort();
    names.dedup();
    names
}

fn skipped(member: &Member, look: &Look) -> Option<String> {
    member.skip.as_ref().filter(|skip| !skip.is_expired(&look.today)).map(|skip| skip.reason.clone())
}

fn lock(coverage: Coverage<'_>, look: &Look) -> (LockWord, Option<String>) {
    let path = |path: &Path| Some(text(&look.for_people(path)));
    match coverage {
        Coverage::Locked(lock) => (LockWord::Locked, path(lock)),
        Coverage::Stale(lock) => (LockWord::Stale, path(lock)),
        Coverage::Unreadable(lock) => (LockWord::Unreadable, path(lock)),
        Coverage::Missing => (LockWord::Missing, None),
        Coverage::Unknown => (LockWord::Unknown, None),
    }
}

/// The tables of `warden.toml` that say themselves what is started.
fn tables(found: &Found<'_>) -> Option<ListedFile> {
    let Found { look, covers, twice } = found;
    let path = look.project.config_path.as_ref()?;
    if !look.named.is_empty() && !look.named.contains(path) {
        return None;
    }
    let server = |server: &crate::config::Server| {
        if !matches!(server.source, ServerSource::Command(_) | ServerSource::Url(_)) {
            return None;
        }
        let member = look.project.member(&server.name)?;
        let (lock, lock_path) = lock(covers.of_member(member), look);
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let at = Position { line: number(server.line), column: number(server.column) };
        let start = match &member.how {
            How::Start(start) => Some(start),
            How::Unusable(_) | How::Ambiguous => None,
        };
        let set = start.iter().flat_map(|start| &start.headers).map(|(name, _)| name.clone());
        Some(ListedServer {
            name: server.name.clone(),
            line: server.line,
            column: server.column,
            clients: Vec::new(),
            transport: start.map(|start| match start.target {
                Target::Command { .. } => "stdio",
                Target::Url(_) => "http",
            }),
            launch: start.map(|start| shown_launch(&start.shown())),
            env: server.env.clone(),
            headers: set.collect(),
            enabled: true,
            project: None,
            not_readable: match &member.how {
                How::Unusable(reason) => Some(reason.clone()),
                How::Ambiguous => Some("the files that name it disagree about how it is started".to_owned()),
                How::Start(_) => None,
            },
            same_name: twice.get(&(path.as_path(), at)).map(|said| (*said).to_owned()),
            skipped: skipped(member, look),
            lock,
            lock_path,
        })
    };
    let servers: Vec<ListedServer> = look.project.config.servers.iter().filter_map(server).collect();
    (!servers.is_empty()).then(|| ListedFile {
        path: text(&look.for_people(path)),
        uri: text(path),
        scope: Scope::Project.as_str(),
        clients: Vec::new(),
        servers,
    })
}
