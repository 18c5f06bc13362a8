//! What a client trips over where `warden` reads on, and what nobody can read without running something.

use super::{Fault, Input, mend, severity, shown, target};
use crate::clients::{ConfigFile, Over, Position, Problem, RemarkKind, Scope, ServerEntry, Shape, TransportKind};
use crate::config::Server;
use crate::project::How;
use std::collections::{HashMap, HashSet};
use std::path::Path;

pub(super) fn check(input: &Input<'_>, faults: &mut Vec<Fault>) {
    for file in input.files {
        for entry in &file.servers {
            problems(entry, faults);
            disagreements(entry, faults);
        }
        for refusal in &file.refusals {
            faults.push(Fault {
                rule_id: "WRD-CONF-CLIENT-REFUSES",
                severity: severity("WRD-CONF-CLIENT-REFUSES"),
                target: format!("files/{}", file.path.to_string_lossy()),
                message: refusal.to_string(),
                snippet: refusal.client.to_string(),
                path: file.path.clone(),
                at: refusal.at,
                fix: "the file without what stands there".to_owned(),
                in_project: file.scope == Scope::Project,
            });
        }
    }
    unusable(input, faults);
}

/// Why clients would not run an entry as it stands; one fault for each reason.
fn problems(entry: &ServerEntry, faults: &mut Vec<Fault>) {
    for (at, (_, problem)) in entry.problems.iter().enumerate() {
        if entry.problems[..at].iter().any(|(_, earlier)| earlier == problem) {
            continue;
        }
        let same = entry.problems.iter().filter(|(_, other)| other == problem);
        let clients: Vec<&str> = same.map(|(client, _)| client.name()).collect();
        let rule_id = match problem {
            Problem::InlineToken => "WRD-CONF-SECRET",
            _ => "WRD-CONF-CLIENT-REFUSES",
        };
        faults.push(Fault {
            rule_id,
            severity: severity(rule_id),
            target: target(&entry.name),
            message: format!("{}: {problem}", clients.join(", ")),
            snippet: clients.join(", "),
            path: entry.file.clone(),
            at: entry.at,
            fix: fix(entry, problem),
            in_project: entry.scope == Scope::Project,
        });
    }
}

/// Clients that would run another server than the first one.
fn disagreements(entry: &ServerEntry, faults: &mut Vec<Fault>) {
    let rule_id = "WRD-CONF-READ-DIFFERENTLY";
    faults.extend(entry.disagreements.iter().map(|disagreement| Fault {
        rule_id,
        severity: severity(rule_id),
        target: target(&entry.name),
        message: disagreement.to_string(),
        snippet: format!("{}, {}", disagreement.one, disagreement.other),
        path: entry.file.clone(),
        at: entry.at,
        fix: match &disagreement.over {
            Over::Target { url, .. } => format!("an entry without {url}, or without the command"),
            Over::Member { member, twin: Some(twin) } => {
                format!("the same in {twin} as in {member}, or neither of them")
            }
            Over::Member { member, twin: None } => {
                format!("an entry without {member}, or one for each client in a file that no other client reads")
            }
        },
        in_project: entry.scope == Scope::Project,
    }));
}

fn fix(entry: &ServerEntry, problem: &Problem) -> String {
    let kind = match &entry.shape {
        Shape::Remote(remote) if remote.kind == TransportKind::Sse => "sse",
        Shape::Remote(_) => "http",
        _ => "stdio",
    };
    match problem {
        Problem::UrlWithoutType | Problem::TypeRequired => format!("\"type\": \"{kind}\""),
        Problem::CommandHoldsSpaces => match &entry.shape {
            Shape::Stdio(stdio) => mend::split_command(&stdio.command.value.canonical()),
            _ => "the program in command, and the rest in args".to_owned(),
        },
        Problem::ForeignMember(member) => format!("{}'s own name for {member}", entry.client),
        Problem::NotLoaded(_) => format!("the entry in the map that {} loads", entry.client),
        Problem::ReservedName => "another name".to_owned(),
        Problem::NotAFlag(member) => format!("true or false for {member}, without quotes"),
        Problem::RetiredTransport => "\"type\": \"http\", if the server has that transport".to_owned(),
        Problem::InlineToken => "the name of a variable in its place".to_owned(),
        Problem::NoSuchInput(id) => format!("an input with the id {id}, in inputs"),
    }
}

