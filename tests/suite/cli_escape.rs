//! Text of strangers comes out inert: nothing that a server, a lock or an argument holds moves a cursor, reorders a
//! line or hides, in any command, form and locale; and machine output still decodes to the very text.

use crate::support::cli::{Run, Sandbox, fixture, serving};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

/// Texts that do something to whoever prints them.
const HOSTILE: [&str; 24] = [
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]8;;https://example.com\u{7}link\u{1b}]8;;\u{7}",
    "\u{1b}[2J\u{1b}[H",
    "\u{9b}31m",
    "line\nCLEAN      all is well",
    "back\rCLEAN",
    "a\tb",
    "a\u{8}\u{8}",
    "nul\0",
    "del\u{7f}",
    "\u{202e}txt.exe",
    "\u{2066}isolate\u{2069}\u{200f}\u{61c}",
    "zero\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}width",
    "tag\u{e0041}\u{e007f}",
    "sep\u{2028}\u{2029}\u{85}",
    "soft\u{ad}hyphen\u{180e}",
    "fill\u{3164}\u{115f}\u{2800}",
    "vs\u{fe0f}\u{e0100}",
    "private\u{e000}\u{fdd0}\u{10ffff}",
    "[red]markup[/red] :smile: [/]",
    "`tick` |pipe| <b>&amp;</b> $(id) ${x} %s {0} {}",
    "⟨ESC⟩ ⟨U+200B⟩",
    "\\u202e \\x1b \"quoted\" 'it''s'",
    "n\u{303}o\u{308} 中文 😀 ﬁ",
];

/// Written out here once more, so that a hole in the library's own table shows.
fn acts_on_a_terminal(c: char) -> bool {
    matches!(u32::from(c),
        0..=0x1f | 0x7f..=0x9f | 0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
        | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x2800 | 0x3164 | 0xe000..=0xf8ff | 0xfdd0..=0xfdef
        | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffb | 0xfffe | 0xffff | 0xe0000..=0xe0fff | 0xf0000..=0x10ffff)
}

/// Takes away the colours that warden itself sets.
fn without_sgr(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, sequence) = (&rest[..at], &rest[at + 2..]);
        let Some(end) = sequence.find(|c: char| !(c.is_ascii_digit() || c == ';')) else { break };
        out.push_str(before);
        if !sequence[end..].starts_with('m') {
            out.push_str("\u{1b}[");
        }
        rest = &sequence[end + usize::from(sequence[end..].starts_with('m'))..];
    }
    out + rest
}

#[track_caller]
fn assert_inert(run: &Run, colored: bool, ascii: bool) {
    for text in [&run.stdout, &run.stderr] {
        let text = if colored { without_sgr(text) } else { text.clone() };
        let bad: Vec<char> = text.chars().filter(|c| *c != '\n' && acts_on_a_terminal(*c)).collect();
        assert!(bad.is_empty(), "{bad:?}\n{}", format!("{run}").escape_debug());
        assert!(!ascii || text.is_ascii(), "{run}");
    }
    // A line feed of a stranger would begin a line that looks like ours.
    let forged = run.stdout.lines().chain(run.stderr.lines()).any(|line| line.starts_with("CLEAN      all is well"));
    assert!(!forged, "{run}");
}

/// Runs in every form and locale and checks each output.
fn run_inert(sandbox: &Sandbox, args: &[&str], code: i32) -> Value {
    let (command, rest) = args.split_first().expect("a command");
    for (form, locale) in [
        (&[][..], "C.UTF-8"),
        (&[], "C"),
        (&["-v"], "de_DE.UTF-8"),
        (&["-v"], "POSIX"),
        (&["-q"], ""),
        (&["--color", "always"], ""),
        (&["--color", "always", "-v"], "C"),
        (&["--json"], "C"),
    ] {
        let mut process = sandbox.command(&[&[*command], form, rest].concat());
        let run = Run::of(process.env("LC_ALL", locale)).expect(code);
        // JSON is UTF-8 whatever the locale says.
        let ascii = matches!(locale, "C" | "POSIX") && form != ["--json"];
        assert_inert(&run, form.contains(&"--color"), ascii);
        if form == ["--json"] {
            return run.document();
        }
    }
    Value::Null
}

