//! Errors of a whole command, made of every room's error: what happened, why, and what to do.

use crate::formats::Format;
use crate::lock::file::FileError;
use crate::text::{Charset, escape};
use std::path::Path;

/// What kind of failure, hence which exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Wrong arguments, or an argument that names something unusable.
    Usage,
    /// A lock or another file of the user's that cannot be read, is invalid, or cannot be written.
    File,
    /// A lock file of another tool that breaks the rules of its format.
    Foreign(Format),
}

/// A command that ended without a report. Texts are escaped already.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{headline}")]
pub struct CommandError {
    pub kind: ErrorKind,
    /// One sentence: what could not be done.
    pub headline: String,
    /// Why, outermost first.
    pub causes: Vec<String>,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl CommandError {
    /// A usage error.
    pub fn usage(headline: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Usage, headline: headline.into(), causes: Vec::new(), hints: Vec::new() }
    }

    /// An error about a file.
    pub fn file(headline: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { kind: ErrorKind::File, headline: headline.into(), causes: vec![cause.into()], hints: Vec::new() }
    }

    /// Adds a line of advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// What could not be done and why, in one line: where it stands among the results of other servers.
    pub fn sentence(&self) -> String {
        let parts = std::iter::once(self.headline.as_str()).chain(self.causes.iter().map(String::as_str));
        parts.collect::<Vec<_>>().join(": ")
    }

    /// A lock that could not be read.
    pub fn unreadable_lock(path: &Path, error: &FileError) -> Self {
        let shown = shown_path(path);
        let new = Self::file(format!("{shown} could not be read as a lock"), error.to_string());
        match error {
            FileError::NotFound => Self { headline: format!("there is no lock at {shown}"), causes: Vec::new(), ..new }
                .hint("make one with warden pin, or name another file"),
            FileError::Invalid(_) => {
                new.hint("restore it from version control, or write a new one: warden pin --force -- COMMAND")
            }
            _ => new,
        }
    }

    /// A lock that could not be written.
    pub fn unwritable_lock(path: &Path, error: &FileError) -> Self {
        let unwritable = Self::file(format!("{} could not be written", shown_path(path)), error.to_string());
        match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => unwritable.hint(format!(
                "the folder has to exist and be writable: {}",
                crate::text::quote_argv(["mkdir", "-p", &folder.to_string_lossy()])
            )),
            _ => unwritable,
        }
    }
}

/// A path for people: escaped, with U+FFFD for what is not UTF-8.
pub(super) fn shown_path(path: &Path) -> String {
    escape(&path.to_string_lossy(), Charset::Unicode)
}