/// Servers of the settings that cannot be started for a reason that is not in an entry.
fn unusable(input: &Input<'_>, faults: &mut Vec<Fault>) {
    let twice: HashSet<&str> = faults
        .iter()
        .filter(|fault| fault.rule_id == "WRD-CONF-NAME-TWICE")
        .filter_map(|fault| fault.target.strip_prefix("servers/"))
        .collect();
    let mut told: HashMap<&str, Vec<String>> = HashMap::new();
    for entry in input.files.iter().flat_map(|file| &file.servers) {
        if let Some(reason) = unreadable(entry) {
            told.entry(&entry.name).or_default().push(reason);
        }
    }
    let tables: HashMap<&str, &Server> =
        input.project.config.servers.iter().map(|server| (server.name.as_str(), server)).collect();
    let mut found = Vec::new();
    for member in &input.project.servers {
        let reason = match &member.how {
            How::Start(_) => continue,
            How::Unusable(reason) => reason,
            // Said of both entries, where that is what they are.
            How::Ambiguous if twice.contains(member.name.as_str()) => continue,
            How::Ambiguous => "the files that name it disagree about how it is started",
        };
        // Said with the entry, as a note.
        if told.get(member.name.as_str()).is_some_and(|told| told.iter().any(|told| told == reason)) {
            continue;
        }
        let own = member.places.iter().find(|place| place.client.is_none());
        let table = tables.get(member.name.as_str());
        let (path, line, column) = match (own.or(member.places.first()), table, &input.project.config_path) {
            (Some(place), _, _) => (place.path.clone(), place.line, place.column),
            (None, Some(table), Some(path)) => (path.clone(), table.line, table.column),
            _ => continue,
        };
        if !input.looks_at(&path) {
            continue;
        }
        found.push(Fault {
            rule_id: "WRD-CONF-UNUSABLE",
            severity: severity("WRD-CONF-UNUSABLE"),
            target: target(&member.name),
            message: format!("The server cannot be started: {reason}"),
            snippet: format!("'{}'", shown(&member.name)),
            path,
            at: Position { line: super::subject::as_position(line), column: super::subject::as_position(column) },
            fix: match member.how {
                How::Ambiguous => "another name for one of them".to_owned(),
                _ => "a table that names an entry, a command or a url of its own".to_owned(),
            },
            in_project: true,
        });
    }
    faults.extend(found);
}

/// Why nobody can tell what an entry starts, where that is not a fault of its own; escaped.
pub(super) fn dark(entry: &ServerEntry) -> Option<String> {
    unreadable(entry).filter(|_| entry.disagreements.is_empty())
}

/// Why an entry cannot be started from its file alone; escaped.
pub(super) fn unreadable(entry: &ServerEntry) -> Option<String> {
    match crate::project::how(entry) {
        How::Unusable(reason) => Some(reason),
        _ => None,
    }
}

pub(super) fn notes(input: &Input<'_>, shown: &dyn Fn(&Path) -> String) -> Vec<String> {
    input.files.iter().flat_map(|file| notes_of(file, &shown(&file.path))).collect()
}

fn notes_of(file: &ConfigFile, path: &str) -> Vec<String> {
    let place = |at: Position| format!("{path}:{}:{}", at.line, at.column);
    let remarks = file.remarks.iter().filter(|remark| {
        // That is a fault of its own, with both places.
        !matches!(remark.kind, RemarkKind::SameName { .. })
    });
    let mut notes: Vec<(Position, String)> =
        remarks.map(|remark| (remark.at, format!("{}: {}", place(remark.at), remark.kind))).collect();
    for entry in &file.servers {
        if let Some(reason) = dark(entry) {
            let name = super::shown(&entry.name);
            notes.push((
                entry.at,
                format!("{}: what {name} starts cannot be told from the file alone: {reason}", place(entry.at)),
            ));
        }
    }
    notes.sort_by_key(|(at, _)| *at);
    notes.into_iter().map(|(_, note)| note).collect()
}
