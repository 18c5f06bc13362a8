//! Rules about a run of this tool itself.

use super::super::Severity::High;
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[new(
    "WRD-COMMAND-FAILED",
    High,
    "`warden` could not do what it was told, so nothing was checked.",
    "An argument is wrong, or a lock or another file cannot be read, is invalid, or may not be replaced. Nothing is known \
     about the server until a check runs to its end.",
    "The message says what is wrong. Mend it, run the command again, and until then treat this as a failed check.",
)];
