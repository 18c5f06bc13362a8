//! `warden diff`: what changed from one lock or surface file to another. Offline.

use super::comparand::{Comparand, Loaded};
use super::eras;
use super::error::shown_path;
use super::foreign::{ForeignCheckArgs, NameArgs, refuse_for_warden_lock};
use super::named_texts::NamedTexts;
use super::record::{finding_notes, not_covered_note, record_block};
use super::summary::{counts, lock_summary, shown_launch};
use super::surface_file::OldTexts;
use super::{CommandError, Outcome};
use crate::drift::{self, LAUNCH_TARGET, fields::changed_fields};
use crate::lock::{Approval, Inconsistency, InspectionPolicy, Level, Lock, PromptArguments};
use crate::report::{Compared, FindingLine, Report, Subject, Verdict, attach_texts, drift_blocks};
use crate::surface::file::DEFAULT_MAX_ENTRIES;
use crate::surface::{Launch, Section, Surface};
use crate::text::{Charset, escape, shorten};
use clap::{Args, ValueHint};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Arguments of `warden diff`.
#[derive(Debug, Clone, Args)]
pub struct DiffArgs {
    /// The older lock or surface file; "-" reads standard input
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub before: PathBuf,

    /// The newer lock or surface file
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub after: PathBuf,

    /// End with 1 if they differ, or if a lock does not reproduce its own digests
    #[arg(long)]
    pub exit_code: bool,

    /// Show the commands or URLs where they differ (secrets stay hidden). Without it the report only says that they do
    #[arg(long)]
    pub show_command: bool,

    /// Look for the words behind a lock's hashes in this surface file too; it counts for the lock whose hashes come out
    /// of it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub texts: Vec<PathBuf>,

    #[command(flatten)]
    pub names: NameArgs,
}

/// Runs `warden diff`.
///
/// # Errors
/// A file that is neither a lock nor a surface that could be pinned, or standard input more than once.
pub fn run(args: &DiffArgs) -> Result<Outcome, CommandError> {
    refuse_for_warden_lock(&args.names, ForeignCheckArgs::default())?;
    let named = [&args.before, &args.after].into_iter().chain(&args.texts);
    if named.filter(|path| path.as_path() == Path::new("-")).count() > 1 {
        return Err(CommandError::usage("standard input can be read once only: \"-\" may stand for one file"));
    }
    let (before, after) = (Loaded::load(&args.before)?, Loaded::load(&args.after)?);
    let (before, after) = sides(before, after)?;
    let (old, new) = (&before.lock, &after.lock);
    let texts = load_texts(&args.texts, old, new)?;

    let mut report = Report::new("diff", Verdict::Same, Subject::default());
    report.subject.lock_path = before.name();
    if args.show_command {
        report.subject.launch = shown_launch(&new.surface.launch);
    }
    report.counts = counts(&new.surface);
    report.lock = before.is_lock.then(|| lock_summary(old));
    report.lock_text.clone_from(&before.lock_text);
    report.compared_with = Some(Compared { path: after.name(), lock: after.is_lock.then(|| lock_summary(new)) });

    let items = drift::compare(old, &new.surface);
    let inconsistencies = inconsistencies(&before, &after);
    let fields = changed_fields(&old.surface, &new.surface);
    let findings = new_findings(&mut report, old, new, args.show_command);
    report.blocks = drift_blocks(&items, &inconsistencies, &fields, &[], &findings, Some(&new.surface));
    if args.show_command {
        show_launches(&mut report, old, new);
    }
    let record = record_block(&old.pin.warden, &new.pin.warden).filter(|_| before.is_lock && after.is_lock);
    let is_same = items.is_empty() && record.is_none();
    report.blocks.extend(record);
    report.blocks.sort_by_key(|block| std::cmp::Reverse(block.severity()));
    report.verdict = match (is_same, inconsistencies.is_empty(), args.exit_code) {
        (true, true, _) => Verdict::Same,
        (_, _, false) => Verdict::Different,
        (false, _, true) => Verdict::Drift,
        (true, false, true) => Verdict::Inconsistent,
    };
    tell_texts(&mut report, &texts, &before, &after);
    notes(&mut report, &before, &after);
    Ok(report.into())
}

