//! Where results go: every format, every kind of place, and what becomes of the status where something cannot be
//! delivered.

use crate::support::cli::{Run, Sandbox, fixture};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::symlink;
use std::process::Stdio;
use warden::report::Format;

fn pinned() -> Sandbox {
    Sandbox::pinned(&fixture("notes.json"), &[])
}

fn drifted() -> Sandbox {
    let sandbox = pinned();
    sandbox.script(&fixture("notes-changed.json"));
    sandbox
}

fn failing() -> Sandbox {
    let sandbox = pinned();
    sandbox.script(&serde_json::json!({"methods": {"initialize": [{"exit": 2}]}}));
    sandbox
}

/// `--output FORMAT=NAME` for every format.
fn all_outputs() -> Vec<String> {
    Format::ALL.iter().flat_map(|format| ["--output".to_owned(), format!("{0}=out.{0}", format.name())]).collect()
}

#[test]
fn one_run_writes_every_format_and_ends_as_with_none() {
    for (sandbox, code) in [(pinned(), 0), (drifted(), 1), (failing(), 3)] {
        let mut args = vec!["check".to_owned()];
        args.extend(all_outputs());
        let run = sandbox.run(&args).expect(code);
        for format in Format::ALL {
            let name = format.name();
            // The same bytes as on standard output, save for what people are shown: the time, and the terminal's form.
            let alone = sandbox.run(&["check", "--format", name]).expect(code);
            let file = sandbox.read(&format!("out.{name}"));
            assert!(!file.is_empty(), "{name}");
            if format != Format::Human {
                assert_eq!(file, alone.stdout, "{name}");
                assert!(file.ends_with('\n'), "{name}");
            }
        }
        assert!(!run.stdout.is_empty());
    }
}

#[test]
fn errors_are_delivered_in_every_format() {
    let cases: [&[&str]; 6] = [
        &["check", "--lock", "missing.lock"],
        &["check", "--surface", "missing.json"],
        &["check", "--no-such-option"],
        &["check", "--timeout", "never"],
        &["show", "broken.lock"],
        &["no-such-command"],
    ];
    for args in cases {
        let sandbox = pinned();
        sandbox.write("broken.lock", "{");
        // What an earlier run said must not stay.
        for format in Format::ALL {
            sandbox.write(&format!("out.{}", format.name()), "stale");
        }
        let mut words: Vec<String> = args.iter().map(|word| (*word).to_owned()).collect();
        words.extend(all_outputs());
        let people = sandbox.run(&words).expect(2);
        assert!(people.stdout.is_empty() && people.stderr.contains("error:"), "{people}");
        for format in Format::ALL.into_iter().filter(|format| *format != Format::Human) {
            let name = format.name();
            let run = sandbox.run(&[args, &["--format", name]].concat()).expect(2);
            assert_eq!(run.stdout, sandbox.read(&format!("out.{name}")), "{args:?} {name}");
            assert_eq!(run.stderr, people.stderr, "{name}");
            assert!(run.stdout.len() > 20 && !run.stdout.contains("stale"), "{run}");
        }
        assert!(sandbox.read("out.human").starts_with("error: "), "{}", sandbox.read("out.human"));
    }
}

#[test]
fn a_file_that_cannot_be_written_is_no_success_and_changes_no_verdict() {
    let prepare = |sandbox: &Sandbox| {
        std::fs::create_dir(sandbox.path("folder")).unwrap();
        sandbox.write("target", "somebody's");
        symlink("target", sandbox.path("link")).unwrap();
        symlink("nowhere", sandbox.path("dangling")).unwrap();
    };
    // Whether it is known before anything starts, so that no verdict is there to keep.
    let mut places = vec![("folder", true), ("link", true), ("dangling", true), ("none/out.json", true)];
    if cfg!(target_os = "linux") {
        places.extend([("/dev/full", false), ("/proc/out.json", false)]);
    }
    for (place, early) in places {
        for (sandbox, code) in [(pinned(), 0), (drifted(), 1), (failing(), 3)] {
            prepare(&sandbox);
            let output = format!("json={place}");
            let run = sandbox.run(&["check", "--output", &output, "--output", "sarif=good.sarif"]);
            let expected = if early || code == 0 { 2 } else { code };
            assert_eq!(run.code, Some(expected), "{place}\n{run}");
            assert!(run.stderr.contains("could not be written"), "{run}");
            assert_eq!(run.stderr.matches("error: ").count(), 1, "{run}");
            // The other file is there, and it says how the run ended.
            let good = sandbox.read("good.sarif");
            assert_eq!(good.contains("WRD-COMMAND-FAILED"), early, "{place}");
            assert_eq!(sandbox.read("target"), "somebody's");
            assert!(!sandbox.exists("nowhere"));
            assert_eq!(sandbox.temporary_files(), Vec::<String>::new());
        }
    }
}

