//! Exit statuses: the only place with their numbers (docs/exit-codes.md).

use crate::commands::{CommandError, ErrorKind};
use crate::formats::Format;
use crate::report::Verdict;
use std::process::ExitCode;

/// How the process ends. A verdict decides it, whatever the output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Checked and clean; or done.
    Success,
    /// Something differs from the lock, or the lock does not hold.
    Drift,
    /// Wrong arguments; a lock or configuration that is unreadable, invalid or must not be replaced.
    Usage,
    /// A server could not be captured, so nothing is known about it.
    NotCaptured,
}

impl ExitStatus {
    /// The number that the operating system sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Drift => 1,
            Self::Usage => 2,
            Self::NotCaptured => 3,
        }
    }

    /// The status of an error.
    pub fn of_error(error: &CommandError) -> Self {
        match error.kind {
            ErrorKind::Usage | ErrorKind::File => Self::Usage,
            ErrorKind::Foreign(format) => Self::in_table(Self::Usage, format),
        }
    }

    /// The status of a verdict about a lock file of another tool: the code that this tool would return.
    pub fn in_table(status: Self, format: Format) -> Self {
        let table = format.exit_table();
        let code = match status {
            Self::Success => 0,
            Self::Drift => table.drift,
            Self::Usage => table.invalid,
            Self::NotCaptured => table.not_captured,
        };
        [Self::Success, Self::Drift, Self::Usage]
            .into_iter()
            .find(|known| known.code() == code)
            .unwrap_or(Self::NotCaptured)
    }

    /// The status of a verdict.
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Clean
            | Verdict::Pinned
            | Verdict::Unchanged
            | Verdict::Shown
            | Verdict::Approved
            | Verdict::Same
            | Verdict::Different
            | Verdict::Captured
            | Verdict::Skipped
            | Verdict::NotAsked => Self::Success,
            Verdict::Drift
            | Verdict::Inconsistent
            | Verdict::NotApproved
            | Verdict::Expired
            | Verdict::NotLocked
            | Verdict::NotConfigured
            | Verdict::Findings => Self::Drift,
            Verdict::Refused | Verdict::Failed => Self::Usage,
            Verdict::NotChecked | Verdict::NotPinned | Verdict::NotCaptured => Self::NotCaptured,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        status.code().into()
    }
}
