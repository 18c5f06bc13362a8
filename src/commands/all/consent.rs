//! Nothing that a configuration names is started before somebody said so: the files come with a clone, and anybody may
//! have written them.

use super::super::people::People;
use super::super::summary::shown_launch;
use super::super::{CommandError, ErrorKind};
use super::parts::place_words;
use crate::project::{Member, Start};
use crate::text::{Charset, escape, shell_quote, shorten};

const MAX_NAME: usize = 60;
/// Characters that somebody still reads.
const MAX_LINE: usize = 4000;

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
    // Nobody can agree to what is too long to be read.
    if let Some(at) = lines.iter().position(|line| line.chars().count() > MAX_LINE) {
        let (member, _) = servers[at];
        let place = member.places.first().map(place_words).unwrap_or_default();
        let name = escape(&shorten(&member.name, MAX_NAME), Charset::Unicode);
        return Err(CommandError::usage(format!("the command of {name} is too long to be agreed to: see {place}"))
            .hint("--yes starts it without a question; --only NAME leaves it out"));
    }
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

/// Name, command, what surrounds it, and where that stands.
fn line(member: &Member, start: &Start) -> String {
    let name = escape(&shorten(&member.name, MAX_NAME), Charset::Unicode);
    let place = member.places.first().map(place_words).unwrap_or_default();
    format!("{name}: {}  ({place})", launch_words(start))
}

/// Command and what surrounds it, escaped: all of it, because that is what somebody agrees to. No secret, and no value of a
/// variable but of those that decide what code is loaded.
pub(in crate::commands) fn launch_words(start: &Start) -> String {
    let shown = |text: &str| escape(text, Charset::Unicode);
    let mut words = shown(&shown_launch(&start.shown()));
    let mut variables: Vec<&str> = start.env.iter().map(|(name, _)| name.as_str()).collect();
    variables.extend(start.hand_on.iter().map(String::as_str));
    let loaders: Vec<(String, String)> = start.loaders().collect();
    variables.retain(|name| loaders.iter().all(|(loader, _)| loader != name));
    variables.sort_unstable();
    variables.dedup();
    if !variables.is_empty() {
        words.push_str(&format!(", with {}", shown(&variables.join(", "))));
    }
    for (name, value) in loaders {
        words.push_str(&format!(", {}={}", shown(&name), shown(&shell_quote(&value))));
    }
    if !start.unset.is_empty() {
        words.push_str(&format!(", without {}", shown(&start.unset.join(", "))));
    }
    if let Some(cwd) = &start.cwd {
        words.push_str(&format!(", in {}", shown(&cwd.canonical())));
    }
    words
}
