//! The options of the command line that a capture takes: who asks, how much is let pass, how much may come.

use crate::support::cli::{Sandbox, serving};
use serde_json::{Value, json};

fn tools(count: usize) -> Value {
    (0..count).map(|number| json!({"name": format!("t{number}")})).collect()
}

/// `warden pin` of this script with these options: its code and what it failed with.
fn pin(script: &Value, options: &[&str]) -> (Option<i32>, String) {
    let sandbox = Sandbox::new();
    sandbox.script(script);
    let run = sandbox.run(&[&["pin", "--json"], options, &["--", "./server", "s.json"]].concat());
    assert_eq!(sandbox.exists("warden.lock"), run.code == Some(0), "{run}");
    let failure = if run.code == Some(2) { Value::from(run.all()) } else { run.document()["failure"].clone() };
    (run.code, failure.to_string())
}

#[test]
fn the_server_is_told_who_asks() {
    for era in ["legacy", "modern"] {
        let sandbox = Sandbox::new();
        sandbox.script(&json!({"era": "both", "record": "record"}));
        let mut args = vec!["pin", "--era", era, "--", "./server", "s.json"];
        sandbox.run(&args).expect(0);
        let own = format!(r#"{{"name":"warden","version":"{}"}}"#, env!("CARGO_PKG_VERSION"));
        assert!(sandbox.read("record").lines().next().is_some_and(|line| line.contains(&own)));
        args.splice(1..1, ["--client-name", "Some Client", "--client-version", "1.2.3-beta"]);
        sandbox.run(&args).expect(0);
        let record = sandbox.read("record");
        let told = record.lines().filter(|line| line.contains(r#"{"name":"Some Client","version":"1.2.3-beta"}"#));
        assert_eq!(told.count(), if era == "legacy" { 1 } else { 4 }, "{record}");
    }
    let long = "x".repeat(101);
    for bad in ["", " ", "a\nb", "\u{200b}", &long] {
        for option in ["--client-name", "--client-version"] {
            let (code, text) = pin(&json!({}), &[option, bad]);
            assert_eq!(code, Some(2), "{bad:?}");
            assert!(text.contains("expected 1 to 100 visible characters"), "{text}");
        }
    }
}

#[test]
fn what_decides_the_surface_is_in_the_suggested_command() {
    let sandbox = Sandbox::pinned(&json!({"era": "both"}), &[]);
    sandbox.script(&serving(tools(2)));
    let options = ["--era", "legacy", "--client-name", "Some Client", "--max-items", "7", "--strict-stdio"];
    let run = sandbox.run(&[&["check", "--json"], &options[..]].concat()).expect(1);
    let next = run.document()["next"].to_string();
    assert!(next.contains("--era legacy --client-name 'Some Client' --max-items 7"), "{next}");
}

#[test]
fn noise_is_refused_on_request() {
    let noisy = json!({"opening": ["hello \u{1b}"]});
    assert_eq!(pin(&noisy, &[]).0, Some(0));
    let (code, failure) = pin(&noisy, &["--strict-stdio"]);
    assert_eq!(code, Some(3));
    assert!(failure.contains("E-NOISE") && failure.contains(r#"is not MCP: \"hello ⟨ESC⟩\""#), "{failure}");
    assert_eq!(pin(&json!({"opening": ["", "  "]}), &["--strict-stdio"]).0, Some(0));
}

#[test]
fn limits_can_be_set_within_reason() {
    let script = serving(tools(90));
    for (option, enough, too_few, name) in [
        ("--max-items", "90", "89", "max-items (89 entries of one list)"),
        ("--max-pages", "1", "", ""),
        ("--max-line-bytes", "4000", "1024", "max-line-bytes (1024 bytes in one line of output)"),
        ("--max-total-bytes", "4000", "1024", "max-total-bytes (1024 bytes of output)"),
    ] {
        assert_eq!(pin(&script, &[option, enough]).0, Some(0), "{option}");
        if !too_few.is_empty() {
            let (code, failure) = pin(&script, &[option, too_few]);
            assert_eq!(code, Some(3), "{option}");
            assert!(failure.contains("E-LIMIT") && failure.contains(name), "{failure}");
            assert!(failure.contains(&format!("Raise {option} if")), "{failure}");
        }
        for bad in ["0", "-1", "1.5", "99999999999", "x"] {
            assert_eq!(pin(&script, &[&format!("{option}={bad}")]).0, Some(2), "{option} {bad}");
        }
    }
}

#[test]
fn standard_error_is_shown_whole_on_request() {
    let long = "w".repeat(70_000);
    let script = json!({
        "stderr": format!("first s3cr3t-s3cr3t \u{1b}[31m\n{long}\n"),
        "methods": {"tools/list": [{"stderr": "last, without an end", "result": {"tools": tools(1)}}]},
    });
    let sandbox = Sandbox::new();
    sandbox.script(&script);
    let pin = |options: &[&str]| {
        let args = [&["pin", "--json", "--env", "KEY=s3cr3t-s3cr3t"], options, &["--", "./server", "s.json"]].concat();
        sandbox.run(&args).expect(0).stderr
    };
    assert!(!pin(&[]).contains("stderr"));
    let shown = pin(&["-v"]);
    let lines: Vec<&str> = shown.lines().filter(|line| line.starts_with("stderr ")).collect();
    assert_eq!(lines.len(), 3, "{shown}");
    assert_eq!(lines[0], "stderr     first [value of KEY] ⟨ESC⟩[31m");
    assert!(lines[1].len() < 2_100 && lines[1].ends_with("w…"));
    assert_eq!(lines[2], "stderr     last, without an end");

    let many: String = (0..10_005).map(|number| format!("{number}\n")).collect();
    sandbox.script(&json!({"stderr": many}));
    let shown = pin(&["-v"]);
    assert!(shown.contains("stderr     9999\n") && !shown.contains("stderr     10000\n"));
    assert!(shown.contains("stderr     (5 more lines are not shown)\n"));
}
