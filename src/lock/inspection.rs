//! Reviewed inspection blocks: the file they come from and the rules they obey (SPEC.md §14).

use super::{Lock, PinnedSurface};
use crate::json::{Object, Value};
use crate::text::{Charset, escape, shorten};
use std::collections::BTreeMap;

/// Inspection blocks by tool name, from a reviewed file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InspectionPolicy(BTreeMap<String, Object>);

/// A policy that may not be written into a lock. Names come from a file and are escaped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InspectionError {
    #[error("the document is {0}, not an object that maps tool names to blocks")]
    NotAnObject(&'static str),
    #[error("the block of tool {} is {kind}, not an object", quoted(tool))]
    BlockNotAnObject { tool: String, kind: &'static str },
    #[error(
        "the block of tool {} has the unknown member {} (known: expected_output_charset, may_return_urls, secret_echo_applies)",
        quoted(tool),
        quoted(member)
    )]
    UnknownMember { tool: String, member: String },
    #[error("the block of tool {}: {member} must be {expected}", quoted(tool))]
    BadValue { tool: String, member: String, expected: &'static str },
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(&shorten(text, 80), Charset::Unicode))
}

impl InspectionPolicy {
    /// Reads and validates a policy document: an object, tool name to block.
    ///
    /// # Errors
    /// The first block that is not an object, has a member that the format does not know, or a value out of its
    /// domain. A reader of locks is lenient here, a writer must not be.
    pub fn from_document(document: &Value) -> Result<Self, InspectionError> {
        let blocks = document.as_object().ok_or(InspectionError::NotAnObject(document.kind()))?;
        let validated = blocks.iter().map(|(tool, block)| {
            let object = block
                .as_object()
                .ok_or_else(|| InspectionError::BlockNotAnObject { tool: tool.to_owned(), kind: block.kind() })?;
            validate(tool, object)?;
            Ok((tool.to_owned(), object.clone()))
        });
        validated.collect::<Result<_, _>>().map(Self)
    }

    /// The blocks of a lock, as they stand there: a reader of locks takes what a writer would refuse.
    pub fn of_lock(lock: &Lock) -> Self {
        Self::as_stored(&lock.surface)
    }

    pub(super) fn as_stored(surface: &PinnedSurface) -> Self {
        let blocks = surface.tools.iter().filter_map(|tool| Some((tool.name.clone(), tool.inspection.clone()?)));
        Self(blocks.collect())
    }

    /// The block of a tool.
    pub fn block(&self, tool: &str) -> Option<&Object> {
        self.0.get(tool)
    }

    /// The tools that have a block, sorted.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

fn validate(tool: &str, block: &Object) -> Result<(), InspectionError> {
    for (member, value) in block.iter() {
        let expected = match (member, value) {
            ("expected_output_charset", Value::String(charset))
                if ["text", "extended", "binary-ok"].contains(&charset.as_str()) =>
            {
                continue;
            }
            ("may_return_urls" | "secret_echo_applies", Value::Bool(_)) => continue,
            ("expected_output_charset", _) => "\"text\", \"extended\" or \"binary-ok\"",
            ("may_return_urls" | "secret_echo_applies", _) => "true or false",
            _ => return Err(InspectionError::UnknownMember { tool: tool.to_owned(), member: member.to_owned() }),
        };
        return Err(InspectionError::BadValue { tool: tool.to_owned(), member: member.to_owned(), expected });
    }
    Ok(())
}
