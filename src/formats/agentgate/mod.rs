//! agentgate.lock, in both forms that exist (docs/formats.md).
//!
//! A page described one form, and the tool that goes by the name writes another: other members, other digests. Both
//! are read; a new file is as the tool writes it, because only that can be used with it. `§` in this folder means a
//! heading of the published page.

mod hash;
mod order;
mod published;
mod shipped;
mod source;

use super::document::{Place, document, quoted};
use super::tools::{PinnedTool, differences};
use super::{Difference, Entry, EntryStart, Format, FormatError, Item, LockFile, NewEntry, Options, Refusal, Written};
use crate::json::{Object, Value};
use crate::surface::{Launch, Surface};
use std::any::Any;
use std::collections::BTreeSet;

/// A form of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// As the page describes it: tools as an object, `sha256:` before digests.
    Published,
    /// As the tool writes it: tools as an array, bare digits.
    Shipped,
}

/// The member with the time, which no comparison of two files looks at.
const TIME: &str = "generatedAt";
const NEWEST: i64 = 2;

/// A file of this format.
#[derive(Debug)]
pub struct Agentgate {
    dialect: Dialect,
    version: i64,
    /// As it was read; empty for a new file.
    text: String,
    document: Object,
    entries: Vec<Entry>,
    /// The tools of each entry, in the order of the entries.
    tools: Vec<Vec<PinnedTool>>,
    notes: Vec<String>,
}

/// A file without servers.
pub fn empty(dialect: Dialect) -> Agentgate {
    let mut document = Object::new();
    document.insert("lockfileVersion", 1);
    document.insert("servers", Object::new());
    let (entries, tools, notes) = Default::default();
    Agentgate { dialect, version: 1, text: String::new(), document, entries, tools, notes }
}

/// Reads a file of either form.
///
/// # Errors
/// It is neither, of a newer version, or does not give its own digests.
pub fn read(bytes: &[u8]) -> Result<Agentgate, FormatError> {
    let document = document(bytes)?;
    let top = Place::root(&document);
    let version = top.integer("lockfileVersion")?;
    if !(1..=NEWEST).contains(&version) {
        let problem = format!("this warden reads versions 1 and {NEWEST}, not {version}");
        return Err(FormatError::Unknown(top.problem("lockfileVersion", &problem)));
    }
    let dialect = dialect(&top)?;
    let mut notes = Vec::new();
    let mut read = match dialect {
        Dialect::Published => published::read(&top, version)?,
        Dialect::Shipped => shipped::read(&top, version, &mut notes)?,
    };
    read.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    let (entries, tools) = read.into_iter().unzip();
    // The parser has found it to be UTF-8.
    let text = std::str::from_utf8(bytes).unwrap_or_default().to_owned();
    Ok(Agentgate { dialect, version, text, document, entries, tools, notes })
}

/// The form of a file, by what only one of them has.
fn dialect(top: &Place<'_>) -> Result<Dialect, FormatError> {
    let servers = top.object("servers")?;
    let any = |is: fn(&Value) -> bool| servers.object.iter().any(|(_, server)| is(server));
    let tools_are = |server: &Value, is: fn(&Value) -> bool| server.get("tools").is_some_and(is);
    let published = top.object.contains("agentgateVersion")
        || any(|server| server.get("toolSurfaceHash").is_some())
        || servers.object.iter().any(|(_, server)| tools_are(server, |tools| tools.as_object().is_some()));
    let shipped = top.object.contains("generatedBy")
        || any(|server| server.get("surfaceHash").is_some())
        || servers.object.iter().any(|(_, server)| tools_are(server, |tools| tools.as_array().is_some()));
    match (published, shipped) {
        (true, true) => Err(top.invalid("servers", "the published form and the one of the tool are mixed in one file")),
        (true, false) => Ok(Dialect::Published),
        (false, _) => Ok(Dialect::Shipped),
    }
}

/// A server of either form: neither says how it is started, and both pin nothing but tools.
fn entry(name: &str, items: Vec<Item>, digest: String) -> Entry {
    Entry {
        name: name.to_owned(),
        start: EntryStart::Unknown,
        env: Vec::new(),
        cwd: None,
        protocol_version: None,
        items,
        digest,
    }
}

impl Agentgate {
    fn tools(&self, name: &str) -> Option<&[PinnedTool]> {
        let at = self.entries.iter().position(|entry| entry.name == name)?;
        self.tools.get(at).map(Vec::as_slice)
    }

    fn pinned(&self, surface: &Surface) -> Result<Vec<PinnedTool>, Refusal> {
        hash::tools(surface, self.dialect)
    }

    fn server(&self, name: &str) -> Option<&Object> {
        self.document.get("servers")?.get(name)?.as_object()
    }
}

impl LockFile for Agentgate {
    fn format(&self) -> Format {
        Format::Agentgate
    }

    fn version(&self) -> String {
        let form = match self.dialect {
            Dialect::Published => "as published",
            Dialect::Shipped => "as the tool writes it",
        };
        format!("agentgate.lock {} ({form})", self.version)
    }

    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn compare(&self, name: &str, surface: &Surface, _options: Options) -> Result<Vec<Difference>, Refusal> {
        let old = self.tools(name).ok_or_else(|| Refusal(format!("the lock has no server {}", quoted(name))))?;
        Ok(differences(old, &self.pinned(surface)?, false))
    }

    /// Files of the two forms cannot be compared: no digest of a name or a description is the same in both.
    fn compare_files(&self, name: &str, now: &dyn LockFile, _options: Options) -> Option<Vec<Difference>> {
        let now = now.as_any().downcast_ref::<Self>().filter(|now| now.dialect == self.dialect)?;
        Some(differences(self.tools(name)?, now.tools(name)?, false))
    }

    fn surface(&self, _name: &str) -> Option<Surface> {
        None
    }

    fn with(&self, new: &[NewEntry<'_>], now: &str) -> Result<Written, Refusal> {
        let mut document = self.document.clone();
        let mut servers = document.get("servers").and_then(Value::as_object).cloned().unwrap_or_default();
        let mut seen = BTreeSet::new();
        for entry in new {
            if !seen.insert(entry.name) {
                return Err(Refusal(format!("server {} is given twice", quoted(entry.name))));
            }
            let tools = self.pinned(entry.surface)?;
            let old = self.server(entry.name);
            let server = match self.dialect {
                Dialect::Published => published::server(old, entry.launch, &tools)?,
                Dialect::Shipped => shipped::server(old, &tools)?,
            };
            servers.insert(entry.name, server);
        }
        document.insert("servers", servers);
        let text = if !self.text.is_empty() && document == self.document {
            self.text.clone()
        } else {
            match self.dialect {
                Dialect::Published => published::text(document, now),
                Dialect::Shipped => shipped::text(&document, &self.text, now),
            }
        };
        Ok(Written { text, notes: Vec::new() })
    }

    fn start_notes(&self, name: &str, launch: &Launch) -> Vec<String> {
        match (self.dialect, self.server(name)) {
            (Dialect::Published, Some(server)) => published::start_notes(name, server, launch),
            _ => Vec::new(),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
