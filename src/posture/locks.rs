//! Locks: which server has none, whose is of another launch, what holds no longer.

use super::coverage::{Coverage, Covers};
use super::subject::Subject;
use super::{Fault, Input, mend, severity, shown_path, target};
use crate::checks::redact_argv;
use crate::clients::{Position, Scope};
use crate::config::Discover;
use crate::json::Object;
use crate::project::{How, Member, Start};
use crate::surface::Launch;
use crate::text::quote_argv;
use std::path::{Path, PathBuf};

/// A lock, as far as it matters here.
#[derive(Debug, Clone, PartialEq)]
pub enum LockState {
    Missing,
    /// Why; escaped.
    Unreadable(String),
    Read {
        launch: Launch,
        /// What it records besides the launch; empty for a server that no configuration named.
        started_with: Object,
        contradicts_itself: bool,
        approved: Approved,
    },
}

/// What an approval covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approved {
    Yes,
    No,
    /// Another digest than that of the lock.
    Otherwise,
}

pub(super) fn check(input: &Input<'_>, subjects: &[Subject<'_>], faults: &mut Vec<Fault>) {
    for member in input.project.servers.iter().filter(|member| is_asked(input, member)) {
        if let How::Start(start) = &member.how {
            of_member(input, member, start, faults);
        }
    }
    let strays = input.project.strays.iter().filter(|_| input.named.is_empty());
    for stray in strays {
        let words = ["rm", "--", &stray.lock.to_string_lossy()];
        faults.push(fault(
            "WRD-CONF-LOCK-STRAY",
            &stray.name,
            (&stray.lock, Position::START),
            "No server of this name is configured in the project".to_owned(),
            quote_argv(words),
        ));
    }
    let covers = Covers::new(input);
    for subject in subjects {
        outside(input, &covers, subject, faults);
    }
}

/// Whether a member has to have a lock: it is looked at, switched on and not skipped.
fn is_asked(input: &Input<'_>, member: &Member) -> bool {
    let skipped = member.skip.as_ref().is_some_and(|skip| !skip.is_expired(input.today));
    let looked_at = member.places.iter().any(|place| input.looks_at(&place.path));
    looked_at && !skipped && member.disabled.is_none()
}

fn of_member(input: &Input<'_>, member: &Member, start: &Start, faults: &mut Vec<Fault>) {
    let Some(place) = member.places.first() else { return };
    let at =
        Position { line: super::subject::as_position(place.line), column: super::subject::as_position(place.column) };
    let configured = (place.path.as_path(), at);
    let lock = (member.lock.as_path(), Position::START);
    let pin = pin_member(input, &member.name);
    let mut add = |rule_id, place, message: String, fix: String| {
        faults.push(fault(rule_id, &member.name, place, message, fix));
    };
    let shown_lock = shown_path(&member.lock);
    match input.locks.get(&member.lock).unwrap_or(&LockState::Missing) {
        LockState::Missing => {
            add("WRD-CONF-LOCK-MISSING", configured, format!("There is no lock at {shown_lock}"), pin)
        }
        LockState::Unreadable(cause) => {
            add(
                "WRD-CONF-LOCK-UNREADABLE",
                lock,
                format!("The lock cannot be read: {cause}"),
                format!("{pin} --force"),
            );
        }
        LockState::Read { launch, started_with, contradicts_itself, approved } => {
            // Nobody replaces an approved lock by accident.
            let replace = if *approved == Approved::No { pin.clone() } else { format!("{pin} --force") };
            if *launch != start.launch() {
                let message = format!("{shown_lock} is of another launch than the one that is configured");
                add("WRD-CONF-LOCK-STALE", configured, message, replace);
            } else if *started_with != start.record() {
                let message = format!("{shown_lock} records other variables, headers or another folder");
                add("WRD-LOCK-SETTINGS", configured, message, replace);
            }
            if *contradicts_itself {
                let message = "The lock does not reproduce its own digests".to_owned();
                add("WRD-LOCK-INCONSISTENT", lock, message, format!("{pin} --force"));
                return;
            }
            let lock_word = member.lock.to_string_lossy();
            let approve = quote_argv(["warden", "approve", &lock_word]);
            match approved {
                Approved::Yes => {}
                Approved::No => add("WRD-CONF-LOCK-UNAPPROVED", lock, "Nobody approved the lock".to_owned(), approve),
                Approved::Otherwise => {
                    let message = "The approval is for another digest than the one in the lock".to_owned();
                    add("WRD-DRIFT-UNAPPROVED-CHANGE", lock, message, format!("{pin} --force"));
                }
            }
        }
    }
}

/// A server that belongs to no project, or to a folder of it that has no settings.
fn outside(input: &Input<'_>, covers: &Covers<'_>, subject: &Subject<'_>, faults: &mut Vec<Fault>) {
    let Some(entry) = subject.entry.filter(|entry| entry.is_enabled() && entry.needs.is_empty()) else { return };
    if entry.read_by.is_empty() || covers.member(entry).is_some() {
        return;
    }
    // A project that leaves these files out has said so.
    if subject.scope == Scope::Project && input.project.config.discover == Discover::Off {
        return;
    }
    if covers.entry(entry) != Coverage::Missing {
        return;
    }
    let own = input.own_locks.map(|folder| Input::own_lock(folder, subject.name));
    let fix = match (&own, subject.scope) {
        (Some(lock), Scope::User | Scope::Machine) => pin_own(subject, lock),
        _ => quote_argv(pin_words(subject.name, &[subject.path])),
    };
    let mut fault = fault(
        "WRD-CONF-LOCK-MISSING",
        subject.name,
        (subject.path, subject.at),
        "No lock has what this entry starts".to_owned(),
        fix,
    );
    fault.in_project = subject.scope == Scope::Project;
    faults.push(fault);
}

fn pin_member(input: &Input<'_>, name: &str) -> String {
    let named: Vec<&Path> = input.named.iter().map(PathBuf::as_path).collect();
    quote_argv(pin_words(name, &named))
}

fn pin_words(name: &str, configs: &[&Path]) -> Vec<String> {
    let mut words: Vec<String> = ["warden", "pin", "--all"].map(str::to_owned).into();
    words.extend(configs.iter().flat_map(|config| mend::option("--config", &config.to_string_lossy())));
    words.extend(mend::option("--only", name));
    words
}

/// A pin outside of a project. Values of variables come from the environment of whoever runs it.
fn pin_own(subject: &Subject<'_>, lock: &Path) -> String {
    let folder = lock.parent().unwrap_or(lock).to_string_lossy().into_owned();
    let mut words: Vec<String> = ["warden", "pin", "--lock"].map(str::to_owned).into();
    words.push(lock.to_string_lossy().into_owned());
    let texts = redact_argv(&subject.texts());
    if subject.is_url {
        words.push("--url".to_owned());
    } else {
        let set = subject.start.env.iter().map(|(name, _)| name).chain(&subject.start.hand_on);
        words.extend(set.flat_map(|name| mend::option("--env", name)));
        words.push("--".to_owned());
    }
    words.extend(texts);
    format!("{} && {}", quote_argv(["mkdir", "-p", "--", &folder]), quote_argv(words))
}

fn fault(rule_id: &'static str, name: &str, place: (&Path, Position), message: String, fix: String) -> Fault {
    Fault {
        rule_id,
        severity: severity(rule_id),
        target: target(name),
        message,
        snippet: super::shown(name),
        path: place.0.to_owned(),
        at: place.1,
        fix,
        in_project: true,
    }
}
