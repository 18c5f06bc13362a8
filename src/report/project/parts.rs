//! What a format for machines renders: one report, or the reports of all servers and what is said of them together.

use super::ProjectReport;
use super::words::{Standing, clash_sentence, project_headline, standing};
use crate::report::blocks::server_block;
use crate::report::facts::{Fact, NOT_CAPTURED_RULE, facts};
use crate::report::lines::{LockLines, Place};
use crate::report::model::{FilePlace, Report, Subject};
use crate::report::{Rendering, Verdict};
use crate::text::{Charset, escape, shorten};

/// Characters of a server's name in front of what is said about it.
const MAX_SERVER: usize = 80;

/// A report, and what renderers must know about where it belongs.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct Part<'r> {
    /// The server's name in its project, raw; `None` in the report of one server, and where the project speaks.
    pub server: Option<&'r str>,
    pub report: &'r Report,
    /// The lock's place from the root of its repository, raw, with forward slashes.
    pub lock_uri: &'r str,
    /// Whether what this part says makes the run fail.
    pub fails: bool,
    /// Where the server is configured first.
    pub configured: Option<&'r FilePlace>,
    /// Whether the project speaks, and no server.
    pub is_project: bool,
}

impl<'r> Part<'r> {
    /// The only part of a report about one server.
    pub fn only(report: &'r Report, rendering: &Rendering<'r>) -> Self {
        let fails = rendering.exit_code != 0;
        Self { server: None, report, lock_uri: rendering.lock_uri, fails, configured: None, is_project: false }
    }

    /// The facts of its report. What a project says of its verdict was said by its servers.
    pub fn facts(&self) -> Vec<Fact<'r>> {
        if self.is_project && self.report.blocks.is_empty() { Vec::new() } else { facts(self.report) }
    }

    /// Where a fact stands: its own place, a line of the lock, or where the server is configured if there is no lock.
    pub fn place_of(&self, fact: &Fact<'r>, lines: &LockLines) -> Place<'r> {
        let configured = self.configured.filter(|_| self.report.verdict == Verdict::NotLocked);
        match fact.place.or(configured) {
            Some(place) => Place { uri: &place.uri, line: place.line.max(1), column: Some(place.column.max(1)) },
            None => Place { uri: self.lock_uri, line: lines.line(fact.target), column: None },
        }
    }

    /// The file that makes a fact another one than the same fact elsewhere.
    pub fn identity_of(&self, fact: &Fact<'r>) -> &'r str {
        fact.place.map_or(self.lock_uri, |place| &place.uri)
    }

    /// A name with that of the server before it; the name is escaped already.
    pub fn qualified(&self, name: &str) -> String {
        match self.server {
            Some(server) => format!("{}: {name}", escape(&shorten(server, MAX_SERVER), Charset::Unicode)),
            None => name.to_owned(),
        }
    }
}

/// The parts of a project in the order of its servers, `own` behind them.
pub(in crate::report) fn parts<'r>(
    project: &'r ProjectReport,
    own: &'r Report,
    rendering: &Rendering<'r>,
) -> Vec<Part<'r>> {
    let servers = project.servers.iter().map(|part| Part {
        server: Some(&part.name),
        report: &part.report,
        lock_uri: &part.lock_uri,
        fails: rendering.exit_code != 0 && matches!(standing(part.report.verdict), Standing::Wrong | Standing::Unknown),
        configured: part.places.first(),
        is_project: false,
    });
    let fails = !own.blocks.is_empty();
    let own = Part { is_project: true, fails, ..Part::only(own, rendering) };
    servers.chain([own]).collect()
}

/// What the project says for itself, as a report: notes and commands, and that nothing was checked where no server says
/// that something is wrong.
pub(in crate::report) fn own_report(project: &ProjectReport, rendering: &Rendering<'_>) -> Report {
    let mut own = Report::new(project.command, project.verdict, Subject::default());
    let headline = project_headline(project);
    let tells = |verdict: Verdict| matches!(standing(verdict), Standing::Wrong | Standing::Unknown);
    if rendering.exit_code != 0 && !project.servers.iter().any(|part| tells(part.report.verdict)) {
        own.blocks.push(server_block(NOT_CAPTURED_RULE, format!("nothing was done: {headline}")));
    }
    own.said = Some(headline);
    own.notes = project.clashes.iter().map(clash_sentence).collect();
    own.notes.extend(project.notes.iter().cloned());
    own.next.clone_from(&project.next);
    own
}
