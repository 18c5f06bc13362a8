//! No edit of a lock goes unseen: every value of a real one is changed in every way that suggests itself, every byte of
//! a smaller one is flipped, dropped and doubled, and whatever comes out must be refused or named, and never clean.
//!
//! Thousands of locks are judged in process, by the calls that `warden check` makes in the order in which it makes
//! them; a sample of them goes through the program itself, which must say the same.

use crate::support::cli::{Sandbox, fixture, serving};
use serde_json::{Map, Number, Value, json};
use std::collections::BTreeSet;
use warden::drift;
use warden::json::{ParseLimits, parse};
use warden::lock::{BuildOptions, InspectionPolicy, PinnedSurface, PromptArguments, build, wire};
use warden::report::drift_blocks;
use warden::surface::{Launch, Surface};

/// Members of `pin` that no rule constrains beyond their type: when, by whom, by what and how often a lock was made.
/// What they say is shown, and decides nothing.
const FREE_PIN_MEMBERS: [&str; 11] = [
    "created_at",
    "warden_version",
    "mcp_protocol_version",
    "approver",
    "approved_at",
    "provenance_version",
    "pinner",
    "attestations",
    "rotated_at",
    "rotation_count",
    "warden",
];

const MEMBERS: [&str; 9] = [
    "schema_version",
    "warden_version",
    "server",
    "tools",
    "resources",
    "prompts",
    "findings",
    "overall_digest",
    "pin",
];

/// The kind of places where an edit may go unseen, or `None`: everywhere else it may not.
fn free(place: &str, now: Option<&Value>) -> Option<String> {
    let steps: Vec<&str> = place.split('/').skip(1).collect();
    let kind = match steps.as_slice() {
        ["findings", ..] => "findings",
        ["warden_version"] => "warden_version",
        // A fresh lock's members may be missing (SPEC.md §13.1, §19).
        ["pin", "approved" | "approved_digest"] if now.is_none() => "no approval, spelled otherwise",
        ["pin", "approver" | "approved_at"] if now.is_none() => "nobody, spelled otherwise",
        ["pin", member, ..] if FREE_PIN_MEMBERS.contains(member) => return Some(format!("pin/{member}")),
        ["pin", member, ..] if !["approved", "approved_digest"].contains(member) => "pin, unknown member",
        // Readers ignore what they do not know, outside the entries (SPEC.md §19).
        [member, ..] if !MEMBERS.contains(member) => "unknown member",
        ["server", member, ..] if !["command", "args", "url", "command_digest"].contains(member) => {
            "server, unknown member"
        }
        // No edit of a value: absent, null and "" all say that there is no URL (SPEC.md §6.2, §19).
        ["server", "url"] if now.is_none_or(|now| now.is_null() || now == "") => "no URL, spelled otherwise",
        // The same for a block (SPEC.md §14.2).
        ["tools", _, "inspection"] if now.is_some_and(Value::is_null) => "no block, spelled otherwise",
        _ => return None,
    };
    Some(kind.to_owned())
}

/// What a check says: its verdict, and the places it names.
#[derive(Debug, PartialEq, Eq)]
struct Judgement {
    verdict: &'static str,
    places: BTreeSet<String>,
}

/// A server that stays as it was pinned.
struct Judge {
    surface: Surface,
    launch: Launch,
    policy: Option<InspectionPolicy>,
    as_sent: PinnedSurface,
    normalized: PinnedSurface,
}

impl Judge {
    fn new(script: &Value, launch: Launch, blocks: Option<&Value>) -> Self {
        let limits = ParseLimits { max_bytes: 1 << 20, max_depth: 512, max_values: usize::MAX };
        let read = |value: &Value| parse(value.to_string().as_bytes(), &limits).expect("JSON");
        let list = |name: &str| match &script["methods"][format!("{name}/list")][0]["result"][name] {
            Value::Null => json!([]),
            list => list.clone(),
        };
        let document = json!({"tools": list("tools"), "resources": list("resources"), "prompts": list("prompts")});
        let surface = Surface::from_document(read(&document).as_object().expect("an object")).expect("a surface");
        let policy = blocks.map(|blocks| InspectionPolicy::from_document(&read(blocks)).expect("blocks"));
        let build = |prompt_arguments| {
            let options = BuildOptions { inspection: policy.as_ref(), prompt_arguments, ..BuildOptions::default() };
            build(&surface, &launch, &options).expect("entries")
        };
        let (as_sent, normalized) = (build(PromptArguments::AsSent), build(PromptArguments::Normalized));
        Self { surface, launch, policy, as_sent, normalized }
    }

