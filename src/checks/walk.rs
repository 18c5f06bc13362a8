//! Every text of a surface, one by one, with the place it stands in.

use super::Input;
use super::sink::Target;
use crate::json::{Object, Value};
use crate::surface::Section;

/// One step from an entry down to a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'a> {
    Member(&'a str),
    Item(usize),
}

impl<'a> Step<'a> {
    /// The name of a member; `None` for an item of a list.
    pub fn member(self) -> Option<&'a str> {
        match self {
            Self::Member(name) => Some(name),
            Self::Item(_) => None,
        }
    }
}

/// What a text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A name: an identity, a title, the name of a member. One line, no decoration expected.
    Name,
    /// Anything else.
    Prose,
}

/// A text of the surface and where it stands.
pub(super) struct Text<'a, 'p> {
    pub target: Target,
    pub role: Role,
    pub text: &'a str,
    /// From the entry down. For the name of a member, the way to the object that holds it.
    pub path: &'p [Step<'a>],
    /// Whether the text is the name of a member.
    pub is_member_name: bool,
}

/// Calls `visit` with every text of the launch, the handshake and all entries, in wire order.
pub(super) fn texts<'a>(input: &Input<'a>, visit: &mut dyn FnMut(&Text<'a, '_>)) {
    for word in input.launch.words() {
        visit(&Text { target: Target::Launch, role: Role::Prose, text: word, path: &[], is_member_name: false });
    }
    let about = &input.surface.about;
    for (name, value) in about.declaration.iter() {
        let part = if name == "instructions" { "instructions" } else { "declaration" };
        walk(Target::Server(part), Some(name), value, visit);
    }
    for template in &about.resource_templates {
        walk(Target::Server("resource_templates"), None, template, visit);
    }
    let tools = input.surface.tools.iter().map(|tool| tool.raw());
    let resources = input.surface.resources.iter().map(|resource| resource.raw());
    let prompts = input.surface.prompts.iter().map(|prompt| prompt.raw());
    entries(Section::Tools, tools, visit);
    entries(Section::Resources, resources, visit);
    entries(Section::Prompts, prompts, visit);
}

fn entries<'a>(section: Section, entries: impl Iterator<Item = &'a Object>, visit: &mut dyn FnMut(&Text<'a, '_>)) {
    for (at, entry) in entries.enumerate() {
        for (name, value) in entry.iter() {
            walk(Target::Entry(section, at), Some(name), value, visit);
        }
    }
}

/// The members or items of a container that are still to be visited.
enum Open<'a> {
    Object(Box<dyn Iterator<Item = (&'a str, &'a Value)> + 'a>),
    Array(std::iter::Enumerate<std::slice::Iter<'a, Value>>),
}

/// Depth first, without recursion: the way down is a list of steps, so that hostile nesting costs no call stack.
fn walk<'a>(target: Target, root: Option<&'a str>, value: &'a Value, visit: &mut dyn FnMut(&Text<'a, '_>)) {
    let mut path: Vec<Step<'a>> = root.map(Step::Member).into_iter().collect();
    // A member of an entry has a name that was not visited yet.
    if let Some(name) = root {
        visit(&Text { target, role: Role::Name, text: name, path: &[], is_member_name: true });
    }
    let mut open = Vec::new();
    enter(target, value, &path, &mut open, visit);
    while let Some(top) = open.last_mut() {
        let next = match top {
            Open::Object(members) => members.next().map(|(name, value)| (Step::Member(name), value)),
            Open::Array(items) => items.next().map(|(at, value)| (Step::Item(at), value)),
        };
        let Some((step, value)) = next else {
            open.pop();
            path.pop();
            continue;
        };
        if let Step::Member(name) = step {
            visit(&Text { target, role: Role::Name, text: name, path: &path, is_member_name: true });
        }
        path.push(step);
        if !enter(target, value, &path, &mut open, visit) {
            path.pop();
        }
    }
}

/// Visits a text, or opens a container; says whether it opened one.
fn enter<'a>(
    target: Target,
    value: &'a Value,
    path: &[Step<'a>],
    open: &mut Vec<Open<'a>>,
    visit: &mut dyn FnMut(&Text<'a, '_>),
) -> bool {
    match value {
        Value::String(text) => {
            visit(&Text { target, role: role(path), text, path, is_member_name: false });
            false
        }
        Value::Array(items) => {
            open.push(Open::Array(items.iter().enumerate()));
            true
        }
        Value::Object(object) => {
            open.push(Open::Object(Box::new(object.iter())));
            true
        }
        _ => false,
    }
}

/// Texts of these members are shown to people as names, wherever they stand.
fn role(path: &[Step<'_>]) -> Role {
    match path.last() {
        Some(Step::Member("name" | "title" | "uri" | "uriTemplate")) => Role::Name,
        _ => Role::Prose,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};
    use crate::surface::{Launch, Surface};

    #[test]
    fn every_text_and_member_name_is_visited_with_its_way() {
        let text = r#"{"tools":[{"name":"t","inputSchema":{"properties":{"p":{"enum":["a",{"b":"c"}],"x":1}}}}]}"#;
        let value =
            parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 10, max_depth: 64, max_values: usize::MAX }).unwrap();
        let surface = Surface::from_document(value.as_object().unwrap()).unwrap();
        let launch = Launch::Stdio { command: "run".into(), args: vec!["me".into()] };
        let mut seen = Vec::new();
        texts(&Input { surface: &surface, launch: &launch }, &mut |text| {
            let way: Vec<&str> = text.path.iter().rev().filter_map(|step| step.member()).collect();
            seen.push(format!("{}{}<{}", if text.is_member_name { "." } else { "" }, text.text, way.join("<")));
        });
        let want = [
            "run<",
            "me<",
            ".name<",
            "t<name",
            ".inputSchema<",
            ".properties<inputSchema",
            ".p<properties<inputSchema",
            ".enum<p<properties<inputSchema",
            "a<enum<p<properties<inputSchema",
            ".b<enum<p<properties<inputSchema",
            "c<b<enum<p<properties<inputSchema",
            ".x<p<properties<inputSchema",
        ];
        assert_eq!(seen, want);
    }
}
