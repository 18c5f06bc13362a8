//! Names that stand for two servers, or look as if they did.
//!
//! Two entries meet where somebody could take one for the other: in the files of a project, in one file, or in the
//! files of one client. Two clients of a user may well have different servers of one name.

use super::subject::Subject;
use super::{Fault, Found, Input, shown, shown_path};
use crate::checks::{appearances, mixes_scripts, shown_name};
use crate::clients::{ClientId, Scope};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Where names meet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Realm<'a> {
    Project,
    File(&'a Path, Option<&'a str>),
    Client(ClientId, Option<&'a str>),
}

pub(super) fn check(input: &Input<'_>, subjects: &[Subject<'_>], faults: &mut Vec<Fault>) {
    let mut by_name: HashMap<(Realm<'_>, &str), usize> = HashMap::new();
    let mut by_look: HashMap<(Realm<'_>, String), usize> = HashMap::new();
    let mut told = HashSet::new();
    for (at, subject) in subjects.iter().enumerate() {
        if mixes_scripts(subject.name) {
            let found = Found {
                rule_id: "WRD-LOOK-MIXED-SCRIPT",
                at: subject.at,
                message: "The name mixes Latin letters with letters of another script that are drawn like them"
                    .to_owned(),
                snippet: format!("'{}'", shown_name(subject.name)),
                fix: "a name in one script".to_owned(),
            };
            faults.push(found.of(subject));
        }
        for realm in realms(input, subject) {
            let first = *by_name.entry((realm.clone(), subject.name)).or_insert(at);
            let other = &subjects[first];
            if first != at && is_another(subject, other) {
                for (one, two, number) in [(other, subject, first), (subject, other, at)] {
                    if told.insert((number, "name")) {
                        faults.push(twice(one, two));
                    }
                }
            }
            for look in appearances(subject.name) {
                let first = *by_look.entry((realm.clone(), look)).or_insert(at);
                let other = &subjects[first];
                if other.name != subject.name {
                    for (one, two, number) in [(other, subject, first), (subject, other, at)] {
                        if told.insert((number, "look")) {
                            faults.push(alike(one, two));
                        }
                    }
                }
            }
        }
    }
}

fn realms<'a>(input: &Input<'_>, subject: &Subject<'a>) -> Vec<Realm<'a>> {
    // An entry for another project never meets those of this one.
    let root = input.project.root.to_str();
    let project = subject.entry.and_then(|entry| entry.project()).filter(|project| Some(*project) != root);
    let mut realms = vec![Realm::File(subject.path, project)];
    // What no client loads is nobody's server.
    let is_loaded = subject.entry.is_none() || !subject.read_by.is_empty();
    if subject.scope == Scope::Project && is_loaded && project.is_none() {
        realms.push(Realm::Project);
    }
    realms.extend(subject.read_by.iter().map(|client| Realm::Client(*client, project)));
    realms
}

/// Whether two entries of one name are not one server: they differ, or one map has the name twice.
fn is_another(one: &Subject<'_>, other: &Subject<'_>) -> bool {
    let map = |subject: &Subject<'_>| subject.entry.map(|entry| entry.map.clone());
    one.start != other.start || (one.path == other.path && map(one) == map(other))
}

fn twice(subject: &Subject<'_>, other: &Subject<'_>) -> Fault {
    let place = format!("{}:{}:{}", shown_path(other.path), other.at.line, other.at.column);
    let what = if subject.start == other.start { "the same" } else { "another" };
    let found = Found {
        rule_id: "WRD-CONF-NAME-TWICE",
        at: subject.at,
        message: format!("{place} has the name too, for {what} server"),
        snippet: format!("'{}'", shown(subject.name)),
        fix: format!("another name, here or in {place}"),
    };
    found.of(subject)
}

fn alike(subject: &Subject<'_>, other: &Subject<'_>) -> Fault {
    let place = format!("{}:{}:{}", shown_path(other.path), other.at.line, other.at.column);
    let found = Found {
        rule_id: "WRD-LOOK-ALIKE-NAMES",
        at: subject.at,
        message: format!("The name reads like that of another server, in {place}"),
        snippet: format!("'{}' and '{}'", shown_name(subject.name), shown_name(other.name)),
        fix: format!("another name, here or in {place}"),
    };
    found.of(subject)
}
