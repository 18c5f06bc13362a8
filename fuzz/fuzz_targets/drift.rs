//! Two surfaces `[old, new]`: pin one, compare with the other. Pinned means clean, a difference of digests means items.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warden::drift;
use warden::json::{ParseLimits, Value, parse};
use warden::lock::wire::{self, NewPin};
use warden::lock::{BuildOptions, PinnedSurface, WardenPin, build};
use warden::surface::{Launch, Surface};

fn pinned(document: &Value) -> Option<PinnedSurface> {
    let surface = Surface::from_document(document.as_object()?).ok()?;
    let launch = Launch::Stdio { command: "c".into(), args: vec!["a".into()] };
    build(&surface, &launch, &BuildOptions::default()).ok()
}

fuzz_target!(|text: &[u8]| {
    let Ok(both) = parse(text, &ParseLimits { max_bytes: 1 << 20, max_depth: 600, max_values: usize::MAX }) else { return };
    let Some([old, new]) = both.as_array() else { return };
    let Some(old) = pinned(old) else { return };
    let pin = NewPin {
        created_at: "2026-01-01T00:00:00Z",
        warden_version: "0.0.0",
        mcp_protocol_version: "2025-11-25",
        approver: Some("somebody"),
        actor: None,
        environment: None,
        warden: WardenPin::default(),
        previous: None,
    };
    let lock = wire::read(wire::render(&old, &[], &pin).as_bytes()).expect("what is written can be read");
    assert_eq!(lock.surface.overall_digest, old.overall_digest);
    assert_eq!(lock.inconsistencies(), []);
    assert_eq!(drift::compare(&lock, &old), []);
    let Some(new) = pinned(new) else { return };
    let items = drift::compare(&lock, &new);
    assert_eq!(items.is_empty(), old.overall_digest == new.overall_digest);
});
