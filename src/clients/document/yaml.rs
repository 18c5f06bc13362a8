//! YAML, from the events of its parser: anchors are followed within a budget, so that nine lines cannot become a billion
//! values, and plain scalars get the types of YAML 1.2 (`yes` is a text there).

use super::{MAX_DEPTH, Member, Node, Position, TOO_DEEP, Unreadable, Value};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};
use std::borrow::Cow;
use std::collections::HashMap;

/// How many values anchors may add to a file, all together.
const MAX_COPIED: usize = 20_000;

/// A list or map that is still open.
struct Open<'a> {
    node: Node<'a>,
    anchor: usize,
    /// The name of the member whose value comes next.
    key: Option<(Cow<'a, str>, Position)>,
}

struct Builder<'a> {
    open: Vec<Open<'a>>,
    anchors: HashMap<usize, Node<'a>>,
    copied: usize,
    root: Option<Node<'a>>,
    /// Lines of the file above this text.
    above: u32,
}

/// Reads the only document of a text that begins `above` lines below the file's first. No document is null.
pub(super) fn parse(text: &str, above: u32) -> Result<Node<'_>, Unreadable> {
    let mut builder = Builder { open: Vec::new(), anchors: HashMap::new(), copied: 0, root: None, above };
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = builder.position(*error.marker());
            Unreadable { at, cause: error.info().to_owned() }
        })?;
        let at = builder.position(span.start);
        if matches!(event, Event::DocumentStart(_)) {
            documents += 1;
        }
        if documents > 1 {
            return Err(Unreadable { at, cause: "there is more than one document in it".to_owned() });
        }
        builder.event(event, at).map_err(|cause| Unreadable { at, cause: cause.to_owned() })?;
    }
    Ok(builder.root.unwrap_or(Node { at: Position::START, value: Value::Null }))
}

impl<'a> Builder<'a> {
    fn position(&self, marker: Marker) -> Position {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position {
            line: small(marker.line()).max(1).saturating_add(self.above),
            column: small(marker.col()).saturating_add(1),
        }
    }

    fn event(&mut self, event: Event<'a>, at: Position) -> Result<(), &'static str> {
        match event {
            Event::SequenceStart(anchor, _) => self.start(Value::List(Vec::new()), anchor, at),
            Event::MappingStart(anchor, _) => self.start(Value::Map(Vec::new()), anchor, at),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open { node, anchor, .. }) => self.finish(node, anchor),
                None => Ok(()),
            },
            Event::Scalar(text, style, anchor, tag) => {
                // Names are texts, whatever they look like.
                if let Some(Open { node: Node { value: Value::Map(_), .. }, key: key @ None, .. }) =
                    self.open.last_mut()
                {
                    *key = Some((text, at));
                    return Ok(());
                }
                self.finish(Node { at, value: scalar(text, style, tag.as_deref()) }, anchor)
            }
            Event::Alias(anchor) => {
                // An anchor inside of what it names is not complete yet, so no value can contain itself.
                let target = self.anchors.get(&anchor).ok_or("an alias names nothing that was completed before it")?;
                let depth = self.open.len();
                self.copied += measure(target, MAX_COPIED - self.copied, depth)?;
                let copy = Node { at, value: target.value.clone() };
                self.finish(copy, 0)
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                Ok(())
            }
        }
    }

    fn start(&mut self, value: Value<'a>, anchor: usize, at: Position) -> Result<(), &'static str> {
        if self.open.len() >= MAX_DEPTH {
            return Err(TOO_DEEP);
        }
        if let Some(Open { node: Node { value: Value::Map(_), .. }, key: None, .. }) = self.open.last() {
            return Err("a member's name is not a text");
        }
        self.open.push(Open { node: Node { at, value }, anchor, key: None });
        Ok(())
    }

    fn finish(&mut self, node: Node<'a>, anchor: usize) -> Result<(), &'static str> {
        if anchor > 0 {
            self.copied += measure(&node, MAX_COPIED - self.copied, self.open.len())?;
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open { node: Node { value: Value::List(items), .. }, .. }) => items.push(node),
            Some(Open { node: Node { value: Value::Map(members), .. }, key, .. }) => match key.take() {
                Some((name, at)) => members.push(Member { name, at, node }),
                None => return Err("a member's name is not a text"),
            },
            Some(_) => {}
        }
        Ok(())
    }
}

/// How many values a tree holds; an error when they are more than `left`, or when it goes too deep at that depth.
fn measure(node: &Node<'_>, left: usize, depth: usize) -> Result<usize, &'static str> {
    if depth > MAX_DEPTH {
        return Err(TOO_DEEP);
    }
    let mut sum = 1;
    if sum > left {
        return Err("aliases repeat too many values");
    }
    for child in node.list().iter().chain(node.members().iter().map(|member| &member.node)) {
        sum += measure(child, left - sum, depth + 1)?;
    }
    Ok(sum)
}

fn scalar<'a>(text: Cow<'a, str>, style: ScalarStyle, tag: Option<&Tag>) -> Value<'a> {
    match tag {
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix == "str" => return Value::Text(text),
        Some(_) => return Value::Other,
        None => {}
    }
    if style != ScalarStyle::Plain {
        return Value::Text(text);
    }
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        plain if is_number(plain) => Value::Number(text),
        _ => Value::Text(text),
    }
}

/// The numbers of the core schema.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(digits) = text.strip_prefix("0x") {
        return !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_hexdigit());
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return !digits.is_empty() && digits.bytes().all(|c| matches!(c, b'0'..=b'7'));
    }
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    // `inf`, `nan` and `infinity` are floats for Rust and texts for YAML.
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') && unsigned.parse::<f64>().is_ok()
}
