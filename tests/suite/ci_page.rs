//! docs/ci.md: its snippets are read as what they are, and what can be run is run.

mod renovate;

use crate::support::cli::{Run, Sandbox, serving};
use crate::support::project::Project;
use crate::support::yaml;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

/// A fenced block: its language, and its text without the indentation of the fence.
struct Block {
    language: String,
    text: String,
}

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect(name)
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, Block)> = None;
    for line in text.lines() {
        let bare = line.trim_start();
        if let Some(language) = bare.strip_prefix("```") {
            match open.take() {
                Some((_, block)) => blocks.push(block),
                None => {
                    let block = Block { language: language.to_owned(), text: String::new() };
                    open = Some((line.len() - bare.len(), block));
                }
            }
        } else if let Some((indent, block)) = &mut open {
            block.text.push_str(line.get(*indent..).unwrap_or_default());
            block.text.push('\n');
        }
    }
    assert!(open.is_none());
    blocks
}

/// The blocks of docs/ci.md in one language.
fn written_in(language: &str) -> Vec<String> {
    let found = blocks(&page("docs/ci.md")).into_iter().filter(|block| block.language == language);
    found.map(|block| block.text).collect()
}

fn shell_script(part: &str) -> String {
    written_in("sh").into_iter().find(|text| text.contains(part)).unwrap_or_else(|| panic!("no script with {part}"))
}

/// The documents that are whole workflows of GitHub.
fn workflows() -> Vec<Value> {
    let all = written_in("yaml");
    all.iter().map(|text| yaml::parse(text).expect("YAML")).filter(|file| file.get("jobs").is_some()).collect()
}

/// Every script in a YAML value: `run` of a step, and items of `script`.
fn scripts(value: &Value, found: &mut Vec<String>) {
    for (name, member) in value.as_object().into_iter().flatten() {
        match (name.as_str(), member) {
            ("run", Value::String(text)) => found.push(text.clone()),
            ("script", Value::Array(items)) => {
                found.extend(items.iter().filter_map(|item| item.as_str().map(str::to_owned)));
            }
            _ => {}
        }
        scripts(member, found);
    }
    value.as_array().into_iter().flatten().for_each(|item| scripts(item, found));
}

fn script_with(part: &str) -> String {
    let mut found = Vec::new();
    written_in("yaml").iter().for_each(|text| scripts(&yaml::parse(text).expect("YAML"), &mut found));
    found.into_iter().find(|script| script.contains(part)).unwrap_or_else(|| panic!("no script with {part}"))
}

/// A folder `bin` in front of the search path, with `warden` and stand-ins for other programs.
struct Shell {
    sandbox: Sandbox,
}

impl Shell {
    fn new(sandbox: Sandbox, programs: &[(&str, &str)]) -> Self {
        std::fs::create_dir(sandbox.path("bin")).expect("a folder");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_warden"), sandbox.path("bin/warden")).expect("a link");
        for (name, body) in programs {
            // Each writes down its words, one in angle brackets after the other.
            let log = "printf '<%s>' \"$@\" >>\"$LOG\"; printf '\\n' >>\"$LOG\"";
            sandbox.executable(&format!("bin/{name}"), &format!("#!/bin/sh\n{log}\n{body}\n"));
        }
        Self { sandbox }
    }

    fn run(&self, shell: &str, script: &str, variables: &[(&str, &str)]) -> Run {
        let mut command = Command::new(shell);
        let path = format!("{}:{}", self.sandbox.path("bin").display(), std::env::var("PATH").expect("PATH"));
        command.args(["-e", "-c", script]).current_dir(self.sandbox.path("")).env_clear().stdin(Stdio::null());
        command.env("PATH", path).env("LOG", self.sandbox.path("log")).envs(variables.iter().copied());
        command.env("TMPDIR", self.sandbox.path("").with_file_name("tmp"));
        let _ = std::fs::remove_file(self.sandbox.path("log"));
        Run::of(&mut command)
    }

    /// What the stand-ins were asked for, a line each.
    fn log(&self) -> Vec<String> {
        self.sandbox.read("log").lines().map(str::to_owned).collect()
    }
}