fn everything(texts: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> =
        texts.iter().map(|text| ((*text).to_owned(), json!({"type": text, "enum": [text, {*text: text}]}))).collect();
    let schema = json!({"type": "object", "required": texts, "properties": properties, "description": texts[0]});
    let tools: Vec<Value> = texts
        .iter()
        .map(|text| {
            json!({"name": text, "description": text, "title": text, "inputSchema": schema,
                   "outputSchema": {"type": "object", "properties": {*text: {"$ref": text}}}, "annotations": {*text: text}})
        })
        .collect();
    let resources: Vec<Value> = texts
        .iter()
        .map(|text| json!({"uri": format!("x:{text}"), "name": text, "description": text, "mimeType": text}))
        .collect();
    let prompts: Vec<Value> = texts
        .iter()
        .map(|text| json!({"name": text, "description": text, "arguments": [{"name": text, "description": text}]}))
        .collect();
    let all = texts.concat();
    json!({"methods": {
        "initialize": [{"result": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
            "serverInfo": {"name": all, "version": all},
            "instructions": all,
        }}],
        "tools/list": [{"result": {"tools": tools}}],
        "resources/list": [{"result": {"resources": resources}}],
        "prompts/list": [{"result": {"prompts": prompts}}],
    }})
}

fn names(value: &Value, member: &str) -> Vec<String> {
    let items = value.as_array().expect("an array");
    items.iter().map(|item| item[member].as_str().expect("a text").to_owned()).collect()
}

fn sorted<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
    texts.sort();
    texts
}

#[test]
fn a_hostile_surface_is_pinned_shown_and_checked_inertly() {
    let sandbox = Sandbox::new();
    sandbox.script(&everything(&HOSTILE));
    run_inert(&sandbox, &["pin", "--force", "--", "./server", "s.json"], 0);
    run_inert(&sandbox, &["check"], 0);
    let shown = run_inert(&sandbox, &["show"], 0);
    // What a program reads is the very text.
    assert_eq!(names(&shown["view"]["tools"], "name"), sorted(HOSTILE));
    assert_eq!(names(&shown["view"]["prompts"], "identity"), sorted(HOSTILE));
    let uris = HOSTILE.map(|text| format!("x:{text}"));
    assert_eq!(names(&shown["view"]["resources"], "identity"), sorted(uris.iter().map(String::as_str)));
    let paths = names(&shown["view"]["tools"][0]["parameters"], "path");
    assert!(HOSTILE.iter().all(|text| paths.iter().any(|path| path == text)), "{paths:?}");
}

#[test]
fn hostile_drift_is_reported_inertly() {
    let targets = |document: &Value| names(&document["entries"], "target");
    // Everything new, everything gone, everything changed.
    let sandbox = Sandbox::pinned(&serving(json!([])), &[]);
    sandbox.script(&everything(&HOSTILE));
    let document = run_inert(&sandbox, &["check"], 1);
    let found = targets(&document);
    assert!(HOSTILE.iter().all(|text| found.contains(&format!("tools/{text}"))), "{found:?}");
    let sandbox = Sandbox::pinned(&everything(&HOSTILE), &[]);
    sandbox.script(&serving(json!([])));
    assert_eq!(targets(&run_inert(&sandbox, &["check"], 1)).len(), 3 * HOSTILE.len());
    // Both sides of a change are quoted: members, references, bounds and types.
    let before: Vec<String> = HOSTILE.iter().map(|text| format!("old {text}")).collect();
    let shown = |texts: &[&str]| {
        let properties: serde_json::Map<String, Value> = texts
            .iter()
            .enumerate()
            .flat_map(|(i, text)| {
                let members = json!({"enum": ["a", text, format!("{text}x")], "minimum": text, "pattern": text});
                [
                    (format!("e{i}"), members),
                    (format!("r{i}"), json!({"$ref": text})),
                    (format!("t{i}"), json!({"type": text})),
                ]
            })
            .collect();
        serving(
            json!([{"name": "t", "inputSchema": {"properties": properties}, "outputSchema": {"properties": properties}}]),
        )
    };
    let sandbox = Sandbox::pinned(&shown(&before.iter().map(String::as_str).collect::<Vec<_>>()), &[]);
    sandbox.script(&shown(&HOSTILE));
    let document = run_inert(&sandbox, &["check"], 1);
    assert!(document["entries"][0]["items"].as_array().is_some_and(|items| items.len() >= 6 * HOSTILE.len()));
    for (before, now) in [(json!({"type": "object"}), &HOSTILE[..]), (json!({"properties": {}}), &HOSTILE[12..])] {
        let tool = |schema: &Value| serving(json!([{"name": HOSTILE[0], "description": "", "inputSchema": schema}]));
        let changed = everything(now)["methods"]["tools/list"][0]["result"]["tools"][0]["inputSchema"].clone();
        for (before, now) in [(&before, &changed), (&changed, &before)] {
            let sandbox = Sandbox::pinned(&tool(before), &[]);
            sandbox.script(&tool(now));
            let document = run_inert(&sandbox, &["check"], 1);
            assert_eq!(targets(&document), [format!("tools/{}", HOSTILE[0])]);
            run_inert(&sandbox, &["pin", "--lock", "../work/warden.lock"], 0);
        }
    }
}

