//! What a command has to say about all servers of a project: one report for each, and what only shows when they are seen
//! together.

mod json;
mod jsonl;
mod parts;
mod words;

pub(super) use json::project_json;
pub(super) use jsonl::project_jsonl;
pub(super) use parts::{Part, own_report, parts};
pub(super) use words::{
    Standing, clash_count, clash_sentence, entries_words, only_counts_clashes, project_headline, result_words,
    standing, tells_findings, verdict_words,
};

use super::model::{FilePlace, NextStep, Report};
use super::verdict::Verdict;
use crate::formats::Format;

/// What a command found about the servers of a project.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectReport {
    /// The name of the command.
    pub command: &'static str,
    /// That of the project as a whole: [`Verdict::of_all`] of its servers, unless something about the project is worse.
    pub verdict: Verdict,
    /// The `warden.toml` in play, as the user would name it; raw.
    pub config: Option<String>,
    /// Sorted by name; a server has one part.
    pub servers: Vec<ServerPart>,
    /// Tool names that more than one server offers, sorted.
    pub clashes: Vec<Clash>,
    /// Things a reader should know that change no verdict; escaped already.
    pub notes: Vec<String>,
    /// Files that were written besides the locks, from the current folder; raw. For commands that write any.
    pub written: Option<Vec<String>>,
    /// The lock file of another tool that this is about: its format, and its version in words. Then the exit code is that
    /// of the format's own tool.
    pub lock_format: Option<(Format, String)>,
    pub next: Vec<NextStep>,
}

/// One server of a project.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerPart {
    /// Its name in the project; raw.
    pub name: String,
    /// Where the project configures it; empty for a lock that nothing configures.
    pub places: Vec<FilePlace>,
    pub report: Report,
    /// The lock's place from the root of its repository, with forward slashes; raw.
    pub lock_uri: String,
}

/// A tool name that more than one server offers: a model that calls it may reach either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// Raw.
    pub tool: String,
    /// Names of servers, sorted; raw.
    pub servers: Vec<String>,
}

impl Verdict {
    /// The verdict over several servers. What is known to be wrong beats what could not be looked at, because a file or
    /// an argument is wrong, and that beats a server that could not be asked. Nothing looked at is never clean.
    pub fn of_all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        verdicts.into_iter().max_by_key(|verdict| verdict.weight()).map_or(Self::NotChecked, |worst| match worst {
            // Every server was left out on purpose, and then nothing is known.
            Self::Skipped => Self::NotChecked,
            other => other,
        })
    }

    /// The heavier of two verdicts is the one of both servers together.
    fn weight(self) -> u8 {
        match self {
            Self::Skipped => 0,
            Self::NotAsked => 1,
            Self::Unchanged | Self::Same => 2,
            Self::Clean | Self::Pinned | Self::Shown | Self::Approved | Self::Captured => 3,
            Self::Different => 4,
            Self::NotChecked | Self::NotPinned | Self::NotCaptured => 5,
            Self::Refused => 6,
            Self::Failed => 7,
            Self::Findings => 8,
            Self::Expired => 9,
            Self::NotApproved => 10,
            Self::NotConfigured => 11,
            Self::NotLocked => 12,
            Self::Inconsistent => 13,
            Self::Drift => 14,
        }
    }
}

impl ProjectReport {
    /// How many servers have each verdict, in the order in which they first occur.
    pub fn counts(&self) -> Vec<(Verdict, usize)> {
        let mut counts: Vec<(Verdict, usize)> = Vec::new();
        for part in &self.servers {
            match counts.iter_mut().find(|(verdict, _)| *verdict == part.report.verdict) {
                Some((_, count)) => *count += 1,
                None => counts.push((part.report.verdict, 1)),
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_beats_two_beats_three_beats_nothing() {
        use Verdict::{Clean, Drift, Failed, NotAsked, NotChecked, NotLocked, Pinned, Skipped, Unchanged};
        for (verdicts, expected) in [
            (&[][..], NotChecked),
            (&[Skipped, Skipped], NotChecked),
            (&[Skipped, NotAsked], NotAsked),
            (&[Skipped, Clean], Clean),
            (&[Clean, NotChecked, Clean], NotChecked),
            (&[NotChecked, Failed], Failed),
            (&[Failed, Drift, NotChecked], Drift),
            (&[NotLocked, Failed, Clean], NotLocked),
            (&[Unchanged, Pinned], Pinned),
        ] {
            assert_eq!(Verdict::of_all(verdicts.iter().copied()), expected, "{verdicts:?}");
        }
    }
}
