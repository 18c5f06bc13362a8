//! From what files say to the servers of a project. Pure.

use super::start::{Start, Target};
use super::{How, LOCK_NAME, LOCKS, Member, Place, folder_of};
use crate::clients::{ConfigFile, NeedKind, Remote, ServerEntry, Setting, Shape, Stdio, Template, TransportKind};
use crate::config::{Config, Server, ServerSource};
use crate::text::{Charset, escape, shorten};
use indexmap::IndexMap;
use std::path::{Path, PathBuf};

/// An entry of a client's file, and whether a table of `warden.toml` names it.
struct Found<'f> {
    entry: &'f ServerEntry,
    claimed: bool,
}

/// Puts together what `warden.toml` and the clients' files say. `folder` is the project's from the current one.
///
/// Every entry of a client's file ends up in one server, or makes one ambiguous: none is left out silently.
pub fn gather(config: &Config, config_path: Option<&Path>, folder: &Path, files: &[ConfigFile]) -> Vec<Member> {
    let entries = files.iter().flat_map(|file| &file.servers).filter(|entry| !entry.read_by.is_empty());
    let mut found: Vec<Found<'_>> = entries.map(|entry| Found { entry, claimed: false }).collect();
    let mut members: IndexMap<String, Member> = IndexMap::new();
    for server in &config.servers {
        let mut member = bare(&server.name, config, folder);
        let own = Place {
            path: config_path.unwrap_or(Path::new(crate::config::FILE_NAME)).to_owned(),
            line: server.line,
            column: server.column,
            client: None,
        };
        settings(&mut member, server, folder);
        match &server.source {
            ServerSource::Command(words) => {
                member.places.push(own);
                let mut words = words.iter().map(|word| Template::of_settings(word));
                member.how = match words.next() {
                    Some(program) => start(Start::new(Target::Command { program, args: words.collect() })),
                    None => How::Unusable("its command is empty".to_owned()),
                };
            }
            ServerSource::Url(url) => {
                member.places.push(own);
                member.how = start(Start::new(Target::Url(Template::of_settings(url))));
            }
            ServerSource::From { file, entry } => {
                let name = entry.as_deref().unwrap_or(&server.name);
                let path = folder.join(file);
                let mut those = found.iter_mut().filter(|found| found.entry.name == name && found.entry.file == path);
                match those.next() {
                    Some(first) => {
                        take(&mut member, first);
                        those.for_each(|other| also(&mut member, other));
                    }
                    None => {
                        let (file, name) = (shown(file), shown(name));
                        member.how = How::Unusable(format!(
                            "{file} has no server {name} any more: if it is gone, remove its table from warden.toml (line {})",
                            server.line
                        ));
                    }
                }
                member.places.push(own);
            }
            ServerSource::Found => {
                // What it is follows below; the table is not where it is configured.
                member.how = How::Unusable("no configuration file of the project has a server of that name".to_owned());
            }
        }
        members.insert(server.name.clone(), member);
    }
    for found in found.iter_mut().filter(|found| !found.claimed) {
        let name = &found.entry.name;
        let member = members.entry(name.clone()).or_insert_with(|| bare(name, config, folder));
        match member.places.is_empty() {
            true => take(member, found),
            false => also(member, found),
        }
    }
    // Last, so that what a table hands over counts for every place that it is about.
    for server in &config.servers {
        let Some(member) = members.get_mut(&server.name) else { continue };
        if let How::Start(start) = &mut member.how {
            start.hand_on.extend(server.env.iter().cloned());
            start.hand_on.sort();
            start.hand_on.dedup();
            if let Some(cwd) = &server.cwd {
                start.cwd = Some(Template::of_settings(cwd));
            }
            if let Some(variable) = &server.bearer_env {
                start.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("authorization"));
                start.bearer_env = Some(variable.clone());
            }
            for (name, variable) in &server.header_env {
                start.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                start.headers.push((name.clone(), Template::of_settings(&format!("${{{variable}}}"))));
            }
        }
    }
    let mut members: Vec<Member> = members.into_values().collect();
    members.sort_by(|one, other| one.name.cmp(&other.name));
    members
}

