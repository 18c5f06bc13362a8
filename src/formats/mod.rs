//! Lock files of other tools for the same job: contractpin.lock, agentgate.lock, mcp.lock (docs/formats.md).
//!
//! One folder for each format; nothing of them is known to the rooms of `warden.lock`. A format reads a file into a
//! [`LockFile`], which says what servers it holds, compares an entry with a captured [`Surface`](crate::surface::Surface),
//! and gives the text of the file with some servers pinned anew. All of it is pure. Files are hostile input: every reader
//! is bounded and strict, and what it refuses is one [`FormatError`] with a place.
//!
//! | to add | new | and one line in |
//! |---|---|---|
//! | a format | a folder with a `LockFile` | [`Format::ALL`] and the matches below it |

mod agentgate;
mod contractpin;
mod credential;
mod detect;
mod document;
mod error;
mod fingerprint;
mod layout;
mod mcp;
mod model;
mod tools;

pub use agentgate::{Dialect, empty as empty_agentgate};
pub use detect::{detect, empty, read};
pub use document::MAX_FORMAT_BYTES;
pub use error::FormatError;
pub use fingerprint::fingerprint;
pub use mcp::McpLock;
pub use model::{
    Difference, Entry, EntryStart, ExitTable, Format, Item, LockFile, NewEntry, Options, Refusal, Written,
};
