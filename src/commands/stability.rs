//! `--stability`: whether a server declares the same whenever and wherever it is started.

use super::context::Context;
use super::server::{Observed, Plan};
use crate::checks;
use crate::lock::{EntryRef, PinnedSurface};
use crate::report::{Failure, Report, UnstableField, unstable_fields};
use crate::surface::{Launch, Section};
use crate::text::{Charset, escape};
use std::collections::{BTreeMap, BTreeSet};

/// Fields that a report names; the rest is counted.
const MAX_FIELDS: usize = 40;

/// Captures `times` times: first as the user would, then each time in other surroundings. Gives the first capture.
///
/// # Errors
/// A capture failed, or two of them differ in what would be pinned; then the report names every field.
pub(super) fn observe(
    plan: &Plan,
    times: usize,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Observed, Box<Failure>> {
    let mut first = plan.observe(context)?;
    let mut fields: Vec<UnstableField> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut unpinned = BTreeSet::new();
    let mut moved = true;
    // The last server may end while the report is printed; the others must be gone before the next one starts.
    for capture in 2..=times {
        first.finish();
        let variation = plan.variation(capture - 2).map_err(|error| no_folders(&error))?;
        moved = variation.moves();
        let again = plan.varied(&variation).observe_again(context);
        let mut again = again
            .map_err(|failure| Box::new(in_capture(*failure, capture, times, surroundings(&plan.launch, moved))))?;
        // The folders of the variation must outlive its server.
        again.finish();
        for field in differences(&first, &again, capture) {
            if seen.insert((field.target.clone(), field.pointer.clone())) {
                fields.push(field);
            }
        }
        unpinned.extend(unpinned_differences(&first, &again));
    }
    if !unpinned.is_empty() {
        let names: Vec<String> = unpinned.iter().map(|name| name.replace('_', " ")).collect();
        report.notes.push(format!("not pinned, and different from capture to capture: {}", names.join(", ")));
    }
    if fields.is_empty() {
        report.notes.push(stable_note(&plan.launch, times, moved));
        return Ok(first);
    }
    fields.sort_by(|a, b| (&a.target, &a.pointer).cmp(&(&b.target, &b.pointer)));
    let count = fields.len();
    report.more_unstable = count.saturating_sub(MAX_FIELDS);
    fields.truncate(MAX_FIELDS);
    report.unstable = fields;
    let named = match count {
        1 => "one field differs".to_owned(),
        count => format!("{count} fields differ"),
    };
    Err(Box::new(Failure {
        code: "E-UNSTABLE".to_owned(),
        stage: "surface".to_owned(),
        message: format!("the server does not declare the same each time it is started: {named} in {times} captures"),
        hint: Some(
            "What changes by itself cannot be pinned: the next check would fail for no reason. Where it follows the \
             environment, give the server a fixed value, here and in every check (--env TZ=UTC, --env PYTHONHASHSEED=0). \
             Otherwise its author has to keep times, paths, ids and unordered sets out of what it declares."
                .to_owned(),
        ),
        ..Failure::default()
    }))
}

/// What was different about the captures after the first.
fn surroundings(launch: &Launch, moved: bool) -> &'static str {
    match (launch, moved) {
        (Launch::Url(_), _) => "another client name",
        (Launch::Stdio { .. }, true) => {
            "another (empty) home, time zone, locale, hash seed, client name and working directory"
        }
        (Launch::Stdio { .. }, false) => "another (empty) home, time zone, locale, hash seed and client name",
    }
}

fn stable_note(launch: &Launch, times: usize, moved: bool) -> String {
    let kept = match (launch, moved) {
        (Launch::Stdio { .. }, false) => "; the working directory was kept, because the command seems to need it",
        _ => "",
    };
    let others = match times - 1 {
        1 => "one more".to_owned(),
        more => format!("{more} more, each"),
    };
    format!(
        "the server declared the same in {times} captures: one as usual, and {others} with {}{kept}",
        surroundings(launch, moved)
    )
}

fn no_folders(error: &std::io::Error) -> Box<Failure> {
    Box::new(Failure {
        code: "E-IO".to_owned(),
        stage: "start".to_owned(),
        message: format!("no temporary folder could be made for another capture: {error}"),
        ..Failure::default()
    })
}

/// Says which of the captures failed, and what was different about it.
fn in_capture(failure: Failure, capture: usize, times: usize, different: &str) -> Failure {
    let message = format!("capture {capture} of {times}, with {different}: {}", failure.message);
    Failure { message, ..failure }
}

/// Fields that would be pinned and differ. The order of entries does not matter, the order inside of values does.
fn differences(first: &Observed, again: &Observed, capture: usize) -> Vec<UnstableField> {
    let (old, new) = (digests(&first.pinned), digests(&again.pinned));
    let targets: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differing = targets.into_iter().filter(|target| old.get(*target) != new.get(*target));
    unstable_fields(first.shown(), again.shown(), differing.map(String::as_str), capture)
}

fn digests(pinned: &PinnedSurface) -> BTreeMap<String, crate::json::Digest> {
    let entries = Section::ALL.into_iter().flat_map(|section| pinned.entries(section));
    entries.map(|entry: EntryRef<'_>| (entry.target(), entry.digest)).collect()
}

/// What no digest covers and differs all the same; escaped.
fn unpinned_differences(first: &Observed, again: &Observed) -> Vec<String> {
    let (old, new) = (checks::not_covered(&first.surface), checks::not_covered(&again.surface));
    let names: BTreeSet<&str> = old.names().chain(new.names()).collect();
    let differing = names.into_iter().filter(|name| old.get(name) != new.get(name));
    differing.map(|name| escape(name, Charset::Unicode)).collect()
}
