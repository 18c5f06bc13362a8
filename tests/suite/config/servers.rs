//! Servers in `warden.toml`: reader and schema agree, and a run of one lock is not disturbed by them.

use super::{as_json, fits, hook, ids, ignore, pinned};
use crate::support::cli::{Sandbox, serving};
use serde_json::{Value, json};
use warden::config::parse;

#[track_caller]
fn both(text: &str, good: bool) {
    assert_eq!(parse(text.as_bytes()).is_ok(), good, "reader: {text}\n{:?}", parse(text.as_bytes()).err());
    assert_eq!(fits(&as_json(text)), good, "schema: {text}");
}

#[test]
fn reader_and_schema_take_the_same_servers() {
    for members in [
        "",
        "command = ['npx', '', '${A:-b}']",
        "command = ['a']\nenv = ['A', 'B']\ncwd = 'x/y'",
        "url = 'HTTPS://h:1/a?b'",
        "url = '${BASE}/mcp'\nbearer-env = 'A'\nheader-env = { 'X-Team' = 'T' }",
        "url = '${_B:-https://h}'",
        "from = './a//.mcp.json'\nentry = 'x'\nenv = []\nbearer-env = 'A'",
        "timeout = 86400\ninspection = 'a..b'\nlock = '..a/...b.lock'\ncwd = '.'",
        "timeout = 0.1\nskip = { reason = 'r' }",
        "skip = { reason = 'r', until = '2027-01-31' }",
    ] {
        both(&format!("[servers.a]\n{members}"), true);
    }
    for top in ["locks = 'a/'", "locks = '.'", "discover = false", "servers = {}", "[servers.\"\\u001b\"]"] {
        both(top, true);
    }
}

#[test]
fn reader_and_schema_refuse_the_same_servers() {
    for members in [
        "comand = ['a']",
        "command = 'npx x'",
        "command = []",
        "command = [' ']",
        "command = ['a', 1]",
        "command = ['a', \"b\\u0000\"]",
        "command = ['a']\nurl = 'https://h'",
        "command = ['a']\nfrom = 'f'",
        "url = 'https://h'\nfrom = 'f'",
        "entry = 'b'",
        "command = ['a']\nentry = 'b'",
        "from = 'f'\nentry = ''",
        "from = '../f'",
        "from = '~/f'",
        "from = '/f'",
        "from = 'f/'",
        "url = 'ftp://h'",
        "url = 'https:///a'",
        "url = 'https://h a'",
        "url = '$A/b'",
        "url = '${1}'",
        "url = 'https://h'\nenv = []",
        "url = 'https://h'\ncwd = 'a'",
        "command = ['a']\nbearer-env = 'A'",
        "command = ['a']\nheader-env = {}",
        "cwd = ''",
        "cwd = 'C:/a'",
        "cwd = 'a/.. /b'",
        "cwd = 'a\\b'",
        "inspection = '.'",
        "lock = 'a/../b.lock'",
        "lock = 'a/.Git/b.lock'",
        "lock = '.git:x/b.lock'",
        "lock = '.github/workflows/x.yml'",
        "lock = 'git~1/x.lock'",
        "lock = 'a'",
        "lock = 1",
        "timeout = 0",
        "timeout = 86401",
        "timeout = '5'",
        "env = 'A'",
        "env = { A = 'b' }",
        "env = ['A=b']",
        "env = ['']",
        "env = ['A', 'A']",
        "bearer-env = 'Bearer x'",
        "bearer-env = '${A}'",
        "header-env = ['A']",
        "header-env = { A = 1 }",
        "header-env = { A = 'b=c' }",
        "header-env = { 'A B' = 'C' }",
        "skip = true",
        "skip = {}",
        "skip = { reason = ' ' }",
        "skip = { reason = 'r', expires = '2027-01-31' }",
        "skip = { reason = 'r', until = '31.1.2027' }",
    ] {
        both(&format!("[servers.a]\n{members}"), false);
    }
    for top in [
        "locks = ''",
        "locks = '/a'",
        "locks = '.git'",
        "locks = 'git~1'",
        "discover = 'no'",
        "servers = []",
        "servers = { a = 'npx' }",
        "[servers.\"\"]",
    ] {
        both(top, false);
    }
    let many: String = (0..1_001).map(|n| format!("[servers.s{n}]\n")).collect();
    both(&many, false);
}

#[test]
fn a_check_of_one_lock_takes_a_file_with_servers() {
    let servers = "locks = \"ci\"\ndiscover = false\n[servers.notes]\ncommand = [\"never-started\"]\n";
    let sandbox = pinned(&format!("{servers}{}", ignore("WRD-CAP-SHELL", "tools/run_hook", "")));
    let document = sandbox.run(&["check", "--json"]).expect(0).document();
    assert_eq!(ids(&document["accepted"]), ["WRD-CAP-SHELL"]);
}

#[test]
fn an_entry_for_a_server_of_the_project_says_nothing_about_a_server_without_name() {
    let of_notes = |more: &str| ignore("WRD-CAP-SHELL", "tools/run_hook", &format!("server = \"notes\"\n{more}"));
    for more in ["", "expires = \"2001-01-01\""] {
        let sandbox = pinned(&of_notes(more));
        let document = sandbox.run(&["check", "--json"]).expect(0).document();
        assert_eq!(document["accepted"], json!([]), "{more}");
        let config = &document["config"];
        assert_eq!((&config["unused"], &config["expired"]), (&json!([]), &json!([])), "{more}");
    }
    // Beside one for all, that one counts.
    let sandbox = pinned(&format!("{}{}", of_notes(""), ignore("WRD-CAP-SHELL", "tools/run_hook", "")));
    let document = sandbox.run(&["check", "--json"]).expect(0).document();
    let lines: Vec<&Value> =
        document["accepted"].as_array().unwrap().iter().map(|finding| &finding["accepted_by"]["line"]).collect();
    assert_eq!(lines, [7]);
}

#[test]
fn an_error_about_a_server_ends_a_run_before_anything_is_started_and_tells_no_secret() {
    for (members, place, words) in [
        (
            "command = \"npx --token hunter2\"",
            "line 2, column 11: `command` is a list of words",
            "hint: write each word",
        ),
        ("env = [\"TOKEN=hunter2\"]", "line 2, column 8: ", "values do not belong in this file"),
        ("url = \"me:hunter2@h\"", "line 2, column 7: `url` cannot be used", "https://"),
        ("args = [\"hunter2\"]", "line 2, column 1: server \"a\" has no member \"args\"", "same list as the program"),
    ] {
        let sandbox = Sandbox::pinned(&serving(json!([hook()])), &[]);
        sandbox.write("warden.toml", format!("[servers.a]\n{members}\n"));
        let run = sandbox.run(&["check"]).expect(2);
        assert!(run.stderr.contains(place) && run.stderr.contains(words), "{run}");
        assert!(!run.stderr.contains("starting"), "{run}");
        assert!(!format!("{}{}", run.stdout, run.stderr).contains("hunter2"), "{run}");
    }
}
