//! `--stability`: a server that does not declare the same each time is not pinned.

use crate::support::cli::{Run, Sandbox};
use crate::support::scripted::program;
use serde_json::{Value, json};

fn tools(tools: Value) -> Value {
    json!({"tools/list": [{"result": {"tools": tools}}]})
}

/// A server that plays these, one a start.
fn playing(sandbox: &Sandbox, methods: &[Value]) {
    sandbox.script(&json!({"starts": {"count": "count", "methods": methods}}));
}

fn pin(sandbox: &Sandbox, options: &[&str]) -> Run {
    sandbox.run(&[&["pin"], options, &["--", "./server", "s.json"]].concat())
}

fn fields(run: &Run) -> Vec<(String, String, i64)> {
    let document = run.document();
    let fields = document["unstable"].as_array().expect("fields").iter();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    fields
        .map(|field| (text(&field["target"]), text(&field["pointer"]), field["capture"].as_i64().expect("n")))
        .collect()
}

fn field(target: &str, pointer: &str, capture: i64) -> (String, String, i64) {
    (target.to_owned(), pointer.to_owned(), capture)
}

#[test]
fn every_field_that_differs_is_named_and_nothing_is_pinned() {
    let sandbox = Sandbox::new();
    let face = |size: i64, set: &[&str], text: &str| {
        tools(json!([
            {"name": "a", "description": text, "inputSchema": {"properties": {"n": {"default": size, "enum": set}}}},
            {"name": "b", "description": "Never changes."},
            {"name": "c", "annotations": {"title": "c"}, "outputSchema": {"type": "object"}},
        ]))
    };
    playing(
        &sandbox,
        &[
            face(1, &["x", "y"], "Started at 1\u{1b}."),
            face(1, &["y", "x"], "Started at 1\u{1b}."),
            face(2, &["x", "y"], "Started at 2\u{1b}."),
        ],
    );
    let run = pin(&sandbox, &["--stability", "3", "--json"]).expect(3);
    let document = run.document();
    assert_eq!(document["verdict"], "not-pinned");
    assert_eq!(document["failure"]["code"], "E-UNSTABLE");
    let want = [
        field("tools/a", "/description", 3),
        field("tools/a", "/inputSchema/properties/n/default", 3),
        field("tools/a", "/inputSchema/properties/n/enum", 2),
    ];
    assert_eq!(fields(&run), want);
    assert_eq!(document["unstable"][0]["first"], "Started at 1\u{1b}.");
    assert_eq!(document["unstable"][2]["other"], "[\"y\",\"x\"]");
    assert!(!sandbox.exists("warden.lock"));
    assert_eq!(sandbox.read("count"), "3");
    // For people, in words, with nothing hidden.
    sandbox.write("count", "0");
    let run = pin(&sandbox, &["--stability", "3"]).expect(3);
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "the server does not declare the same each time it is started: 3 fields differ in 3 captures",
        "tools/a /description captures 1 and 3 - Started at ⟨-1-⟩⟨ESC⟩. + Started at ⟨+2+⟩⟨ESC⟩.",
        "/inputSchema/properties/n/enum captures 1 and 2 - [\"x\", \"y\"] + [\"y\", \"x\"]",
        "What that means: warden explain E-UNSTABLE",
    ] {
        assert!(text.contains(part), "{part}\n{run}");
    }
    assert!(!run.stdout.contains('\u{1b}'), "{run}");
}

#[test]
fn the_order_of_entries_and_of_members_does_not_matter() {
    let sandbox = Sandbox::new();
    let (a, b) = (json!({"name": "a", "description": "A"}), json!({"description": "B", "name": "b"}));
    playing(
        &sandbox,
        &[tools(json!([a, b])), tools(json!([b, a])), tools(json!([{"description": "A", "name": "a"}, b]))],
    );
    let run = pin(&sandbox, &["--stability", "4"]).expect(0);
    assert!(run.stdout.contains("the server declared the same in 4 captures"), "{run}");
    // The words of the launch look like places here, so it was started here each time.
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the working directory was kept, because the command seems to need it"), "{run}");
    assert_eq!(run.stderr.matches("starting").count(), 1, "{run}");
    sandbox.run(&["check", "--stability", "2"]).expect(0);
    assert_eq!(sandbox.read("count"), "6");
}

