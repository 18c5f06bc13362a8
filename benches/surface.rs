//! What the pure rooms cost, at 10 to 10 000 ordinary tools and for hostile shapes.
//!
//! `cargo bench` runs everything, `cargo bench -- build` one group. Numbers and how they were taken: docs/PERFORMANCE.md.

#![expect(clippy::panic, clippy::expect_used, reason = "a benchmark stops at whatever is wrong")]

mod shapes;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use warden::drift;
use warden::json::{ParseLimits, Value, hash, parse};
use warden::lock::wire::{self, NewPin};
use warden::lock::{BuildOptions, Lock, PinnedSurface, WardenPin, build};
use warden::skeleton::{Budget, References, extract};
use warden::surface::{Launch, Surface};

const SIZES: [usize; 3] = [10, 1_000, 10_000];
const LIMITS: ParseLimits = ParseLimits { max_bytes: 64 << 20, max_depth: 520, max_values: usize::MAX };

fn value(text: &str) -> Value {
    parse(text.as_bytes(), &LIMITS).unwrap_or_else(|error| panic!("{error}"))
}

fn surface(text: &str) -> Surface {
    let value = value(text);
    Surface::from_document(value.as_object().expect("an object")).unwrap_or_else(|error| panic!("{error}"))
}

fn launch() -> Launch {
    Launch::Stdio { command: "npx".into(), args: vec!["some-server@1.2.3".into()] }
}

fn built(surface: &Surface) -> PinnedSurface {
    build(surface, &launch(), &BuildOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn rendered(pinned: &PinnedSurface) -> String {
    let pin = NewPin {
        created_at: "2026-01-01T00:00:00Z",
        warden_version: "0.0.0",
        mcp_protocol_version: "2025-11-25",
        approver: None,
        actor: None,
        environment: None,
        warden: WardenPin::default(),
        previous: None,
    };
    wire::render(pinned, &[], &pin)
}

fn read(text: &str) -> Lock {
    wire::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

fn ordinary(criterion: &mut Criterion) {
    for tools in SIZES {
        let text = shapes::ordinary(0..tools, 0);
        let document = value(&text);
        let seen = surface(&text);
        let pinned = built(&seen);
        let lock_text = rendered(&pinned);
        let lock = read(&lock_text);
        let changed = built(&surface(&shapes::ordinary(0..tools, 1)));

        let mut measure = |name: &str, mut routine: Box<dyn FnMut() + '_>| {
            let mut group = criterion.benchmark_group(name);
            group.throughput(Throughput::Elements(tools as u64));
            group.bench_with_input(BenchmarkId::from_parameter(tools), &(), |bencher, ()| bencher.iter(&mut routine));
            group.finish();
        };
        measure("parse", Box::new(|| drop(black_box(parse(black_box(text.as_bytes()), &LIMITS)))));
        measure("canonicalise and hash", Box::new(|| drop(black_box(hash(black_box(&document))))));
        measure(
            "skeleton",
            Box::new(|| {
                for schema in seen.tools.iter().filter_map(|tool| tool.input_schema()) {
                    drop(black_box(extract(black_box(schema), References::Follow, &mut Budget::default())));
                }
            }),
        );
        measure("build", Box::new(|| drop(black_box(built(black_box(&seen))))));
        measure("drift, nothing changed", Box::new(|| drop(black_box(drift::compare(black_box(&lock), &pinned)))));
        measure("drift, every tenth changed", Box::new(|| drop(black_box(drift::compare(black_box(&lock), &changed)))));
        measure("render lock", Box::new(|| drop(black_box(rendered(black_box(&pinned))))));
        measure("read lock", Box::new(|| drop(black_box(read(black_box(&lock_text))))));
    }
}

/// What a check does with an answer: parse, build, read the lock, compare; and what a pin does: render.
fn hostile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hostile");
    for (name, make) in shapes::HOSTILE {
        let text = make();
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let pinned = built(&surface(black_box(&text)));
                let lock = read(&rendered(&pinned));
                assert!(drift::compare(&lock, &pinned).is_empty());
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = ordinary, hostile
}
criterion_main!(benches);
