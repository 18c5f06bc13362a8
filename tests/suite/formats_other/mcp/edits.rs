//! Every single value of a file, edited: what a digest covers is noticed.

use super::*;

/// Values that no digest of the format covers. What a typo there does is noticed by other rules or not at all.
const UNCOVERED: [&str; 6] = [
    "/lockfileVersion",
    "/generator",
    "/servers/t/command/",
    "/servers/t/envPassthrough/",
    "/servers/t/policy/",
    "/servers/t/note",
];

fn leaves(value: &Value, pointer: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                leaves(member, &format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(i, item)| leaves(item, &format!("{pointer}/{i}"), out));
        }
        _ => out.push(pointer.to_owned()),
    }
}

/// Other values for a leaf, each of which is another value to a digest.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::String(text) => vec![format!("{text}\u{200b}").into(), format!("x{text}").into(), Value::Null],
        Value::Number(number) => vec![json!(number.as_f64().expect("a number") + 1.0), number.to_string().into()],
        Value::Bool(flag) => vec![(!flag).into(), Value::Null],
        Value::Null => vec![json!(""), json!(false)],
        Value::Array(_) => vec![json!([null]), json!({})],
        Value::Object(_) => vec![json!({"x": null}), json!([])],
    }
}

fn files() -> Vec<Value> {
    let mut entry = full();
    entry["policy"] = json!({"taint": {"sources": ["fetch"], "sinks": []}});
    entry["note"] = json!("mine");
    let mut modern = super::era::modern();
    modern["policy"] = entry["policy"].clone();
    vec![file_of(1, entry), file_of(2, modern)]
}

#[test]
fn each_edit_of_a_covered_value_is_refused() {
    let mut tried = 0;
    for file in files() {
        loaded(&file);
        let mut pointers = Vec::new();
        leaves(&file, "", &mut pointers);
        let is_covered = |pointer: &&String| !UNCOVERED.iter().any(|part| pointer.starts_with(part));
        for pointer in pointers.iter().filter(is_covered) {
            for other in others(file.pointer(pointer).expect("a leaf")) {
                let mut edited = file.clone();
                *edited.pointer_mut(pointer).expect("a leaf") = other.clone();
                // A digest of nothing may also be spelled by leaving it out.
                let (_, message) = refused(&edited);
                assert!(!message.is_empty(), "{pointer}: {other}");
                tried += 1;
            }
        }
    }
    assert!(tried > 150, "{tried}");
}

#[test]
fn each_member_that_is_taken_out_or_put_in_is_refused() {
    /// Objects and arrays below what the surface digest covers.
    fn containers(value: &Value, pointer: &str, out: &mut Vec<String>) {
        let children: Vec<(String, &Value)> = match value {
            Value::Object(members) => {
                members.iter().map(|(name, member)| (name.replace('~', "~0").replace('/', "~1"), member)).collect()
            }
            Value::Array(items) => items.iter().enumerate().map(|(i, item)| (i.to_string(), item)).collect(),
            _ => return,
        };
        out.push(pointer.to_owned());
        children.into_iter().for_each(|(name, child)| containers(child, &format!("{pointer}/{name}"), out));
    }
    let mut tried = 0;
    for file in files() {
        for part in ["serverInfo", "capabilities", "tools", "prompts", "resources", "resourceTemplates"] {
            let mut pointers = Vec::new();
            containers(&file["servers"]["t"][part], &format!("/servers/t/{part}"), &mut pointers);
            for pointer in pointers {
                let mut more = file.clone();
                let mut less = file.clone();
                let is_empty = match (more.pointer_mut(&pointer), less.pointer_mut(&pointer)) {
                    (Some(Value::Object(more)), Some(Value::Object(less))) => {
                        more.insert("zz".to_owned(), Value::Null);
                        let first = less.keys().next().cloned();
                        first.is_none_or(|name| less.shift_remove(&name).is_none())
                    }
                    (Some(Value::Array(more)), Some(Value::Array(less))) => {
                        more.push(json!({"name": "zz", "uri": "zz", "uriTemplate": "zz", "inputSchema": {}}));
                        less.pop().is_none()
                    }
                    _ => unreachable!("containers only"),
                };
                refused(&more);
                if !is_empty {
                    refused(&less);
                }
                tried += 1;
            }
        }
    }
    assert!(tried >= 40, "{tried}");
}

/// What the format leaves uncovered; its specification says so.
#[test]
fn uncovered_values_can_be_edited() {
    for (pointer, value) in [
        ("/generator", json!("x")),
        ("/servers/t/command/0", json!("other")),
        ("/servers/t/envPassthrough/0", json!("AWS_SECRET_ACCESS_KEY")),
        ("/servers/t/policy/taint/sources", json!([])),
    ] {
        let mut edited = files()[0].clone();
        *edited.pointer_mut(pointer).expect("a member") = value;
        loaded(&edited);
    }
    // The name of a server is not covered either.
    let mut renamed = files()[0].clone();
    let entry = renamed["servers"]["t"].take();
    renamed["servers"] = json!({"u": entry});
    assert_eq!(loaded(&renamed).entries()[0].name, "u");
}
