//! `warden check`: capture a server and compare it with its lock.

use super::all::{AllArgs, SinceArgs};
use super::args::{ConfigArgs, EntryArgs, LockArgs, ServerArgs, SourceArgs};
use super::check_steps::{Drifted, advise, advise_failed, advise_other_launch};
use super::config_file::{ProjectConfig, expired_block, tell_what_counts_again};
use super::coverage::coverage;
use super::eras;
use super::foreign::{ForeignCheckArgs, NameArgs, refuse_for_warden_lock};
use super::record::{check_complete, recorded_note, started_words};
use super::server::{Baseline, Observed, Plan, launch_of, missing_note};
use super::summary::{
    add_entries, changed_uncovered, counts, finding_lines, lock_summary, server_summary, show_launches, shown_launch,
    subject,
};
use super::surface_file::{Given, tell_texts};
use super::{CommandError, Context, Outcome, entry, stability};
use crate::checks;
use crate::drift::{self, DriftItem, LAUNCH_TARGET, fields::changed_fields};
use crate::lock::{Inconsistency, Level, Lock, PromptArguments, WardenPin, file};
use crate::report::{Block, BlockItem, Report, TextChange, Verdict, drift_blocks};
use crate::text::{Charset, escape, shorten};
use clap::Args;
use std::ffi::OsString;

/// Arguments of `warden check`.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub lock: LockArgs,

    #[command(flatten)]
    pub all: AllArgs,

    #[command(flatten)]
    pub since: SinceArgs,

    /// Fail (exit 1) unless the lock is approved and the approval is for what is there now
    #[arg(long)]
    pub require_approval: bool,

    /// Start COMMAND even though it is not the pinned launch, and compare the rest as well
    #[arg(long)]
    pub allow_launch_change: bool,

    /// Show this entry alone and in full, old and new texts unshortened (tools/NAME, resources/URI, prompts/NAME, or a
    /// bare name). Everything is checked all the same, the exit code is that of the whole check, and the formats for
    /// other programs but json tell everything
    #[arg(long, value_name = "TARGET")]
    pub entry: Option<String>,

    #[command(flatten)]
    pub names: NameArgs,

    #[command(flatten)]
    pub foreign: ForeignCheckArgs,

    #[command(flatten)]
    pub config: ConfigArgs,

    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub server: ServerArgs,

    #[command(flatten)]
    pub entries: EntryArgs,

    /// The command that starts the server. Without one, the launch in the lock is started
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub command: Vec<OsString>,
}

