//! Every sample of a client's file: exactly these findings, and a lock missing for each server that could have one.

use super::{copy_sample, findings};
use crate::support::cli::Sandbox;
use std::collections::BTreeSet;
use std::path::Path;

/// Sample, and line, server and rule of its findings, in the order of the file.
const EXPECTED: &[(&str, &[&str])] = &[
    ("5ire", &["3 tide SUP-NPX-UNPINNED", "4 maps CONF-NO-AUTH"]),
    ("amazon-q", &[]),
    ("amp", &["4 tide SUP-NPX-UNPINNED"]),
    ("antigravity", &["1 maps CONF-SECRET"]),
    ("both-keys", &["2 tide CONF-NAME-TWICE", "3 maps CONF-NO-AUTH", "3 tide CONF-NAME-TWICE"]),
    ("claude-code-agent", &[]),
    ("claude-code-plugin", &["3 maps CONF-NO-AUTH"]),
    ("claude-code-project", &["19 typeless CONF-CLIENT-REFUSES", "19 typeless CONF-NO-AUTH"]),
    ("claude-code-user", &["4 tide CONF-UNUSABLE", "16 tide CONF-NO-AUTH"]),
    ("claude-desktop", &["4 files SUP-NPX-UNPINNED"]),
    (
        "cline",
        &[
            "3 flat SUP-NPX-UNPINNED",
            "5 nested CONF-SECRET",
            "8 nested-local CONF-SECRET",
            "9 typeless CONF-NO-AUTH",
            "10 older CONF-NO-AUTH",
        ],
    ),
    ("codex", &[]),
    ("continue-entry", &["4 ledger CONF-NO-AUTH"]),
    ("continue-retired", &[]),
    ("continue-user", &[]),
    ("copilot-cli-agent", &[]),
    ("copilot-cli-project", &["3 maps CONF-NO-AUTH"]),
    ("copilot-cli-user", &[]),
    ("crush", &[]),
    ("crush-script", &[]),
    ("cursor", &["14 desk CONF-NO-AUTH"]),
    ("factory-droid", &[]),
    ("faulty-among-good", &[]),
    ("gemini-cli", &["8 alerts CONF-NO-AUTH", "9 both CONF-NO-AUTH"]),
    ("goose", &["25 Maps CONF-NO-AUTH"]),
    ("goose-recipe", &[]),
    ("junie", &["1 ledger CONF-SECRET"]),
    ("kilo-code", &["5 maps CONF-NO-AUTH"]),
    ("kimi-cli", &["1 maps CONF-SECRET", "1 tide SUP-LATEST-TAG"]),
    ("kiro", &[]),
    (
        "launch-forms",
        &[
            "3 win CONF-SHELL",
            "3 win SUP-NPX-UNPINNED",
            "6 latest SUP-LATEST-TAG",
            "7 range SUP-NPX-UNPINNED",
            "10 bun SUP-RUNNER-UNPINNED",
            "13 uvx-git SUP-UVX-UNPINNED",
            "14 docker SUP-IMAGE-TAG",
            "16 docker-bare SUP-IMAGE-UNPINNED",
            "17 bridge CONF-HIDDEN-URL",
            "17 bridge CONF-SECRET",
            "18 one-string CONF-CLIENT-REFUSES",
        ],
    ),
    ("lm-studio", &["1 maps CONF-SECRET"]),
    ("mistral-vibe", &[]),
    ("opencode", &[]),
    ("qwen-code", &["3 alerts CONF-NO-AUTH", "4 maps CONF-NO-AUTH"]),
    ("roo-code", &["4 maps CONF-NO-AUTH", "5 typeless CONF-CLIENT-REFUSES", "5 typeless CONF-NO-AUTH"]),
    ("same-name-twice", &["3 tide CONF-NAME-TWICE", "4 tide CONF-NAME-TWICE"]),
    ("trae", &["1 tide CONF-SECRET", "1 tide SUP-NPX-UNPINNED"]),
    ("visual-studio", &["5 maps CONF-NO-AUTH"]),
    ("vscode", &["7 tide CONF-CLIENT-REFUSES"]),
    ("vscode-dev-container", &[]),
    ("vscode-settings", &["4 maps CONF-NO-AUTH"]),
    ("vscode-workspace", &["3 maps CONF-NO-AUTH"]),
    ("warp", &["2 tide CONF-SECRET", "2 tide SUP-NPX-UNPINNED", "3 maps CONF-NO-AUTH"]),
    ("windsurf", &["4 tide SUP-NPX-UNPINNED"]),
    ("zed", &["4 tide CONF-SECRET", "5 maps CONF-SECRET", "7 older CONF-SECRET"]),
];

#[test]
fn every_sample_has_exactly_these_findings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/clients");
    let names: BTreeSet<String> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let known: BTreeSet<String> = EXPECTED.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names, known);
    let mut problems = Vec::new();
    let mut locks = 0;
    for (name, expected) in EXPECTED {
        let sandbox = Sandbox::new();
        let file = copy_sample(&sandbox, name);
        let (found, unlocked) = findings(&sandbox, &[&file]);
        if found != *expected {
            problems.push(format!("{name}: {found:?}"));
        }
        // What could be pinned and is not.
        let list: serde_json::Value =
            serde_json::from_str(&sandbox.run(&["servers", "--json", &file]).expect(0).stdout).unwrap();
        let open = list["files"][0]["servers"].as_array().unwrap().iter().filter(|server| {
            server["lock"] == "missing" && server["enabled"] == true && server["clients"] != serde_json::json!([])
        });
        let mut open: Vec<String> = open.map(|server| server["name"].as_str().unwrap().to_owned()).collect();
        // Two of one name can have no lock, and that is what is said.
        open.retain(|server| {
            !found.iter().any(|row| {
                row.contains(&format!(" {server} CONF-NAME-TWICE")) || row.contains(&format!(" {server} CONF-UNUSABLE"))
            })
        });
        locks += open.len();
        if open != unlocked {
            problems.push(format!("{name}: without a lock {open:?}, and found {unlocked:?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(locks > 60, "{locks}");
}
