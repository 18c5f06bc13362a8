//! Runs a conformance corpus through the public entry points: `vectors/`, or any copy that `WARDEN_VECTORS_DIR` names.
//!
//! The form of a corpus is stated in vectors/README.md. A case that is skipped, of an unknown kind, or without the
//! inputs its kind asks for fails the run.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use warden::drift;
use warden::json::{Object, ParseLimits, Value, canonical_bytes, canonical_text, hash, parse};
use warden::lock::{BuildOptions, PinnedSurface, build, wire};
use warden::surface::{Launch, Section, Surface};

/// A case file holds documents of depth 512 inside itself.
const CASE_LIMITS: ParseLimits = ParseLimits { max_bytes: 64 << 20, max_depth: 600, max_values: usize::MAX };

#[test]
fn vectors() {
    let folder = std::env::var_os("WARDEN_VECTORS_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors"), PathBuf::from);
    let manifest = load(&folder.join("manifest.json"));
    let listed = manifest.get("vectors").and_then(Value::as_array).expect("manifest.vectors is an array");
    assert_eq!(manifest.get("count").and_then(Value::as_f64), Some(listed.len() as f64), "manifest.count");

    let mut passed: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    let mut files = std::collections::BTreeSet::new();
    for entry in listed {
        let text = |member| entry.get(member).and_then(Value::as_str).expect("id, kind and file of a manifest entry");
        files.insert(text("file").to_owned());
        let case = load(&folder.join(text("file")));
        let same_id = case.get("id").and_then(Value::as_str) == Some(text("id"));
        let same_kind = case.get("kind").and_then(Value::as_str) == Some(text("kind"));
        let outcome = match (same_id && same_kind, text("kind")) {
            (false, _) => Err("id or kind differs from the manifest".to_owned()),
            (true, "canonical") => canonical_case(&case),
            (true, "digest") => digest_case(&case),
            (true, "drift") => drift_case(&case),
            (true, "malformed") => malformed_case(&case),
            (true, unknown) => Err(format!("unknown kind {unknown:?}")),
        };
        match outcome {
            Ok(()) => *passed.entry(text("kind").to_owned()).or_default() += 1,
            Err(problem) => failures.push(format!("{}: {problem}", text("id"))),
        }
    }
    // A case that no manifest lists would never run.
    for file in std::fs::read_dir(folder.join("cases")).expect("cases folder") {
        let name = format!("cases/{}", file.expect("folder entry").file_name().to_string_lossy());
        assert!(files.contains(&name), "{name} is not in the manifest");
    }
    let counts: Vec<String> = passed.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let total: usize = passed.values().sum();
    // Straight to the stream, because the harness swallows what a passing test prints.
    let mut stderr = std::io::stderr();
    writeln!(
        stderr,
        "vectors in {}: {total} passed of {} ({}), 0 skipped",
        folder.display(),
        listed.len(),
        counts.join(", ")
    )
    .expect("stderr");
    assert!(failures.is_empty(), "{} vectors failed:\n{}", failures.len(), failures.join("\n"));
    assert!(total > 0, "no vector ran");
}

fn load(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    parse(&bytes, &CASE_LIMITS).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn member<'a>(case: &'a Value, name: &str) -> Result<&'a Value, String> {
    case.get(name).ok_or_else(|| format!("the case has no {name}"))
}

fn same(what: &str, got: &str, want: &str) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what}\n   got  {got}\n   want {want}")) }
}

fn canonical_case(case: &Value) -> Result<(), String> {
    let (input, expect) = (member(case, "input")?, member(case, "expect")?);
    let text = |name| expect.get(name).and_then(Value::as_str).ok_or("no expectation");
    same("jcs", &canonical_text(input).map_err(|e| e.to_string())?, text("jcs")?)?;
    same("sha256", &hash(input).map_err(|e| e.to_string())?.to_string(), text("sha256")?)
}

