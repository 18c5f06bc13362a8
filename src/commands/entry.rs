//! `--entry`: one entry in full, named by its target.

use super::error::CommandError;
use super::server::Observed;
use super::surface_file::{OldTexts, tell_texts};
use crate::lock::{Lock, PinnedSurface};
use crate::report::{Lengths, Report, Verdict, view};
use crate::surface::Section;
use crate::text::{Charset, escape, near, quote_argv, shorten};
use std::path::Path;

/// Characters of a name in an error.
const SHOWN_CHARS: usize = 200;

/// The target that `name` means: a target as reports show it, or the bare name of an entry where only one has it.
///
/// # Errors
/// Nothing of that name is among the targets, or more than one entry is.
pub(super) fn find(name: &str, targets: &[String]) -> Result<String, CommandError> {
    if let Some(target) = targets.iter().find(|target| *target == name) {
        return Ok(target.clone());
    }
    let bare: Vec<&String> =
        targets.iter().filter(|target| target.split_once('/').is_some_and(|(_, bare)| bare == name)).collect();
    let shown = |target: &str| escape(&shorten(target, SHOWN_CHARS), Charset::Unicode);
    match bare.as_slice() {
        [one] => Ok((*one).clone()),
        [] => {
            let error = CommandError::usage(format!("there is no entry \"{}\"", shown(name)));
            Err(match near_targets(name, targets).as_slice() {
                [] => error.hint("warden show lists the entries of the lock"),
                names => error.hint(format!("did you mean {}?", quote_argv(names).replace(' ', " or "))),
            })
        }
        several => {
            let names: Vec<String> = several.iter().map(|target| shown(target)).collect();
            Err(CommandError::usage(format!("\"{}\" is more than one entry: {}", shown(name), names.join(", ")))
                .hint("name it with its section: tools/NAME, resources/URI or prompts/NAME"))
        }
    }
}

/// The targets that are spelled most like a name, with or without their sections.
fn near_targets<'t>(name: &str, targets: &'t [String]) -> Vec<&'t str> {
    if name.contains('/') {
        return near(name, targets.iter().map(String::as_str));
    }
    let bare = |target: &'t str| target.split_once('/').map_or(target, |(_, bare)| bare);
    let names = near(name, targets.iter().map(|target| bare(target)));
    names
        .into_iter()
        .filter_map(|name| targets.iter().find(|target| bare(target) == name))
        .map(String::as_str)
        .collect()
}

/// The targets of all entries, in the order of their sections.
pub(super) fn targets(surface: &PinnedSurface) -> Vec<String> {
    Section::ALL.into_iter().flat_map(|section| surface.entries(section)).map(|entry| entry.target()).collect()
}

/// Narrows what people are shown to one entry, in full. The report keeps everything: formats for machines tell all of
/// it. Gives whether somebody keeps the texts of this lock in a file.
///
/// # Errors
/// Neither the lock nor the server has it, and nothing else is wrong: a check that failed says so whatever was asked for.
pub(super) fn show(
    name: &str,
    report: &mut Report,
    path: &Path,
    lock: &Lock,
    observed: &Observed,
) -> Result<bool, CommandError> {
    let mut all = targets(&lock.surface);
    all.extend(targets(&observed.pinned));
    all.extend(report.blocks.iter().map(|block| block.target.clone()));
    all.sort();
    all.dedup();
    let target = match find(name, &all) {
        Ok(target) => target,
        Err(error) if report.verdict == Verdict::Clean => return Err(error),
        Err(error) => {
            let hints = error.hints.iter().map(|hint| format!(" ({hint})"));
            let why = format!("everything is shown: {}{}", error.headline, hints.collect::<String>());
            report.notes.push(shorten(&why, 1_000));
            return Ok(tell_texts(report, path, lock, observed.shown(), None));
        }
    };
    let keeps_texts = tell_texts(report, path, lock, observed.shown(), Some(&target));
    if !report.blocks.iter().any(|block| block.target == target) {
        report.notes.push(format!("{} is as pinned", escape(&shorten(&target, 200), Charset::Unicode)));
        let texts = OldTexts::find(path, lock);
        let known = if let OldTexts::Known(surface) = &texts { Some(&**surface) } else { None };
        let mut shown = view(lock, known, Lengths::WHOLE);
        shown.retain(&target);
        report.view = Some(shown);
    }
    report.entry = Some(target);
    report.narrowed = true;
    Ok(keeps_texts)
}
