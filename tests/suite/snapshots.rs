//! What people read, in full. Each text was looked at before it was committed; a difference is to be looked at again
//! (`cargo insta review`, or read the `.snap.new` beside the old one).

use crate::support::cli::{Run, Sandbox, fixture};
use serde_json::json;

/// One run as a terminal shows it: the status, standard output, standard error.
fn shown(run: &Run) -> String {
    let Run { code, stdout, stderr, .. } = run;
    let code = code.map_or_else(|| "none".to_owned(), |code| code.to_string());
    // Escape sequences are colours, and an editor should show them.
    format!("exit {code}\n---- stdout\n{stdout}---- stderr\n{stderr}").replace('\u{1b}', "␛")
}

macro_rules! assert_shown {
    ($name:literal, $run:expr) => {{
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        // The only parts that another run, another day or another release changes.
        settings.add_filter(r"\b\d+\.\d s\b", "[time]");
        settings.add_filter(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[date]");
        settings.add_filter(&env!("CARGO_PKG_VERSION").replace('.', r"\."), "[version]");
        settings.bind(|| insta::assert_snapshot!($name, shown(&$run)));
    }};
}

fn pinned() -> Sandbox {
    Sandbox::pinned(&fixture("notes.json"), &[])
}

fn approved() -> Sandbox {
    Sandbox::pinned(&fixture("notes.json"), &["--approve", "--approver", "ann@example.com"])
}

#[test]
fn pin_says_what_was_pinned() {
    let sandbox = Sandbox::new();
    sandbox.script(&fixture("notes.json"));
    assert_shown!("pin", sandbox.run(&["pin", "--", "./server", "s.json"]));
    assert_shown!("pin-unchanged", sandbox.run(&["pin"]));
    let sandbox = approved();
    sandbox.script(&fixture("notes-changed.json"));
    assert_shown!("pin-refused", sandbox.run(&["pin"]));
}

#[test]
fn check_is_one_line_when_clean() {
    assert_shown!("check-clean", pinned().run(&["check"]));
    assert_shown!("check-clean-color", pinned().run(&["check", "--color", "always"]));
}

#[test]
fn check_says_what_drifted_and_how_to_go_on() {
    let sandbox = approved();
    sandbox.script(&fixture("notes-changed.json"));
    assert_shown!("check-drift", sandbox.run(&["check"]));
    assert_shown!("check-drift-color", sandbox.run(&["check", "--color", "always"]));
    assert_shown!("check-drift-quiet", sandbox.run(&["check", "-q"]));
    assert_shown!("check-drift-json", sandbox.run(&["check", "--json"]));
    assert_shown!("check-other-launch", sandbox.run(&["check", "--", "./server", "other.json"]));
}

#[test]
fn check_says_where_a_lock_contradicts_itself() {
    let sandbox = pinned();
    sandbox.edit_lock(|lock| lock["tools"][0]["entry_digest"] = lock["overall_digest"].clone());
    assert_shown!("check-inconsistent", sandbox.run(&["check"]));
    let sandbox = pinned();
    sandbox.edit_lock(|lock| lock["server"]["args"] = json!(["other.json"]));
    assert_shown!("check-edited-launch", sandbox.run(&["check"]));
}

#[test]
fn check_says_why_nothing_was_checked() {
    let sandbox = pinned();
    sandbox.script(&json!({
        "stderr": "loading plugins\nerror: NOTES_TOKEN is not set\n",
        "methods": {"initialize": [{"exit": 2}]},
    }));
    assert_shown!("check-not-checked", sandbox.run(&["check"]));
    std::fs::remove_file(sandbox.path("warden.lock")).unwrap();
    assert_shown!("check-no-lock", sandbox.run(&["check"]));
    assert_shown!("usage", sandbox.run(&["check", "--require-aproval"]));
}

#[test]
fn show_says_what_a_reviewer_needs() {
    let sandbox = Sandbox::new();
    sandbox.script(&fixture("notes.json"));
    sandbox.write("warden.inspection.json", json!({"fetch_feed": {"may_return_urls": true}}).to_string());
    sandbox.run(&["pin", "--approve", "--approver", "ann@example.com", "--", "./server", "s.json"]).expect(0);
    assert_shown!("show", sandbox.run(&["show"]));
    sandbox.edit_lock(|lock| lock["pin"]["approved_digest"] = lock["tools"][0]["entry_digest"].clone());
    sandbox.edit_lock(|lock| lock["tools"][1]["description_hash"] = lock["overall_digest"].clone());
    assert_shown!("show-verify", sandbox.run(&["show", "--verify"]));
}

#[test]
fn an_approval_says_what_was_done() {
    let sandbox = pinned();
    assert_shown!("approve", sandbox.run(&["approve", "--yes", "--approver", "ann@example.com", "--note", "read it"]));
    assert_shown!("approve-nobody", sandbox.run(&["approve", "--approver", "ann@example.com"]));
    sandbox.edit_lock(|lock| lock["tools"][0]["capabilities"] = json!(["shell-exec"]));
    assert_shown!("approve-inconsistent", sandbox.run(&["approve", "--yes", "--approver", "ann@example.com"]));
}

#[test]
fn a_difference_and_a_part_of_it_read_well() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &["--save-surface"]);
    std::fs::copy(sandbox.path("warden.lock"), sandbox.path("old.lock")).unwrap();
    sandbox.script(&fixture("notes-changed.json"));
    assert_shown!("pin-one-tool", sandbox.run(&["pin", "--tool", "run_hook", "--save-surface"]));
    sandbox.run(&["pin", "--save-surface"]).expect(0);
    assert_shown!("diff", sandbox.run(&["diff", "old.lock", "warden.lock"]));
    assert_shown!("diff-same", sandbox.run(&["diff", "warden.lock", "warden.surface.json"]));
}

