//! What is switched off, and which tools are shown.

use super::super::document::{Node, Position, Value};
use super::super::layout::Raw;
use super::super::model::ToolFilter;
use super::super::pattern::matches;
use super::super::problem::{Problem, Shown};
use super::super::table::{Dialect, Off, SwitchLists};

/// Where an entry switches itself off.
pub(super) fn flag(node: &Node<'_>, off: Off, problems: &mut Vec<Problem>) -> Option<Position> {
    let (name, value) = match off {
        Off::Never => return None,
        Off::Set(name) => (name, true),
        Off::Unset(name) => (name, false),
    };
    let flag = node.get(name)?;
    match flag.value {
        Value::Bool(found) => (found == value).then_some(flag.at),
        _ => {
            problems.push(Problem::NotAFlag(Shown::new(name)));
            None
        }
    }
}

/// Where a list beside the servers switches an entry off.
pub(in super::super) fn switched_off(root: &Node<'_>, raw: &Raw<'_, '_>, lists: SwitchLists) -> Option<Position> {
    let named = |list: &Node<'_>| {
        list.list()
            .iter()
            .find(|item| item.text().is_some_and(|pattern| matches(pattern, &raw.name)))
            .map(|item| item.at)
    };
    match lists {
        SwitchLists::None => None,
        SwitchLists::Claude if raw.map.len() < 2 => None,
        SwitchLists::Claude => raw.parent.get("disabledMcpServers").and_then(named),
        SwitchLists::Gemini => {
            let mcp = root.get("mcp")?;
            let excluded = mcp.get("excluded").and_then(named);
            let allowed = mcp.get("allowed").filter(|allowed| matches!(allowed.value, Value::List(_)));
            excluded.or_else(|| allowed.filter(|allowed| named(allowed).is_none()).map(|allowed| allowed.at))
        }
    }
}

/// The lists of tools, as far as they are lists of names.
pub(super) fn tools(node: &Node<'_>, dialect: &Dialect) -> ToolFilter {
    let list = |member: Option<&str>| {
        let list = node.get(member?).filter(|list| matches!(list.value, Value::List(_)))?;
        Some(list.list().iter().filter_map(|item| item.text().map(str::to_owned)).collect::<Vec<_>>())
    };
    // `*` and, for extensions, no name at all stand for every tool.
    let only = list(dialect.only)
        .filter(|names| !names.iter().any(|name| name == "*") && !(dialect.extensions && names.is_empty()));
    let hide = if dialect.only_wins && only.is_some() { None } else { list(dialect.hide) };
    ToolFilter { only, hide: hide.unwrap_or_default() }
}