#[test]
fn every_snippet_is_what_it_says() {
    let mut seen = BTreeSet::new();
    for name in ["docs/ci.md", "README.md"] {
        for Block { language, text } in blocks(&page(name)) {
            match language.as_str() {
                "yaml" => {
                    let parsed = yaml::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
                    let mut found = Vec::new();
                    scripts(&parsed, &mut found);
                    for script in found {
                        assert!(!script.contains("${{"), "text of others in a script: {script}");
                        syntax("bash", &script);
                    }
                }
                "json" => assert!(serde_json::from_str::<Value>(&text).is_ok(), "{name}\n{text}"),
                "sh" | "bash" => syntax(&language, &text),
                "console" | "groovy" | "" => {}
                other => panic!("{name}: a block in {other}"),
            }
            seen.insert(language);
        }
    }
    assert!(["yaml", "json", "sh", "bash"].iter().all(|language| seen.contains(*language)), "{seen:?}");
}

fn syntax(shell: &str, script: &str) {
    let status = Command::new(shell).args(["-n", "-c", script]).status();
    assert!(status.expect("a shell").success(), "{script}");
}

#[test]
fn a_job_that_starts_the_server_may_not_write() {
    let workflows = workflows();
    assert!(workflows.len() >= 4, "{}", workflows.len());
    for workflow in workflows {
        assert_eq!(workflow["permissions"], json!({"contents": "read"}));
        assert!(!workflow["on"].to_string().contains("pull_request_target"));
        for (name, job) in workflow["jobs"].as_object().expect("jobs") {
            let steps = job["steps"].to_string();
            let starts = steps.contains("OWNER/warden@") || steps.contains("warden check");
            assert!(!starts || job.get("permissions").is_none(), "{name}");
            assert!(!starts || !steps.contains("secrets.") && !steps.contains("GH_TOKEN"), "{name}");
        }
    }
}

#[test]
fn the_snippets_for_the_action_use_inputs_that_it_has() {
    let inputs = yaml::file("action.yml")["inputs"].clone();
    let outputs = yaml::file("action.yml")["outputs"].clone();
    let mut seen = 0;
    for text in written_in("yaml") {
        for part in text.split("steps.warden.outputs.").skip(1) {
            let name = part.split(|c: char| !(c.is_ascii_lowercase() || c == '-')).next().expect("a name");
            assert!(outputs.get(name).is_some(), "{name}");
        }
        let value = yaml::parse(&text).expect("YAML");
        let mut pending = vec![&value];
        while let Some(value) = pending.pop() {
            if value["uses"].as_str().is_some_and(|uses| uses.starts_with("OWNER/warden@")) {
                seen += 1;
                for name in value["with"].as_object().into_iter().flat_map(|with| with.keys()) {
                    assert!(inputs.get(name).is_some(), "{name}");
                }
            }
            pending.extend(value.as_object().into_iter().flat_map(|object| object.values()));
            pending.extend(value.as_array().into_iter().flatten());
        }
    }
    assert!(seen >= 4, "{seen}");
}

#[test]
fn the_shell_snippet_keeps_the_exit_code() {
    let script = &shell_script("as reviewed");
    let shell = Shell::new(Sandbox::pinned(&json!({}), &["--approve", "--approver", "me"]), &[]);
    let run = shell.run("sh", script, &[]).expect(0);
    assert!(run.stdout.contains("as reviewed") && shell.sandbox.exists("warden-report.json"), "{run}");
    shell.sandbox.script(&serving(json!([{"name": "beta"}])));
    assert!(shell.run("sh", script, &[]).expect(1).stdout.contains("drift"));
    shell.sandbox.script(&json!({"methods": {"initialize": [{"exit": 1}]}}));
    assert!(shell.run("sh", script, &[]).expect(3).stdout.contains("nothing is known"));
    shell.sandbox.write("warden.lock", "{}");
    assert!(shell.run("sh", script, &[]).expect(2).stdout.contains("a lock that cannot be used"));
}

#[test]
fn the_snippet_for_several_locks_checks_all_and_keeps_the_worst() {
    let script = &shell_script("for lock in");
    let shell = Shell::new(Sandbox::pinned(&json!({}), &[]), &[]);
    let sandbox = &shell.sandbox;
    std::fs::create_dir(sandbox.path("locks")).expect("a folder");
    let good = sandbox.read("warden.lock");
    sandbox.write("locks/b b.lock", &good);
    shell.run("sh", script, &[]).expect(0);
    sandbox.write("locks/a.lock", "{}");
    shell.run("sh", script, &[]).expect(2);
    sandbox.write("locks/c.lock", good.replace("\"alpha\"", "\"omega\""));
    let run = shell.run("sh", script, &[]).expect(1);
    assert!(run.stdout.contains("CLEAN"), "{run}");
    sandbox.write("locks/d.lock", "{}");
    shell.run("sh", script, &[]).expect(1);
}

