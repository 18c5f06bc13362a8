//! Drift, inconsistencies, moved fields and new findings, gathered by entry.

use super::facts::{COMMAND_FAILED_RULE, NOT_CAPTURED_RULE, NOT_CONFIGURED_RULE, NOT_LOCKED_RULE, RECORD_RULE};
use super::model::{Block, BlockItem, FieldChange, FindingLine};
use super::schema_words::value;
use super::words;
use crate::drift::{DriftItem, fields::FieldChanges};
use crate::finding::{Rule, Severity, drift_rule, rule};
use crate::json::{Object, Value};
use crate::lock::{Inconsistency, PinnedSurface, ToolEntry};
use crate::surface::{Section, entry_target};
use crate::text::{Charset, escape, shorten};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The class of items about a lock that does not reproduce its digests.
pub const INCONSISTENT_CLASS: &str = "lock-inconsistent";

/// Every class that is no drift class (SPEC.md §16), with its rule. A report prints the class, so
/// `warden explain` has to know it.
pub const OTHER_CLASSES: [(&str, &str); 9] = [
    ("approval-missing", "WRD-LOCK-NOT-APPROVED"),
    ("command-failed", COMMAND_FAILED_RULE),
    ("ignore-expired", "WRD-IGNORE-EXPIRED"),
    ("launch-settings", "WRD-LOCK-SETTINGS"),
    (INCONSISTENT_CLASS, "WRD-LOCK-INCONSISTENT"),
    ("lock-record", RECORD_RULE),
    ("server-not-captured", NOT_CAPTURED_RULE),
    ("server-not-configured", NOT_CONFIGURED_RULE),
    ("server-not-locked", NOT_LOCKED_RULE),
];

/// The rule of a class that a report prints, in lower case; `None` for a class that no report has.
pub fn rule_of_class(class: &str) -> Option<&'static Rule> {
    let other = OTHER_CLASSES.iter().find(|(other, _)| *other == class);
    other.map_or_else(|| drift_rule(class), |(_, rule_id)| rule(rule_id))
}

/// The target of items about a server of a project as a whole, such as that no lock covers it.
pub const SERVER_TARGET: &str = "server/lock";

/// The target of items about entries of `warden.toml`.
pub const IGNORE_TARGET: &str = "config/ignore";

/// The class of an item whose rule is no drift class: `server-not-locked` of `WRD-SERVER-NOT-LOCKED`.
pub(super) fn class_of(rule_id: &str) -> &'static str {
    OTHER_CLASSES.iter().find(|(_, other)| *other == rule_id).map_or("command-failed", |(class, _)| class)
}

/// The block about a server of a project that could not be compared with a lock. `rule_id` is one of
/// [`NOT_LOCKED_RULE`], [`NOT_CONFIGURED_RULE`], [`NOT_CAPTURED_RULE`] and [`COMMAND_FAILED_RULE`]; `words` are escaped.
pub fn server_block(rule_id: &'static str, words: String) -> Block {
    Block { items: vec![BlockItem::of_rule(rule_id, words)], ..Block::new(SERVER_TARGET) }
}

impl BlockItem {
    /// An item that says all it has to say in words: its class is that of the rule, and so is its severity. `words` are
    /// escaped.
    pub fn of_rule(rule_id: &'static str, words: String) -> Self {
        let known = rule(rule_id);
        Self {
            severity: known.map_or(Severity::High, |rule| rule.severity),
            class: known.and_then(Rule::drift_class).unwrap_or_else(|| class_of(rule_id).to_owned()),
            rule_id: rule_id.to_owned(),
            detail: None,
            path: None,
            words,
            change: None,
        }
    }
}

