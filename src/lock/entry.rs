//! The three kinds of lock entries (SPEC.md §7).

use super::Level;
use crate::json::{CanonicalError, Digest, Object, Value, hash_members};
use crate::skeleton::Skeleton;
use crate::surface::{Section, entry_target};

/// What all entries have in common, borrowed.
#[derive(Debug, Clone, Copy)]
pub struct EntryRef<'a> {
    pub section: Section,
    /// Name or uri, raw.
    pub identity: &'a str,
    /// The entry digest as stored.
    pub digest: Digest,
    /// Every member as stored, `entry_digest` included.
    pub stored: &'a Object,
}

impl EntryRef<'_> {
    /// `tools/<name>` and the like; raw.
    pub fn target(&self) -> String {
        entry_target(self.section, self.identity)
    }

    /// The digest that the stored members yield: all but the digest itself and, in a tool, a null inspection block and,
    /// at level 1, a null skeleton (SPEC.md §18). An unknown member takes part.
    ///
    /// # Errors
    /// Where the body is nested too deep to be hashed.
    pub fn recompute_digest(&self, level: Level) -> Result<Digest, CanonicalError> {
        let absent = |name: &str, value: &Value| match (name, self.section) {
            ("entry_digest", _) => true,
            ("inspection", Section::Tools) => value.is_null(),
            ("schema_skeleton", Section::Tools) => value.is_null() && !level.has_skeleton(),
            _ => false,
        };
        hash_members(self.stored.iter().filter(|(name, value)| !absent(name, value)))
    }
}

/// A tool of a lock.
#[derive(Debug, Clone)]
pub struct ToolEntry {
    pub name: String,
    pub description_hash: Digest,
    pub input_schema_hash: Digest,
    /// As stored; sorted and without repetition in a lock that this tool wrote.
    pub capabilities: Vec<String>,
    /// `None` at level 1, or where another tool left it out.
    pub schema_skeleton: Option<Skeleton>,
    /// `None` below level 4.
    pub metadata: Option<ToolMetadata>,
    /// A reviewed relaxation of result checks (SPEC.md §14); an empty block differs from none.
    pub inspection: Option<Object>,
    pub entry_digest: Digest,
    pub(super) stored: Object,
}

/// The commitments that level 4 added.
#[derive(Debug, Clone)]
pub struct ToolMetadata {
    /// Of `null` where the tool has no annotations.
    pub annotations_hash: Digest,
    /// Of `null` where the tool has no output schema.
    pub output_schema_hash: Digest,
    /// `None` where the tool has no output schema.
    pub output_schema_skeleton: Option<Skeleton>,
}

/// A resource of a lock.
#[derive(Debug, Clone)]
pub struct ResourceEntry {
    pub uri: String,
    pub name: Option<String>,
    pub description_hash: Digest,
    pub mime_type: Option<String>,
    pub entry_digest: Digest,
    pub(super) stored: Object,
}

/// A prompt of a lock.
#[derive(Debug, Clone)]
pub struct PromptEntry {
    pub name: String,
    pub description_hash: Digest,
    pub arguments_hash: Digest,
    pub entry_digest: Digest,
    pub(super) stored: Object,
}

impl ToolEntry {
    /// What it has in common with the other kinds.
    pub fn as_ref(&self) -> EntryRef<'_> {
        EntryRef { section: Section::Tools, identity: &self.name, digest: self.entry_digest, stored: &self.stored }
    }
}

impl ResourceEntry {
    /// What it has in common with the other kinds.
    pub fn as_ref(&self) -> EntryRef<'_> {
        EntryRef { section: Section::Resources, identity: &self.uri, digest: self.entry_digest, stored: &self.stored }
    }
}

impl PromptEntry {
    /// What it has in common with the other kinds.
    pub fn as_ref(&self) -> EntryRef<'_> {
        EntryRef { section: Section::Prompts, identity: &self.name, digest: self.entry_digest, stored: &self.stored }
    }
}
