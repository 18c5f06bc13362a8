//! Every format against everything that a server, a lock or a file name can hold: each text is read by a reader that
//! did not write it, and what it finds is what it finds for a harmless twin.

use crate::support::cli::{Run, Sandbox};
use crate::support::readers::{WorkflowCommand, is_obeyed, junit_elements, outline, workflow_command};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const FORMATS: [&str; 8] = ["human", "json", "jsonl", "sarif", "github", "markdown", "junit", "gitlab"];

pub const PAYLOADS: [&str; 58] = [
    "::set-output name=x::y",
    "::error::x",
    "  ::add-mask::a",
    "a\n::error file=a,line=1::b",
    "a\r\n::stop-commands::t",
    "##[command]rm",
    "a ##[add-mask]b",
    "##vso[task.complete result=Succeeded]",
    "##teamcity[buildStatus status='SUCCESS']",
    "%0A::warning::x",
    "%250A::warning::x%3A%2C%25",
    "a,file=b,line=7::c",
    "line\nfeed",
    "carriage\rreturn",
    "`tick`",
    "```\nfence\n```",
    "``` a ````` b ``",
    "`",
    "~~~\nfence",
    "a | b | c",
    "a\n|---|---|\n| b | c |",
    "\\| \\` \\",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</details>",
    "</code></pre></summary></details><h1>x",
    "<!-- x -->",
    "<!-- warden-report 000000000000 -->",
    "-->",
    "]]>",
    "<![CDATA[x]]>",
    "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b \"c\">]>&b;",
    "&amp; &lt; &#0; &#x1b; &bogus;",
    "\"double\" 'single' \"name\"=\"value\"",
    "@octocat @org/team cc:@octocat",
    "#1 owner/repo#1 GH-1 !1 %1 ~bug",
    "[x](javascript:alert(1))",
    "![x](http://evil.example/p.png)",
    "[x]: http://evil.example\n[x]",
    "https://evil.example www.evil.example a@evil.example <http://evil.example>",
    ":smile: :rocket:",
    "# heading\n## heading\nheading\n===",
    "- [x] item\n1. item\n> quote\n***",
    "*a* **b** _c_ ~~d~~ $e$ $$f$$ [[g]] [^h]",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]8;;https://evil.example\u{7}x\u{1b}]8;;\u{7}",
    "\u{202e}txt.exe\u{202c}",
    "zero\u{200b}\u{200d}\u{feff}width",
    "tag\u{e0041}\u{e007f}",
    "nul\0byte",
    "sep\u{2028}\u{2029}\u{85}x",
    "\u{fffe}\u{ffff}\u{fdd0}\u{7f}\u{9b}",
    "{{7*7}} {% raw %}",
    "${{ github.token }} $(id) %PATH%",
    "---\na: b\n---",
    "\\u202e \\n \\x1b",
    "⟨LF⟩ ⟨U+003A⟩",
    "0123456789abcdef0123456789abcdef01234567",
];

/// The same letters, and nothing that means anything.
pub fn twin(payload: &str) -> String {
    payload.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// A surface file in which the text stands in every place that a server fills; `changed` is the second face of it.
fn surface(text: &str, changed: bool) -> String {
    let word = if changed { "now" } else { "then" };
    let mut properties = json!({text: {"type": "string", "enum": [text, word]}, "limit": {"type": "integer"}});
    if changed {
        properties[format!("{text}2")] = json!({"type": "string"});
    }
    let tool = |name: String| {
        json!({"name": name, "description": format!("{text} {word} {text}"),
               "inputSchema": {"type": "object", "properties": properties}})
    };
    json!({
        "warden_surface": 1,
        "launch": {"command": "./server", "args": ["--stdio"]},
        "protocol_version": "2025-11-25",
        "era": "legacy",
        "handshake": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
            "serverInfo": {"name": text, "version": text},
            "instructions": text,
        },
        "tools": [{"tools": [tool(text.to_owned()), tool(format!("{word} {text}"))]}],
        "resources": [{"resources": [{"uri": text, "name": format!("{word} {text}"), "description": text}]}],
        "prompts": [{"prompts": [{"name": text, "description": text, "arguments": [{"name": format!("{word} {text}")}]}]}],
        "resource_templates": [{"resourceTemplates": []}],
        "errors": {},
    })
    .to_string()
}

/// A name of a file with the text in it, as far as file names go.
fn file_name(text: &str) -> String {
    let text: String = text.chars().filter(|c| !matches!(c, '/' | '\0')).take(40).collect();
    format!("l{text}.lock")
}

/// What one run wrote, by format.
struct Written {
    texts: BTreeMap<&'static str, String>,
    lock: String,
}

impl Written {
    fn json(&self, format: &str) -> Value {
        serde_json::from_str(&self.texts[format]).unwrap_or_else(|error| panic!("{error}\n{}", self.texts[format]))
    }

    /// Kind, severity and target of each fact, of the format that has an object a line.
    fn facts(&self) -> Vec<(String, String, String)> {
        let lines = self.texts["jsonl"].lines();
        let facts = lines.map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON")).map(|line| {
            let text = |name: &str| line[name].as_str().unwrap_or("server").to_owned();
            (text("kind"), text("severity"), text("target"))
        });
        facts.filter(|(kind, ..)| ["item", "finding", "failure"].contains(&kind.as_str())).collect()
    }
}

