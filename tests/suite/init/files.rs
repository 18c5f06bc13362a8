//! The files that `warden init` writes beside the locks: which, where, and what stands in them.

use super::{GITHUB, HOOKS, init, marked, started, with_origin, written};
use crate::support::cli::Run;
use crate::support::project::Project;
use crate::support::yaml;
use clap::CommandFactory as _;
use serde_json::json;
use std::path::Path;
use warden::config;

#[test]
fn no_file_that_is_there_is_touched() {
    let project = Project::of(&["ada"]);
    std::fs::create_dir_all(project.sandbox.path(".github/workflows")).expect("folders");
    let there = [("warden.toml", "# mine\n"), (GITHUB, "name: mine\n"), (HOOKS, "repos: []\n")];
    for (name, text) in there {
        project.sandbox.write(name, text);
    }
    let run = project.sandbox.run(&["init", "--yes"]).expect(0);
    for (name, text) in there {
        assert_eq!(project.sandbox.read(name), text);
        assert!(run.stdout.contains(&format!("{name} is there already")), "{name}\n{run}");
    }
    assert!(project.sandbox.exists(".warden/ada/warden.lock"));
    // The lines to add are printed, and are what makes the file whole.
    let shown = |name: &str| {
        let rest =
            run.stdout.split(&format!("To add to {name}:\n\n")).nth(1).unwrap_or_else(|| panic!("{name}\n{run}"));
        let lines = rest.lines().take_while(|line| line.is_empty() || line.starts_with("    "));
        lines.map(|line| format!("{}\n", line.get(4..).unwrap_or_default())).collect::<String>()
    };
    assert!(config::parse(shown("warden.toml").as_bytes()).expect("tables").servers.len() == 1);
    let hooks = yaml::parse(&format!("repos:\n{}", shown(HOOKS))).expect("YAML");
    assert_eq!(hooks["repos"][0]["repo"], "local");
    // Machines get one document.
    init(&project, &[]).expect(0).document();
    // A pipeline that has its own jobs keeps them.
    let project = Project::of(&["ada"]);
    project.sandbox.write(".gitlab-ci.yml", "job: {script: [true]}\n");
    let run = project.sandbox.run(&["init", "--yes"]).expect(0);
    assert_eq!(project.sandbox.read(".gitlab-ci.yml"), "job: {script: [true]}\n");
    assert!(run.stdout.contains("To add to .gitlab-ci.yml:\n") && run.stdout.contains("check --all"), "{run}");
}

#[test]
fn nothing_is_written_through_a_link_out_of_the_project() {
    for (name, is_broken) in [
        ("warden.toml", true),
        (".warden", false),
        (".github", false),
        (".github", true),
        (".pre-commit-config.yaml", true),
    ] {
        let project = marked(&["ada"]);
        let outside = project.sandbox.path("../outside");
        if !is_broken {
            std::fs::create_dir(&outside).expect("a folder");
        }
        std::os::unix::fs::symlink(&outside, project.sandbox.path(name)).expect("a link");
        let run = init(&project, &["--forge", "github"]);
        // A link in the place of the file is a file that is there; any other stops everything.
        let code = if name == HOOKS { 0 } else { 2 };
        let run = run.expect(code);
        assert_eq!(started(&project, &["ada"]), [code == 0], "{name}\n{run}");
        assert_eq!(project.sandbox.exists("warden.toml"), code == 0 || name == "warden.toml", "{name}");
        assert!(project.sandbox.path(name).symlink_metadata().expect("the link").is_symlink());
        match is_broken {
            true => assert!(!outside.exists(), "{name}"),
            false => assert_eq!(outside.read_dir().expect("the folder").count(), 0, "{name}"),
        }
    }
    // One that stays inside is somebody's way to arrange a project.
    let project = Project::of(&["ada"]);
    std::fs::create_dir(project.sandbox.path("ci")).expect("a folder");
    std::os::unix::fs::symlink("ci", project.sandbox.path(".github")).expect("a link");
    init(&project, &["--forge", "github"]).expect(0);
    assert!(project.sandbox.exists("ci/workflows/warden.yml"));
}

#[test]
fn no_report_takes_the_place_of_a_file_that_is_made() {
    for name in ["warden.toml", HOOKS, "./.pre-commit-config.yaml"] {
        let project = marked(&["ada"]);
        let run = init(&project, &["--output", &format!("json={name}")]).expect(2);
        assert_eq!(started(&project, &["ada"]), [false], "{run}");
        assert!(!project.sandbox.exists(".warden") && !project.sandbox.exists(name), "{run}");
    }
}

