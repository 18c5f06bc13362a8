//! The commands on lock files of other tools: what is in the file decides, each format by its own rules and exit codes.

use crate::support::cli::{Run, Sandbox, serving};
use crate::support::project::{pairs, verdicts};
use crate::support::terminal::run_at_terminal;
use serde_json::{Value, json};

const FORMATS: [&str; 3] = ["contractpin", "agentgate", "mcp"];

fn schema() -> Value {
    json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})
}

/// A server with every kind of entry, and one tool that has nothing but the three shared members.
fn full() -> Value {
    json!({"methods": {
        "initialize": [{"result": {
            "protocolVersion": "2025-06-18", "serverInfo": {"name": "s", "version": "1"}, "instructions": "Use it.",
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
        }}],
        "tools/list": [{"result": {"tools": [
            {"name": "read_file", "description": "Read a file from disk", "inputSchema": schema()},
            {"name": "rich", "title": "Rich", "description": "d", "inputSchema": schema(),
             "outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
        ]}}],
        "prompts/list": [{"result": {"prompts": [{"name": "p", "description": "d"}]}}],
        "resources/list": [{"result": {"resources": [{"uri": "r:1", "name": "r"}]}}],
        "resources/templates/list": [{"result": {"resourceTemplates": [{"uriTemplate": "t:{x}", "name": "t"}]}}],
    }})
}

/// A sandbox with a project whose server `s` plays `s.json`; agentgate.lock needs its configuration.
fn sandbox(script: &Value) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.make_repository();
    sandbox.script(script);
    let servers = json!({"mcpServers": {"s": {"command": "./server", "args": ["s.json"]}}});
    sandbox.write(".mcp.json", servers.to_string());
    sandbox
}

fn pin(sandbox: &Sandbox, format: &str, name: &str, script: &str) -> Run {
    sandbox.run(&["pin", "--json", "--lock-format", format, "--name", name, "--", "./server", script])
}

fn check(sandbox: &Sandbox, format: &str, options: &[&str]) -> Run {
    let lock = format!("{format}.lock");
    sandbox.run(&[&["check", "--json", "--yes", "--lock", &lock], options].concat())
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{run}"))
}

#[test]
fn every_format_is_written_and_checked_clean() {
    for format in FORMATS {
        let sandbox = sandbox(&full());
        let pinned = pin(&sandbox, format, "s", "s.json").expect(0);
        assert_eq!(verdicts(&pinned), pairs(&[("s", "pinned")]));
        let text = sandbox.read(&format!("{format}.lock"));
        let clean = check(&sandbox, format, &[]).expect(0);
        assert_eq!(verdicts(&clean), pairs(&[("s", "clean")]));
        assert_eq!(clean.document()["lock_format"]["name"], format);
        // Pinned once more, the file stays as it is, time included.
        assert_eq!(verdicts(&pin(&sandbox, format, "s", "s.json").expect(0)), pairs(&[("s", "unchanged")]));
        assert_eq!(sandbox.read(&format!("{format}.lock")), text);
        // The name of a file says nothing.
        std::fs::rename(sandbox.path(format!("{format}.lock")), sandbox.path("warden.lock")).unwrap();
        sandbox.run(&["check", "--yes"]).expect(0);
        let shown = sandbox.run(&["show", "--json"]).expect(0);
        assert!(shown.document()["servers"][0]["items"].as_array().is_some_and(|items| items.len() >= 2), "{shown}");
        assert!(sandbox.run(&["approve", "--yes", "--approver", "a"]).expect(2).stderr.contains("approval"));
    }
}

