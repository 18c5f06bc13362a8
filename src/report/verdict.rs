//! The one word that stands for the outcome of a run.

/// The one word that stands for the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was checked and nothing differs.
    Clean,
    /// Something differs from the lock.
    Drift,
    /// Nothing drifted, but the lock contradicts itself.
    Inconsistent,
    /// Nothing drifted, but an approval was demanded and there is none that holds.
    NotApproved,
    /// Nothing drifted, but a finding was accepted until a day that is past.
    Expired,
    /// The server could not be asked, so nothing is known.
    NotChecked,
    /// A lock was written.
    Pinned,
    /// The lock on disk says the same already and was left alone.
    Unchanged,
    /// The server could not be asked, so nothing was written.
    NotPinned,
    /// An approved lock would be replaced, which nobody asked for.
    Refused,
    /// A lock was shown; nothing was judged.
    Shown,
    /// A lock was approved as it is.
    Approved,
    /// Two files say the same.
    Same,
    /// Two files differ, or one contradicts itself; nobody asked for a judgement.
    Different,
    /// A surface was written to a file.
    Captured,
    /// The server could not be asked, so no surface was written.
    NotCaptured,
    /// A server of the project that nobody asked, because its settings say so.
    Skipped,
    /// A server of the project that nobody asked, because nothing about it changed.
    NotAsked,
    /// A server that the project configures and no lock covers.
    NotLocked,
    /// A lock whose server the project does not configure.
    NotConfigured,
    /// One server of several could not be looked at, because an argument or a file is wrong.
    Failed,
    /// A look at the project's settings found something to mend.
    Findings,
}

impl Verdict {
    /// The word in reports for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Clean => "CLEAN",
            Self::Drift => "DRIFT",
            Self::Inconsistent => "INCONSISTENT",
            Self::NotApproved => "NOT APPROVED",
            Self::Expired => "EXPIRED",
            Self::NotChecked => "NOT CHECKED",
            Self::Pinned => "PINNED",
            Self::Unchanged => "UNCHANGED",
            Self::NotPinned => "NOT PINNED",
            Self::Refused => "REFUSED",
            Self::Shown => "LOCK",
            Self::Approved => "APPROVED",
            Self::Same => "SAME",
            Self::Different => "DIFFERENT",
            Self::Captured => "CAPTURED",
            Self::NotCaptured => "NOT CAPTURED",
            Self::Skipped => "SKIPPED",
            Self::NotAsked => "NOT ASKED",
            Self::NotLocked => "NOT LOCKED",
            Self::NotConfigured => "NOT CONFIGURED",
            Self::Failed => "ERROR",
            Self::Findings => "FINDINGS",
        }
    }

    /// The word in machine formats.
    pub fn id(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Drift => "drift",
            Self::Inconsistent => "inconsistent",
            Self::NotApproved => "not-approved",
            Self::Expired => "expired",
            Self::NotChecked => "not-checked",
            Self::Pinned => "pinned",
            Self::Unchanged => "unchanged",
            Self::NotPinned => "not-pinned",
            Self::Refused => "refused",
            Self::Shown => "shown",
            Self::Approved => "approved",
            Self::Same => "same",
            Self::Different => "different",
            Self::Captured => "captured",
            Self::NotCaptured => "not-captured",
            Self::Skipped => "skipped",
            Self::NotAsked => "not-asked",
            Self::NotLocked => "not-locked",
            Self::NotConfigured => "not-configured",
            Self::Failed => "failed",
            Self::Findings => "findings",
        }
    }
}
