//! What a server declared, as raw JSON kept whole.
//!
//! Typed SDK models drop what must be pinned (unknown members, explicit nulls), so entries stay objects here and only
//! the members that the format names are looked at (SPEC.md §5). Pure.

mod entry;
mod era;
pub mod file;
mod launch;
mod raw;

pub use entry::{Prompt, Resource, Section, SurfaceError, Tool, entry_target};
pub use era::Era;
pub use launch::Launch;
pub use raw::RawSurface;

use crate::json::{Object, Value};

/// Where a modern result says which server it comes from.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// A server's whole declared surface. Identities are unique within each section.
#[derive(Debug, Clone, Default)]
pub struct Surface {
    pub tools: Vec<Tool>,
    pub resources: Vec<Resource>,
    pub prompts: Vec<Prompt>,
    /// What the digest does not commit to but a reviewer wants to know.
    pub about: About,
}

/// What the handshake said, and what the format leaves uncommitted (SPEC.md §13).
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The protocol revision that was agreed on; empty for a surface that was not captured.
    pub protocol_version: String,
    /// The whole result of `initialize` or `server/discover`, raw: capabilities, instructions and, in the modern era,
    /// the supported versions.
    pub declaration: Object,
    /// Resource templates, raw. The format has no entry for them.
    pub resource_templates: Vec<Value>,
}

impl About {
    /// The era of the protocol revision, where it is one that is known.
    pub fn era(&self) -> Option<Era> {
        Era::of_version(&self.protocol_version)
    }

    /// What the server says it is: `serverInfo`, which the modern era keeps in `_meta`.
    pub fn server_info(&self) -> Option<&Value> {
        match self.era() {
            Some(Era::Modern) => self.declaration.get("_meta")?.get(SERVER_INFO),
            _ => self.declaration.get("serverInfo"),
        }
    }

    /// Name and version of the server where it gave texts.
    pub fn server_name_and_version(&self) -> (Option<&str>, Option<&str>) {
        let info = self.server_info();
        let text = |member| info.and_then(|info| info.get(member)).and_then(Value::as_str);
        (text("name"), text("version"))
    }

    /// The server's `instructions`, which hosts may put before a model.
    pub fn instructions(&self) -> Option<&str> {
        self.declaration.get("instructions").and_then(Value::as_str)
    }
}

impl Surface {
    /// Takes the entries of the three sections, raw, as the `tools`, `resources` and `prompts` arrays hold them.
    ///
    /// # Errors
    /// The first entry that cannot be pinned: no identity, a member of a wrong type, or an identity that occurs
    /// twice (SPEC.md §5, §15.5). A `inputSchema` of a wrong type is accepted here, because published vectors hash
    /// it; [`Surface::require_object_schemas`] is what a capture adds.
    pub fn from_entries(tools: Vec<Value>, resources: Vec<Value>, prompts: Vec<Value>) -> Result<Self, SurfaceError> {
        let surface = Self {
            tools: tools.into_iter().enumerate().map(|(i, raw)| Tool::new(i, raw)).collect::<Result<_, _>>()?,
            resources: resources
                .into_iter()
                .enumerate()
                .map(|(i, raw)| Resource::new(i, raw))
                .collect::<Result<_, _>>()?,
            prompts: prompts.into_iter().enumerate().map(|(i, raw)| Prompt::new(i, raw)).collect::<Result<_, _>>()?,
            about: About::default(),
        };
        entry::refuse_repeated(Section::Tools, surface.tools.iter().map(Tool::name))?;
        entry::refuse_repeated(Section::Resources, surface.resources.iter().map(Resource::uri))?;
        entry::refuse_repeated(Section::Prompts, surface.prompts.iter().map(Prompt::name))?;
        Ok(surface)
    }

    /// Reads a surface document: an object with `tools`, `resources` and `prompts` arrays (each may be missing or null), as
    /// conformance vectors hold it.
    ///
    /// # Errors
    /// As [`Surface::from_entries`]; also where a section is not an array.
    pub fn from_document(document: &Object) -> Result<Self, SurfaceError> {
        let section = |section: Section| match document.get_non_null(section.key()) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => Ok(items.clone()),
            Some(other) => Err(SurfaceError::SectionNotArray { section, kind: other.kind() }),
        };
        Self::from_entries(section(Section::Tools)?, section(Section::Resources)?, section(Section::Prompts)?)
    }

    /// Refuses a tool whose `inputSchema` is present and neither `null` nor an object: its text would be
    /// uncommitted, because the format hashes it as `{}` (SPEC.md §5).
    ///
    /// # Errors
    /// [`SurfaceError::WrongType`] for the first such tool.
    pub fn require_object_schemas(&self) -> Result<(), SurfaceError> {
        self.tools.iter().try_for_each(Tool::require_object_schema)
    }
}
