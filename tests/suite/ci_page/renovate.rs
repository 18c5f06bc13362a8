//! The patterns of docs/ci.md that tell Renovate what a configuration starts.

use super::written_in;
use regex::Regex;
use serde_json::{Value, json};
use warden::config;

/// What the patterns for Renovate find in a configuration: datasource, name, version, digest.
fn found(configuration: &str) -> Vec<[String; 4]> {
    let renovate: Value = serde_json::from_str(&written_in("json")[0]).expect("JSON");
    let mut all = Vec::new();
    for manager in renovate["customManagers"].as_array().expect("managers") {
        assert_eq!(manager["customType"], "regex");
        for pattern in manager["matchStrings"].as_array().expect("patterns") {
            let pattern = Regex::new(pattern.as_str().expect("a text")).expect("a regular expression");
            for captures in pattern.captures_iter(configuration) {
                let part = |name| captures.name(name).map(|part| part.as_str().to_owned()).unwrap_or_default();
                let source = manager["datasourceTemplate"].as_str().expect("a datasource").to_owned();
                all.push([source, part("depName"), part("currentValue"), part("currentDigest")]);
            }
        }
    }
    all
}

#[test]
fn renovate_finds_versions_and_nothing_else() {
    let digest = format!("sha256:{}", "0a".repeat(32));
    let server = |command: &str, args: &[&str]| json!({"command": command, "args": args, "env": {"A": "b@1"}});
    let image = format!("ghcr.io/o/server:v1.2@{digest}");
    let cases: [(Value, &[&str]); 27] = [
        (server("npx", &["-y", "@scope/server-x@2026.1.26"]), &["npm", "@scope/server-x", "2026.1.26", ""]),
        (server("npx", &["-y", "some-server@1.2.3-rc.1", "--root", "x"]), &["npm", "some-server", "1.2.3-rc.1", ""]),
        (server("npx", &["--package=p@1.0.0", "p-cli"]), &["npm", "p", "1.0.0", ""]),
        (server("uvx", &["some-server==2.0.1"]), &["pypi", "some-server", "2.0.1", ""]),
        (server("uvx", &["some_server@2.0.1", "--x"]), &["pypi", "some_server", "2.0.1", ""]),
        (server("uvx", &["--from=s[cli]==2.0.1", "s"]), &["pypi", "s", "2.0.1", ""]),
        (server("uvx", &["--from", "s==2.0.1", "s"]), &["pypi", "s", "2.0.1", ""]),
        (server("docker", &["run", "-i", "--rm", "mcp/fetch:1.0"]), &["docker", "mcp/fetch", "1.0", ""]),
        (
            server("docker", &["run", "-v", "/srv/a:/data", "-p", "8080:80", &image, "--x"]),
            &["docker", "ghcr.io/o/server", "v1.2", &digest],
        ),
        (server("docker", &["run", "localhost:5000/a/b:2"]), &["docker", "localhost:5000/a/b", "2", ""]),
        (server("docker", &["run", "-i", "redis:7"]), &["docker", "redis", "7", ""]),
        (server("docker", &["container", "run", "--name=x", "redis:7"]), &["docker", "redis", "7", ""]),
        (server("npx", &["-y", "-p", "p@1.0.0", "p-cli"]), &["npm", "p", "1.0.0", ""]),
        (server("uvx", &["--with", "x==1.0", "s==2.0.1"]), &["pypi", "s", "2.0.1", ""]),
        // What looks like an image or a package and is the value of an option, or a word for the server.
        (server("docker", &["run", "-v", "data/x:ro", "mcp/time:2"]), &["docker", "mcp/time", "2", ""]),
        (server("docker", &["run", "-v", "data/x:ro", "mcp/time"]), &[]),
        (server("docker", &["run", "--some-option", "data/x:ro", "mcp/time:2"]), &[]),
        (server("docker", &["run", "-i", "mcp/time", "data/x:ro"]), &[]),
        (server("docker", &["pull", "mcp/time:2"]), &[]),
        (server("npx", &["-y", "s", "--peer", "other@1.0.0"]), &[]),
        (server("uvx", &["s", "other==1.0.0"]), &[]),
        // Nothing is pinned there.
        (server("npx", &["-y", "some-server"]), &[]),
        (server("npx", &["-y", "some-server@latest"]), &[]),
        (server("uvx", &["some-server>=2"]), &[]),
        (server("docker", &["run", "-v", "data:/data", "mcp/fetch"]), &[]),
        // An address of somebody, and another program's words.
        (server("npx", &["-y", "s", "--user", "me@example.com"]), &[]),
        (server("node", &["some-server@1.2.3"]), &[]),
    ];
    for (server, expected) in cases {
        // With what may stand between the two members, as somebody would write it.
        let args = server["args"].to_string();
        let command = &server["command"];
        let between = r#""env": {"A": "${B}-{", "C": "\"d@1"}, "type": "stdio", "disabled": false, "timeout": 60"#;
        let text = format!("{{\"servers\": {{\"x\": {{\"command\": {command}, {between}, \"args\": {args}}}}}}}");
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
        assert_eq!(found(&text).concat(), expected, "{text}");
        for text in [
            serde_json::to_string_pretty(
                &json!({"mcpServers": {"x": server, "y": {"command": "z@1", "args": ["a@1"]}}}),
            ),
            serde_json::to_string(&json!({"servers": {"x": server}})),
        ] {
            let text = text.expect("JSON");
            let found: Vec<String> = found(&text).concat();
            assert_eq!(found, expected, "{text}");
        }
    }
    // The same words in a `warden.toml`, on one line and on several.
    for (words, expected) in [
        (&["npx", "-y", "@acme/notes-mcp@1.4.0", "${ROOT:-notes}"][..], &["npm", "@acme/notes-mcp", "1.4.0", ""][..]),
        (&["uvx", "--from", "s[cli]==2.0.1", "s"], &["pypi", "s", "2.0.1", ""]),
        (&["docker", "run", "-i", "ghcr.io/o/server:v1.2"], &["docker", "ghcr.io/o/server", "v1.2", ""]),
        (&["npx", "-y", "some-server"], &[]),
        (&["node", "some-server@1.2.3"], &[]),
    ] {
        for between in [", ", ",\n  "] {
            let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
            let table = format!(
                "[servers.x]\ncommand = [{}]\nenv = [\"A\"]\n\n[servers.y]\nfrom = \"a@1.0\"\n",
                words.join(between)
            );
            assert_eq!(config::parse(table.as_bytes()).expect("settings").servers.len(), 2);
            assert_eq!(found(&table).concat(), expected, "{table}");
        }
    }
    // The files that the page names.
    let renovate: Value = serde_json::from_str(&written_in("json")[0]).expect("JSON");
    for manager in renovate["customManagers"].as_array().expect("managers") {
        let patterns = manager["managerFilePatterns"].as_array().expect("patterns").iter();
        let patterns = patterns.map(|text| text.as_str().expect("a pattern").trim_matches('/'));
        let patterns: Vec<Regex> = patterns.map(|text| Regex::new(text).expect("a regular expression")).collect();
        let is_match = |name: &str| patterns.iter().any(|pattern| pattern.is_match(name));
        assert!([".mcp.json", ".vscode/mcp.json", "warden.toml", "a/warden.toml"].iter().all(|name| is_match(name)));
        assert!(["x.mcp.json.bak", "amcp.json", "warden.lock", "xwarden.toml"].iter().all(|name| !is_match(name)));
    }
}
