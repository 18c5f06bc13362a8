//! A value that a server is given with `--env` stays between the two of them: not in a lock, not on a stream, whatever
//! the server does with it and however the run ends.

use crate::support::cli::{Run, Sandbox, fixture, serving};
use serde_json::{Value, json};

/// Of the forms that such values have: a token, words, several lines, characters that JSON and shells escape.
const VALUES: [&str; 4] = [
    "zq8-Xw71-Lk55-Tr02-Vb93",
    "correct horse battery",
    "-----BEGIN X-----\nMIIabcdefgh0123\nZZZyyyxxx987\n-----END X-----",
    "p\"a\\s's\tw$(ö)rd\u{1b}[1m",
];

/// Any stretch of a value that would help somebody to guess it.
fn stretches(value: &str) -> Vec<String> {
    let chars: Vec<char> = value.chars().filter(|c| !c.is_control()).collect();
    let lines = value.lines().filter(|line| line.len() >= 12).map(str::to_owned);
    chars.windows(12).map(|window| window.iter().collect()).chain(lines).collect()
}

#[track_caller]
fn assert_secret(what: &str, text: &str, value: &str) {
    // Also as JSON writes it, where that differs.
    let json = serde_json::to_string(value).expect("JSON");
    for stretch in stretches(value).iter().chain(&stretches(&json[1..json.len() - 1])) {
        assert!(!text.contains(stretch.as_str()), "{what} holds {stretch:?}:\n{text}");
    }
}

/// Runs pin and check with the value, given in both ways and asked for in every form, and looks everywhere.
fn assert_kept(what: &str, script: &Value, value: &str) -> Vec<Run> {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.script(script);
    let given = format!("KEY={value}");
    let mut runs = Vec::new();
    for command in ["check", "pin"] {
        for (form, env) in [(None, "KEY"), (Some("-v"), &*given), (Some("--json"), "KEY"), (Some("-q"), &given)] {
            let args: Vec<&str> = [command].into_iter().chain(form).chain(["--env", env, "--timeout", "30"]).collect();
            let run = Run::of(sandbox.command(&args).env("KEY", value));
            assert!(matches!(run.code, Some(0..=3)), "{run}");
            assert_secret(what, &run.all(), value);
            if form == Some("--json") {
                // Also once it is decoded.
                assert_secret(what, &decoded(&run.document()), value);
            }
            runs.push(run);
        }
    }
    for file in std::fs::read_dir(sandbox.path("")).expect("the folder") {
        let name = file.expect("a file").file_name().into_string().expect("UTF-8");
        if !["s.json", "server"].contains(&name.as_str()) {
            assert_secret(&format!("{what}, {name}"), &sandbox.read(&name), value);
        }
    }
    assert_secret(what, &decoded(&sandbox.lock()), value);
    runs
}

/// All texts of a document, member names included.
fn decoded(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(decoded).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| format!("{name}\n{}", decoded(value))).collect(),
        _ => String::new(),
    }
}

#[test]
fn a_server_that_fails_takes_its_values_with_it() {
    for value in VALUES {
        let line = value.replace('\n', " ");
        let raw = json!(value).to_string();
        let init =
            |version: &str| json!([{"result": {"protocolVersion": version, "capabilities": {}, "serverInfo": {}}}]);
        let message = json!({"code": -32000, "message": format!("bad key {value}"), "data": value});
        let twice = format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"tools":[{{{raw}:1,{raw}:2}}]}}}}"#);
        for (what, script) in [
            ("stderr", json!({"stderr": format!("key={value}\n"), "methods": {"initialize": [{"exit": 1}]}})),
            (
                "stderr, unended",
                json!({"stderr": format!("{}{value}", "x".repeat(20_000)), "methods": {"initialize": [{"exit": 1}]}}),
            ),
            ("error", json!({"methods": {"initialize": [{"error": message}]}})),
            ("error of a list", json!({"methods": {"tools/list": [{"error": message}]}})),
            ("noise", json!({"opening": [format!("key {line}"), raw], "methods": {"initialize": [{"exit": 1}]}})),
            ("version", json!({"methods": {"initialize": init(value)}})),
            ("cursor", json!({"methods": {"tools/list": [{"result": {"tools": [], "nextCursor": value}}]}})),
            ("name twice", serving(json!([{"name": value}, {"name": value}]))),
            ("wrong type", serving(json!([{"name": value, "description": 1}]))),
            ("member twice", json!({"methods": {"tools/list": [{"raw": twice}]}})),
            ("member with a number", serving(json!([{"name": "n", "inputSchema": {value: 9007199254740993_i64}}]))),
            ("answer that is none", json!({"methods": {"tools/list": [{"result": value}]}})),
        ] {
            for run in assert_kept(what, &script, value) {
                assert_eq!(run.code, Some(3), "{what} {run}");
            }
        }
    }
}

#[test]
fn a_surface_that_repeats_a_value_is_refused_where_it_would_be_stored() {
    for value in VALUES {
        let with = |schema: Value| serving(json!([{"name": "n", "inputSchema": schema}]));
        let mut resource = fixture("notes.json");
        let mut prompt = resource.clone();
        let mut media_type = resource.clone();
        resource["methods"]["resources/list"][0]["result"]["resources"][0]["uri"] = json!(format!("x:{value}"));
        media_type["methods"]["resources/list"][0]["result"]["resources"][0]["mimeType"] = json!(value);
        prompt["methods"]["prompts/list"][0]["result"]["prompts"][0]["name"] = json!(value);
        for (what, script) in [
            ("tool name", serving(json!([{"name": format!("for {value}")}]))),
            ("property", with(json!({"properties": {value: {}}}))),
            ("enum", with(json!({"properties": {"x": {"enum": [1, [{"deep": value}]]}}}))),
            ("type", with(json!({"type": value}))),
            ("pattern", with(json!({"properties": {"x": {"pattern": value}}}))),
            ("reference", with(json!({"properties": {"x": {"$ref": value}}}))),
            ("other properties", with(json!({"additionalProperties": {value: 1}}))),
            ("output", serving(json!([{"name": "n", "outputSchema": {"properties": {"x": {"enum": [value]}}}}]))),
            ("uri", resource),
            ("media type", media_type),
            ("prompt", prompt),
        ] {
            for run in assert_kept(what, &script, value) {
                assert_eq!(run.code, Some(3), "{what} {run}");
                assert!(run.all().contains("KEY"), "{what}: the message names the variable\n{run}");
            }
        }
    }
}

