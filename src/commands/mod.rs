//! One file per command: arguments in, a [`Report`](crate::report::Report) out. Nothing here prints, reads a clock or the environment: what
//! is needed of those comes in through [`Context`].

pub mod args;
pub mod check;
mod context;
mod error;
pub mod pin;
mod remote;
mod server;
pub mod show;
mod summary;

pub use context::{Context, Outcome};
pub use error::{CommandError, ErrorKind};
