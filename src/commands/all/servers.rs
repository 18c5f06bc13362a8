//! The servers of a project that a command is about.

use super::super::args::{ConfigArgs, EntryArgs, ServerArgs};
use super::super::error::shown_path;
use super::super::{CommandError, Context};
use super::parts::{Said, not_configured, unread};
use super::{AllArgs, Configured, Work};
use crate::lock::file;
use crate::project::{self, Asked, LeftOut, LoadError, Member, Project, Start, Stray, Surroundings};
use crate::report::ServerPart;
use crate::surface::Launch;
use crate::text::{Charset, escape, near, shorten};
use std::path::{Path, PathBuf};

/// A project, and which of its servers are meant.
pub(in crate::commands) struct Servers {
    pub project: Project,
    /// Names of those that are meant; empty: all.
    pub only: Vec<String>,
}

impl Servers {
    /// Reads the project's files.
    ///
    /// # Errors
    /// They cannot be read, name no server at all, or none of that name.
    pub fn load(all: &AllArgs, config: &ConfigArgs, context: &Context<'_>) -> Result<Self, CommandError> {
        AllArgs::check_config(config)?;
        let home = context.home();
        let asked = Asked {
            current: &context.current,
            home: home.as_deref(),
            configs: &config.config,
            no_config: config.no_config,
        };
        let project = project::load(&asked).map_err(load_error)?;
        let servers = Self { project, only: all.only.clone() };
        servers.check_names()?;
        if servers.project.servers.is_empty() && servers.project.strays.is_empty() && servers.project.unread.is_empty()
        {
            return Err(nothing_configured(&servers.project));
        }
        Ok(servers)
    }

    fn check_names(&self) -> Result<(), CommandError> {
        let known = || {
            let strays = self.project.strays.iter().map(|stray| stray.name.as_str());
            self.project.servers.iter().map(|server| server.name.as_str()).chain(strays)
        };
        for name in &self.only {
            if !known().any(|known| known == name) {
                let shown = escape(name, Charset::Unicode);
                let error = CommandError::usage(format!("--only {shown}: the project has no server of that name"));
                let near: Vec<String> =
                    near(name, known()).into_iter().map(|name| escape(name, Charset::Unicode)).collect();
                return Err(match near.as_slice() {
                    [] => error.hint(format!("it has: {}", names_of(known()))),
                    _ => error.hint(format!("did you mean {}?", near.join(" or "))),
                });
            }
        }
        Ok(())
    }

