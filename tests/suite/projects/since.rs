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

/// Whether `x` is asked after a committed change; it plays `script`, and `bob` is another server, in a folder of its own.
struct Case {
    project: Project,
    script: &'static str,
}

impl Case {
    fn of(script: &'static str, program: (&str, &str), entry: serde_json::Value) -> Self {
        let mut project = Project::of(&[]);
        for folder in ["bob", "data", "impl", "lib", "node_modules/.bin", "tools", "vol"] {
            std::fs::create_dir_all(project.sandbox.path(folder)).unwrap();
        }
        project.sandbox.write("bob/s.json", tool("bob").to_string());
        project.configure("bob", json!({"command": "./server", "args": ["bob/s.json"]}));
        project.sandbox.write("data/x.json", "{}");
        let (name, content) = program;
        project.sandbox.executable(name, content);
        project.configure("x", entry);
        project.sandbox.remove_repository();
        project.git(&["init", "-q", "-b", "main"]);
        Self { project, script }
    }

    /// Pins, changes what the server plays, and lets only what changed be asked.
    #[track_caller]
    fn expect_asked(self) {
        self.expect_asked_and("not-asked");
    }

    #[track_caller]
    fn expect_asked_and(self, bob: &str) {
        let Self { project, script } = &self;
        project.sandbox.write(script, tool("x").to_string());
        project.pin().expect(0);
        self.commit();
        let nobody = [("bob", "not-asked"), ("x", "not-asked")];
        assert_eq!(since(project, "HEAD", 0), pairs(&nobody));
        project.sandbox.write(script, tool("other").to_string());
        assert_eq!(since(project, "HEAD", 1), pairs(&[("bob", bob), ("x", "drift")]));
        self.commit();
        assert_eq!(since(project, "HEAD~1", 1), pairs(&[("bob", bob), ("x", "drift")]));
    }

    fn commit(&self) {
        if self.project.sandbox.exists("sub") {
            self.project.git(&["-C", "sub", "add", "-A"]);
            self.project.git(&["-C", "sub", "commit", "-q", "-m", "all"]);
        }
        self.project.git(&["add", "-Af"]);
        self.project.git(&["commit", "-q", "-m", "all"]);
    }
}

/// A program that plays a file, whatever it is told.
fn plays(script: &str) -> String {
    format!("#!/bin/sh\nexec ./server {script}\n")
}

#[cfg(unix)]
#[test]
fn code_behind_a_link_is_the_servers() {
    let entry = json!({"command": "tools/x.sh"});
    let case = Case::of("impl/s.json", ("impl/x.sh", &plays("impl/s.json")), entry);
    std::os::unix::fs::symlink("../impl/x.sh", case.project.sandbox.path("tools/x.sh")).unwrap();
    case.expect_asked();
}

#[cfg(unix)]
#[test]
fn a_linked_configuration_is_everybodys() {
    let project = committed();
    std::fs::rename(project.sandbox.path(".mcp.json"), project.sandbox.path("tools/mcp.json")).unwrap();
    std::os::unix::fs::symlink("tools/mcp.json", project.sandbox.path(".mcp.json")).unwrap();
    project.git(&["add", "-A"]);
    project.git(&["commit", "-q", "-m", "link"]);
    let text = project.sandbox.read("tools/mcp.json");
    project.sandbox.write("tools/mcp.json", format!("{text}\n"));
    assert!(since(&project, "HEAD", 0).iter().all(|(_, verdict)| verdict == "clean"));
}

#[cfg(unix)]
#[test]
fn code_in_a_submodule_is_the_servers() {
    for ignore in ["none", "all"] {
        let entry = json!({"command": "./sh", "args": ["sub/dist/a.sh"]});
        let case = Case::of("sub/dist/s.json", ("sh", &plays("sub/dist/s.json")), entry);
        let sandbox = &case.project.sandbox;
        std::fs::create_dir_all(sandbox.path("sub/dist")).unwrap();
        sandbox.write("sub/dist/a.sh", "");
        case.project.git(&["init", "-q", "-b", "main", "sub"]);
        let modules = format!("[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = {ignore}\n");
        sandbox.write(".gitmodules", modules);
        case.expect_asked();
    }
}

#[cfg(unix)]
#[test]
fn a_module_may_be_anywhere_in_the_folder() {
    for (script, env) in [("tools/srvmod.json", json!({})), ("lib/pk3.json", json!({"PYTHONPATH": "./lib"}))] {
        let entry = json!({"command": "./python3", "args": ["-m", "x", "data/x.json"], "env": env});
        Case::of(script, ("python3", &plays(script)), entry).expect_asked();
    }
}

#[cfg(unix)]
#[test]
fn what_variables_name_is_the_servers() {
    let entry = json!({"command": "./npx", "args": ["x"], "env": {"NODE_OPTIONS": "--require ./lib/s.json"}});
    Case::of("lib/s.json", ("npx", &plays("lib/s.json")), entry).expect_asked();
}

#[cfg(unix)]
#[test]
fn what_is_installed_in_the_repository_is_the_servers() {
    let entry = json!({"command": "./npx", "args": ["-y", "acme@1.0.0"]});
    let script = "node_modules/.bin/s.json";
    // What is installed in the folder, and from where, is of all servers of the folder.
    Case::of(script, ("npx", &plays(script)), entry.clone()).expect_asked_and("clean");
    let case = Case::of("vol/s.json", ("npx", &plays("vol/s.json")), entry);
    case.project.sandbox.write("vol/s.json", tool("x").to_string());
    case.project.pin().expect(0);
    case.commit();
    case.project.sandbox.write(".npmrc", "");
    assert_eq!(since(&case.project, "HEAD", 0), pairs(&[("bob", "clean"), ("x", "clean")]));
}

#[cfg(unix)]
#[test]
fn what_a_container_is_given_is_the_servers() {
    for args in [&["compose", "run", "notes"][..], &["run", "-v", "./vol:/srv", "img"]] {
        let entry = json!({"command": "./docker", "args": args});
        Case::of("vol/s.json", ("docker", &plays("vol/s.json")), entry).expect_asked();
    }
}
