//! What a run looked at, and what it did not: part of the report model.

/// What was looked at, and what was not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// The level whose digest was computed of what is there now.
    pub level: u8,
    /// Each list that was asked for, and what came of it.
    pub sections: Vec<(&'static str, SectionState)>,
    /// How the pinned entries compare; `None` where there is no lock to compare with.
    pub compared: Option<Tally>,
    /// What the server declares and no digest covers, in words; escaped already.
    pub not_covered: Vec<String>,
}

/// What came of asking for a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionState {
    /// So many entries.
    Listed(usize),
    /// The server says that it does not have this list, and it counts as empty.
    Unsupported,
    /// Declared, answered with "method not found", and accepted as missing by the user.
    AcceptedMissing,
    /// A surface file says nothing about it, and it counts as empty.
    NotRecorded,
}

impl SectionState {
    /// For people.
    pub fn words(self) -> String {
        match self {
            Self::Listed(count) => count.to_string(),
            Self::Unsupported => "not supported".to_owned(),
            Self::AcceptedMissing => "missing, accepted by --allow-missing".to_owned(),
            Self::NotRecorded => "not in the file".to_owned(),
        }
    }

    /// For machines.
    pub fn id(self) -> &'static str {
        match self {
            Self::Listed(_) => "listed",
            Self::Unsupported => "unsupported",
            Self::AcceptedMissing => "accepted-missing",
            Self::NotRecorded => "not-recorded",
        }
    }
}

/// How the entries of a lock compare with those that are there now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub same: usize,
    pub changed: usize,
    pub gone: usize,
    pub new: usize,
}
