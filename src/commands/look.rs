//! What `doctor` and `servers` look at: every configuration file that counts here, the project they make, and its locks.
//! Nothing is started.

use super::all::load_error;
use super::error::shown_path;
use super::{CommandError, Context, ErrorKind};
use crate::clients::{
    Bounds, ConfigFile, FileError, Places, Platform, Scope, find, is_clients_file, open_to_all, project_folders,
    read_named, source_for,
};
use crate::lock::file;
use crate::posture::{Input, LockState};
use crate::project::{self, Asked, LOCKS, Project};
use clap::{Args, ValueHint};
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Which files.
#[derive(Debug, Clone, Default, Args)]
pub struct LookArgs {
    /// Look at these files only: clients' configuration files, or a warden.toml
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "project")]
    pub files: Vec<PathBuf>,

    /// Look at the project's files only, and not at those of the user and of the machine
    #[arg(long)]
    pub project: bool,
}

/// What was found.
pub(super) struct Look {
    pub project: Project,
    /// Every client's file, those of the project with paths from the current folder.
    pub files: Vec<ConfigFile>,
    /// Files that are there and could not be read.
    pub unread: Vec<FileError>,
    pub locks: BTreeMap<PathBuf, LockState>,
    /// Configuration files that everybody can change, and what allows it.
    pub writable: Vec<(PathBuf, PathBuf)>,
    /// Where locks of servers are that belong to no project.
    pub own_locks: Option<PathBuf>,
    pub named: Vec<PathBuf>,
    pub today: String,
    home: Option<PathBuf>,
    current: PathBuf,
}

impl Look {
    /// Finds and reads everything.
    ///
    /// # Errors
    /// There is nothing to look at, a file that was named is of no kind that is known, or the project's `warden.toml`
    /// cannot be read. A client's file that cannot be read is in [`Look::unread`].
    pub fn load(args: &LookArgs, context: &Context<'_>) -> Result<Self, CommandError> {
        let home = context.home();
        let (configs, mut unread) = readable(&args.files)?;
        let asked = Asked { current: &context.current, home: home.as_deref(), configs: &configs, no_config: false };
        if let [first, rest @ ..] = unread.as_slice()
            && configs.is_empty()
        {
            return Err(nothing_readable(first, rest));
        }
        let project = project::load(&asked).map_err(load_error)?;
        let mut files = Vec::new();
        if args.files.is_empty() {
            let found = elsewhere(args, context, home.as_deref());
            unread.extend(found.errors);
            files = found.files;
        }
        let mut look = Self {
            files: merged(&project, files),
            unread: merged_errors(&project, unread),
            locks: BTreeMap::new(),
            writable: Vec::new(),
            own_locks: home.as_ref().map(|home| home.join(LOCKS)),
            named: args.files.clone(),
            today: (context.now)(),
            home,
            current: context.current.clone(),
            project,
        };
        if !look.named.is_empty() {
            let named = look.named.clone();
            look.files.retain(|file| named.contains(&file.path));
            look.files.iter_mut().for_each(|file| disown(file, &look.project.root));
        }
        let has_settings = !look.project.config.servers.is_empty() || !look.project.strays.is_empty();
        if look.files.is_empty() && look.unread.is_empty() && !has_settings {
            return Err(nothing_found(&look));
        }
        look.read_locks();
        look.writable =
            look.files.iter().filter_map(|file| Some((file.path.clone(), open_to_all(&file.path)?))).collect();
        Ok(look)
    }

