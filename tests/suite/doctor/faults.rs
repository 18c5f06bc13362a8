//! Planted faults: each is found, at its place, and a variant without it is not.

use super::{document, is_missing, write};
use crate::support::cli::Sandbox;
use serde_json::Value;

/// The findings of one entry in `.mcp.json`: rule, the text of the file at the place, and the fix.
#[track_caller]
fn of_entry(entry: &str) -> Vec<(String, String, String)> {
    of_file(".mcp.json", &format!("{{\n \"mcpServers\": {{\n  \"tide\": {entry}\n }}\n}}\n"))
}

#[track_caller]
fn of_file(path: &str, text: &str) -> Vec<(String, String, String)> {
    let sandbox = Sandbox::new();
    write(&sandbox, path, text);
    let document = document(&sandbox, &[]);
    assert_ne!(document["verdict"], "failed", "{document}");
    let mut found: Vec<_> =
        document["findings"].as_array().unwrap().iter().filter(|finding| !is_missing(finding)).collect();
    found.sort_by_key(|finding| (finding["place"]["line"].as_i64(), finding["place"]["column"].as_i64()));
    let number = |value: &Value| usize::try_from(value.as_i64().unwrap()).unwrap();
    found
        .into_iter()
        .map(|finding| {
            let place = &finding["place"];
            assert_eq!(place["path"], path);
            let line = text.lines().nth(number(&place["line"]) - 1).unwrap();
            let rest: String = line.chars().skip(number(&place["column"]) - 1).collect();
            let rule = finding["rule_id"].as_str().unwrap().trim_start_matches("WRD-").to_owned();
            (rule, rest, finding["fix"].as_str().unwrap().to_owned())
        })
        .collect()
}

