//! `warden show`: a lock for a reviewer's eyes. Offline.

use super::all::AllArgs;
use super::args::ConfigArgs;
use super::config_file::{ProjectConfig, note_expired};
use super::foreign::{ForeignCheckArgs, NameArgs, refuse_for_warden_lock};
use super::record::recorded_note;
use super::summary::{add_entries, capability_counts, counts, lock_summary, subject};
use super::surface_file::OldTexts;
use super::{CommandError, Context, Outcome, entry};
use crate::lock::{Inconsistency, Lock, file};
use crate::report::{Block, BlockItem, FindingLine, Lengths, Report, Verdict, drift_blocks, view};
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};

/// Arguments of `warden show`.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// The lock file
    #[arg(value_name = "LOCK", default_value = "warden.lock", value_hint = ValueHint::FilePath)]
    pub lock: PathBuf,

    #[command(flatten)]
    pub all: AllArgs,

    /// More locks, with --verify: a verdict for each, and the worst exit code of them
    #[arg(value_name = "LOCK", id = "more", requires = "verify", value_hint = ValueHint::FilePath)]
    pub more: Vec<PathBuf>,

    /// Say only whether the lock holds: fail (exit 1) and name each fault if it does not reproduce its own digests, or its
    /// approval is for another digest
    #[arg(long)]
    pub verify: bool,

    /// Show this entry alone and in full (tools/NAME, resources/URI, prompts/NAME; a bare name will do where it is the
    /// only one)
    #[arg(long, value_name = "TARGET")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub names: NameArgs,

    #[command(flatten)]
    pub config: ConfigArgs,
}

/// Runs `warden show` for the first lock; the command line goes through the others.
///
/// # Errors
/// The lock or the configuration cannot be read, or the lock has no such entry.
pub fn run(args: &ShowArgs, context: &Context<'_>) -> Result<Outcome, CommandError> {
    refuse_for_warden_lock(&args.names, ForeignCheckArgs::default())?;
    let (lock, lock_text) =
        file::load(&args.lock).map_err(|error| CommandError::unreadable_lock(&args.lock, &error))?;
    let config = ProjectConfig::load(&args.config, &args.lock, context)?;
    let mut report = report_of(&args.lock, &lock, lock_text, Lengths::BRIEF);
    if let Some(name) = &args.entry {
        show_entry(&mut report, name, &args.lock, &lock)?;
    }
    if let Some(config) = &config {
        config.open(&mut report);
        note_expired(&mut report);
        // The lock may come from a tool with other rules, so nothing here is unused.
        let all = report.findings.clone();
        config.apply(&mut report, &all, false);
    }
    let verdict = match args.verify {
        true if !lock.inconsistencies().is_empty() => Verdict::Inconsistent,
        true if is_stale(&lock) => Verdict::NotApproved,
        _ => Verdict::Shown,
    };
    // Whoever names an entry wants to read it.
    let verified = args.verify && args.entry.is_none();
    Ok(Report { verdict, verified, ..report }.into())
}

/// Whether the lock is approved, and the approval is for another digest than its own.
fn is_stale(lock: &Lock) -> bool {
    let approval = &lock.pin.approval;
    approval.approved && approval.approved_digest != Some(lock.surface.overall_digest)
}

/// The whole lock as a report. `lock_text` is what it was read from.
pub(super) fn report_of(path: &Path, lock: &Lock, lock_text: String, lengths: Lengths) -> Report {
    let inconsistencies: Vec<Inconsistency> = lock.inconsistencies();
    let mut report = Report::new("show", Verdict::Shown, subject(path, &lock.surface.launch));
    report.counts = counts(&lock.surface);
    add_entries(&mut report, &lock.surface);
    report.blocks = drift_blocks(&[], &inconsistencies, &[], &[], &[], None);
    if is_stale(lock) {
        report.blocks.push(stale_approval());
    }
    report.findings = lock.findings.iter().map(FindingLine::from_stored).collect();
    report.capabilities = capability_counts(&lock.surface);
    report.notes.extend(recorded_note(lock));
    add_view(&mut report, path, lock, lengths);
    report.lock = Some(lock_summary(lock));
    report.lock_text = lock_text;
    report
}

fn add_view(report: &mut Report, path: &Path, lock: &Lock, lengths: Lengths) {
    report.view = Some(match OldTexts::find(path, lock) {
        OldTexts::Known(texts) => view(lock, Some(&texts), lengths),
        OldTexts::Unknown => view(lock, None, lengths),
        OldTexts::Unusable(why) => {
            report.notes.push(format!("{why}. The texts of this lock are unknown"));
            view(lock, None, lengths)
        }
    });
}

/// Leaves one entry, in full.
///
/// # Errors
/// The lock does not have it.
fn show_entry(report: &mut Report, name: &str, path: &Path, lock: &Lock) -> Result<(), CommandError> {
    let target = entry::find(name, &entry::targets(&lock.surface))?;
    report.notes.clear();
    report.notes.extend(recorded_note(lock));
    add_view(report, path, lock, Lengths::WHOLE);
    if let Some(view) = &mut report.view {
        view.retain(&target);
    }
    report.findings.retain(|finding| finding.target == target);
    report.entry = Some(target);
    Ok(())
}

/// An approval that binds some other digest than the lock's own.
fn stale_approval() -> Block {
    let words = "the approval is for another digest than the one in this lock".to_owned();
    let item = BlockItem::of_rule("WRD-DRIFT-UNAPPROVED-CHANGE", words);
    Block { target: crate::drift::APPROVAL_TARGET.to_owned(), items: vec![item], ..Block::default() }
}