/// Makes two locks of what was loaded. What one side does not say and cannot change (how a server is started, reviewed
/// inspection blocks, the form of prompt arguments) is taken from the other.
fn sides(before: Loaded, after: Loaded) -> Result<(Comparand, Comparand), CommandError> {
    let launch = before.launch().or_else(|| after.launch());
    let launch = launch.unwrap_or_else(|| Launch::Stdio { command: String::new(), args: Vec::new() });
    let lock = before.lock().or_else(|| after.lock());
    let inspection = lock.map(InspectionPolicy::of_lock).unwrap_or_default();
    let form = lock.map_or(PromptArguments::AsSent, |lock| lock.pin.warden.prompt_arguments);
    let other = after.launch().unwrap_or_else(|| launch.clone());
    Ok((before.into_comparand(&launch, &inspection, form)?, after.into_comparand(&other, &inspection, form)?))
}

/// Where either lock contradicts itself, and which one it is. What a surface file was made of cannot.
fn inconsistencies(before: &Comparand, after: &Comparand) -> Vec<Inconsistency> {
    let of = |side: &Comparand, which: &'static str| {
        let found = side.lock.inconsistencies().into_iter();
        found
            .map(move |found| Inconsistency { problem: format!("{} (in {which})", found.problem), ..found })
            .collect::<Vec<_>>()
    };
    [of(before, "A"), of(after, "B")].concat()
}

/// Findings of B that A does not have. Those about the launch quote it.
fn new_findings(report: &mut Report, old: &Lock, new: &Lock, with_launch: bool) -> Vec<FindingLine> {
    let key = |finding: &crate::json::Object| {
        ["rule_id", "target", "snippet"]
            .map(|member| finding.get(member).and_then(|value| value.as_str()).unwrap_or_default().to_owned())
    };
    let known: BTreeSet<[String; 3]> = old.findings.iter().map(key).collect();
    let fresh = new.findings.iter().filter(|finding| !known.contains(&key(finding))).map(FindingLine::from_stored);
    let (launch, others): (Vec<_>, Vec<_>) = fresh.partition(|finding| finding.target == LAUNCH_TARGET);
    let is_changed = old.surface.command_digest != new.surface.command_digest;
    if with_launch {
        return [launch, others].concat();
    }
    if !launch.is_empty() && is_changed {
        let s = if launch.len() == 1 { "" } else { "s" };
        report
            .notes
            .push(format!("{} new finding{s} about the launch, which --show-command shows with it", launch.len()));
    }
    others
}

fn show_launches(report: &mut Report, old: &Lock, new: &Lock) {
    let item = report
        .blocks
        .iter_mut()
        .filter(|block| block.target == LAUNCH_TARGET)
        .flat_map(|block| &mut block.items)
        .find(|item| item.class == "server-identity");
    if let Some(item) = item {
        let shown = |lock: &Lock| escape(&shown_launch(&lock.surface.launch), Charset::Unicode);
        item.words = format!("the launch differs; before: {}; now: {}", shown(old), shown(new));
    }
}

/// Reads every file of texts, once. A lock of more entries than usual was pinned with a raised limit.
fn load_texts(paths: &[PathBuf], old: &Lock, new: &Lock) -> Result<Vec<NamedTexts>, CommandError> {
    let counts = Section::ALL.into_iter().flat_map(|section| [old, new].map(|lock| lock.surface.count(section)));
    let most = counts.fold(DEFAULT_MAX_ENTRIES, usize::max);
    paths.iter().map(|path| NamedTexts::load(path, most)).collect()
}