/// What each format covers, by the change of a server that shows it: changed member, and who must see it.
#[test]
fn each_format_sees_exactly_what_it_covers() {
    let tool = |index: usize, member: &str, value: Value| {
        let mut script = full();
        script["methods"]["tools/list"][0]["result"]["tools"][index][member] = value;
        script
    };
    let list = |method: &str, value: Value| {
        let mut script = full();
        script["methods"][method][0]["result"] = value;
        script
    };
    let mut added = full();
    let tools = added["methods"]["tools/list"][0]["result"]["tools"].as_array_mut().unwrap();
    tools.push(json!({"name": "new", "description": "", "inputSchema": {"type": "object"}}));
    let mut removed = full();
    removed["methods"]["tools/list"][0]["result"]["tools"].as_array_mut().unwrap().pop();
    let mut instructions = full();
    instructions["methods"]["initialize"][0]["result"]["instructions"] = json!("Use it not.");
    let all = &FORMATS[..];
    let rows = [
        ("a tool's description", tool(0, "description", json!("Read any file")), all),
        ("a tool's input schema", tool(0, "inputSchema", json!({"type": "object"})), all),
        ("a tool's name", tool(0, "name", json!("write_file")), all),
        ("a new tool", added, all),
        ("a tool that is gone", removed, all),
        ("a tool's annotations", tool(1, "annotations", json!({"readOnlyHint": false})), &["contractpin", "mcp"]),
        ("a tool's output schema", tool(1, "outputSchema", json!({"type": "array"})), &["contractpin", "mcp"]),
        ("a tool's title", tool(1, "title", json!("Poor")), &["mcp"]),
        ("a prompt", list("prompts/list", json!({"prompts": []})), &["mcp"]),
        ("a resource", list("resources/list", json!({"resources": []})), &["mcp"]),
        ("a resource template", list("resources/templates/list", json!({"resourceTemplates": []})), &["mcp"]),
        ("the instructions", instructions, &["mcp"]),
    ];
    let mut table =
        String::from("| what changed | contractpin.lock | agentgate.lock | mcp.lock |\n|---|---|---|---|\n");
    let sandbox = sandbox(&full());
    for format in FORMATS {
        pin(&sandbox, format, "s", "s.json").expect(0);
    }
    for (what, script, seen_by) in rows {
        sandbox.script(&script);
        table.push_str(&format!("| {what} |"));
        for format in FORMATS {
            let is_seen = seen_by.contains(&format);
            let run = check(&sandbox, format, &[]).expect(i32::from(is_seen));
            let verdict = if is_seen { "drift" } else { "clean" };
            assert_eq!(verdicts(&run), pairs(&[("s", verdict)]), "{what} {format}\n{run}");
            table.push_str(if is_seen { " drift |" } else { " not covered |" });
        }
        table.push('\n');
    }
    // The documents show this table.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/formats.md");
    let page = std::fs::read_to_string(path).unwrap();
    if std::env::var_os("WARDEN_UPDATE_DOCS").is_some() && !page.contains(&table) {
        let (before, rest) = page.split_once("<!-- coverage -->\n").expect("a place for the table");
        let (_, after) = rest.split_once("<!-- end of coverage -->").expect("the end of the table");
        std::fs::write(path, format!("{before}<!-- coverage -->\n{table}<!-- end of coverage -->{after}")).unwrap();
        return;
    }
    assert!(page.contains(&table), "docs/formats.md is stale: run the tests once with WARDEN_UPDATE_DOCS=1\n{table}");
}

#[test]
fn options_of_a_format_decide_what_fails() {
    let sandbox = sandbox(&full());
    for format in FORMATS {
        pin(&sandbox, format, "s", "s.json").expect(0);
    }
    let mut script = full();
    script["methods"]["initialize"][0]["result"]["serverInfo"]["version"] = json!("2");
    sandbox.script(&script);
    let run = check(&sandbox, "mcp", &[]).expect(0);
    assert!(run.document()["servers"][0]["notes"].to_string().contains("it fails nothing"), "{run}");
    check(&sandbox, "mcp", &["--strict"]).expect(1);
    let tools = script["methods"]["tools/list"][0]["result"]["tools"].as_array_mut().unwrap();
    tools.push(json!({"name": "new", "inputSchema": {"type": "object"}}));
    sandbox.script(&script);
    check(&sandbox, "contractpin", &[]).expect(1);
    check(&sandbox, "contractpin", &["--allow-new"]).expect(0);
    // For a warden.lock there is no such choice.
    sandbox.run(&["pin", "--", "./server", "s.json"]).expect(0);
    for option in ["--allow-new", "--strict", "--yes", "--name=s"] {
        sandbox.run(&["check", option]).expect(2);
    }
}