    fn judge(&self, lock: &[u8]) -> Judgement {
        let Ok(lock) = wire::read(lock) else { return Judgement { verdict: "error", places: BTreeSet::new() } };
        let inconsistencies = lock.inconsistencies();
        let named = |blocks: Vec<warden::report::Block>| blocks.into_iter().map(|block| block.target).collect();
        if lock.surface.launch.digest().ok() != Some(lock.surface.command_digest) {
            let blocks = drift_blocks(&[], &inconsistencies, &[], &[], &[], None);
            return Judgement { verdict: "inconsistent", places: named(blocks) };
        }
        // One edit cannot change a launch and its digest, so the pinned server is what answers.
        assert_eq!(lock.surface.launch, self.launch);
        let now = match lock.pin.warden.prompt_arguments {
            PromptArguments::AsSent => &self.as_sent,
            PromptArguments::Normalized => &self.normalized,
        };
        let items = drift::compare(&lock, now);
        let fields = drift::fields::changed_fields(&lock.surface, now);
        let verdict = match (items.is_empty(), inconsistencies.is_empty()) {
            (false, _) => "drift",
            (true, false) => "inconsistent",
            (true, true) => "clean",
        };
        let blocks = drift_blocks(&items, &inconsistencies, &fields, &lock.findings, &[], Some(now));
        Judgement { verdict, places: named(blocks) }
    }
}

/// A value at a place replaced by another; `changed` are the places whose values differ then.
struct Edit {
    pointer: String,
    value: Value,
    changed: Vec<String>,
    what: String,
}

/// Every value of a document, by pointer.
fn places(value: &Value, pointer: &str, out: &mut Vec<String>) {
    out.push(pointer.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| places(item, &format!("{pointer}/{i}"), out))
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, item)| places(item, &step(pointer, name), out));
        }
        _ => {}
    }
}

impl Edit {
    /// What stands at a changed place now.
    fn now(&self, place: &str) -> Option<&Value> {
        match place.strip_prefix(self.pointer.as_str())?.strip_prefix('/') {
            None => Some(&self.value),
            Some(member) => self.value.get(member.replace("~1", "/").replace("~0", "~")),
        }
    }
}

