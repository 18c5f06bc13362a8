//! What is risky about how servers are configured, from what files say and nothing else: `warden doctor`.
//!
//! * [`examine`] gives every finding of an [`Input`]. Nothing is started, looked up or opened.
//!
//! A family is one file: `launch` (command lines), `remote` (URLs), `values` (variables and headers), `names`, `reading`
//! (what clients trip over), `locks`, `writable`, `left_out`. `subject` brings entries of clients' files and tables of `warden.toml`
//! into one form, `mend` says what to write instead. Pure. Input is hostile: work is linear in the size of the files.

mod coverage;
mod launch;
mod left_out;
mod locks;
mod mend;
mod names;
mod reading;
mod remote;
mod subject;
mod values;
mod writable;

pub use coverage::{Coverage, Covers};
pub use locks::{Approved, LockState};

use crate::clients::{ConfigFile, Position, Scope, ServerEntry};
use crate::finding::{Severity, rule};
use crate::lock::Lock;
use crate::project::Project;
use crate::text::{Charset, escape, shorten};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use subject::Subject;

/// Everything that was read.
pub struct Input<'a> {
    /// Every client's file that is looked at, also those outside of the project.
    pub files: &'a [ConfigFile],
    pub project: &'a Project,
    /// Files that were named; then nothing else is looked at. Empty: everything is.
    pub named: &'a [PathBuf],
    /// The locks of the project's servers, and those of [`Input::own_lock`], by their paths.
    pub locks: &'a BTreeMap<PathBuf, LockState>,
    /// The folder of locks for servers that belong to no project, absolute; `None`: it is not known.
    pub own_locks: Option<&'a Path>,
    /// Configuration files that everybody can change, and what allows it: the file or its folder.
    pub writable: &'a [(PathBuf, PathBuf)],
    /// The day, as it stands in `warden.toml`, or a time that begins with it.
    pub today: &'a str,
}

/// Something to mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub rule_id: &'static str,
    pub severity: Severity,
    /// `servers/NAME` or `files/PATH`; raw.
    pub target: String,
    /// One sentence without a full stop. Escaped; no secret stands in it.
    pub message: String,
    /// What it is about, in a few words: a package, a name, a place in the entry. Escaped.
    pub snippet: String,
    /// As the file was read from; raw.
    pub path: PathBuf,
    pub at: Position,
    /// A command, or what to write instead; shell-quoted or escaped.
    pub fix: String,
    /// Whether it is about a file of the project.
    pub in_project: bool,
}

/// Finds everything, sorted by file, place and rule, without repeats.
pub fn examine(input: &Input<'_>) -> Vec<Fault> {
    let subjects = subject::all(input);
    let mut faults = Vec::new();
    for subject in &subjects {
        launch::check(subject, &mut faults);
        remote::check(subject, &mut faults);
        values::check(subject, &mut faults);
    }
    names::check(input, &subjects, &mut faults);
    reading::check(input, &mut faults);
    locks::check(input, &subjects, &mut faults);
    writable::check(input, &mut faults);
    left_out::check(input, &mut faults);
    faults.sort_by(|one, other| {
        let key = |fault: &Fault| (!fault.in_project, fault.path.clone(), fault.at, fault.rule_id);
        key(one).cmp(&key(other)).then_with(|| one.snippet.cmp(&other.snippet))
    });
    faults.dedup();
    faults
}

/// The entries whose name stands for another server too, each with the place of that one in its message.
pub fn doubled(input: &Input<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    names::check(input, &subject::all(input), &mut faults);
    faults.retain(|fault| fault.rule_id == "WRD-CONF-NAME-TWICE");
    faults
}

/// Why an entry cannot be read without running something; escaped.
pub fn why_unreadable(entry: &ServerEntry) -> Option<String> {
    reading::unreadable(entry)
}

/// How many servers cannot be read without running something.
pub fn unreadable(files: &[ConfigFile]) -> usize {
    let entries = files.iter().flat_map(|file| &file.servers);
    entries.filter(|entry| reading::dark(entry).is_some()).count()
}

/// What a reader should know about servers and files, and nobody has to mend: entries that cannot be read without
/// running something, and remarks about files. Escaped; each begins with its place.
pub fn notes(input: &Input<'_>, shown: &dyn Fn(&Path) -> String) -> Vec<String> {
    reading::notes(input, shown)
}

impl Input<'_> {
    /// Whether a file is looked at.
    fn looks_at(&self, path: &Path) -> bool {
        self.named.is_empty() || self.named.iter().any(|named| named == path)
    }

    /// The lock of a server that belongs to no project.
    pub fn own_lock(own_locks: &Path, name: &str) -> PathBuf {
        own_locks.join(crate::project::folder_of(name)).join(crate::project::LOCK_NAME)
    }
}

impl LockState {
    /// Of a lock that was read.
    pub fn of(lock: &Lock) -> Self {
        let approval = &lock.pin.approval;
        let approved = match approval.approved {
            _ if approval.holds_for(lock.surface.overall_digest) => Approved::Yes,
            true if approval.approved_digest.is_some() => Approved::Otherwise,
            _ => Approved::No,
        };
        Self::Read {
            launch: lock.surface.launch.clone(),
            started_with: lock.pin.warden.started_with.clone(),
            contradicts_itself: !lock.inconsistencies().is_empty(),
            approved,
        }
    }
}

/// What a family found about a place in an entry.
struct Found {
    rule_id: &'static str,
    at: Position,
    message: String,
    snippet: String,
    fix: String,
}

impl Found {
    /// As a fault of a server.
    fn of(self, subject: &Subject<'_>) -> Fault {
        Fault {
            rule_id: self.rule_id,
            severity: severity(self.rule_id),
            target: target(subject.name),
            message: self.message,
            snippet: self.snippet,
            path: subject.path.to_owned(),
            at: self.at,
            fix: self.fix,
            in_project: subject.scope == Scope::Project,
        }
    }
}

fn severity(rule_id: &str) -> Severity {
    debug_assert!(rule(rule_id).is_some(), "{rule_id} is not in the catalogue");
    rule(rule_id).map_or(Severity::Low, |rule| rule.severity)
}

/// The target of what is about a server.
fn target(name: &str) -> String {
    format!("servers/{name}")
}

/// A name or the like from a file, fit to be shown.
fn shown(text: &str) -> String {
    shorten(&escape(text, Charset::Unicode), 200)
}

/// A path, whole: its end is what tells files apart.
fn shown_path(path: &Path) -> String {
    escape(&path.to_string_lossy(), Charset::Unicode)
}
