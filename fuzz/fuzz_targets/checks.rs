//! The static checks on any surface; its own texts serve as the launch too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warden::checks;
use warden::json::{ParseLimits, parse};
use warden::surface::{Launch, Surface};

fuzz_target!(|text: &[u8]| {
    let Ok(document) = parse(text, &ParseLimits { max_bytes: 1 << 20, max_depth: 512, max_values: usize::MAX }) else { return };
    let Some(surface) = document.as_object().and_then(|object| Surface::from_document(object).ok()) else { return };
    let mut words = surface.tools.iter().flat_map(|tool| [tool.name(), tool.description().unwrap_or_default()]);
    let launch = Launch::Stdio {
        command: words.next().unwrap_or("c").to_owned(),
        args: words.map(str::to_owned).collect(),
    };
    let findings = checks::run(&surface, &launch);
    assert!(findings.is_sorted_by(|a, b| (&a.target, a.rule_id, &a.snippet) < (&b.target, b.rule_id, &b.snippet)));
});