fn step(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn edits(document: &Value) -> Vec<Edit> {
    let mut pointers = Vec::new();
    places(document, "", &mut pointers);
    let value = |pointer: &String| document.pointer(pointer).expect("a value");
    let overall = &document["overall_digest"];
    let digests: Vec<&str> = pointers
        .iter()
        .filter_map(|pointer| value(pointer).as_str())
        .filter(|text| text.starts_with("sha256:"))
        .collect();
    let mut out = Vec::new();
    for pointer in &pointers {
        let old = value(pointer);
        let mut add = |what: &str, value: Value, changed: Vec<String>| {
            if !same(&value, old) {
                out.push(Edit { pointer: pointer.clone(), value, changed, what: what.to_owned() });
            }
        };
        for other in others(old, &digests, overall) {
            add("replaced", other, vec![pointer.clone()]);
        }
        match old {
            Value::Array(items) => array_edits(items, pointer, &mut add),
            Value::Object(members) => object_edits(members, pointer, &mut add),
            _ => {}
        }
    }
    out
}

/// Other values in the place of one: near ones, far ones, and of every other type.
fn others(old: &Value, digests: &[&str], overall: &Value) -> Vec<Value> {
    let mut out = vec![json!(null), json!(true), json!(1), json!("x"), json!([]), json!({})];
    out.extend([json!([old]), json!({"x": old})]);
    match old {
        Value::String(text) if text.starts_with("sha256:") => {
            // The one a forger would most like to put there, and a few of the others.
            let near = digests.iter().position(|digest| digest == text).unwrap_or_default();
            out.extend((0..5).map(|i| json!(digests[(near + 1 + i * 7) % digests.len()])));
            out.push(overall.clone());
            let last = if text.ends_with('0') { "1" } else { "0" };
            out.push(json!(format!("{}{last}", &text[..text.len() - 1])));
            out.extend([
                json!(text.to_uppercase()),
                json!(text[7..]),
                json!(format!("{text}0")),
                json!(format!(" {text}")),
            ]);
        }
        Value::String(text) => {
            let first = text.chars().next().map_or(0, char::len_utf8);
            out.extend([
                json!(format!("{text}x")),
                json!(format!("x{text}")),
                json!(text[first..]),
                json!(format!("{text}\0")),
            ]);
            out.extend([
                json!(text.to_uppercase()),
                json!(text.replace('e', "\u{435}")),
                json!(format!("{text}\u{200b}")),
            ]);
            out.push(json!(text.chars().rev().collect::<String>()));
        }
        Value::Number(number) => {
            out.extend(
                number.as_i64().into_iter().flat_map(|n| [json!(n + 1), json!(n - 1), json!(-n), json!(n * 10)]),
            );
            out.extend(
                number.as_f64().into_iter().flat_map(|n| [json!(n + 0.5), json!(n * 2.0), json!(number.to_string())]),
            );
            out.push(json!(9_007_199_254_740_991_i64));
        }
        Value::Bool(flag) => out.extend([json!(!flag), json!(flag.to_string())]),
        _ => {}
    }
    out
}

fn array_edits(items: &[Value], pointer: &str, add: &mut impl FnMut(&str, Value, Vec<String>)) {
    let here = || vec![pointer.to_owned()];
    for (i, item) in items.iter().enumerate() {
        let mut without = items.to_vec();
        without.remove(i);
        add("removed", without.into(), here());
        for at in [i, items.len()] {
            let mut doubled = items.to_vec();
            doubled.insert(at, item.clone());
            add("doubled", doubled.into(), here());
        }
        if i > 0 {
            let mut swapped = items.to_vec();
            swapped.swap(i - 1, i);
            add("swapped", swapped.into(), here());
        }
    }
    for more in [json!(null), json!("x"), json!({})] {
        add("appended", [items, std::slice::from_ref(&more)].concat().into(), here());
        add("prepended", [&[more], items].concat().into(), here());
    }
    add("reversed", items.iter().rev().cloned().collect(), here());
}

fn object_edits(members: &Map<String, Value>, pointer: &str, add: &mut impl FnMut(&str, Value, Vec<String>)) {
    for name in members.keys() {
        let mut without = members.clone();
        without.shift_remove(name);
        add("member removed", without.into(), vec![step(pointer, name)]);
        for new in [format!("{name}x"), name.to_uppercase()] {
            if !members.contains_key(&new) {
                let renamed =
                    members.iter().map(|(old, value)| (if old == name { &new } else { old }.clone(), value.clone()));
                add("member renamed", Value::Object(renamed.collect()), vec![step(pointer, name), step(pointer, &new)]);
            }
        }
    }
    let known = [("inspection", json!(null)), ("inspection", json!({})), ("$ref", json!("x")), ("url", json!(""))];
    for (name, value) in [("zzz", json!(1)), ("zzz", json!(null))].into_iter().chain(known) {
        if !members.contains_key(name) {
            let mut with = members.clone();
            with.insert(name.to_owned(), value);
            add("member added", with.into(), vec![step(pointer, name)]);
        }
    }
}

/// Equal as JSON: spelling of numbers and order of members are no values.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Number::as_f64(a) == Number::as_f64(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// The places of a report of which one has to speak for an edit.
fn speaking(document: &Value, edit: &Edit) -> Vec<String> {
    let steps: Vec<&str> = edit.changed[0].split('/').skip(1).collect();
    let of = |section: &str, member: &str| match steps.get(1) {
        // The identity itself may be what was edited.
        Some(at) => {
            let entry = &document[section][at.parse::<usize>().expect("an index")];
            let old = entry[member].as_str().expect("an identity");
            let new = edit.value.as_str().unwrap_or(old);
            vec![format!("{section}/{old}"), format!("{section}/{new}")]
        }
        None => vec!["lock/overall_digest".to_owned()],
    };
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    match steps[0] {
        "tools" => of("tools", "name"),
        "resources" => of("resources", "uri"),
        "prompts" => of("prompts", "name"),
        "server" => texts(&["launch/command"]),
        "pin" => texts(&["pin/approved", "pin/approved_digest"]),
        _ => texts(&["lock/overall_digest", "pin/approved_digest"]),
    }
}

struct Outcome {
    judgement: Judgement,
    text: String,
}

fn applied(document: &Value, edit: &Edit) -> String {
    let mut document = document.clone();
    *document.pointer_mut(&edit.pointer).expect("the place") = edit.value.clone();
    document.to_string()
}

/// Judges every edit; gives the kinds of places where some edit went unseen, and a sample of all outcomes.
fn sweep(judge: &Judge, document: &Value, edits: &[Edit], every: usize) -> (BTreeSet<String>, Vec<Outcome>) {
    let chunks: Vec<&[Edit]> = edits.chunks(edits.len().div_ceil(4)).collect();
    let judge_chunk = |chunk: &[Edit]| {
        let (mut unseen, mut sample) = (BTreeSet::new(), Vec::new());
        for (i, edit) in chunk.iter().enumerate() {
            let text = applied(document, edit);
            let judgement = judge.judge(text.as_bytes());
            let free: Option<Vec<String>> = edit.changed.iter().map(|place| free(place, edit.now(place))).collect();
            let place = format!("{} {}: {}", edit.what, edit.changed.join(", "), edit.value);
            match (judgement.verdict, free) {
                ("clean", Some(kinds)) => unseen.extend(kinds),
                ("clean", None) => panic!("unseen: {place}"),
                ("error", _) | (_, Some(_)) => {}
                (_, None) => {
                    let speaking = speaking(document, edit);
                    let named = speaking.iter().any(|target| judgement.places.contains(target));
                    assert!(named, "{place}: {judgement:?} names none of {speaking:?}");
                }
            }
            if i % every == 0 {
                sample.push(Outcome { judgement, text });
            }
        }
        (unseen, sample)
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = chunks.iter().map(|chunk| scope.spawn(|| judge_chunk(chunk))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a judged chunk")).collect()
    });
    let (unseen, samples): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    (unseen.into_iter().flatten().collect(), samples.into_iter().flatten().collect())
}

fn assert_program_agrees(sandbox: &Sandbox, sample: &[Outcome]) {
    for Outcome { judgement, text } in sample {
        sandbox.write("warden.lock", text);
        let run = sandbox.run(&["check", "--json"]);
        let document = run.document();
        let entries = document["entries"].as_array();
        let places = entries.into_iter().flatten().map(|entry| entry["target"].as_str().expect("a text").to_owned());
        assert_eq!(document["verdict"], judgement.verdict, "{run}\n{text}");
        assert_eq!(places.collect::<BTreeSet<_>>(), judgement.places, "{run}\n{text}");
    }
}

fn launch() -> Launch {
    Launch::Stdio { command: "./server".to_owned(), args: vec!["s.json".to_owned()] }
}

#[test]
fn every_edit_of_a_value_is_seen() {
    let script = fixture("notes.json");
    let blocks = json!({"fetch_feed": {"expected_output_charset": "extended", "may_return_urls": true}, "ping": {}});
    let judge = Judge::new(&script, launch(), Some(&blocks));
    assert_eq!((judge.surface.tools.len(), judge.policy.iter().count()), (5, 1));
    for (approve, every) in [(&["--approve", "--approver", "ann@example.com"][..], 150), (&[], 40)] {
        let sandbox = Sandbox::new();
        sandbox.script(&script);
        sandbox.write("warden.inspection.json", blocks.to_string());
        sandbox.run(&[&["pin"], approve, &["--", "./server", "s.json"]].concat()).expect(0);
        let document = sandbox.lock();
        // The judge is worth nothing unless it finds the lock itself clean.
        assert_eq!(judge.judge(sandbox.read("warden.lock").as_bytes()).verdict, "clean");
        let mut edits = edits(&document);
        // Without an approval the pin block is what differs.
        edits.retain(|edit| !approve.is_empty() || edit.pointer.is_empty() || edit.pointer.starts_with("/pin"));

        assert!(edits.len() > if approve.is_empty() { 300 } else { 5000 }, "{} edits", edits.len());
        let (unseen, sample) = sweep(&judge, &document, &edits, every);
        // Exactly the free places are free; a kind that never lets an edit pass has no business in the list.
        let mut free: BTreeSet<String> = FREE_PIN_MEMBERS.iter().map(|member| format!("pin/{member}")).collect();
        free.extend(["pin, unknown member", "unknown member", "nobody, spelled otherwise"].map(str::to_owned));
        if approve.is_empty() {
            free.insert("no approval, spelled otherwise".to_owned());
            // Here these show an approval that was withdrawn by hand.
            free.remove("pin/approver");
            free.remove("pin/approved_at");
        } else {
            free.extend(["findings", "warden_version", "server, unknown member"].map(str::to_owned));
            free.extend(["no URL, spelled otherwise", "no block, spelled otherwise"].map(str::to_owned));
        }
        assert_eq!(unseen, free);
        assert_program_agrees(&sandbox, &sample);
    }
}

#[test]
fn every_edit_of_a_byte_is_seen() {
    let script = serving(json!([{
        "name": "t",
        "description": "d",
        "inputSchema": {"properties": {"p": {"type": "string", "enum": ["a", 1], "maxLength": 9}}},
        "annotations": {}
    }]));
    let sandbox = Sandbox::pinned(&script, &["--approve", "--approver", "ann"]);
    let mut document = sandbox.lock();
    document["findings"] = json!([]);
    let text = document.to_string();
    let judge = Judge::new(&script, launch(), None);
    assert_eq!(judge.judge(text.as_bytes()).verdict, "clean");
    let bytes = text.as_bytes();
    let judge_range = |range: std::ops::Range<usize>| {
        let mut accepted = 0;
        for at in range {
            let mut edits: Vec<Vec<u8>> = Vec::new();
            let mut edit = |replacement: &[u8]| edits.push([&bytes[..at], replacement, &bytes[at + 1..]].concat());
            edit(b"");
            (0..8).for_each(|bit| edit(&[bytes[at] ^ (1 << bit)]));
            b"0,1\" \n]}x".iter().for_each(|&byte| edit(&[byte, bytes[at]]));
            for edited in edits {
                if judge.judge(&edited).verdict == "clean" {
                    accepted += 1;
                    let now: Value = serde_json::from_slice(&edited).expect("JSON");
                    let mut changed = Vec::new();
                    differences(&document, &now, "", &mut changed);
                    let seen: Vec<&String> =
                        changed.iter().filter(|place| free(place, now.pointer(place)).is_none()).collect();
                    assert!(seen.is_empty(), "{seen:?} went unseen: {}", String::from_utf8_lossy(&edited));
                }
            }
        }
        accepted
    };
    let quarter = bytes.len().div_ceil(4);
    let accepted: usize = std::thread::scope(|scope| {
        let range = |i: usize| i * quarter..((i + 1) * quarter).min(bytes.len());
        let threads: Vec<_> = (0..4).map(|i| scope.spawn(move || judge_range(range(i)))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a judged range")).sum()
    });
    // White space and free members, at least.
    assert!(accepted > 500, "{accepted}");
}

/// The places where two documents differ.
fn differences(a: &Value, b: &Value, pointer: &str, out: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for name in names {
                match (a.get(name), b.get(name)) {
                    (Some(a), Some(b)) => differences(a, b, &step(pointer, name), out),
                    _ => out.push(step(pointer, name)),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().for_each(|(i, (a, b))| differences(a, b, &format!("{pointer}/{i}"), out));
        }
        (a, b) if same(a, b) => {}
        _ => out.push(pointer.to_owned()),
    }
}
