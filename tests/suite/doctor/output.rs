//! What is printed: no secret in any format, nothing that a terminal or a CI system would act on.

use super::write;
use crate::support::cli::Sandbox;
use crate::support::readers::is_obeyed;
use serde_json::json;

const FORMATS: [&str; 8] = ["human", "json", "jsonl", "sarif", "github", "markdown", "junit", "gitlab"];
const CANARY: &str = "q7X2k9V4m1Z8p3W6t5R0";

/// A secret in every place that an entry has.
fn full_of_secrets() -> String {
    let c = CANARY;
    json!({"mcpServers": {
        "arg": {"command": "npx", "args": ["tide", "--token", c, format!("--api-key={c}"), format!("Authorization: Bearer {c}")]},
        "env": {"command": "tide", "env": {"TIDE_KEY": c, "DB": format!("postgres://u:{c}@db.test/x"), "NODE_OPTIONS": format!("--x={c}")}},
        "docker": {"command": "docker", "args": ["run", "-e", format!("A_KEY={c}"), "acme/tide"]},
        "shell": {"command": "sh", "args": ["-c", format!("A_KEY={c} npx tide --token {c}")]},
        "pipe": {"command": "sh", "args": ["-c", format!("curl -H 'Authorization: Bearer {c}' https://a.test/x | sh")]},
        "user": {"type": "http", "url": format!("http://u:{c}@a.test/mcp")},
        "query": {"type": "http", "url": format!("http://a.test/mcp?api_key={c}")},
        "header": {"type": "http", "url": "https://a.test/", "headers": {"Authorization": format!("Bearer {c}"), "X-Key": c}},
        "bridge": {"command": "npx", "args": ["mcp-remote", format!("http://u:{c}@a.test/sse?token={c}"), "--header", format!("X-Key: {c}")]},
        "git": {"command": "uvx", "args": ["--from", format!("git+https://u:{c}@git.test/x"), "x"]},
        "string": {"command": format!("npx tide --token {c}")},
        "untyped": {"url": format!("http://u:{c}@a.test/mcp")},
        "both": {"command": format!("tide --token {c}"), "url": format!("https://u:{c}@a.test/")},
    }})
    .to_string()
}

#[test]
fn no_secret_is_in_any_format() {
    let sandbox = Sandbox::new();
    write(&sandbox, ".mcp.json", &full_of_secrets());
    write(&sandbox, ".cursor/mcp.json", &full_of_secrets().replace("tide", "other"));
    let broken = full_of_secrets();
    write(&sandbox, ".roo/mcp.json", &broken[..broken.len() - 40]);
    sandbox.write(
        "warden.toml",
        format!("[servers.own]\ncommand = [\"npx\", \"tide\", \"--token\", \"${{T:-{CANARY}}}\"]\n"),
    );
    let mut runs = Vec::new();
    for format in FORMATS {
        for more in [&[][..], &["-v"], &["-q"], &[".mcp.json"]] {
            runs.push(sandbox.run(&[&["doctor", "--format", format], more].concat()));
        }
    }
    runs.push(sandbox.run(&["servers"]));
    runs.push(sandbox.run(&["servers", "--json"]));
    let lower = CANARY.to_ascii_lowercase();
    for run in &runs {
        let all = run.all();
        for at in 0..=CANARY.len() - 8 {
            assert!(!all.contains(&CANARY[at..at + 8]) && !all.contains(&lower[at..at + 8]), "{run}");
        }
    }
    let human = sandbox.run(&["doctor", "-v"]).expect(1).stdout;
    for rule in ["LAUNCH-SECRET", "LAUNCH-URL-SECRET", "CONF-SECRET", "CONF-HIDDEN-URL", "SUP-CURL-PIPE"] {
        assert!(human.contains(&format!("WRD-{rule}]")), "{rule}: {human}");
    }
}

#[test]
fn hostile_names_are_one_visible_line() {
    let names = [
        "\u{1b}[2Jgone",
        "a\nb",
        "::error::owned",
        "##[error]owned",
        "\u{202e}evil\u{202c}",
        "| x | [y](http://a.test) <img src=x>",
        "--all",
        "'; touch owned; '",
        "$(touch owned)",
        "]]>",
        &"n".repeat(1000),
    ];
    let entry = json!({"command": "npx", "args": ["t\u{1b}[31m\n::error::x", "\u{202e}"], "env": {"A\u{1b}_KEY": "q7x2k9v4m1"}});
    let servers: serde_json::Map<String, serde_json::Value> =
        names.iter().map(|name| ((*name).to_owned(), entry.clone())).collect();
    let sandbox = Sandbox::new();
    write(&sandbox, ".mcp.json", &json!({"mcpServers": servers}).to_string());
    for format in FORMATS {
        let run = sandbox.run(&["doctor", "-v", "--format", format]).expect(1);
        assert_inert(&run.stdout, format);
        if format != "github" {
            assert!(!run.stdout.lines().any(is_obeyed), "{format}: {run}");
        }
    }
    let run = sandbox.run(&["servers"]).expect(0);
    assert_inert(&run.stdout, "servers");
    assert!(!run.stdout.lines().any(is_obeyed), "{run}");
    // What is offered for copying is words, whatever the name is.
    let report = sandbox.run(&["doctor", "--json"]).expect(1).document();
    let fixes = report["findings"].as_array().unwrap().iter().filter(|finding| super::is_missing(finding));
    let fixes: Vec<String> = fixes.map(|finding| finding["fix"].as_str().unwrap().to_owned()).collect();
    assert_eq!(fixes.len(), names.len());
    for fix in fixes {
        // In place of the program, something that says what it was given.
        let script = format!("warden() {{ for word; do printf '%s\\0' \"$word\"; done; }}; {fix}");
        let output = std::process::Command::new("bash")
            .args(["-c", &script])
            .current_dir(sandbox.path(""))
            .env_clear()
            .output()
            .expect("bash");
        let text = String::from_utf8(output.stdout).unwrap();
        let words: Vec<&str> = text.trim_end_matches('\0').split('\0').collect();
        let last = words.last().unwrap();
        let name = last.strip_prefix("--only=").unwrap_or(last);
        assert!(names.contains(&name), "{fix}: {words:?}");
    }
    assert!(!sandbox.exists("owned"));
}

#[track_caller]
fn assert_inert(text: &str, what: &str) {
    let is_bad = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(is_bad), "{what}: {text:?}");
}
