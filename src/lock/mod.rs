//! The `warden.lock` model: what a surface commits to, how it is stored, and whether a stored lock is true to itself.
//!
//! Pure, save [`mod@file`], the only place of this room that touches a disk. [`wire`] holds the reader and writer of the
//! on-disk form and its change policy.

mod build;
mod choice;
mod entry;
pub mod file;
mod inspection;
mod integrity;
mod pin;
mod prompt_arguments;
mod reproduction;
pub mod wire;

pub use build::{BuildError, BuildOptions, build};
pub use choice::{Choice, targets};
pub use entry::{EntryRef, PromptEntry, ResourceEntry, ToolEntry, ToolMetadata};
pub use inspection::{InspectionError, InspectionPolicy};
pub use integrity::Inconsistency;
pub use pin::{Approval, Pin, WardenPin};
pub use prompt_arguments::PromptArguments;

use crate::json::{Digest, Object, Value, hash};
use crate::surface::{Launch, Section};

/// The format level: the integer that the digest commits to (SPEC.md §7, §23).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// The level that this tool writes.
    pub const CURRENT: Self = Self(4);
    /// Levels that this tool reads.
    pub const ALL: [Self; 4] = [Self(1), Self(2), Self(3), Self(4)];

    /// The level of this number, where it is one that this tool implements.
    pub fn new(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|level| i64::from(level.0) == number)
    }

    /// The number as it stands in `schema_version`.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Whether tool entries commit to a skeleton (level 2 and later).
    pub fn has_skeleton(self) -> bool {
        self.0 >= 2
    }

    /// Whether skeletons follow references (level 3 and later).
    pub fn follows_references(self) -> bool {
        self.0 >= 3
    }

    /// Whether tool entries commit to annotations and output schema (level 4).
    pub fn has_metadata(self) -> bool {
        self.0 >= 4
    }
}

/// What a surface commits to at one level: everything that the overall digest covers, and the digest itself.
#[derive(Debug, Clone)]
pub struct PinnedSurface {
    pub level: Level,
    pub launch: Launch,
    pub command_digest: Digest,
    /// In stored order; sorted by name in a lock that this tool wrote.
    pub tools: Vec<ToolEntry>,
    /// In stored order; sorted by uri in a lock that this tool wrote.
    pub resources: Vec<ResourceEntry>,
    /// In stored order; sorted by name in a lock that this tool wrote.
    pub prompts: Vec<PromptEntry>,
    pub overall_digest: Digest,
}

impl PinnedSurface {
    /// Number of entries of a section.
    pub fn count(&self, section: Section) -> usize {
        match section {
            Section::Tools => self.tools.len(),
            Section::Resources => self.resources.len(),
            Section::Prompts => self.prompts.len(),
        }
    }

    /// The entries of a section in stored order, without regard to their kind.
    pub fn entries(&self, section: Section) -> Box<dyn Iterator<Item = EntryRef<'_>> + '_> {
        match section {
            Section::Tools => Box::new(self.tools.iter().map(ToolEntry::as_ref)),
            Section::Resources => Box::new(self.resources.iter().map(ResourceEntry::as_ref)),
            Section::Prompts => Box::new(self.prompts.iter().map(PromptEntry::as_ref)),
        }
    }

    /// The digest over level, launch and entry digests in stored order (SPEC.md §11).
    fn compute_overall_digest(&self) -> Result<Digest, crate::json::CanonicalError> {
        let mut payload = Object::new();
        payload.insert("schema_version", i64::from(self.level.number()));
        let server: Object = [("command_digest", Value::from(self.command_digest))].into_iter().collect();
        payload.insert("server", server);
        for section in Section::ALL {
            let digests: Vec<Value> = self.entries(section).map(|entry| entry.digest.into()).collect();
            payload.insert(section.key(), digests);
        }
        hash(&payload.into())
    }
}

/// A whole lock: the pinned surface and what stands beside the digest.
///
/// One that was read may contradict itself; [`Lock::inconsistencies`] says where.
#[derive(Debug, Clone)]
pub struct Lock {
    pub surface: PinnedSurface,
    /// Version of the tool that wrote the file.
    pub warden_version: String,
    /// As stored: each has the five text members of SPEC.md §12.3.
    pub findings: Vec<Object>,
    pub pin: Pin,
    /// Whether command or arguments stand beside a URL: shown by other tools, committed to by nothing (SPEC.md §6.4).
    stray_launch: bool,
}
