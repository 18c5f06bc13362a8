//! `warden init`: from clients' files to a baseline that the next check finds clean.

mod cut_short;
mod files;

use crate::support::cli::Run;
use crate::support::project::{Project, pairs, part, tool, verdicts};
use crate::support::terminal::{run_and_then, run_at_terminal};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use warden::config::{self, ServerSource};

const GITHUB: &str = ".github/workflows/warden.yml";
const HOOKS: &str = ".pre-commit-config.yaml";

/// A project whose servers leave a mark where they are started.
fn marked(names: &[&str]) -> Project {
    let mut project = Project::of(&[]);
    for name in names {
        let mut script = tool(name);
        script["pid_file"] = json!(project.sandbox.path(format!("{name}.started")));
        project.add(name, &script);
    }
    project
}

fn started(project: &Project, names: &[&str]) -> Vec<bool> {
    names.iter().map(|name| project.sandbox.exists(&format!("{name}.started"))).collect()
}

fn with_origin(project: &Project, url: &str) {
    project.sandbox.write(".git/config", format!("[remote \"origin\"]\n\turl = {url}\n"));
}

/// Every file and link below the working folder, with its content.
fn everything(project: &Project) -> BTreeMap<String, Vec<u8>> {
    fn add(folder: &Path, name: &str, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in folder.read_dir().expect("a folder").map(|entry| entry.expect("an entry")) {
            let name = format!("{name}/{}", entry.file_name().to_string_lossy());
            match entry.file_type().expect("a type").is_dir() {
                true => add(&entry.path(), &name, found),
                false => drop(found.insert(name, std::fs::read(entry.path()).unwrap_or_default())),
            }
        }
    }
    let mut found = BTreeMap::new();
    add(&project.sandbox.path(""), "", &mut found);
    found
}

fn written(run: &Run) -> Vec<String> {
    let document = run.document();
    document["written"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|name| name.as_str().expect("a text").to_owned())
        .collect()
}

fn init(project: &Project, options: &[&str]) -> Run {
    project.sandbox.run(&[&["init", "--yes", "--json"], options].concat())
}

#[test]
fn a_baseline_is_made_and_the_next_check_is_clean() {
    let project = Project::of(&["ada", "bob"]);
    with_origin(&project, "git@github.com:o/r.git");
    let run = init(&project, &[]).expect(0);
    assert_eq!(run.document()["command"], "init");
    assert_eq!(verdicts(&run), pairs(&[("ada", "pinned"), ("bob", "pinned")]));
    assert_eq!(written(&run), ["warden.toml", GITHUB, HOOKS]);
    assert_eq!(verdicts(&project.check(&[]).expect(0)), pairs(&[("ada", "clean"), ("bob", "clean")]));
    // Exactly what was made, in one command that git takes.
    let steps = run.document()["next"].clone();
    let add = steps
        .as_array()
        .expect("steps")
        .iter()
        .find_map(|step| step["command"].as_str().and_then(|command| command.strip_prefix("git add ")));
    let files = format!("warden.toml {GITHUB} {HOOKS} .warden/ada/warden.lock .warden/bob/warden.lock");
    assert_eq!(add, Some(files.as_str()), "{steps}");
    let read = config::parse(project.sandbox.read("warden.toml").as_bytes()).expect("our own reader takes it");
    let from = ServerSource::From { file: ".mcp.json".to_owned(), entry: None };
    assert!(
        read.servers.len() == 2 && read.servers.iter().all(|server| server.source == from && server.skip.is_none())
    );
    // No half-written file stays.
    assert!(everything(&project).keys().all(|name| !name.contains(".tmp")));
}

#[test]
fn a_second_run_changes_nothing() {
    let project = marked(&["ada"]);
    with_origin(&project, "https://github.com/o/r");
    init(&project, &[]).expect(0);
    std::fs::remove_file(project.sandbox.path("ada.started")).expect("a mark");
    let before = everything(&project);
    for options in [&["init"][..], &["init", "--yes"], &["init", "--json"]] {
        let run = project.sandbox.run(options).expect(0);
        assert!(run.stdout.contains("nothing was changed"), "{run}");
        assert_eq!(everything(&project), before);
    }
    // Cut short, a run is finished by the next one, without starting anything.
    std::fs::remove_file(project.sandbox.path(GITHUB)).expect("a file");
    let run = init(&project, &[]).expect(0);
    assert_eq!(written(&run), [GITHUB]);
    assert_eq!(everything(&project), before);
    // What names servers would say something that the file does not.
    let run = init(&project, &["--only", "ada"]).expect(2);
    assert!(run.all().contains("warden.toml names the servers"), "{run}");
    // A server that came later has no lock, and that is said.
    let mut project = project;
    project.add("new", &tool("new"));
    let run = init(&project, &[]).expect(0);
    assert!(run.stdout.contains("without a lock: new"), "{run}");
    let people = project.sandbox.run(&["init"]).expect(0).stdout;
    for line in ["- ada  not started: it has a lock already\n", "- new  not started: it has no lock yet\n"] {
        assert!(people.contains(line), "{people}");
    }
    project.check(&[]).expect(1);
}

