//! Which format a text is of, by what it holds: names of files say nothing.

use super::document::MAX_FORMAT_BYTES;
use super::{Format, FormatError, LockFile, agentgate, contractpin, mcp};
use crate::json::member_spans;

/// The format of a text; `None` for `warden.lock`, for what is of several formats, and for everything else.
///
/// A text that is broken further down has a format all the same, so that the error is about that format.
pub fn detect(bytes: &[u8]) -> Option<Format> {
    let text = beginning(bytes);
    let members = member_spans(text);
    let has = |name: &str| members.iter().any(|(known, _)| known == name);
    if has("schema_version") && has("overall_digest") {
        return None;
    }
    let is_versioned = has("lockfileVersion");
    let is_agentgate = has("generatedBy") || has("agentgateVersion") || holds_hashes(&members);
    let signs = [
        (Format::Contractpin, has("contractpin")),
        (Format::Agentgate, is_versioned && is_agentgate),
        (Format::Mcp, is_versioned && has("generator")),
    ];
    let mut found = signs.into_iter().filter(|(_, shows)| *shows).map(|(format, _)| format);
    found.next().filter(|_| found.next().is_none())
}

/// The part of a text that can be looked at: not more than a file may have, and up to the first byte that is no UTF-8.
fn beginning(bytes: &[u8]) -> &str {
    let bytes = &bytes[..bytes.len().min(MAX_FORMAT_BYTES)];
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    text.trim_start_matches('\u{feff}')
}

/// Whether a server has the hash over its surface that only agentgate.lock has.
fn holds_hashes(members: &[(String, &str)]) -> bool {
    let servers = members.iter().filter(|(name, _)| name == "servers").flat_map(|(_, text)| member_spans(text));
    servers.take(100).any(|(_, server)| {
        let is_hash = |name: &str| name == "surfaceHash" || name == "toolSurfaceHash";
        member_spans(server).iter().any(|(name, _)| is_hash(name))
    })
}

/// Reads a file of a format.
///
/// # Errors
/// Everything that is not a whole and consistent file of a version that this program knows.
pub fn read(format: Format, bytes: &[u8]) -> Result<Box<dyn LockFile>, FormatError> {
    match format {
        Format::Contractpin => Ok(Box::new(contractpin::read(bytes)?)),
        Format::Agentgate => Ok(Box::new(agentgate::read(bytes)?)),
        Format::Mcp => mcp::read(bytes),
    }
}

/// A file of a format without servers, to which some can be added. agentgate.lock is as its tool writes it.
pub fn empty(format: Format) -> Box<dyn LockFile> {
    match format {
        Format::Contractpin => Box::new(contractpin::empty()),
        Format::Agentgate => Box::new(agentgate::empty(agentgate::Dialect::Shipped)),
        Format::Mcp => mcp::empty(),
    }
}
