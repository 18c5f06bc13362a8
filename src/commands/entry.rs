//! `--entry`: one entry in full, named by its target.

use super::error::CommandError;
use super::server::Observed;
use super::surface_file::{OldTexts, tell_texts};
use crate::lock::{Lock, PinnedSurface};
use crate::report::{Lengths, Report, Verdict, view};
use crate::surface::Section;
use crate::text::{Charset, escape, quote_argv, shorten};
use similar::{Algorithm, capture_diff_slices, get_diff_ratio};
use std::path::Path;

/// Targets that are suggested for one that is not there.
const SUGGESTED: usize = 3;
/// Targets that are looked at for suggestions, and characters of each.
const COMPARED: usize = 2_000;
const COMPARED_CHARS: usize = 200;

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
    let shown = |target: &str| escape(&shorten(target, COMPARED_CHARS), Charset::Unicode);
    match bare.as_slice() {
        [one] => Ok((*one).clone()),
        [] => {
            let error = CommandError::usage(format!("there is no entry \"{}\"", shown(name)));
            Err(match near(name, targets).as_slice() {
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

/// The targets that are spelled most like a name, the nearest first.
fn near<'t>(name: &str, targets: &'t [String]) -> Vec<&'t str> {
    const NEAR: f32 = 0.6;
    let letters = |text: &str| text.to_lowercase().chars().take(COMPARED_CHARS).collect::<Vec<char>>();
    let wanted = letters(name);
    let likeness = |text: &str| {
        let letters = letters(text);
        get_diff_ratio(&capture_diff_slices(Algorithm::Myers, &wanted, &letters), wanted.len(), letters.len())
    };
    let score = |target: &'t String| {
        let bare = target.split_once('/').map_or(target.as_str(), |(_, bare)| bare);
        (likeness(target).max(likeness(bare)), target.as_str())
    };
    let mut scored: Vec<(f32, &str)> = targets.iter().take(COMPARED).map(score).collect();
    scored.retain(|(score, _)| *score >= NEAR);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(SUGGESTED).map(|(_, target)| target).collect()
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
