//! A plan for several servers, and the report that comes of it.

use super::super::args::ConfigArgs;
use super::super::context::Context;
use super::next;
use super::parts::clashes;
use crate::report::{ProjectReport, ServerPart, Verdict};

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
    /// What the next command has to repeat.
    pub repeated: ConfigArgs,
}

/// What is done for one server.
pub struct Job {
    /// The server's name; raw.
    pub name: String,
    run: Box<dyn FnOnce(&Context<'_>) -> ServerPart + Send>,
}

impl Job {
    pub(super) fn new(name: &str, run: impl FnOnce(&Context<'_>) -> ServerPart + Send + 'static) -> Self {
        Self { name: name.to_owned(), run: Box::new(run) }
    }

    /// Does it. Blocks until the server is gone again.
    pub fn run(self, context: &Context<'_>) -> ServerPart {
        (self.run)(context)
    }
}

impl Work {
    /// Puts the parts together: those that were ready, and those of the jobs in any order.
    pub fn finish(self, parts: Vec<ServerPart>) -> ProjectReport {
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
        let mut report = ProjectReport {
            command: self.command,
            verdict,
            config: self.config,
            clashes: clashes(&servers),
            servers,
            notes: self.notes,
            next: Vec::new(),
        };
        report.next = next::steps(&report, &self.repeated);
        report
    }
}
