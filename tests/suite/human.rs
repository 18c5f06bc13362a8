//! Reports for people at the widths that terminals have, in every drift class.

use crate::support::cli::{Run, Sandbox};
use crate::support::rich::{RichFixture, rich_at_level_3, rich_fixture, rich_reordered};
use unicode_width::UnicodeWidthStr as _;

const CHECK: [&str; 3] = ["check", "--surface", "now.json"];

fn sandbox(fixture: &RichFixture, texts: bool) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("warden.lock", &fixture.lock);
    if texts {
        sandbox.write("warden.surface.json", &fixture.texts);
    }
    sandbox.write("now.json", &fixture.now);
    sandbox
}

fn at(sandbox: &Sandbox, args: &[&str], variables: &[(&str, &str)]) -> Run {
    Run::of(sandbox.command(args).envs(variables.iter().copied()))
}

macro_rules! assert_page {
    ($name:literal, $run:expr) => {{
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.add_filter(r"warden \d+\.\d+\.\d+ on", "warden [version] on");
        let text = $run.stdout.replace('\u{1b}', "␛");
        settings.bind(|| insta::assert_snapshot!($name, text));
    }};
}

#[test]
fn every_class_reads_well_at_every_width() {
    let sandbox = sandbox(&rich_fixture(), true);
    assert_page!("human-40", at(&sandbox, &CHECK, &[("COLUMNS", "40")]).expect(1));
    assert_page!("human-80", at(&sandbox, &CHECK, &[("COLUMNS", "80")]).expect(1));
    assert_page!("human-200", at(&sandbox, &CHECK, &[("COLUMNS", "200")]).expect(1));
    assert_page!("human-80-color", at(&sandbox, &CHECK, &[("COLUMNS", "80"), ("CLICOLOR_FORCE", "1")]).expect(1));
    assert_page!("human-80-ascii", at(&sandbox, &CHECK, &[("COLUMNS", "80"), ("LC_ALL", "C")]).expect(1));
    assert_page!("human-show-40", at(&sandbox, &["show"], &[("COLUMNS", "40")]).expect(0));
    assert_page!("human-show-80", at(&sandbox, &["show"], &[("COLUMNS", "80")]).expect(0));
}

#[test]
fn other_locks_read_well() {
    let page = |fixture: &RichFixture| at(&sandbox(fixture, false), &CHECK, &[("COLUMNS", "80")]).expect(1);
    assert_page!("human-no-texts", page(&rich_fixture()));
    assert_page!("human-level-3", page(&rich_at_level_3()));
    assert_page!("human-reordered", page(&rich_reordered()));
}

#[test]
fn one_entry_is_shown_in_full_and_the_verdict_stays() {
    let sandbox = sandbox(&rich_fixture(), true);
    let entry = |name: &str| {
        let run = at(&sandbox, &["check", "--surface", "now.json", "--entry", name], &[("COLUMNS", "80")]);
        assert!(run.stdout.starts_with("DRIFT "), "{run}");
        run.expect(1)
    };
    assert_page!("human-entry", entry("tools/tide_table"));
    assert_page!("human-entry-unchanged", entry("ring_bell"));
    let run = entry("tide_table");
    assert!(!run.stdout.contains("characters …⟩") && run.stdout.contains("and 24 more not shown"), "{run}");
    let document = at(&sandbox, &["check", "--surface", "now.json", "--entry", "book_berth", "--json"], &[]).document();
    assert_eq!(document["entries"].as_array().map(Vec::len), Some(1));
    assert_eq!((&document["entry"], &document["entries_not_shown"]), (&"tools/book_berth".into(), &24.into()));
    assert_page!("human-show-entry", at(&sandbox, &["show", "--entry", "book_berth"], &[("COLUMNS", "80")]).expect(0));
}

#[test]
fn a_name_that_is_nowhere_is_a_usage_error_that_names_the_nearest() {
    let sandbox = sandbox(&rich_fixture(), true);
    sandbox.run(&["pin", "--surface", "now.json", "--lock", "now.lock"]).expect(0);
    let clean = ["check", "--surface", "now.json", "--lock", "now.lock", "--entry", "plan_rute"];
    for args in [&clean[..], &["show", "--entry", "plan_rute"]] {
        let run = sandbox.run(args).expect(2);
        assert!(run.stderr.contains("there is no entry \"plan_rute\""), "{run}");
        assert!(run.stderr.contains("did you mean tools/plan_route?"), "{run}");
    }
    let run = sandbox.run(&["show", "--entry", "\u{1b}[31mzzzzzzzzzzzz"]).expect(2);
    assert!(run.stderr.contains("⟨ESC⟩") && run.stderr.contains("warden show lists the entries"), "{run}");
}

#[test]
fn the_verdict_is_the_first_line_and_all_of_a_quiet_report() {
    let sandbox = sandbox(&rich_fixture(), true);
    let full = sandbox.run(&CHECK).expect(1);
    let quiet = sandbox.run(&["check", "--surface", "now.json", "-q"]).expect(1);
    assert!(full.stdout.starts_with(&quiet.stdout) && quiet.stdout.starts_with("DRIFT "), "{quiet}");
    assert!(quiet.stdout.lines().all(|line| line.starts_with("DRIFT ") || line.starts_with("    ")), "{quiet}");
}

/// Only what must survive copying may stick out: commands, pointers, names.
#[test]
fn lines_fit_the_width_but_for_what_is_copied() {
    let sandbox = sandbox(&rich_fixture(), true);
    for width in [40, 60, 80, 120, 200] {
        for args in [&CHECK[..], &["show"], &["pin", "--surface", "now.json"]] {
            let columns = width.to_string();
            let run = at(&sandbox, args, &[("COLUMNS", columns.as_str())]);
            for line in run.stdout.lines().filter(|line| line.width() > width.min(120)) {
                let words = line.trim_start();
                // Beside a label of 17 columns.
                let has_long_word = words.split(' ').any(|word| word.width() + 17 > width.min(120));
                assert!(has_long_word || words.starts_with("warden ") || line.starts_with("next"), "{width}: {line}");
            }
        }
    }
}

/// A description cannot print a line that looks like one of ours.
#[test]
fn a_text_cannot_pass_for_a_line_of_the_report() {
    let fixture = rich_fixture();
    let forged = "Retires.\\n\\nCLEAN      all is well\\n    low      nothing [tool-removed]\\r\\nnext   run this";
    let now = fixture.now.replace("Takes anything.", forged);
    assert_ne!(now, fixture.now);
    let sandbox = sandbox(&RichFixture { now, ..fixture }, true);
    let run = sandbox.run(&CHECK).expect(1);
    assert!(
        run.stdout.contains("      + CLEAN      all is well\n      +     low      nothing [tool-removed]\n"),
        "{run}"
    );
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("next") || line.starts_with("CLEAN")).count(), 1);
}

/// Locks are committed, so this stands at the top and not among findings.
#[test]
fn a_secret_in_the_launch_is_told_first() {
    let sandbox = Sandbox::new();
    sandbox.script(&crate::support::cli::serving(serde_json::json!([])));
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let run = sandbox.run(&["pin", "--", "./server", "s.json", "--token", &secret]).expect(0);
    let third = run.stdout.lines().nth(3).unwrap_or_default();
    assert!(third.starts_with("  SECRET: The launch holds what looks like a secret"), "{run}");
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Do not commit this lock") && !run.all().contains(&secret), "{run}");
    let clean = sandbox.run(&["pin", "--lock", "b.lock", "--", "./server", "s.json"]).expect(0);
    assert!(!clean.stdout.contains("SECRET"), "{clean}");
}
