//! Which changed places of a schema the words of an item tell already, and which words a look at the schema itself
//! makes plainer.
//!
//! A place counts as told only where an item gives the very same two sides: paths of skeletons can collide (SPEC.md
//! §9.2.2), and what is not told must be shown.

use super::model::{Block, BlockItem};
use super::schema_words::{MAX_VALUE, MAX_VALUES, Side, side_of, unlimited};
use crate::json::{Object, Value, compact, enum_text};
use crate::skeleton::{Change, ROOT_PATH, Record};
use std::collections::{BTreeSet, HashMap};

/// A keyword of a schema node, by the path that skeletons give the node.
struct Place {
    side: Side,
    path: String,
    keyword: String,
}

impl Place {
    /// From a JSON pointer within a tool; `None` for anything but a keyword of a node that skeletons visit.
    fn of(pointer: &str) -> Option<Self> {
        let mut steps = pointer.strip_prefix('/')?.split('/');
        let side = match steps.next()? {
            "inputSchema" => Side::Input,
            "outputSchema" => Side::Output,
            _ => return None,
        };
        let mut path = String::new();
        loop {
            let step = steps.next()?;
            match step {
                "properties" => {
                    let name = steps.next()?.replace("~1", "/").replace("~0", "~");
                    path = join(&path, &name);
                }
                "items" => path.push_str("[]"),
                keyword => {
                    return steps.next().is_none().then(|| Self { side, path, keyword: keyword.to_owned() });
                }
            }
        }
    }

