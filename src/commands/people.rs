//! Who pins, who approves, and in which surroundings: from options, the environment, CI, or somebody at a terminal.

use super::{CommandError, Context};
use crate::lock::wire::{TextError, check_name, check_note};
use crate::report::Report;

/// Somebody at a terminal, if there is one. The command line knows; tests play one.
pub trait People {
    /// Whether a question would reach a person. Input from a pipe or a file is nobody.
    fn can_be_asked(&self) -> bool;
    /// Shows what is about to be done; `asks`: and what a question is going to be about.
    fn show(&self, report: &Report, asks: bool);
    /// Asks, and gives the line that was typed; `None` at the end of input. The question is escaped.
    fn ask(&self, question: &str) -> Option<String>;
}

/// Variables in which CI systems say whose run it is. Each is set by the system, not by whoever wrote the commit.
const CI_ACTORS: [&str; 3] = ["GITHUB_ACTOR", "GITLAB_USER_LOGIN", "CIRCLE_USERNAME"];

/// Whose run this is, where CI says so.
fn ci_actor(context: &Context<'_>) -> Option<String> {
    CI_ACTORS.iter().find_map(|name| context.variable(name)).filter(|_| is_ci(context))
}

fn is_ci(context: &Context<'_>) -> bool {
    context.variable("CI").is_some_and(|value| !matches!(value.to_ascii_lowercase().as_str(), "false" | "0"))
}

/// Who runs this program, and where: `pin.pinner` of a lock.
pub(super) fn pinner(context: &Context<'_>) -> (Option<String>, Option<String>) {
    let environment = context.variable("WARDEN_ENV").or_else(|| is_ci(context).then(|| "ci".to_owned()));
    (context.variable("WARDEN_ACTOR").or_else(|| ci_actor(context)), environment)
}

/// Who approves: as named, or as the environment says.
///
/// # Errors
/// A name that must not be written into a lock.
pub(super) fn approver(named: Option<&str>, context: &Context<'_>) -> Result<Option<String>, CommandError> {
    let name = match named {
        Some(name) => Some(name.to_owned()),
        None => context.variable("WARDEN_APPROVER").or_else(|| ci_actor(context)),
    };
    // Blanks are nobody, wherever they come from.
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    if let Some(name) = &name {
        check_name(name).map_err(|error| unusable("the name of the approver", error))?;
    }
    Ok(name)
}

/// Checks the role and the note of an attestation.
///
/// # Errors
/// A text that must not be written into a lock.
pub(super) fn check_texts(role: &str, note: Option<&str>) -> Result<(), CommandError> {
    check_name(role).map_err(|error| unusable("--role", error))?;
    note.map_or(Ok(()), check_note).map_err(|error| unusable("--note", error))
}

fn unusable(what: &str, error: TextError) -> CommandError {
    CommandError::usage(format!("{what} cannot be written into a lock: {error}"))
}

/// The error where nobody is named and nobody can be asked.
pub(super) fn nobody_named(what: &str) -> CommandError {
    CommandError::usage(format!("{what} needs to know who approves"))
        .hint("add --approver you@example.com, or set WARDEN_APPROVER")
}
