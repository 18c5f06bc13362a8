//! Whether a surface is the one that a lock was made of.

use super::{BuildOptions, InspectionPolicy, Lock, PinnedSurface, PromptArguments, build};
use crate::surface::{Section, Surface};

impl Lock {
    /// Whether this surface gives every entry digest of the lock, and no other: then its texts are the texts that were
    /// pinned, as far as the lock's level commits to them.
    ///
    /// A lock whose entries contradict their own digests is reproduced by nothing: which of the two a text would belong
    /// to cannot be said.
    pub fn is_reproduced_by(&self, surface: &Surface) -> bool {
        let pinned = &self.surface;
        if !Section::ALL.into_iter().all(|section| is_true_to_itself(pinned, section)) {
            return false;
        }
        // Blocks are reviewed on their own and come from no server, so the lock's own are taken.
        let inspection = InspectionPolicy::as_stored(pinned);
        // Other tools do not record which form of prompt arguments they hash.
        [PromptArguments::AsSent, PromptArguments::Normalized].into_iter().any(|prompt_arguments| {
            let options = BuildOptions {
                level: pinned.level,
                inspection: Some(&inspection),
                prompt_arguments,
                out_of_time: &|| false,
            };
            build(surface, &pinned.launch, &options)
                .is_ok_and(|built| Section::ALL.into_iter().all(|section| same_entries(pinned, &built, section)))
        })
    }
}

fn is_true_to_itself(pinned: &PinnedSurface, section: Section) -> bool {
    pinned.entries(section).all(|entry| entry.recompute_digest(pinned.level) == Ok(entry.digest))
}

/// In whatever order: other tools may have written the lock.
fn same_entries(pinned: &PinnedSurface, built: &PinnedSurface, section: Section) -> bool {
    let sorted = |surface: &PinnedSurface| {
        let mut entries: Vec<_> =
            surface.entries(section).map(|entry| (entry.identity.to_owned(), entry.digest)).collect();
        entries.sort();
        entries
    };
    pinned.count(section) == built.count(section) && sorted(pinned) == sorted(built)
}