/// Builds entries from the surface of a case: its own launch, or that of the lock it is compared with.
fn build_surface(document: &Value) -> Result<PinnedSurface, String> {
    let object = document.as_object().ok_or("the surface is not an object")?;
    let text = |name| object.get(name).and_then(Value::as_str).map(str::to_owned);
    let args = object.get("args").and_then(Value::as_array).unwrap_or_default();
    let args = args.iter().map(|arg| arg.as_str().unwrap_or_default().to_owned()).collect();
    let launch = Launch::from_parts(text("command").unwrap_or_default(), args, text("url"));
    let surface = Surface::from_document(object).map_err(|e| e.to_string())?;
    build(&surface, &launch, &BuildOptions::default()).map_err(|e| e.to_string())
}

fn surface_of(case: &Value) -> Result<Value, String> {
    match (case.get("surface"), case.get("surface_text")) {
        (Some(surface), None) => Ok(surface.clone()),
        (None, Some(text)) => parse_value(text),
        _ => Err("exactly one of surface and surface_text is required".to_owned()),
    }
}

/// Text of a value as a server would send it. Deeper than a hashed value may be, because it encloses such values.
fn parse_value(text: &Value) -> Result<Value, String> {
    let text = text.as_str().ok_or("not a text")?;
    parse(text.as_bytes(), &CASE_LIMITS).map_err(|e| e.to_string())
}

fn digest_case(case: &Value) -> Result<(), String> {
    let built = build_surface(&surface_of(case)?)?;
    let mut got = Object::new();
    got.insert("server", [("command_digest", built.command_digest)].into_iter().collect::<Object>());
    for section in Section::ALL {
        got.insert(section.key(), built.entries(section).map(|entry| entry.stored.clone()).collect::<Vec<_>>());
    }
    got.insert("overall_digest", built.overall_digest);
    let canonical = |value: &Value| String::from_utf8(canonical_bytes(value).unwrap()).unwrap();
    same("entries", &canonical(&got.into()), &canonical(member(case, "expect")?))
}

fn drift_case(case: &Value) -> Result<(), String> {
    let lock = wire::read(warden::json::pretty(member(case, "lock")?).as_bytes()).map_err(|e| e.to_string())?;
    let current = build_surface(&surface_of(case)?)?;
    let got: Vec<Object> = drift::compare(&lock, &current)
        .into_iter()
        .map(|item| {
            let mut object = Object::new();
            object.insert("drift_class", item.class.into_owned());
            object.insert("severity", item.severity.as_str());
            object.insert("target", item.target);
            object.insert("detail", item.detail);
            object
        })
        .collect();
    same("items", &warden::json::pretty(&got.into()), &warden::json::pretty(member(case, "expect")?))
}

/// Whatever form the input has, the public entry point for it must refuse.
fn malformed_case(case: &Value) -> Result<(), String> {
    let expected: Object = [("error", true)].into_iter().collect();
    same("expectation", &warden::json::pretty(member(case, "expect")?), &warden::json::pretty(&expected.into()))?;
    let text = |name: &str| case.get(name).and_then(Value::as_str);
    let accepted = if let Some(lock) = case.get("lock") {
        wire::read(warden::json::pretty(lock).as_bytes()).is_ok()
    } else if let Some(lock) = text("lock_text") {
        wire::read(lock.as_bytes()).is_ok()
    } else if let Some(value) = text("input_json") {
        let limits = ParseLimits { max_bytes: 64 << 20, max_depth: warden::json::MAX_DEPTH, max_values: usize::MAX };
        parse(value.as_bytes(), &limits).is_ok_and(|value| hash(&value).is_ok())
    } else if case.get("surface").is_some() || case.get("surface_text").is_some() {
        surface_of(case).is_ok_and(|surface| build_surface(&surface).is_ok())
    } else {
        return Err("no input of a known name".to_owned());
    };
    if accepted { Err("accepted".to_owned()) } else { Ok(()) }
}