#[test]
fn entries_that_come_and_go_are_named() {
    let sandbox = Sandbox::new();
    playing(
        &sandbox,
        &[
            tools(json!([{"name": "a"}, {"name": "b", "description": "B"}])),
            tools(json!([{"name": "a"}, {"name": "c"}])),
        ],
    );
    let run = pin(&sandbox, &["--stability", "2", "--json"]).expect(3);
    assert_eq!(fields(&run), [field("tools/b", "", 2), field("tools/c", "", 2)]);
    let document = run.document();
    assert_eq!((&document["unstable"][0]["first"], &document["unstable"][0]["other"]), (&json!("B"), &Value::Null));
    assert_eq!((&document["unstable"][1]["first"], &document["unstable"][1]["other"]), (&Value::Null, &json!("")));
}

#[test]
fn what_only_the_spelling_of_a_number_changes_is_found() {
    let sandbox = Sandbox::new();
    let raw = |members: &str| {
        let schema = format!(r#"{{"properties":{{"n":{{"enum":{members}}}}}}}"#);
        let page = format!(r#"{{"tools":[{{"name":"a","inputSchema":{schema}}}]}}"#);
        json!({"tools/list": [{"raw": format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{page}}}"#)}]})
    };
    // Equal as values; but a float sorts before an integer, so the two have different skeletons.
    playing(&sandbox, &[raw("[1,2.0]"), raw("[1.0,2]")]);
    let run = pin(&sandbox, &["--stability", "2", "--json"]).expect(3);
    assert_eq!(fields(&run), [field("tools/a", "", 2)]);
    let document = run.document();
    assert!(document["unstable"][0]["first"].as_str().is_some_and(|text| text.contains("[1,2.0]")), "{run}");
    assert!(document["unstable"][0]["other"].as_str().is_some_and(|text| text.contains("[1.0,2]")), "{run}");
}

#[test]
fn the_surroundings_are_others_and_what_the_user_hands_over_stays() {
    let sandbox = Sandbox::new();
    let report = |names: &[&str], options: &[&str]| {
        sandbox.script(&json!({"env_report": names}));
        let (server, script) = (program(), sandbox.path("s.json"));
        let server = [server.to_str().expect("UTF-8"), script.to_str().expect("UTF-8")];
        let run = sandbox.run(&[&["pin", "--force", "--stability", "2", "--json"], options, &["--"], &server].concat());
        let document = run.document();
        let side = |side: &str| document["unstable"][0][side].as_str().unwrap_or_default().to_owned();
        (side("first"), side("other"))
    };
    let home = sandbox.path("");
    let home = home.parent().expect("a folder").join("home");
    let (first, other) = report(&["HOME"], &[]);
    assert_eq!(first, format!("HOME={}\n", home.display()));
    assert!(other.contains("warden-stability-") && other.ends_with("/home\n"), "{other}");
    for name in ["TZ", "LANG", "LC_ALL", "PYTHONHASHSEED"] {
        let (first, other) = report(&[name], &[]);
        assert_eq!(first, format!("{name}=(unset)\n"));
        assert!(!other.contains("(unset)") && other.starts_with(name), "{other}");
    }
    let (first, other) = report(&["(client)"], &[]);
    assert_eq!(first, "(client)=warden\n");
    assert_ne!(other, first);
    let (first, _) = report(&["(client)"], &["--client-name", "mine"]);
    assert_eq!(first, "(client)=mine\n");
    // The launch names no place here, so it is started elsewhere as well.
    let (first, other) = report(&["(folder)"], &[]);
    assert_ne!(first, other);
    assert!(other.contains("warden-stability-") && other.trim_end().ends_with("work"), "{other}");
    // What the user hands over is the same each time.
    assert_eq!(
        report(&["TZ", "HOME"], &["--env", "TZ=Etc/UTC", "--env", "HOME=/nowhere"]),
        (String::new(), String::new())
    );
    assert_eq!(report(&["PATH", "NOTHING"], &[]), (String::new(), String::new()));
}

#[test]
fn a_check_of_an_unstable_server_says_nothing_about_drift() {
    let sandbox = Sandbox::new();
    playing(&sandbox, &[tools(json!([{"name": "a", "description": "1"}]))]);
    pin(&sandbox, &[]).expect(0);
    sandbox.write("count", "0");
    playing(
        &sandbox,
        &[tools(json!([{"name": "a", "description": "1"}])), tools(json!([{"name": "a", "description": "2"}]))],
    );
    let run = sandbox.run(&["check", "--stability", "2", "--json"]).expect(3);
    let document = run.document();
    assert_eq!((&document["verdict"], &document["failure"]["code"]), (&json!("not-checked"), &json!("E-UNSTABLE")));
    assert_eq!(document["entries"], json!([]));
    // A stable one is checked as ever.
    let run = sandbox.run(&["check", "--stability", "2", "--json"]).expect(1);
    assert_eq!(run.document()["verdict"], "drift");
}

#[test]
fn a_capture_that_fails_is_numbered() {
    let sandbox = Sandbox::new();
    let good = tools(json!([{"name": "a"}]));
    playing(&sandbox, &[good, json!({"tools/list": [{"error": {"code": -32000, "message": "no home"}}]})]);
    let run = pin(&sandbox, &["--stability", "3", "--json"]).expect(3);
    let failure = &run.document()["failure"];
    assert_eq!(failure["code"], "E-SERVER-ERROR");
    let message = failure["message"].as_str().expect("a text");
    assert!(message.starts_with("capture 2 of 3, with another (empty) home"), "{message}");
    assert!(message.contains("no home"), "{message}");
    for bad in ["1", "11", "0", "x"] {
        pin(&sandbox, &["--stability", bad]).expect(2);
    }
}

#[test]
fn what_no_digest_covers_is_noted_and_no_reason_to_refuse() {
    let sandbox = Sandbox::new();
    let with = |title: &str, instructions: &str| {
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "instructions": instructions});
        json!({
            "initialize": [{"result": hello}],
            "tools/list": [{"result": {"tools": [{"name": "a", "title": title}]}}],
        })
    };
    playing(&sandbox, &[with("1", "x"), with("2", "y")]);
    let run = pin(&sandbox, &["--stability", "2"]).expect(0);
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("not pinned, and different from capture to capture: instructions, tool extras"), "{run}");
}

#[test]
fn a_signal_leaves_neither_a_server_nor_a_folder() {
    use crate::support::scripted::is_soon_gone;
    use std::time::{Duration, Instant};
    let sandbox = Sandbox::new();
    let hangs = json!({"tools/list": [{"hang": true}]});
    sandbox.script(&json!({
        "pid_file": sandbox.path("pid"),
        "starts": {"count": "count", "methods": [tools(json!([{"name": "a"}])), hangs]},
    }));
    let mut child = sandbox.command(&["pin", "--stability", "2", "--", "./server", "s.json"]).spawn().expect("started");
    let until = Instant::now() + Duration::from_secs(20);
    while !sandbox.exists("count") || sandbox.read("count") != "2" {
        assert!(Instant::now() < until, "no second start");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).expect("a pid")).expect("a pid");
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a signal");
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    assert!(is_soon_gone(sandbox.read("pid").parse().expect("a pid")));
    // The sandbox looks into its folder for temporary files.
    assert!(!sandbox.exists("warden.lock"));
}

#[test]
fn a_repin_that_drifts_by_itself_suggests_it() {
    let sandbox = Sandbox::new();
    playing(
        &sandbox,
        &[tools(json!([{"name": "a", "description": "1"}])), tools(json!([{"name": "a", "description": "2"}]))],
    );
    pin(&sandbox, &[]).expect(0);
    let run = sandbox.run(&["pin"]).expect(0);
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the same command declares something else than before"), "{run}");
    assert!(text.contains("--stability 3 tells"), "{run}");
    // Not where nothing changed, and not where another command was pinned.
    let run = sandbox.run(&["pin"]).expect(0);
    assert!(!run.stdout.contains("--stability"), "{run}");
    std::os::unix::fs::symlink(sandbox.path("server"), sandbox.path("other")).expect("a link");
    sandbox.write("count", "0");
    let run = sandbox.run(&["pin", "--", "./other", "s.json"]).expect(0);
    assert!(!run.stdout.contains("--stability"), "{run}");
}