/// Runs with every format in a file of its own.
fn run(sandbox: &Sandbox, args: &[&str], lock: &str, code: i32) -> Written {
    let outputs: Vec<String> = FORMATS.iter().map(|format| format!("--output={format}=out.{format}")).collect();
    let mut all: Vec<&str> = args.to_vec();
    all.extend(["--lock", lock]);
    all.extend(outputs.iter().map(String::as_str));
    let run = Run::of(&mut sandbox.command(&all)).expect(code);
    let texts = FORMATS.iter().map(|format| (*format, sandbox.read(&format!("out.{format}")))).collect();
    let written = Written { texts, lock: lock.to_owned() };
    for (name, text) in written.texts.iter().map(|(name, text)| (*name, text)).chain([("stderr", &run.stderr)]) {
        let hidden = text.chars().find(|c| *c != '\n' && warden::text::is_hidden(*c));
        assert!(hidden.is_none(), "{hidden:?} in {name}:\n{text}");
        let obeyed = text.split('\n').find(|line| is_obeyed(line));
        assert!(obeyed.is_none() || name == "github", "{obeyed:?} in {name}");
    }
    written
}

/// Every line a command, with the keys that we set, at most ten of a level.
#[track_caller]
fn commands(written: &Written) -> Vec<WorkflowCommand> {
    let text = &written.texts["github"];
    // The runner breaks lines at CR, LF and both.
    let lines = text.strip_suffix('\n').expect("a last line").split(['\n', '\r']);
    let commands: Vec<_> = lines.map(|line| workflow_command(line).unwrap_or_else(|| panic!("{line:?}"))).collect();
    for command in &commands {
        let keys: Vec<&str> = command.properties.keys().map(String::as_str).collect();
        if written.lock.contains(warden::text::is_hidden) {
            assert_eq!(keys, ["title"], "{command:?}");
            continue;
        }
        assert_eq!(keys, ["file", "line", "title"], "{command:?}");
        assert_eq!(command.properties["file"], written.lock, "{command:?}");
        assert!(command.properties["line"].parse::<usize>().is_ok_and(|line| line > 0), "{command:?}");
    }
    for level in ["error", "warning", "notice"] {
        assert!(commands.iter().filter(|command| command.name == level).count() <= 10, "{text}");
    }
    assert!(commands[0].properties["title"].starts_with("warden: "), "{text}");
    commands
}

/// One command for the verdict, one for each target and level, and one for all notes.
fn expected_commands(facts: &[(String, String, String)], has_notes: bool) -> BTreeMap<&'static str, usize> {
    let level = |severity: &str| match severity {
        "critical" | "high" => "error",
        "medium" => "warning",
        _ => "notice",
    };
    let groups: BTreeSet<_> = facts.iter().map(|(_, severity, target)| (level(severity), target)).collect();
    let mut counts = BTreeMap::from([("error", 1)]);
    let notes = Some("notice").filter(|_| has_notes);
    for level in groups.into_iter().map(|(level, _)| level).chain(notes) {
        *counts.entry(level).or_insert(0) += 1;
    }
    counts
}

/// What must be the same for a payload and its twin; and what must hold for every report.
#[derive(Debug, PartialEq)]
struct Structure {
    drift: usize,
    blocks: usize,
    junit: BTreeMap<String, usize>,
    headings: usize,
    code_blocks: usize,
    details: usize,
    rows: usize,
    /// List items that tell no finding: what is hidden in a payload is found, and in a twin there is nothing to find.
    items: Vec<String>,
}

#[track_caller]
fn structure(written: &Written) -> Structure {
    let facts = written.facts();
    let document = written.json("json");
    let sarif = written.json("sarif");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), facts.len(), "SARIF");
    for message in results.iter().filter_map(|result| result["message"]["markdown"].as_str()) {
        crate::support::readers::outline(message);
    }
    assert_eq!(written.json("gitlab").as_array().map(Vec::len), Some(facts.len()), "Code Quality");
    let found = commands(written).iter().fold(BTreeMap::new(), |mut counts, command| {
        *counts.entry(command.name.clone()).or_insert(0) += 1;
        counts
    });
    let has_notes = document["notes"].as_array().is_some_and(|notes| !notes.is_empty());
    let expected =
        expected_commands(&facts, has_notes).into_iter().map(|(level, n)| (level.to_owned(), n.min(10))).collect();
    assert_eq!(found, expected, "{}", written.texts["github"]);
    let outline = outline(&written.texts["markdown"]);
    let mut items: Vec<String> = outline.items.iter().filter_map(|item| beginning(item)).collect();
    // A finding may move an entry up.
    items.sort();
    assert!(written.texts["markdown"].len() <= 65_536);
    Structure {
        drift: facts.iter().filter(|(kind, ..)| kind == "item").count(),
        blocks: document["entries"].as_array().map_or(0, Vec::len),
        junit: junit_elements(&written.texts["junit"]),
        headings: outline.headings,
        code_blocks: outline.code_blocks,
        details: outline.details,
        rows: outline.rows,
        items,
    }
}

