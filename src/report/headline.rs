//! The outcome in one sentence, for formats that have a place for one.

use super::human::{counts_words, pinned_counts, severities, still_differs};
use super::model::{Report, Subject};
use super::verdict::Verdict;
use crate::text::{Charset, escape, shorten};

/// Characters of a name in a headline.
const MAX_NAME: usize = 200;
const MAX_SENTENCE: usize = 500;

/// What follows the word of the verdict; escaped, on one line.
pub(super) fn headline(report: &Report) -> String {
    let name = |raw: &str| escape(&shorten(raw, MAX_NAME), Charset::Unicode);
    let lock = name(&report.subject.lock_path);
    let counts = counts_words(&report.counts);
    // What is about no single lock or server says itself what it is about.
    if let Some(said) = report.said.as_ref().filter(|_| report.subject == Subject::default()) {
        return said.clone();
    }
    match report.verdict {
        // It is only in one of two files.
        Verdict::Drift | Verdict::Different if report.blocks.is_empty() && report.said.is_some() => {
            report.said.clone().unwrap_or_default()
        }
        // What differs is told in notes.
        Verdict::Drift | Verdict::Different if report.blocks.is_empty() => {
            format!("{lock} and {} differ", other(report))
        }
        Verdict::Clean if report.said.is_some() => report.said.clone().unwrap_or_default(),
        Verdict::Clean => format!("{counts} match {lock}"),
        Verdict::Drift => {
            let differ = if report.blocks.len() == 1 { "1 place differs" } else { &places(report, "differ") };
            format!("{differ} from {lock}: {}", severities(&report.blocks))
        }
        Verdict::Inconsistent => format!("{lock} contradicts itself: {}", severities(&report.blocks)),
        Verdict::NotApproved => format!("{lock} has no approval that holds"),
        Verdict::Expired => "a finding was accepted until a day that is past".to_owned(),
        Verdict::NotChecked | Verdict::NotPinned | Verdict::NotCaptured => match &report.failure {
            Some(failure) => {
                format!("{}: {} ({})", failure.stage, shorten(&failure.message, MAX_SENTENCE), failure.code)
            }
            None => "the server could not be asked".to_owned(),
        },
        Verdict::Pinned => format!("{lock} was written: {}{}", pinned_counts(report), rest(report)),
        Verdict::Unchanged => match still_differs(report) {
            Some(_) => format!("{lock} was left as it is: {}{}", pinned_counts(report), rest(report)),
            None => format!("{lock} says the same already: {}", pinned_counts(report)),
        },
        Verdict::Refused => {
            let approver = report.lock.as_ref().and_then(|lock| lock.approver.as_deref());
            format!("{lock} is approved by {} and was left as it is", name(approver.unwrap_or("nobody named")))
        }
        Verdict::Approved => {
            let approver = report.lock.as_ref().and_then(|lock| lock.approver.as_deref());
            format!("{lock} is approved by {}: {counts}", name(approver.unwrap_or("nobody named")))
        }
        Verdict::Same => format!("{lock} and {} say the same: {counts}", other(report)),
        Verdict::Different => {
            let differ = if report.blocks.len() == 1 { "1 place differs" } else { &places(report, "differ") };
            format!("{differ} between {lock} and {}: {}", other(report), severities(&report.blocks))
        }
        Verdict::Shown => format!("{lock} pins {counts}"),
        Verdict::Captured => match &report.files.saved_to {
            Some(path) => format!("{counts} were written to {}", name(path)),
            None => format!("{counts} were written"),
        },
        Verdict::Skipped
        | Verdict::NotAsked
        | Verdict::NotLocked
        | Verdict::NotConfigured
        | Verdict::Failed
        | Verdict::Findings => report.said.clone().unwrap_or_default(),
    }
}

/// What a pin of chosen entries left.
fn rest(report: &Report) -> String {
    still_differs(report).map(|words| format!("; {words} from it")).unwrap_or_default()
}

/// What the lock was compared with, where it was no server.
fn other(report: &Report) -> String {
    let path = report.compared_with.as_ref().map(|compared| compared.path.as_str());
    escape(&shorten(path.unwrap_or_default(), MAX_NAME), Charset::Unicode)
}

fn places(report: &Report, verb: &str) -> String {
    format!("{} places {verb}", report.blocks.len())
}
