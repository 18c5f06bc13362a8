//! mcp.lock 1 and 2. Not read yet.

use super::{Difference, Entry, Format, FormatError, LockFile, NewEntry, Options, Refusal, Written};
use crate::surface::Surface;

/// A file of this format.
#[derive(Debug)]
pub struct Mcp;

/// Reads a file.
///
/// # Errors
/// Always, as yet.
pub fn read(_bytes: &[u8]) -> Result<Mcp, FormatError> {
    Err(FormatError::Unknown("this version of warden does not read mcp.lock".to_owned()))
}

/// A file without servers.
pub fn empty() -> Mcp {
    Mcp
}

fn refused() -> Refusal {
    Refusal("this version of warden does not write mcp.lock".to_owned())
}

impl LockFile for Mcp {
    fn format(&self) -> Format {
        Format::Mcp
    }

    fn version(&self) -> String {
        Format::Mcp.to_string()
    }

    fn entries(&self) -> &[Entry] {
        &[]
    }

    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    fn compare(&self, _name: &str, _surface: &Surface, _options: Options) -> Result<Vec<Difference>, Refusal> {
        Err(refused())
    }

    fn compare_files(&self, _name: &str, _now: &dyn LockFile, _options: Options) -> Option<Vec<Difference>> {
        None
    }

    fn surface(&self, _name: &str) -> Option<Surface> {
        None
    }

    fn with(&self, _new: &[NewEntry<'_>], _now: &str) -> Result<Written, Refusal> {
        Err(refused())
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
