//! Taking some entries of a surface into a lock, and leaving the others as they were pinned.

use super::PinnedSurface;
use crate::json::CanonicalError;
use crate::surface::{Section, entry_target};
use std::collections::BTreeSet;

/// Entries that somebody named: section and identity, raw.
pub type Choice = BTreeSet<(Section, String)>;

/// The targets of the entries of a choice.
pub fn targets(choice: &Choice) -> BTreeSet<String> {
    choice.iter().map(|(section, identity)| entry_target(*section, identity)).collect()
}

impl PinnedSurface {
    /// This surface with the chosen entries as `current` has them: replaced, added or gone. The launch and every other
    /// entry stay; the overall digest is computed anew. Both are of one level.
    ///
    /// # Errors
    /// None in practice: digests always have a canonical form.
    pub fn with_chosen(&self, current: &Self, choice: &Choice) -> Result<Self, CanonicalError> {
        let chosen = |section, identity: &str| choice.contains(&(section, identity.to_owned()));
        let (mut merged, current) = (self.clone(), current.clone());
        merged.tools.retain(|tool| !chosen(Section::Tools, &tool.name));
        merged.tools.extend(current.tools.into_iter().filter(|tool| chosen(Section::Tools, &tool.name)));
        merged.tools.sort_by(|a, b| a.name.cmp(&b.name));
        merged.resources.retain(|resource| !chosen(Section::Resources, &resource.uri));
        merged.resources.extend(current.resources.into_iter().filter(|entry| chosen(Section::Resources, &entry.uri)));
        merged.resources.sort_by(|a, b| a.uri.cmp(&b.uri));
        merged.prompts.retain(|prompt| !chosen(Section::Prompts, &prompt.name));
        merged.prompts.extend(current.prompts.into_iter().filter(|prompt| chosen(Section::Prompts, &prompt.name)));
        merged.prompts.sort_by(|a, b| a.name.cmp(&b.name));
        merged.overall_digest = merged.compute_overall_digest()?;
        Ok(merged)
    }
}
