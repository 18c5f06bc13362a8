//! Finding and reading the files of a project: the part of this room that touches the world, and it only reads.

use super::gather::{gather, named_files};
use super::left_out::{LeftOut, left_out};
use super::own_files::{Disk, Kind, without_dots};
use super::{How, LOCK_NAME, LOCKS, Member, Project, Start, Stray, name_of};
use crate::clients::{
    Bounds, Cause, ConfigFile, FileError, Found, Places, Platform, Scope, find as find_files, is_clients_file,
    project_folders, read_named, source_for,
};
use crate::config::{self, Config, ConfigError, Discover};
use crate::lock::file;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders that are looked through for locks.
const MAX_FOLDERS: usize = 10_000;
/// How deep they are: a name has one folder, or some if it is very long.
const MAX_DEPTH: usize = 32;
/// Links on the way to one file, as many as systems follow.
const MAX_LINKS: usize = 40;

/// Which project.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The current folder, absolute and without links.
    pub current: &'a Path,
    pub home: Option<&'a Path>,
    /// Files that were named: a `warden.toml`, or clients' files, which then are the only ones.
    pub configs: &'a [PathBuf],
    /// Whether a `warden.toml` is looked for.
    pub no_config: bool,
}

/// Why a project cannot be known.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{} could not be read: {cause}", shown(path))]
    Unreadable { path: PathBuf, cause: file::FileError },
    #[error("{} is not a valid configuration: {cause}", shown(path))]
    Invalid { path: PathBuf, cause: ConfigError },
    #[error("{0}")]
    Client(FileError),
    #[error("{} is of no kind that any client reads", shown(.0))]
    UnknownKind(PathBuf),
    #[error("{} and {} cannot both be the settings of a project", shown(.0), shown(.1))]
    TwoSettings(PathBuf, PathBuf),
    #[error("{} is a link out of its repository, to a file that the project cannot vouch for", shown(.0))]
    LinkOut(PathBuf),
    #[error("the folder {} cannot be looked through: {cause}", shown(path))]
    Folder { path: PathBuf, cause: String },
}

fn shown(path: &Path) -> String {
    crate::text::escape(&path.to_string_lossy(), crate::text::Charset::Unicode)
}

/// Finds and reads the project of the current folder. Nothing is started.
///
/// # Errors
/// A file that was named, or the `warden.toml` that was found, cannot be read or is not valid. A client's file that was
/// found and cannot be read is in [`Project::unread`].
pub fn load(asked: &Asked<'_>) -> Result<Project, LoadError> {
    let (settings, clients): (Vec<&PathBuf>, Vec<&PathBuf>) = asked.configs.iter().partition(|path| is_settings(path));
    if let [one, other, ..] = settings.as_slice() {
        return Err(LoadError::TwoSettings((*one).clone(), (*other).clone()));
    }
    let config_path = match settings.first() {
        Some(named) => Some((*named).clone()),
        None if asked.no_config => None,
        None => config::find(Path::new(""), asked.home),
    };
    let root = root_of(config_path.as_deref(), asked);
    let folder = way(asked.current, &root);
    // One that was found in a folder above has an absolute path.
    let config_path = config_path.map(|path| match settings.is_empty() {
        true => folder.join(config::FILE_NAME),
        false => path,
    });
    if let Some(found) = config_path.as_ref().filter(|path| settings.is_empty() && config::leads_out(path)) {
        return Err(LoadError::LinkOut(found.clone()));
    }
    let config = config_path.as_deref().map(read_config).transpose()?.unwrap_or_default();

    let (mut found, mut others) = (Found::default(), Found::default());
    if clients.is_empty() {
        let all = in_project(&root, &folder);
        match config.discover {
            Discover::On => found = all,
            Discover::Off => others = all,
        }
    }
    for path in clients {
        let source = source_for(path).ok_or_else(|| LoadError::UnknownKind(path.clone()))?;
        found.files.push(read_named(&source).map_err(LoadError::Client)?);
    }
    for path in named_files(&config, &folder) {
        let is_read = found.files.iter().any(|file| file.path == path);
        if !is_read && found.errors.iter().all(|error| error.path != path) {
            let source = source_for(&path).ok_or_else(|| LoadError::UnknownKind(path.clone()))?;
            match read_inside(&source, &root) {
                Ok(mut file) => {
                    keep_claimed(&mut file, &config, &folder);
                    found.files.push(file);
                }
                Err(error) => found.errors.push(error),
            }
        }
    }
    let (servers, strays) = members(&config, config_path.as_deref(), &folder, &root, &found.files)?;
    let mut left = LeftOut { servers: left_out(&config, &folder, &servers, &others.files), unread: others.errors };
    // Where a table names the file, that it cannot be read is said already.
    left.unread.retain(|error| found.errors.iter().all(|known| known.path != error.path));
    let Found { files, errors: unread, .. } = found;
    Ok(Project { folder, root, config_path, config, files, unread, servers, strays, left_out: left })
}

