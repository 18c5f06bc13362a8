//! One file per command: arguments in, a [`Report`](crate::report::Report) out. Nothing here prints, reads a clock or the environment: what
//! is needed of those comes in through [`Context`].

pub mod all;
pub mod approve;
pub mod args;
pub mod capture;
pub mod check;
pub mod check_steps;
mod chosen;
mod comparand;
mod config_file;
mod context;
mod coverage;
pub mod diff;
pub mod doctor;
mod echo;
mod entry;
mod eras;
mod error;
pub mod explain;
pub mod foreign;
pub mod init;
mod inspection;
mod look;
mod named_texts;
mod next_steps;
pub mod people;
pub mod pin;
mod record;
mod remote;
mod server;
pub mod servers;
pub mod show;
mod stability;
mod summary;
mod surface_file;

pub use context::{Context, Outcome};
pub use error::{CommandError, ErrorKind};
