//! One folder of `tests/fixtures/clients/` for each client: its file, and the servers it holds, one a line.

use super::{only, read_as};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use warden::clients::{ConfigFile, NeedKind, Problem, Reason, RemarkKind, ServerEntry, Shape, Shown, read, source_for};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/clients")
}

/// The file of a sample: the only one beside `expected.jsonl`.
fn file_of(folder: &Path) -> PathBuf {
    let mut pending = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else if !path.ends_with("expected.jsonl") {
            found.push(path);
        }
    }
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn sample(name: &str) -> ConfigFile {
    let path = file_of(&fixtures().join(name));
    let source = source_for(&path).unwrap_or_else(|| panic!("nobody reads {path:?}"));
    read(&std::fs::read(&path).unwrap(), &source).unwrap()
}

/// The words that the samples use for what is wrong.
fn problem(entry: &ServerEntry) -> Option<&'static str> {
    if let Shape::NotReadable(reason) = &entry.shape {
        return Some(match reason {
            Reason::NotAnObject => "not an object",
            Reason::NeitherCommandNorUrl => "neither command nor url",
            Reason::BothCommandAndUrl => "both command and url",
            Reason::EmptyUrl => "empty url",
            Reason::UnknownType => "unknown type",
            Reason::NotAList(Shown(name)) if name == "args" => "args is not a list",
            Reason::Reference => "reference",
            Reason::Extension => "supplied by an extension",
            Reason::Registry => "registry reference",
            Reason::Patch => "patch of another file",
            Reason::BuiltIn => "built in",
            Reason::InlineCode => "inline code",
            Reason::Script => "script, not read",
            reason => panic!("{reason}"),
        });
    }
    match entry.problems.iter().map(|(_, problem)| problem).next()? {
        Problem::UrlWithoutType => Some("url without type"),
        Problem::CommandHoldsSpaces => Some("command holds spaces"),
        Problem::NoSuchInput(_) => Some("no such input"),
        problem => panic!("{problem}"),
    }
}

fn sorted<'s>(names: impl Iterator<Item = &'s String>) -> Option<Value> {
    let mut names: Vec<&String> = names.collect();
    names.sort();
    (!names.is_empty()).then(|| json!(names))
}

/// An entry in the notation of the samples.
fn line(entry: &ServerEntry, with_scope: bool) -> Value {
    let mut out = Map::new();
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            out.insert(name.to_owned(), value);
        }
    };
    set("name", Some(json!(entry.name)));
    if with_scope {
        let user = entry.client.as_str() == "claude-code" && entry.file.ends_with(".claude.json");
        let scope = match entry.project() {
            Some(project) => format!("local:{project}"),
            None if user => "user".to_owned(),
            None => entry.map.join("."),
        };
        set("scope", Some(json!(scope)));
    }
    match &entry.shape {
        Shape::NotReadable(_) => set("transport", Some(json!("none"))),
        Shape::Stdio(stdio) => {
            set("transport", Some(json!("stdio")));
            set("command", Some(json!(stdio.command.value.written())));
            set("args", Some(stdio.args.iter().map(|word| word.value.written()).collect()));
            set("cwd", stdio.cwd.as_ref().map(|cwd| json!(cwd.value.written())));
            set("env", sorted(stdio.env.iter().map(|setting| &setting.name)));
            set("forward", sorted(stdio.forward.iter().map(|named| &named.name)));
        }
        Shape::Remote(remote) => {
            set("transport", Some(json!(remote.kind.as_str())));
            set("url", Some(json!(remote.url.value.written())));
            set("headers", sorted(remote.headers.iter().map(|setting| &setting.name)));
            set("forward", sorted(remote.forward.iter().map(|named| &named.name)));
        }
    }
    set("enabled", (!entry.is_enabled()).then(|| json!(false)));
    set("only", entry.tools.only.as_ref().map(|names| json!(names)));
    set("hide", (!entry.tools.hide.is_empty()).then(|| json!(entry.tools.hide)));
    set("problem", problem(entry).map(|problem| json!(problem)));
    Value::Object(out)
}