/// The same project as it will be with these settings. No file is read again; those of clients get their paths by way of
/// the project's folder, as a `from` in the settings names them.
///
/// # Errors
/// The folder of locks cannot be looked through.
pub fn with_settings(project: Project, config: Config) -> Result<Project, LoadError> {
    let Project { folder, root, config_path, mut files, unread, left_out, .. } = project;
    for file in &mut files {
        if let Some(path) = path_within(&file.path, &root) {
            file.path = folder.join(path);
            for server in &mut file.servers {
                server.file.clone_from(&file.path);
            }
        }
    }
    let settings = config_path.clone().unwrap_or_else(|| folder.join(config::FILE_NAME));
    let (servers, strays) = members(&config, Some(&settings), &folder, &root, &files)?;
    Ok(Project { folder, root, config_path, config, files, unread, servers, strays, left_out })
}

/// The path of a file from a folder that it is in; `None` where it, or what it links to, is elsewhere. `root` is absolute
/// and has no links in it.
pub fn path_within(path: &Path, root: &Path) -> Option<PathBuf> {
    let place = file::absolute(path)?;
    let is_inside = fs::canonicalize(path).ok()?.starts_with(root);
    place.strip_prefix(root).ok().filter(|_| is_inside).map(Path::to_owned)
}

/// Puts the servers together, and finds the locks that none of them has.
fn members(
    config: &Config,
    config_path: Option<&Path>,
    folder: &Path,
    root: &Path,
    files: &[ConfigFile],
) -> Result<(Vec<Member>, Vec<Stray>), LoadError> {
    let mut servers = gather(config, config_path, folder, files);
    keep_apart(&mut servers);
    for server in &mut servers {
        if !is_inside(&server.lock, root) {
            server.how = How::Unusable("its lock would be outside of the project, behind a link".to_owned());
        }
    }
    let strays = strays(&folder.join(config.locks.as_deref().unwrap_or(LOCKS)), &servers)?;
    Ok((servers, strays))
}

/// Absolute paths of the files and folders of the project that a server is made of.
pub fn own_files(start: &Start, root: &Path) -> Vec<PathBuf> {
    let kind = |path: &Path| match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Kind::Folder,
        Ok(_) => Kind::File,
        Err(_) => Kind::Nothing,
    };
    super::own_files::own_files(start, root, &Disk { kind: &kind, ways: &ways })
}

/// The absolute path as it is written, without `..`, and each path that links on its way make of it: git reports a change
/// at one of them only.
pub fn ways(path: &Path) -> Vec<PathBuf> {
    let mut ways = vec![without_dots(path)];
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let folders: Vec<&Path> = path.ancestors().collect();
        let link = folders.iter().rev().find_map(|folder| Some((*folder, fs::read_link(folder).ok()?)));
        let Some((link, target)) = link else { break };
        let rest = path.strip_prefix(link).unwrap_or(Path::new(""));
        path = without_dots(&link.parent().unwrap_or(link).join(target)).join(rest);
        ways.push(without_dots(&path));
    }
    ways.extend(fs::canonicalize(&ways[0]));
    ways.extend(fs::canonicalize(&path));
    ways.sort();
    ways.dedup();
    ways
}

/// Whether a file that was named holds settings of a project, and no client's servers.
fn is_settings(path: &Path) -> bool {
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    is_toml && !is_clients_file(path)
}

fn read_config(path: &Path) -> Result<Config, LoadError> {
    let unreadable = |cause| LoadError::Unreadable { path: path.to_owned(), cause };
    let bytes = file::read_bytes(path, config::MAX_BYTES).map_err(unreadable)?;
    config::parse(&bytes).map_err(|cause| LoadError::Invalid { path: path.to_owned(), cause })
}

/// The folder of the project: that of its `warden.toml`, or the root of the repository, or the current one.
fn root_of(config_path: Option<&Path>, asked: &Asked<'_>) -> PathBuf {
    if let Some(path) = config_path {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        return fs::canonicalize(folder).unwrap_or_else(|_| asked.current.join(folder));
    }
    let folders = project_folders(asked.current, asked.home);
    let root = folders.into_iter().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok());
    root.unwrap_or_else(|| asked.current.to_owned())
}

