//! Surfaces, their digests and their locks.

use super::generators::{
    arguments, built, config, input_schema, launch, object, parsed, random, reworded, surface, text,
};
use crate::support::replay::Table;
use proptest::prelude::*;
use proptest::sample::Index;
use warden::drift::{compare, fields::changed_fields};
use warden::json::{Object, Value, canonical_text, pretty};
use warden::lock::wire::{NewPin, read, render};
use warden::lock::{BuildOptions, Lock, PinnedSurface, WardenPin, build};
use warden::surface::Section;

fn pin() -> NewPin<'static> {
    NewPin {
        created_at: "2026-01-02T03:04:05Z",
        warden_version: "0.1.0",
        mcp_protocol_version: "2025-11-25",
        approver: Some("ann"),
        actor: None,
        environment: None,
        warden: WardenPin::default(),
        previous: None,
    }
}

fn locked(surface: &PinnedSurface) -> Lock {
    read(render(surface, &[], &pin()).as_bytes()).expect("a lock")
}

/// One field that is hashed, given another value.
#[derive(Debug, Clone)]
struct Change {
    section: Section,
    member: &'static str,
    hashed_as: &'static str,
    value: Value,
}

fn change() -> impl Strategy<Value = Change> {
    use Section::{Prompts, Resources, Tools};
    let texts = prop::sample::select(
        &[
            (Tools, "description", "description_hash"),
            (Resources, "name", "name"),
            (Resources, "description", "description_hash"),
            (Resources, "mimeType", "mime_type"),
            (Prompts, "description", "description_hash"),
        ][..],
    );
    let schemas = prop::sample::select(
        &[(Tools, "inputSchema", "input_schema_hash"), (Tools, "outputSchema", "output_schema_hash")][..],
    );
    let annotations = object().prop_map(|object| ((Tools, "annotations", "annotations_hash"), Value::from(object)));
    let arguments = arguments().prop_map(|arguments| ((Prompts, "arguments", "arguments_hash"), arguments));
    prop_oneof![(texts, text().prop_map(Value::String)), (schemas, input_schema()), annotations, arguments]
        .prop_map(|((section, member, hashed_as), value)| Change { section, member, hashed_as, value })
}

fn list(document: &Value, section: Section) -> Vec<Value> {
    document.get(section.key()).and_then(Value::as_array).expect("a list").to_vec()
}

fn with_list(document: &Value, section: Section, list: Vec<Value>) -> Value {
    let mut document = document.as_object().expect("an object").clone();
    document.insert(section.key(), list);
    document.into()
}