#[test]
fn each_format_has_the_exit_codes_of_its_own_tool() {
    for (format, unreachable, broken) in [("contractpin", 1, 2), ("agentgate", 1, 2), ("mcp", 3, 3)] {
        let sandbox = sandbox(&full());
        pin(&sandbox, format, "s", "s.json").expect(0);
        sandbox.script(&json!({"methods": {"initialize": [{"exit": 1}]}}));
        let run = check(&sandbox, format, &[]).expect(unreachable);
        let document = json(&run);
        assert_eq!(
            (document["verdict"].as_str(), document["exit_code"].as_i64()),
            (Some("not-checked"), Some(i64::from(unreachable)))
        );
        for other in ["human", "jsonl", "sarif", "github", "markdown", "junit", "gitlab"] {
            let lock = format!("{format}.lock");
            sandbox.run(&["check", "--yes", "--lock", &lock, "--format", other]).expect(unreachable);
        }
        // A digit of a digest, or whatever looks like one.
        let text = sandbox.read(&format!("{format}.lock"));
        let at = text.rfind("Hash\": \"").or_else(|| text.rfind("sha256:")).unwrap();
        let digit = at + text[at..].find(|c: char| c.is_ascii_digit() && c != '2').unwrap_or(10);
        let mut bytes = text.into_bytes();
        bytes[digit..].iter_mut().take(1).for_each(|byte| *byte = b'x');
        sandbox.write(&format!("{format}.lock"), bytes);
        check(&sandbox, format, &[]).expect(broken);
    }
}

#[test]
fn several_servers_of_one_file_are_checked_at_once() {
    let sandbox = Sandbox::new();
    sandbox.make_repository();
    for name in ["ada", "bob", "cyd"] {
        let tool = json!([{"name": name, "description": "d", "inputSchema": {"type": "object"}}]);
        sandbox.write(&format!("{name}.json"), serving(tool).to_string());
    }
    for format in ["contractpin", "mcp"] {
        for name in ["cyd", "ada", "bob"] {
            pin(&sandbox, format, name, &format!("{name}.json")).expect(0);
        }
        let clean = check(&sandbox, format, &["--jobs", "3"]).expect(0);
        assert_eq!(verdicts(&clean), pairs(&[("ada", "clean"), ("bob", "clean"), ("cyd", "clean")]));
        assert_eq!(verdicts(&check(&sandbox, format, &["--name", "bob"]).expect(0)), pairs(&[("bob", "clean")]));
        check(&sandbox, format, &["--name", "nobody"]).expect(2);
        // A server that is pinned anew leaves the others as they are.
        let before = sandbox.read(&format!("{format}.lock"));
        let tool = json!([{"name": "other", "description": "d", "inputSchema": {"type": "object"}}]);
        sandbox.write("bob2.json", serving(tool).to_string());
        pin(&sandbox, format, "bob", "bob2.json").expect(0);
        let (before, now): (Value, Value) = (
            serde_json::from_str(&before).unwrap(),
            serde_json::from_str(&sandbox.read(&format!("{format}.lock"))).unwrap(),
        );
        assert_eq!(before["servers"]["ada"], now["servers"]["ada"]);
        assert_ne!(before["servers"]["bob"], now["servers"]["bob"]);
        // One that hangs hides nobody's result.
        sandbox.write("bob2.json", json!({"methods": {"initialize": [{"hang": true}]}}).to_string());
        let run = check(&sandbox, format, &["--timeout", "1"]);
        let document = json(&run);
        let verdicts: Vec<&str> =
            document["servers"].as_array().unwrap().iter().map(|part| part["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["clean", "not-checked", "clean"]);
    }
}

#[test]
fn a_lock_that_does_not_say_how_to_start_needs_consent() {
    let sandbox = sandbox(&full());
    pin(&sandbox, "agentgate", "s", "s.json").expect(0);
    let run = sandbox.run(&["check", "--lock", "agentgate.lock"]).expect(2);
    assert!(run.stderr.contains("./server s.json") && run.stderr.contains("--yes"), "{run}");
    let words = ["check", "--lock", "agentgate.lock"];
    run_at_terminal(&mut sandbox.command(&words), &[("Start?", "n\n")]).expect(2);
    run_at_terminal(&mut sandbox.command(&words), &[("Start?", "y\n")]).expect(0);
    // Without a configuration nobody knows.
    std::fs::remove_file(sandbox.path(".mcp.json")).unwrap();
    let run = sandbox.run(&["check", "--yes", "--lock", "agentgate.lock"]).expect(1);
    assert!(run.stdout.contains("does not say how"), "{run}");
}

#[test]
fn only_a_file_that_keeps_text_can_be_converted() {
    let sandbox = sandbox(&full());
    pin(&sandbox, "mcp", "s", "s.json").expect(0);
    for to in ["contractpin", "agentgate"] {
        let run = sandbox.run(&["convert", "mcp.lock", "--to", to, "--json"]).expect(0);
        assert!(run.document()["notes"].to_string().contains("reduced coverage"), "{run}");
        let converted = sandbox.read(&format!("{to}.lock"));
        std::fs::remove_file(sandbox.path(format!("{to}.lock"))).unwrap();
        pin(&sandbox, to, "s", "s.json").expect(0);
        // The same as from the server itself, but for the time.
        let without_time = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.contains("generated")).map(str::to_owned).collect()
        };
        assert_eq!(without_time(&converted), without_time(&sandbox.read(&format!("{to}.lock"))), "{to}");
        let refused = sandbox.run(&["convert", &format!("{to}.lock"), "--to", "mcp", "--out", "again.lock"]).expect(2);
        assert!(refused.stderr.contains("hashes") && !sandbox.exists("again.lock"), "{refused}");
    }
    sandbox.run(&["convert", "mcp.lock", "--to", "warden"]).expect(0);
    let converted = sandbox.lock();
    sandbox.run(&["pin", "--lock", "fresh.lock", "--", "./server", "s.json"]).expect(0);
    let fresh: Value = serde_json::from_str(&sandbox.read("fresh.lock")).unwrap();
    assert_eq!(converted["overall_digest"], fresh["overall_digest"]);
    sandbox.run(&["check"]).expect(0);
    sandbox.run(&["convert", "warden.lock", "--to", "mcp"]).expect(2);
    // What is there already stays.
    let before = sandbox.read("warden.lock");
    let run = sandbox.run(&["convert", "mcp.lock", "--to", "warden"]).expect(2);
    assert!(run.stderr.contains("warden.lock is there already"), "{run}");
    assert_eq!(sandbox.read("warden.lock"), before);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", sandbox.path("link.lock")).unwrap();
        let run = sandbox.run(&["convert", "mcp.lock", "--to", "warden", "--out", "link.lock"]).expect(2);
        assert!(run.stderr.contains("link.lock is there already") && !sandbox.exists("nowhere"), "{run}");
    }
}