#[test]
fn the_comment_is_made_once_and_updated_then() {
    let script = script_with("gh api --method PATCH");
    let variables = [("GITHUB_REPOSITORY", "o/r"), ("PULL_REQUEST", "7")];
    let gh = ("gh", "case $1$2 in api--paginate) printf '%s' \"$IDS\" ;; esac");
    let shell = Shell::new(Sandbox::new(), &[gh]);
    shell.sandbox.write("warden.md", "<!-- warden-report 0123 -->\n## warden\n");
    shell.run("bash", &script, &variables).expect(0);
    let log = shell.log();
    assert!(log[0].contains("<repos/o/r/issues/7/comments>") && log[0].contains("startswith(env.marker)"), "{log:?}");
    assert_eq!(log[1], "<api><--method><POST><repos/o/r/issues/7/comments><-F><body=@warden.md>");
    shell.run("bash", &script, &[variables[0], variables[1], ("IDS", "41\n42")]).expect(0);
    assert_eq!(shell.log()[1], "<api><--method><PATCH><repos/o/r/issues/comments/41><-F><body=@warden.md>");
}

/// What one run of the watch is told, and what its stand-in for `gh` answers.
fn watch(result: &str, numbers: &str, report: Option<&str>, code: i32) -> (Shell, Vec<String>) {
    let script = script_with("gh issue create");
    let gh = ("gh", "case $1$2 in issuelist) printf '%s' \"$NUMBERS\"; exit \"$FAILS\" ;; esac");
    let shell = Shell::new(Sandbox::new(), &[gh]);
    if let Some(report) = report {
        shell.sandbox.write("warden.md", report);
    }
    let fails = if numbers == "unreachable" { ("", "1") } else { (numbers, "0") };
    let run = ("RUN", "https://forge.example/run/1");
    let variables = [("RESULT", result), run, ("NUMBERS", fails.0), ("FAILS", fails.1)];
    shell.run("bash", &script, &variables).expect(code);
    let log = shell.log();
    (shell, log)
}

#[test]
fn one_issue_is_opened_updated_and_closed() {
    const REPORT: &str = "<!-- warden-report 0123 -->\n## warden: DRIFT\n";
    // Whatever is not a success is one for somebody to look at: codes 1 and 3, and a run that was cut short.
    for result in ["failure", "cancelled", "skipped", ""] {
        let (shell, log) = watch(result, "", Some(REPORT), 0);
        assert!(log[0].starts_with("<issue><list><--state><open><--app><github-actions>"), "{log:?}");
        assert_eq!(
            log[1..],
            ["<issue><create><--title><MCP servers are not what their locks say><--body-file><issue.md>"]
        );
        let body = shell.sandbox.read("issue.md");
        // The first line is what the next run finds it by.
        assert!(
            body.starts_with("<!-- warden-watch -->\n") && log[0].contains("startswith(\"<!-- warden-watch -->\")")
        );
        assert!(body.contains("https://forge.example/run/1") && body.ends_with(REPORT), "{body}");
        // There is one already: it is that one, and no other is opened.
        let (_, log) = watch(result, "5\n3", Some(REPORT), 0);
        assert_eq!(log[1..], ["<issue><edit><5><--body-file><issue.md>"]);
    }
    let (_, log) = watch("success", "5\n3", None, 0);
    assert_eq!(log[1..], ["<issue><close><5><--comment><Clean again: https://forge.example/run/1>"]);
    assert_eq!(watch("success", "", None, 0).1.len(), 1);
    // No report, or one that no issue takes: the link is there.
    for report in [None, Some("x".repeat(70_000))] {
        let (shell, log) = watch("failure", "", report.as_deref(), 0);
        let body = shell.sandbox.read("issue.md");
        assert!(log[1].contains("<create>") && body.contains("/run/1") && body.len() < 300, "{body}");
    }
}

#[test]
fn a_watch_that_cannot_see_issues_fails() {
    for result in ["success", "failure"] {
        let (_, log) = watch(result, "unreachable", None, 1);
        assert_eq!(log.len(), 1, "nothing was opened or closed: {log:?}");
    }
}