#[test]
fn a_report_does_not_replace_what_a_repository_trusts() {
    let sandbox = pinned();
    sandbox.run(&["capture", "-o", "surface.json", "--", "./server", "s.json"]).expect(0);
    std::fs::copy(sandbox.path("warden.lock"), sandbox.path("other.lock")).unwrap();
    sandbox.write("damaged.lock", "{\n");
    let conflict = format!("<<<<<<< ours\n{}", sandbox.read("warden.lock"));
    sandbox.write("conflict.lock", conflict);
    for name in ["warden.toml", "warden.inspection.json", "c.toml"] {
        sandbox.write(name, if name.ends_with("toml") { "" } else { "{}" });
    }
    let around = format!("markdown=/dev/..{}", sandbox.path("warden.lock").display());
    let lines: [&[&str]; 14] = [
        &["check", "--output", &around],
        &["check", "--output", "json=conflict.lock"],
        &["check", "--output", "json=warden.toml"],
        &["check", "--output", "json=warden.inspection.json"],
        &["check", "--config", "c.toml", "--output", "json=./c.toml"],
        &["check", "--output", "json=s.json", "--", "./server", "s.json"],
        &["pin", "--save-surface=new.json", "--output", "json=new.json", "--", "./server", "s.json"],
        &["check", "--output", "json=warden.lock"],
        &["check", "--output", "json=./warden.lock"],
        &["check", "--output", "json=other.lock"],
        &["check", "--output", "json=surface.json"],
        &["pin", "--lock", "new.lock", "--output", "json=new.lock", "--", "./server", "s.json"],
        &["show", "damaged.lock", "--output", "json=damaged.lock"],
        &["check", "--no-such-option", "--output", "json=warden.lock"],
    ];
    let names = [
        "warden.lock",
        "other.lock",
        "surface.json",
        "damaged.lock",
        "conflict.lock",
        "warden.toml",
        "c.toml",
        "s.json",
    ];
    let before = names.map(|name| sandbox.read(name));
    for args in lines {
        let run = sandbox.run(args).expect(2);
        assert_eq!(run.stderr.matches("is not replaced by a report").count(), 1, "{run}");
        assert_eq!(names.map(|name| sandbox.read(name)), before, "{args:?}");
    }
    assert!(!sandbox.exists("new.lock") && !sandbox.exists("new.json"));
    // What a report stands in may be replaced by a report.
    for _ in 0..2 {
        sandbox.run(&["check", "--output", "json=report.json"]).expect(0);
    }
    let run = sandbox.run(&["check", "--output", "json=a", "--output", "sarif=./a"]).expect(2);
    assert!(run.stderr.contains("cannot be one file"), "{run}");
}

/// How a command ends whose standard output takes nothing, or goes away.
fn ending(sandbox: &Sandbox, args: &[&str], stdout: Stdio) -> Option<i32> {
    let mut command = sandbox.command(args);
    command.stdout(stdout).stderr(Stdio::null()).status().expect("the program").code()
}

#[test]
fn what_standard_output_does_not_take_is_no_success() {
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else { return };
    let full = || Stdio::from(File::try_clone(&full).expect("a stream"));
    let (clean, drift, fails) = (pinned(), drifted(), failing());
    for form in [&[][..], &["--json"], &["--format", "jsonl"], &["--format", "sarif"], &["-q"]] {
        assert_eq!(ending(&clean, &[&["check"], form].concat(), full()), Some(2), "{form:?}");
        assert_eq!(ending(&clean, &[&["show"], form].concat(), full()), Some(2), "{form:?}");
        assert_eq!(ending(&drift, &[&["check"], form].concat(), full()), Some(1), "{form:?}");
        assert_eq!(ending(&fails, &[&["check"], form].concat(), full()), Some(3), "{form:?}");
        assert_eq!(ending(&clean, &[&["check", "--lock", "none"], form].concat(), full()), Some(2), "{form:?}");
    }
    for args in [
        &["--help"][..],
        &["check", "--help"],
        &["help", "pin"],
        &["--version"],
        &["demo"],
        &["demo", "--json"],
        &["capture", "-o", "-", "--", "./server", "s.json"],
    ] {
        assert_eq!(ending(&clean, args, full()), Some(2), "{args:?}");
    }
    // The file is written all the same.
    assert_eq!(ending(&clean, &["check", "--output", "json=out.json"], full()), Some(2));
    assert!(sandbox_says_clean(&clean));
}

fn sandbox_says_clean(sandbox: &Sandbox) -> bool {
    sandbox.read("out.json").contains("\"verdict\": \"clean\"")
}

#[test]
fn a_reader_that_goes_away_changes_no_status() {
    for (sandbox, code) in [(pinned(), 0), (drifted(), 1), (failing(), 3)] {
        for form in ["human", "json", "jsonl", "sarif"] {
            // A pipe without a reader from the beginning.
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            assert_eq!(ending(&sandbox, &["check", "--format", form], writer.into()), Some(code), "{form}");
        }
    }
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert_eq!(ending(&pinned(), &["--help"], writer.into()), Some(0));
}

#[test]
fn a_pipe_without_a_reader_stops_nobody() {
    let sandbox = drifted();
    let made = std::process::Command::new("mkfifo").arg(sandbox.path("pipe")).status().expect("mkfifo");
    assert!(made.success());
    let run = sandbox.run(&["check", "--output", "json=pipe"]).expect(1);
    assert!(run.stderr.contains("pipe could not be written"), "{run}");
}

#[test]
fn a_pipe_or_a_device_takes_a_report_and_stays() {
    let sandbox = pinned();
    let run = sandbox.run(&["check", "-q", "--output", "jsonl=/dev/stdout"]).expect(0);
    assert!(run.stdout.starts_with("CLEAN") && run.stdout.contains("\"kind\":\"summary\""), "{run}");
    let run = sandbox.run(&["check", "-q", "--output", "json=/dev/stderr", "--output", "sarif=/dev/null"]).expect(0);
    assert!(run.stderr.contains("\"verdict\": \"clean\""), "{run}");
    let _: Run = run;
}
