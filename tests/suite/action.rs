//! The GitHub Action: its scripts are run as a runner runs them, with a server that is scripted and inputs that attack.

use crate::support::cli::{Run, Sandbox, serving};
use crate::support::composite::{Action, obeyed};
use crate::support::project::{Project, tool};
use crate::support::yaml;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Texts that a shell would act on, were one of them ever taken for code.
const HOSTILE: [&str; 8] = [
    "$(touch pwned)",
    "`touch pwned`",
    "a b  c",
    "'single' \"double\"",
    "; touch pwned; #",
    "$HOME ${IFS} * ? [a-z] ~",
    "back\\slash \\n",
    "| tee pwned & > pwned < /dev/null",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn script(name: &str) -> String {
    std::fs::read_to_string(root().join("action").join(name)).expect(name)
}

#[test]
fn a_clean_check_says_so_everywhere() {
    let sandbox = Sandbox::pinned(&json!({}), &[]);
    let mut action = Action::new(&sandbox, &[]);
    let run = action.run().expect(0);
    assert_eq!((action.output("verdict"), action.output("exit-code")), ("clean".to_owned(), "0".to_owned()));
    for format in ["json", "sarif", "markdown"] {
        assert!(Path::new(&action.output(format)).is_file(), "{format}");
    }
    assert!(!action.summary.is_empty());
    // Nothing moves and nothing is coloured where nobody watches.
    assert!(run.stdout.contains("CLEAN"), "{run}");
    assert!(!run.all().contains(['\u{1b}', '\r']), "{run}");
}

#[test]
fn drift_fails_the_step_and_still_gives_reports() {
    let sandbox = Sandbox::pinned(&json!({}), &[]);
    sandbox.script(&serving(json!([{"name": "beta"}])));
    let mut action = Action::new(&sandbox, &[("category", "mine")]);
    action.run().expect(1);
    assert_eq!((action.output("verdict"), action.output("exit-code")), ("drift".to_owned(), "1".to_owned()));
    assert!(Path::new(&action.output("sarif")).is_file());
    assert_eq!(action.outputs["check.category"], "mine");
    assert!(!action.summary.is_empty());
    // The step that uploads does so after a failure too, and only where there is something.
    let steps = yaml::file("action.yml")["runs"]["steps"].clone();
    let condition = steps[2]["if"].as_str().expect("a condition").to_owned();
    assert!(condition.contains("always()") && condition.contains("steps.check.outputs.sarif != ''"), "{condition}");
}

#[test]
fn what_could_not_be_checked_is_code_3_and_what_is_wrong_code_2() {
    let sandbox = Sandbox::pinned(&json!({}), &[]);
    sandbox.script(&json!({"methods": {"initialize": [{"exit": 1}]}}));
    let mut action = Action::new(&sandbox, &[]);
    action.run().expect(3);
    assert_eq!((action.output("verdict"), action.output("exit-code")), ("not-checked".to_owned(), "3".to_owned()));

    // A report that somebody committed is not taken for one of this run.
    sandbox.write("warden.json", "{\n  \"verdict\": \"clean\"\n}\n");
    for inputs in [
        [("lock", "missing.lock")],
        [("args", "--no-such-option")],
        // Help ends with 0, and checked nothing.
        [("args", "--help")],
        [("timeout", "soon")],
        [("summary", "yes")],
        [("require-approval", "1")],
        [("working-directory", "nowhere")],
    ] {
        let mut action = Action::new(&sandbox, &inputs);
        action.run().expect(2);
        assert_eq!((action.output("verdict"), action.output("exit-code")), ("error".to_owned(), "2".to_owned()));
        // Reports of an error say that it is one; of an input that is wrong there is none.
        for format in ["json", "sarif", "markdown"] {
            let path = action.output(format);
            let text =
                if path.is_empty() { "error".to_owned() } else { std::fs::read_to_string(&path).expect("a report") };
            assert!(text.to_lowercase().contains("error") && !text.contains("clean"), "{inputs:?} {format}: {text}");
        }
        assert!(!action.summary.contains("CLEAN"), "{inputs:?}: {}", action.summary);
    }
}

#[test]
fn switches_reach_the_check() {
    let sandbox = Sandbox::pinned(&json!({}), &[]);
    let mut action = Action::new(&sandbox, &[("require-approval", "true")]);
    action.run().expect(1);
    assert_eq!(action.output("verdict"), "not-approved");
    let mut action = Action::new(&sandbox, &[("summary", "false"), ("annotations", "false")]);
    action.run().expect(0);
    assert_eq!(action.summary, "");
    // The command that the lock has to name.
    let mut action = Action::new(&sandbox, &[("command", "./server\nother.json\n")]);
    action.run().expect(1);
    assert_eq!(action.output("verdict"), "drift");
    let mut action = Action::new(&sandbox, &[("outputs", "json=a b.json\njunit=out.xml"), ("args", "--quiet")]);
    action.run().expect(0);
    assert!(sandbox.exists("a b.json") && sandbox.exists("out.xml"));
    // The lock names a command, and no URL.
    let mut action = Action::new(&sandbox, &[("url", "http://127.0.0.1:9/mcp")]);
    action.run().expect(1);
    assert_eq!(action.output("verdict"), "drift");
}

#[test]
fn all_servers_of_a_project_are_checked_in_one_step() {
    let project = Project::of(&["ada", "bob"]);
    project.pin().expect(0);
    let mut action = Action::new(&project.sandbox, &[("all", "true")]);
    action.run().expect(0);
    assert_eq!(action.output("verdict"), "clean");
    assert_eq!(action.outputs["check.category"], "warden/./all");
    assert!(action.summary.contains("ada") && action.summary.contains("bob"), "{}", action.summary);
    project.play("bob", &tool("other"));
    let mut action = Action::new(&project.sandbox, &[("all", "true")]);
    let run = action.run().expect(1);
    assert_eq!(action.output("verdict"), "drift", "{run}");
    assert!(["json", "sarif", "markdown"].iter().all(|format| Path::new(&action.output(format)).is_file()));
    std::fs::remove_dir_all(project.sandbox.path(".warden/ada")).expect("a lock");
    project.play("bob", &tool("bob"));
    let mut action = Action::new(&project.sandbox, &[("all", "true")]);
    action.run().expect(1);
    assert_eq!(action.output("verdict"), "not-locked");
    // What is about one server, and what is about all, do not go together; and no word counts as a yes by accident.
    for inputs in [
        &[("all", "true"), ("lock", "other.lock")][..],
        &[("all", "true"), ("command", "./server")],
        &[("all", "true"), ("url", "https://a.example/mcp")],
        &[("all", "yes")],
        &[("since", "HEAD")],
    ] {
        let mut action = Action::new(&project.sandbox, inputs);
        action.run().expect(2);
        assert_eq!(action.output("verdict"), "error", "{inputs:?}");
    }
}

#[test]
fn a_step_that_has_nothing_to_ask_passes_only_where_that_was_asked_for() {
    let project = Project::of(&["ada", "bob"]);
    project.sandbox.remove_repository();
    project.git(&["init", "--quiet"]);
    project.pin().expect(0);
    project.git(&["add", "."]);
    project.git(&["commit", "--quiet", "-m", "one"]);
    let head = project.git(&["rev-parse", "HEAD"]);
    let run = |since: &str, code: i32| {
        let mut action = Action::new(&project.sandbox, &[("all", "true"), ("since", since)]);
        action.run().expect(code);
        action.output("verdict")
    };
    // The folder of this runner is one more thing that git does not know.
    assert_eq!(run(&head, 0), "not-asked");
    assert_eq!(run("", 0), "clean");
    project.play("ada", &tool("other"));
    assert_eq!(run(&head, 1), "drift");
    // What git does not know is no reason to pass.
    for since in ["0000000000000000000000000000000000000000", "--help", "$(touch pwned)"] {
        assert_eq!(run(since, 2), "error", "{since}");
    }
    assert!(!project.sandbox.exists("pwned"));
}

#[test]
fn no_input_is_ever_code() {
    for text in HOSTILE {
        let sandbox = Sandbox::new();
        let folder = sandbox.path("sub folder");
        // A slash would make it another folder.
        let name = format!("{}.lock", text.replace('/', "_"));
        std::fs::create_dir(&folder).expect("a folder");
        std::os::unix::fs::symlink(sandbox.path("server"), folder.join("the server")).expect("a link");
        std::fs::write(folder.join("s.json"), "{}").expect("a script");
        let mut pin = sandbox.command(&["pin", "--lock", &name, "--", "./the server", "s.json", text, "last"]);
        Run::of(pin.current_dir(&folder)).expect(0);
        // The words have to arrive as they are, or the command is another one.
        let words = format!("./the server\ns.json\n{text}\nlast");
        let inputs = [
            ("lock", name.as_str()),
            ("working-directory", "sub folder"),
            ("command", &words),
            ("outputs", &format!("json={text}.json").replace('/', "_")),
            ("env", "GREETING"),
        ];
        let mut action = Action::new(&sandbox, &inputs);
        action.variables.insert("GREETING".to_owned(), text.to_owned());
        action.run().expect(0);
        assert_eq!(action.output("verdict"), "clean", "{text}");
        let category = &action.outputs["check.category"];
        assert!(category.chars().all(|c| c.is_ascii_alphanumeric() || "._/-".contains(c)), "{category}");
        for place in [sandbox.path("pwned"), folder.join("pwned")] {
            assert!(!place.exists(), "{text}");
        }
    }
}

#[test]
fn every_input_is_only_data() {
    let sandbox = Sandbox::pinned(&json!({}), &[]);
    let text = HOSTILE.join(" ");
    for input in yaml::file("action.yml")["inputs"].as_object().expect("inputs").keys() {
        // Where warden comes from is only asked for where none is given.
        let binary = if ["install", "version"].contains(&input.as_str()) { "" } else { env!("CARGO_BIN_EXE_warden") };
        let mode = if input == "version" { "release" } else { "none" };
        let mut action = Action::new(&sandbox, &[("binary", binary), ("install", mode), (input, &text)]);
        let run = action.run();
        assert!(matches!(run.code, Some(0..=3)), "{input}: {run}");
        assert!(!run.stderr.contains("syntax error") && !sandbox.exists("pwned"), "{input}: {run}");
    }
}

#[test]
fn a_line_break_in_an_input_forges_no_output() {
    let sandbox = Sandbox::pinned(&json!({}), &[]);
    let forged = "x\nverdict=clean\nexit-code=0\nsarif=/etc/passwd\nforged=yes";
    for input in ["lock", "working-directory", "category", "timeout", "url"] {
        let mut action = Action::new(&sandbox, &[(input, forged)]);
        let run = action.run();
        assert!(!action.outputs.contains_key("check.forged"), "{input}: {run}");
        assert_eq!(Some(action.output("exit-code")), run.code.map(|code| code.to_string()), "{input}: {run}");
        assert_ne!(action.output("sarif"), "/etc/passwd", "{input}: {run}");
    }
    let mut action = Action::new(&sandbox, &[("binary", forged)]);
    action.step("install").expect(2);
    assert!(action.outputs.is_empty());
}

#[test]
fn a_server_commands_no_runner() {
    let words = "::error::pwned ::add-mask::a ::warning::pwned ##[error]pwned ".repeat(8);
    let text = format!("{words}\n::error::pwned\n  ::set-output name=verdict::clean\n::stop-commands::x");
    let sandbox = Sandbox::pinned(&json!({}), &[]);
    let mut script = serving(json!([{"name": text, "description": text, "inputSchema": {"type": "object"}}]));
    script["stderr"] = json!(format!("{text}\n"));
    sandbox.script(&script);
    let mut action = Action::new(&sandbox, &[("args", "--verbose"), ("annotations", "false")]);
    let run = action.run().expect(1);
    assert!(run.all().contains("pwned"), "{run}");
    assert_eq!(obeyed(&run.all()), Vec::<&str>::new(), "{run}");
    // Annotations are commands, and only those.
    let mut action = Action::new(&sandbox, &[("args", "--verbose")]);
    let run = action.run().expect(1);
    let all = run.all();
    let commands = obeyed(&all);
    assert!(!commands.is_empty(), "{run}");
    for command in commands {
        let known = ["::error ", "::warning ", "::notice "].iter().any(|kind| command.starts_with(kind));
        assert!(known && command.contains("file=warden.lock"), "{command}");
    }
}

#[test]
fn files_that_steer_the_job_are_not_for_the_server() {
    let names = ["GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_STEP_SUMMARY", "GITHUB_PATH"];
    let sandbox = Sandbox::pinned(&json!({"env_report": names}), &["--inherit-env"]);
    let mut action = Action::new(&sandbox, &[("args", "--inherit-env")]);
    action.variables.insert("GITHUB_PATH".to_owned(), "/nowhere".to_owned());
    action.run().expect(0);
}

/// A copy of the action that knows a release, and a `curl` that takes it from a folder.
struct Release {
    sandbox: Sandbox,
    curl: &'static str,
}

impl Release {
    const NAME: &'static str = "warden-9.8.7-x86_64-unknown-linux-gnu.tar.gz";

    fn new(curl: &'static str) -> Self {
        let sandbox = Sandbox::new();
        for folder in ["copy", "copy/action", "bin"] {
            std::fs::create_dir(sandbox.path(folder)).expect("a folder");
        }
        for name in ["install.sh", "run.sh"] {
            std::fs::copy(root().join("action").join(name), sandbox.path(format!("copy/action/{name}"))).expect(name);
        }
        sandbox.executable("warden", "#!/bin/sh\necho 'warden 9.8.7'\n");
        let made = Command::new("bash")
            .args(["-ec", "tar -czf release warden; if command -v sha256sum >/dev/null; then sha256sum <release; else shasum -a 256 <release; fi"])
            .current_dir(sandbox.path(""))
            .output()
            .expect("an archive");
        let digest = String::from_utf8(made.stdout).expect("a digest")[..64].to_owned();
        sandbox.write("copy/action/releases.sha256", format!("# known\n{digest}  {}\n", Self::NAME));
        Self { sandbox, curl }
    }

    fn install(&self, version: &str) -> (Run, Action<'_>) {
        // Gives what stands in the working folder, and writes down what was asked for.
        let curl = format!("#!/bin/sh\nfor word; do :; done\nprintf '%s\\n' \"$word\" >>asked\n{}\n", self.curl);
        self.sandbox.executable("bin/curl", &curl);
        let mut action = Action::new(&self.sandbox, &[("binary", ""), ("install", "release"), ("version", version)]);
        action.folder = self.sandbox.path("copy");
        let path = format!("{}:{}", self.sandbox.path("bin").display(), std::env::var("PATH").expect("PATH"));
        action.variables.insert("PATH".to_owned(), path);
        let run = action.step("install");
        (run, action)
    }
}

const GIVE: &str = "while [ \"$1\" != --output ]; do shift; done\ncp release \"$2\"";

#[test]
fn a_release_is_taken_when_its_digest_is_known() {
    let release = Release::new(GIVE);
    let (run, action) = release.install("9.8.7");
    let run = run.expect(0);
    assert!(run.stdout.contains("warden 9.8.7"), "{run}");
    assert!(Path::new(&action.output("binary")).is_file());
    let asked = format!("https://forge.example/owner/warden/releases/download/v9.8.7/{}\n", Release::NAME);
    assert_eq!(release.sandbox.read("asked"), asked);
}

#[test]
fn a_release_that_is_another_one_is_refused() {
    let other = Release::new("while [ \"$1\" != --output ]; do shift; done\n(cat release; echo) >\"$2\"");
    let broken = Release::new("exit 22");
    for (release, why) in [(other, "is not what this action knows"), (broken, "could not be downloaded")] {
        let (run, action) = release.install("9.8.7");
        let run = run.expect(2);
        assert!(run.stderr.contains(why), "{run}");
        assert!(action.outputs.is_empty(), "{:?}", action.outputs);
    }
    let release = Release::new(GIVE);
    for version in ["9.8.6", "", "latest", "9.8.7/../../x", "9.8.7\n9.8.7", "$(touch pwned)"] {
        let (run, action) = release.install(version);
        run.expect(2);
        assert!(action.outputs.is_empty() && !release.sandbox.exists("asked"), "{version}");
    }
}

#[test]
fn no_text_of_an_input_stands_in_a_script() {
    let text = std::fs::read_to_string(root().join("action.yml")).expect("action.yml");
    let action = yaml::parse(&text).expect("YAML");
    let inputs: BTreeSet<&str> = action["inputs"].as_object().expect("inputs").keys().map(String::as_str).collect();
    let mut used = BTreeSet::new();
    for part in text.split("inputs.").skip(1) {
        used.insert(part.split(|c: char| !(c.is_ascii_lowercase() || c == '-')).next().expect("a name"));
    }
    assert_eq!(used, inputs, "every input is used, and every one that is used is declared");
    for step in action["runs"]["steps"].as_array().expect("steps") {
        if let Some(run) = step["run"].as_str() {
            assert!(!run.contains("${{"), "{run}");
            let name = run.split("action/").nth(1).expect("a script of the action").trim_end_matches('"');
            let given: BTreeSet<&str> = step["env"].as_object().expect("env").keys().map(String::as_str).collect();
            let body = script(name);
            let mut read: BTreeSet<&str> = BTreeSet::new();
            for (at, _) in body.match_indices("INPUT_") {
                read.insert(body[at..].split(|c: char| !(c.is_ascii_uppercase() || c == '_')).next().expect("a name"));
            }
            read.extend(["WARDEN_BIN", "ACTION_REPOSITORY"].iter().filter(|name| body.contains(**name)));
            assert_eq!(given, read, "{name}");
        }
    }
}

#[test]
fn actions_of_others_are_named_by_commit() {
    let mut seen = 0;
    let documents = ["docs/ci.md", "README.md", "action.yml", ".github/workflows/ci.yml"];
    for path in documents {
        let text = std::fs::read_to_string(root().join(path)).expect(path);
        for line in text.lines().filter(|line| line.trim_start().trim_start_matches("- ").starts_with("uses: ")) {
            let what = line.split("uses: ").nth(1).expect("an action");
            if what == "./" || what == "OWNER/warden@COMMIT-YOU-REVIEWED" {
                continue;
            }
            seen += 1;
            let (_, version) = what.split_once('@').expect("a version");
            let (commit, comment) = version.split_once(" # v").unwrap_or_else(|| panic!("{path}: {line}"));
            let is_commit =
                commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
            assert!(is_commit && comment.starts_with(|c: char| c.is_ascii_digit()), "{path}: {line}");
        }
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn the_scripts_are_strict_and_old_enough_for_macos() {
    let newer = ["mapfile", "readarray", "declare -A", "local -n", "&>>", "|&", "coproc", "${!", "eval ", "@Q}"];
    for name in ["install.sh", "run.sh"] {
        let body = script(name);
        assert!(body.starts_with("#!/usr/bin/env bash\n") && body.contains("\nset -euo pipefail\n"), "{name}");
        for line in body.lines().filter(|line| !line.trim_start().starts_with('#')) {
            for word in newer {
                assert!(!line.contains(word), "{name}: {line}");
            }
            // Bash 3.2 takes an array without elements for an unset variable.
            if line.contains("[@]}") && !line.contains("words[@]") {
                panic!("{name}: {line}");
            }
        }
        let checked = Command::new("bash").arg("-n").arg(root().join("action").join(name)).status();
        assert!(checked.expect("bash").success(), "{name}");
    }
}

#[test]
fn the_page_names_every_input_and_output() {
    let page = std::fs::read_to_string(root().join("docs/ci.md")).expect("docs/ci.md");
    let action = yaml::file("action.yml");
    let page = page.split("### A comment").next().expect("the part on the action");
    for kind in ["inputs", "outputs"] {
        for (name, what) in action[kind].as_object().expect(kind) {
            let row = page.lines().find(|line| {
                line.starts_with("| `")
                    && line.split('|').nth(1).is_some_and(|cell| cell.contains(&format!("`{name}`")))
            });
            let row = row.unwrap_or_else(|| panic!("docs/ci.md has no row for {name}"));
            let default = what["default"].as_str().unwrap_or_default();
            assert!(
                default.is_empty() || name == "category" || row.contains(&format!("`{default}`")),
                "{row}: {default}"
            );
        }
    }
}