/// A server of which only the name is known.
fn bare(name: &str, config: &Config, folder: &Path) -> Member {
    let locks = config.locks.as_deref().unwrap_or(LOCKS);
    Member {
        name: name.to_owned(),
        lock: folder.join(locks).join(folder_of(name)).join(LOCK_NAME),
        places: Vec::new(),
        how: How::Unusable("nothing says how to start it".to_owned()),
        timeout: None,
        inspection: None,
        skip: None,
        disabled: None,
    }
}

fn settings(member: &mut Member, server: &Server, folder: &Path) {
    member.timeout = server.timeout;
    member.inspection = server.inspection.as_ref().map(|path| folder.join(path));
    member.skip.clone_from(&server.skip);
    if let Some(lock) = &server.lock {
        member.lock = folder.join(lock);
    }
}

fn start(start: Start) -> How {
    How::Start(Box::new(start))
}

/// Makes a server what an entry says.
fn take(member: &mut Member, found: &mut Found<'_>) {
    found.claimed = true;
    member.how = how(found.entry);
    let place = place_of(found.entry);
    member.disabled =
        found.entry.disabled.map(|at| Place { line: at.line as usize, column: at.column as usize, ..place.clone() });
    member.places.push(place);
}

/// Adds another entry of the same server, which has to say the same.
fn also(member: &mut Member, found: &mut Found<'_>) {
    found.claimed = true;
    let other = how(found.entry);
    if found.entry.is_enabled() {
        member.disabled = None;
    }
    match &member.how {
        How::Ambiguous => {}
        mine if *mine == other => {}
        // An entry that nobody can start adds nothing that could be started.
        _ => member.how = How::Ambiguous,
    }
    member.places.push(place_of(found.entry));
}

pub(super) fn place_of(entry: &ServerEntry) -> Place {
    Place {
        path: entry.file.clone(),
        line: entry.at.line as usize,
        column: entry.at.column as usize,
        client: Some(entry.client),
    }
}

/// What an entry starts, or why that is not known.
pub fn how(entry: &ServerEntry) -> How {
    // To check what one client starts would say nothing about what another one does.
    if let Some(disagreement) = entry.disagreements.first() {
        return How::Unusable(disagreement.to_string());
    }
    // What the client asks its user for stands in values, and a table may say where such a value comes from.
    if let Some(need) = entry.needs.iter().find(|need| need.kind != NeedKind::AsksUser) {
        return How::Unusable(need.to_string());
    }
    match (&entry.shape, start_of(&entry.shape)) {
        (Shape::NotReadable(reason), _) => How::Unusable(reason.to_string()),
        (Shape::Remote(remote), _) if remote.kind == TransportKind::WebSocket => {
            How::Unusable("it speaks over a WebSocket, which warden does not".to_owned())
        }
        (_, Some(known)) => start(known),
        (_, None) => How::Unusable("nothing says how to start it".to_owned()),
    }
}

/// What an entry of this shape is about, whether or not `warden` could start it; `None` where there is nothing to start.
pub fn start_of(shape: &Shape) -> Option<Start> {
    match shape {
        Shape::NotReadable(_) => None,
        Shape::Remote(remote) => Some(of_remote(remote)),
        Shape::Stdio(stdio) => Some(of_stdio(stdio)),
    }
}

fn pairs(settings: &[Setting]) -> Vec<(String, Template)> {
    settings.iter().map(|setting| (setting.name.clone(), setting.value.clone())).collect()
}

fn of_stdio(stdio: &Stdio) -> Start {
    let args = stdio.args.iter().map(|word| word.value.clone()).collect();
    Start {
        env: pairs(&stdio.env),
        hand_on: stdio.forward.iter().map(|named| named.name.clone()).collect(),
        unset: stdio.unset.iter().map(|named| named.name.clone()).collect(),
        cwd: stdio.cwd.as_ref().map(|cwd| cwd.value.clone()),
        ..Start::new(Target::Command { program: stdio.command.value.clone(), args })
    }
}

fn of_remote(remote: &Remote) -> Start {
    Start { headers: pairs(&remote.headers), ..Start::new(Target::Url(remote.url.value.clone())) }
}

fn shown(text: &str) -> String {
    escape(&shorten(text, 200), Charset::Unicode)
}

/// The files that `from` names, from the current folder, each once.
pub(super) fn named_files(config: &Config, folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for server in &config.servers {
        if let ServerSource::From { file, .. } = &server.source {
            let path = folder.join(file);
            if !files.contains(&path) {
                files.push(path);
            }
        }
    }
    files
}
