//! Readers of report formats that share nothing with the renderers: what a CI system would make of a text.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};

/// A workflow command as the runner of GitHub Actions reads it.
#[derive(Debug, PartialEq)]
pub struct WorkflowCommand {
    pub name: String,
    pub properties: BTreeMap<String, String>,
    pub data: String,
}

/// Commands that the runner obeys in a log.
const COMMANDS: [&str; 18] = [
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
    "internal-set-repo-path",
    "command",
    "section",
];

/// What the runner makes of a line: `::name key=value,...::data`, white space before it or not.
pub fn workflow_command(line: &str) -> Option<WorkflowCommand> {
    let (info, data) = line.trim_start().strip_prefix("::")?.split_once("::")?;
    let (name, properties) = info.split_once(' ').unwrap_or((info, ""));
    let properties = properties.split(',').filter_map(|pair| pair.split_once('='));
    let unescaped = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n");
    Some(WorkflowCommand {
        name: COMMANDS.iter().find(|known| **known == name)?.to_string(),
        properties: properties
            .map(|(key, value)| {
                let value = unescaped(value).replace("%3A", ":").replace("%2C", ",").replace("%25", "%");
                (key.trim().to_owned(), value)
            })
            .collect(),
        data: unescaped(data).replace("%25", "%"),
    })
}

/// Whether any CI system that we know of would act on a line: the older form of GitHub, Azure and TeamCity, anywhere in
/// it, or the form above.
pub fn is_obeyed(line: &str) -> bool {
    let older = line.match_indices("##").any(|(at, _)| {
        let rest = line[at..].trim_start_matches('#');
        rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with('[')
    });
    older || line.trim_start().starts_with("::")
}

/// What of a Markdown text is structure.
#[derive(Debug, Default, PartialEq)]
pub struct Outline {
    pub headings: usize,
    /// The plain text of list items; code is left out.
    pub items: Vec<String>,
    pub code_blocks: usize,
    pub details: usize,
    /// Rows of tables, without their heads, and all cells.
    pub rows: usize,
    pub cells: usize,
    /// Every piece of code.
    pub code: Vec<String>,
}

/// Reads Markdown and fails on whatever a report does not consist of.
#[track_caller]
pub fn outline(markdown: &str) -> Outline {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_WIKILINKS
        | Options::ENABLE_GFM;
    let mut outline = Outline::default();
    let (mut in_code, mut item) = (false, None::<String>);
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                in_code = true;
                outline.code_blocks += 1;
            }
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Item) => item = Some(String::new()),
            Event::End(TagEnd::Item) => outline.items.extend(item.take()),
            Event::Start(Tag::Heading { .. }) => outline.headings += 1,
            Event::Text(text) if in_code => outline.code.push(text.into_string()),
            Event::Text(text) => {
                assert_plain(&text, markdown);
                if let Some(item) = &mut item {
                    item.push_str(&text);
                }
            }
            Event::Code(code) => outline.code.push(code.into_string()),
            Event::Html(html) => {
                outline.details += usize::from(html.trim() == "<details>");
                assert!(is_ours(html.trim()), "{html:?} in\n{markdown}");
            }
            Event::Start(Tag::TableRow) => outline.rows += 1,
            Event::Start(Tag::TableCell) => outline.cells += 1,
            Event::Start(Tag::Table(_) | Tag::TableHead)
            | Event::End(TagEnd::Table | TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell) => {}
            Event::Start(Tag::Paragraph | Tag::List(None) | Tag::Strong | Tag::HtmlBlock)
            | Event::End(
                TagEnd::Paragraph | TagEnd::List(false) | TagEnd::Strong | TagEnd::HtmlBlock | TagEnd::Heading(_),
            ) => {}
            other => panic!("{other:?} in\n{markdown}"),
        }
    }
    outline
}

/// The HTML that reports have.
fn is_ours(html: &str) -> bool {
    let title = html.strip_prefix("<summary>").and_then(|rest| rest.strip_suffix("</summary>"));
    let marker = html.strip_prefix("<!-- warden-report ").and_then(|rest| rest.strip_suffix(" -->"));
    matches!(html, "<details>" | "</details>" | "")
        || title.is_some_and(|title| title.chars().all(|c| c.is_ascii_alphabetic() || c == ' '))
        || marker.is_some_and(|id| id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Text outside code holds nothing that GitHub or GitLab makes something of after rendering: no mention, reference,
/// address, emoji name or formula, whose signs it does not have.
#[track_caller]
fn assert_plain(text: &str, markdown: &str) {
    let plain = |c: char| c.is_ascii_alphanumeric() || " ,.;:'()-".contains(c);
    let glued = text
        .as_bytes()
        .windows(3)
        .any(|window| matches!(window, [a, b'.' | b':', b] if !a.is_ascii_whitespace() && !b.is_ascii_whitespace()));
    assert!(text.chars().all(plain) && !glued, "{text:?} in\n{markdown}");
}

/// Elements of a JUnit report by name, after a look at each and its attributes.
#[track_caller]
pub fn junit_elements(xml: &str) -> BTreeMap<String, usize> {
    let document = roxmltree::Document::parse(xml).unwrap_or_else(|error| panic!("{error}\n{xml}"));
    let mut counts = BTreeMap::new();
    for node in document.descendants() {
        assert!(node.is_element() || node.is_text() || node.is_root(), "{node:?} in\n{xml}");
        if !node.is_element() {
            continue;
        }
        let known: &[&str] = match node.tag_name().name() {
            "testsuites" => &["name", "tests", "failures", "errors", "time"],
            "testsuite" => &["name", "tests", "failures", "errors", "skipped", "time"],
            "testcase" => &["name", "classname", "file", "time"],
            "failure" | "error" => &["message", "type"],
            "skipped" => &["message"],
            "system-out" => &[],
            other => panic!("<{other}> in\n{xml}"),
        };
        assert!(node.attributes().all(|attribute| known.contains(&attribute.name())), "{node:?}");
        *counts.entry(node.tag_name().name().to_owned()).or_insert(0) += 1;
    }
    let suites: Vec<_> = document.descendants().filter(|node| node.has_tag_name("testsuite")).collect();
    let names: BTreeSet<_> = suites.iter().map(|suite| suite.attribute("name").expect("a name")).collect();
    assert!(!suites.is_empty() && names.len() == suites.len(), "names of suites in\n{xml}");
    let all = document.root_element();
    for (attribute, element) in
        [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
    {
        for node in suites.iter().chain([&all]).filter(|node| node.has_attribute(attribute)) {
            let sum = node.descendants().filter(|node| node.has_tag_name(element)).count().to_string();
            assert_eq!(node.attribute(attribute), Some(sum.as_str()), "{attribute} of\n{xml}");
        }
        assert!(suites.iter().all(|suite| suite.has_attribute(attribute)), "{attribute} of\n{xml}");
    }
    counts
}
