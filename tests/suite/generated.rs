//! Texts made of the definition of the command line: completion scripts and manual pages.

use crate::support::cli::Sandbox;
use clap::CommandFactory as _;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use warden::cli::Cli;

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

/// The commands that people see.
fn commands() -> Vec<String> {
    let all = Cli::command();
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set());
    shown.map(|command| command.get_name().to_owned()).collect()
}

/// Runs a program of the machine with this input; `None` where it is not there.
fn with_input(program: &str, args: &[&str], input: &str) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(args).env("LC_ALL", "C.UTF-8").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    // It may have stopped reading at what is wrong; its status says so.
    let _ = writer.join().unwrap();
    Some(output)
}

#[test]
fn completions_know_every_command_and_nothing_hidden() {
    let sandbox = Sandbox::new();
    assert!(commands().len() > 6);
    for shell in SHELLS {
        let run = sandbox.run(&["completions", shell]).expect(0);
        assert!(run.stderr.is_empty() && run.stdout.ends_with('\n'), "{shell}\n{run}");
        for word in commands().iter().map(String::as_str).chain(["require-approval", "no-config"]) {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
        for word in ["demo-server", "TODO", "{bin}", "/tmp", env!("CARGO_MANIFEST_DIR")] {
            assert!(!run.stdout.contains(word), "{shell}: {word}");
        }
    }
    let run = sandbox.run(&["completions", "tcsh"]).expect(2);
    assert!(run.stdout.is_empty() && run.stderr.contains("powershell"), "{run}");
    sandbox.run(&["completions"]).expect(2);
}

#[test]
fn shells_can_read_their_script() {
    let sandbox = Sandbox::new();
    let mut read = 0;
    for (shell, args) in [("bash", ["-n", "/dev/stdin"]), ("zsh", ["-n", "/dev/stdin"]), ("fish", ["-n", "/dev/stdin"])]
    {
        let script = sandbox.run(&["completions", shell]).expect(0).stdout;
        if let Some(output) = with_input(shell, &args, &script) {
            assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
            read += 1;
        }
    }
    assert!(read > 0, "no shell to ask");
}

#[test]
fn bash_completes_commands_and_options() {
    let script = Sandbox::new().run(&["completions", "bash"]).expect(0).stdout;
    let ask = |words: &str, count: usize| {
        let question = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD={count}; _warden warden \"${{COMP_WORDS[{count}]}}\" \"\" \
             2>/dev/null; echo \"${{COMPREPLY[@]}}\"\n"
        );
        let output = with_input("bash", &["--norc"], &question).expect("bash");
        String::from_utf8(output.stdout).unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ask("warden exp", 1), ["explain"]);
    assert_eq!(ask("warden check --require", 2), ["--require-approval"]);
    assert_eq!(ask("warden demo-s", 1), [""; 0]);
    // Files are offered where a file is meant, and not for a name, a number or a revision.
    let arm = |option: &str| {
        let (_, rest) = script.split_once(&format!("\n                {option})\n")).expect(option);
        rest.split_once(";;").expect("its end").0.to_owned()
    };
    for option in ["--lock", "--config", "--surface"] {
        assert!(arm(option).contains("compgen -f"), "{option}: {}", arm(option));
    }
    for option in ["--only", "--jobs", "--since", "--name", "--entry", "--env", "--timeout", "--approver"] {
        assert!(!arm(option).contains("compgen -f"), "{option}: {}", arm(option));
    }
}

/// What every page has: a title, the sections in order, and no request but those of the manual macros.
fn assert_page(name: &str, page: &str) {
    let title = page.lines().find(|line| line.starts_with(".TH ")).unwrap_or_default();
    assert!(title.starts_with(&format!(".TH {name} 1 ")), "{name}: {title}");
    let sections: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
    assert_eq!(sections[..3], ["NAME", "SYNOPSIS", "DESCRIPTION"], "{name}");
    assert_eq!(sections.last(), Some(&"NOTES"), "{name}");
    let known = ["TH", "SH", "TP", "PP", "br", "nf", "fi", "RS", "RE", "IP", "ie", "el"];
    for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
        let request = line[1..].split(' ').next().unwrap();
        assert!(known.contains(&request), "{name}: {line}");
    }
    assert!(!page.contains("demo-server") && !page.contains("demo\\-server"), "{name}");
}

/// A page as a reader sees it, where the machine can show it; every complaint is a failure.
fn shown(page: &str) -> Option<String> {
    let output = with_input("groff", &["-man", "-Tutf8", "-ww"], page)?;
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_manual_page_has_every_command_and_keeps_its_examples() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["man"]).expect(0);
    assert!(run.stderr.is_empty(), "{run}");
    assert_page("warden", &run.stdout);
    for command in commands() {
        assert!(run.stdout.contains(&format!("\nwarden\\-{command}(1)\n")), "{command}");
    }
    // The description says more than the line beside the name, and the notes do not say it again.
    assert!(run.stdout.contains("\n.SH DESCRIPTION\nAn MCP server tells a model"), "{run}");
    assert_eq!(run.stdout.matches("An MCP server tells a model").count(), 1, "{run}");
    // Examples are lines of their own.
    assert!(run.stdout.contains("\n    warden pin \\-\\- npx \\-y some\\-server@1.2.3\n"), "{run}");
    if let Some(text) = shown(&run.stdout) {
        assert!(text.contains("some-server@1.2.3") && text.contains("Exit codes:"), "{text}");
    }
}

#[test]
fn a_page_for_each_command_is_written_to_a_folder() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("man1")).unwrap();
    sandbox.write("man1/warden.1", "old");
    let run = sandbox.run(&["man", "--dir", "man1"]).expect(0);
    assert!(run.all().is_empty(), "{run}");
    let mut want: Vec<String> = commands().iter().map(|command| format!("warden-{command}.1")).collect();
    want.push("warden.1".to_owned());
    want.sort();
    let names = std::fs::read_dir(sandbox.path("man1")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, want);
    for name in &names {
        let page = sandbox.read(&format!("man1/{name}"));
        assert_page(name.trim_end_matches(".1"), &page);
        if let Some(text) = shown(&page) {
            assert!(text.contains("Exit codes:"), "{name}");
        }
    }
    assert!(sandbox.read("man1/warden-check.1").contains("\\-\\-require\\-approval"));
    // The folder is made, also one in another that is missing.
    sandbox.run(&["man", "--dir", "missing/man1"]).expect(0);
    assert_eq!(sandbox.read("missing/man1/warden.1"), sandbox.read("man1/warden.1"));
    sandbox.write("a-file", "kept");
    let run = sandbox.run(&["man", "--dir", "a-file"]).expect(2);
    assert!(run.stderr.contains("the folder a-file could not be made"), "{run}");
    sandbox.run(&["man", "--dir", "a-file", "--json"]).expect(2).document();
    assert_eq!(sandbox.read("a-file"), "kept");
}
