//! Parts of reports that several commands fill alike.

use super::record::recorded_note;
use super::server::{Observed, Plan};
use crate::checks;
use crate::finding::Finding;
use crate::json::{Object, Value};
use crate::lock::{Lock, PinnedSurface};
use crate::report::{
    AttestationLine, Block, Counts, FindingLine, LockSummary, Report, ServerSummary, Subject, TextChange,
};
use crate::surface::{Launch, Section, entry_target};
use crate::text::{Charset, escape, quote_argv};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

/// A launch as it may be shown: secrets redacted, shell-quoted.
pub(super) fn shown_launch(launch: &Launch) -> String {
    match launch {
        Launch::Stdio { .. } => quote_argv(checks::redact_argv(&launch.words())),
        Launch::Url(url) => checks::redact_argv(&[url]).concat(),
    }
}

/// Puts both launches beside the item that says that they differ.
pub(super) fn show_launches(report: &mut Report, lock: &Lock) {
    let (before, now) = (shown_launch(&lock.surface.launch), report.subject.launch.clone());
    let differs = |block: &&mut Block| block.items.iter().any(|item| item.class == "server-identity");
    if let Some(block) = report.blocks.iter_mut().find(differs) {
        block.texts.push(TextChange::of_texts("/server", &before, &now));
    }
}

pub(super) fn subject(lock_path: &Path, launch: &Launch) -> Subject {
    Subject { lock_path: lock_path.to_string_lossy().into_owned(), launch: shown_launch(launch) }
}

pub(super) fn counts(surface: &PinnedSurface) -> Counts {
    Counts { tools: surface.tools.len(), resources: surface.resources.len(), prompts: surface.prompts.len() }
}

/// Adds the targets of a surface's entries to those of a report, each once.
pub(super) fn add_entries(report: &mut Report, surface: &PinnedSurface) {
    let mut known: HashSet<String> = report.entries.iter().cloned().collect();
    for section in Section::ALL {
        let targets = surface.entries(section).map(|entry| entry_target(section, entry.identity));
        report.entries.extend(targets.filter(|target| known.insert(target.clone())));
    }
}

pub(super) fn lock_summary(lock: &Lock) -> LockSummary {
    let approval = &lock.pin.approval;
    LockSummary {
        level: lock.surface.level.number(),
        counts: counts(&lock.surface),
        warden_version: lock.warden_version.clone(),
        created_at: lock.pin.created_at.clone(),
        overall_digest: lock.surface.overall_digest,
        approved: approval.approved,
        approver: approval.approver.clone(),
        approved_at: approval.approved_at.clone(),
        approval_binds: approval.approved && approval.approved_digest == Some(lock.surface.overall_digest),
        attestations: lock.pin.attestations().map(|stored| attestation(stored, lock)).collect(),
        recorded: recorded_note(lock),
    }
}

fn attestation(stored: &Object, lock: &Lock) -> AttestationLine {
    let text = |member| stored.get(member).and_then(Value::as_str);
    AttestationLine {
        actor: text("actor").unwrap_or_default().to_owned(),
        role: text("role").unwrap_or_default().to_owned(),
        created_at: text("created_at").unwrap_or_default().to_owned(),
        note: text("note").map(str::to_owned),
        binds: text("bound_digest") == Some(lock.surface.overall_digest.to_string().as_str()),
    }
}

/// What the handshake said. Its texts are in nobody's digest, so a value of the environment in them is no reason to
/// refuse the server; it is only not shown.
pub(super) fn server_summary(plan: &Plan, observed: &Observed) -> ServerSummary {
    let about = &observed.surface.about;
    let (name, version) = about.server_name_and_version();
    ServerSummary {
        name: name.map(|name| plan.redact(name)),
        version: version.map(|version| plan.redact(version)),
        protocol_version: about.protocol_version.clone(),
        seconds: observed.seconds,
        missing: observed.missing.iter().map(|section| section.key()).collect(),
        overall_digest: observed.pinned.overall_digest,
    }
}

/// How many tools have each flag, by flag.
pub(super) fn capability_counts(surface: &PinnedSurface) -> Vec<(String, usize)> {
    let mut counts = BTreeMap::new();
    for flag in surface.tools.iter().flat_map(|tool| &tool.capabilities) {
        *counts.entry(flag.clone()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

/// Which of the declared things that no digest covers changed, in words; escaped.
pub(super) fn changed_uncovered(before: &Object, now: &Object) -> Vec<String> {
    let names: BTreeSet<&str> = before.names().chain(now.names()).collect();
    let changed = names.into_iter().filter(|name| before.get(name) != now.get(name));
    changed.map(|name| escape(&name.replace('_', " "), Charset::Unicode)).collect()
}

pub(super) fn finding_lines(findings: &[Finding]) -> Vec<FindingLine> {
    findings.iter().map(FindingLine::from).collect()
}
