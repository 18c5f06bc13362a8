//! Surface to pinned entries: every field hash, capability, skeleton and digest (SPEC.md §5 to §11).

use super::prompt_arguments::PromptArguments;
use super::{InspectionPolicy, Level, PinnedSurface, PromptEntry, ResourceEntry, ToolEntry, ToolMetadata};
use crate::capability;
use crate::json::{CanonicalError, Digest, MAX_DEPTH, Object, Value, depth, hash, hash_members};
use crate::skeleton::{Budget, BudgetExceeded, References, Skeleton, extract};
use crate::surface::{Launch, Prompt, Resource, Section, Surface, SurfaceError, Tool, entry_target};
use crate::text::{Charset, escape, shorten};
use std::cell::Cell;

/// An entry's body stands two levels deep in the lock document, which must be readable again (SPEC.md §3.6).
const MAX_BODY_DEPTH: usize = MAX_DEPTH - 2;

/// What the skeletons of a whole surface may cost: each tool may double its way to its own budget, and thousands of
/// such tools would fill the memory. The largest real surface known stays below a hundredth of this.
const MAX_RECORDS: usize = 500_000;
const MAX_SKELETON_BYTES: usize = 96 << 20;

/// How entries are made of a surface.
#[derive(Clone, Copy)]
pub struct BuildOptions<'a> {
    pub level: Level,
    /// Reviewed inspection blocks by tool name; they never come from a server.
    pub inspection: Option<&'a InspectionPolicy>,
    pub prompt_arguments: PromptArguments,
    /// Asked between entries; `true` stops with [`BuildError::TimedOut`]. Time is a parameter of this room.
    pub out_of_time: &'a dyn Fn() -> bool,
}

impl Default for BuildOptions<'_> {
    fn default() -> Self {
        Self {
            level: Level::CURRENT,
            inspection: None,
            prompt_arguments: PromptArguments::AsSent,
            out_of_time: &|| false,
        }
    }
}

/// A surface that cannot be pinned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    #[error("{}: {source}", escape(&shorten(target, 120), Charset::Unicode))]
    NotHashable { target: String, source: CanonicalError },
    #[error("{}: {source}", escape(&shorten(target, 120), Charset::Unicode))]
    TooLarge { target: String, source: BudgetExceeded },
    #[error(
        "{}: the entry would stand deeper in the lock than the {MAX_DEPTH} levels that a reader accepts",
        escape(&shorten(target, 120), Charset::Unicode)
    )]
    TooDeepForLock { target: String },
    #[error("the schemas of all tools together expand to more than {MAX_RECORDS} records or {} MiB", MAX_SKELETON_BYTES >> 20)]
    SurfaceTooLarge,
    #[error("the time limit passed while the surface was being hashed")]
    TimedOut,
}

/// Builds the entries of a surface and the digests over them, sorted by identity.
///
/// # Errors
/// The first entry that has no canonical form, passes the skeleton budget, or would make a lock that cannot be read
/// back; or [`BuildError::TimedOut`].
pub fn build(surface: &Surface, launch: &Launch, options: &BuildOptions<'_>) -> Result<PinnedSurface, BuildError> {
    let spent = Cell::new((0, 0));
    let within = || spent.get().0 <= MAX_RECORDS && spent.get().1 <= MAX_SKELETON_BYTES;
    let mut tools = collect(&surface.tools, Section::Tools, Tool::name, options, |tool| {
        if !within() {
            return Err(Fault::SurfaceTooLarge);
        }
        build_tool(tool, options, &spent)
    })?;
    let mut resources = collect(&surface.resources, Section::Resources, Resource::uri, options, build_resource)?;
    let mut prompts =
        collect(&surface.prompts, Section::Prompts, Prompt::name, options, |prompt| build_prompt(prompt, options))?;
    // Code-point order is byte order in UTF-8.
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    resources.sort_by(|a, b| a.uri.cmp(&b.uri));
    prompts.sort_by(|a, b| a.name.cmp(&b.name));
    let not_hashable = |target: &str| {
        let target = target.to_owned();
        move |source| BuildError::NotHashable { target, source }
    };
    let command_digest = launch.digest().map_err(not_hashable("launch/command"))?;
    let mut pinned = PinnedSurface {
        level: options.level,
        launch: launch.clone(),
        command_digest,
        tools,
        resources,
        prompts,
        overall_digest: command_digest,
    };
    pinned.overall_digest = pinned.compute_overall_digest().map_err(not_hashable("lock/overall_digest"))?;
    Ok(pinned)
}

/// Why one entry cannot be built, before its target is known.
enum Fault {
    Canonical(CanonicalError),
    Budget(BudgetExceeded),
    TooDeepForLock,
    SurfaceTooLarge,
}

impl From<CanonicalError> for Fault {
    fn from(error: CanonicalError) -> Self {
        Self::Canonical(error)
    }
}

impl From<BudgetExceeded> for Fault {
    fn from(error: BudgetExceeded) -> Self {
        Self::Budget(error)
    }
}

