//! `warden servers`: what was found, where, and whether a lock covers it. Starts nothing.

use super::look::{Look, LookArgs};
use super::summary::shown_launch;
use super::{CommandError, Context};
use crate::clients::{ConfigFile, Named, Scope, ServerEntry, Setting, Shape};
use crate::config::ServerSource;
use crate::posture::{Coverage, Fault, Input, coverage, doubled, member_coverage, member_of, why_unreadable};
use crate::project::{How, Member, Target, start_of};
use crate::report::{ListedFile, ListedServer, LockWord, ServerList, UnreadFile};
use std::path::Path;

/// Arguments of `warden servers`.
pub type ServersArgs = LookArgs;

/// Runs `warden servers`. The `uri` of a file is its path; whoever knows the repository makes it one.
///
/// # Errors
/// As [`Look::load`].
pub fn run(args: &ServersArgs, context: &Context<'_>) -> Result<ServerList, CommandError> {
    let look = Look::load(args, context)?;
    let input = look.input();
    let twice = doubled(&input);
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
            servers: servers(file, &look, &input, &twice),
        })
        .collect();
    files.splice(0..0, tables(&look, &input, &twice));
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

fn servers(file: &ConfigFile, look: &Look, input: &Input<'_>, twice: &[Fault]) -> Vec<ListedServer> {
    file.servers.iter().map(|entry| listed(entry, look, input, twice)).collect()
}

fn listed(entry: &ServerEntry, look: &Look, input: &Input<'_>, twice: &[Fault]) -> ListedServer {
    let place = (entry.at.line as usize, entry.at.column as usize);
    let (env, headers, transport) = match &entry.shape {
        Shape::Stdio(stdio) => (names(&stdio.env, &stdio.forward), Vec::new(), Some("stdio")),
        Shape::Remote(remote) => (names(&[], &remote.forward), names(&remote.headers, &[]), Some(remote.kind.as_str())),
        Shape::NotReadable(_) => (Vec::new(), Vec::new(), None),
    };
    let (lock, lock_path) = lock(coverage(input, entry), look);
    let is_it = |fault: &&Fault| fault.path == entry.file && fault.at == entry.at;
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
        same_name: twice.iter().find(is_it).map(|fault| fault.message.clone()),
        skipped: member_of(input, entry).and_then(|member| skipped(member, look)),
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
fn tables(look: &Look, input: &Input<'_>, twice: &[Fault]) -> Option<ListedFile> {
    let path = look.project.config_path.as_ref()?;
    if !look.named.is_empty() && !look.named.contains(path) {
        return None;
    }
    let server = |server: &crate::config::Server| {
        if !matches!(server.source, ServerSource::Command(_) | ServerSource::Url(_)) {
            return None;
        }
        let member = look.project.servers.iter().find(|member| member.name == server.name)?;
        let (lock, lock_path) = lock(member_coverage(input, member), look);
        let is_it = |fault: &&Fault| fault.path == *path && fault.at.line as usize == server.line;
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
                How::Ambiguous => Some("its places say different things about it".to_owned()),
                How::Start(_) => None,
            },
            same_name: twice.iter().find(is_it).map(|fault| fault.message.clone()),
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