    pub fn input(&self) -> Input<'_> {
        Input {
            files: &self.files,
            project: &self.project,
            named: &self.named,
            locks: &self.locks,
            own_locks: self.own_locks.as_deref(),
            writable: &self.writable,
            today: &self.today,
        }
    }

    fn read_locks(&mut self) {
        let mut paths: Vec<PathBuf> = self.project.servers.iter().map(|member| member.lock.clone()).collect();
        paths.extend(self.project.strays.iter().map(|stray| stray.lock.clone()));
        if let Some(folder) = &self.own_locks {
            let entries = self.files.iter().filter(|file| file.scope != Scope::Project).flat_map(|file| &file.servers);
            let names: HashSet<&str> = entries.map(|entry| entry.name.as_str()).collect();
            paths.extend(names.into_iter().map(|name| Input::own_lock(folder, name)));
        }
        for path in paths {
            let state = match file::load(&path) {
                Ok((lock, _)) => LockState::of(&lock),
                Err(file::FileError::NotFound) => LockState::Missing,
                Err(error) => LockState::Unreadable(error.to_string()),
            };
            self.locks.insert(path, state);
        }
    }

    /// How many tables of `warden.toml` say themselves what is started.
    pub fn own_tables(&self) -> usize {
        use crate::config::ServerSource::{Command, Url};
        self.project.config.servers.iter().filter(|server| matches!(server.source, Command(_) | Url(_))).count()
    }

    /// A path as people read it: from the current folder, or with `~`.
    pub fn for_people(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix(&self.current), self.home.as_ref().map(|home| path.strip_prefix(home))) {
            _ if !path.is_absolute() => path.to_owned(),
            (Ok(here), _) => here.to_owned(),
            (_, Some(Ok(below))) => Path::new("~").join(below),
            _ => path.to_owned(),
        }
    }
}

/// The files that can be read, and the errors of the others.
fn readable(files: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<FileError>), CommandError> {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for path in files {
        let is_settings =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) && !is_clients_file(path);
        // What is of no kind is refused by the project.
        match source_for(path).filter(|_| !is_settings).map(|source| read_named(&source)) {
            Some(Err(error)) => bad.push(error),
            _ => good.push(path.clone()),
        }
    }
    Ok((good, bad))
}

/// The files of the folders from the current one to the root, of the user and of the machine.
fn elsewhere(args: &LookArgs, context: &Context<'_>, home: Option<&Path>) -> crate::clients::Found {
    let platform = Platform::of_this_build();
    let folders = project_folders(&context.current, home);
    let variable = |name: &str| -> Option<OsString> {
        if args.project {
            return None;
        }
        context.environment.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    };
    let mut found = find(&Places::new(platform, folders.clone(), &variable), &Bounds::default());
    if args.project {
        found.files.retain(|file| file.scope == Scope::Project);
        found.errors.retain(|error| folders.iter().any(|folder| error.path.starts_with(folder)));
    }
    found
}

/// The project's files and the others, each once. A project that leaves clients' files out is not asked about them.
fn merged(project: &Project, others: Vec<ConfigFile>) -> Vec<ConfigFile> {
    let mut files: Vec<ConfigFile> = Vec::new();
    let known: HashSet<PathBuf> = project.files.iter().filter_map(|file| file::absolute(&file.path)).collect();
    for file in others {
        match file::absolute(&file.path).is_some_and(|path| known.contains(&path)) {
            // The same file, whose path the project has from the current folder.
            true => {}
            false => files.push(file),
        }
    }
    files.splice(0..0, project.files.iter().cloned());
    files
}

fn merged_errors(project: &Project, others: Vec<FileError>) -> Vec<FileError> {
    let mut errors: Vec<FileError> = project.unread.clone();
    let known: HashSet<PathBuf> = errors.iter().filter_map(|error| file::absolute(&error.path)).collect();
    errors.extend(
        others.into_iter().filter(|error| !file::absolute(&error.path).is_some_and(|path| known.contains(&path))),
    );
    errors
}

/// A file that was named and is not in the project is the user's own: the project does not speak for it.
fn disown(file: &mut ConfigFile, root: &Path) {
    if !file::absolute(&file.path).is_some_and(|path| path.starts_with(root)) {
        file.scope = Scope::User;
        file.servers.iter_mut().for_each(|entry| entry.scope = Scope::User);
    }
}

fn nothing_readable(first: &FileError, rest: &[FileError]) -> CommandError {
    let mut error = CommandError::file("no file that was named could be read", first.to_string());
    error.causes.extend(rest.iter().map(ToString::to_string));
    error
}

fn nothing_found(look: &Look) -> CommandError {
    let where_ = match look.named.is_empty() {
        true => format!(" in {}", shown_path(&look.project.root)),
        false => String::new(),
    };
    let error = CommandError {
        kind: ErrorKind::File,
        ..CommandError::usage(format!("no configuration of any client was found{where_}"))
    };
    error
        .hint("docs/clients.md lists the files that are looked for")
        .hint("name a file that is elsewhere, as an argument")
}
