//! The part of a report that is about one server, where nobody had to ask it.

use super::super::summary::shown_launch;
use super::super::{CommandError, Outcome};
use crate::project::{How, Member, Place};
use crate::report::{
    COMMAND_FAILED_RULE, Clash, FilePlace, NOT_CONFIGURED_RULE, NOT_LOCKED_RULE, Report, ServerPart, Subject, Verdict,
    server_block,
};
use crate::text::{Charset, escape, shorten};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const MAX_TEXT: usize = 300;

/// What nobody had to be asked for.
pub(in crate::commands) struct Said<'a> {
    pub command: &'static str,
    pub member: &'a Member,
}

impl Said<'_> {
    /// A part that says one sentence.
    pub fn part(&self, verdict: Verdict, said: String) -> ServerPart {
        let launch = match &self.member.how {
            How::Start(start) => shown_launch(&start.shown()),
            How::Unusable(_) | How::Ambiguous => String::new(),
        };
        let lock_path = self.member.lock.to_string_lossy().into_owned();
        let mut report = Report::new(self.command, verdict, Subject { lock_path, launch });
        report.said = Some(said);
        part(self.member, report)
    }

    /// A part with an item that fails formats which know nothing but items.
    fn wrong(&self, verdict: Verdict, said: String, rule_id: &'static str) -> ServerPart {
        let mut part = self.part(verdict, said.clone());
        part.report.blocks = vec![server_block(rule_id, said)];
        part
    }

    pub fn skipped(&self, reason: &str, until: Option<&str>) -> ServerPart {
        let until = until.map(|day| format!(", until {day}")).unwrap_or_default();
        self.part(Verdict::Skipped, format!("skipped in warden.toml: \"{}\"{until}", shown(reason)))
    }

    pub fn switched_off(&self, place: &Place) -> ServerPart {
        self.part(Verdict::Skipped, format!("switched off in {}", place_words(place)))
    }

    pub fn not_asked(&self, since: &str) -> ServerPart {
        self.part(Verdict::NotAsked, format!("nothing about it changed since {}", shown(since)))
    }

    pub fn not_locked(&self) -> ServerPart {
        let lock = shown(&self.member.lock.to_string_lossy());
        let at = self.member.places.first().map(|place| format!("{} configures it, and ", place_words(place)));
        let said = format!("{}there is no {lock}", at.unwrap_or_default());
        self.wrong(Verdict::NotLocked, said, NOT_LOCKED_RULE)
    }

    /// Two places that say different things.
    pub fn ambiguous(&self) -> ServerPart {
        let places: Vec<String> = self.member.places.iter().map(place_words).collect();
        let said = format!("its configurations disagree: {}", shorten(&places.join(", "), 2 * MAX_TEXT));
        let mut part = self.failed(said, &[]);
        part.report.notes.push(
            "make them say the same, give one of them another name, or choose one in warden.toml and name the other \
             there too: from = FILE, entry = NAME"
                .to_owned(),
        );
        part
    }

    /// It cannot be told how to start it. `why` is escaped.
    pub fn unusable(&self, why: &str) -> ServerPart {
        self.failed(format!("it cannot be started from its configuration: {why}"), &[])
    }

    pub fn failed(&self, said: String, hints: &[String]) -> ServerPart {
        let mut part = self.wrong(Verdict::Failed, said, COMMAND_FAILED_RULE);
        part.report.notes.extend(hints.iter().cloned());
        part
    }

    /// What a command for this server came to. Blocks until the server is gone.
    pub fn finished(&self, outcome: Result<Outcome, CommandError>) -> ServerPart {
        match outcome {
            Ok(outcome) => {
                let mut part = part(self.member, outcome.report);
                if outcome.closing.is_some_and(|closing| closing.finish().is_none()) {
                    let note = "the server could not be ended: a process of it may still run";
                    part.report.notes.push(note.to_owned());
                }
                part
            }
            Err(error) => self.failed(error.sentence(), &error.hints),
        }
    }
}

/// A lock whose server nothing configures.
pub(super) fn not_configured(command: &'static str, name: &str, lock: &Path) -> ServerPart {
    let said = format!("nothing configures the server of {}", shown(&lock.to_string_lossy()));
    let subject = Subject { lock_path: lock.to_string_lossy().into_owned(), launch: String::new() };
    let mut report = Report::new(command, Verdict::NotConfigured, subject);
    report.blocks = vec![server_block(NOT_CONFIGURED_RULE, said.clone())];
    report.said = Some(said);
    ServerPart { name: name.to_owned(), places: Vec::new(), report, lock_uri: String::new() }
}

/// A configuration file that could not be read: any server may hide in it.
pub(super) fn unread(command: &'static str, error: &crate::clients::FileError) -> ServerPart {
    let said = format!("the file could not be read, and may name any server: {error}");
    let mut report = Report::new(command, Verdict::Failed, Subject::default());
    report.blocks = vec![server_block(COMMAND_FAILED_RULE, said.clone())];
    report.said = Some(said);
    let place = FilePlace {
        path: error.path.to_string_lossy().into_owned(),
        uri: String::new(),
        line: error.at.map_or(1, |at| at.line as usize),
        column: error.at.map_or(1, |at| at.column as usize),
    };
    let name = error.path.to_string_lossy().into_owned();
    ServerPart { name, places: vec![place], report, lock_uri: String::new() }
}

/// A part with a report.
fn part(member: &Member, report: Report) -> ServerPart {
    let places = member.places.iter().map(|place| FilePlace {
        path: place.path.to_string_lossy().into_owned(),
        uri: String::new(),
        line: place.line,
        column: place.column,
    });
    ServerPart { name: member.name.clone(), places: places.collect(), report, lock_uri: String::new() }
}

/// `.mcp.json:3`, escaped.
pub(in crate::commands) fn place_words(place: &Place) -> String {
    format!("{}:{}", shown(&place.path.to_string_lossy()), place.line)
}

fn shown(text: &str) -> String {
    escape(&shorten(text, MAX_TEXT), Charset::Unicode)
}

/// Names of tools that more than one server offers.
pub(super) fn clashes(servers: &[ServerPart]) -> Vec<Clash> {
    let mut offered: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for part in servers {
        for tool in part.report.entries.iter().filter_map(|target| target.strip_prefix("tools/")) {
            offered.entry(tool).or_default().insert(&part.name);
        }
    }
    let several = offered.into_iter().filter(|(_, servers)| servers.len() > 1);
    let clash = |(tool, servers): (&str, BTreeSet<&str>)| Clash {
        tool: tool.to_owned(),
        servers: servers.into_iter().map(str::to_owned).collect(),
    };
    several.map(clash).collect()
}
