//! `warden pin --tool NAME`: which entries of a drifted server are accepted, while the rest of the lock stays.

use super::CommandError;
use super::error::shown_path;
use super::server::{Observed, Plan};
use crate::drift::{APPROVAL_TARGET, DIGEST_TARGET};
use crate::json::compact;
use crate::lock::{Choice, Level, Lock, PinnedSurface, targets};
use crate::report::{Block, Report};
use crate::surface::file::{MAX_SURFACE_BYTES, read, write};
use crate::surface::{Launch, Section, Surface};
use crate::text::{Charset, escape, near, shorten};
use clap::{ArgAction, Args};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Which entries to accept, where it is not all of them.
#[derive(Debug, Clone, Default, Args)]
pub struct ChosenArgs {
    /// Accept what changed in this tool only, and leave the rest of the lock as it is. May be repeated, and goes with
    /// --resource and --prompt
    #[arg(long, value_name = "NAME", action = ArgAction::Append, allow_hyphen_values = true, help_heading = "Some entries only")]
    pub tool: Vec<String>,

    /// Accept what changed in this resource only
    #[arg(long, value_name = "URI", action = ArgAction::Append, allow_hyphen_values = true, help_heading = "Some entries only")]
    pub resource: Vec<String>,

    /// Accept what changed in this prompt only
    #[arg(long, value_name = "NAME", action = ArgAction::Append, allow_hyphen_values = true, help_heading = "Some entries only")]
    pub prompt: Vec<String>,
}

impl ChosenArgs {
    /// The entries that were named; `None` where none was, which means all.
    pub(super) fn choice(&self) -> Option<Choice> {
        let named =
            [(Section::Tools, &self.tool), (Section::Resources, &self.resource), (Section::Prompts, &self.prompt)];
        let choice: Choice = named
            .into_iter()
            .flat_map(|(section, names)| names.iter().map(move |name| (section, name.clone())))
            .collect();
        Some(choice).filter(|choice| !choice.is_empty())
    }

    /// The options as another command line repeats them.
    pub(super) fn words(&self) -> Vec<String> {
        let named = [("--tool", &self.tool), ("--resource", &self.resource), ("--prompt", &self.prompt)];
        let word = |option: &str, name: &String| format!("{option}={name}");
        named.iter().flat_map(|(option, names)| names.iter().map(|name| word(option, name))).collect()
    }
}

/// Refuses what cannot be merged, before anything is started: the rest of the lock has to stay true.
///
/// # Errors
/// There is no lock, it does not hold, it is of another level, or the launch is not the pinned one.
pub(super) fn check_baseline<'l>(
    path: &Path,
    previous: Option<&'l Lock>,
    launch: Option<&Launch>,
    normalize: bool,
) -> Result<&'l Lock, CommandError> {
    let shown = shown_path(path);
    let Some(lock) = previous else {
        return Err(CommandError::usage(format!(
            "there is no lock at {shown} that could keep its other entries: --tool, --resource and --prompt change one"
        ))
        .hint("leave them out to pin everything"));
    };
    let refused = |cause: &str| {
        CommandError::file(format!("{shown} cannot be accepted in part"), cause)
            .hint("pin everything anew, without --tool, --resource and --prompt")
    };
    if lock.surface.level != Level::CURRENT {
        return Err(refused(&format!(
            "it is of level {}, and new entries are of level {}: one digest cannot cover both",
            lock.surface.level.number(),
            Level::CURRENT.number()
        )));
    }
    if !lock.inconsistencies().is_empty() {
        return Err(refused("it does not reproduce its own digests, so what would stay is not what was pinned"));
    }
    if Section::ALL.into_iter().any(|section| has_repeated(&lock.surface, section)) {
        return Err(refused("it holds two entries of one name"));
    }
    if launch.is_some_and(|launch| launch.digest().ok() != Some(lock.surface.command_digest)) {
        return Err(refused("the launch is not the pinned one: what another command declares belongs in a new lock"));
    }
    let recorded = lock.pin.warden.prompt_arguments == crate::lock::PromptArguments::Normalized;
    if normalize && !recorded {
        return Err(refused("its prompts were hashed as sent, and --normalize-prompt-arguments would mix two forms"));
    }
    Ok(lock)
}

