//! contractpin.lock 1: digests of what a model reads of each tool (docs/formats.md).
//!
//! Its project could not be found, so its specification is all there is; where that leaves something open,
//! docs/formats.md names the reading that is taken. `§n` in this folder is a section of that specification.

mod digest;
mod path;
mod read;
mod write;

pub use read::read;

use super::document::quoted;
use super::tools::{PinnedTool, differences};
use super::{Difference, Entry, Format, LockFile, NewEntry, Options, Refusal, Written};
use crate::json::Object;
use crate::surface::Surface;
use std::any::Any;
use write::Start;

const VERSION: &str = "1";
const ALGORITHM: &str = "sha256";
const CANONICALIZATION: &str = "contractpin-canonical-json/1";
/// The member with the time, which no comparison of two files looks at.
const TIME: &str = "generated_at";

/// A file of this format.
#[derive(Debug)]
pub struct Contractpin {
    /// As it was read; empty for a new file.
    text: String,
    document: Object,
    entries: Vec<Entry>,
    /// The tools of each entry, in the order of the entries.
    tools: Vec<Vec<PinnedTool>>,
    notes: Vec<String>,
}

/// A file without servers.
pub fn empty() -> Contractpin {
    let mut document = Object::new();
    document.insert("contractpin", VERSION);
    document.insert("algorithm", ALGORITHM);
    document.insert("canonicalization", CANONICALIZATION);
    document.insert(TIME, "");
    document.insert("servers", Object::new());
    Contractpin { text: String::new(), document, entries: Vec::new(), tools: Vec::new(), notes: Vec::new() }
}

impl Contractpin {
    fn tools(&self, name: &str) -> Option<&[PinnedTool]> {
        let at = self.entries.iter().position(|entry| entry.name == name)?;
        self.tools.get(at).map(Vec::as_slice)
    }
}

impl LockFile for Contractpin {
    fn format(&self) -> Format {
        Format::Contractpin
    }

    fn version(&self) -> String {
        format!("contractpin.lock {VERSION}")
    }

    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// §6: removed, added, drifted.
    fn compare(&self, name: &str, surface: &Surface, options: Options) -> Result<Vec<Difference>, Refusal> {
        let old = self.tools(name).ok_or_else(|| no_server(name))?;
        Ok(differences(old, &digest::tools(surface)?, options.allow_new))
    }

    fn compare_files(&self, name: &str, now: &dyn LockFile, options: Options) -> Option<Vec<Difference>> {
        let now = now.as_any().downcast_ref::<Self>()?;
        Some(differences(self.tools(name)?, now.tools(name)?, options.allow_new))
    }

    fn surface(&self, _name: &str) -> Option<Surface> {
        None
    }

    fn with(&self, new: &[NewEntry<'_>], now: &str) -> Result<Written, Refusal> {
        let new = new.iter().map(|new| (new.name, Start::Launch(new.launch, new.env), new.surface));
        write::with(self, new, now)
    }

    fn with_dump(&self, name: &str, path: &str, surface: &Surface, now: &str) -> Result<Written, Refusal> {
        path::check(path).map_err(|problem| Refusal(format!("the path of server {}: {problem}", quoted(name))))?;
        write::with(self, std::iter::once((name, Start::File(path), surface)), now)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn no_server(name: &str) -> Refusal {
    Refusal(format!("the lock has no server {}", quoted(name)))
}
