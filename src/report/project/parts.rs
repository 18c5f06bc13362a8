//! What a format for machines renders: one report, or the reports of all servers and what is said of them together.

use super::ProjectReport;
use super::words::{Standing, clash_sentence, project_headline, standing};
use crate::report::blocks::server_block;
use crate::report::facts::NOT_CAPTURED_RULE;
use crate::report::model::{Report, Subject};
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
}

impl<'r> Part<'r> {
    /// The only part of a report about one server.
    pub fn only(report: &'r Report, rendering: &Rendering<'r>) -> Self {
        Self { server: None, report, lock_uri: rendering.lock_uri, fails: rendering.exit_code != 0 }
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
    });
    let own = Part { server: None, report: own, lock_uri: rendering.lock_uri, fails: rendering.exit_code != 0 };
    servers.chain([own]).collect()
}

/// What the project says for itself, as a report: notes and commands, and that nothing was checked where no server says
/// that something is wrong.
pub(in crate::report) fn own_report(project: &ProjectReport, rendering: &Rendering<'_>) -> Report {
    let mut own = Report::new(project.command, project.verdict, Subject::default());
    let headline = project_headline(project);
    let tells = |standing_of: Verdict| matches!(standing(standing_of), Standing::Wrong | Standing::Unknown);
    if rendering.exit_code != 0 && !project.servers.iter().any(|part| tells(part.report.verdict)) {
        own.blocks.push(server_block(NOT_CAPTURED_RULE, format!("nothing was done: {headline}")));
    }
    own.said = Some(headline);
    own.notes = project.clashes.iter().map(clash_sentence).collect();
    own.notes.extend(project.notes.iter().cloned());
    own.next.clone_from(&project.next);
    own
}
