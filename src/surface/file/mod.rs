//! Surface files: what a server declared, every page as it was sent (docs/surface-files.md).
//!
//! Two kinds are read. Our own form says how the server was started and holds every page verbatim; it is what
//! [`write()`] gives. A plain dump holds lists and nothing else: somebody's copy of a `tools/list` answer. Either way
//! the entries pass the rules of a capture: an incomplete list is refused, never taken for a short one.
//!
//! Change policy: `warden_surface` is the version of the form. Within a version members may be added, and readers
//! ignore those that they do not know; anything else is a new version, and old versions stay readable. Pure.

mod dump;
mod form;
mod pages;
mod write;

pub use write::write;

use super::{Launch, RawSurface, Section, Surface, SurfaceError};
use crate::json::{MAX_DEPTH, ParseError, ParseErrorKind, ParseLimits, Value, parse_within, values_in};
use std::collections::BTreeSet;

/// The version of the form that is written.
pub const SURFACE_FILE_VERSION: i64 = 1;
/// The largest surface file that is read: a little more than the output of a server may be.
pub const MAX_SURFACE_BYTES: usize = 34 << 20;
/// JSON values in it: a little more than the output of a server may have.
pub const MAX_SURFACE_VALUES: usize = values_in(MAX_SURFACE_BYTES);

/// The member that tells our own form from a dump; holds the version.
const VERSION: &str = "warden_surface";
/// Levels of the document above a value that is hashed (file, section, page, list, entry), on top of its own.
const FILE_DEPTH: usize = MAX_DEPTH + 5;
/// Entries of one list that are read without further ado, as in a capture.
pub const DEFAULT_MAX_ENTRIES: usize = 20_000;

/// A surface that was read from a file.
#[derive(Debug, Clone)]
pub struct SurfaceFile {
    /// How the server was reached; `None` where the file does not say, as in every plain dump.
    pub launch: Option<Launch>,
    pub surface: Surface,
    /// The text of the pages. Where a dump has lists but no pages, these are made of the lists.
    pub raw: RawSurface,
    /// Declared sections that the server answered with "method not found".
    pub missing: BTreeSet<Section>,
    /// Sections that a dump, or a file made of one, says nothing about; they count as empty.
    pub unlisted: BTreeSet<Section>,
}

/// A text that is no surface file. The messages hold no text of the file, save what [`ParseError`] quotes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SurfaceFileError {
    #[error("{0}")]
    Json(ParseError),
    #[error("its form is version {0}, and this version of warden reads {SURFACE_FILE_VERSION}")]
    UnknownVersion(i64),
    #[error("{}{problem}", place(pointer))]
    Shape {
        /// JSON pointer of the fault, made of our own words and numbers; after the line, where a text has several
        /// documents.
        pointer: String,
        problem: String,
    },
    /// A well-formed file whose entries cannot be pinned: the server's fault rather than the file's.
    #[error("{0}")]
    Surface(#[from] SurfaceError),
}

fn place(pointer: &str) -> String {
    if pointer.is_empty() { String::new() } else { format!("at {}: ", pointer.trim_end()) }
}

fn shape(pointer: impl Into<String>, problem: impl Into<String>) -> SurfaceFileError {
    SurfaceFileError::Shape { pointer: pointer.into(), problem: problem.into() }
}

/// A JSON value, its text, and the line that it stands on if there are others.
struct Document<'t> {
    value: Value,
    text: &'t str,
    line: Option<usize>,
}

/// Reads a surface file or a plain dump. `max_entries` is how many entries one list may have.
///
/// # Errors
/// Anything that is not a whole surface by the rules of a capture: see [`SurfaceFileError`].
pub fn read(bytes: &[u8], max_entries: usize) -> Result<SurfaceFile, SurfaceFileError> {
    let mut values = MAX_SURFACE_VALUES;
    match document(bytes, &mut values) {
        Ok(Document { value: Value::Object(object), text, .. }) if object.contains(VERSION) => {
            form::read(object, text, max_entries)
        }
        Ok(document) => dump::read(vec![document], max_entries),
        // One value a line, as a recorder of answers writes them.
        Err(error) if is_followed_by_more(&error) => match lines(bytes) {
            Some(documents) => dump::read(documents.map_err(SurfaceFileError::Json)?, max_entries),
            None => Err(SurfaceFileError::Json(error)),
        },
        Err(error) => Err(SurfaceFileError::Json(error)),
    }
}

/// Whether a text is a surface file of our own form, of whatever version and whatever else it holds: such a file may
/// be replaced by a newer one without asking.
pub fn is_surface_file(bytes: &[u8]) -> bool {
    let mut values = MAX_SURFACE_VALUES;
    document(bytes, &mut values).is_ok_and(|document| matches!(document.value.get(VERSION), Some(Value::Int(_))))
}

/// Reads one document; `values` is how many JSON values may still come.
fn document<'t>(bytes: &'t [u8], values: &mut usize) -> Result<Document<'t>, ParseError> {
    let value = parse_within(
        bytes,
        &ParseLimits { max_bytes: MAX_SURFACE_BYTES, max_depth: FILE_DEPTH, max_values: MAX_SURFACE_VALUES },
        values,
    )?;
    // The parser has found it to be UTF-8.
    Ok(Document { value, text: std::str::from_utf8(bytes).unwrap_or_default(), line: None })
}

fn is_followed_by_more(error: &ParseError) -> bool {
    matches!(error.kind, ParseErrorKind::Syntax { expected: "the end of the text", .. })
}

/// Every line as a document; `None` where not even the first line is one.
fn lines(bytes: &[u8]) -> Option<Result<Vec<Document<'_>>, ParseError>> {
    let mut documents = Vec::new();
    let mut values = MAX_SURFACE_VALUES;
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match document(line, &mut values) {
            Ok(document) => documents.push(Document { line: Some(index + 1), ..document }),
            Err(_) if documents.is_empty() => return None,
            Err(error) => return Some(Err(ParseError { line: index + 1, ..error })),
        }
    }
    Some(Ok(documents))
}
