//! Programs on this machine: a command in all its forms.

use super::super::document::{Node, Value};
use super::super::model::{Setting, Stdio, Written};
use super::super::problem::{Need, NeedKind, Problem, Reason, Shown};
use super::super::table::{CommandForm, Dialect};
use super::super::template::Template;
use super::fields::{names, repeated, settings, text, texts, written};

pub(super) fn read(
    node: &Node<'_>,
    command: &Node<'_>,
    dialect: &'static Dialect,
    problems: &mut Vec<Problem>,
) -> Result<Stdio, Reason> {
    let mut env: Vec<Setting> = Vec::new();
    let mut unset = Vec::new();
    let mut words = words(command, dialect, &mut env)?;
    let args = texts(node.get("args"), "args", dialect.variables)?;
    let is_alone = words.len() == 1 && args.is_empty();
    words.extend(args);
    let mut words = words.into_iter();
    let first = words.next().filter(|first| first.value.written() != Some("")).ok_or(Reason::EmptyCommand)?;
    if is_alone && dialect.command_form == CommandForm::Text && first.value.written().is_some_and(is_a_whole_line) {
        problems.push(Problem::CommandHoldsSpaces);
    }
    let (more, taken) = settings(node.get(dialect.env), dialect.env, dialect.variables)?;
    env.extend(more);
    unset.extend(taken);
    let forward = match dialect.forward {
        Some(member) => names(node.get(member), member)?,
        None => Vec::new(),
    };
    let cwd = node.get(dialect.cwd).map(|cwd| written(cwd, dialect.cwd, dialect.variables)).transpose()?;
    Ok(Stdio { command: first, args: words.collect(), env, unset, forward, cwd })
}

/// The program, and arguments that are written together with it.
fn words(command: &Node<'_>, dialect: &'static Dialect, env: &mut Vec<Setting>) -> Result<Vec<Written>, Reason> {
    let variables = dialect.command_variables.unwrap_or(dialect.variables);
    let member = dialect.command;
    match (&command.value, dialect.command_form) {
        (Value::List(_), CommandForm::List | CommandForm::Words) => texts(Some(command), member, variables),
        (Value::Text(_), CommandForm::Words) => {
            let line = text(command, member)?;
            // Splitters disagree about `#`: a comment for some, a letter for others.
            let words = Some(&line).filter(|line| !line.contains('#')).and_then(|line| shlex::split(line));
            let word = |word| Written { value: Template::new(word, variables), at: command.at };
            Ok(words.ok_or(Reason::UnclosedQuote)?.into_iter().map(word).collect())
        }
        (Value::Map(_), CommandForm::TextOrObject) => {
            repeated(command, "command.")?;
            let path = command.get("path").ok_or_else(|| Reason::NotText(Shown::new("command.path")))?;
            let mut words = vec![written(path, "command.path", variables)?];
            words.extend(texts(command.get("args"), "command.args", dialect.variables)?);
            env.extend(settings(command.get("env"), "command.env", dialect.variables)?.0);
            Ok(words)
        }
        (_, CommandForm::List) => Err(Reason::NotAList(Shown::new(member))),
        _ => Ok(vec![written(command, member, variables)?]),
    }
}

/// `npx -y package`: several words, the first of which is no path (paths may hold spaces).
fn is_a_whole_line(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let first = words.next().unwrap_or_default();
    words.next().is_some() && !first.contains(['/', '\\'])
}

/// Members that make the client run or read something for this entry.
pub(super) fn helpers(node: &Node<'_>) -> Vec<Need> {
    let members = [("headersHelper", NeedKind::RunsCommand), ("envFile", NeedKind::ReadsFile)];
    let need = |(member, kind)| Some(Need { kind, member: Shown::new(member), at: node.get(member)?.at });
    members.into_iter().filter_map(need).collect()
}
