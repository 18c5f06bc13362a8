//! Reading and replacing a lock, or another file of the user's, on disk: whole, or not at all.

use super::Lock;
use super::wire::{MAX_LOCK_BYTES, ReadError, read};
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// A file that cannot be read as a lock, or a lock that cannot be written. The path is the caller's to name.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("there is no such file")]
    NotFound,
    #[error("it is not a regular file")]
    NotRegular,
    #[error("it is a symbolic link; warden replaces files, not what links point to")]
    SymbolicLink,
    #[error("it is larger than {} MiB", max_bytes >> 20)]
    TooLarge { max_bytes: usize },
    #[error("{0}")]
    Invalid(#[from] ReadError),
    #[error("{action}: {source}")]
    Io { action: &'static str, source: io::Error },
}

fn io_error(action: &'static str) -> impl Fn(io::Error) -> FileError {
    move |source| match source.kind() {
        io::ErrorKind::NotFound => FileError::NotFound,
        _ => FileError::Io { action, source },
    }
}

/// Reads a file as bytes: a regular file of bounded size, whatever a cloned repository put there (a pipe or a device
/// would never end).
///
/// # Errors
/// Everything but [`FileError::Invalid`] and [`FileError::SymbolicLink`].
pub fn read_bytes(path: &Path, max_bytes: usize) -> Result<Vec<u8>, FileError> {
    let metadata = fs::metadata(path).map_err(io_error("cannot look at it"))?;
    if !metadata.is_file() {
        return Err(FileError::NotRegular);
    }
    read_all(File::open(path).map_err(io_error("cannot open it"))?, max_bytes)
}

/// As [`read_bytes`], for a file that the user names on the command line: a pipe is fine too, as a shell makes one of
/// `<(command)`, and `-` is standard input.
///
/// # Errors
/// As there.
pub fn read_named(path: &Path, max_bytes: usize) -> Result<Vec<u8>, FileError> {
    if path == Path::new("-") {
        return read_all(io::stdin().lock(), max_bytes);
    }
    let metadata = fs::metadata(path).map_err(io_error("cannot look at it"))?;
    if !metadata.is_file() && !is_pipe(&metadata) {
        return Err(FileError::NotRegular);
    }
    read_all(File::open(path).map_err(io_error("cannot open it"))?, max_bytes)
}

#[cfg(unix)]
fn is_pipe(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_metadata: &fs::Metadata) -> bool {
    false
}

fn read_all(source: impl io::Read, max_bytes: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that grows from one that fits.
    source.take(max_bytes as u64 + 1).read_to_end(&mut bytes).map_err(io_error("cannot read it"))?;
    if bytes.len() > max_bytes { Err(FileError::TooLarge { max_bytes }) } else { Ok(bytes) }
}

/// Reads a lock, and gives its text too. Whether it is consistent is another question: [`Lock::inconsistencies`].
///
/// # Errors
/// Any [`FileError`] but [`FileError::SymbolicLink`].
pub fn load(path: &Path) -> Result<(Lock, String), FileError> {
    let bytes = read_bytes(path, MAX_LOCK_BYTES)?;
    let lock = read(&bytes)?;
    // A lock that could be read is UTF-8.
    Ok((lock, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Whether a lock can be put at this place, asked before a server is started for it.
///
/// # Errors
/// A link or something that is not a file stands there, or the folder does not exist.
pub fn check_replaceable(path: &Path) -> Result<(), FileError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => Err(FileError::SymbolicLink),
        Ok(metadata) if !metadata.is_file() => Err(FileError::NotRegular),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::metadata(folder_of(path)) {
            Ok(metadata) if metadata.is_dir() => Ok(()),
            Ok(_) => Err(FileError::Io { action: "cannot write there", source: io::ErrorKind::NotADirectory.into() }),
            Err(source) => Err(FileError::Io { action: "its folder cannot be used", source }),
        },
        Err(source) => Err(FileError::Io { action: "cannot look at it", source }),
    }
}

/// Replaces the file by these bytes: a temporary file beside it, flushed, renamed over it, and the folder flushed. A
/// crash at any moment leaves the old file or the new one.
///
/// # Errors
/// As [`check_replaceable`], or any failure of the steps; the old file is then untouched and no temporary file stays.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    check_replaceable(path)?;
    let old_mode = fs::symlink_metadata(path).ok().map(|metadata| metadata.permissions());
    let file = temporary(path, bytes)?;
    if let Some(mode) = old_mode {
        file.as_file().set_permissions(mode).map_err(io_error("cannot keep its permissions"))?;
    }
    file.as_file().sync_all().map_err(io_error("cannot flush it to disk"))?;
    file.persist(path)
        .map_err(|error| FileError::Io { action: "cannot rename the new file over it", source: error.error })?;
    flush_folder(path);
    Ok(())
}

/// Makes a file that is not there yet, whole or not at all; `false`: something has that name, and stays as it is. Two
/// that do this at once cannot overwrite each other's.
///
/// # Errors
/// It cannot be written; no temporary file stays.
pub fn create(path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
    let file = temporary(path, bytes)?;
    file.as_file().sync_all().map_err(io_error("cannot flush it to disk"))?;
    match file.persist_noclobber(path) {
        Ok(_) => {
            flush_folder(path);
            Ok(true)
        }
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(FileError::Io { action: "cannot give the new file its name", source: error.error }),
    }
}

/// A temporary file beside it with these bytes, which goes away unless it gets a name.
fn temporary(path: &Path, bytes: &[u8]) -> Result<tempfile::NamedTempFile, FileError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".warden.").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A fresh lock is an ordinary file under the user's umask, not a private one.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let failed = io_error("cannot write a temporary file beside it");
    let mut file = builder.tempfile_in(folder_of(path)).map_err(&failed)?;
    file.write_all(bytes).map_err(&failed)?;
    Ok(file)
}

fn flush_folder(path: &Path) {
    // Without this the rename itself could be lost in a power failure. Not every file system can do it, and the
    // content is safe by now.
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
}

/// Whether a path stays in a folder once links are followed. What is not there leads nowhere.
pub fn stays_in(folder: &Path, path: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (fs::canonicalize(folder), fs::canonicalize(path)) {
        (Ok(folder), Ok(path)) => path.starts_with(folder),
        (_, Err(error)) => error.kind() == io::ErrorKind::NotFound,
        (Err(_), Ok(_)) => false,
    }
}

/// Whether the folder of a lock is there.
pub fn has_folder(path: &Path) -> bool {
    folder_of(path).exists()
}

/// Makes the folder of a lock, and those above it, where they are missing.
///
/// # Errors
/// It cannot be made.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(folder_of(path)).map_err(io_error("cannot make its folder"))
}

/// Whether two paths lead to one place, whether or not something stands there yet.
pub fn is_same_place(one: &Path, other: &Path) -> bool {
    one == other || place(one).is_some_and(|place_of_one| Some(place_of_one) == place(other))
}

/// The file itself where it is there, else where it would be.
fn place(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok().or_else(|| absolute(path))
}

/// A path with its folder spelled out, and links of that folder followed; `None` where there is no such folder.
pub fn absolute(path: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