/// Runs `warden check`.
///
/// # Errors
/// Wrong arguments, or a lock or other file that cannot be read. Drift and a server that cannot be captured are
/// reports.
pub fn run(args: &CheckArgs, context: &Context<'_>) -> Result<Outcome, CommandError> {
    refuse_for_warden_lock(&args.names, args.foreign)?;
    let path = &args.lock.lock;
    let (lock, lock_text) = file::load(path).map_err(|error| CommandError::unreadable_lock(path, &error))?;
    let config = ProjectConfig::load(&args.config, path, context)?;
    let inconsistencies = lock.inconsistencies();
    let given = launch_of(&args.command, &args.server)?;
    let file = Given::of(&args.source, &args.server)?;
    let given = match &file {
        Some(file) => file.launch(given)?,
        None => given,
    };
    let from_lock = given.is_none();
    let launch = given.unwrap_or_else(|| lock.surface.launch.clone());
    let mut report = Report::new("check", Verdict::NotChecked, subject(path, &launch));
    report.lock = Some(lock_summary(&lock));
    add_entries(&mut report, &lock.surface);
    report.lock_text = lock_text;
    report.files.read_from = file.as_ref().map(Given::name);
    if let Some(config) = &config {
        config.open(&mut report);
    }
    let mut expired = expired_block(&report);

    // What is pinned is compared before anything is started (SPEC.md §6.5). A file starts nothing.
    if from_lock {
        check_complete(&lock)?;
    }
    let may_differ = file.is_some() || args.allow_launch_change;
    if launch.digest().ok() != Some(lock.surface.command_digest) && (from_lock || !may_differ) {
        launch_differs(&mut report, &lock, &inconsistencies, from_lock, args.server.configured.is_some());
        report.blocks.extend(expired);
        advise_other_launch(&mut report, args, &lock);
        return Ok(report.into());
    }
    if let Some(configured) = &args.server.configured
        && (configured.record != lock.pin.warden.started_with
            || (lock.pin.approval.approved && !lock.pin.warden.settings_hold()))
    {
        settings_differ(&mut report, &lock, &inconsistencies, configured);
        report.blocks.extend(expired);
        return Ok(report.into());
    }
    let baseline = Baseline {
        from_lock,
        recorded: Some(&lock.pin.warden),
        version: Some(&lock.pin.mcp_protocol_version),
        lock_path: Some(path),
        entries: &args.entries,
    };
    let plan = Plan::new(launch, &args.server, &baseline, context)?;
    let observed = match (file, args.source.stability) {
        (Some(file), _) => file.observe(&plan),
        (None, Some(times)) => stability::observe(&plan, times.into(), context, &mut report),
        (None, None) => plan.observe(context),
    };
    let observed = match observed {
        Ok(observed) => observed,
        Err(failure) => {
            report.failure = Some(*failure);
            if !inconsistencies.is_empty() || expired.is_some() {
                // Known to be wrong beats not known (exit 1 beats 3).
                report.verdict = if inconsistencies.is_empty() { Verdict::Expired } else { Verdict::Inconsistent };
                report.blocks = drift_blocks(&[], &inconsistencies, &[], &[], &[], None);
                report.blocks.extend(expired);
                report.notes.push("the server could not be asked either: see above".to_owned());
            }
            advise_failed(&mut report, args, &lock);
            return Ok(report.into());
        }
    };
    let items = drift::compare(&lock, &observed.pinned);
    let fields = changed_fields(&lock.surface, &observed.pinned);
    report.counts = counts(&observed.pinned);
    add_entries(&mut report, &observed.pinned);
    report.server = Some(server_summary(&plan, &observed));
    report.blocks = drift_blocks(
        &items,
        &inconsistencies,
        &fields,
        &lock.findings,
        &finding_lines(&observed.findings),
        Some(&observed.pinned),
    );
    if let Some(config) = &config {
        config.apply(&mut report, &finding_lines(&observed.findings), true);
    }
    if let Some(block) = &mut expired {
        tell_what_counts_again(block, &report, &finding_lines(&observed.findings));
    }
    report.verdict = if !items.is_empty() {
        Verdict::Drift
    } else if !inconsistencies.is_empty() {
        Verdict::Inconsistent
    } else if args.require_approval && !lock.pin.approval.holds_for(observed.pinned.overall_digest) {
        report.blocks.push(approval_missing(&lock));
        Verdict::NotApproved
    } else if expired.is_some() {
        Verdict::Expired
    } else {
        Verdict::Clean
    };
    report.coverage = Some(coverage(&observed, Some(&lock)));
    show_launches(&mut report, &lock);
    report.blocks.extend(expired);
    notes(&mut report, &lock, &plan, &observed, &items);
    let drifted = Drifted::of(&report);
    let keeps_texts = match &args.entry {
        Some(name) => entry::show(name, &mut report, path, &lock, &observed)?,
        None => tell_texts(&mut report, path, &lock, observed.shown(), None),
    };
    advise(&mut report, args, &lock, &drifted, keeps_texts);
    Ok(Outcome { report, closing: observed.closing, document: None })
}

/// Nothing was started: the launch is not the pinned one, or the lock's own launch was edited.
fn launch_differs(
    report: &mut Report,
    lock: &Lock,
    inconsistencies: &[Inconsistency],
    from_lock: bool,
    is_configured: bool,
) {
    if from_lock {
        report.verdict = Verdict::Inconsistent;
        report.blocks = drift_blocks(&[], inconsistencies, &[], &[], &[], None);
        report.notes.push(
            "nothing was started: the launch in the lock was changed without its digest. Restore the lock from version \
             control, or name the command you trust: warden check -- COMMAND"
                .to_owned(),
        );
        return;
    }
    let mut block = Block::new(LAUNCH_TARGET);
    let words = "the command is not the pinned one".to_owned();
    block.items.push(BlockItem::of_rule("WRD-DRIFT-SERVER-IDENTITY", words));
    block.texts.push(TextChange::of_texts("/server", &shown_launch(&lock.surface.launch), &report.subject.launch));
    report.verdict = Verdict::Drift;
    report.blocks = drift_blocks(&[], inconsistencies, &[], &[], &[], None);
    report.blocks.insert(0, block);
    let but = match is_configured {
        true => "pin the server anew if the change is meant",
        false => "--allow-launch-change starts the given command all the same",
    };
    report.notes.push(format!("nothing was started, so nothing else was compared: {but}"));
}

/// Nothing was started: the configuration surrounds the launch with something else than when it was pinned.
fn settings_differ(
    report: &mut Report,
    lock: &Lock,
    inconsistencies: &[Inconsistency],
    configured: &super::all::Configured,
) {
    let now = WardenPin { started_with: configured.record.clone(), ..WardenPin::default() };
    let mut block = Block::new(LAUNCH_TARGET);
    let words = match configured.record == lock.pin.warden.started_with {
        true => "the lock was approved with other settings than it records now",
        false => "the configuration starts the command with other settings than the lock records",
    };
    block.items.push(BlockItem::of_rule("WRD-LOCK-SETTINGS", words.to_owned()));
    let (before, now) = (started_words(&lock.pin.warden), started_words(&now));
    block.texts.push(TextChange::of_texts("/started_with", &before, &now));
    report.verdict = Verdict::Drift;
    report.blocks = drift_blocks(&[], inconsistencies, &[], &[], &[], None);
    report.blocks.insert(0, block);
    report
        .notes
        .push("nothing was started, so nothing else was compared: pin the server anew if that is meant".to_owned());
}

