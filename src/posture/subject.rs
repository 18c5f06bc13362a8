//! One form for what is looked at: entries of clients' files, and tables of `warden.toml` with a command or URL.

use super::Input;
use crate::clients::{ClientId, Position, Reference, Scope, ServerEntry, Setting, Shape, Template};
use crate::config::ServerSource;
use crate::project::{How, Start, Target, start_of};
use std::path::Path;

/// A server that some file starts or reaches.
pub(super) struct Subject<'a> {
    pub name: &'a str,
    pub path: &'a Path,
    pub at: Position,
    pub scope: Scope,
    /// The clients that load it; none for a table of `warden.toml`.
    pub read_by: &'a [ClientId],
    /// The entry, if a client's file has it.
    pub entry: Option<&'a ServerEntry>,
    pub start: Start,
    /// Program and arguments, or the URL alone, with references as references.
    pub words: Vec<Word>,
    pub is_url: bool,
}

pub(super) struct Word {
    /// Without defaults.
    pub text: String,
    pub at: Position,
    /// What stands in for variables that are not set.
    pub default: String,
}

fn default_of(value: &Template) -> String {
    let default = |reference| match reference {
        Reference::Environment { default, .. } => default.map(|default| default.0),
        _ => None,
    };
    value.references().filter_map(default).collect()
}

impl Subject<'_> {
    pub fn texts(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.text.as_str()).collect()
    }

    /// Where a word stands, or else the name.
    pub fn place(&self, word: usize) -> Position {
        self.words.get(word).map_or(self.at, |word| word.at)
    }

    /// Variables that the file sets.
    pub fn env(&self) -> &[Setting] {
        match self.entry.map(|entry| &entry.shape) {
            Some(Shape::Stdio(stdio)) => &stdio.env,
            _ => &[],
        }
    }

    pub fn headers(&self) -> &[Setting] {
        match self.entry.map(|entry| &entry.shape) {
            Some(Shape::Remote(remote)) => &remote.headers,
            _ => &[],
        }
    }

    /// The client whose way of writing counts.
    pub fn client(&self) -> Option<ClientId> {
        self.entry.map(|entry| entry.client)
    }
}

/// How a word of a launch is shown in messages: `command`, `args[2]`, `url`.
pub(super) fn word_name(subject: &Subject<'_>, word: usize) -> String {
    match (subject.is_url, word) {
        (true, _) => "url".to_owned(),
        (false, 0) => "command".to_owned(),
        (false, _) => format!("args[{}]", word - 1),
    }
}

/// Every server of the files that are looked at.
pub(super) fn all<'a>(input: &Input<'a>) -> Vec<Subject<'a>> {
    let entries = input.files.iter().flat_map(|file| &file.servers);
    let mut subjects: Vec<Subject<'a>> = entries.filter_map(of_entry).collect();
    subjects.extend(of_settings(input));
    subjects
}

fn of_entry(entry: &ServerEntry) -> Option<Subject<'_>> {
    let start = start_of(&entry.shape)?;
    let word = |written: &crate::clients::Written| Word {
        text: written.value.without_defaults(),
        at: written.at,
        default: default_of(&written.value),
    };
    let (words, is_url) = match &entry.shape {
        Shape::Stdio(stdio) => (std::iter::once(&stdio.command).chain(&stdio.args).map(word).collect(), false),
        Shape::Remote(remote) => (vec![word(&remote.url)], true),
        Shape::NotReadable(_) => return None,
    };
    Some(Subject {
        name: &entry.name,
        path: &entry.file,
        at: entry.at,
        scope: entry.scope,
        read_by: &entry.read_by,
        entry: Some(entry),
        start,
        words,
        is_url,
    })
}

/// Tables of `warden.toml` that say themselves what is started.
fn of_settings<'a>(input: &Input<'a>) -> Vec<Subject<'a>> {
    let project = input.project;
    let Some(path) = project.config_path.as_deref().filter(|path| input.looks_at(path)) else { return Vec::new() };
    let tables = project.config.servers.iter();
    let subject = |server: &'a crate::config::Server| {
        let is_own = matches!(server.source, ServerSource::Command(_) | ServerSource::Url(_));
        let member = project.member(&server.name).filter(|_| is_own)?;
        let How::Start(start) = &member.how else { return None };
        let at = Position { line: as_position(server.line), column: as_position(server.column) };
        let word = |value: &Template| Word { text: value.without_defaults(), at, default: default_of(value) };
        let (words, is_url) = match &start.target {
            Target::Command { program, args } => (std::iter::once(program).chain(args).map(word).collect(), false),
            Target::Url(url) => (vec![word(url)], true),
        };
        let (name, start) = (server.name.as_str(), start.as_ref().clone());
        Some(Subject { name, path, at, scope: Scope::Project, read_by: &[], entry: None, start, words, is_url })
    };
    tables.filter_map(subject).collect()
}

pub(super) fn as_position(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