#[test]
fn the_forge_is_recognised_or_named() {
    let of = |origin: &str, folder: &str, options: &[&str]| {
        let project = Project::of(&["ada"]);
        with_origin(&project, origin);
        if !folder.is_empty() {
            std::fs::create_dir(project.sandbox.path(folder)).expect("a folder");
        }
        let run = init(&project, options).expect(0);
        let files = written(&run);
        (project, files, run)
    };
    let (project, files, _) = of("git@gitlab.example.com:o/r", "", &[]);
    assert_eq!(files, ["warden.toml", ".gitlab-ci.yml", HOOKS]);
    let pipeline = yaml::parse(&project.sandbox.read(".gitlab-ci.yml")).expect("YAML");
    assert!(pipeline["warden"]["script"].to_string().contains("check --all"), "{pipeline}");
    // A job without rules is in no pipeline of a merge request.
    let rules = pipeline["warden"]["rules"].to_string();
    assert!(
        ["merge_request_event", "schedule", "CI_DEFAULT_BRANCH"].iter().all(|rule| rules.contains(rule)),
        "{rules}"
    );
    assert_eq!(of("https://example.com/o/r", ".github", &[]).1, ["warden.toml", GITHUB, HOOKS]);
    let (_, files, run) = of("https://example.com/o/r", "", &[]);
    assert_eq!(files, ["warden.toml", HOOKS]);
    assert!(run.stdout.contains("docs/ci.md"), "{run}");
    assert_eq!(of("https://github.com/o/r", ".github", &["--forge", "none"]).1, ["warden.toml", HOOKS]);
    assert_eq!(of("https://github.com/o/r", ".github", &["--forge", "gitlab"]).1[1], ".gitlab-ci.yml");
}

#[test]
fn the_files_for_ci_are_what_their_readers_expect() {
    let mut project = Project::of(&["ada"]);
    project.configure(
        "key",
        json!({"command": "./server", "args": ["ada.json"], "env": {"A": "${SOME_KEY}", "B": "${HOME}"}}),
    );
    let mut command = project.sandbox.command(&["init", "--yes", "--forge", "github"]);
    Run::of(command.env("SOME_KEY", "k")).expect(0);
    let text = project.sandbox.read(GITHUB);
    let workflow = yaml::parse(&text).expect("YAML");
    assert_eq!(workflow["permissions"], json!({"contents": "read"}));
    let job = &workflow["jobs"]["check"];
    assert!(job.get("permissions").is_none() && job["timeout-minutes"].is_i64(), "{job}");
    let steps = job["steps"].as_array().expect("steps");
    assert_eq!(steps[0]["with"], json!({"persist-credentials": false}));
    let inputs = yaml::file("action.yml")["inputs"].clone();
    let with = steps[1]["with"].as_object().expect("inputs");
    assert!(with.keys().all(|name| inputs.get(name).is_some()) && with["all"] == json!(true), "{with:?}");
    // A secret is handed over by its owner only.
    assert!(text.contains("#   SOME_KEY: ${{ secrets.SOME_KEY }}") && !text.contains("HOME"), "{text}");
    assert!(!workflow.to_string().contains("secrets"), "{workflow}");
    // The hooks are commands that the program knows.
    let hooks = yaml::parse(&project.sandbox.read(HOOKS)).expect("YAML");
    let hooks = hooks["repos"][0]["hooks"].as_array().expect("hooks").clone();
    assert_eq!(hooks.len(), 2);
    for hook in &hooks {
        let words: Vec<&str> = hook["entry"].as_str().expect("an entry").split(' ').collect();
        assert!(warden::cli::Cli::command().try_get_matches_from(&words).is_ok(), "{words:?}");
        assert_eq!(hook["language"], "system");
    }
    let files = regex::Regex::new(hooks[0]["files"].as_str().expect("a pattern")).expect("a regular expression");
    assert!(files.is_match(".warden/ada/warden.lock") && !files.is_match("Cargo.lock"));
}

#[test]
fn the_page_shows_the_files_that_are_written() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md")).expect("the page");
    let blocks: Vec<_> = page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let shown: Vec<_> = blocks.iter().map(|text| yaml::parse(text).expect("YAML")).collect();
    let project = Project::of(&["ada"]);
    init(&project, &["--forge", "github"]).expect(0);
    let workflow = yaml::parse(&project.sandbox.read(GITHUB)).expect("YAML");
    assert!(shown.iter().any(|block| block["jobs"] == workflow["jobs"]), "{workflow}");
    let hooks = yaml::parse(&project.sandbox.read(HOOKS)).expect("YAML");
    assert!(shown.contains(&hooks), "{hooks}");
}
