//! The two eras of the protocol, and the revisions of each.
//!
//! A legacy server opens a session with `initialize`; a modern one has no handshake, and every request says for itself
//! which revision it speaks. The same server may declare different things in the two, so a lock belongs to one.

use std::fmt;

/// An era of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Era {
    /// Sessions that begin with `initialize`.
    Legacy,
    /// Requests that carry their revision, from 2026-07-28 on.
    Modern,
}

impl Era {
    /// The revisions that are understood, oldest first. Exactly these: a version is never compared as a date.
    pub fn versions(self) -> &'static [&'static str] {
        match self {
            Self::Legacy => &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"],
            Self::Modern => &["2026-07-28"],
        }
    }

    /// The revision that is asked for first.
    pub fn newest(self) -> &'static str {
        match self {
            Self::Legacy => "2025-11-25",
            Self::Modern => "2026-07-28",
        }
    }

    /// The era of a revision, `None` for one that is not known.
    pub fn of_version(version: &str) -> Option<Self> {
        [Self::Legacy, Self::Modern].into_iter().find(|era| era.versions().contains(&version))
    }

    /// The request that a conversation begins with.
    pub fn first_method(self) -> &'static str {
        match self {
            Self::Legacy => "initialize",
            Self::Modern => "server/discover",
        }
    }

    /// The era that this one is not.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Legacy => Self::Modern,
            Self::Modern => Self::Legacy,
        }
    }
}

impl fmt::Display for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_belongs_to_one_era_or_is_unknown() {
        for era in [Era::Legacy, Era::Modern] {
            assert_eq!(era.versions().last(), Some(&era.newest()));
            assert!(era.versions().iter().all(|version| Era::of_version(version) == Some(era)));
        }
        for unknown in ["", "2024-10-07", "2026-07-29", " 2026-07-28", "draft"] {
            assert_eq!(Era::of_version(unknown), None, "{unknown}");
        }
    }
}