#[test]
fn hostile_texts_are_compared_inertly() {
    // Kept beside the lock, read from a file, and different from start to start.
    let sandbox = Sandbox::pinned(&everything(&HOSTILE), &["--save-surface"]);
    run_inert(&sandbox, &["show"], 0);
    let turned = |by: usize| {
        let mut script = everything(&HOSTILE);
        for (section, members) in [("tools", &["description"][..]), ("resources", &["description", "mimeType"])] {
            let entries = script["methods"][format!("{section}/list")][0]["result"][section].as_array_mut();
            for (i, entry) in entries.expect("entries").iter_mut().enumerate() {
                members.iter().for_each(|member| entry[*member] = json!(HOSTILE[(i + by) % HOSTILE.len()]));
            }
        }
        script
    };
    sandbox.script(&turned(1));
    let document = run_inert(&sandbox, &["check"], 1);
    let texts = &document["entries"].as_array().expect("entries").iter().find(|entry| entry["target"] == "tools/a\tb");
    let texts = &texts.expect("the entry")["texts"][0];
    assert_eq!((&texts["before"], &texts["now"]), (&json!("a\tb"), &json!("a\u{8}\u{8}")));
    sandbox.run(&["capture", "-o", "s2.json", "--", "./server", "s.json"]).expect(0);
    run_inert(&sandbox, &["check", "--surface", "s2.json"], 1);
    let methods: Vec<Value> = (0..40).map(|start| turned(1 + start % 2)["methods"].clone()).collect();
    sandbox.script(&json!({"starts": {"count": "count", "methods": methods}}));
    let document = run_inert(&sandbox, &["check", "--stability", "2"], 3);
    assert_eq!(document["failure"]["code"], "E-UNSTABLE");
    assert_eq!((document["unstable"].as_array().map(Vec::len), &document["more_unstable"]), (Some(40), &json!(32)));
}

#[test]
fn hostile_surface_files_are_refused_inertly() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    for text in HOSTILE {
        for file in [
            json!([{"name": text}, {"name": text}]).to_string(),
            json!([{"name": text, "inputSchema": text}]).to_string(),
            format!("{{{0}:1,{0}:2}}", json!(text)),
            format!("{{\"tools\":[{{{}:1e999}}]}}", json!(text)),
            format!("[]{text}"),
        ] {
            sandbox.write("hostile.json", &file);
            let run = sandbox.run(&["check", "--surface", "hostile.json"]);
            assert!(matches!(run.code, Some(2 | 3)), "{run}");
            assert_inert(&run, false, false);
        }
    }
}

#[test]
fn long_names_do_not_flood_a_page() {
    let long = "x".repeat(60_000);
    let words = "word ".repeat(12_000);
    let sandbox = Sandbox::new();
    sandbox.script(&everything(&[&long, &words]));
    for (args, code) in [(&["pin", "--", "./server", "s.json"][..], 0), (&["check"], 0), (&["show"], 0)] {
        let run = sandbox.run(args).expect(code);
        assert!(run.all().len() < 40_000, "{} bytes of {args:?}", run.all().len());
    }
    sandbox.script(&everything(&[&long[1..], &words[5..]]));
    let run = sandbox.run(&["check"]).expect(1);
    assert!(run.all().len() < 40_000, "{} bytes", run.all().len());
    let document = sandbox.run(&["check", "--json"]).document();
    assert!(names(&document["entries"], "target").contains(&format!("tools/{}", &long[1..])));
}