#[test]
fn every_sample_holds_exactly_the_listed_servers() {
    let mut problems = Vec::new();
    let mut lines = 0;
    for folder in fixtures().read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let file = sample(name);
        let expected = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
        let expected: Vec<Value> = expected.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let with_scope = expected.iter().any(|line| line.get("scope").is_some());
        let found: Vec<Value> = file.servers.iter().map(|entry| line(entry, with_scope)).collect();
        lines += expected.len();
        // Their members may stand in any order.
        if found != expected {
            problems.push(format!("{name}\nfound {found:#?}\nexpected {expected:#?}"));
        }
        assert_eq!(file.refusals, [], "{name}");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    assert!(lines > 100, "{lines}");
}

#[test]
fn every_entry_says_where_its_name_stands() {
    let mut seen = 0;
    for folder in fixtures().read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        let path = file_of(&folder);
        let text = std::fs::read_to_string(&path).unwrap();
        for entry in sample(folder.file_name().unwrap().to_str().unwrap()).servers {
            let line = text.lines().nth(entry.at.line as usize - 1).unwrap();
            let rest: String = line.chars().skip(entry.at.column as usize - 1).collect();
            let rest = rest.trim_start_matches('"');
            // In lists the entry itself begins there; Goose's names stand inside of the entry.
            if rest.to_lowercase().starts_with(&entry.name.to_lowercase()) {
                seen += 1;
            } else {
                let list = ["continue", "mistral-vibe", "goose", "crush-script"];
                assert!(list.iter().any(|list| folder.to_str().unwrap().contains(list)), "{path:?} {entry:?}: {rest}");
            }
        }
    }
    assert!(seen > 90, "{seen}");
}

/// Line and column of everything that later findings point at.
#[test]
fn values_say_where_they_stand() {
    let file = sample("codex");
    let Shape::Stdio(tide) = &file.servers[0].shape else { panic!() };
    let at = |at: warden::clients::Position| (at.line, at.column);
    assert_eq!(at(file.servers[0].at), (3, 14));
    assert_eq!(at(tide.command.at), (4, 11));
    assert_eq!(tide.args.iter().map(|word| at(word.at)).collect::<Vec<_>>()[1], (5, 15));
    assert_eq!(at(tide.forward[1].at), (6, 25));
    assert_eq!(at(tide.env[0].at), (13, 1));
    let file = sample("goose");
    let Shape::Stdio(tide) = &file.servers[1].shape else { panic!() };
    assert_eq!((at(file.servers[1].at), at(tide.command.at), at(tide.env[0].at)), ((9, 3), (14, 10), (16, 13)));
    let file = sample("copilot-cli-agent");
    let Shape::Stdio(ledger) = &file.servers[0].shape else { panic!() };
    assert_eq!((at(file.servers[0].at), at(ledger.command.at), at(ledger.env[0].at)), ((5, 3), (7, 14), (11, 7)));
    let file = sample("gemini-cli");
    assert_eq!(file.servers[2].disabled.map(at), Some((4, 64)));
    assert_eq!(file.servers[3].disabled.map(at), Some((4, 23)));
}

#[test]
fn what_only_the_client_would_do_is_named_and_not_done() {
    let needs = |name: &str, entry: usize| -> Vec<(NeedKind, String)> {
        sample(name).servers[entry].needs.iter().map(|need| (need.kind, need.member.0.clone())).collect()
    };
    let one = |kind, member: &str| vec![(kind, member.to_owned())];
    assert_eq!(needs("crush", 0), one(NeedKind::RunsCommand, "TIDE_KEY"));
    assert_eq!(needs("claude-code-project", 2), one(NeedKind::RunsCommand, "headersHelper"));
    assert_eq!(needs("windsurf", 1), one(NeedKind::ReadsFile, "TIDE_KEY"));
    assert_eq!(needs("opencode", 1), one(NeedKind::ReadsFile, "Authorization"));
    assert_eq!(needs("cursor", 0), one(NeedKind::ReadsFile, "envFile"));
    assert_eq!(needs("vscode", 1), one(NeedKind::AsksUser, "Authorization"));
    assert_eq!(needs("codex", 0), []);
}

#[test]
fn files_say_more_than_their_entries() {
    let remarks = |name: &str| -> Vec<(u32, RemarkKind)> {
        sample(name).remarks.into_iter().map(|remark| (remark.at.line, remark.kind)).collect()
    };
    let tide = |first| RemarkKind::SameName { name: Shown("tide".to_owned()), first };
    assert_eq!(remarks("both-keys"), [(3, tide(2))]);
    assert_eq!(remarks("same-name-twice"), [(4, tide(3))]);
    // One for a project takes the place of one for all: nothing unusual.
    assert_eq!(remarks("claude-code-user"), []);
    assert_eq!(remarks("gemini-cli"), [(4, RemarkKind::CommandLine(Shown("mcp.serverCommand".to_owned())))]);
    assert_eq!(remarks("amazon-q"), [(11, RemarkKind::LegacyFilesToo)]);
    assert_eq!(remarks("goose-recipe"), [(15, RemarkKind::OtherFile(Shown("sub_recipes".to_owned())))]);
}

