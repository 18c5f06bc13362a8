//! `--texts`: surface files that the user names for the words behind a lock's hashes.

use super::error::{CommandError, shown_path};
use crate::lock::Lock;
use crate::lock::file::read_named;
use crate::surface::Surface;
use crate::surface::file::{MAX_SURFACE_BYTES, read};
use crate::text::{Charset, escape};
use std::path::{Path, PathBuf};

/// A file of texts. It is read once, because a pipe gives nothing the second time.
pub(super) struct NamedTexts {
    pub path: PathBuf,
    surface: Surface,
}

impl NamedTexts {
    /// Reads a file, a pipe, or for `-` standard input; of at most `max_entries` entries a section.
    ///
    /// # Errors
    /// It cannot be read, or is no surface file: somebody asked for this very file, so it is not passed over.
    pub fn load(path: &Path, max_entries: usize) -> Result<Self, CommandError> {
        let shown = shown_path(path);
        let bytes = read_named(path, MAX_SURFACE_BYTES)
            .map_err(|error| CommandError::file(format!("{shown} could not be read"), error.to_string()))?;
        let file = read(&bytes, max_entries).map_err(|error| {
            let cause = escape(&error.to_string(), Charset::Unicode);
            CommandError::file(format!("{shown} is not a surface that can be used"), cause)
                .hint("--texts takes files that warden pin --save-surface or warden capture wrote")
        })?;
        Ok(Self { path: path.to_owned(), surface: file.surface })
    }

    /// The texts of this lock, where its hashes come out of them.
    pub fn of(&self, lock: &Lock) -> Option<&Surface> {
        lock.is_reproduced_by(&self.surface).then_some(&self.surface)
    }
}
