//! The lock reader: no bytes panic it or what is shown of a lock, and a consistent lock agrees with itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warden::drift;
use warden::lock::wire;
use warden::report::{Format, Lengths, Report, Style, Subject, Verdict, render, view};

fuzz_target!(|text: &[u8]| {
    let Ok(lock) = wire::read(text) else { return };
    let inconsistencies = lock.inconsistencies();
    let items = drift::compare(&lock, &lock.surface);
    if inconsistencies.is_empty() && !lock.pin.approval.approved {
        assert!(items.is_empty(), "{items:?}");
    }
    assert!(drift::fields::changed_fields(&lock.surface, &lock.surface).is_empty() || !inconsistencies.is_empty() || repeats(&lock));
    let subject = Subject { lock_path: "l".into(), launch: "c".into() };
    let mut report = Report::new("show", Verdict::Shown, subject);
    report.view = Some(view(&lock, None, Lengths::BRIEF));
    for format in [Format::Human, Format::Json] {
        let _ = render(format, &report, &Style::default(), 0);
    }
});

/// Entries that share a name are compared with the last of them.
fn repeats(lock: &warden::lock::Lock) -> bool {
    warden::surface::Section::ALL.into_iter().any(|section| {
        let mut seen = std::collections::BTreeSet::new();
        lock.surface.entries(section).any(|entry| !seen.insert(entry.identity))
    })
}