    fn is_meant(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// The servers that are meant.
    pub fn chosen(&self) -> impl Iterator<Item = &Member> {
        self.project.servers.iter().filter(|member| self.is_meant(&member.name))
    }

    /// The locks that are meant and belong to no server.
    pub fn strays(&self) -> impl Iterator<Item = &Stray> {
        self.project.strays.iter().filter(|stray| self.is_meant(&stray.name))
    }

    /// A plan in which nothing is done yet.
    pub fn work(&self, command: &'static str, all: &AllArgs, config: &ConfigArgs, context: &Context<'_>) -> Work {
        let mut work = Work {
            command,
            config: self.project.config_path.as_ref().map(|path| path.to_string_lossy().into_owned()),
            ready: Vec::new(),
            jobs: Vec::new(),
            at_a_time: all.jobs.map(usize::from),
            notes: Vec::new(),
            files: self.files(),
            is_part: !self.only.is_empty(),
            lock_format: None,
            after: None,
            ignores: self.project.config.ignores.iter().filter(|ignore| !ignore.is_about_settings()).cloned().collect(),
            repeated: ConfigArgs {
                config: config.config.clone(),
                no_config: config.no_config,
                ..ConfigArgs::default()
            },
        };
        let today = (context.now)();
        for member in self.chosen() {
            if let Some(skip) = member.skip.as_ref().filter(|skip| skip.is_expired(&today)) {
                let (name, day) = (escape(&member.name, Charset::Unicode), skip.until.as_deref().unwrap_or_default());
                work.notes.push(format!("warden.toml skipped {name} until {day}, which is past: it counts again"));
            }
        }
        for error in &self.project.unread {
            match self.only.is_empty() {
                true => work.ready.push(unread(command, error)),
                false => work.notes.push(format!("a configuration file could not be read: {error}")),
            }
        }
        if self.only.is_empty() {
            work.notes.extend(left_out_notes(&self.project.left_out));
        }
        work
    }

    /// Every file of the project that is read, and every lock.
    fn files(&self) -> Vec<PathBuf> {
        let project = &self.project;
        let locks =
            project.servers.iter().map(|member| &member.lock).chain(project.strays.iter().map(|stray| &stray.lock));
        let files = project.files.iter().map(|file| &file.path).chain(project.unread.iter().map(|error| &error.path));
        let inspections = project.servers.iter().filter_map(|member| member.inspection.as_ref());
        project.config_path.iter().chain(files).chain(locks).chain(inspections).cloned().collect()
    }

    /// Says of each lock without a server that it has none.
    pub fn add_strays(&self, work: &mut Work) {
        let command = work.command;
        // As long as a file cannot be read, nobody knows what it configures.
        if !self.project.unread.is_empty() {
            return;
        }
        work.ready.extend(self.strays().map(|stray| not_configured(command, &stray.name, &stray.lock)));
    }

    /// Why a server is left out, if it is.
    pub fn left_out(&self, said: &Said<'_>, context: &Context<'_>) -> Option<ServerPart> {
        let today = (context.now)();
        if let Some(skip) = said.member.skip.as_ref().filter(|skip| !skip.is_expired(&today)) {
            return Some(said.skipped(&skip.reason, skip.until.as_deref()));
        }
        said.member.disabled.as_ref().map(|place| said.switched_off(place))
    }

    /// Whether there is anything where the lock should be.
    pub fn has_lock(&self, member: &Member) -> bool {
        !matches!(file::read_bytes(&member.lock, 0), Err(file::FileError::NotFound))
    }

    /// Looks up what a server's configuration refers to.
    pub fn configured(
        &self,
        said: &Said<'_>,
        start: &Start,
        context: &Context<'_>,
    ) -> Result<Configured, Box<ServerPart>> {
        let home = context.home();
        let variable = |name: &str| context.variable(name);
        let around = Surroundings { root: &self.project.root, home: home.as_deref(), variable: &variable };
        Configured::new(&said.member.name, start, &around).map_err(|unknown| {
            let why = escape(&unknown.to_string(), Charset::Unicode);
            let name = escape(&said.member.name, Charset::Unicode);
            let hint = format!("set it, or say in warden.toml where it comes from: [servers.{name}]");
            Box::new(said.failed(format!("its configuration cannot be used here: {why}"), &[hint]))
        })
    }

    /// Whether a file that a server depends on is among those that changed; these are absolute. Of a submodule or a
    /// linked folder git names the folder alone, whatever changed in it.
    pub fn is_touched(&self, member: &Member, changed: &[PathBuf]) -> bool {
        let own: Vec<PathBuf> = self.depends_on(member);
        changed.iter().any(|path| own.iter().any(|own| path.starts_with(own) || own.starts_with(path)))
    }

    /// Absolute paths of the files and folders that a server depends on: its lock and what stands beside it, every file
    /// that configures it, and its own code where it is a part of the repository.
    fn depends_on(&self, member: &Member) -> Vec<PathBuf> {
        let root = &self.project.root;
        let mut paths = vec![member.lock.clone()];
        if let Some(folder) = member.lock.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            paths.extend(["warden.surface.json", "warden.inspection.json"].map(|name| folder.join(name)));
        }
        paths.extend(member.places.iter().map(|place| place.path.clone()));
        paths.extend(self.project.config_path.iter().chain(&member.inspection).cloned());
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| root.join(path));
        let mut paths: Vec<PathBuf> = paths.iter().map(absolute).flat_map(|path| project::ways(&path)).collect();
        if let project::How::Start(start) = &member.how {
            paths.extend(project::own_files(start, root));
        }
        paths
    }
}

