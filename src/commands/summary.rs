//! Parts of reports that several commands fill alike.

use crate::checks;
use crate::finding::Finding;
use crate::lock::{Lock, PinnedSurface};
use crate::report::{Counts, FindingLine, LockSummary, ServerSummary, Subject};
use crate::surface::{About, Launch};
use crate::text::quote_argv;
use std::collections::BTreeMap;
use std::path::Path;

/// A launch as it may be shown: secrets redacted, shell-quoted.
pub(super) fn shown_launch(launch: &Launch) -> String {
    match launch {
        Launch::Stdio { .. } => quote_argv(checks::redact_argv(&launch.words())),
        Launch::Url(url) => checks::redact_argv(&[url]).concat(),
    }
}

pub(super) fn subject(lock_path: &Path, launch: &Launch) -> Subject {
    Subject { lock_path: lock_path.to_string_lossy().into_owned(), launch: shown_launch(launch) }
}

pub(super) fn counts(surface: &PinnedSurface) -> Counts {
    Counts { tools: surface.tools.len(), resources: surface.resources.len(), prompts: surface.prompts.len() }
}

pub(super) fn lock_summary(lock: &Lock) -> LockSummary {
    let approval = &lock.pin.approval;
    LockSummary {
        level: lock.surface.level.number(),
        warden_version: lock.warden_version.clone(),
        created_at: lock.pin.created_at.clone(),
        overall_digest: lock.surface.overall_digest,
        approved: approval.approved,
        approver: approval.approver.clone(),
        approved_at: approval.approved_at.clone(),
        approval_binds: approval.approved && approval.approved_digest == Some(lock.surface.overall_digest),
    }
}

pub(super) fn server_summary(
    about: &About,
    surface: &PinnedSurface,
    seconds: f64,
    missing: Vec<&'static str>,
) -> ServerSummary {
    let (name, version) = about.server_name_and_version();
    ServerSummary {
        name: name.map(str::to_owned),
        version: version.map(str::to_owned),
        protocol_version: about.protocol_version.clone(),
        seconds,
        missing,
        overall_digest: surface.overall_digest,
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

pub(super) fn finding_lines(findings: &[Finding]) -> Vec<FindingLine> {
    findings.iter().map(FindingLine::from).collect()
}
