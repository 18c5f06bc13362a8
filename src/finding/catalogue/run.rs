//! Rules about a run of this tool itself.

use super::super::Severity::High;
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[new(
    "WRD-COMMAND-FAILED",
    High,
    "warden could not do what it was told, so nothing was checked.",
    "An argument is wrong, or a lock or another file cannot be read, is invalid, or may not be replaced. The message \
         says which. Nothing is known about the server until a check runs to its end, so treat this as a failed check.",
)];
