//! What `warden.toml` is going to say about each server, before anybody chose.

use crate::clients::{CannotExpand, ServerEntry};
use crate::config::{self, Config, Server, ServerSource};
use crate::project::{How, Member, Place, Project, Start, Surroundings};
use std::collections::HashSet;
use std::path::Path;

/// A table that is going to be written.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// The name of the table: that of the server, unless two servers have it. Not empty; raw.
    pub name: String,
    /// The client's file, from the folder of `warden.toml`; `None` where a table cannot name it.
    pub from: Option<String>,
    /// The name in that file, where it is another one.
    pub entry: Option<String>,
    /// The place in that file.
    pub place: Option<Place>,
    pub state: State,
}

/// What can be done with a server.
#[derive(Debug, Clone)]
pub(super) enum State {
    /// It can be pinned, or fails for want of a variable.
    Ready(Box<Start>),
    /// Its client's file says that it is not used.
    SwitchedOff,
    /// It cannot be started as it stands, and why; escaped.
    Unusable(String),
}

/// The tables of a project, in which every server has one. Servers without a name get none: no table can name them.
pub(super) fn drafts(project: &Project) -> Vec<Draft> {
    let mut taken: HashSet<String> = project.servers.iter().map(|server| server.name.clone()).collect();
    let mut drafts = Vec::new();
    for member in project.servers.iter().filter(|member| !member.name.is_empty()) {
        if matches!(member.how, How::Ambiguous) {
            add_each(&mut drafts, member, project, &mut taken);
        } else {
            let file = member.places.iter().find(|place| place.client.is_some()).map(|place| place.path.as_path());
            let from = file.and_then(|file| within(file, project));
            drafts.push(draft(&member.name, from, None));
        }
    }
    drafts.sort_by(|one, other| one.name.cmp(&other.name));
    drafts
}

fn draft(name: &str, from: Option<String>, entry: Option<String>) -> Draft {
    Draft { name: name.to_owned(), from, entry, place: None, state: State::Unusable(String::new()) }
}

/// One name that files use for different servers: a table for each of the files.
fn add_each(drafts: &mut Vec<Draft>, member: &Member, project: &Project, taken: &mut HashSet<String>) {
    let entries = project.files.iter().flat_map(|file| &file.servers);
    let mut files: Vec<(&Path, &ServerEntry)> = Vec::new();
    for entry in entries.filter(|entry| entry.name == member.name && !entry.read_by.is_empty()) {
        if files.iter().all(|(file, _)| *file != entry.file) {
            files.push((&entry.file, entry));
        }
    }
    for (at, (file, entry)) in files.into_iter().enumerate() {
        let from = within(file, project);
        if at == 0 {
            drafts.push(draft(&member.name, from, None));
            continue;
        }
        // A file that no table can name stays what it is: another place of the first one, which disagrees.
        if from.is_none() {
            continue;
        }
        let stem = format!("{}-{}", member.name, entry.client.as_str());
        let free = std::iter::once(stem.clone()).chain((2..).map(|n: usize| format!("{stem}-{n}")));
        if let Some(name) = free.into_iter().find(|name| !taken.contains(name)) {
            taken.insert(name.clone());
            drafts.push(draft(&name, from, Some(member.name.clone())));
        }
    }
}

/// A client's file as a table names it.
fn within(file: &Path, project: &Project) -> Option<String> {
    let path = file.strip_prefix(&project.folder).ok()?;
    let names: Vec<&str> = path.iter().map(|name| name.to_str()).collect::<Option<_>>()?;
    Some(names.join("/")).filter(|path| config::names_a_file(path))
}

/// The settings with these tables, before anybody chose.
pub(super) fn settings(drafts: &[Draft], base: &Config) -> Config {
    let server = |draft: &Draft| Server {
        name: draft.name.clone(),
        line: 1,
        column: 1,
        source: match &draft.from {
            Some(file) => ServerSource::From { file: file.clone(), entry: draft.entry.clone() },
            None => ServerSource::Found,
        },
        cwd: None,
        timeout: None,
        env: Vec::new(),
        bearer_env: None,
        header_env: Vec::new(),
        inspection: None,
        lock: None,
        skip: None,
    };
    Config { servers: drafts.iter().map(server).collect(), ..base.clone() }
}

/// Learns what each of them is, from the project as the tables make it.
pub(super) fn learn(drafts: &mut [Draft], project: &Project, around: &Surroundings<'_>) {
    for draft in drafts {
        let Some(member) = project.servers.iter().find(|member| member.name == draft.name) else { continue };
        draft.place = member.places.iter().find(|place| place.client.is_some()).cloned();
        draft.state = state(member, around);
    }
}

fn state(member: &Member, around: &Surroundings<'_>) -> State {
    if member.disabled.is_some() {
        return State::SwitchedOff;
    }
    match &member.how {
        How::Ambiguous => State::Unusable("one file has two servers of this name, and they differ".to_owned()),
        How::Unusable(why) => State::Unusable(why.clone()),
        How::Start(start) => match start.startup(around) {
            // A variable can be set: then the same configuration works.
            Ok(_) => State::Ready(start.clone()),
            Err(unknown) if matches!(unknown.cause, CannotExpand::Unset { .. }) => State::Ready(start.clone()),
            Err(unknown) => State::Unusable(crate::text::escape(&unknown.to_string(), crate::text::Charset::Unicode)),
        },
    }
}
