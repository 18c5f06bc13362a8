//! Finding the servers in a document.

use super::document::{Node, Position, Value};
use super::problem::{Remark, RemarkKind, Shown};
use super::table::{Dialect, Layout};
use std::borrow::Cow;

/// Members by which a file shows that it is no bare map, even where they are empty.
const KNOWN: [&str; 10] = [
    "mcpServers",
    "servers",
    "mcp",
    "mcp.servers",
    "mcp_servers",
    "context_servers",
    "amp.mcpServers",
    "extensions",
    "inputs",
    "mcp-servers",
];

/// Members that hold a URL, in any client.
pub(super) const URLS: [&str; 6] = ["url", "serverUrl", "httpUrl", "uri", "tcp", "endpoint"];

/// An entry, not looked into.
#[derive(Debug)]
pub(super) struct Raw<'n, 'a> {
    pub name: Cow<'n, str>,
    pub at: Position,
    pub node: &'n Node<'a>,
    /// The members on the way to it.
    pub map: Vec<String>,
    /// What the map stands in.
    pub parent: &'n Node<'a>,
}

/// What one layout finds.
#[derive(Debug, Default)]
pub(super) struct Found<'n, 'a> {
    pub entries: Vec<Raw<'n, 'a>>,
    pub remarks: Vec<Remark>,
}

/// Every entry of a document that stands where a layout says. `file` names a single entry.
pub(super) fn find<'n, 'a>(root: &'n Node<'a>, layout: Layout, dialect: &Dialect, file: &'n str) -> Found<'n, 'a> {
    let mut found = Found::default();
    match layout {
        Layout::At(path) => below(root, root, path, &mut Vec::new(), dialect, &mut found),
        Layout::Bare if is_bare(root) => entries(root, root, &[], dialect, &mut found),
        Layout::Single if looks_like_entry(root) => {
            let name = Cow::Borrowed(file);
            found.entries.push(Raw { name, at: root.at, node: root, map: Vec::new(), parent: root });
        }
        Layout::Bare | Layout::Single => {}
    }
    found
}

fn below<'n, 'a>(
    parent: &'n Node<'a>,
    node: &'n Node<'a>,
    path: &[&str],
    way: &mut Vec<String>,
    dialect: &Dialect,
    found: &mut Found<'n, 'a>,
) {
    let Some((first, rest)) = path.split_first() else {
        return entries(node, parent, way, dialect, found);
    };
    for member in node.members().iter().filter(|member| *first == "*" || member.name == *first) {
        way.push(member.name.clone().into_owned());
        below(node, &member.node, rest, way, dialect, found);
        way.pop();
    }
}

fn entries<'n, 'a>(
    node: &'n Node<'a>,
    parent: &'n Node<'a>,
    way: &[String],
    dialect: &Dialect,
    found: &mut Found<'n, 'a>,
) {
    let raw = |name, at, node| Raw { name, at, node, map: way.to_vec(), parent };
    let shown = || Shown::new(way.join("."));
    match &node.value {
        Value::Map(members) => found.entries.extend(members.iter().filter(|member| !is_schema(member)).map(|member| {
            let inside = member.node.get("name").and_then(Node::text).filter(|_| dialect.extensions);
            raw(Cow::Borrowed(inside.unwrap_or(&member.name)), member.at, &member.node)
        })),
        Value::List(items) => found.entries.extend(items.iter().enumerate().map(|(at, item)| {
            // `{name: entry}`, as Claude Code's agents write it.
            if let [only] = item.members()
                && only.node.is_map()
                && only.name != "transport"
            {
                return raw(Cow::Borrowed(only.name.as_ref()), only.at, &only.node);
            }
            let inside = ["key", "name", "uses"].iter().find_map(|name| item.get(name)?.text());
            let name = inside.or(item.text()).map_or_else(|| Cow::Owned(at.to_string()), Cow::Borrowed);
            raw(name, item.at, item)
        })),
        Value::Null => {}
        Value::Text(_) => found.remarks.push(Remark { at: node.at, kind: RemarkKind::OtherFile(shown()) }),
        _ => found.remarks.push(Remark { at: node.at, kind: RemarkKind::NotServers(shown()) }),
    }
}

/// A reference to a schema stands beside the servers of a bare map.
fn is_schema(member: &super::document::Member<'_>) -> bool {
    member.name == "$schema" && member.node.text().is_some()
}

fn looks_like_entry(node: &Node<'_>) -> bool {
    node.get("command").is_some_and(|command| !command.is_map())
        || URLS.iter().any(|url| node.get(url).is_some_and(|url| url.text().is_some()))
}

/// One entry that looks like a server is enough: the others may be faulty, and must not hide it.
fn is_bare(root: &Node<'_>) -> bool {
    let known = root.members().iter().any(|member| KNOWN.contains(&member.name.as_ref()));
    !known && !looks_like_entry(root) && root.members().iter().any(|member| looks_like_entry(&member.node))
}
