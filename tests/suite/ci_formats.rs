//! Reports for CI systems: what they look like for every drift class, and where they go.

use crate::support::cli::{Run, Sandbox, fixture, serving};
use crate::support::readers::{junit_elements, outline, workflow_command};
use crate::support::rich::rich_fixture;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

fn rich() -> Sandbox {
    let (sandbox, fixture) = (Sandbox::new(), rich_fixture());
    sandbox.write("warden.lock", &fixture.lock);
    sandbox.write("warden.surface.json", &fixture.texts);
    sandbox.write("now.json", &fixture.now);
    sandbox
}

fn check(sandbox: &Sandbox, format: &str, code: i32) -> String {
    sandbox.run(&["check", "--surface", "now.json", "--format", format]).expect(code).stdout
}

macro_rules! assert_text {
    ($name:literal, $text:expr) => {{
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!($name, $text));
    }};
}

#[test]
fn every_class_has_its_place_in_each_format() {
    let sandbox = rich();
    let github = check(&sandbox, "github", 1);
    assert!(github.lines().all(|line| workflow_command(line).is_some()));
    assert_text!("rich-github", github);
    let markdown = check(&sandbox, "markdown", 1);
    outline(&markdown);
    assert_text!("rich-markdown", markdown);
    let junit = check(&sandbox, "junit", 1);
    junit_elements(&junit);
    assert_text!("rich-junit", junit);
    let gitlab = check(&sandbox, "gitlab", 1);
    assert_text!("rich-gitlab", gitlab);
    // Nothing in them depends on when and how fast.
    for (format, text) in [("github", github), ("markdown", markdown), ("junit", junit), ("gitlab", gitlab)] {
        assert_eq!(check(&sandbox, format, 1), text);
    }
}

#[test]
fn what_is_clean_reads_as_clean() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let run = |format: &str| sandbox.run(&["check", "--format", format]).expect(0).stdout;
    assert_eq!(run("gitlab"), "[]\n");
    assert_text!("clean-github", run("github"));
    assert_text!("clean-junit", run("junit"));
    assert_text!("clean-markdown", run("markdown"));
}

#[test]
fn what_was_not_checked_never_reads_as_clean() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.script(&json!({"stderr": "no token\n", "methods": {"initialize": [{"exit": 2}]}}));
    let run = |format: &str| sandbox.run(&["check", "--format", format]).expect(3).stdout;
    let issues: Value = serde_json::from_str(&run("gitlab")).expect("JSON");
    assert_eq!((issues[0]["severity"].as_str(), issues.as_array().map(Vec::len)), (Some("blocker"), Some(1)));
    let junit = run("junit");
    let counts = junit_elements(&junit);
    // The launch is as it was pinned; of the rest nothing is known.
    assert_eq!((counts["testcase"] - counts["skipped"], counts["error"]), (2, 1), "{junit}");
    let names: Vec<String> =
        run("github").lines().map(|line| workflow_command(line).expect("a command").name).collect();
    assert_eq!(names, ["error", "error"]);
    assert!(run("markdown").contains("## warden: NOT CHECKED\n"));
}

#[test]
fn a_server_without_anything_has_valid_reports() {
    let sandbox = Sandbox::pinned(&serving(json!([])), &[]);
    for command in ["check", "show", "pin"] {
        let run = |format: &str| sandbox.run(&[command, "--format", format]).expect(0).stdout;
        junit_elements(&run("junit"));
        outline(&run("markdown"));
        assert!(
            run("github").lines().all(|line| workflow_command(line).is_some_and(|command| command.name == "notice"))
        );
    }
    assert_eq!(junit_elements(&sandbox.run(&["show", "--format", "junit"]).expect(0).stdout).get("testcase"), None);
}

#[test]
fn what_a_pin_accepts_fails_nothing() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.script(&fixture("notes-changed.json"));
    let run =
        sandbox.run(&["pin", "--format", "github", "--output", "junit=j.xml", "--output", "gitlab=g.json"]).expect(0);
    assert!(!run.stdout.contains("::error"), "{run}");
    assert_eq!(junit_elements(&sandbox.read("j.xml")).get("failure"), None);
    assert!(!sandbox.read("g.json").contains("WRD-DRIFT"));
}

