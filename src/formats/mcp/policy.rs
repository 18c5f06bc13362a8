//! The `policy` of an entry: what its owner wrote about the server. Its text is kept; here it is only checked, and labels
//! of tools that are gone are cut out of it.

use super::sandbox::{address_fault, path_fault};
use crate::formats::document::quoted;
use crate::json::{Object, Value, element_spans, member_spans};

/// A part of `sandbox`: its name, its lists, and why a text may not stand in them.
type Part = (&'static str, &'static [&'static str], fn(&str) -> Option<&'static str>);

/// Refuses a policy that breaks a rule of the specification (Policy, Sandbox). `is_tool` says whether a tool of this name
/// is locked. The message begins with the place, and what it quotes is escaped.
pub(super) fn check(policy: &Value, is_tool: impl Fn(&str) -> bool) -> Result<(), String> {
    let policy = object(policy, "policy", &["taint", "sandbox"])?;
    if let Some(taint) = policy.get("taint") {
        let taint = object(taint, "policy.taint", &["sources", "sinks"])?;
        for label in texts(taint, "policy.taint", "sources")? {
            if !is_wildcard(label) && !is_tool(label) {
                return Err(format!("policy.taint.sources names {}, which is no locked tool", quoted(label)));
            }
        }
        for label in texts(taint, "policy.taint", "sinks")? {
            if !is_tool(label) {
                return Err(format!("policy.taint.sinks names {}, which is no locked tool", quoted(label)));
            }
        }
    }
    let Some(sandbox) = policy.get("sandbox") else { return Ok(()) };
    let sandbox = object(sandbox, "policy.sandbox", &["filesystem", "network"])?;
    let parts: [Part; 2] = [("filesystem", &["read", "write"], path_fault), ("network", &["allow"], address_fault)];
    for (part, members, fault) in parts {
        let Some(value) = sandbox.get(part) else { continue };
        let place = format!("policy.sandbox.{part}");
        let value = object(value, &place, members)?;
        for member in members {
            for text in texts(value, &place, member)? {
                if let Some(why) = fault(text) {
                    return Err(format!("{place}.{member} holds {}: {why}", quoted(text)));
                }
            }
        }
    }
    Ok(())
}

/// Both wildcards are for sources only: a sink is a call, and a tool is what is called.
fn is_wildcard(label: &str) -> bool {
    matches!(label, "resources:*" | "prompts:*")
}

fn object<'v>(value: &'v Value, place: &str, known: &[&str]) -> Result<&'v Object, String> {
    let object = value.as_object().ok_or_else(|| format!("{place} is {}, not an object", value.kind()))?;
    match object.names().find(|name| !known.contains(name)) {
        Some(unknown) => Err(format!("{place} has a member {}, which the format does not know", quoted(unknown))),
        None => Ok(object),
    }
}

/// The texts of a list; none where it is absent.
fn texts<'v>(object: &'v Object, place: &str, member: &str) -> Result<Vec<&'v str>, String> {
    let Some(value) = object.get(member) else { return Ok(Vec::new()) };
    let list = value.as_array().ok_or_else(|| format!("{place}.{member} is {}, not an array", value.kind()))?;
    let text = |item: &'v Value| {
        item.as_str().ok_or_else(|| format!("{place}.{member} holds {}, not only strings", item.kind()))
    };
    list.iter().map(text).collect()
}

/// The text of a checked policy without the labels of tools that are gone, and those labels, raw. All other bytes stay.
pub(super) fn without_labels(policy: &str, is_tool: impl Fn(&str) -> bool) -> (String, Vec<String>) {
    let mut text = policy.to_owned();
    let mut dropped = Vec::new();
    let taint = member_spans(policy).into_iter().find(|(name, _)| name == "taint");
    let mut lists = taint.map_or_else(Vec::new, |(_, taint)| member_spans(taint));
    // From the end, so that places before it stay right.
    lists.sort_by_key(|(_, list)| std::cmp::Reverse(place_in(policy, list)));
    for (_, list) in lists {
        let elements: Vec<(&str, String)> = element_spans(list).into_iter().map(|at| (at, label(at))).collect();
        let is_kept = |label: &str| is_wildcard(label) || is_tool(label);
        if elements.iter().all(|(_, label)| is_kept(label)) {
            continue;
        }
        dropped.extend(elements.iter().filter(|(_, label)| !is_kept(label)).map(|(_, label)| label.clone()));
        let at = place_in(policy, list);
        text.replace_range(at..at + list.len(), &without(list, &elements, is_kept));
    }
    dropped.sort();
    dropped.dedup();
    (text, dropped)
}

/// A list without some of its elements; what stands between the others is what stood before the later one.
fn without(list: &str, elements: &[(&str, String)], is_kept: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    let mut end_before = None;
    for (i, (element, label)) in elements.iter().enumerate() {
        let begin = place_in(list, element);
        if is_kept(label) {
            // The first one that is kept has before it what the first of all had.
            let gap = match (end_before.is_some(), i) {
                (true, i) => place_in(list, elements[i - 1].0) + elements[i - 1].0.len()..begin,
                (false, _) => 0..elements.first().map_or(begin, |(first, _)| place_in(list, first)),
            };
            out.push_str(&list[gap]);
            out.push_str(element);
            end_before = Some(begin + element.len());
        }
    }
    let last = elements.last().map_or(0, |(last, _)| place_in(list, last) + last.len());
    if end_before.is_none() { "[]".to_owned() } else { out + &list[last..] }
}

/// The text of a string token.
fn label(token: &str) -> String {
    let array = format!("[{token}]");
    let limits = crate::json::ParseLimits { max_bytes: array.len(), max_depth: 1, max_values: 2 };
    let value = crate::json::parse(array.as_bytes(), &limits).unwrap_or_default();
    value.as_array().and_then(<[Value]>::first).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Where a part of a text begins in it.
pub(super) fn place_in(whole: &str, part: &str) -> usize {
    // The part is a slice of the whole, so this is a plain difference; saturating, so that a wrong caller cannot wrap.
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_labels_of_vanished_tools_leave_and_every_other_byte_stays() {
        let policy = "{ \"taint\" : {\"sinks\":[ \"gone\",\n \"b\" , \"gone2\", \"c\" ],\"sources\": [\"\\u0062\",  \"resources:*\", \"gone\"] },\n\t\"sandbox\": {} }";
        let (text, dropped) = without_labels(policy, |name| ["b", "c"].contains(&name));
        assert_eq!(
            text,
            "{ \"taint\" : {\"sinks\":[ \"b\", \"c\" ],\"sources\": [\"\\u0062\",  \"resources:*\"] },\n\t\"sandbox\": {} }"
        );
        assert_eq!(dropped, ["gone", "gone2"]);
        assert_eq!(without_labels(policy, |_| true), (policy.to_owned(), Vec::new()));
        let (text, _) = without_labels("{\"taint\":{\"sinks\":[ \"x\" ]}}", |_| false);
        assert_eq!(text, "{\"taint\":{\"sinks\":[]}}");
        assert_eq!(without_labels("{}", |_| false).0, "{}");
    }
}