#[test]
fn without_a_terminal_and_without_yes_nothing_happens() {
    let project = marked(&["ada", "bob"]);
    let before = everything(&project);
    for options in [&["init"][..], &["init", "--json"], &["init", "--only", "ada"], &["init", "--forge", "github"]] {
        let run = project.sandbox.run(options).expect(2);
        assert!(run.all().contains("./server ada.json") && run.all().contains("--yes"), "{run}");
        assert_eq!(everything(&project), before);
    }
    assert_eq!(started(&project, &["ada", "bob"]), [false, false]);
}

#[test]
fn a_person_chooses_by_names_or_numbers() {
    const NAMES: [&str; 3] = ["ada", "bob", "cyd"];
    for (answer, chosen) in [
        ("\n", [true, true, true]),
        ("bob\n", [false, true, false]),
        ("3, 1\n", [true, false, true]),
        ("none\n", [false, false, false]),
    ] {
        let project = marked(&NAMES);
        let run = run_at_terminal(&mut project.sandbox.command(&["init", "--json"]), &[("Which?", answer)]).expect(0);
        for text in ["1  ada: ./server ada.json  (.mcp.json:", "warden.toml, .pre-commit-config.yaml", "to pin"] {
            assert!(run.stderr.contains(text), "{text}\n{run}");
        }
        assert_eq!(run.stderr.matches("Which?").count(), 1, "one question: {run}");
        assert_eq!(started(&project, &NAMES), chosen, "{answer:?}\n{run}");
        let expect = |yes: &str, no: &str| -> Vec<(String, String)> {
            let word = |is_chosen: bool| if is_chosen { yes } else { no };
            NAMES.iter().zip(chosen).map(|(name, chosen)| ((*name).to_owned(), word(chosen).to_owned())).collect()
        };
        assert_eq!(verdicts(&run), expect("pinned", "skipped"), "{answer:?}");
        // Of a project without a server that is checked, nothing is known.
        let check = project.check(&[]).expect(if answer == "none\n" { 3 } else { 0 });
        assert_eq!(verdicts(&check), expect("clean", "skipped"), "{answer:?}");
        assert!(check.stdout.contains("not chosen") || chosen == [true; 3], "{check}");
    }
}

#[test]
fn an_answer_that_means_nothing_starts_nothing() {
    let project = marked(&["ada", "bob"]);
    let before = everything(&project);
    for answers in [
        &[("Which?", "\u{4}")][..],
        &[("Which?", "eve\n"), ("no server eve", "0\n"), ("no server 0", "x\n")],
        &[("", "\n"), ("Which?", "\u{4}")],
    ] {
        let run = run_at_terminal(&mut project.sandbox.command(&["init"]), answers).expect(2);
        assert!(run.stderr.contains("nothing was started and nothing was written"), "{run}");
        assert_eq!(everything(&project), before);
    }
    // A slip is not the end.
    let answers = [("Which?", "eve\n"), ("no server eve", "bob\n")];
    run_at_terminal(&mut project.sandbox.command(&["init"]), &answers).expect(0);
    assert_eq!(started(&project, &["ada", "bob"]), [false, true]);
}

#[test]
fn what_is_started_is_what_was_shown() {
    let project = marked(&["ada"]);
    let path = project.sandbox.path(".mcp.json");
    let evil = project.sandbox.read(".mcp.json").replace("ada.json", "evil.json");
    project.play("evil", &{
        let mut script = tool("evil");
        script["pid_file"] = json!(project.sandbox.path("evil.started"));
        script
    });
    let mut swap = || std::fs::write(&path, &evil).expect("a file");
    run_and_then(&mut project.sandbox.command(&["init"]), &mut swap, &[("Which?", "\n")]).expect(0);
    assert_eq!(started(&project, &["ada", "evil"]), [true, false]);
    // The check sees the other command, and does not start it either.
    project.check(&[]).expect(1);
    assert_eq!(started(&project, &["evil"]), [false]);
}