#[test]
fn accepted_findings_are_told_briefly_and_in_full() {
    let sandbox = pinned();
    let ignore = |target: &str, more: &str| {
        format!(
            "[[ignore]]\nrule = \"WRD-UNCOMMITTED-INSTRUCTIONS\"\ntarget = \"{target}\"\nreason = \"read\"\n{more}\n"
        )
    };
    sandbox.write("warden.toml", ignore("server/instructions", "") + &ignore("server/other", ""));
    assert_shown!("config-accepted", sandbox.run(&["check"]));
    assert_shown!("config-accepted-verbose", sandbox.run(&["check", "-v"]));
    sandbox.write("warden.toml", ignore("server/instructions", "expires = \"2020-02-29\""));
    assert_shown!("config-expired", sandbox.run(&["check"]));
    sandbox.write("warden.toml", ignore("server/instructions", "expired = true"));
    assert_shown!("config-invalid", sandbox.run(&["check"]));
}

#[test]
fn explanations_read_well() {
    let sandbox = Sandbox::new();
    assert_shown!("explain", sandbox.run(&["explain", "WRD-CAP-SHELL", "tool-added", "E-EXITED"]));
    assert_shown!("explain-unknown", sandbox.run(&["explain", "tool-aded"]));
}

#[test]
fn help_reads_well() {
    let sandbox = Sandbox::new();
    assert_shown!("help", sandbox.run(&["--help"]));
    assert_shown!("help-init", sandbox.run(&["init", "--help"]));
    assert_shown!("help-pin", sandbox.run(&["pin", "--help"]));
    assert_shown!("help-check", sandbox.run(&["check", "--help"]));
    assert_shown!("help-capture", sandbox.run(&["capture", "--help"]));
    assert_shown!("help-show", sandbox.run(&["show", "--help"]));
    assert_shown!("help-approve", sandbox.run(&["approve", "--help"]));
    assert_shown!("help-diff", sandbox.run(&["diff", "--help"]));
    assert_shown!("help-servers", sandbox.run(&["servers", "--help"]));
    assert_shown!("help-doctor", sandbox.run(&["doctor", "--help"]));
    assert_shown!("help-explain", sandbox.run(&["explain", "--help"]));
    assert_shown!("help-completions", sandbox.run(&["completions", "--help"]));
    assert_shown!("help-man", sandbox.run(&["man", "--help"]));
    assert_shown!("help-demo", sandbox.run(&["demo", "--help"]));
}
