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

/// How many names all patterns together may look at.
const MAX_NAMES: usize = 50_000;

/// How many files are read.
const MAX_FILES: usize = 1000;

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
pub fn find(places: &Places) -> Found {
    let mut found = Found::default();
    let mut names = MAX_NAMES;
    let mut sources: IndexMap<PathBuf, Vec<Reader>> = IndexMap::new();
    for candidate in candidates(places) {
        found.places += 1;
        match expand(&candidate, places, &mut names) {
            Ok(paths) => {
                for path in paths {
                    sources.entry(path).or_default().push(candidate.reader);
                }
            }
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
            Ok(Some(_)) if opened == MAX_FILES => {
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
    // A pattern that several clients share is refused once.
    found.errors.dedup();
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
    let absent = |kind| matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory);
    let refuse = |cause| source.error(None, cause);
    let metadata = match fs::symlink_metadata(&source.path) {
        Ok(metadata) => metadata,
        Err(error) if absent(error.kind()) => return Ok(None),
        Err(error) => return Err(refuse(Cause::Io(error.to_string()))),
    };
    let path = match fs::canonicalize(&source.path) {
        Ok(path) => path,
        Err(error) if absent(error.kind()) => return Err(refuse(Cause::DanglingLink)),
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

/// The paths that a candidate stands for: itself, or whatever its pattern matches.
fn expand(candidate: &Candidate, places: &Places, names: &mut usize) -> Result<Vec<PathBuf>, FileError> {
    if !candidate.pattern.contains('*') {
        return Ok(vec![candidate.path(places)]);
    }
    let mut paths = vec![candidate.base.clone()];
    for part in candidate.pattern.split('/') {
        let mut next = Vec::new();
        for path in paths {
            match part {
                "**" => folders(&path, MAX_STARS, names, &mut next),
                _ if part.contains('*') => {
                    next.extend(
                        list(&path, names).into_iter().filter(|(name, _)| matches(part, name)).map(|(_, path)| path),
                    );
                }
                _ => next.push(path.join(part)),
            }
        }
        paths = next;
    }
    if *names == 0 {
        let source = Source {
            path: candidate.base.clone(),
            scope: candidate.reader.location.scope,
            readers: vec![candidate.reader],
        };
        return Err(source.error(None, Cause::TooManyFiles));
    }
    Ok(paths)
}

/// The names in a folder, sorted. A folder that is not there has none.
fn list(folder: &Path, names: &mut usize) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let Some(left) = names.checked_sub(1) else { break };
        *names = left;
        // A name that is no text matches no pattern of the table.
        if let Ok(name) = entry.file_name().into_string() {
            found.push((name, entry.path()));
        }
    }
    found.sort();
    found
}

/// A folder and those below it, without following links.
fn folders(folder: &Path, depth: usize, names: &mut usize, out: &mut Vec<PathBuf>) {
    out.push(folder.to_owned());
    if depth == 0 {
        return;
    }
    for (_, path) in list(folder, names) {
        if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
            folders(&path, depth - 1, names, out);
        }
    }
}