#[test]
fn a_file_is_renewed_where_it_is_whatever_its_name() {
    let sandbox = sandbox(&full());
    pin(&sandbox, "mcp", "s", "s.json").expect(0);
    std::fs::rename(sandbox.path("mcp.lock"), sandbox.path("warden.lock")).unwrap();
    sandbox.run(&["pin", "--name", "t", "--", "./server", "s.json"]).expect(0);
    assert!(!sandbox.exists("mcp.lock"));
    assert!(sandbox.read("warden.lock").contains("\"t\""));
}

#[test]
fn no_report_takes_the_place_of_the_file_that_is_written() {
    for format in FORMATS {
        let sandbox = sandbox(&full());
        let lock = format!("{format}.lock");
        let output = format!("json={lock}");
        // The usual name, which no argument says.
        let words = ["pin", "--lock-format", format, "--name", "s", "--output", &output, "--", "./server", "s.json"];
        let run = sandbox.run(&words).expect(2);
        assert!(run.stderr.contains("is not replaced by a report") && !sandbox.exists(&lock), "{run}");
    }
    let sandbox = sandbox(&full());
    pin(&sandbox, "mcp", "s", "s.json").expect(0);
    for to in ["warden", "contractpin", "agentgate"] {
        let lock = format!("{to}.lock");
        let run = sandbox.run(&["convert", "mcp.lock", "--to", to, "--output", &format!("json={lock}")]).expect(2);
        assert!(run.stderr.contains("is not replaced by a report") && !sandbox.exists(&lock), "{run}");
    }
}