#[test]
fn a_value_beside_the_committed_parts_is_neither_stored_nor_shown() {
    for value in VALUES {
        let line = value.replace('\n', " ");
        let mut script = fixture("notes.json");
        script["opening"] = json!([format!("listening with {line}")]);
        script["stderr"] = json!(format!("key {value}\n"));
        let methods = &mut script["methods"];
        let declared = &mut methods["initialize"][0]["result"];
        declared["serverInfo"] = json!({"name": format!("notes {value}"), "version": value, "title": value});
        declared["instructions"] = json!(format!("use {value}"));
        let tool = &mut methods["tools/list"][0]["result"]["tools"][0];
        // Text with a value in it, and with what makes a finding quote its surroundings.
        for member in ["description", "title"] {
            tool[member] = json!(format!("Your key\u{200b} is\u{202e} {value}\u{200b}, password={value}"));
        }
        tool["annotations"] = json!({"title": value, value: value});
        tool["inputSchema"]["description"] = json!(value);
        tool["inputSchema"]["properties"]["limit"]["default"] = json!(value);
        tool["inputSchema"]["examples"] = json!([value]);
        let prompt = &mut methods["prompts/list"][0]["result"]["prompts"][0];
        prompt["arguments"] = json!([{"name": value, "description": value}]);
        for (i, run) in assert_kept("declared", &script, value).into_iter().enumerate() {
            // Four checks that find it changed, four pins that accept it.
            assert_eq!(run.code, Some(if i < 4 { 1 } else { 0 }), "{run}");
        }
    }
}

#[test]
fn commands_that_are_suggested_name_variables_only() {
    let value = VALUES[0];
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.script(&fixture("notes-changed.json"));
    let run = sandbox.run(&["check", "--json", "--env", &format!("KEY={value}"), "--env", "HOME"]).expect(1);
    assert_secret("advice", &run.stdout, value);
    assert!(run.stdout.contains("warden pin --env KEY --env HOME"), "{run}");
    // A wrong command line is quoted, the value in it is not.
    for args in [
        &["check", "--env", "KEY=zq8-Xw71-Lk55-Tr02-Vb93", "--no-such-option"][..],
        &["check", "--env", "=zq8-Xw71-Lk55-Tr02-Vb93"],
        &["check", "--env", "KEY=zq8-Xw71-Lk55-Tr02-Vb93", "--timeout", "none"],
        &["check", "--env", "KEY=zq8-Xw71-Lk55-Tr02-Vb93", "--lock", "none"],
    ] {
        let run = sandbox.run(args).expect(2);
        assert_secret("usage", &run.all(), value);
    }
    let help = Run::of(sandbox.command(&["pin", "--help"]).env("WARDEN_APPROVER", value)).expect(0);
    assert_secret("help", &help.all(), value);
}

#[test]
fn a_server_gets_a_value_and_the_fixed_variables_and_nothing_else() {
    let sandbox = Sandbox::new();
    sandbox.write("s.json", json!({"env_report": true}).to_string());
    let outcome = |options: &[&str], variables: &[(&str, &str)]| {
        let args = [&["pin", "--force"], options, &["--", "./server", "s.json"]].concat();
        Run::of(sandbox.command(&args).envs(variables.iter().copied())).expect(0);
        // The report is the description of a tool: what it said shows in its hash alone.
        let lock = sandbox.lock();
        let tools = lock["tools"].as_array().expect("tools").clone();
        tools.iter().find(|tool| tool["name"] == "environment").expect("the report")["description_hash"].clone()
    };
    let hash = |names: &[(&str, &str)]| {
        let mut lines: Vec<String> = names.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        lines.sort();
        json!(warden::json::hash(&lines.concat().as_str().into()).expect("a digest").to_string())
    };
    let work = sandbox.path("");
    let home = work.parent().expect("a folder").join("home");
    let fixed = [("HOME", home.to_str().expect("UTF-8")), ("PATH", "/bin"), ("USER", "ann")];
    let ambient = [("PATH", "/bin"), ("USER", "ann"), ("AWS_SECRET_ACCESS_KEY", "abc"), ("LANG", "de_DE.UTF-8")];
    assert_eq!(outcome(&[], &ambient), hash(&fixed));
    let with_key = [&fixed[..], &[("KEY", "v=w")]].concat();
    assert_eq!(outcome(&["--env", "KEY=v=w"], &ambient), hash(&with_key));
    let with_lang = [&fixed[..], &[("LANG", "de_DE.UTF-8")]].concat();
    assert_eq!(outcome(&["--env", "LANG"], &ambient), hash(&with_lang));
    let replaced = [fixed[0], ("PATH", ""), fixed[2]];
    assert_eq!(outcome(&["--env", "PATH="], &ambient), hash(&replaced));
    let tmp = home.with_file_name("tmp");
    let all = [&ambient[..], &[fixed[0], ("TMPDIR", tmp.to_str().expect("UTF-8"))]].concat();
    assert_eq!(outcome(&["--inherit-env"], &ambient), hash(&all));
}