/// What takes no part, one note for a file.
fn left_out_notes(left: &LeftOut) -> Vec<String> {
    const MANY: usize = 20;
    let shown = |path: &Path| escape(&path.to_string_lossy(), Charset::Unicode);
    let mut notes = Vec::new();
    for of_file in left.servers.chunk_by(|one, other| one.place.path == other.place.path) {
        let (path, names) =
            (shown(&of_file[0].place.path), names_of(of_file.iter().map(|server| server.name.as_str())));
        let servers = if of_file.len() == 1 { "a server" } else { "servers" };
        notes.push(format!(
            "{path} has {servers} that clients start and nobody checks here, as warden.toml says discover = false: {names}"
        ));
    }
    let unread = left.unread.iter().map(|error| format!("a file that takes no part could not be read: {error}"));
    notes.extend(unread);
    let more = notes.len().saturating_sub(MANY);
    notes.truncate(MANY);
    if more > 0 {
        notes.push(format!("{more} more files take no part"));
    }
    notes
}

/// Names for a hint, as many as one reads.
fn names_of<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const MANY: usize = 12;
    let names: Vec<String> = names.map(|name| escape(&shorten(name, 60), Charset::Unicode)).collect();
    let more = names.len().saturating_sub(MANY);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{more}", names[..names.len().min(MANY)].join(", "))
}

/// The arguments of a command for one server, of those for all.
pub(super) struct One {
    pub server: ServerArgs,
    pub entries: EntryArgs,
    pub config: ConfigArgs,
}

pub(super) fn one_server(
    server: &ServerArgs,
    entries: &EntryArgs,
    config: &ConfigArgs,
    member: &Member,
    configured: Configured,
    servers: &Servers,
) -> One {
    let is_remote = matches!(configured.launch, Launch::Url(_));
    let server = ServerArgs {
        timeout: member.timeout.unwrap_or(server.timeout),
        // A server at a URL gets no environment.
        inherit_env: server.inherit_env && !is_remote,
        configured: Some(configured),
        ..server.clone()
    };
    let entries = EntryArgs { inspection: member.inspection.clone(), ..entries.clone() };
    let config = ConfigArgs {
        config: servers.project.config_path.iter().cloned().collect(),
        no_config: config.no_config,
        unsearched: servers.project.config_path.is_none(),
        server: Some(member.name.clone()),
    };
    One { server, entries, config }
}

pub(in crate::commands) fn load_error(error: LoadError) -> CommandError {
    let said = match &error {
        LoadError::Invalid { path, cause } => {
            let invalid =
                CommandError::file(format!("{} is not a valid configuration", shown_path(path)), cause.to_string());
            return match &cause.hint {
                Some(hint) => invalid.hint(hint),
                None => invalid,
            };
        }
        LoadError::TwoSettings(..) | LoadError::UnknownKind(_) => CommandError::usage(error.to_string()),
        LoadError::Unreadable { .. } | LoadError::Client(_) | LoadError::Folder { .. } | LoadError::LinkOut(_) => {
            CommandError::file("the project's configuration could not be read", error.to_string())
        }
    };
    match error {
        LoadError::LinkOut(_) => {
            said.hint("put the file itself there, or name it on purpose: --config FILE; --no-config does without it")
        }
        LoadError::UnknownKind(_) => said.hint("warden reads warden.toml and the files in docs/clients.md"),
        _ => said,
    }
}

pub(in crate::commands) fn nothing_configured(project: &Project) -> CommandError {
    let folder = shown_path(&project.root);
    CommandError {
        kind: super::super::ErrorKind::File,
        ..CommandError::usage(format!("no server is configured in {folder}"))
    }
    .hint("warden reads warden.toml and clients' files there, such as .mcp.json (docs/clients.md)")
    .hint("name a file that is elsewhere: --config FILE; or pin one server: warden pin -- COMMAND")
}
