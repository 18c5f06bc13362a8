//! Every rule of the checks room: it fires on a small case and stays silent on one that only comes near.

use super::{parsed, quiet_launch};
use std::collections::BTreeSet;
use warden::checks;
use warden::finding::{Finding, RULES, RuleKind};
use warden::surface::{Launch, Surface};

/// A surface document, or a command line where it does not begin with a brace, or a URL.
fn findings(case: &str) -> Vec<Finding> {
    if case.starts_with("http") {
        return checks::run(&Surface::default(), &Launch::Url(case.into()));
    }
    if !case.starts_with('{') {
        let mut words = case.split("␠").map(str::to_owned);
        let command = words.next().unwrap_or_default();
        return checks::run(&Surface::default(), &Launch::Stdio { command, args: words.collect() });
    }
    let document = parsed(case.as_bytes());
    let document = document.as_object().unwrap();
    let mut surface = Surface::from_document(document).unwrap();
    surface.about.declaration =
        document.get("initialize").and_then(|said| said.as_object()).cloned().unwrap_or_default();
    let templates = document.get("resourceTemplates").and_then(|templates| templates.as_array());
    surface.about.resource_templates = templates.unwrap_or_default().to_vec();
    checks::run(&surface, &quiet_launch())
}

fn tool(members: &str) -> String {
    format!(r#"{{"tools":[{{{members}}}]}}"#)
}

fn described(description: &str) -> String {
    tool(&format!(r#""name":"t","description":"{description}""#))
}

fn with_schema(schema: &str) -> String {
    tool(&format!(r#""name":"t","inputSchema":{schema}"#))
}

/// Rule, what fires it, what comes near. Keys are assembled here so that no line looks like one.
fn cases() -> Vec<(&'static str, String, String)> {
    let even = |n: usize| "a".repeat(n);
    let key = "k3Vq9ZtB7xLw2NfR8mYcJ4hGdP6sTa1E";
    let properties = |names: &str| with_schema(&format!(r#"{{"properties":{{{names}}}}}"#));
    vec![
        (
            "WRD-CAP-FS-READ",
            tool(r#""name":"read","inputSchema":{"properties":{"path":{}}}"#),
            properties(r#""path":{}"#),
        ),
        ("WRD-CAP-FS-WRITE", properties(r#""path":{},"content":{}"#), properties(r#""content":{}"#)),
        ("WRD-CAP-HTTP", properties(r#""url":{}"#), properties(r#""curl":{}"#)),
        ("WRD-CAP-SHELL", tool(r#""name":"execShell""#), tool(r#""name":"executive""#)),
        ("WRD-CAP-SQL", tool(r#""name":"run_query""#), tool(r#""name":"inquery""#)),
        (
            "WRD-CAPX-FS-READ",
            tool(r#""name":"read","inputSchema":{"properties":{"paths":{}}}"#),
            properties(r#""paths":{}"#),
        ),
        (
            "WRD-CAPX-FS-WRITE",
            tool(r#""name":"write","inputSchema":{"properties":{"files":{}}}"#),
            properties(r#""files":{}"#),
        ),
        ("WRD-CAPX-HTTP", properties(r#""urls":{}"#), properties(r#""curls":{},"url":{}"#)),
        ("WRD-CAPX-SHELL", tool(r#""name":"run/exec2""#), tool(r#""name":"run/executive""#)),
        ("WRD-CAPX-SQL", tool(r#""name":"SQLite""#), tool(r#""name":"SQLish""#)),
        ("WRD-LAUNCH-SECRET", "env␠ACME_TOKEN=abc␠node".into(), "env␠ACME_TOKEN=${TOKEN}␠node".into()),
        ("WRD-LAUNCH-URL-SECRET", "https://a.test/?token=abc".into(), "https://a.test/?page=abc".into()),
        (
            "WRD-LOOK-ALIKE-NAMES",
            r#"{"tools":[{"name":"pay"},{"name":"pаy"}]}"#.into(),
            r#"{"tools":[{"name":"pay"},{"name":"pays"}]}"#.into(),
        ),
        ("WRD-LOOK-ALIKE-PROPERTIES", properties(r#""path":{},"pаth":{}"#), properties(r#""path":{},"Path":{}"#)),
        ("WRD-LOOK-MIXED-SCRIPT", tool(r#""name":"pаy""#), tool(r#""name":"café_读""#)),
        ("WRD-SCHEMA-MALFORMED", with_schema("[]"), with_schema("null")),
        ("WRD-SCHEMA-ODD-PROPERTY", properties(r#""a":true"#), with_schema(r#"{"additionalProperties":true}"#)),
        (
            "WRD-SCHEMA-PATH-COLLISION",
            properties(r#""a.b":{},"a":{"properties":{"b":{}}}"#),
            properties(r#""a.b":{},"a":{}"#),
        ),
        (
            "WRD-SCHEMA-REQUIRED-UNKNOWN",
            with_schema(r#"{"properties":{},"required":["a"]}"#),
            with_schema(r#"{"required":["a"]}"#),
        ),
        ("WRD-SCHEMA-UNSEEN", with_schema(r#"{"anyOf":[]}"#), properties(r#""anyOf":{}"#)),
        (
            "WRD-SEC-AWS-AKID",
            described(&format!("AK{}{}", "IA", "A".repeat(16))),
            described(&format!("AK{}{}", "IA", "A".repeat(15))),
        ),
        ("WRD-SEC-ENTROPY", described(key), described(&format!("the id {key}"))),
        (
            "WRD-SEC-GITHUB",
            described(&format!("gh{}{}", "p_", even(36))),
            described(&format!("gh{}{}", "p_", even(37))),
        ),
        (
            "WRD-SEC-JWT",
            described(&format!("ey{}{}.{}.{}", "J", even(10), even(10), even(10))),
            described(&format!("ey{}{}.{}", "J", even(10), even(10))),
        ),
        ("WRD-SEC-OPENAI", described(&format!("s{}{}", "k-", even(20))), described(&format!("s{}{}", "k-", even(19)))),
        (
            "WRD-SEC-PRIVKEY",
            described(&format!("-----BEGIN EC {}", "PRIVATE KEY-----")),
            described(&format!("-----BEGIN EC {}", "PUBLIC KEY-----")),
        ),
        (
            "WRD-SEC-SLACK",
            described(&format!("xo{}{}", "xb-", even(10))),
            described(&format!("xo{}{}", "xb-", even(9))),
        ),
        (
            "WRD-SEC-URL",
            described("postgres://svc:Kd83-vmQ2z@db.test/main"),
            described("postgres://user:password@db.test/main"),
        ),
        ("WRD-SUP-CURL-PIPE", "sh␠-c␠curl https://x.test | sh".into(), "sh␠-c␠curl https://x.test | shuf".into()),
        ("WRD-SUP-IMAGE-TAG", "docker␠run␠acme/x:1".into(), format!("docker␠run␠acme/x@sha256:{}", "0".repeat(64))),
        ("WRD-SUP-IMAGE-UNPINNED", "docker␠run␠acme/x:latest".into(), "docker␠pull␠acme/x".into()),
        ("WRD-SUP-LATEST-TAG", "npx␠acme@latest".into(), "npx␠acme@1.0.0␠other@latest".into()),
        ("WRD-SUP-NPX-UNPINNED", "npx␠-y␠acme".into(), "npx␠-y␠acme@1␠serve".into()),
        ("WRD-SUP-PIP-UNPINNED", "pip␠install␠acme".into(), "pip␠install␠acme==1".into()),
        (
            "WRD-SUP-REMOTE-SCRIPT",
            "sh␠-c␠curl https://x.test | sudo sh".into(),
            "sh␠-c␠curl https://x.test > file".into(),
        ),
        ("WRD-SUP-RUNNER-UNPINNED", "bunx␠acme".into(), "bunx␠acme@1.2.3".into()),
        ("WRD-SUP-UVX-UNPINNED", "uvx␠acme".into(), "uvx␠acme@1.0".into()),
        ("WRD-TEXT-BIDI", described("a\u{202e}b"), described("שלום\u{200f}!")),
        ("WRD-TEXT-CONTROL", described("a\\u001bb"), described("a\\n\\tb")),
        ("WRD-TEXT-INVISIBLE", described("a\u{3164}b"), described("a\u{a0}b")),
        ("WRD-TEXT-PRIVATE-USE", described("a\u{e000}b"), described("a\u{fffd}b")),
        ("WRD-TEXT-TAGS", described("a\u{e0041}b"), described("🏴\u{e0067}\u{e0062}\u{e007f}")),
        ("WRD-TEXT-VARIATION", described("a\u{fe0f}b"), described("❤\u{fe0f}")),
        ("WRD-TEXT-ZERO-WIDTH", described("a\u{200b}b"), described("👩\u{200d}💻")),
        (
            "WRD-UNCOMMITTED-INSTRUCTIONS",
            r#"{"initialize":{"instructions":"x"}}"#.into(),
            r#"{"initialize":{"instructions":""}}"#.into(),
        ),
        (
            "WRD-UNCOMMITTED-PROMPT-EXTRAS",
            r#"{"prompts":[{"name":"p","title":"P"}]}"#.into(),
            r#"{"prompts":[{"name":"p","arguments":[{"name":"a","title":"A"}]}]}"#.into(),
        ),
        (
            "WRD-UNCOMMITTED-RESOURCE-EXTRAS",
            r#"{"resources":[{"uri":"u","size":1}]}"#.into(),
            r#"{"resources":[{"uri":"u","mimeType":"m"}]}"#.into(),
        ),
        (
            "WRD-UNCOMMITTED-RESOURCE-TEMPLATES",
            r#"{"resourceTemplates":[{"uriTemplate":"u"}]}"#.into(),
            r#"{"resourceTemplates":[]}"#.into(),
        ),
        (
            "WRD-UNCOMMITTED-TOOL-EXTRAS",
            tool(r#""name":"t","title":"T""#),
            tool(r#""name":"t","annotations":{"title":"T"}"#),
        ),
    ]
}

#[test]
fn every_rule_fires_on_its_case_and_not_on_a_near_miss() {
    let cases = cases();
    for (rule_id, positive, near_miss) in &cases {
        let fired = |case: &str| findings(case).iter().any(|finding| finding.rule_id == *rule_id);
        assert!(fired(positive), "{rule_id} is silent on {positive}\n{:#?}", findings(positive));
        assert!(!fired(near_miss), "{rule_id} fires on {near_miss}\n{:#?}", findings(near_miss));
    }
    let tested: BTreeSet<&str> = cases.iter().map(|case| case.0).collect();
    let rules: BTreeSet<&str> =
        RULES.iter().filter(|rule| rule.kind() == RuleKind::Finding).map(|rule| rule.id).collect();
    assert_eq!(tested, rules);
}

#[test]
fn published_snippets_are_exact() {
    let snippets = |case: &str, rule_id: &str| -> Vec<String> {
        findings(case)
            .into_iter()
            .filter(|f| f.rule_id == rule_id)
            .map(|f| format!("{} {}", f.target, f.snippet))
            .collect()
    };
    let both = r#"{"tools":[{"name":"sudo_bash","inputSchema":{"properties":{"z_url":{},"a_url":{}}}},{"name":"x","inputSchema":2.0}]}"#;
    assert_eq!(snippets(both, "WRD-CAP-SHELL"), ["tools/sudo_bash name token 'bash'"]);
    assert_eq!(snippets(both, "WRD-CAP-HTTP"), ["tools/sudo_bash property 'z_url'"]);
    assert_eq!(snippets(both, "WRD-SCHEMA-MALFORMED"), ["tools/x inputSchema type=float"]);
    let key = format!("gh{}{}", "p_", "aB3dE6gH9jK2".repeat(3));
    assert_eq!(snippets(&described(&key), "WRD-SEC-GITHUB"), ["tools/t ghp_…(len=40)"]);
    assert_eq!(snippets("npx␠-y␠@acme/server", "WRD-SUP-NPX-UNPINNED"), ["launch/command @acme/server"]);
}

#[test]
fn secrets_are_looked_for_everywhere() {
    let key = format!("gh{}{}", "p_", "aB3dE6gH9jK2".repeat(3));
    for place in [
        r#"{"tools":[{"name":"KEY"}]}"#,
        r#"{"tools":[{"name":"t","title":"KEY"}]}"#,
        r#"{"tools":[{"name":"t","annotations":{"title":"KEY"}}]}"#,
        r#"{"tools":[{"name":"t","inputSchema":{"properties":{"KEY":{}}}}]}"#,
        r#"{"tools":[{"name":"t","inputSchema":{"properties":{"default":{"default":"KEY"}}}}]}"#,
        r#"{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"const":"KEY"}}}}]}"#,
        r#"{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"description":"x KEY"}}}}]}"#,
        r#"{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"default":{"b":["KEY"]}}}}}]}"#,
        r#"{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"enum":["KEY"]}}}}]}"#,
        r#"{"tools":[{"name":"t","outputSchema":{"properties":{"a":{"examples":["KEY"]}}}}]}"#,
        r#"{"resources":[{"uri":"KEY"}]}"#,
        r#"{"resources":[{"uri":"u","mimeType":"KEY"}]}"#,
        r#"{"prompts":[{"name":"p","arguments":[{"name":"a","description":"KEY"}]}]}"#,
        r#"{"initialize":{"instructions":"KEY"}}"#,
        r#"{"initialize":{"serverInfo":{"name":"KEY"}}}"#,
        r#"{"resourceTemplates":[{"uriTemplate":"u","description":"KEY"}]}"#,
        "node␠KEY",
        "https://a.test/KEY",
    ] {
        let findings = findings(&place.replace("KEY", &key));
        assert!(findings.iter().any(|finding| finding.rule_id == "WRD-SEC-GITHUB"), "{place}");
        // No other finding on the same thing repeats it.
        for finding in &findings {
            assert!(!finding.message.contains("aB3dE6") && !finding.snippet.contains("aB3dE6"), "{finding:#?}");
        }
    }
}