/// The same on GitLab: the exit code of the check, the issue that is there, and how `curl` ends.
fn gitlab_watch(status: Option<&str>, issue: &str, curl: &str, code: i32) -> (Shell, Vec<String>) {
    let script = script_with("labels=warden-watch");
    // The filter of `jq` is not run here: an answer stands for what it finds.
    let shell = Shell::new(Sandbox::new(), &[("curl", curl), ("jq", "printf '%s' \"$ISSUE\"")]);
    shell.sandbox.write("warden.md", "## warden: DRIFT\n");
    if let Some(status) = status {
        shell.sandbox.write("warden.status", format!("{status}\n"));
    }
    let variables = [
        ("CI_API_V4_URL", "https://forge.example/api/v4"),
        ("CI_PROJECT_ID", "1"),
        ("CI_PIPELINE_URL", "https://forge.example/p/1"),
        ("WARDEN_NOTE_TOKEN", "t"),
        ("ISSUE", issue),
    ];
    shell.run("sh", &script, &variables).expect(code);
    let log = shell.log();
    (shell, log)
}

#[test]
fn one_issue_is_opened_updated_and_closed_on_gitlab() {
    const ISSUES: &str = "https://forge.example/api/v4/projects/1/issues";
    let asked = |log: &[String]| log.iter().filter(|line| line.contains("<--request>")).cloned().collect::<Vec<_>>();
    for status in [Some("1"), Some("2"), Some("3"), Some("137"), None] {
        let (shell, log) = gitlab_watch(status, "", "echo '[]'", 0);
        assert!(
            log.iter().any(|line| line.ends_with(&format!("<{ISSUES}?state=opened&labels=warden-watch&per_page=1>")))
        );
        let requests = asked(&log);
        assert_eq!(requests.len(), 1, "{log:?}");
        assert!(requests[0].contains("<POST>") && requests[0].contains("<labels=warden-watch>"), "{log:?}");
        assert!(requests[0].ends_with(&format!("<description@issue.md><{ISSUES}>")), "{log:?}");
        let body = shell.sandbox.read("issue.md");
        assert!(body.contains(status.unwrap_or("unknown")) && body.ends_with("## warden: DRIFT\n"), "{body}");
        let requests = asked(&gitlab_watch(status, "9", "echo '[]'", 0).1);
        assert_eq!(requests.len(), 1, "{requests:?}");
        assert!(
            requests[0].ends_with(&format!("<--request><PUT><--data-urlencode><description@issue.md><{ISSUES}/9>"))
        );
    }
    let requests = asked(&gitlab_watch(Some("0"), "9", "echo '[]'", 0).1);
    assert!(
        requests[0].ends_with(&format!("<{ISSUES}/9/notes>"))
            && requests[1].ends_with(&format!("<state_event=close><{ISSUES}/9>"))
    );
    assert_eq!(asked(&gitlab_watch(Some("0"), "", "echo '[]'", 0).1).len(), 0);
    for status in ["0", "1"] {
        assert_eq!(asked(&gitlab_watch(Some(status), "", "exit 22", 22).1).len(), 0, "an interface that is not there");
    }
}

#[test]
fn the_watch_on_gitlab_keeps_the_exit_code() {
    let script = script_with("warden.status").replace("\"$CARGO_HOME/bin/warden\"", "warden");
    assert!(script.contains("check --all"), "{script}");
    let project = Project::of(&["ada"]);
    project.pin().expect(0);
    let shell = Shell::new(project.sandbox, &[]);
    shell.run("sh", &script, &[]).expect(0);
    assert_eq!(shell.sandbox.read("warden.status"), "0\n");
    shell.sandbox.write("ada.json", json!({"methods": {"initialize": [{"exit": 1}]}}).to_string());
    shell.run("sh", &script, &[]).expect(3);
    assert_eq!(shell.sandbox.read("warden.status"), "3\n");
    assert!(shell.sandbox.exists("warden.md"));
}

