//! The verdict line, and the line below it that says what was asked.

use super::super::blocks::IGNORE_TARGET;
use super::super::model::{Block, Counts, FindingLine, Report, severity_counts};
use super::super::verdict::Verdict;
use super::page::{Page, Tone};
use crate::drift::{APPROVAL_TARGET, LAUNCH_TARGET, RECORD_TARGET};
use crate::finding::Severity;
use crate::surface::Section;
use crate::text::shorten;

/// `12 tools, 2 resources, 1 prompt`.
pub(in crate::report) fn counts_words(counts: &Counts) -> String {
    let part = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let parts = [part(counts.tools, "tool"), part(counts.resources, "resource"), part(counts.prompts, "prompt")];
    parts.join(", ")
}

/// The entries of the lock, which a server may have others than.
pub(in crate::report) fn pinned_counts(report: &Report) -> String {
    counts_words(report.lock.as_ref().map_or(&report.counts, |lock| &lock.counts))
}

/// What a pin of chosen entries left; `None` where everything is as the lock says.
pub(in crate::report) fn still_differs(report: &Report) -> Option<String> {
    match report.remaining.as_ref().map_or(0, Vec::len) {
        0 => None,
        1 => Some("1 place still differs".to_owned()),
        n => Some(format!("{n} places still differ")),
    }
}

pub(super) fn captured_line(page: &mut Page<'_>, report: &Report) {
    let Some(server) = &report.server else { return };
    if report.verdict == Verdict::Clean {
        return;
    }
    let name = server.name.as_deref().unwrap_or("unnamed server");
    let version = server.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let protocol = match server.protocol_version.as_str() {
        "" => String::new(),
        version => format!(", MCP {version}"),
    };
    let who = page.text(&format!("{name}{version}{protocol}"));
    let word = if report.files.read_from.is_some() { "read" } else { "captured" };
    let origin = origin(page, report, server.seconds);
    page.column(word, &counts_words(&report.counts), &format!("{who}, {origin}"), Tone::Dim);
}

/// What a comparison of two files compared.
pub(super) fn compared_line(page: &mut Page<'_>, report: &Report) {
    if let Some(compared) = report.compared_with.as_ref().filter(|_| report.verdict != Verdict::Same) {
        let (from, to) = (page.text(&report.subject.lock_path), page.text(&compared.path));
        page.column("compared", &from, &format!("with {to}"), Tone::Dim);
    }
}

/// The file that a surface came from, or how long it took to get it from a server.
fn origin(page: &Page<'_>, report: &Report, seconds: f64) -> String {
    match &report.files.read_from {
        Some(path) => format!("from {}", page.text(path)),
        None => format!("{seconds:.1} s"),
    }
}