#[test]
fn two_files_of_one_format_can_be_compared() {
    for format in FORMATS {
        let sandbox = sandbox(&full());
        pin(&sandbox, format, "s", "s.json").expect(0);
        let lock = format!("{format}.lock");
        std::fs::copy(sandbox.path(&lock), sandbox.path("old.lock")).unwrap();
        let same = sandbox.run(&["diff", "old.lock", &lock, "--json"]).expect(0).document();
        assert_eq!((&same["verdict"], &same["servers"][0]["compared_with"]["path"]), (&json!("same"), &json!(lock)));
        let same = sandbox.run(&["diff", "old.lock", &lock]).expect(0);
        assert!(same.stdout.starts_with("SAME       1 server: 1 same\n"), "{same}");
        assert!(same.stdout.contains(&format!("old.lock and {lock} say the same: ")), "{same}");
        let mut script = full();
        script["methods"]["tools/list"][0]["result"]["tools"][0]["description"] = json!("Write a file");
        sandbox.script(&script);
        pin(&sandbox, format, "s", "s.json").expect(0);
        let run = sandbox.run(&["diff", "old.lock", &lock, "--json"]).expect(0);
        assert_eq!(run.document()["servers"][0]["entries"][0]["target"], "tools/read_file", "{run}");
        sandbox.run(&["diff", "old.lock", &lock, "--exit-code"]).expect(1);
        // A server that only one file has, in either order.
        pin(&sandbox, format, "t", "s.json").expect(0);
        for (before, after) in [("old.lock", lock.as_str()), (lock.as_str(), "old.lock")] {
            for output in ["human", "markdown"] {
                let run = sandbox.run(&["diff", before, after, "--name", "t", "--format", output]);
                let file = if output == "markdown" { "`old.lock`" } else { "old.lock" };
                assert!(run.stdout.contains(&format!("{file} does not have it")), "{run}");
                assert!(!run.stdout.contains("0 places"), "{run}");
            }
        }
        sandbox.run(&["pin", "--", "./server", "s.json"]).expect(0);
        sandbox.run(&["diff", &lock, "warden.lock"]).expect(2);
    }
}

#[test]
fn the_shared_fingerprint_is_the_same_everywhere() {
    const READ_FILE: &str = "ec3d9d36dff46ea919f752177ca15373a1eb5f72793f13b2565b5de40872676c";
    let sandbox = sandbox(&full());
    for format in ["contractpin", "mcp"] {
        pin(&sandbox, format, "s", "s.json").expect(0);
        let lock = format!("{format}.lock");
        let items = sandbox.run(&["show", &lock, "--json"]).expect(0).document()["servers"][0]["items"].clone();
        let fingerprint = |target: &str| {
            let items = items.as_array().unwrap();
            items.iter().find(|item| item["target"] == target).unwrap()["fingerprint"].clone()
        };
        assert_eq!(fingerprint("tools/read_file"), READ_FILE, "{format}");
        assert_eq!(fingerprint("tools/rich"), Value::Null, "{format}");
        assert!(sandbox.run(&["show", &lock]).expect(0).stdout.contains(READ_FILE));
    }
    sandbox.run(&["pin", "--save-surface", "--", "./server", "s.json"]).expect(0);
    let tools = sandbox.run(&["show", "--json"]).expect(0).document()["view"]["tools"].clone();
    assert_eq!(tools[0]["fingerprint"], READ_FILE);
    assert!(sandbox.run(&["show", "--entry", "tools/read_file"]).expect(0).stdout.contains(READ_FILE));
}

#[test]
fn texts_of_a_file_that_keeps_them_are_compared() {
    let sandbox = sandbox(&full());
    pin(&sandbox, "mcp", "s", "s.json").expect(0);
    let mut script = full();
    script["methods"]["tools/list"][0]["result"]["tools"][0]["description"] = json!("Read a file from the network");
    sandbox.script(&script);
    let run = check(&sandbox, "mcp", &[]).expect(1);
    let text = &run.document()["servers"][0]["entries"][0]["texts"][0];
    assert_eq!(text["before"], "Read a file from disk", "{run}");
    assert_eq!(text["now"], "Read a file from the network", "{run}");
}