#[test]
fn the_note_is_made_once_and_updated_then() {
    let script = script_with("merge_requests");
    // The filter of `jq` is not run here: an answer stands for what it finds.
    let curl = ("curl", "case $* in *page=2*) echo second ;; *) echo first ;; esac");
    let jq = (
        "jq",
        "read -r answer; case $1$answer in lengthfirst) echo 100 ;; length*) echo 3 ;; *\"$ON\") echo \"$ID\" ;; esac",
    );
    let shell = Shell::new(Sandbox::new(), &[curl, jq]);
    shell.sandbox.write("warden.md", "<!-- warden-report 0123 -->\n## warden\n");
    let variables = [
        ("CI_API_V4_URL", "https://forge.example/api/v4"),
        ("CI_PROJECT_ID", "1"),
        ("CI_MERGE_REQUEST_IID", "2"),
        ("WARDEN_NOTE_TOKEN", "t"),
    ];
    let notes = "https://forge.example/api/v4/projects/1/merge_requests/2/notes";
    shell.run("sh", &script, &variables).expect(0);
    assert!(shell.log().iter().any(|line| line.contains("<--arg><marker><<!-- warden-report 0123 -->>")));
    let sent = |log: &[String]| log.last().expect("a request").clone();
    assert!(sent(&shell.log()).ends_with(&format!("<--request><POST><--data-urlencode><body@warden.md><{notes}>")));
    // On the first page and on the second.
    for (on, pages) in [("first", 1), ("second", 2)] {
        shell.run("sh", &script, &[&variables[..], &[("ID", "9"), ("ON", on)]].concat()).expect(0);
        let log = shell.log();
        assert!(sent(&log).ends_with(&format!("<--request><PUT><--data-urlencode><body@warden.md><{notes}/9>")));
        assert_eq!(log.iter().filter(|line| line.contains("per_page=100")).count(), pages, "{log:?}");
    }
    // Without a report nothing is asked, so that no other report's note is taken for this one's.
    for report in [None, Some(""), Some("## warden\n")] {
        let _ = std::fs::remove_file(shell.sandbox.path("warden.md"));
        if let Some(report) = report {
            shell.sandbox.write("warden.md", report);
        }
        let run = shell.run("sh", &script, &[&variables[..], &[("ID", "9"), ("ON", "first")]].concat()).expect(1);
        assert!(run.stdout.contains("There is no report") && !shell.sandbox.exists("log"), "{run}");
    }
}

#[test]
fn a_bump_is_pinned_for_one_server_and_the_report_says_what_changed() {
    let script = &written_in("bash")[0];
    let mut project = Project::of(&["ada", "memory"]);
    project.pin().expect(0);
    let other = project.lock("ada");
    // The bump: another word in the command, behind which the server says something else.
    project.play("memory-2", &serving(json!([{"name": "omega", "inputSchema": {"type": "object"}}])));
    project.configure("memory", json!({"command": "./server", "args": ["memory-2.json"], "env": {"A": "${HOME}"}}));
    let shell = Shell::new(project.sandbox, &[]);
    let run = shell.run("sh", "warden check --all", &[("HOME", "/h")]).expect(1);
    assert!(run.stdout.contains("launch") && !run.stdout.contains("omega"), "{run}");
    let run = shell.run("bash", script, &[("HOME", "/h")]).expect(0);
    assert!(run.stdout.contains("server-identity") && run.stdout.contains("tools/omega"), "{run}");
    assert_eq!(shell.sandbox.read(".warden/ada/warden.lock"), other);
    shell.run("sh", "warden check --all", &[("HOME", "/h")]).expect(0);
}

#[test]
fn without_a_merge_request_every_server_is_asked() {
    let script = shell_script("CI_MERGE_REQUEST");
    let project = Project::of(&["ada", "bob"]);
    project.pin().expect(0);
    project.git(&["init", "-q", "-b", "main"]);
    project.git(&["add", "-A"]);
    project.git(&["commit", "-qm", "x"]);
    let head = project.git(&["rev-parse", "HEAD"]);
    let shell = Shell::new(project.sandbox, &[]);
    for shell_name in ["sh", "bash"] {
        for variables in [&[][..], &[("CI_MERGE_REQUEST_DIFF_BASE_SHA", "")]] {
            let run = shell.run(shell_name, &script, variables).expect(0);
            assert!(run.stdout.starts_with("CLEAN"), "{run}");
        }
        let run = shell.run(shell_name, &script, &[("CI_MERGE_REQUEST_DIFF_BASE_SHA", &head)]).expect(0);
        assert!(run.stdout.starts_with("NOT ASKED"), "{run}");
    }
}

/// A pipeline of a merge request has only jobs whose rules say so, and a note without a check has nothing to say.
#[test]
fn jobs_of_gitlab_are_in_pipelines_of_merge_requests() {
    let files: Vec<Value> = written_in("yaml").iter().map(|text| yaml::parse(text).expect("YAML")).collect();
    let file = files.iter().find(|file| file.get("warden-note").is_some()).expect("the file for GitLab");
    for job in ["warden", "warden-note"] {
        assert!(file[job]["rules"].to_string().contains("merge_request_event"), "{job}");
    }
    assert!(file["warden"]["rules"].to_string().contains("CI_DEFAULT_BRANCH"));
}