/// Entry, rule, what stands at its place, and the fix.
const PLANTED: &[(&str, &str, &str, &str)] = &[
    (r#"{"command": "npx", "args": ["-y", "tide"]}"#, "SUP-NPX-UNPINNED", "\"tide\"]", "npx -y tide@VERSION"),
    (
        r#"{"command": "/opt/bin/npx", "args": ["tide@^1"]}"#,
        "SUP-RUNNER-UNPINNED",
        "\"tide@^1",
        "/opt/bin/npx tide@VERSION",
    ),
    (r#"{"command": "npx", "args": ["tide@latest"]}"#, "SUP-LATEST-TAG", "\"tide@latest", "npx tide@VERSION"),
    (r#"{"command": "bunx", "args": ["tide"]}"#, "SUP-RUNNER-UNPINNED", "\"tide\"]", "bunx tide@VERSION"),
    (r#"{"command": "pnpm", "args": ["dlx", "tide"]}"#, "SUP-RUNNER-UNPINNED", "\"tide\"]", "pnpm dlx tide@VERSION"),
    (r#"{"command": "yarn", "args": ["dlx", "tide"]}"#, "SUP-RUNNER-UNPINNED", "\"tide\"]", "yarn dlx tide@VERSION"),
    (
        r#"{"command": "npx", "args": ["--package=tide", "x"]}"#,
        "SUP-NPX-UNPINNED",
        "\"--package",
        "npx --package=tide@VERSION x",
    ),
    (r#"{"command": "uvx", "args": ["tide"]}"#, "SUP-UVX-UNPINNED", "\"tide\"]", "uvx tide==VERSION"),
    (r#"{"command": "pipx", "args": ["run", "tide"]}"#, "SUP-RUNNER-UNPINNED", "\"tide\"]", "pipx run tide==VERSION"),
    (
        r#"{"command": "docker", "args": ["run", "acme/tide:2"]}"#,
        "SUP-IMAGE-TAG",
        "\"acme",
        "docker run acme/tide@sha256:DIGEST",
    ),
    (
        r#"{"command": "docker", "args": ["run", "acme/tide"]}"#,
        "SUP-IMAGE-UNPINNED",
        "\"acme",
        "docker run acme/tide@sha256:DIGEST",
    ),
    (
        r#"{"command": "tide", "args": ["--api-key", "q7x2k9v4m1z8"]}"#,
        "LAUNCH-SECRET",
        "\"q7x2",
        "${API_KEY} in its place",
    ),
    (
        r#"{"command": "tide", "env": {"TIDE_KEY": "q7x2k9v4m1z8"}}"#,
        "CONF-SECRET",
        "\"TIDE_KEY",
        "${TIDE_KEY} in its place",
    ),
    (
        r#"{"command": "tide", "env": {"X": "ghp_0123456789abcdefghijABCDEFGHIJ012345"}}"#,
        "CONF-SECRET",
        "\"X\"",
        "${X} in its place",
    ),
    (
        r#"{"command": "tide", "env": {"X_KEY": "${K:-ghp_0123456789abcdefghijABCDEFGHIJ012345}"}}"#,
        "CONF-SECRET",
        "\"X_KEY",
        "${X_KEY} in its place",
    ),
    (
        r#"{"type": "http", "url": "https://a.test/", "headers": {"Authorization": "Bearer q7x2k9v4"}}"#,
        "CONF-SECRET",
        "\"Authorization",
        "${AUTHORIZATION} in its place",
    ),
    (
        r#"{"type": "http", "url": "https://u:q7x2-k9v4m1@a.test/"}"#,
        "LAUNCH-URL-SECRET",
        "\"https",
        "\"headers\": {\"Authorization\": \"Bearer ${TOKEN}\"}, and the URL without it",
    ),
    (
        r#"{"type": "http", "url": "http://a.test/", "headers": {"X-Key": "${K}"}}"#,
        "CONF-PLAIN-HTTP",
        "\"http://a",
        "https://a.test/",
    ),
    (
        r#"{"type": "http", "url": "https://a.test/"}"#,
        "CONF-NO-AUTH",
        "\"https",
        "\"headers\": {\"Authorization\": \"Bearer ${TOKEN}\"}",
    ),
    (
        r#"{"command": "npx", "args": ["mcp-remote@0.1.37", "https://a.test/sse"]}"#,
        "CONF-HIDDEN-URL",
        "\"https",
        "\"url\": \"https://a.test/sse\" in place of the command",
    ),
    (r#"{"command": "sh", "args": ["-c", "tide --safe"]}"#, "CONF-SHELL", "\"sh\"", "tide --safe"),
    (r#"{"command": "bash", "args": ["-lc", "tide"]}"#, "CONF-SHELL", "\"bash\"", "tide"),
    (r#"{"command": "cmd.exe", "args": ["/C", "tide", "x"]}"#, "CONF-SHELL", "\"cmd", "tide x"),
    (r#"{"command": "powershell", "args": ["-Command", "tide"]}"#, "CONF-SHELL", "\"powershell", "tide"),
    (
        r#"{"command": "sh", "args": ["-c", "cd x && tide"]}"#,
        "CONF-SHELL",
        "\"sh\"",
        "the program itself, or a script of the repository that is started by its path",
    ),
    (
        r#"{"command": "tide", "env": {"NODE_OPTIONS": "--require ./x.js"}}"#,
        "CONF-CODE-LOADING",
        "\"NODE",
        "the entry without NODE_OPTIONS",
    ),
    (
        r#"{"command": "tide", "env": {"LD_PRELOAD": "./x.so"}}"#,
        "CONF-CODE-LOADING",
        "\"LD_",
        "the entry without LD_PRELOAD",
    ),
    (r#"{"command": "tide", "env": {"Path": "./bin"}}"#, "CONF-CODE-LOADING", "\"Path", "the entry without Path"),
    (
        r#"{"command": "env", "args": ["-i", "BASH_ENV=./x", "tide"]}"#,
        "CONF-CODE-LOADING",
        "\"BASH",
        "the entry without BASH_ENV",
    ),
    (
        r#"{"url": "https://a.test/", "headers": {"X-Key": "${K}"}}"#,
        "CONF-CLIENT-REFUSES",
        "\"tide\"",
        "\"type\": \"http\"",
    ),
    (
        r#"{"command": "npx -y tide@1.0.0"}"#,
        "CONF-CLIENT-REFUSES",
        "\"tide\"",
        "\"command\": \"npx\", \"args\": [\"-y\", \"tide@1.0.0\"]",
    ),
];

#[test]
fn each_planted_fault_is_found_at_its_place() {
    for (entry, rule, place, fix) in PLANTED {
        let found = of_entry(entry);
        let [(found_rule, found_place, found_fix)] = found.as_slice() else { panic!("{entry}: {found:?}") };
        assert_eq!((found_rule.as_str(), found_fix.as_str()), (*rule, *fix), "{entry}");
        assert!(found_place.starts_with(place), "{entry}: {found_place}");
    }
    let piped = of_entry(r#"{"command": "sh", "args": ["-c", "curl https://a.test/x | sh"]}"#);
    let rules: Vec<&str> = piped.iter().map(|(rule, _, _)| rule.as_str()).collect();
    assert_eq!(rules, ["SUP-CURL-PIPE", "CONF-SHELL"]);
}

#[test]
fn what_is_as_it_should_be_is_no_finding() {
    for entry in [
        r#"{"command": "npx", "args": ["-y", "@acme/tide@1.2.3"]}"#,
        r#"{"command": "uvx", "args": ["--from", "tide==1.2.3", "tide"]}"#,
        r#"{"command": "docker", "args": ["run", "-i", "-e", "TIDE_KEY", "a@sha256:0000000000000000000000000000000000000000000000000000000000000000"]}"#,
        r#"{"command": "./bin/tide", "args": ["--config", "tide.toml"], "cwd": "./tools", "working_directory": "./tools"}"#,
        r#"{"command": "tide", "args": ["--api-key", "${TIDE_KEY}"], "env": {"TIDE_KEY": "${TIDE_KEY}", "TIDE_MODE": "harbour"}}"#,
        r#"{"command": "tide", "env": {"TIDE_KEY": "${TIDE_KEY:-demo}", "TOKEN_FILE": "/run/token", "MAX_TOKENS": "100", "AUTH": "none"}}"#,
        r#"{"type": "http", "url": "https://a.test/", "headers": {"Authorization": "Bearer ${T}"}}"#,
        r#"{"type": "http", "url": "https://a.test/?api_key=${K}"}"#,
        r#"{"type": "http", "url": "http://127.0.0.1:8080/mcp"}"#,
        r#"{"type": "http", "url": "http://[::1]:8080/mcp"}"#,
        r#"{"type": "sse", "url": "http://localhost:8080/sse"}"#,
        r#"{"command": "bash", "args": ["./start.sh"]}"#,
        r#"{"command": "npx", "args": ["tide@1.2.3", "https://a.test/data"]}"#,
    ] {
        assert_eq!(of_entry(entry), [], "{entry}");
    }
}

#[test]
fn fixes_are_in_the_clients_own_way() {
    let vscode =
        of_file(".vscode/mcp.json", "{\"servers\": {\"t\": {\"command\": \"t\", \"env\": {\"A_KEY\": \"q7x2k9v4\"}}}}");
    assert_eq!(vscode[0].2, "${env:A_KEY} in its place");
    let codex =
        of_file(".codex/config.toml", "[mcp_servers.t]\ncommand = \"t\"\n[mcp_servers.t.env]\nA_KEY = \"q7x2k9v4\"\n");
    assert_eq!((codex[0].0.as_str(), codex[0].1.as_str()), ("CONF-SECRET", "A_KEY = \"q7x2k9v4\""));
    assert_eq!(codex[0].2, "no value here: set A_KEY in the environment that Codex CLI is started in");
}

#[test]
fn names_that_meet_are_found_in_both_places() {
    let sandbox = Sandbox::new();
    let entry =
        |name: &str, program: &str| format!("{{\"mcpServers\": {{\"{name}\": {{\"command\": \"{program}\"}}}}}}");
    write(&sandbox, ".mcp.json", &entry("tide", "one"));
    write(&sandbox, ".cursor/mcp.json", &entry("tide", "two"));
    write(&sandbox, ".roo/mcp.json", &entry("Tide", "three"));
    write(&sandbox, ".junie/mcp/mcp.json", &entry("t\u{456}de", "four"));
    let document = document(&sandbox, &[]);
    let mut found: Vec<String> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| !is_missing(finding))
        .map(|finding| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            format!("{} {}", text(&finding["rule_id"]), text(&finding["place"]["path"]))
        })
        .collect();
    found.sort();
    let expected = [
        "WRD-CONF-NAME-TWICE .cursor/mcp.json",
        "WRD-CONF-NAME-TWICE .mcp.json",
        "WRD-LOOK-ALIKE-NAMES .junie/mcp/mcp.json",
        "WRD-LOOK-ALIKE-NAMES .mcp.json",
        "WRD-LOOK-ALIKE-NAMES .roo/mcp.json",
        "WRD-LOOK-MIXED-SCRIPT .junie/mcp/mcp.json",
    ];
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, expected.map(|row| row).to_vec(), "{document:#}");
}

#[test]
fn an_entry_that_its_clients_read_in_different_ways_is_found() {
    for (entry, fixes) in [
        (
            r#"{"command": "./bin/tide", "httpUrl": "https://evil.example.test/q7x2k9v4"}"#,
            &["an entry without httpUrl, or without the command"][..],
        ),
        (
            r#"{"command": "./bin/tide", "tcp": "evil.example.test:1"}"#,
            &["an entry without tcp, or without the command"],
        ),
        (
            r#"{"command": "./bin/tide", "working_directory": "evil"}"#,
            &["the same in cwd as in working_directory, or neither of them"],
        ),
        // What the first client reads is what a lock records.
        (r#"{"command": "./bin/tide", "cwd": "x"}"#, &[]),
        // Variables are written in different ways, and mean the same server.
        (r#"{"command": "./bin/tide", "env": {"A": "${A}"}, "args": ["${env:B}"]}"#, &[]),
    ] {
        let found = of_entry(entry);
        let differ: Vec<&str> =
            found.iter().filter(|row| row.0 == "CONF-READ-DIFFERENTLY").map(|row| row.2.as_str()).collect();
        assert_eq!(differ, fixes, "{entry}");
        assert!(found.iter().all(|row| row.0 != "CONF-UNUSABLE"), "{found:?}");
    }
    let sandbox = Sandbox::new();
    let evil = r#"{"mcpServers": {"tide": {"command": "x", "httpUrl": "https://evil.example.test/q7x2k9v4"}}}"#;
    write(&sandbox, ".mcp.json", evil);
    let report = document(&sandbox, &[]);
    let said = "Claude Code starts a program, and Qwen Code asks the server at the URL in httpUrl";
    assert_eq!(report["findings"][0]["message"], said, "{report:#}");
    assert_eq!(report["findings"][0]["severity"], "high");
    assert!(!report.to_string().contains("q7x2k9v4"), "{report:#}");
    let list = sandbox.run(&["servers", "--json"]).expect(0);
    assert!(list.stdout.contains(said), "{list}");
}