/// The words behind the hashes, as far as somebody kept them.
fn tell_texts(report: &mut Report, named: &[NamedTexts], before: &Comparand, after: &Comparand) {
    let mut used = BTreeSet::new();
    let mut find = |side: &Comparand, other: &Path| {
        if let Some(texts) = &side.texts {
            return Some(texts.clone());
        }
        if let Some((file, texts)) = named.iter().find_map(|file| Some((file, file.of(&side.lock)?))) {
            used.insert(file.path.clone());
            return Some(texts.clone());
        }
        // A lock from a pipe has nothing beside it; the other one may have both.
        [side.path.as_path(), other].into_iter().find_map(|path| match OldTexts::find(path, &side.lock) {
            OldTexts::Known(texts) => Some(*texts),
            _ => None,
        })
    };
    let (old, new): (Option<Surface>, Option<Surface>) = (find(before, &after.path), find(after, &before.path));
    for file in named.iter().filter(|file| !used.contains(&file.path)) {
        let why = match [before, after].iter().any(|side| file.of(&side.lock).is_some()) {
            true => "what it says is known already",
            false => "the hashes of neither lock come out of it",
        };
        report.notes.push(format!("{} was not used: {why}", shown_path(&file.path)));
    }
    let level = before.lock.surface.level.min(after.lock.surface.level);
    attach_texts(&mut report.blocks, level, old.as_ref(), new.as_ref());
    if report.blocks.iter().all(|block| block.fields.is_empty()) {
        return;
    }
    let unknown = match (&old, &new) {
        (Some(_), Some(_)) => return,
        (None, Some(_)) => "of A",
        (Some(_), None) => "of B",
        (None, None) => "of either",
    };
    report.notes.push(format!(
        "the texts {unknown} are unknown, because a lock holds only their hashes: a surface file that warden pin \
         --save-surface kept tells them (--texts)"
    ));
}

/// What changed and is no drift, and what could not be compared.
fn notes(report: &mut Report, before: &Comparand, after: &Comparand) {
    report.notes.extend(before.notes.iter().chain(&after.notes).cloned());
    let (old, new) = (&before.lock, &after.lock);
    let (from, to) = (old.surface.level, new.surface.level);
    if from != to {
        let older = from.min(to);
        let missing = match (older.has_skeleton(), older.has_metadata()) {
            (false, _) => "the structure of schemas, annotations and output schemas",
            (true, false) => "annotations and output schemas",
            _ => "nothing",
        };
        report.notes.push(format!(
            "A is of level {} and B of level {}: level {} does not commit to {missing}, so these cannot be compared",
            from.number(),
            to.number(),
            older.number()
        ));
        // Only where the texts are at hand can the older level be built anew.
        let rebuilt = [(before, after), (after, before)].into_iter().find_map(|(lock, texts)| {
            let texts = texts.texts.as_ref().filter(|_| lock.is_lock && lock.lock.surface.level < Level::CURRENT)?;
            Some(lock.lock.is_reproduced_by(texts))
        });
        if rebuilt == Some(true) {
            report.notes.push(format!("everything that level {} commits to is unchanged", older.number()));
        }
    }
    report.notes.extend(eras::version_note(&old.pin.mcp_protocol_version, &new.pin.mcp_protocol_version));
    // A surface file stores what is declared now, and no record that somebody could have edited.
    let (was, is) = (&old.pin.warden.not_covered, &new.pin.warden.not_covered);
    let records_nothing = |side: &Comparand| side.is_lock && side.lock.pin.warden.not_covered.is_empty();
    let is_two_locks = before.is_lock && after.is_lock;
    if is_two_locks || !(records_nothing(before) || records_nothing(after)) {
        report.notes.extend(not_covered_note(was, is));
    }
    if is_two_locks {
        report.notes.extend(finding_notes(old, new, &report.blocks));
    }
    if is_two_locks && old.pin.approval != new.pin.approval {
        report.notes.push(format!(
            "approval: A {}; B {}",
            approval_words(&old.pin.approval, old),
            approval_words(&new.pin.approval, new)
        ));
    }
}

fn approval_words(approval: &Approval, lock: &Lock) -> String {
    if !approval.approved {
        return "is not approved".to_owned();
    }
    let text = |text: Option<&str>| escape(&shorten(text.unwrap_or("nobody named"), 80), Charset::Unicode);
    let binds = match approval.approved_digest == Some(lock.surface.overall_digest) {
        true => "for its own digest",
        false => "for ANOTHER digest",
    };
    format!("by {}, {binds}", text(approval.named()))
}
