//! `check --all --since`: only what changed is asked.

use crate::support::project::{Project, pairs, tool, verdicts};
use serde_json::json;

/// A committed project with three pinned servers, and the path that git needs.
fn committed() -> Project {
    let mut project = Project::of(&["ada", "bob"]);
    std::fs::create_dir_all(project.sandbox.path("tools/cyd")).unwrap();
    project.sandbox.write("tools/cyd/s.json", tool("cyd").to_string());
    project.sandbox.write("tools/cyd/package.json", "{}");
    project.configure("cyd", json!({"command": "./server", "args": ["tools/cyd/s.json"]}));
    project.sandbox.remove_repository();
    project.git(&["init", "-q", "-b", "main"]);
    project.pin().expect(0);
    project.git(&["add", "-A"]);
    project.git(&["commit", "-q", "-m", "all"]);
    project
}

fn since(project: &Project, revision: &str, code: i32) -> Vec<(String, String)> {
    let mut command = project.sandbox.command(&["check", "--all", "--json", "--since", revision]);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    verdicts(&crate::support::cli::Run::of(&mut command).expect(code))
}

#[test]
fn a_server_is_asked_when_something_of_it_changed() {
    let project = committed();
    let nobody = [("ada", "not-asked"), ("bob", "not-asked"), ("cyd", "not-asked")];
    assert_eq!(since(&project, "HEAD", 0), pairs(&nobody));
    // Its own file, tracked and changed.
    project.play("ada", &tool("other"));
    assert_eq!(since(&project, "HEAD", 1), pairs(&[("ada", "drift"), ("bob", "not-asked"), ("cyd", "not-asked")]));
    project.git(&["checkout", "-q", "."]);
    // A file of its package, which git does not know yet.
    project.sandbox.write("tools/cyd/new.js", "");
    assert_eq!(since(&project, "HEAD", 0), pairs(&[("ada", "not-asked"), ("bob", "not-asked"), ("cyd", "clean")]));
    std::fs::remove_file(project.sandbox.path("tools/cyd/new.js")).unwrap();
    // Its lock.
    let lock = project.lock("bob");
    project.sandbox.write(".warden/bob/warden.lock", lock.replacen("\n", "\n\n", 1));
    assert_eq!(since(&project, "HEAD", 0), pairs(&[("ada", "not-asked"), ("bob", "clean"), ("cyd", "not-asked")]));
    project.git(&["commit", "-qam", "lock"]);
    assert_eq!(since(&project, "HEAD", 0), pairs(&nobody));
    assert_eq!(since(&project, "HEAD~1", 0)[1].1, "clean");
    // The configuration is everybody's.
    let text = project.sandbox.read(".mcp.json");
    project.sandbox.write(".mcp.json", format!("{text}\n"));
    assert!(since(&project, "HEAD", 0).iter().all(|(_, verdict)| verdict == "clean"));
}

#[test]
fn what_needs_no_asking_is_told_all_the_same() {
    let mut project = committed();
    project.add("new", &tool("new"));
    let verdicts = since(&project, "HEAD", 1);
    assert!(verdicts.contains(&("new".to_owned(), "not-locked".to_owned())), "{verdicts:?}");
}

#[test]
fn a_revision_that_is_none_is_refused() {
    let project = committed();
    for revision in ["nothing", "", "--output=x", "HEAD:.mcp.json"] {
        let mut command = project.sandbox.command(&["check", "--all", &format!("--since={revision}")]);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let run = crate::support::cli::Run::of(&mut command).expect(2);
        assert!(run.stderr.contains("--since"), "{run}");
        assert!(!project.sandbox.exists("x"));
    }
    project.sandbox.remove_repository();
    let mut command = project.sandbox.command(&["check", "--all", "--since", "HEAD"]);
    command
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GIT_CEILING_DIRECTORIES", project.sandbox.path(".."));
    let run = crate::support::cli::Run::of(&mut command).expect(2);
    assert!(run.stderr.contains("repository"), "{run}");
}