#[test]
fn what_such_a_file_cannot_do_is_refused_before_anything_starts() {
    let sandbox = sandbox(&full());
    for format in FORMATS {
        let lock = format!("{format}.lock");
        for words in [
            &["pin", "--lock-format", format, "--", "./server", "s.json"][..],
            &[
                "pin",
                "--lock-format",
                format,
                "--name",
                "s",
                "--approve",
                "--approver",
                "a",
                "--",
                "./server",
                "s.json",
            ],
            &["pin", "--lock-format", format, "--name", "s", "--tool", "rich", "--", "./server", "s.json"],
            &["pin", "--lock-format", format, "--name", "s"],
        ] {
            sandbox.run(words).expect(2);
            assert!(!sandbox.exists(&lock), "{words:?}");
        }
        pin(&sandbox, format, "s", "s.json").expect(0);
        for words in [
            &["check", "--lock", &lock, "--require-approval"][..],
            &["check", "--lock", &lock, "--entry", "rich"],
            &["check", "--lock", &lock, "--", "./server", "s.json"],
            &["show", &lock, "--entry", "rich"],
        ] {
            sandbox.run(words).expect(2);
        }
        // Another tool's file is not taken for a warden.lock, and not replaced by one.
        let refused =
            sandbox.run(&["pin", "--lock-format", "warden", "--lock", &lock, "--", "./server", "s.json"]).expect(2);
        assert!(refused.stderr.contains("no lock"), "{refused}");
    }
}

#[test]
fn a_secret_of_the_server_is_in_no_file() {
    const CANARY: &str = "canary-51b0c7de";
    let sandbox = sandbox(&full());
    for format in FORMATS {
        let words =
            ["pin", "--lock-format", format, "--name", "s", "--env", "TOKEN", "--json", "--", "./server", "s.json"];
        let mut command = sandbox.command(&words);
        let run = Run::of(command.env("TOKEN", CANARY)).expect(0);
        let text = sandbox.read(&format!("{format}.lock"));
        assert!(!text.contains(CANARY) && !run.all().contains(CANARY), "{format}");
        if format != "agentgate" {
            assert!(text.contains("TOKEN"), "{format}: the name is kept");
        }
    }
}

#[test]
fn every_source_gives_the_same_file() {
    for to in FORMATS {
        let sandbox = sandbox(&full());
        sandbox.run(&["capture", "-o", "surface.json", "--", "./server", "s.json"]).expect(0);
        let file = |name: &str| -> Vec<String> {
            sandbox.read(name).lines().filter(|line| !line.contains("generated")).map(str::to_owned).collect()
        };
        pin(&sandbox, to, "s", "s.json").expect(0);
        let lock = format!("{to}.lock");
        sandbox
            .run(&["convert", "--to", to, "--name", "s", "--out", "live.lock", "--", "./server", "s.json"])
            .expect(0);
        sandbox
            .run(&["convert", "--to", to, "--name", "s", "--out", "file.lock", "--surface", "surface.json"])
            .expect(0);
        assert_eq!(file("live.lock"), file(&lock), "{to}");
        assert_eq!(file("file.lock"), file(&lock), "{to}");
    }
    let sandbox = sandbox(&full());
    sandbox.run(&["convert", "--to", "warden", "--", "./server", "s.json"]).expect(0);
    sandbox.run(&["check"]).expect(0);
    sandbox.run(&["convert", "--to", "mcp"]).expect(2);
}

#[test]
fn a_dump_of_tools_can_stand_for_a_server() {
    let sandbox = Sandbox::new();
    sandbox.write("tools.json", full()["methods"]["tools/list"][0]["result"].to_string());
    let words = ["pin", "--lock-format", "contractpin", "--name", "s", "--surface", "tools.json"];
    sandbox.run(&words).expect(0);
    let lock: Value = serde_json::from_str(&sandbox.read("contractpin.lock")).unwrap();
    assert_eq!(
        (&lock["servers"]["s"]["transport"], &lock["servers"]["s"]["path"]),
        (&json!("file"), &json!("tools.json"))
    );
    check(&sandbox, "contractpin", &[]).expect(0);
    sandbox.write("tools.json", json!({"tools": []}).to_string());
    check(&sandbox, "contractpin", &[]).expect(1);
    std::fs::remove_file(sandbox.path("tools.json")).unwrap();
    check(&sandbox, "contractpin", &[]).expect(1);
    for format in ["agentgate", "mcp"] {
        sandbox.write("tools.json", json!({"tools": []}).to_string());
        sandbox.run(&["pin", "--lock-format", format, "--name", "s", "--surface", "tools.json"]).expect(2);
    }
}
