//! A lock file of another tool, as it is on the disk.

use super::super::error::{CommandError, ErrorKind, shown_path};
use crate::formats::{self, Entry, Format, LockFile, Refusal};
use crate::lock::file::{FileError, read_bytes};
use crate::text::{Charset, escape, near};
use std::path::{Path, PathBuf};

/// The largest file that is read: as large as the largest of the formats' own limits.
const MAX_BYTES: usize = 64 << 20;

/// A file that is one of another tool's, though maybe a broken one.
#[derive(Debug)]
pub struct Recognized {
    pub path: PathBuf,
    pub format: Format,
    bytes: Vec<u8>,
}

/// Looks whether a file is a lock of another tool. What is not there, cannot be read, or is anything else gives `None`:
/// the command for a `warden.lock` says what is wrong with it.
pub fn recognize(path: &Path) -> Option<Recognized> {
    let bytes = read_bytes(path, MAX_BYTES).ok()?;
    let format = formats::detect(&bytes)?;
    Some(Recognized { path: path.to_owned(), format, bytes })
}

/// A file that was read.
pub(super) struct Loaded {
    pub path: PathBuf,
    pub file: Box<dyn LockFile>,
    /// As it is on the disk; empty for one that is not there yet.
    pub text: String,
}

impl Recognized {
    /// Reads it by the rules of its format.
    ///
    /// # Errors
    /// It breaks one of them.
    pub(super) fn load(self) -> Result<Loaded, CommandError> {
        let shown = shown_path(&self.path);
        let file = formats::read(self.format, &self.bytes).map_err(|error| CommandError {
            kind: ErrorKind::Foreign(self.format),
            ..CommandError::file(format!("{shown} cannot be used as {}", self.format.with_article()), error.to_string())
        })?;
        Ok(Loaded { path: self.path, file, text: String::from_utf8_lossy(&self.bytes).into_owned() })
    }
}

impl Loaded {
    /// The file at a path, or one of this format without servers where there is none.
    ///
    /// # Errors
    /// Something else is there, or a file of that format that breaks its rules.
    pub fn at(path: &Path, format: Format) -> Result<Self, CommandError> {
        match read_bytes(path, MAX_BYTES) {
            Err(FileError::NotFound) => {
                Ok(Self { path: path.to_owned(), file: formats::empty(format), text: String::new() })
            }
            Err(error) => Err(CommandError::file(format!("{} could not be read", shown_path(path)), error.to_string())),
            Ok(bytes) if formats::detect(&bytes) == Some(format) => {
                Recognized { path: path.to_owned(), format, bytes }.load()
            }
            Ok(_) => Err(CommandError::file(
                format!("{} is there already, and it is not {}", shown_path(path), format.with_article()),
                "it was left as it is",
            )
            .hint("name another file with --lock")),
        }
    }

    /// The entries that are meant: those that were named, or all.
    ///
    /// # Errors
    /// One is not there, or there is none at all.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<Entry>, CommandError> {
        let entries = self.file.entries();
        for name in names {
            if !entries.iter().any(|entry| entry.name == *name) {
                let shown = escape(name, Charset::Unicode);
                let error = CommandError::usage(format!(
                    "--name {shown}: {} has no server of that name",
                    shown_path(&self.path)
                ));
                let near = near(name, entries.iter().map(|entry| entry.name.as_str()));
                let near: Vec<String> = near.into_iter().map(|name| escape(name, Charset::Unicode)).collect();
                return Err(match near.as_slice() {
                    [] => error,
                    _ => error.hint(format!("did you mean {}?", near.join(" or "))),
                });
            }
        }
        let chosen: Vec<Entry> =
            entries.iter().filter(|entry| names.is_empty() || names.contains(&entry.name)).cloned().collect();
        match chosen.is_empty() {
            false => Ok(chosen),
            true => Err(CommandError {
                kind: ErrorKind::Foreign(self.file.format()),
                ..CommandError::file(
                    format!("{} holds no server", shown_path(&self.path)),
                    "there is nothing to look at",
                )
            }),
        }
    }

    /// What a reader should know about the file and what it pins; escaped.
    pub fn notes(&self) -> Vec<String> {
        let format = self.file.format();
        let mut notes = vec![format!("{} pins {}", self.file.version(), format.covers())];
        if let Some(less) = format.covers_less() {
            notes.push(format!("reduced coverage beside warden.lock: {less}"));
        }
        notes.extend(self.file.notes());
        notes
    }

    /// The folder that the file is in.
    pub fn folder(&self) -> PathBuf {
        self.path.parent().map(Path::to_owned).unwrap_or_default()
    }
}

/// Something that the format cannot hold or compare.
pub(super) fn refused(what: String, refusal: &Refusal) -> CommandError {
    CommandError::file(what, refusal.to_string())
}

/// Other tools' files have no place for an approval.
pub fn refuse_approval(recognized: &Recognized) -> CommandError {
    CommandError::usage(format!("{} has no place for an approval", recognized.format.with_article()))
        .hint("the review of the commit that changes it is the approval; warden.lock can hold one (warden convert)")
}