/// Gathers everything by target, worst block first. Findings join the block of their target only where that entry
/// drifted and the baseline did not have them (SPEC.md §21).
pub fn drift_blocks(
    items: &[DriftItem],
    inconsistencies: &[Inconsistency],
    fields: &[FieldChanges],
    known_findings: &[Object],
    findings: &[FindingLine],
    current: Option<&PinnedSurface>,
) -> Vec<Block> {
    let mut blocks: BTreeMap<&str, Block> = BTreeMap::new();
    let empty = |target: &str| Block::new(target);
    let tools: HashMap<String, &ToolEntry> = current
        .iter()
        .flat_map(|surface| &surface.tools)
        .map(|tool| (entry_target(Section::Tools, &tool.name), tool))
        .collect();
    for problem in inconsistencies {
        let words = format!("the lock contradicts itself: {}", escape(&problem.problem, Charset::Unicode));
        let item = BlockItem::of_rule("WRD-LOCK-INCONSISTENT", words);
        blocks.entry(&problem.target).or_insert_with(|| empty(&problem.target)).items.push(item);
    }
    for item in items {
        let words = words::item(item, tools.get(&item.target).copied());
        blocks.entry(&item.target).or_insert_with(|| empty(&item.target)).items.push(BlockItem {
            severity: item.severity,
            class: item.class.to_string(),
            rule_id: item.rule_id(),
            detail: item.detail.clone(),
            path: item.path.clone(),
            change: item.change.clone(),
            words,
        });
    }
    for change in fields {
        let block = blocks.entry(&change.target).or_insert_with(|| empty(&change.target));
        let classes: Vec<&str> = block.items.iter().map(|item| item.class.as_str()).collect();
        block.fields = change
            .fields
            .iter()
            .map(|member| FieldChange {
                member: member.clone(),
                has_item: classes.iter().any(|class| speaks_of(class, member)),
            })
            .collect();
        name_members(block, &change.plain);
    }
    let text =
        |finding: &Object, member| finding.get(member).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let known: BTreeSet<(String, String, String)> = known_findings
        .iter()
        .map(|finding| (text(finding, "rule_id"), text(finding, "target"), text(finding, "snippet")))
        .collect();
    for finding in findings {
        let key = (finding.rule_id.clone(), finding.target.clone(), finding.snippet.clone());
        if let (Some(block), false) = (blocks.get_mut(finding.target.as_str()), known.contains(&key)) {
            block.findings.push(finding.clone());
        }
    }
    let mut blocks: Vec<Block> = blocks.into_values().collect();
    for block in &mut blocks {
        block.items.sort_by_key(|item| std::cmp::Reverse(item.severity));
    }
    // Stable: blocks of one severity and kind stay in order of their targets.
    blocks.sort_by_key(|block| (std::cmp::Reverse(block.severity()), rank(&block.target)));
    blocks
}

/// Launch first, what follows from the rest last.
fn rank(target: &str) -> usize {
    const ORDER: [&str; 4] = ["launch", "tools", "resources", "prompts"];
    let kind = target.split('/').next().unwrap_or_default();
    ORDER.iter().position(|known| *known == kind).unwrap_or(ORDER.len())
}

/// For a changed resource or prompt the format has one item, whatever changed in it: its words name the members.
fn name_members(block: &mut Block, plain: &[(String, Value, Value)]) {
    let names: Vec<String> = block
        .fields
        .iter()
        .map(|field| {
            let words = escape(&shorten(&field_words(&field.member), 80), Charset::Unicode);
            match plain.iter().find(|(member, ..)| *member == field.member) {
                Some((_, before, now)) => format!("{words} (from {} to {})", side(before), side(now)),
                None => words,
            }
        })
        .collect();
    for item in block.items.iter_mut().filter(|item| is_whole_class(&item.class)) {
        item.words = match names.as_slice() {
            [] => continue,
            [one] => format!("the {one} changed"),
            [rest @ .., last] => format!("{} and {last} changed", rest.join(", ")),
        };
    }
}

fn side(side: &Value) -> String {
    if side.is_null() { "none".to_owned() } else { value(side) }
}

/// Whether items of a class stand for everything that changed in their entry.
pub(super) fn is_whole_class(class: &str) -> bool {
    matches!(class, "resource-modified" | "prompt-modified")
}

/// The everyday name of an entry's member; any other text is given back as it is.
pub fn field_words(member: &str) -> String {
    match member {
        "description_hash" => "description",
        "input_schema_hash" => "input schema",
        "schema_skeleton" => "input schema's structure",
        "output_schema_hash" => "output schema",
        "output_schema_skeleton" => "output schema's structure",
        "annotations_hash" => "annotations",
        "arguments_hash" => "arguments",
        "mime_type" => "media type",
        "inspection" => "inspection block",
        other => other,
    }
    .to_owned()
}

/// Whether items of a class speak of a member of the entry.
fn speaks_of(class: &str, member: &str) -> bool {
    let output = class.starts_with("schema-out-");
    match member {
        "description_hash" => class == "description-modified",
        "input_schema_hash" | "schema_skeleton" => {
            class.starts_with("schema-") && !output && class != "schema-version-migrated"
        }
        "annotations_hash" => class == "tool-annotations-modified",
        "output_schema_hash" | "output_schema_skeleton" => output,
        "capabilities" => class.starts_with("capability-"),
        "inspection" => class == "inspection-policy-modified",
        _ => false,
    }
}