#[test]
fn failures_quote_a_server_inertly() {
    let all = HOSTILE.concat();
    let lines: Vec<String> = HOSTILE.iter().map(|text| text.replace('\n', "␤")).collect();
    let page = json!({"result": {"tools": [], "nextCursor": all}});
    let init = |version: &str| json!([{"result": {"protocolVersion": version, "capabilities": {}, "serverInfo": {}}}]);
    let scripts = [
        json!({"stderr": all, "methods": {"tools/list": [{"exit": 3}]}}),
        json!({"methods": {"tools/list": [{"error": {"code": 1, "message": all, "data": all}}]}}),
        json!({"methods": {"initialize": init(&all)}}),
        json!({"methods": {"tools/list": [page]}}),
        json!({"opening": lines, "methods": {"initialize": [{"exit": 1}]}}),
        serving(json!([{"name": all}, {"name": all}])),
        serving(json!([{"name": all, "description": 1}])),
        serving(json!([{"name": all, "inputSchema": {all.clone(): 9007199254740993_i64}}])),
        json!({"methods": {"tools/list": [{"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"\u{202e}\":1,\"\u{202e}\":1}]}}"}]}}),
        json!({"methods": {"tools/list": [{"raw_bytes": [27, 91, 51, 49, 109, 255, 254, 10]}, ], "initialize": [{"raw_bytes": [155, 10, 27, 10], "exit": 4}]}}),
    ];
    for script in scripts {
        let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
        sandbox.script(&script);
        run_inert(&sandbox, &["check", "--timeout", "30"], 3);
        run_inert(&sandbox, &["pin", "--timeout", "30"], 3);
    }
    // Noise that is put up with is a note.
    let mut script = fixture("notes.json");
    script["opening"] = json!(lines);
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    sandbox.script(&script);
    let document = run_inert(&sandbox, &["check"], 0);
    assert!(document["notes"].to_string().contains("ESC"), "{document}");
}

#[test]
fn a_hostile_lock_is_shown_and_checked_inertly() {
    let all = HOSTILE.concat();
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &["--approve", "--approver", "ann"]);
    sandbox.edit_lock(|lock| {
        lock["warden_version"] = json!(all);
        for member in ["created_at", "warden_version", "mcp_protocol_version", "approver", "approved_at"] {
            lock["pin"][member] = json!(all);
        }
        lock["pin"]["warden"] = json!({"not_covered": {all.clone(): all}});
        lock["tools"][0]["capabilities"] = json!(HOSTILE);
        lock["tools"][1]["inspection"] = json!({all.clone(): all});
        lock["tools"][2][&all] = json!(1);
        let finding = json!({"rule_id": all, "severity": all, "target": all, "message": all, "snippet": all});
        lock["findings"] = json!([finding]);
    });
    run_inert(&sandbox, &["show"], 0);
    run_inert(&sandbox, &["show", "--verify"], 1);
    run_inert(&sandbox, &["check"], 1);
    run_inert(&sandbox, &["check", "--", "./server", &HOSTILE.concat().replace('\0', "")], 1);
    // A launch out of a cloned repository is shown before it is judged.
    sandbox.edit_lock(|lock| lock["server"]["args"] = json!(HOSTILE));
    run_inert(&sandbox, &["show"], 0);
    run_inert(&sandbox, &["check"], 1);
    // Refusals quote where the fault is, and names of members.
    sandbox.edit_lock(|lock| lock["tools"][0]["schema_skeleton"]["props"][&all[..40]] = json!(5));
    run_inert(&sandbox, &["show"], 2);
    for lock in [json!({all.clone(): 1}).to_string(), format!("{{{}: 1, {0}: 2}}", json!(all)), all.clone()] {
        sandbox.write("warden.lock", lock);
        run_inert(&sandbox, &["show"], 2);
        run_inert(&sandbox, &["check"], 2);
    }
    for block in [json!({all.clone(): 1}), json!({all.clone(): {all.clone(): 1}}), json!({"x": all})] {
        let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
        sandbox.write("warden.inspection.json", block.to_string());
        run_inert(&sandbox, &["check"], 2);
    }
}

#[test]
fn hostile_arguments_are_echoed_inertly() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    for text in HOSTILE.iter().filter(|text| !text.contains('\0')) {
        let option = format!("--{text}");
        let name = format!("{text}=value");
        let cases = [
            (vec!["check", &option], 2),
            (vec!["check", "--color", text], 2),
            (vec!["check", "--timeout", text], 2),
            (vec!["show", text, text], 2),
            (vec!["show", text], 2),
            (vec!["check", "--lock", text], 2),
            (vec!["check", "--inspection", text], 2),
            (vec!["check", "--surface", text], 2),
            (vec!["check", "--stability", text], 2),
            (vec!["capture", "-o", "none/x.json", "--", text], 2),
            (vec!["check", "--env", text], 2),
            (vec!["check", "--env", &name, "--timeout", "20"], 0),
            (vec!["check", "--", text, text], 1),
            // A slash names a folder, which is not there.
            (vec!["pin", "--lock", text, "--", "./server", "s.json", text], if text.contains('/') { 2 } else { 0 }),
        ];
        for (args, code) in cases {
            // A name may well be an argument that this program knows.
            for form in [&[][..], &["--json"]] {
                let args = [&args[..1], form, &args[1..]].concat();
                let run = sandbox.run(&args).expect(code);
                assert_inert(&run, false, false);
                if form == ["--json"] {
                    run.document();
                }
            }
        }
        assert_eq!(sandbox.exists(text), !text.contains('/'));
    }
}

