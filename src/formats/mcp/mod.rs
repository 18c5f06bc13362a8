//! mcp.lock, versions 1 and 2: the whole definitions of each server, under digests (docs/formats.md).
//!
//! | file | what it knows |
//! |---|---|
//! | `kind` | the four lists of an entry |
//! | `declared` | what an entry pins, its digests, and the way from and to a surface |
//! | `read` | from bytes to a checked file |
//! | `policy`, `sandbox` | the part that people write |
//! | `compare` | what differs, in the order of the format's own tool |
//! | `write` | the layout of a file |
//! | `lock` | the file as the other rooms see it |

mod compare;
mod declared;
mod kind;
mod lock;
mod policy;
mod read;
mod sandbox;
mod write;

pub use lock::McpLock;

use super::{FormatError, LockFile};

/// Reads a file.
///
/// # Errors
/// It is no mcp.lock of a known version, or breaks a rule of the format, or its digests do not come out of it.
pub fn read(bytes: &[u8]) -> Result<Box<dyn LockFile>, FormatError> {
    Ok(Box::new(read::read(bytes)?))
}

/// A file without servers, to write the first one into.
pub fn empty() -> Box<dyn LockFile> {
    Box::new(McpLock::new(1, ""))
}