fn collect<'s, T, E>(
    items: &'s [T],
    section: Section,
    identity: fn(&'s T) -> &'s str,
    options: &BuildOptions<'_>,
    build_one: impl Fn(&'s T) -> Result<E, Fault>,
) -> Result<Vec<E>, BuildError> {
    let build_one = |item: &'s T| {
        if (options.out_of_time)() {
            return Err(BuildError::TimedOut);
        }
        build_one(item).map_err(|fault| {
            let target = entry_target(section, identity(item));
            match fault {
                Fault::Canonical(source) => BuildError::NotHashable { target, source },
                Fault::Budget(source) => BuildError::TooLarge { target, source },
                Fault::TooDeepForLock => BuildError::TooDeepForLock { target },
                Fault::SurfaceTooLarge => BuildError::SurfaceTooLarge,
            }
        })
    };
    items.iter().map(build_one).collect()
}

/// SPEC.md §7.2, §7.3: members in the order of §12.3, so that what is hashed is also what is stored.
fn build_tool(tool: &Tool, options: &BuildOptions<'_>, spent: &Cell<(usize, usize)>) -> Result<ToolEntry, Fault> {
    let level = options.level;
    let references = if level.follows_references() { References::Follow } else { References::Opaque };
    let mut budget = Budget::default();
    // A schema of a wrong type hashes as an empty one (SPEC.md §5); capture refuses such a tool before it comes here.
    let schema = tool.input_schema().filter(|schema| schema.as_object().is_some());
    let description_hash = hash_description(tool.description())?;
    let input_schema_hash = schema.map_or_else(|| hash(&Object::new().into()), hash)?;
    let capabilities: Vec<String> =
        capability::derive(tool.name(), schema).iter().map(|flag| flag.as_str().to_owned()).collect();
    let inspection = options.inspection.and_then(|policy| policy.block(tool.name())).cloned();

    let mut stored = Object::new();
    stored.insert("name", tool.name());
    stored.insert("description_hash", description_hash);
    stored.insert("input_schema_hash", input_schema_hash);
    stored.insert("capabilities", capabilities.clone());
    if let Some(block) = &inspection {
        stored.insert("inspection", block.clone());
    }
    let schema_skeleton = match (level.has_skeleton(), schema) {
        (false, _) => None,
        (true, None) => Some(Skeleton::default()),
        (true, Some(schema)) => Some(extract(schema, references, &mut budget)?),
    };
    if let Some(skeleton) = &schema_skeleton {
        stored.insert("schema_skeleton", skeleton);
    }
    let metadata = if level.has_metadata() { Some(build_metadata(tool, references, &mut budget)?) } else { None };
    let (records, bytes) = budget.spent();
    spent.set((spent.get().0 + records, spent.get().1 + bytes));
    if let Some(metadata) = &metadata {
        stored.insert("annotations_hash", metadata.annotations_hash);
        stored.insert("output_schema_hash", metadata.output_schema_hash);
        stored.insert("output_schema_skeleton", metadata.output_schema_skeleton.as_ref().map(Value::from));
    }
    let entry_digest = seal(&mut stored)?;
    Ok(ToolEntry {
        name: tool.name().to_owned(),
        description_hash,
        input_schema_hash,
        capabilities,
        schema_skeleton,
        metadata,
        inspection,
        entry_digest,
        stored,
    })
}

fn build_metadata(tool: &Tool, references: References, budget: &mut Budget) -> Result<ToolMetadata, Fault> {
    let hash_or_null = |value: Option<&Value>| value.map_or_else(|| hash(&Value::Null), hash);
    Ok(ToolMetadata {
        annotations_hash: hash_or_null(tool.annotations())?,
        output_schema_hash: hash_or_null(tool.output_schema())?,
        output_schema_skeleton: tool.output_schema().map(|schema| extract(schema, references, budget)).transpose()?,
    })
}

fn build_resource(resource: &Resource) -> Result<ResourceEntry, Fault> {
    let description_hash = hash_description(resource.description())?;
    let mut stored = Object::new();
    stored.insert("uri", resource.uri());
    stored.insert("name", resource.name());
    stored.insert("description_hash", description_hash);
    stored.insert("mime_type", resource.mime_type());
    let entry_digest = seal(&mut stored)?;
    Ok(ResourceEntry {
        uri: resource.uri().to_owned(),
        name: resource.name().map(str::to_owned),
        description_hash,
        mime_type: resource.mime_type().map(str::to_owned),
        entry_digest,
        stored,
    })
}

fn build_prompt(prompt: &Prompt, options: &BuildOptions<'_>) -> Result<PromptEntry, Fault> {
    let description_hash = hash_description(prompt.description())?;
    let arguments_hash = match prompt.arguments() {
        None => hash(&Value::Array(Vec::new()))?,
        Some(arguments) => hash(&options.prompt_arguments.apply(arguments))?,
    };
    let mut stored = Object::new();
    stored.insert("name", prompt.name());
    stored.insert("description_hash", description_hash);
    stored.insert("arguments_hash", arguments_hash);
    let entry_digest = seal(&mut stored)?;
    Ok(PromptEntry { name: prompt.name().to_owned(), description_hash, arguments_hash, entry_digest, stored })
}

/// Absent and null hash as the empty text (SPEC.md §5).
fn hash_description(description: Option<&str>) -> Result<Digest, CanonicalError> {
    hash(&description.unwrap_or_default().into())
}

/// Hashes the body and attaches the digest to it.
fn seal(body: &mut Object) -> Result<Digest, Fault> {
    // Each member stands one level below the body.
    if body.iter().any(|(_, member)| depth(member) >= MAX_BODY_DEPTH) {
        return Err(Fault::TooDeepForLock);
    }
    let digest = hash_members(body.iter())?;
    body.insert("entry_digest", digest);
    Ok(digest)
}
