//! Variables and headers: secrets in clear, and variables that make a program load code.

use super::subject::Subject;
use super::{Fault, Found, mend, shown};
use crate::checks::{is_secret_setting, loads_code, program};
use crate::clients::{Part, Position, Reference, Scope, Template};

pub(super) fn check(subject: &Subject<'_>, faults: &mut Vec<Fault>) {
    for (kind, settings) in [("variable", subject.env()), ("header", subject.headers())] {
        for setting in settings.iter().filter(|setting| holds_secret(&setting.name, &setting.value)) {
            let name = shown(&setting.name);
            let found = Found {
                rule_id: "WRD-CONF-SECRET",
                at: setting.at,
                message: format!("The {kind} {name} has a secret in clear for its value"),
                snippet: name,
                fix: mend::reference_instead(subject.client(), &setting.name),
            };
            faults.push(found.of(subject));
        }
    }
    if subject.scope == Scope::Project {
        for setting in subject.env() {
            loader(subject, &setting.name, setting.at, faults);
        }
        for (name, at) in assigned(subject) {
            loader(subject, name, at, faults);
        }
    }
}

/// Whether the file itself has the value, and it is a secret.
fn holds_secret(name: &str, value: &Template) -> bool {
    let mut literal = String::new();
    let mut has_reference = false;
    for part in value.parts() {
        match part {
            Part::Literal(text) => literal.push_str(&text),
            // The server would get it as it is written, which is no secret.
            Part::Reference(Reference::Foreign { .. }) => has_reference = true,
            Part::Reference(Reference::Environment { default, .. }) => {
                has_reference = true;
                literal.push_str(&default.map(|default| default.0).unwrap_or_default());
            }
            Part::Reference(_) => has_reference = true,
        }
    }
    is_secret_setting(name, &literal, has_reference)
}

/// Assignments before the program, as `env` takes them.
fn assigned<'s>(subject: &'s Subject<'_>) -> Vec<(&'s str, Position)> {
    let Some((first, rest)) = subject.words.split_first() else { return Vec::new() };
    if program(&first.text) != "env" {
        return Vec::new();
    }
    let is_before = |word: &&super::subject::Word| word.text.starts_with('-') || word.text.contains('=');
    let name = |word: &'s super::subject::Word| Some((word.text.split_once('=')?.0, word.at));
    rest.iter().take_while(is_before).filter_map(name).collect()
}

fn loader(subject: &Subject<'_>, name: &str, at: Position, faults: &mut Vec<Fault>) {
    if !loads_code(name) {
        return;
    }
    let name = shown(name);
    let found = Found {
        rule_id: "WRD-CONF-CODE-LOADING",
        at,
        message: format!("The project sets {name}, which decides what code is loaded or where it comes from"),
        fix: format!("the entry without {name}"),
        snippet: name,
    };
    faults.push(found.of(subject));
}