#[test]
fn a_lock_may_have_any_name() {
    let sandbox = Sandbox::new();
    sandbox.script(&fixture("notes.json"));
    let name = OsStr::from_bytes(b"caf\xe9 \xff\xfe.lock");
    let words = |before: &[&str], after: &[&str]| {
        let before = before.iter().map(OsString::from).collect::<Vec<_>>();
        [before, vec![name.to_owned()], after.iter().map(OsString::from).collect()].concat()
    };
    let runs = [
        sandbox.run(&words(&["pin", "--lock"], &["--", "./server", "s.json"])).expect(0),
        sandbox.run(&words(&["check", "--lock"], &[])).expect(0),
        sandbox.run(&words(&["show"], &[])).expect(0),
    ];
    assert!(sandbox.path(name).exists());
    assert_eq!(std::fs::read_dir(sandbox.path("")).unwrap().count(), 3, "nothing else was written");
    for run in runs {
        assert_inert(&run, false, false);
        assert!(run.stdout.contains("caf\u{fffd} \u{fffd}\u{fffd}.lock"), "{run}");
    }
    let document = sandbox.run(&words(&["check", "--json", "--lock"], &[])).expect(0).document();
    assert_eq!(document["lock_path"], "caf\u{fffd} \u{fffd}\u{fffd}.lock");
    sandbox.run(&words(&["check", "--inspection"], &["--lock", "none.lock"])).expect(2);
}

#[test]
fn words_that_are_not_utf8_are_refused_with_a_reason() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let bad = OsStr::from_bytes(b"\xff\x1b[31m");
    for before in [
        &["pin", "--"][..],
        &["pin", "--", "./server"],
        &["check", "--"],
        &["check", "--env"],
        &["check", "--timeout"],
        &["pin", "--approve", "--approver"],
        &["check", "--color"],
        &[],
    ] {
        for form in [None, Some("--json")] {
            let mut words: Vec<OsString> = before.iter().map(OsString::from).collect();
            words.splice(1.min(before.len())..1.min(before.len()), form.map(OsString::from));
            words.push(bad.to_owned());
            let run = sandbox.run(&words).expect(2);
            assert_inert(&run, false, false);
            assert!(run.stderr.contains("UTF-8") || run.stderr.contains('\u{fffd}'), "{run}");
            if form.is_some() {
                run.document();
            }
        }
    }
    // What a server is given may be anything.
    let mut command = sandbox.command(&["check", "--env", "ODD"]);
    Run::of(command.env("ODD", bad).env("HOME", bad)).expect(0);
}

#[test]
fn colour_is_asked_for_or_absent() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    for (args, variables, colored) in [
        (&["check"][..], &[][..], false),
        (&["check"], &[("FORCE_COLOR", "1"), ("COLORTERM", "truecolor")], false),
        (&["check"], &[("CLICOLOR_FORCE", "1")], true),
        (&["check"], &[("CLICOLOR_FORCE", "0")], false),
        (&["check"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["check", "--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
        (&["check", "--color", "auto"], &[("TERM", "xterm-256color")], false),
        (&["check", "--color", "never"], &[], false),
        (&["check", "--color", "always"], &[], true),
        // What was typed beats what was exported.
        (&["check", "--color", "always"], &[("NO_COLOR", "1"), ("TERM", "dumb")], true),
        (&["check", "--json", "--color", "always"], &[], false),
    ] {
        let run = Run::of(sandbox.command(args).envs(variables.iter().copied())).expect(0);
        assert_eq!(run.all().contains('\u{1b}'), colored, "{run}");
        assert!(!without_sgr(&run.stdout).contains('\u{1b}'), "{run}");
    }
    let error = sandbox.run(&["show", "none", "--color", "always"]).expect(2);
    assert!(error.stderr.contains('\u{1b}') && !without_sgr(&error.stderr).contains('\u{1b}'), "{error}");
}
