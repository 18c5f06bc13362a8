//! Looking for configuration files on this machine: the only part of this room that touches the world, and it only
//! reads.
//!
//! A project's files come with a clone. So links are followed only as far as the project reaches, only regular files
//! are opened, and everything is bounded: size, depth, number.

use super::document::Position;
use super::model::ConfigFile;
use super::pattern::matches;
use super::places::{Candidate, Places, candidates};
use super::problem::{Cause, FileError, Remark, RemarkKind};
use super::read::{Reader, Source, read};
use super::table::Scope;
use indexmap::IndexMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// How many folders `**` stands for at most.
pub const MAX_STARS: usize = 6;

/// How many folders above the current one may belong to the project.
const MAX_ABOVE: usize = 32;

/// How much a search may look at.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Names of files and folders that all patterns together are compared with.
    pub names: usize,
    /// Files that are read.
    pub files: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { names: 50_000, files: 1000 }
    }
}

/// What was found on this machine.
#[derive(Debug, Default)]
pub struct Found {
    pub files: Vec<ConfigFile>,
    /// Files that are there and could not be read. Servers may hide in each of them.
    pub errors: Vec<FileError>,
    /// How many places were looked at.
    pub places: usize,
}

/// The current folder and those above it that belong to the same project: up to the first folder with a `.git`, or else
/// up to the home folder, which is not part of it. Outside of both, the current folder alone.
pub fn project_folders(current: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let above: Vec<&Path> = current.ancestors().take(MAX_ABOVE + 1).collect();
    let end = above
        .iter()
        .position(|folder| fs::symlink_metadata(folder.join(".git")).is_ok())
        .map(|root| root + 1)
        .or_else(|| above.iter().position(|folder| Some(*folder) == home))
        .unwrap_or(1);
    above[..end.max(1)].iter().map(|folder| (*folder).to_owned()).collect()
}

/// Reads every configuration file that any client of the table would read.
pub fn find(places: &Places, bounds: &Bounds) -> Found {
    let mut found = Found::default();
    let mut patterns = Patterns { left: bounds.names, stopped: false };
    let mut sources: IndexMap<PathBuf, Vec<Reader>> = IndexMap::new();
    for candidate in candidates(places) {
        found.places += 1;
        if !candidate.pattern.contains('*') {
            sources.entry(candidate.path(places)).or_default().push(candidate.reader);
            continue;
        }
        match patterns.expand(&candidate) {
            Ok(paths) => {
                for path in paths {
                    sources.entry(path).or_default().push(candidate.reader);
                }
            }
            // Several patterns, of several clients, look into one folder.
            Err(error)
                if found.errors.iter().any(|known| (&known.path, &known.cause) == (&error.path, &error.cause)) => {}
            Err(error) => found.errors.push(error),
        }
    }
    let root = places.project.last().and_then(|root| fs::canonicalize(root).ok());
    let mut opened = 0;
    for (path, readers) in sources {
        // In the home folder a file can be both; then it is the user's own.
        let scope = readers.iter().map(|reader| reader.location.scope).max().unwrap_or(Scope::Project);
        let source = Source { path, scope, readers };
        match open(&source, root.as_deref()) {
            Ok(None) => {}
            Ok(Some(_)) if opened == bounds.files => {
                found.errors.push(source.error(None, Cause::TooManyFiles));
                break;
            }
            Ok(Some(opening)) => {
                opened += 1;
                match finish(&source, &opening) {
                    Ok(file) => found.files.push(file),
                    Err(error) => found.errors.push(error),
                }
            }
            Err(error) => found.errors.push(error),
        }
    }
    found
}

/// Reads one file that the user names, wherever it is. Links are followed: who names a file vouches for it.
///
/// # Errors
/// The file is not there, or cannot be read as a whole.
pub fn read_named(source: &Source) -> Result<ConfigFile, FileError> {
    let metadata = fs::metadata(&source.path).map_err(|error| source.error(None, Cause::Io(error.to_string())))?;
    if !metadata.is_file() {
        return Err(source.error(None, Cause::NotRegular));
    }
    finish(source, &Opening { path: source.path.clone(), is_link: false, max_bytes: 64 << 20 })
}

/// A file that may be read.
struct Opening {
    path: PathBuf,
    is_link: bool,
    max_bytes: usize,
}