fn has_repeated(surface: &PinnedSurface, section: Section) -> bool {
    let mut seen = BTreeSet::new();
    surface.entries(section).any(|entry| !seen.insert(entry.identity))
}

/// Refuses names that neither side has, and says which come near.
///
/// # Errors
/// The first such name.
pub(super) fn check_known(choice: &Choice, old: &PinnedSurface, now: &PinnedSurface) -> Result<(), CommandError> {
    for (section, name) in choice {
        let known: BTreeSet<&str> =
            [old, now].into_iter().flat_map(|side| side.entries(*section)).map(|entry| entry.identity).collect();
        if known.contains(name.as_str()) {
            continue;
        }
        let shown = |name: &str| escape(&shorten(name, 80), Charset::Unicode);
        let error = CommandError::usage(format!(
            "neither the lock nor the server has a {} \"{}\", so nothing was changed",
            section.singular(),
            shown(name)
        ));
        let near: Vec<String> = near(name, known).into_iter().filter(|_| !name.is_empty()).map(shown).collect();
        return Err(match near.as_slice() {
            [] => {
                error.hint(format!("names are compared exactly; warden show lists the {} of the lock", section.key()))
            }
            near => error.hint(format!("similar: {}", near.join(", "))),
        });
    }
    Ok(())
}

/// Parts the differences from the old lock: those that are accepted stay in the report's blocks, the others are there
/// still.
pub(super) fn part(report: &mut Report, choice: &Choice, merged: &PinnedSurface, observed: &Observed, approved: bool) {
    let targets = targets(choice);
    let is_whole = merged.overall_digest == observed.pinned.overall_digest;
    let is_accepted = |block: &Block| match block.target.as_str() {
        APPROVAL_TARGET => is_whole || !approved,
        DIGEST_TARGET => is_whole,
        target => targets.contains(target),
    };
    let (accepted, remaining) = std::mem::take(&mut report.blocks).into_iter().partition(is_accepted);
    report.blocks = accepted;
    report.remaining = Some(remaining);
    // The old approval is gone. That the new one is not for what was left out is said by what was left out.
    if let Some(remaining) = report.remaining.as_mut().filter(|_| approved) {
        remaining.retain(|block| block.target != APPROVAL_TARGET);
    }
}

/// The texts of a merged lock: of chosen entries those of the server, of the others those that were kept. `None` where
/// they do not give the lock, or would be larger than a reader accepts.
pub(super) fn merged_document(
    plan: &Plan,
    observed: &Observed,
    old: &Surface,
    choice: &Choice,
    lock: &Lock,
) -> Option<String> {
    let mut raw = observed.raw.clone();
    for section in Section::ALL {
        let entries: Vec<String> = {
            let (old, new) = (raw_entries(old, section), raw_entries(&observed.surface, section));
            let source = |identity: &str| {
                let side = if choice.contains(&(section, identity.to_owned())) { &new } else { &old };
                side.get(identity).cloned()
            };
            lock.surface.entries(section).map(|entry| source(entry.identity)).collect::<Option<_>>()?
        };
        let method = format!("{}/list", section.key());
        let pages = raw.pages_mut(section);
        if !entries.is_empty() || !pages.is_empty() {
            *pages = vec![format!("{{\"{}\":[{}]}}", section.key(), entries.join(","))];
            raw.errors.remove(&method);
        }
    }
    let text = write(Some(&plan.launch), &observed.surface.about.protocol_version, &raw);
    let most = Section::ALL.into_iter().map(|section| lock.surface.count(section)).max().unwrap_or(0);
    let file = (text.len() <= MAX_SURFACE_BYTES).then(|| read(text.as_bytes(), most.max(1)).ok())??;
    lock.is_reproduced_by(&file.surface).then_some(text)
}

/// Every entry of a section as JSON text, by identity.
fn raw_entries(surface: &Surface, section: Section) -> HashMap<&str, String> {
    let text = |object: &crate::json::Object| compact(&object.clone().into());
    match section {
        Section::Tools => surface.tools.iter().map(|entry| (entry.name(), text(entry.raw()))).collect(),
        Section::Resources => surface.resources.iter().map(|entry| (entry.uri(), text(entry.raw()))).collect(),
        Section::Prompts => surface.prompts.iter().map(|entry| (entry.name(), text(entry.raw()))).collect(),
    }
}
