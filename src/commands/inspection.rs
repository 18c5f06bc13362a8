//! The file of reviewed inspection blocks (SPEC.md §14).

use super::error::{CommandError, shown_path};
use crate::json::{ParseLimits, parse, values_in};
use crate::lock::InspectionPolicy;
use crate::lock::file::{FileError, read_bytes};
use crate::text::{Charset, escape};
use std::path::{Path, PathBuf};

/// The largest inspection file that is read.
const MAX_INSPECTION_BYTES: usize = 1 << 20;

/// The named inspection file, or the one beside the lock if there is one.
///
/// # Errors
/// It cannot be read, or is not valid.
pub(super) fn read_inspection(
    named: Option<&Path>,
    lock_path: Option<&Path>,
) -> Result<Option<InspectionPolicy>, CommandError> {
    let default: Option<PathBuf> = lock_path.map(|path| path.with_file_name("warden.inspection.json"));
    let Some(path) = named.or(default.as_deref()) else { return Ok(None) };
    let bytes = match read_bytes(path, MAX_INSPECTION_BYTES) {
        Ok(bytes) => bytes,
        Err(FileError::NotFound) if named.is_none() => return Ok(None),
        Err(error) => {
            return Err(CommandError::file(format!("{} could not be read", shown_path(path)), error.to_string()));
        }
    };
    let invalid = |cause: String| {
        CommandError::file(format!("{} is not a valid inspection file", shown_path(path)), cause)
            .hint("it maps tool names to blocks: {\"NAME\": {\"may_return_urls\": true}}")
    };
    let limits =
        ParseLimits { max_bytes: MAX_INSPECTION_BYTES, max_depth: 8, max_values: values_in(MAX_INSPECTION_BYTES) };
    let document = parse(&bytes, &limits).map_err(|error| invalid(escape(&error.to_string(), Charset::Unicode)))?;
    InspectionPolicy::from_document(&document).map(Some).map_err(|error| invalid(error.to_string()))
}
