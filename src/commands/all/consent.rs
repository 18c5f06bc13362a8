//! Nothing that a configuration names is started before somebody said so: the files come with a clone, and anybody may
//! have written them.

use super::super::people::People;
use super::super::summary::shown_launch;
use super::super::{CommandError, ErrorKind};
use super::parts::place_words;
use crate::project::{Member, Start};
use crate::text::{Charset, escape, shorten};

const MAX_NAME: usize = 60;
const MAX_LAUNCH: usize = 1000;

/// Asks whether these servers may be started. Those that a lock names already, in just this way, need no answer.
///
/// # Errors
/// The answer is no, or there is nobody to ask.
pub(in crate::commands) fn ask(
    servers: &[(&Member, &Start)],
    yes: bool,
    people: &dyn People,
) -> Result<(), CommandError> {
    if yes || servers.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = servers.iter().map(|(member, start)| line(member, start)).collect();
    let many = servers.len() != 1;
    let what = if many { format!("these {} servers", servers.len()) } else { "this server".to_owned() };
    if !people.can_be_asked() {
        let error = CommandError::usage(format!("{what} would be started, and nobody is here to be asked"));
        return Err(CommandError { causes: lines, ..error }.hint("look at the commands, then add --yes"));
    }
    let list: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    let question = format!(
        "The configuration names {what}, and warden has to start {}:\n{list}Start? [y/N] ",
        if many { "them" } else { "it" }
    );
    match people.ask(&question).as_deref().map(str::trim) {
        Some(answer) if answer.eq_ignore_ascii_case("y") || answer.eq_ignore_ascii_case("yes") => Ok(()),
        _ => Err(CommandError {
            kind: ErrorKind::Usage,
            ..CommandError::usage("nothing was started: the answer was no")
        }),
    }
}

/// Name, command, what surrounds it, and where that stands. No value of a variable, no secret.
fn line(member: &Member, start: &Start) -> String {
    let name = escape(&shorten(&member.name, MAX_NAME), Charset::Unicode);
    let place = member.places.first().map(place_words).unwrap_or_default();
    format!("{name}: {}  ({place})", launch_words(start))
}

/// Command and what surrounds it, escaped: names of variables and no value, no secret.
pub(in crate::commands) fn launch_words(start: &Start) -> String {
    let launch = escape(&shorten(&shown_launch(&start.shown()), MAX_LAUNCH), Charset::Unicode);
    let mut variables: Vec<&str> = start.env.iter().map(|(name, _)| name.as_str()).collect();
    variables.extend(start.hand_on.iter().map(String::as_str));
    variables.sort_unstable();
    variables.dedup();
    let variables = match variables.is_empty() {
        true => String::new(),
        false => format!(", with {}", escape(&shorten(&variables.join(", "), MAX_LAUNCH), Charset::Unicode)),
    };
    let folder = start
        .cwd
        .as_ref()
        .map(|cwd| format!(", in {}", escape(&shorten(&cwd.canonical(), MAX_LAUNCH), Charset::Unicode)));
    format!("{launch}{variables}{}", folder.unwrap_or_default())
}