#[test]
fn many_facts_fit_into_the_limits_of_github() {
    let tools = |n: usize, word: &str| -> Value {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string", "enum": [word]}}});
        let tool =
            |i: usize| json!({"name": format!("tool{i:04}"), "description": word.repeat(300), "inputSchema": schema});
        json!({"methods": {"tools/list": [{"result": {"tools": (0..n).map(tool).collect::<Vec<_>>()}}]}})
    };
    let sandbox = Sandbox::pinned(&tools(900, "one "), &["--save-surface"]);
    sandbox.script(&tools(900, "two "));
    let run = sandbox.run(&["check", "--format", "github", "--output", "markdown=r.md"]).expect(1);
    let commands: Vec<_> = run.stdout.lines().filter_map(workflow_command).collect();
    let errors: Vec<_> = commands.iter().filter(|command| command.name == "error").collect();
    assert_eq!(errors.len(), 10, "{run}");
    assert_eq!(errors[0].properties["title"], "warden: DRIFT");
    assert_eq!(errors[9].properties["title"], "warden: 892 more");
    let markdown = sandbox.read("r.md");
    assert!(markdown.len() <= 65_536 && markdown.len() > 50_000, "{}", markdown.len());
    let said = outline(&markdown);
    let left = markdown.split("the least severe first: ").nth(1).expect("what is left out");
    assert!(left.contains("whole places.** "), "{left}");
    assert!(said.headings > 100, "{}", said.headings);
}

#[test]
fn each_lock_has_a_marker_and_each_issue_a_fingerprint_of_its_own() {
    let sandbox = rich();
    let first = |text: String| text.lines().next().expect("a line").to_owned();
    let marker = first(check(&sandbox, "markdown", 1));
    let fingerprints = |text: &str| -> BTreeSet<String> {
        let issues: Vec<Value> = serde_json::from_str(text).expect("JSON");
        let all: BTreeSet<String> =
            issues.iter().map(|issue| issue["fingerprint"].as_str().expect("a fingerprint").to_owned()).collect();
        assert_eq!(all.len(), issues.len());
        all
    };
    let issues = fingerprints(&check(&sandbox, "gitlab", 1));
    // Lines move, and everything stays what it was.
    sandbox.write("warden.lock", format!("\n\n{}", rich_fixture().lock));
    assert_eq!(first(check(&sandbox, "markdown", 1)), marker);
    assert_eq!(fingerprints(&check(&sandbox, "gitlab", 1)), issues);
    sandbox.write("other.lock", rich_fixture().lock);
    let other = |format| {
        sandbox.run(&["check", "--surface", "now.json", "--lock", "other.lock", "--format", format]).expect(1).stdout
    };
    assert_ne!(first(other("markdown")), marker);
    assert!(fingerprints(&other("gitlab")).is_disjoint(&issues));
}

fn with_summary(sandbox: &Sandbox, args: &[&str], path: &Path) -> Run {
    Run::of(sandbox.command(args).env("GITHUB_STEP_SUMMARY", path))
}

#[test]
fn the_step_summary_is_the_markdown_report() {
    let sandbox = rich();
    let path = sandbox.path("summary.md");
    let args = ["check", "--surface", "now.json", "--format", "github"];
    with_summary(&sandbox, &args, &path).expect(1);
    let markdown = check(&sandbox, "markdown", 1);
    assert_eq!(sandbox.read("summary.md"), markdown);
    with_summary(&sandbox, &args, &path).expect(1);
    assert_eq!(sandbox.read("summary.md"), format!("{markdown}\n{markdown}"));
    // Beside another format too, and for an error; and for nobody who did not ask.
    let args = ["check", "--surface", "now.json", "--output", "github=annotations.txt"];
    with_summary(&sandbox, &args, &sandbox.path("second.md")).expect(1);
    assert_eq!(sandbox.read("second.md"), markdown);
    with_summary(&sandbox, &["check", "--lock", "no.lock", "--format", "github"], &sandbox.path("third.md")).expect(2);
    assert!(sandbox.read("third.md").contains("## warden: ERROR\n"));
    with_summary(&sandbox, &["check", "--surface", "now.json", "--json"], &sandbox.path("fourth.md")).expect(1);
    assert!(!sandbox.exists("fourth.md"));
}

#[test]
fn a_step_summary_that_cannot_be_written_costs_a_warning_only() {
    let sandbox = rich();
    let args = ["check", "--surface", "now.json", "--format", "github"];
    sandbox.write("target", "keep");
    std::os::unix::fs::symlink("target", sandbox.path("link")).expect("a link");
    sandbox.write("full", "x".repeat(1024 * 1024 - 3_000));
    let expected = check(&sandbox, "github", 1);
    for (name, why) in
        [("link", "not a regular file"), (".", "not a regular file"), ("no/folder", ""), ("full", "no room")]
    {
        let run = with_summary(&sandbox, &args, &sandbox.path(name)).expect(1);
        assert_eq!(run.stdout, expected);
        assert!(run.stderr.contains("warning: the step summary ") && run.stderr.contains(why), "{run}");
    }
    assert_eq!(sandbox.read("target"), "keep");
    // What room there is, is used.
    sandbox.write("nearly", "x".repeat(1024 * 1024 - 12_000));
    with_summary(&sandbox, &args, &sandbox.path("nearly")).expect(1);
    let text = sandbox.read("nearly");
    assert!(text.len() <= 1024 * 1024, "{}", text.len());
    assert!(text.trim_start_matches('x').starts_with("\n<!-- warden-report "));
    assert!(text.contains("Left out here"));
}
