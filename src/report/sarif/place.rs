//! Where a result stands: a line of the lock, and the entry by its name.

use super::Place;
use crate::json::Object;
use crate::report::json::number;

/// The root of the repository, by the name that code scanning services give it.
const ROOT: &str = "%SRCROOT%";
/// The place of results where no lock is in play (SPEC.md §22).
const DEFAULT_LOCK: &str = "warden.lock";

/// What the base of relative places is.
pub(super) fn bases() -> Object {
    let text: Object = [("text", "The root of the repository that holds the lock.")].into_iter().collect();
    let description: Object = [("description", text)].into_iter().collect();
    [(ROOT, description)].into_iter().collect()
}

/// A location: a line of a file, and the target where there is one.
pub(super) fn location(place: &Place<'_>, target: &str) -> Object {
    let mut artifact = Object::new();
    match uri(place.uri) {
        Uri::Relative(uri) => {
            artifact.insert("uri", uri);
            artifact.insert("uriBaseId", ROOT);
        }
        Uri::Absolute(uri) => artifact.insert("uri", uri),
    }
    let mut region = Object::new();
    region.insert("startLine", number(place.line));
    if let Some(column) = place.column {
        region.insert("startColumn", number(column));
    }
    let mut physical = Object::new();
    physical.insert("artifactLocation", artifact);
    physical.insert("region", region);
    let mut location = Object::new();
    location.insert("physicalLocation", physical);
    if !target.is_empty() {
        let members = [("fullyQualifiedName", target), ("kind", "resource")];
        let logical: Object = members.into_iter().collect();
        location.insert("logicalLocations", vec![logical]);
    }
    location
}

#[derive(Debug, PartialEq, Eq)]
enum Uri {
    Relative(String),
    Absolute(String),
}

/// A path with forward slashes as a URI.
fn uri(path: &str) -> Uri {
    let path = if path.is_empty() { DEFAULT_LOCK } else { path };
    // What Windows calls a path beyond the usual limits.
    let path = path.strip_prefix("//?/").unwrap_or(path);
    let encoded = encode(path);
    let mut chars = path.chars();
    let has_drive = chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.as_str().starts_with(":/");
    match () {
        () if has_drive => Uri::Absolute(format!("file:///{}", encoded.replacen("%3A", ":", 1))),
        () if path.starts_with('/') => Uri::Absolute(format!("file://{encoded}")),
        () => Uri::Relative(encoded),
    }
}

/// Percent-encodes everything but unreserved characters and slashes.
fn encode(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        let relative = [
            ("warden.lock", "warden.lock"),
            ("", "warden.lock"),
            ("a b/ü#?%.lock", "a%20b/%C3%BC%23%3F%25.lock"),
            ("c:d.lock", "c%3Ad.lock"),
            ("../up.lock", "../up.lock"),
        ];
        for (path, expected) in relative {
            assert_eq!(uri(path), Uri::Relative(expected.to_owned()), "{path}");
        }
        let absolute =
            [("/tmp/x y", "file:///tmp/x%20y"), ("C:/a b", "file:///C:/a%20b"), ("//?/C:/a", "file:///C:/a")];
        for (path, expected) in absolute {
            assert_eq!(uri(path), Uri::Absolute(expected.to_owned()), "{path}");
        }
    }
}