#[test]
fn a_server_that_cannot_be_captured_keeps_its_table_and_fails_the_check() {
    let mut project = Project::of(&["ada"]);
    project.add("bad", &json!({"methods": {"initialize": [{"exit": 1}]}}));
    project
        .configure("unset", json!({"command": "./server", "args": ["ada.json"], "env": {"A": "${NO_SUCH_VARIABLE}"}}));
    let run = init(&project, &[]).expect(3);
    assert_eq!(verdicts(&run), pairs(&[("ada", "pinned"), ("bad", "not-pinned"), ("unset", "failed")]));
    assert_eq!(written(&run), ["warden.toml", HOOKS]);
    assert!(run.stdout.contains("warden pin --all --only=bad --only=unset"), "{run}");
    let config = config::parse(project.sandbox.read("warden.toml").as_bytes()).expect("a configuration");
    assert!(config.servers.iter().all(|server| server.skip.is_none()));
    let check = project.check(&[]).expect(1);
    assert_eq!(verdicts(&check), pairs(&[("ada", "clean"), ("bad", "not-locked"), ("unset", "not-locked")]));
    // Mended, the command of the report does the rest.
    project.add("bad", &tool("bad"));
    let mut pin = project.sandbox.command(&["pin", "--all", "--yes", "--only=bad", "--only=unset"]);
    Run::of(pin.env("NO_SUCH_VARIABLE", "x")).expect(0);
    let mut check = project.sandbox.command(&["check", "--all"]);
    Run::of(check.env("NO_SUCH_VARIABLE", "x")).expect(0);
}

#[test]
fn servers_that_nobody_but_their_client_can_start_are_skipped_with_the_reason() {
    let mut project = Project::of(&["ada"]);
    std::fs::create_dir(project.sandbox.path(".roo")).expect("a folder");
    let off = json!({"mcpServers": {"off": {"command": "./server", "args": ["ada.json"], "disabled": true}}});
    project.sandbox.write(".roo/mcp.json", off.to_string());
    project.configure("odd", json!({"args": ["x"]}));
    std::fs::create_dir(project.sandbox.path(".vscode")).expect("a folder");
    let asks = json!({"servers": {"asks": {"command": "./server", "args": ["${input:token}"]}}});
    project.sandbox.write(".vscode/mcp.json", asks.to_string());
    let run = init(&project, &[]).expect(0);
    let skipped = verdicts(&run).into_iter().filter(|(_, verdict)| verdict == "skipped").count();
    assert!(verdicts(&run).contains(&("ada".to_owned(), "pinned".to_owned())), "{run}");
    assert_eq!(skipped, verdicts(&run).len() - 1, "{run}");
    let text = project.sandbox.read("warden.toml");
    assert!(text.contains("warden cannot start it: ") && text.contains("# To have it checked: "), "{text}");
    let check = project.check(&[]).expect(0);
    assert!(part(&check, "asks")["said"].as_str().expect("a sentence").contains("the client asks its user"), "{check}");
    // Asked for by name, it says why not.
    std::fs::remove_file(project.sandbox.path("warden.toml")).expect("a file");
    let run = init(&project, &["--only", "asks"]).expect(2);
    assert!(run.all().contains("asks its user"), "{run}");
    let run = init(&project, &["--only", "adda"]).expect(2);
    assert!(run.all().contains("did you mean ada?"), "{run}");
}

#[test]
fn one_name_for_two_servers_becomes_two_tables() {
    let project = Project::of(&["ada"]);
    project.play("other", &tool("other"));
    for (folder, map) in [(".vscode", "servers"), (".cursor", "mcpServers")] {
        std::fs::create_dir(project.sandbox.path(folder)).expect("a folder");
        let entry = json!({map: {"ada": {"command": "./server", "args": ["other.json"]}}});
        project.sandbox.write(&format!("{folder}/mcp.json"), entry.to_string());
    }
    let run = init(&project, &[]).expect(0);
    let names: Vec<String> = verdicts(&run).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["ada", "ada-cursor", "ada-vscode"], "{run}");
    let check = project.check(&[]).expect(0);
    assert_eq!(verdicts(&check), names.iter().map(|name| (name.clone(), "clean".to_owned())).collect::<Vec<_>>());
    let launch = |name: &str| part(&check, name)["launch"].clone();
    assert_eq!((launch("ada"), launch("ada-vscode")), (json!("./server ada.json"), json!("./server other.json")));
}

