//! Any schema has a skeleton or passes the budget; a skeleton has nothing against itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warden::capability::derive;
use warden::json::{ParseLimits, Value, hash, parse};
use warden::skeleton::{Budget, References, compare, extract};

fuzz_target!(|text: &[u8]| {
    let Ok(schema) = parse(text, &ParseLimits { max_bytes: 1 << 20, max_depth: 512, max_values: usize::MAX }) else { return };
    let mut skeletons = [References::Follow, References::Opaque]
        .into_iter()
        .filter_map(|references| extract(&schema, references, &mut Budget::default()).ok())
        .collect::<Vec<_>>();
    for skeleton in &skeletons {
        assert_eq!(compare(skeleton, skeleton), []);
        let _ = hash(&Value::from(skeleton));
    }
    if let (Some(b), Some(a)) = (skeletons.pop(), skeletons.pop()) {
        for fact in compare(&a, &b) {
            let _ = (fact.change.class(), fact.change.severity(), fact.change.detail());
        }
    }
    let _ = derive("read_file", Some(&schema));
});
