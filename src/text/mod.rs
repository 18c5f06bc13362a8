//! Showing text that somebody else wrote: a server, a lock in a cloned repository, an argument list.
//!
//! A leaf room. Nothing that came from outside reaches a person's eyes but through [`escape`] (or, inside machine
//! formats, through their own quoting).

mod inert;
mod near;
mod shell;
mod untrusted;

pub use inert::{inert, visibly};
pub use near::near;
pub use shell::{quote_argv, shell_quote};
pub use untrusted::{Charset, ascii, escape, escape_hidden, is_hidden, shorten};