/// The raw value of a member as the format hashes it: absent and null have stand-ins.
fn hashed(entry: &Value, member: &str) -> String {
    let stand_in = match member {
        "description" => Value::from(""),
        "inputSchema" => Object::new().into(),
        "arguments" => Value::Array(Vec::new()),
        _ => Value::Null,
    };
    let value = entry.get(member).filter(|value| !value.is_null()).cloned().unwrap_or(stand_in);
    canonical_text(&value).expect("canonical text")
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn spelling_does_not_reach_a_digest(document in surface(), seed: u64) {
        let again = parsed(&reworded(&document, &mut random(seed)));
        let (one, other) = (built(&document), built(&again));
        prop_assert_eq!(one.overall_digest, other.overall_digest);
        prop_assert_eq!(compare(&locked(&one), &other), []);
    }

    #[test]
    fn the_order_of_a_list_does_not_reach_a_digest(document in surface(), seed: u64) {
        let mut random = random(seed);
        let mut shuffled = document.clone();
        for section in Section::ALL {
            let mut entries = list(&document, section);
            for at in (1..entries.len()).rev() {
                entries.swap(at, random(at + 1));
            }
            shuffled = with_list(&shuffled, section, entries);
        }
        prop_assert_eq!(built(&document).overall_digest, built(&shuffled).overall_digest);
    }

    #[test]
    fn pages_do_not_reach_a_digest(document in surface(), seed: u64) {
        let mut random = random(seed);
        let declared = r#"{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{}}}"#;
        let mut server = Table::new().on("initialize", &[declared]);
        for section in Section::ALL {
            let mut pages = vec![Vec::new()];
            for entry in list(&document, section) {
                while random(3) == 0 {
                    pages.push(Vec::new());
                }
                pages.last_mut().expect("a page").push(reworded(&entry, &mut random).replace(['\n', '\r'], " "));
            }
            let last = pages.len() - 1;
            let page = |(i, page): (usize, Vec<String>)| {
                let cursor = if i < last { format!(r#","nextCursor":"{i} more""#) } else { String::new() };
                format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"{}":[{}]{cursor}}}}}"#, section.key(), page.join(","))
            };
            let pages: Vec<String> = pages.into_iter().enumerate().map(page).collect();
            server = server.on(&format!("{}/list", section.key()), &pages.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let captured = server.captured();
        let pinned = build(&captured.surface, &launch(), &BuildOptions::default()).expect("entries");
        prop_assert_eq!(pinned.overall_digest, built(&document).overall_digest);
    }

    #[test]
    fn a_changed_field_changes_the_digest_and_is_named(document in surface(), change in change(), which: Index) {
        let mut entries = list(&document, change.section);
        prop_assume!(!entries.is_empty());
        let at = which.index(entries.len());
        let before = entries[at].clone();
        let mut entry = before.as_object().expect("an object").clone();
        entry.insert(change.member, change.value.clone());
        entries[at] = entry.into();
        let differs = hashed(&before, change.member) != hashed(&entries[at], change.member);
        let identity = built(&document);
        let now = built(&with_list(&document, change.section, entries));
        // An absent and an empty input schema have one hash and two skeletons.
        let skeletons = change.member == "inputSchema" && differing_skeletons(&identity, &now);
        prop_assert_eq!(identity.overall_digest != now.overall_digest, differs || skeletons);
        let lock = locked(&identity);
        let items = compare(&lock, &now);
        let target = identity.entries(change.section).zip(now.entries(change.section))
            .find(|(a, b)| a.digest != b.digest).map(|(a, _)| a.target());
        prop_assert_eq!(target.is_some(), differs || skeletons);
        let Some(target) = target else {
            prop_assert_eq!(items, []);
            return Ok(());
        };
        // The approval bound the old digest, so there is one item more than those of the entry.
        prop_assert!(items.iter().any(|item| item.class == "unapproved-change"));
        let named = items.iter().any(|item| item.target == target);
        prop_assert!(named || !differs, "{:?}", items);
        let fields = changed_fields(&lock.surface, &now);
        prop_assert_eq!(fields.len(), 1);
        prop_assert_eq!(&fields[0].target, &target);
        prop_assert!(!differs || fields[0].fields.iter().any(|field| field == change.hashed_as), "{:?}", fields);
    }

    #[test]
    fn an_entry_more_or_less_is_named(document in surface(), section in prop::sample::select(&Section::ALL[..]), which: Index) {
        let mut entries = list(&document, section);
        prop_assume!(!entries.is_empty());
        entries.remove(which.index(entries.len()));
        let (all, fewer) = (built(&document), built(&with_list(&document, section, entries)));
        prop_assert_ne!(all.overall_digest, fewer.overall_digest);
        for (baseline, now, class) in [(&all, &fewer, "removed"), (&fewer, &all, "added")] {
            let items = compare(&locked(baseline), now);
            let class = format!("{}-{class}", section.singular());
            prop_assert_eq!(items.iter().filter(|item| item.class == class).count(), 1, "{:?}", items);
            prop_assert_eq!(items.len(), 2, "{:?}", items);
        }
    }

    #[test]
    fn another_surface_is_never_clean(one in surface(), other in surface()) {
        let (one, other) = (built(&one), built(&other));
        let items = compare(&locked(&one), &other);
        prop_assert_eq!(items.is_empty(), one.overall_digest == other.overall_digest);
        // In the order of the format, and the same whenever it is asked for.
        prop_assert!(items.is_sorted_by_key(|item| (item.target.clone(), item.class.clone())));
        prop_assert_eq!(compare(&locked(&one), &other), items);
    }

    #[test]
    fn a_lock_is_consistent_and_clean_against_what_it_pins(document in surface()) {
        let pinned = built(&document);
        let text = render(&pinned, &[], &pin());
        let lock = read(text.as_bytes()).expect("a lock");
        prop_assert_eq!(lock.inconsistencies(), []);
        prop_assert_eq!(compare(&lock, &pinned), []);
        prop_assert_eq!(compare(&lock, &lock.surface), []);
        prop_assert_eq!(changed_fields(&lock.surface, &pinned), []);
        // What is read is what was written, to the byte.
        prop_assert_eq!(render(&lock.surface, &[], &pin()), text.clone());
        prop_assert_eq!(text.trim_end().len() + 1, text.len());
        for (a, b) in Section::ALL.into_iter().flat_map(|section| pinned.entries(section).zip(lock.surface.entries(section))) {
            prop_assert_eq!(pretty(&a.stored.clone().into()), pretty(&b.stored.clone().into()));
            prop_assert_eq!(b.recompute_digest(lock.surface.level).unwrap(), a.digest);
        }
    }
}

fn differing_skeletons(one: &PinnedSurface, other: &PinnedSurface) -> bool {
    one.tools.iter().zip(&other.tools).any(|(a, b)| a.schema_skeleton != b.schema_skeleton)
}

#[test]
fn a_reference_that_is_an_object_is_committed_in_the_order_of_its_members() {
    // Found by the properties above: the one place where the order of members reaches a digest.
    let tool = |reference: &str| {
        parsed(&format!(
            r#"{{"tools":[{{"name":"t","inputSchema":{{"properties":{{"p":{{"$ref":{reference}}}}}}}}}]}}"#
        ))
    };
    let (one, other) = (built(&tool(r#"{"a":1,"b":2}"#)), built(&tool(r#"{"b":2,"a":1}"#)));
    assert_eq!(one.tools[0].input_schema_hash, other.tools[0].input_schema_hash);
    assert_ne!(one.overall_digest, other.overall_digest);
    // Every lock tells, although no hash of a part of the surface differs.
    let classes = |approver| {
        let pin = NewPin { approver, ..pin() };
        let lock = read(render(&one, &[], &pin).as_bytes()).expect("a lock");
        compare(&lock, &other).into_iter().map(|item| item.class.into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(classes(Some("ann")), ["unapproved-change"]);
    assert_eq!(classes(None), ["digest-mismatch-unexplained"]);
}