/// An approval that is for another digest is drift already.
fn approval_missing(lock: &Lock) -> Block {
    let words = match lock.pin.approval.approved {
        true => "--require-approval was given, and the lock says that it is approved without naming anybody",
        false => "--require-approval was given, and nobody approved this lock",
    };
    let item = BlockItem::of_rule("WRD-LOCK-NOT-APPROVED", words.to_owned());
    Block { target: drift::APPROVAL_TARGET.to_owned(), items: vec![item], ..Block::default() }
}

/// What a reader should know and no item says.
fn notes(report: &mut Report, lock: &Lock, plan: &Plan, observed: &Observed, items: &[DriftItem]) {
    // First: formats with little room show the first of many.
    report.notes.extend(recorded_note(lock));
    if plan.from_lock && !lock.pin.warden.started_with.is_empty() {
        report.notes.push(format!(
            "the lock belongs to a project, which has its server {}: warden check --all does that, and this check did not",
            started_words(&lock.pin.warden)
        ));
    }
    report.notes.extend(observed.warnings.iter().cloned());
    report.notes.extend(missing_note(observed));
    let level = lock.surface.level;
    if level < Level::CURRENT {
        let unchanged = plan
            .rebuild(&observed.surface, level, plan.prompt_arguments)
            .is_some_and(|old| old.overall_digest == lock.surface.overall_digest);
        report.notes.push(match unchanged {
            true => format!(
                "everything that level {0} commits to is unchanged: the digest of level {0} is reproduced. What level {1} adds was never pinned",
                level.number(),
                Level::CURRENT.number()
            ),
            false => format!("the surface also differs from what level {} commits to", level.number()),
        });
    }
    let prompts_only = !items.is_empty() && items.iter().all(|item| item.class == "prompt-modified");
    if prompts_only && plan.prompt_arguments == PromptArguments::AsSent {
        let same = plan
            .rebuild(&observed.surface, level, PromptArguments::Normalized)
            .is_some_and(|normalized| normalized.overall_digest == lock.surface.overall_digest);
        if same && !loses_nothing(observed) {
            report.notes.push(
                "the lock may hold the prompts as mcp-warden-cli rewrites them, but the server also declares members that \
                 form leaves out: look at them before you accept anything"
                    .to_owned(),
            );
        } else if same {
            report.notes.push(
                "the prompts differ only in form: the lock holds them as mcp-warden-cli rewrites them. Check such a lock \
                 with --normalize-prompt-arguments, or pin it anew"
                    .to_owned(),
            );
        }
    }
    let coarse = lock.surface.tools.iter().filter(|tool| tool.schema_skeleton.is_none()).count();
    if coarse > 0 && level.has_skeleton() {
        report.notes.push(format!(
            "{coarse} tools of the lock have no skeleton: changes of their schemas can only be told coarsely"
        ));
    }
    report.notes.extend(eras::version_note(&lock.pin.mcp_protocol_version, &observed.surface.about.protocol_version));
    let nobody = plan.blocks_for_nobody(observed);
    if !nobody.is_empty() {
        report.notes.push(format!(
            "the inspection file has blocks for tools that the server does not declare; they do nothing: {}",
            escape(&shorten(&nobody.join(", "), 300), Charset::Unicode)
        ));
    }
    not_covered(report, lock, observed);
}

/// Whether the rewritten form holds everything that the prompts say: nothing but known members, none of them null.
fn loses_nothing(observed: &Observed) -> bool {
    let known = |name: &str| matches!(name, "name" | "title" | "description" | "required");
    let arguments = observed.surface.prompts.iter().filter_map(|prompt| prompt.arguments()?.as_array()).flatten();
    arguments.filter_map(|argument| argument.as_object()).all(|argument| argument.names().all(known))
}

/// Advice about declared things that no digest covers (SPEC.md §13): only where the pin recorded them.
fn not_covered(report: &mut Report, lock: &Lock, observed: &Observed) {
    let recorded = &lock.pin.warden.not_covered;
    if recorded.is_empty() {
        return;
    }
    let changed = changed_uncovered(recorded, &checks::not_covered(&observed.surface));
    if !changed.is_empty() {
        report.notes.push(format!(
            "not covered at level {}, changed since the pin: {}",
            Level::CURRENT.number(),
            changed.join(", ")
        ));
    }
}