    fn node(&self) -> &str {
        if self.path.is_empty() { ROOT_PATH } else { &self.path }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Whether some item gives both sides of this place in full.
pub(super) fn is_told(items: &[BlockItem], pointer: &str, before: Option<&Value>, now: Option<&Value>) -> bool {
    let Some(place) = Place::of(pointer) else { return is_plain_addition(items, pointer, before, now) };
    let changes = |node: &str| {
        let here = items.iter().filter(|item| side_of(&item.class) == place.side && item.path.as_deref() == Some(node));
        here.filter_map(|item| item.change.as_ref()).collect::<Vec<_>>()
    };
    match place.keyword.as_str() {
        "required" => {
            let (Some(before), Some(now)) = (names(before), names(now)) else { return false };
            let explained =
                |name: &&str, is: fn(&Change) -> bool| changes(&join(&place.path, name)).into_iter().any(is);
            let kept = |list: &[&str], other: &[&str]| -> Vec<String> {
                list.iter().filter(|name| other.contains(name)).map(|name| (*name).to_owned()).collect()
            };
            let gained = |change: &Change| {
                matches!(change, Change::PathAdded { required: true, .. } | Change::MadeRequired { .. })
            };
            let lost =
                |change: &Change| matches!(change, Change::PathRemoved { required: true } | Change::MadeOptional);
            kept(&before, &now) == kept(&now, &before)
                && now.iter().filter(|name| !before.contains(name)).all(|name| explained(name, gained))
                && before.iter().filter(|name| !now.contains(name)).all(|name| explained(name, lost))
        }
        keyword => changes(place.node()).into_iter().any(|change| tells(change, keyword, before, now)),
    }
}

/// Whether the place is a new property with a type and nothing else, which the item about it names.
fn is_plain_addition(items: &[BlockItem], pointer: &str, before: Option<&Value>, now: Option<&Value>) -> bool {
    let (None, Some(schema)) = (before, now.and_then(Value::as_object)) else { return false };
    // The pointer of any keyword of it tells the path.
    let Some(place) = Place::of(&format!("{pointer}/type")) else { return false };
    let is_plain = schema.iter().all(|(name, value)| name == "type" && value.as_str().is_some());
    let is_added = |item: &&BlockItem| {
        side_of(&item.class) == place.side
            && item.path.as_deref() == Some(place.node())
            && matches!(item.change, Some(Change::PathAdded { .. }))
    };
    !schema.is_empty() && is_plain && items.iter().filter(is_added).count() == 1
}

/// The texts of a list of required names; `None` where it is too long to look at, or something else.
fn names(value: Option<&Value>) -> Option<Vec<&str>> {
    const MOST: usize = 50;
    match value {
        None => Some(Vec::new()),
        Some(value) => {
            let list = value.as_array()?;
            (list.len() <= MOST).then(|| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>())?
        }
    }
}

fn tells(change: &Change, keyword: &str, before: Option<&Value>, now: Option<&Value>) -> bool {
    let same = |side: &Option<Value>, value: Option<&Value>| side.as_ref() == value;
    let is_short = |value: Option<&Value>| value.is_none_or(|value| compact(value).chars().count() <= MAX_VALUE);
    match change {
        Change::Types { before: old, now: new, .. } if keyword == "type" => {
            words(before).is_some_and(|words| words == sorted(old))
                && words(now).is_some_and(|words| words == sorted(new))
        }
        Change::EnumRemoved { before: old } if keyword == "enum" => now.is_none() && is_list(before, old),
        Change::EnumAdded { now: new } if keyword == "enum" => before.is_none() && is_list(now, new),
        Change::EnumNarrowed { before: old, now: new } | Change::EnumWidened { before: old, now: new }
            if keyword == "enum" =>
        {
            is_list(before, old) && is_list(now, new) && enum_texts(old) != enum_texts(new)
        }
        Change::Bound { name, before: old, now: new, .. } if keyword == *name => same(old, before) && same(new, now),
        Change::Text { name, before: old, now: new } if keyword == *name => {
            same(old, before) && same(new, now) && is_short(before) && is_short(now)
        }
        Change::AdditionalPropertiesOpened { now: new } if keyword == "additionalProperties" => {
            before == Some(&Value::Bool(false)) && now.is_none_or(|now| now == new) && is_short(now)
        }
        Change::AdditionalPropertiesClosed { .. } if keyword == "additionalProperties" => {
            now == Some(&Value::Bool(false)) && before.is_none_or(|before| matches!(before, Value::Bool(_)))
        }
        _ => false,
    }
}

/// The type words of a schema; none where it names none.
fn words(value: Option<&Value>) -> Option<BTreeSet<&str>> {
    match value {
        None => Some(BTreeSet::new()),
        Some(Value::String(word)) => Some(BTreeSet::from([word.as_str()])),
        Some(Value::Array(words)) => words.iter().map(Value::as_str).collect(),
        Some(_) => None,
    }
}

fn sorted(words: &[String]) -> BTreeSet<&str> {
    words.iter().map(String::as_str).collect()
}

/// Whether a raw enum is this list, and the sentence about it named every value in full.
fn is_list(value: Option<&Value>, members: &[Value]) -> bool {
    let is_short = |member: &Value| compact(member).chars().count() <= MAX_VALUE;
    let Some(list) = value.and_then(Value::as_array) else { return false };
    list.len() <= MAX_VALUES && list.iter().all(is_short) && enum_texts(list) == enum_texts(members)
}

fn enum_texts(members: &[Value]) -> Vec<String> {
    let mut texts: Vec<String> = members.iter().map(enum_text).collect();
    texts.sort_unstable();
    texts
}

/// Says `takes any string now` of an enum or a limit that is gone, where the schema shows that nothing else limits the
/// place, neither in the node nor in those above it. `entry` is the tool as it was sent.
pub(super) fn say_what_goes(block: &mut Block, entry: &Object) {
    for (side, member) in [(Side::Input, "inputSchema"), (Side::Output, "outputSchema")] {
        let is_meant = |item: &BlockItem| {
            side_of(&item.class) == side
                && matches!(
                    item.change,
                    Some(Change::EnumRemoved { .. } | Change::Bound { now: None, .. } | Change::Text { now: None, .. })
                )
        };
        let Some(schema) = entry.get(member).filter(|_| block.items.iter().any(is_meant)) else { continue };
        let nodes = plain_nodes_by_path(schema);
        for item in block.items.iter_mut().filter(|item| is_meant(item)) {
            let (Some(change), Some(path)) = (&item.change, &item.path) else { continue };
            let Some(node) = nodes.get(path).copied().flatten() else { continue };
            if node.names().all(|name| HARMLESS.contains(&name)) {
                let record = Record { types: type_list(node), ..Record::default() };
                item.words = unlimited(side, path, change, &record).unwrap_or_else(|| std::mem::take(&mut item.words));
            }
        }
    }
}

/// Keywords that let every value of the type through. Whatever is not among them may limit a value.
const HARMLESS: [&str; 9] =
    ["type", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"];

/// Keywords of a node that say nothing about its members but that they are there; with the harmless ones.
const STRUCTURE: [&str; 8] =
    ["properties", "required", "additionalProperties", "items", "$defs", "definitions", "$schema", "$id"];

fn is_plain(node: &Object) -> bool {
    node.names().all(|name| HARMLESS.contains(&name) || STRUCTURE.contains(&name))
}

fn type_list(node: &Object) -> Option<Vec<String>> {
    let words = words(node.get("type"))?;
    Some(words.into_iter().map(str::to_owned).collect())
}

/// The nodes of a schema that skeletons visit, by their paths; references are not followed. A path that names with dots
/// give to two nodes is none's.
pub(super) fn nodes_by_path(schema: &Value) -> HashMap<String, Option<&Object>> {
    nodes(schema, |_| true)
}

/// As [`nodes_by_path`], without what stands below a node that may limit it. Paths that two nodes share are none's here
/// too, wherever the other one stands.
fn plain_nodes_by_path(schema: &Value) -> HashMap<String, Option<&Object>> {
    let plain = nodes(schema, is_plain);
    let all = nodes(schema, |_| true);
    plain.into_iter().filter(|(path, _)| all.get(path).is_some_and(Option::is_some)).collect()
}

fn nodes(schema: &Value, goes_on: fn(&Object) -> bool) -> HashMap<String, Option<&Object>> {
    const MAX_NODES: usize = 20_000;
    let mut open: Vec<(&Object, String)> = schema.as_object().map(|root| (root, String::new())).into_iter().collect();
    let mut found: HashMap<String, Option<&Object>> = HashMap::new();
    while let Some((node, at)) = open.pop() {
        if found.len() >= MAX_NODES {
            break;
        }
        let inner = Some(node).filter(|node| goes_on(node));
        if let Some(items) = inner.and_then(|node| node.get("items")?.as_object()) {
            open.push((items, format!("{at}[]")));
        }
        for (name, child) in
            inner.and_then(|node| node.get("properties")?.as_object()).into_iter().flat_map(Object::iter)
        {
            if let Some(child) = child.as_object() {
                open.push((child, join(&at, name)));
            }
        }
        let path = if at.is_empty() { ROOT_PATH.to_owned() } else { at };
        found.entry(path).and_modify(|node| *node = None).or_insert(Some(node));
    }
    found
}