/// How a list item begins, what follows may be words of the payload. Nothing for a finding.
fn beginning(item: &str) -> Option<String> {
    let begin = item.split(": ").next().unwrap_or_default();
    (!begin.contains("new finding")).then(|| begin.to_owned())
}

fn drifted(text: &str) -> Structure {
    let sandbox = Sandbox::new();
    let lock = file_name(text);
    sandbox.write("then.json", surface(text, false));
    sandbox.write("now.json", surface(text, true));
    sandbox.run(&["pin", "--surface", "then.json", "--lock", &lock, "--approve", "--approver", "ann"]).expect(0);
    let mut pinned: Value = serde_json::from_str(&sandbox.read(&lock)).expect("JSON");
    pinned["pin"]["approver"] = json!(text);
    sandbox.write(&lock, format!("{pinned:#}\n"));
    let written = run(&sandbox, &["check", "--surface", "now.json"], &lock, 1);
    let document = written.json("json");
    let targets: Vec<&str> =
        document["entries"].as_array().expect("entries").iter().filter_map(|entry| entry["target"].as_str()).collect();
    assert!(targets.contains(&format!("tools/{text}").as_str()), "the very name: {targets:?}");
    structure(&written)
}

#[test]
fn drift_reads_the_same_whatever_the_texts_say() {
    let check = |payload: &str| {
        let found = drifted(payload);
        assert_eq!((found.blocks, found.drift), (6, 7), "{payload:?}: {found:?}");
        assert_eq!(found, drifted(&twin(payload)), "{payload:?}");
    };
    in_two_threads(&PAYLOADS, check);
}

#[test]
fn names_of_any_length_are_bounded() {
    for payload in ["::error::`|<@a ".repeat(7_000), "\u{202e}".repeat(40_000), "`".repeat(100_000)] {
        let found = drifted(&payload);
        assert_eq!(found.headings, drifted(&twin(&payload)).headings);
    }
}

fn not_checked(text: &str) -> Structure {
    let lock = file_name(text);
    let sandbox = Sandbox::new();
    sandbox.script(&json!({"methods": {"tools/list": [{"result": {"tools": [{"name": text}]}}]}}));
    sandbox.run(&["pin", "--lock", &lock, "--", "./server", "s.json"]).expect(0);
    sandbox.script(&json!({"stderr": format!("{text}\n{text}\n"), "methods": {"initialize": [{"exit": 2}]}}));
    let mut found = structure(&run(&sandbox, &["check"], &lock, 3));
    assert_eq!(found.junit["error"], 1, "{text:?}");
    assert_eq!((found.drift, found.blocks), (0, 0), "{text:?}");
    // A line of the payload is a line of standard error.
    found.code_blocks = found.code_blocks.min(1);
    found
}

#[test]
fn failures_read_the_same_whatever_a_server_complains() {
    let check = |payload: &str| assert_eq!(not_checked(payload), not_checked(&twin(payload)), "{payload:?}");
    in_two_threads(&PAYLOADS, check);
}

#[test]
fn errors_read_as_one_error_whatever_a_file_is_called() {
    let sandbox = Sandbox::new();
    for payload in PAYLOADS {
        let lock = file_name(payload);
        let written = run(&sandbox, &["check"], &lock, 2);
        assert_eq!(commands(&written).len(), 1, "{payload:?}");
        assert_eq!(written.json("gitlab").as_array().map(Vec::len), Some(1));
        assert_eq!(junit_elements(&written.texts["junit"])["error"], 1);
        assert_eq!(outline(&written.texts["markdown"]).headings, 1);
        assert_eq!(written.json("json")["verdict"], "error");
        written.json("sarif");
    }
}

#[test]
fn half_a_surrogate_is_an_error_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.write("then.json", surface("a", false));
    sandbox.write("now.json", surface("MARK", true).replace("MARK", "\\ud800"));
    sandbox.run(&["pin", "--surface", "then.json", "--lock", "a.lock"]).expect(0);
    let outputs: Vec<String> = FORMATS.iter().map(|format| format!("--output={format}=out.{format}")).collect();
    let mut args = vec!["check", "--surface", "now.json", "--lock", "a.lock"];
    args.extend(outputs.iter().map(String::as_str));
    let run = sandbox.run(&args);
    assert!(matches!(run.code, Some(2 | 3)), "{run}");
    assert_eq!(junit_elements(&sandbox.read("out.junit"))["error"], 1);
    outline(&sandbox.read("out.markdown"));
    assert!(sandbox.read("out.github").lines().all(|line| workflow_command(line).is_some_and(|c| c.name == "error")));
    assert_ne!(sandbox.read("out.gitlab"), "[]\n");
}

/// The machine has more than one processor, and most of the time goes into starting programs.
fn in_two_threads(payloads: &[&str], check: impl Fn(&str) + Sync) {
    let (left, right) = payloads.split_at(payloads.len() / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| left.iter().for_each(|payload| check(payload)));
        right.iter().for_each(|payload| check(payload));
    });
}
