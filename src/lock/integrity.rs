//! Whether a stored lock is true to itself (SPEC.md §18).
//!
//! The verdict may rest on a stored digest only if the rest of the file reproduces it: otherwise editing one line
//! would make any server clean.

use super::Lock;
use crate::json::Digest;
use crate::surface::Section;

/// One place where a lock contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inconsistency {
    /// `launch/command`, an entry's target, `lock/overall_digest` or `pin/approved`; raw text.
    pub target: String,
    /// What does not fit, in our words; holds no text of the lock.
    pub problem: String,
}

const LAUNCH: &str = "launch/command";

impl Lock {
    /// Every place where the lock does not reproduce its own digests, in file order; empty for a consistent lock.
    pub fn inconsistencies(&self) -> Vec<Inconsistency> {
        let surface = &self.surface;
        let mut found: Vec<Inconsistency> =
            mismatch(LAUNCH, "the command digest", surface.command_digest, surface.launch.digest().ok())
                .into_iter()
                .collect();
        if self.stray_launch {
            found.push(Inconsistency {
                target: LAUNCH.to_owned(),
                problem: "a command or arguments stand beside the URL, and no digest covers them".to_owned(),
            });
        }
        for entry in Section::ALL.into_iter().flat_map(|section| surface.entries(section)) {
            let computed = entry.recompute_digest(surface.level).ok();
            found.extend(mismatch(&entry.target(), "the entry digest", entry.digest, computed));
        }
        let computed = surface.compute_overall_digest().ok();
        found.extend(mismatch("lock/overall_digest", "the overall digest", surface.overall_digest, computed));
        if !self.pin.approval.approved && self.pin.approval.has_remains() {
            found.push(Inconsistency {
                target: "pin/approved".to_owned(),
                problem: "approved is false, yet approver, approval time or approved digest are filled in".to_owned(),
            });
        }
        found
    }
}

fn mismatch(target: &str, what: &str, stored: Digest, computed: Option<Digest>) -> Option<Inconsistency> {
    if computed == Some(stored) {
        return None;
    }
    let computed = computed.map_or_else(|| "nothing that can be hashed".to_owned(), |digest| digest.abbreviated());
    let problem = format!("{what} is stored as {} but its members give {computed}", stored.abbreviated());
    Some(Inconsistency { target: target.to_owned(), problem })
}
