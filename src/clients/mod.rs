//! What the configuration files of MCP clients say: which servers, started or reached how, and where exactly that
//! stands.
//!
//! * [`find`](find::find) looks for the files of every client of the table, from [`Places`]; [`project_folders`] gives
//!   the folders of a project. For `warden servers` and `warden doctor`.
//! * [`source_for`] and [`read_named`] read a file that the user names; [`read`] reads bytes. For `pin --all`.
//! * [`expand`] turns a [`Template`] into the value that its client would hand over, or says what is missing.
//!
//! Files are read as leniently as the most lenient client, and every client that would be stricter is named. A file that
//! cannot be read is an error with a place, and never looks like a file without servers; a faulty entry is an entry with
//! a [`Reason`]. Nothing that a file says is run, opened or asked for.
//!
//! All of it is pure, but for `find.rs`. Input is hostile: depth, size and number are bounded in every syntax.

mod disagreement;
mod document;
mod entry;
mod find;
mod layout;
mod markdown;
mod model;
mod pattern;
mod places;
mod problem;
mod read;
mod table;
mod template;
mod variables;

pub use disagreement::{Disagreement, Over};
pub use document::Position;
pub use find::{Bounds, Found, MAX_STARS, find, open_to_all, project_folders, read_named};
pub use markdown::clients_markdown;
pub use model::{ConfigFile, Named, Remote, ServerEntry, Setting, Shape, Stdio, ToolFilter, Written};
pub use places::{Candidate, Places, candidates, is_clients_file, source_for};
pub use problem::{Cause, FileError, Need, NeedKind, Problem, Reason, Refusal, Remark, RemarkKind, Shown};
pub use read::{MAX_SERVERS, Reader, Source, read};
pub use table::{
    Base, Certainty, Client, ClientId, CommandForm, Dialect, Layout, Location, Off, On, Platform, Scope, Spot,
    SwitchLists, Syntax, Tokens, TransportKind, Typeless, VariableSyntax, clients,
};
pub use template::{CannotExpand, Part, Reference, SecretText, Template, expand};
