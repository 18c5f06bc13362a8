//! The report about one server of a foreign file.

use super::super::CommandError;
use super::super::server::{Observed, Plan};
use super::super::summary::{add_entries, counts, server_summary, shown_launch};
use super::file::Loaded;
use crate::formats::{Difference, Entry, EntryStart};
use crate::report::{
    Block, BlockItem, COMMAND_FAILED_RULE, Counts, PinnedItem, Report, ServerPart, Subject, Verdict, server_block,
};
use crate::surface::Surface;
use std::path::Path;

/// The report of an entry, before anything is known.
pub(super) fn report_of(command: &'static str, loaded: &Loaded, entry: &Entry) -> Report {
    let launch = match &entry.start {
        EntryStart::Launch(launch) => shown_launch(launch),
        EntryStart::File(path) => path.clone(),
        EntryStart::Unknown => String::new(),
    };
    let subject = Subject { lock_path: loaded.path.to_string_lossy().into_owned(), launch };
    let mut report = Report::new(command, Verdict::NotChecked, subject);
    report.entries = entry.items.iter().map(|item| item.target.clone()).collect();
    report.lock_text.clone_from(&loaded.text);
    report.counts = counts_of(entry);
    report
}

/// What an entry pins.
pub(super) fn counts_of(entry: &Entry) -> Counts {
    let count = |kind: &str| entry.items.iter().filter(|item| item.target.starts_with(kind)).count();
    Counts { tools: count("tools/"), resources: count("resources/"), prompts: count("prompts/") }
}

pub(super) fn items_of(entry: &Entry) -> Vec<PinnedItem> {
    let item = |item: &crate::formats::Item| PinnedItem {
        target: item.target.clone(),
        digest: item.digest.clone(),
        fingerprint: item.fingerprint.clone(),
    };
    entry.items.iter().map(item).collect()
}

pub(super) fn part(name: &str, report: Report) -> ServerPart {
    ServerPart { name: name.to_owned(), places: Vec::new(), report, lock_uri: String::new() }
}

/// A server that could not be asked, because nothing says how, or what it needs is not there.
pub(super) fn not_asked(name: &str, report: Report, error: &CommandError) -> ServerPart {
    let mut part = failed(name, report, error);
    part.report.verdict = Verdict::NotChecked;
    part
}

/// A server that could not be looked at.
pub(super) fn failed(name: &str, mut report: Report, error: &CommandError) -> ServerPart {
    let said = error.sentence();
    report.verdict = Verdict::Failed;
    report.blocks = vec![server_block(COMMAND_FAILED_RULE, said.clone())];
    report.said = Some(said);
    report.notes.extend(error.hints.iter().cloned());
    part(name, report)
}

/// What was seen, beside what the entry says.
pub(super) fn tell(report: &mut Report, plan: &Plan, observed: &Observed) {
    report.counts = counts(&observed.pinned);
    add_entries(report, &observed.pinned);
    report.server = Some(server_summary(plan, observed));
    report.notes.extend(observed.warnings.iter().cloned());
}

/// Differences as blocks, worst first; those that fail nothing as notes.
pub(super) fn tell_differences(report: &mut Report, differences: &[Difference]) {
    let mut blocks: Vec<Block> = Vec::new();
    for difference in differences {
        if !difference.fails {
            report.notes.push(format!("changed, and it fails nothing: {}", difference.words));
            continue;
        }
        let item = BlockItem {
            severity: difference.severity,
            class: difference.class.to_owned(),
            rule_id: format!("WRD-DRIFT-{}", difference.class.to_ascii_uppercase()),
            detail: (!difference.fields.is_empty()).then(|| difference.fields.join(", ")),
            path: None,
            change: None,
            words: difference.words.clone(),
        };
        match blocks.iter_mut().find(|block| block.target == difference.target) {
            Some(block) => block.items.push(item),
            None => blocks.push(Block { items: vec![item], ..Block::new(difference.target.clone()) }),
        }
    }
    blocks.sort_by_key(|block| std::cmp::Reverse(block.severity()));
    report.blocks = blocks;
}

/// Counts of a surface that nobody hashed.
pub(super) fn counts_of_surface(surface: &Surface) -> Counts {
    Counts { tools: surface.tools.len(), resources: surface.resources.len(), prompts: surface.prompts.len() }
}

/// The path of a file as a report names it; raw.
pub(super) fn name_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
