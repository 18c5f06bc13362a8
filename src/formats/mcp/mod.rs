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
pub(super) use read::read;

/// A file without servers, to write the first one into.
pub(super) fn empty() -> McpLock {
    McpLock::new(1, "")
}