#[test]
fn names_may_hold_anything() {
    let mut project = Project::of(&[]);
    project.play("s", &tool("one"));
    let names = [
        "a b",
        "x\"]\n[servers.evil]\ncommand = [\"touch\", \"pwned\"]",
        "it's",
        "\\",
        "\u{202e}é",
        "\u{1b}[2J",
        "#",
        "a.b",
        "none",
        "1",
    ];
    for name in names {
        project.configure(name, json!({"command": "./server", "args": ["s.json"]}));
    }
    project.configure("", json!({"command": "./server", "args": ["s.json"]}));
    let run = init(&project, &[]).expect(0);
    let mut expected: Vec<(&str, &str)> = names.iter().map(|name| (*name, "pinned")).collect();
    expected.sort_unstable();
    assert_eq!(verdicts(&run), pairs(&expected));
    let config = config::parse(project.sandbox.read("warden.toml").as_bytes()).expect("a configuration");
    let mut read: Vec<&str> = config.servers.iter().map(|server| server.name.as_str()).collect();
    read.sort_unstable();
    assert_eq!(read, expected.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    // What has no name cannot be named: that is said, and no check passes until it is mended.
    assert!(run.stdout.contains("a server without a name is left out"), "{run}");
    project.check(&[]).expect(1);
    project.remove("");
    project.check(&[]).expect(0);
    assert!(!project.sandbox.exists("pwned"));
    // Nothing of it drives a terminal, in any form.
    let text = project.sandbox.read("warden.toml");
    let human = project.sandbox.run(&["init"]).expect(0);
    assert!(![&text, &human.all()].iter().any(|text| text.contains(['\u{1b}', '\u{202e}'])), "{human}");
}

#[test]
fn files_that_cannot_be_read_or_named_stop_it() {
    let project = marked(&["ada"]);
    std::fs::create_dir(project.sandbox.path(".vscode")).expect("a folder");
    project.sandbox.write(".vscode/mcp.json", "{\"servers\": {");
    let run = init(&project, &[]).expect(2);
    assert!(run.all().contains(".vscode/mcp.json") && started(&project, &["ada"]) == [false], "{run}");
    // Named files are the only ones, now and in later checks.
    let run = init(&project, &["--config", ".mcp.json"]).expect(0);
    assert_eq!(verdicts(&run), pairs(&[("ada", "pinned")]));
    project.check(&[]).expect(0);
    // A committed file cannot name what is elsewhere.
    let project = Project::of(&[]);
    let outside = project.sandbox.path("../outside.json");
    std::fs::write(&outside, json!({"mcpServers": {"x": {"command": "true"}}}).to_string()).expect("a file");
    let run = init(&project, &["--config", outside.to_str().expect("UTF-8")]).expect(2);
    assert!(run.all().contains("is not in the project's folder"), "{run}");
    // Nothing at all.
    let run = init(&project, &[]).expect(2);
    assert!(run.all().contains("no server is configured"), "{run}");
    assert!(!project.sandbox.exists("warden.toml"));
}

#[test]
fn it_works_from_a_folder_within() {
    let mut project = Project::of(&[]);
    std::fs::create_dir_all(project.sandbox.path("tools/x")).expect("folders");
    project.add("ada", &tool("ada"));
    let entry = json!({"mcpServers": {"sub": {"command": "./server", "args": ["ada.json"]}}});
    project.sandbox.write("tools/x/mcp.json", entry.to_string());
    let run = |options: &[&str]| Run::of(project.sandbox.command(options).current_dir(project.sandbox.path("tools/x")));
    let made = run(&["init", "--yes", "--json", "--config", "mcp.json"]).expect(0);
    assert_eq!(written(&made), ["../../warden.toml", "../../.pre-commit-config.yaml"], "{made}");
    let config = config::parse(project.sandbox.read("warden.toml").as_bytes()).expect("a configuration");
    assert_eq!(config.servers[0].source, ServerSource::From { file: "tools/x/mcp.json".to_owned(), entry: None });
    run(&["check", "--all"]).expect(0);
    project.check(&[]).expect(0);
    // No folder of a sandbox is left as a project of its own.
    assert!(!project.sandbox.exists("tools/x/warden.toml"));
}

#[test]
fn every_format_delivers_it_and_no_secret_is_in_any() {
    for format in ["human", "json", "jsonl", "sarif", "github", "markdown", "junit", "gitlab"] {
        let mut project = Project::of(&["ada"]);
        let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
        project.configure("key", json!({"command": "./server", "args": ["ada.json"], "env": {"TOKEN": secret}}));
        let run = project.sandbox.run(&["init", "--yes", "--forge", "github", "--format", format]).expect(0);
        assert!(!run.stdout.is_empty(), "{format}");
        let all = everything(&project);
        let mine = all.iter().filter(|(name, _)| *name != "/.mcp.json");
        for (name, text) in mine
            .map(|(name, text)| (name.as_str(), String::from_utf8_lossy(text).into_owned()))
            .chain([("output", run.all())])
        {
            assert!(!text.contains(secret), "{format} {name}");
        }
    }
}
