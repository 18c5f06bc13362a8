//! A plan for several servers, and the report that comes of it.

use super::super::CommandError;
use super::super::args::ConfigArgs;
use super::super::context::Context;
use super::super::surface_file::beside;
use super::next;
use super::parts::clashes;
use crate::config::Ignore;
use crate::formats::Format;
use crate::lock::file::{FileError, read_bytes};
use crate::report::{ProjectReport, ServerPart, Verdict};
use crate::text::{Charset, escape, shorten};
use std::path::{Path, PathBuf};

/// What is to be done, and what is known already.
pub struct Work {
    pub command: &'static str,
    /// The `warden.toml` in play; raw.
    pub config: Option<String>,
    /// Servers that nothing is started for.
    pub ready: Vec<ServerPart>,
    pub jobs: Vec<Job>,
    /// How many jobs are done at a time; `None`: as many as suit the machine.
    pub at_a_time: Option<usize>,
    /// Escaped.
    pub notes: Vec<String>,
    /// What the project accepts; see [`unused`].
    pub(super) ignores: Vec<Ignore>,
    /// What the next command has to repeat.
    pub repeated: ConfigArgs,
    /// Whether it is about servers that were chosen by `--only`.
    pub is_part: bool,
    /// Files that this reads or writes: no report may take the place of one.
    pub files: Vec<PathBuf>,
    /// The lock file of another tool that all of this is about: its format, and its version in words.
    pub lock_format: Option<(Format, String)>,
    /// What is done once every job is done, with what they found.
    pub(in crate::commands) after: Option<After>,
}

/// See [`Work::after`].
pub(in crate::commands) type After = Box<dyn FnOnce(&mut ProjectReport) -> Result<(), CommandError>>;

/// What is done for one server.
pub struct Job {
    /// The server's name; raw.
    pub name: String,
    run: Box<dyn FnOnce(&Context<'_>) -> ServerPart + Send>,
}

impl Job {
    pub(in crate::commands) fn new(name: &str, run: impl FnOnce(&Context<'_>) -> ServerPart + Send + 'static) -> Self {
        Self { name: name.to_owned(), run: Box::new(run) }
    }

    /// Does it. Blocks until the server is gone again.
    pub fn run(self, context: &Context<'_>) -> ServerPart {
        (self.run)(context)
    }
}

impl Work {
    /// A plan for the servers of a lock file of another tool, in which nothing is done yet.
    pub(in crate::commands) fn of_file(
        command: &'static str,
        format: Format,
        version: String,
        jobs: Option<u16>,
    ) -> Self {
        Self {
            command,
            config: None,
            ready: Vec::new(),
            jobs: Vec::new(),
            at_a_time: jobs.map(usize::from),
            notes: Vec::new(),
            ignores: Vec::new(),
            repeated: ConfigArgs::default(),
            is_part: false,
            files: Vec::new(),
            lock_format: Some((format, version)),
            after: None,
        }
    }

    /// Puts the parts together: those that were ready, and those of the jobs in any order.
    ///
    /// # Errors
    /// What had to be done after the jobs failed.
    pub fn finish(self, parts: Vec<ServerPart>) -> Result<ProjectReport, CommandError> {
        let mut servers = self.ready;
        servers.extend(parts);
        servers.sort_by(|one, other| one.name.cmp(&other.name));
        for part in &mut servers {
            // They speak of one server and its lock alone; the project's own come below.
            part.report.next.clear();
        }
        let mut verdict = Verdict::of_all(servers.iter().map(|part| part.report.verdict));
        if self.command == "show" && verdict == Verdict::NotChecked {
            verdict = Verdict::Shown;
        }
        let mut notes = self.notes;
        if self.command != "show" {
            notes.extend(unused(&self.ignores, &servers, self.config.as_deref().unwrap_or_default()));
        }
        let mut report = ProjectReport {
            command: self.command,
            verdict,
            config: self.config,
            clashes: clashes(&servers),
            servers,
            notes,
            written: None,
            lock_format: self.lock_format,
            next: Vec::new(),
        };
        if let Some(after) = self.after {
            after(&mut report)?;
        }
        if report.lock_format.is_none() {
            let keeps_texts = |part: &ServerPart| {
                let beside = beside(Path::new(&part.report.subject.lock_path));
                !matches!(read_bytes(&beside, 0), Err(FileError::NotFound))
            };
            report.next = next::steps(&report, &self.repeated, self.is_part, &keeps_texts);
        }
        Ok(report)
    }
}

/// Entries of `warden.toml` for all servers that none of them needs, and those for a server that there is not. Nothing
/// is said of the former as long as one server was not looked at.
fn unused(ignores: &[Ignore], servers: &[ServerPart], path: &str) -> Vec<String> {
    let shown = |text: &str| escape(&shorten(text, 200), Charset::Unicode);
    let all_seen = servers.iter().all(|part| part.report.server.is_some());
    let is_used = |ignore: &Ignore| {
        let configs = servers.iter().filter_map(|part| part.report.config.as_ref());
        let mut lines =
            configs.flat_map(|config| config.accepted.iter().map(|accepted| &accepted.by).chain(&config.expired));
        lines.any(|by| by.line == ignore.line)
    };
    let note = |ignore: &Ignore| {
        let at = format!("WRD-IGNORE-UNUSED {}:{}", shown(path), ignore.line);
        let (rule, target) = (ignore.rule, shown(&ignore.target));
        match &ignore.server {
            Some(name) if servers.iter().all(|part| part.name != *name) => Some(format!(
                "{at}: no server {} was looked at, so {rule} on {target} is accepted for nobody",
                shown(name)
            )),
            None if all_seen && !is_used(ignore) => {
                Some(format!("{at}: no server has a finding {rule} on {target} to accept"))
            }
            _ => None,
        }
    };
    ignores.iter().filter_map(note).collect()
}
