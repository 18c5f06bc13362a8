//! Where two clients that read one entry would start or reach something else.
//!
//! Clients know different members: what one of them skips can be all that another one looks at. Texts are compared as
//! they stand in the file. A client that replaces a variable where another one does not still means the same server, and
//! a client that cannot read an entry starts nothing.

use super::document::Node;
use super::entry::Draft;
use super::model::{Named, Remote, Setting, Shape, Stdio, Written};
use super::problem::Shown;
use super::table::{ClientId, Dialect, TransportKind};
use super::template::Template;
use std::collections::BTreeMap;
use std::fmt;

/// Two clients, and what they do not take alike. As a sentence without a full stop it is escaped and quotes no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The client that comes first in the order of the file's readers.
    pub one: ClientId,
    pub other: ClientId,
    pub over: Over,
}

/// What two clients do not take alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Over {
    /// One starts a program where the other goes to a URL, which stands in `url`.
    Target { first_starts: bool, url: Shown },
    /// A member has another value, or counts for one of them only. `twin` is the name by which the other one knows it.
    Member { member: Shown, twin: Option<Shown> },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { one, other, over } = self;
        match over {
            Over::Target { first_starts, url } => {
                let (starts, asks) = if *first_starts { (one, other) } else { (other, one) };
                write!(f, "{starts} starts a program, and {asks} asks the server at the URL in {url}")
            }
            Over::Member { member, .. } => write!(f, "{one} and {other} differ in what they make of {member}"),
        }
    }
}

/// An entry as one client reads it.
pub(super) struct Reading {
    pub client: ClientId,
    pub dialect: &'static Dialect,
    pub draft: Draft,
}

/// Every client that would run another server than the first that would run any.
pub(super) fn disagreements(node: &Node<'_>, readings: &[Reading]) -> Vec<Disagreement> {
    let mut runs = readings
        .iter()
        .filter(|reading| reading.draft.disabled.is_none() && !matches!(reading.draft.shape, Shape::NotReadable(_)));
    let Some(first) = runs.next() else { return Vec::new() };
    let disagreement = |other: &Reading| {
        let over = difference(node, first, other)?;
        Some(Disagreement { one: first.client, other: other.client, over })
    };
    runs.filter_map(disagreement).collect()
}

fn difference(node: &Node<'_>, one: &Reading, other: &Reading) -> Option<Over> {
    if std::ptr::eq(one.dialect, other.dialect) {
        return None;
    }
    let urls = [one, other].map(|reading| url_member(node, reading.dialect));
    match (&one.draft.shape, &other.draft.shape) {
        (Shape::Stdio(mine), Shape::Stdio(theirs)) => of_stdio((mine, one.dialect), (theirs, other.dialect))
            .map(|(member, twin)| Over::Member { member: Shown::new(member), twin: twin.map(Shown::new) }),
        (Shape::Remote(mine), Shape::Remote(theirs)) => {
            let own = urls.iter().find(|name| **name != "url").unwrap_or(&urls[1]);
            let member = of_remote((mine, one.dialect), (theirs, other.dialect), own)?;
            Some(Over::Member { member: Shown::new(member), twin: None })
        }
        (Shape::Stdio(_), Shape::Remote(_)) => Some(Over::Target { first_starts: true, url: Shown::new(urls[1]) }),
        (Shape::Remote(_), Shape::Stdio(_)) => Some(Over::Target { first_starts: false, url: Shown::new(urls[0]) }),
        (Shape::NotReadable(_), _) | (_, Shape::NotReadable(_)) => None,
    }
}

/// The member that a client takes the URL from.
fn url_member(node: &Node<'_>, dialect: &Dialect) -> &'static str {
    let inner = node.get("transport").filter(|transport| transport.is_map()).unwrap_or(node);
    dialect.urls.iter().map(|(name, _)| *name).find(|name| inner.get(name).is_some()).unwrap_or("url")
}

/// The member, and another name for it.
fn of_stdio(
    (mine, my): (&Stdio, &Dialect),
    (theirs, their): (&Stdio, &Dialect),
) -> Option<(String, Option<&'static str>)> {
    let alone = |member: &str| Some((member.to_owned(), None));
    let words = |stdio: &Stdio| stdio.args.iter().map(|word| raw(&word.value)).collect::<Vec<_>>();
    let folder = |cwd: &Option<Written>| cwd.as_ref().map(|cwd| raw(&cwd.value));
    if raw(&mine.command.value) != raw(&theirs.command.value) {
        return alone(their.command);
    }
    if words(mine) != words(theirs) {
        return alone("args");
    }
    // What the first client knows and the other one skips is recorded and checked: the other one starts with less.
    if theirs.cwd.is_some() && folder(&mine.cwd) != folder(&theirs.cwd) {
        let (member, twin) = (their.cwd, my.cwd);
        return Some((member.to_owned(), (twin != member).then_some(twin)));
    }
    if let Some(name) = other_setting(&mine.env, &theirs.env) {
        let member = if theirs.env.iter().any(|setting| setting.name == name) { their.env } else { my.env };
        return alone(&format!("{member}.{name}"));
    }
    if names(&mine.unset) != names(&theirs.unset) {
        return alone(their.env);
    }
    let is_other = names(&mine.forward) != names(&theirs.forward);
    if is_other { alone(their.forward.or(my.forward).unwrap_or(their.env)) } else { None }
}

fn of_remote((mine, my): (&Remote, &Dialect), (theirs, their): (&Remote, &Dialect), url: &str) -> Option<String> {
    let is_socket = |remote: &Remote| remote.kind == TransportKind::WebSocket;
    if raw(&mine.url.value) != raw(&theirs.url.value) || is_socket(mine) != is_socket(theirs) {
        return Some(url.to_owned());
    }
    if let Some(name) = other_setting(&mine.headers, &theirs.headers) {
        let dialect = if theirs.headers.iter().any(|setting| setting.name == name) { their } else { my };
        return Some(format!("{}.{name}", dialect.headers.join(".")));
    }
    (names(&mine.forward) != names(&theirs.forward)).then(|| their.headers.join("."))
}

/// The text in the file. Where it only names a variable, a reference to that.
fn raw(value: &Template) -> String {
    value.written().map_or_else(|| value.canonical(), str::to_owned)
}

/// A name that the other one sets, and not alike.
fn other_setting(mine: &[Setting], theirs: &[Setting]) -> Option<String> {
    let map = |settings: &[Setting]| -> BTreeMap<String, String> {
        settings.iter().map(|setting| (setting.name.clone(), raw(&setting.value))).collect()
    };
    let (mine, theirs) = (map(mine), map(theirs));
    theirs.iter().find(|(name, value)| mine.get(*name) != Some(*value)).map(|(name, _)| name.clone())
}

fn names(named: &[Named]) -> Vec<&str> {
    let mut names: Vec<&str> = named.iter().map(|named| named.name.as_str()).collect();
    names.sort_unstable();
    names
}
