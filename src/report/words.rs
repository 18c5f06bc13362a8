//! Drift in plain words. Parts from outside are escaped here, so that what comes out may be printed as it is.

use super::schema_words::{fact, side_of, type_phrase};
use super::show::top_level;
use crate::drift::DriftItem;
use crate::lock::ToolEntry;
use crate::skeleton::{ROOT_PATH, Skeleton};
use crate::text::{Charset, escape, shorten};

/// One item in a sentence. `tool` is the entry as it is now, where the item is about a tool that exists now.
pub(super) fn item(item: &DriftItem, tool: Option<&ToolEntry>) -> String {
    if let (Some(change), Some(path)) = (&item.change, &item.path) {
        let side = side_of(&item.class);
        let record = tool.and_then(|tool| side.skeleton(tool)).and_then(|skeleton| skeleton.records.get(path));
        return fact(side, path, change, record);
    }
    let words = match item.class.as_ref() {
        "server-identity" => "the launch differs from the pinned one",
        "tool-added" => return format!("new tool; {}", tool.map_or_else(String::new, tool_words)),
        "tool-removed" => "the tool is gone",
        "tool-annotations-modified" => {
            "the annotations changed: hints by which a client decides whether to ask its user"
        }
        "schema-out-added" => return output_added(tool),
        "schema-out-removed" => "the tool no longer says what its results look like: the output schema is gone",
        "schema-modified" => "the input schema changed in a way that cannot be told: a skeleton is missing or opaque",
        "schema-out-modified" => {
            "the output schema changed in a way that cannot be told: a skeleton is missing or opaque"
        }
        "schema-cosmetic-modified" => {
            "the input schema changed in ways that its skeleton does not show: wording, other keywords, or what stands \
             behind $ref, allOf and the like"
        }
        "schema-out-cosmetic-modified" => {
            "the output schema changed in ways that its skeleton does not show: wording, other keywords, or what stands \
             behind $ref, allOf and the like"
        }
        "capability-added" => return capability(item, "can now"),
        "capability-removed" => return capability(item, "can no longer"),
        "inspection-policy-modified" => "the inspection block in the lock is not the one in the reviewed file",
        "description-modified" => "the description was reworded",
        "resource-added" => "new resource",
        "resource-removed" => "the resource is gone",
        "resource-modified" => "the resource changed",
        "prompt-added" => "new prompt",
        "prompt-removed" => "the prompt is gone",
        "prompt-modified" => "the prompt changed",
        "schema-version-migrated" => "the lock was written at another format level: review and pin again",
        "unapproved-change" => "the lock was approved for another digest",
        "digest-mismatch-unexplained" => {
            "the overall digest differs and no single entry explains it: entries are repeated or in another order"
        }
        other => other,
    };
    words.to_owned()
}

/// What a flag stands for, in the words of a reviewer.
fn capability(item: &DriftItem, can: &str) -> String {
    let Some(flag) = item.flag.as_deref() else {
        let verb = if item.class == "capability-added" { "gained" } else { "lost" };
        return format!("the tool {verb} a capability flag");
    };
    let what = match flag {
        "shell-exec" => "run commands",
        "fs-write" => "write or delete files",
        "fs-read" => "read files",
        "http-request" => "make network requests",
        "sql-query" => "run database queries",
        _ => "do what its flag says",
    };
    format!("by its name and parameters, the tool {can} {what} ({})", escape(&shorten(flag, 80), Charset::Unicode))
}

/// What a tool takes and may do, short.
fn tool_words(tool: &ToolEntry) -> String {
    let takes = tool.schema_skeleton.as_ref().map_or_else(|| "its arguments are unknown".to_owned(), takes_words);
    match tool.capabilities.as_slice() {
        [] => takes,
        flags => format!("{takes}; {}", escape(&flags.join(", "), Charset::Unicode)),
    }
}

fn takes_words(skeleton: &Skeleton) -> String {
    if let Some(list) = members(skeleton) {
        return format!("takes {list}");
    }
    let Some(root) = skeleton.records.get(ROOT_PATH) else {
        return "declares no schema, so it may take anything".to_owned();
    };
    if root.constraints.contains("$ref") {
        return "its arguments stand behind a reference that is not followed".to_owned();
    }
    match root.is_closed() {
        // `patternProperties` may still declare some.
        true => "names no arguments, and refuses undeclared ones".to_owned(),
        false => "names no arguments, and does not refuse any".to_owned(),
    }
}

fn output_added(tool: Option<&ToolEntry>) -> String {
    let skeleton = tool.and_then(|tool| tool.metadata.as_ref()?.output_schema_skeleton.as_ref());
    let says = "the tool now says what its results look like: a new output schema";
    match skeleton.and_then(members) {
        Some(list) => format!("{says} with {list}"),
        None => says.to_owned(),
    }
}

/// The properties of the root, what must be given first; `None` where there are none.
fn members(skeleton: &Skeleton) -> Option<String> {
    let mut top = top_level(skeleton);
    top.sort_by_key(|(_, record)| !record.required);
    let shown: Vec<String> = top
        .iter()
        .map(|(path, record)| {
            let required = if record.required { ", required" } else { "" };
            format!("{} ({}{required})", name(path), type_phrase(record))
        })
        .collect();
    match shown.len() {
        0 => None,
        1..=4 => Some(shown.join(", ")),
        more => Some(format!("{} and {} more", shown[..3].join(", "), more - 3)),
    }
}

/// A path in backticks, escaped. A backtick in it is escaped too, so that no name can end the quotation and go on in
/// our voice.
pub(super) fn name(path: &str) -> String {
    format!("`{}`", escape(&shorten(path, 80), Charset::Unicode).replace('`', "⟨U+0060⟩"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_its_quotation() {
        assert_eq!(name("y` is as it was; `z"), "`y⟨U+0060⟩ is as it was; ⟨U+0060⟩z`");
        assert_eq!(name("a⟨U+0060⟩"), "`a⟨U+27E8⟩U+0060⟨U+27E9⟩`");
    }
}