/// Whether there is a file, and may be read. `root` is the project's, with all links resolved.
fn open(source: &Source, root: Option<&Path>) -> Result<Option<Opening>, FileError> {
    let refuse = |cause| source.error(None, cause);
    let metadata = match fs::symlink_metadata(&source.path) {
        Ok(metadata) => metadata,
        Err(error) if absent(&error) => return Ok(None),
        Err(error) => return Err(refuse(Cause::Io(error.to_string()))),
    };
    let path = match fs::canonicalize(&source.path) {
        Ok(path) => path,
        Err(error) if absent(&error) => return Err(refuse(Cause::DanglingLink)),
        Err(error) => return Err(refuse(Cause::Io(error.to_string()))),
    };
    // Also a folder on the way may be a link.
    if source.scope == Scope::Project && !root.is_some_and(|root| path.starts_with(root)) {
        return Err(refuse(Cause::LinkOut));
    }
    match fs::metadata(&path) {
        Ok(metadata) if !metadata.is_file() => return Err(refuse(Cause::NotRegular)),
        Ok(_) => {}
        Err(error) => return Err(refuse(Cause::Io(error.to_string()))),
    }
    let max_bytes = source.readers.iter().map(|reader| reader.location.max_bytes()).max().unwrap_or(0);
    Ok(Some(Opening { path, is_link: metadata.is_symlink(), max_bytes }))
}

fn finish(source: &Source, opening: &Opening) -> Result<ConfigFile, FileError> {
    let io = |error: std::io::Error| source.error(None, Cause::Io(error.to_string()));
    let file = File::open(&opening.path).map_err(io)?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that grows from one that fits.
    file.take(opening.max_bytes as u64 + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() > opening.max_bytes {
        return Err(source.error(None, Cause::TooLarge(opening.max_bytes)));
    }
    let mut file = read(&bytes, source)?;
    if opening.is_link {
        file.remarks.insert(0, Remark { at: Position::START, kind: RemarkKind::Link });
    }
    Ok(file)
}

fn absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Folders that patterns look into, as long as there is budget left.
struct Patterns {
    left: usize,
    stopped: bool,
}

/// A folder that could not be looked through.
type Unlisted = (PathBuf, Cause);

impl Patterns {
    /// The paths that a pattern matches. Once the budget is spent, that is said, and no more is looked for.
    fn expand(&mut self, candidate: &Candidate) -> Result<Vec<PathBuf>, FileError> {
        if self.stopped {
            return Ok(Vec::new());
        }
        let refuse = |(path, cause): Unlisted| {
            let readers = vec![candidate.reader];
            Source { path, scope: candidate.reader.location.scope, readers }.error(None, cause)
        };
        let mut paths = vec![candidate.base.clone()];
        for part in candidate.pattern.split('/') {
            let mut next = Vec::new();
            for path in paths {
                match part {
                    "**" => self.folders(&path, MAX_STARS, &mut next).map_err(refuse)?,
                    _ if part.contains('*') => {
                        let names = self.list(&path).map_err(refuse)?;
                        next.extend(names.into_iter().filter(|(name, _)| matches(part, name)).map(|(_, path)| path));
                    }
                    _ => next.push(path.join(part)),
                }
            }
            paths = next;
        }
        Ok(paths)
    }

    /// The names in a folder, sorted. A folder that is not there has none.
    fn list(&mut self, folder: &Path) -> Result<Vec<(String, PathBuf)>, Unlisted> {
        let unlisted = |error: std::io::Error| (folder.to_owned(), Cause::Io(error.to_string()));
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if absent(&error) => return Ok(Vec::new()),
            Err(error) => return Err(unlisted(error)),
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(unlisted)?;
            let Some(left) = self.left.checked_sub(1) else {
                self.stopped = true;
                return Err((folder.to_owned(), Cause::TooManyFiles));
            };
            self.left = left;
            // A name that is no text matches no pattern of the table.
            if let Ok(name) = entry.file_name().into_string() {
                found.push((name, entry.path()));
            }
        }
        found.sort();
        Ok(found)
    }

    /// A folder and those below it, without following links.
    fn folders(&mut self, folder: &Path, depth: usize, out: &mut Vec<PathBuf>) -> Result<(), Unlisted> {
        out.push(folder.to_owned());
        if depth > 0 {
            for (_, path) in self.list(folder)? {
                if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
                    self.folders(&path, depth - 1, out)?;
                }
            }
        }
        Ok(())
    }
}

/// What lets everybody on this machine put another text in a file's place: the file, or its folder; `None`: nothing, or
/// it is not known, as on Windows.
#[cfg(unix)]
pub fn open_to_all(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;
    const WRITE: u32 = 0o002;
    // Files of others stay as they are in a folder like /tmp.
    const STICKY: u32 = 0o1000;
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let mode = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.mode());
    if mode(path) & WRITE != 0 {
        return Some(path.to_owned());
    }
    folder.filter(|folder| mode(folder) & (WRITE | STICKY) == WRITE).map(Path::to_owned)
}

#[cfg(not(unix))]
pub fn open_to_all(_: &Path) -> Option<PathBuf> {
    None
}
