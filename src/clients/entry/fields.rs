//! Reading members of an entry, with a reason where they are not what they should be.

use super::super::document::{Member, Node, Value};
use super::super::model::{Named, Setting, Written};
use super::super::problem::{Reason, Shown};
use super::super::table::VariableSyntax;
use super::super::template::Template;
use std::collections::HashSet;

/// A text that a program can be given. `member` is for the reason only.
pub(super) fn text(node: &Node<'_>, member: &str) -> Result<String, Reason> {
    let text = node.text().ok_or_else(|| Reason::NotText(Shown::new(member)))?;
    without_nul(text, member).map(str::to_owned)
}

fn without_nul<'t>(text: &'t str, member: &str) -> Result<&'t str, Reason> {
    if text.contains('\0') { Err(Reason::Nul(Shown::new(member))) } else { Ok(text) }
}

/// A text with its variables.
pub(super) fn written(node: &Node<'_>, member: &str, variables: &'static [VariableSyntax]) -> Result<Written, Reason> {
    Ok(Written { value: Template::new(text(node, member)?, variables), at: node.at })
}

/// A list of texts; none where it is missing.
pub(super) fn texts(
    node: Option<&Node<'_>>,
    member: &str,
    variables: &'static [VariableSyntax],
) -> Result<Vec<Written>, Reason> {
    let Some(node) = node else { return Ok(Vec::new()) };
    let Value::List(items) = &node.value else { return Err(Reason::NotAList(Shown::new(member))) };
    items.iter().enumerate().map(|(at, item)| written(item, &format!("{member}[{at}]"), variables)).collect()
}

/// Names with values, and names that are set to null.
pub(super) fn settings(
    node: Option<&Node<'_>>,
    member: &str,
    variables: &'static [VariableSyntax],
) -> Result<(Vec<Setting>, Vec<Named>), Reason> {
    let mut set = Vec::new();
    let mut unset = Vec::new();
    for Member { name, at, node } in map(node, member)? {
        let whole = format!("{member}.{name}");
        without_nul(name, &whole)?;
        let value = match &node.value {
            Value::Text(text) | Value::Number(text) => without_nul(text, &whole)?,
            Value::Bool(true) => "true",
            Value::Bool(false) => "false",
            Value::Null => {
                unset.push(Named { name: name.clone().into_owned(), at: *at });
                continue;
            }
            Value::List(_) | Value::Map(_) | Value::Other => return Err(Reason::NotText(Shown::new(whole))),
        };
        set.push(Setting { name: name.clone().into_owned(), value: Template::new(value, variables), at: *at });
    }
    Ok((set, unset))
}

/// The members of a map in which no name stands twice; none where it is missing.
pub(super) fn map<'n, 'a>(node: Option<&'n Node<'a>>, member: &str) -> Result<&'n [Member<'a>], Reason> {
    let Some(node) = node else { return Ok(&[]) };
    if !node.is_map() {
        return Err(Reason::NotAMap(Shown::new(member)));
    }
    repeated(node, &format!("{member}."))?;
    Ok(node.members())
}

/// Names of variables: texts, or objects that hold one as `name`.
pub(super) fn names(node: Option<&Node<'_>>, member: &str) -> Result<Vec<Named>, Reason> {
    let Some(node) = node else { return Ok(Vec::new()) };
    let Value::List(items) = &node.value else { return Err(Reason::NotAList(Shown::new(member))) };
    let name = |(at, item): (usize, &Node<'_>)| {
        let name = text(item.get("name").unwrap_or(item), &format!("{member}[{at}]"))?;
        Ok(Named { name, at: item.at })
    };
    items.iter().enumerate().map(name).collect()
}

/// Refuses a map that says something twice: parsers differ in which of the two they keep.
pub(super) fn repeated(node: &Node<'_>, prefix: &str) -> Result<(), Reason> {
    let mut seen = HashSet::new();
    match node.members().iter().find(|member| !seen.insert(member.name.as_ref())) {
        Some(member) => Err(Reason::Repeated(Shown::new(format!("{prefix}{}", member.name)))),
        None => Ok(()),
    }
}