#[test]
fn one_file_name_belongs_to_several_clients() {
    let speakers = |text: &str| -> Vec<(String, Vec<String>)> {
        let servers = read_as(".mcp.json", text).unwrap().servers;
        let ids = |entry: &ServerEntry| entry.read_by.iter().map(|id| id.as_str().to_owned()).collect();
        servers.iter().map(|entry| (entry.client.as_str().to_owned(), ids(entry))).collect()
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let wrapped = ["claude-code", "copilot-cli", "qwen-code", "warp", "jetbrains-air"];
    assert_eq!(
        speakers(r#"{"mcpServers": {"a": {"command": "x"}}, "servers": {"b": {"command": "x"}}}"#),
        [("claude-code".to_owned(), words(&wrapped)), ("visual-studio".to_owned(), words(&["visual-studio"]))]
    );
    assert_eq!(speakers(r#"{"a": {"command": "x"}}"#)[0].1, ["claude-code", "copilot-cli"]);
    // A known key, even an empty one, makes it no bare map.
    assert_eq!(speakers(r#"{"servers": {}, "a": {"command": "x"}}"#), []);
}

#[test]
fn what_no_client_of_the_file_loads_is_listed_and_marked() {
    for (path, text, place) in [
        (".cursor/mcp.json", r#"{"servers": {"a": {"command": "x"}}}"#, "servers"),
        (".vscode/mcp.json", r#"{"mcpServers": {"a": {"command": "x"}}}"#, "mcpServers"),
        (".cursor/mcp.json", r#"{"a": {"command": "x"}}"#, "the top level"),
    ] {
        let entry = only(path, text);
        assert_eq!(entry.read_by, []);
        assert_eq!(entry.problems, [(entry.client, Problem::NotLoaded(Shown(place.to_owned())))], "{path}");
    }
    // In a file with other settings such a name may mean anything.
    assert_eq!(read_as(".zed/settings.json", r#"{"servers": {"a": {"command": "x"}}}"#).unwrap().servers.len(), 0);
}

#[test]
fn clients_that_would_refuse_the_file_are_named() {
    let refusals = |path: &str, text: &str| -> Vec<String> {
        read_as(path, text).unwrap().refusals.iter().map(ToString::to_string).collect()
    };
    let commented = "{\n  // ours\n  \"mcpServers\": {}\n}";
    let strict = refusals(".mcp.json", commented);
    assert_eq!(strict[0], "Claude Code would refuse the whole file at line 2, column 3: Comments are not allowed");
    assert_eq!(strict.len(), 6, "{strict:?}");
    assert_eq!(refusals(".gemini/settings.json", commented), [""; 0]);
    assert_eq!(
        refusals(".gemini/settings.json", r#"{"mcpServers": {},}"#),
        ["Gemini CLI would refuse the whole file at line 1, column 18: Trailing commas are not allowed"]
    );
    assert_eq!(refusals(".zed/settings.json", r#"{"context_servers": {},}"#), [""; 0]);
    assert_eq!(refusals(".zed/settings.json", "{'context_servers': {}}").len(), 1);
    assert_eq!(refusals("mcphub/servers.json", "{servers: {},}"), [""; 0]);
    // Strict in Visual Studio? Both of its neighbours in this folder take comments.
    assert_eq!(refusals(".vscode/mcp.json", commented), [""; 0]);
    // Comma removal by pattern would edit this text.
    assert_eq!(refusals(".mcp.json", r#"{"mcpServers": {"a": {"command": "a,} // b"}}}"#), [""; 0]);
}

#[test]
fn several_readers_each_have_their_own_opinion() {
    let entry = only(".mcp.json", r#"{"mcpServers": {"workspace": {"url": "https://maps.example.test/mcp"}}}"#);
    let problems: Vec<String> = entry.problems.iter().map(|(client, problem)| format!("{client}: {problem}")).collect();
    assert_eq!(
        problems,
        ["Claude Code: the client keeps this name for itself", "Claude Code: an entry with a url needs a type"]
    );
}

#[test]
fn switches_count_only_where_the_client_knows_them() {
    let off = |path: &str, entry: &str| {
        let key = if path.contains("codex") { "mcp_servers" } else { "mcpServers" };
        let entry = only(path, &format!("{{\"{key}\": {{\"a\": {entry}}}}}"));
        (!entry.is_enabled(), entry.problems.len())
    };
    assert_eq!(off(".roo/mcp.json", r#"{"command": "x", "disabled": true}"#), (true, 0));
    assert_eq!(off(".roo/mcp.json", r#"{"command": "x", "disabled": false}"#), (false, 0));
    assert_eq!(off(".roo/mcp.json", r#"{"command": "x", "disabled": "true"}"#), (false, 1));
    assert_eq!(off(".roo/mcp.json", r#"{"command": "x", "enabled": false}"#), (false, 0));
    // Claude Code starts it all the same.
    assert_eq!(off(".mcp.json", r#"{"command": "x", "disabled": true}"#), (false, 0));
    let codex = only(".codex/config.toml", "[mcp_servers.a]\nenabled = false\ncommand = \"x\"");
    assert!(!codex.is_enabled());
}

#[test]
fn clients_that_would_run_another_server_are_named_with_the_member() {
    let said = |entry: &str| -> Vec<String> {
        let entry = only(".mcp.json", &format!("{{\"mcpServers\": {{\"a\": {entry}}}}}"));
        entry.disagreements.iter().map(ToString::to_string).collect()
    };
    for (entry, expected) in [
        (
            r#"{"command": "x", "httpUrl": "https://b.test"}"#,
            "Claude Code starts a program, and Qwen Code asks the server at the URL in httpUrl",
        ),
        (
            r#"{"command": "x", "tcp": "b.test:1"}"#,
            "Claude Code starts a program, and Qwen Code asks the server at the URL in tcp",
        ),
        (
            r#"{"type": "http", "url": "https://a.test", "httpUrl": "https://b.test"}"#,
            "Claude Code and Qwen Code differ in what they make of httpUrl",
        ),
        (r#"{"tcp": "https://b.test"}"#, "Claude Code and Qwen Code differ in what they make of tcp"),
        (
            r#"{"command": "x", "working_directory": "b"}"#,
            "Claude Code and Warp differ in what they make of working_directory",
        ),
        (
            r#"{"command": "x", "cwd": "a", "working_directory": "b"}"#,
            "Claude Code and Warp differ in what they make of working_directory",
        ),
    ] {
        assert_eq!(said(entry), [expected], "{entry}");
    }
    for alike in [
        r#"{"command": "x", "cwd": "b", "working_directory": "b"}"#,
        // Warp skips it. What the first client reads is what a lock records.
        r#"{"command": "x", "cwd": "b"}"#,
        r#"{"command": "${X}", "args": ["$Y", "${input:z}"], "env": {"A": "${B:-c}"}}"#,
        // Claude Code cannot read it; the entry says so, and that is no other server.
        r#"{"command": "x", "url": "https://b.test"}"#,
        r#"{"type": "http", "url": "https://a.test", "headers": {"X-A": "${B}"}}"#,
        r#"{"url": "https://a.test"}"#,
    ] {
        assert_eq!(said(alike), [""; 0], "{alike}");
    }
}

#[test]
fn an_entry_is_off_only_where_all_its_clients_have_it_off() {
    let entry = |text: &str| only(".mcp.json", text);
    let off = r#"{"mcp": {"excluded": ["a"]}, "mcpServers": {"a": {"command": "x"}}}"#;
    assert!(entry(off).is_enabled(), "only Qwen Code has it off");
    // It is off for the one client that reads it in another way.
    let off = r#"{"mcp": {"excluded": ["a"]}, "mcpServers": {"a": {"command": "x", "tcp": "b.test:1"}}}"#;
    assert_eq!(entry(off).disagreements, []);
    assert_eq!(entry(&off.replace("excluded", "allowed")).disagreements.len(), 1);
}

#[test]
fn no_sample_is_read_in_different_ways() {
    for folder in fixtures().read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        for entry in sample(folder.file_name().unwrap().to_str().unwrap()).servers {
            assert_eq!(entry.disagreements, [], "{folder:?}");
        }
    }
}