/// The way from one absolute folder to another: empty, downward, or with some `..`.
fn way(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    if shared == 0 {
        // Another drive.
        return to.to_owned();
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

/// The clients' files in the project's folder, with paths from the current one.
fn in_project(root: &Path, folder: &Path) -> Found {
    let places = Places::new(Platform::of_this_build(), vec![root.to_owned()], &|_| None);
    let mut found = find_files(&places, &Bounds::default());
    found.files.retain(|file| file.scope == Scope::Project);
    found.errors.retain(|error| error.path.starts_with(root));
    let moved = |path: &Path| path.strip_prefix(root).map_or_else(|_| path.to_owned(), |rest| folder.join(rest));
    for file in &mut found.files {
        file.path = moved(&file.path);
        for server in &mut file.servers {
            server.file.clone_from(&file.path);
        }
    }
    for error in &mut found.errors {
        error.path = moved(&error.path);
    }
    found
}

/// A file that `warden.toml` names, which vouches for nothing outside of its folder.
fn read_inside(source: &crate::clients::Source, root: &Path) -> Result<ConfigFile, FileError> {
    match fs::canonicalize(&source.path) {
        Ok(path) if !path.starts_with(root) => {
            Err(FileError { path: source.path.clone(), clients: Vec::new(), at: None, cause: Cause::LinkOut })
        }
        _ => read_named(source),
    }
}

/// Of a file that only `from` names, the entries that it names count.
fn keep_claimed(file: &mut ConfigFile, config: &Config, folder: &Path) {
    let path = file.path.clone();
    let names: Vec<&str> = config
        .servers
        .iter()
        .filter_map(|server| match &server.source {
            config::ServerSource::From { file, entry } if folder.join(file) == path => {
                Some(entry.as_deref().unwrap_or(&server.name))
            }
            _ => None,
        })
        .collect();
    file.servers.retain(|entry| names.contains(&entry.name.as_str()));
}

/// Two servers with one lock would overwrite each other's.
fn keep_apart(servers: &mut [Member]) {
    let mut seen: HashMap<PathBuf, usize> = HashMap::new();
    for at in 0..servers.len() {
        // By way of a link two names may be one place.
        let place = file::absolute(&servers[at].lock).unwrap_or_else(|| servers[at].lock.clone());
        if let Some(first) = seen.insert(place, at) {
            for (one, other) in [(first, at), (at, first)] {
                let name = crate::text::escape(&servers[other].name, crate::text::Charset::Unicode);
                servers[one].how = How::Unusable(format!("{name} has the same lock"));
            }
        }
    }
}

/// Whether a path stays in the project once links are followed, as far as it exists.
fn is_inside(path: &Path, root: &Path) -> bool {
    let existing = path
        .ancestors()
        .skip(1)
        .find_map(|folder| fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok());
    existing.is_some_and(|folder| folder.starts_with(root) || root.starts_with(&folder))
}

/// The locks in the folder of locks that no server has.
fn strays(locks: &Path, servers: &[Member]) -> Result<Vec<Stray>, LoadError> {
    let failed = |folder: &Path, cause: String| LoadError::Folder { path: folder.to_owned(), cause };
    let mut found = Vec::new();
    let mut open = vec![(PathBuf::new(), 0)];
    let mut looked = 0;
    while let Some((within, depth)) = open.pop() {
        looked += 1;
        if looked > MAX_FOLDERS || depth > MAX_DEPTH {
            return Err(failed(locks, "it holds too many folders".to_owned()));
        }
        let folder = locks.join(&within);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && depth == 0 => return Ok(found),
            Err(error) => return Err(failed(&folder, error.to_string())),
        };
        for entry in entries {
            let entry = entry.map_err(|error| failed(&folder, error.to_string()))?;
            let kind = entry.file_type().map_err(|error| failed(&folder, error.to_string()))?;
            let path = within.join(entry.file_name());
            // What a link leads to is not looked through; a lock behind it is still one.
            if kind.is_dir() {
                open.push((path, depth + 1));
            } else if entry.file_name() == LOCK_NAME
                || (kind.is_symlink() && locks.join(&path).join(LOCK_NAME).exists())
            {
                let at = if kind.is_symlink() && entry.file_name() != LOCK_NAME { path } else { within.clone() };
                let lock = locks.join(&at).join(LOCK_NAME);
                if servers.iter().all(|server| server.lock != lock) {
                    let name = name_of(&at).unwrap_or_else(|| at.to_string_lossy().into_owned());
                    found.push(Stray { name, lock });
                }
            }
        }
    }
    found.sort_by(|one, other| (&one.name, &one.lock).cmp(&(&other.name, &other.lock)));
    Ok(found)
}
