//! Exit statuses: the only place with their numbers (docs/exit-codes.md).

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
