//! What a command gets from outside, and what it hands back.

use super::CommandError;
use crate::capture::{Closing, Observer};
use crate::report::Report;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// See [`Context::changed_since`].
pub type ChangedSince<'a> = dyn Fn(&str, &Path) -> Result<Vec<PathBuf>, CommandError> + 'a;

/// The outside world, as data.
pub struct Context<'a> {
    /// Our environment; servers get a part of it.
    pub environment: Vec<(OsString, OsString)>,
    /// The current folder, absolute and without links.
    pub current: PathBuf,
    /// The time now, as RFC 3339 in UTC with whole seconds.
    pub now: &'a dyn Fn() -> String,
    /// Absolute paths of files that differ from a revision of the repository that a folder is in.
    pub changed_since: &'a ChangedSince<'a>,
    /// Told which launch is about to be started (shell-quoted, secrets redacted) and, where it is, that it comes from
    /// the lock.
    pub starting: &'a dyn Fn(&str, bool),
    /// Told how far the capture is.
    pub observer: Arc<dyn Observer>,
}

impl Context<'_> {
    /// The home folder of whoever started us, where it is known.
    pub(super) fn home(&self) -> Option<PathBuf> {
        let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        self.variable(name).map(PathBuf::from).filter(|home| home.is_absolute())
    }

    /// A variable of our environment, where it is set to UTF-8 text that is not empty.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        let (_, value) = self.environment.iter().find(|(key, _)| key == name)?;
        value.to_str().filter(|value| !value.is_empty()).map(str::to_owned)
    }
}

/// A finished command.
pub struct Outcome {
    pub report: Report,
    /// The server that is still being closed down while the report is printed. Finish it before the process ends.
    pub closing: Option<Closing>,
    /// A document that goes to standard output in the place of the report; empty where it could not be made.
    pub document: Option<String>,
}

impl From<Report> for Outcome {
    fn from(report: Report) -> Self {
        Self { report, closing: None, document: None }
    }
}
