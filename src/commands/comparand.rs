//! One side of a comparison: a lock, or a surface file that is made into one.

use super::CommandError;
use super::error::shown_path;
use crate::checks;
use crate::json::{ParseLimits, parse};
use crate::lock::file::read_named;
use crate::lock::wire::{self, NewPin};
use crate::lock::{BuildOptions, InspectionPolicy, Level, Lock, PromptArguments, WardenPin, build};
use crate::surface::file::{DEFAULT_MAX_ENTRIES, SurfaceFile, read};
use crate::surface::{Launch, Surface};
use crate::text::{Charset, escape};
use std::path::{Path, PathBuf};

/// A file as it was read.
pub(super) struct Loaded {
    path: PathBuf,
    content: Content,
}

enum Content {
    /// With its text.
    Lock(Box<Lock>, String),
    Surface(Box<SurfaceFile>),
}

/// A side, ready to be compared.
pub(super) struct Comparand {
    pub path: PathBuf,
    /// As it was read, or made of a surface file.
    pub lock: Lock,
    /// Of a lock as it stands in the file; empty for a surface file.
    pub lock_text: String,
    pub is_lock: bool,
    /// What a surface file says; a lock has only hashes.
    pub texts: Option<Surface>,
    /// What a reader should know about the file; escaped.
    pub notes: Vec<String>,
}

impl Comparand {
    /// The path as the user gave it; raw.
    pub fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }
}

impl Loaded {
    /// Reads a file, a pipe, or for `-` standard input.
    ///
    /// # Errors
    /// It cannot be read, or is neither a lock nor a surface file.
    pub fn load(path: &Path) -> Result<Self, CommandError> {
        let shown = shown_path(path);
        let bytes = read_named(path, wire::MAX_LOCK_BYTES)
            .map_err(|error| CommandError::file(format!("{shown} could not be read"), error.to_string()))?;
        let content = match claims_to_be_a_lock(&bytes) {
            true => {
                let lock = wire::read(&bytes).map_err(|error| {
                    CommandError::file(format!("{shown} could not be read as a lock"), error.to_string())
                })?;
                Content::Lock(Box::new(lock), String::from_utf8_lossy(&bytes).into_owned())
            }
            false => Content::Surface(Box::new(read(&bytes, DEFAULT_MAX_ENTRIES).map_err(|error| {
                CommandError::file(
                    format!("{shown} is neither a lock nor a surface that can be used"),
                    escape(&error.to_string(), Charset::Unicode),
                )
                .hint("to compare a lock with what the server declares now: warden check")
            })?)),
        };
        Ok(Self { path: path.to_owned(), content })
    }

    pub fn lock(&self) -> Option<&Lock> {
        match &self.content {
            Content::Lock(lock, _) => Some(lock),
            Content::Surface(_) => None,
        }
    }

    /// How the server was started, where the file says so.
    pub fn launch(&self) -> Option<Launch> {
        match &self.content {
            Content::Lock(lock, _) => Some(lock.surface.launch.clone()),
            Content::Surface(file) => file.launch.clone(),
        }
    }

    /// Makes a lock of a surface file, as a pin would.
    ///
    /// # Errors
    /// What a pin of it would have been refused for.
    pub fn into_comparand(
        self,
        launch: &Launch,
        inspection: &InspectionPolicy,
        prompt_arguments: PromptArguments,
    ) -> Result<Comparand, CommandError> {
        let Self { path, content } = self;
        let file = match content {
            Content::Lock(lock, lock_text) => {
                return Ok(Comparand { path, lock: *lock, lock_text, is_lock: true, texts: None, notes: Vec::new() });
            }
            Content::Surface(file) => *file,
        };
        let shown = shown_path(&path);
        let unusable =
            |cause: String| CommandError::file(format!("{shown} holds a surface that cannot be pinned"), cause);
        let options = BuildOptions {
            level: Level::CURRENT,
            inspection: Some(inspection),
            prompt_arguments,
            out_of_time: &|| false,
        };
        let pinned = build(&file.surface, launch, &options).map_err(|error| unusable(error.to_string()))?;
        let findings = checks::run(&file.surface, launch);
        let pin = NewPin {
            created_at: "",
            warden_version: env!("CARGO_PKG_VERSION"),
            mcp_protocol_version: &file.surface.about.protocol_version,
            approver: None,
            actor: None,
            environment: None,
            warden: WardenPin {
                allow_missing: file.missing.clone(),
                prompt_arguments,
                not_covered: checks::not_covered(&file.surface),
                started_with: crate::json::Object::new(),
                approved_settings: None,
            },
            previous: None,
        };
        let text = wire::render(&pinned, &findings, &pin);
        let lock = wire::read(text.as_bytes()).map_err(|error| unusable(error.to_string()))?;
        let mut notes = Vec::new();
        if file.launch.is_none() {
            notes.push(format!("{shown} does not say how the server was started, so that is not compared"));
        }
        let empty: Vec<&str> = file.unlisted.union(&file.missing).map(|section| section.key()).collect();
        if !empty.is_empty() {
            notes.push(format!("{shown} holds no list of {}: they count as empty", empty.join(" and ")));
        }
        Ok(Comparand { path, lock, lock_text: String::new(), is_lock: false, texts: Some(file.surface), notes })
    }
}

/// Whether a text is meant to be a lock, so that an error says what is wrong with it as one.
fn claims_to_be_a_lock(bytes: &[u8]) -> bool {
    let max_depth = crate::json::MAX_DEPTH + 8;
    let limits = ParseLimits { max_bytes: wire::MAX_LOCK_BYTES, max_depth, max_values: wire::MAX_LOCK_VALUES };
    let document = parse(bytes, &limits);
    document.is_ok_and(|document| ["schema_version", "overall_digest"].iter().any(|name| document.get(name).is_some()))
}