pub(super) fn line(page: &mut Page<'_>, report: &Report) {
    let lock = page.text(&report.subject.lock_path);
    // Shown, not for copying: a lock may hold arguments of any length.
    let launch = shorten(&report.subject.launch, 300);
    let launch = launch.as_str();
    let digest = |page: &Page<'_>| {
        report.lock.as_ref().map(|lock| page.dim(&lock.overall_digest.abbreviated())).unwrap_or_default()
    };
    let word = report.verdict.word();
    page.make_room_for(word);
    let counts = counts_words(&report.counts);
    match report.verdict {
        // A look at settings, where nothing was compared.
        Verdict::Clean if report.said.is_some() => {
            page.column(word, report.said.as_deref().unwrap_or_default(), "", Tone::Good);
        }
        Verdict::Clean => {
            let origin = report.server.as_ref().map(|server| format!(" ({})", origin(page, report, server.seconds)));
            page.launch_column(
                word,
                launch,
                &format!("{counts} match {lock}{}", origin.unwrap_or_default()),
                Tone::Good,
            );
        }
        Verdict::Same => {
            let other = report.compared_with.as_ref().map(|compared| page.text(&compared.path)).unwrap_or_default();
            page.column(word, &lock, &format!("{counts} match {other}"), Tone::Good);
        }
        // It asks about a file, and a hook asks about many.
        Verdict::Inconsistent | Verdict::NotApproved if report.verified => {
            let what = format!("{}: {}", places(&report.blocks, 0), severities(&report.blocks));
            page.column(word, &lock, &what, Tone::Bad);
        }
        Verdict::Drift | Verdict::Inconsistent | Verdict::NotApproved | Verdict::Different | Verdict::Expired => {
            let places = places(report.shown_blocks(), report.hidden_blocks());
            page.column(word, &places, &severities(&report.blocks), Tone::Bad);
        }
        Verdict::Refused => {
            let who = report.lock.as_ref().and_then(|lock| lock.approver.as_deref()).unwrap_or("nobody named");
            let who = page.text(who);
            page.column(word, &lock, &format!("approved by {who}; it was left as it is"), Tone::Bad);
        }
        Verdict::NotChecked | Verdict::NotPinned | Verdict::NotCaptured => {
            let stage = report.failure.as_ref().map(|failure| format!("{}: {}", failure.stage, failure.message));
            page.launch_column(word, launch, &stage.unwrap_or_default(), Tone::Bad);
        }
        Verdict::Pinned => {
            let digest = digest(page);
            let said = match still_differs(report) {
                Some(words) => format!("{}; {words}, {digest}", pinned_counts(report)),
                None => digest,
            };
            page.column(word, &lock, &said, Tone::Good);
        }
        Verdict::Unchanged => {
            let rest = still_differs(report).map(|words| format!("; {words}")).unwrap_or_default();
            let said = format!("{}; the file was left as it is{rest}", pinned_counts(report));
            page.column(word, &lock, &said, Tone::Good);
        }
        Verdict::Approved => {
            let lock_summary = report.lock.as_ref();
            let who = lock_summary.and_then(|lock| lock.approver.as_deref()).unwrap_or("nobody named");
            let said = format!("by {}, {}", page.text(who), digest(page));
            page.column(word, &lock, &said, Tone::Good);
        }
        Verdict::Shown if report.verified => {
            page.column(word, &lock, &format!("holds together: {counts}"), Tone::Good);
        }
        Verdict::Shown => page.column(word, &lock, &counts, Tone::Plain),
        Verdict::Captured => {
            let path = report.files.saved_to.as_deref().map(|path| page.text(path));
            page.launch_column(word, &path.unwrap_or_default(), launch, Tone::Good);
        }
        Verdict::Skipped | Verdict::NotAsked => {
            page.column(word, report.said.as_deref().unwrap_or_default(), "", Tone::Dim);
        }
        Verdict::NotLocked | Verdict::NotConfigured | Verdict::Failed | Verdict::Findings => {
            page.column(word, report.said.as_deref().unwrap_or_default(), "", Tone::Bad);
        }
    }
}

/// How many entries the blocks are about, and what else: `2 entries, the launch`.
pub(super) fn places(blocks: &[Block], hidden_blocks: usize) -> String {
    let is_entry =
        |block: &&Block| Section::ALL.iter().any(|section| block.target.split('/').next() == Some(section.key()));
    let entries = blocks.iter().filter(is_entry).count();
    let other = |target: &str| match target {
        LAUNCH_TARGET => "the launch",
        APPROVAL_TARGET => "the approval",
        RECORD_TARGET => "the record of the capture",
        _ => "the lock",
    };
    let mut parts: Vec<String> = match entries {
        0 => Vec::new(),
        1 => vec!["1 entry".to_owned()],
        n => vec![format!("{n} entries")],
    };
    for block in blocks.iter().filter(|block| !is_entry(block)) {
        let part = match (block.target.as_str(), block.items.len()) {
            (IGNORE_TARGET, 1) => "1 entry of warden.toml".to_owned(),
            (IGNORE_TARGET, n) => format!("{n} entries of warden.toml"),
            (target, _) => other(target).to_owned(),
        };
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    match (parts.is_empty(), hidden_blocks) {
        (_, 0) => parts.join(", "),
        (true, 1) => "1 other place, not shown".to_owned(),
        (true, hidden) => format!("{hidden} other places, not shown"),
        (false, hidden) => format!("{}, and {hidden} more not shown", parts.join(", ")),
    }
}

/// Items by severity, and the findings that are new beside them.
pub(in crate::report) fn severities(blocks: &[Block]) -> String {
    let count = |(severity, n): (Severity, usize)| format!("{n} {severity}");
    let items: Vec<String> = severity_counts(blocks).into_iter().map(count).collect();
    let findings: Vec<&FindingLine> = blocks.iter().flat_map(|block| &block.findings).collect();
    let findings: Vec<String> = by_severity(&findings).into_iter().map(count).collect();
    match findings.as_slice() {
        [] => items.join(", "),
        _ => format!("{}; new findings: {}", items.join(", "), findings.join(", ")),
    }
}

/// Worst first, zeros left out.
pub(in crate::report) fn by_severity(findings: &[&FindingLine]) -> Vec<(Severity, usize)> {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    Severity::WORST_FIRST.into_iter().map(|severity| (severity, count(severity))).filter(|(_, n)| *n > 0).collect()
}
