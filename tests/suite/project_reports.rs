//! Reports about all servers of a project, and about its settings, in every format; read by readers that did not write
//! them.

use crate::formats::read_sarif;
use crate::injection::{PAYLOADS, twin};
use crate::report_schema::assert_strict;
use crate::support::project_reports::{block, doctor, part, report, rich};
use crate::support::readers::{is_obeyed, junit_elements, outline, workflow_command};
use crate::support::schema::{documents, faults, lines, server_lines};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use warden::finding::Severity;
use warden::report::{
    ErrorReport, FindingLine, Format, MAX_MARKDOWN, NOT_CAPTURED_RULE, ProjectReport, Rendering, Report, Style,
    Verdict, project_markdown_within, render, render_error, render_project,
};
use warden::text::Charset;

fn rendering(style: &Style, exit_code: u8) -> Rendering<'_> {
    Rendering { style, exit_code, lock_uri: "warden.toml", chosen: &[] }
}

fn project_text(format: Format, project: &ProjectReport, exit_code: u8) -> String {
    render_project(format, project, &rendering(&Style::default(), exit_code))
}

fn doctor_text(format: Format, report: &Report) -> String {
    render(format, report, &Rendering { lock_uri: "", ..rendering(&Style::default(), 1) })
}

fn assert_text(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(&format!("(ersion\": ?\"){}", env!("CARGO_PKG_VERSION").replace('.', r"\.")), "$1[version]");
    settings.bind(|| insta::assert_snapshot!(name, text.replace('\u{1b}', "␛")));
}

/// What every format must be for any report, whatever strangers say; gives what must be the same for all of them.
#[track_caller]
fn read(text_of: &dyn Fn(Format) -> String, results: usize) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for format in Format::ALL {
        let (name, text) = (format.name(), text_of(format));
        let hidden = text.chars().find(|c| *c != '\n' && warden::text::is_hidden(*c));
        assert!(hidden.is_none(), "{hidden:?} in {name}:\n{text}");
        let obeyed = text.split('\n').find(|line| is_obeyed(line));
        assert!(obeyed.is_none() || format == Format::Github, "{obeyed:?} in {name}");
        match format {
            Format::Human => assert!(text.ends_with('\n')),
            Format::Json => {
                let document: Value = serde_json::from_str(&text).expect("JSON");
                assert!(documents().is_valid(&document), "{}", faults(documents(), &document));
            }
            Format::Jsonl => {
                for line in text.lines() {
                    let line: Value = serde_json::from_str(line).expect("JSON");
                    assert!(lines().is_valid(&line), "{line}\n{}", faults(lines(), &line));
                }
                found.insert("lines".to_owned(), text.lines().count());
            }
            Format::Sarif => assert_eq!(read_sarif(&text).len(), results),
            Format::Github => {
                let commands = text.strip_suffix('\n').expect("a last line").split(['\n', '\r']);
                for line in commands {
                    let command = workflow_command(line).unwrap_or_else(|| panic!("{line:?}"));
                    let known = ["file", "line", "col", "title"];
                    assert!(command.properties.keys().all(|key| known.contains(&key.as_str())), "{command:?}");
                    *found.entry(command.name).or_insert(0) += 1;
                }
            }
            Format::Markdown => {
                let outline = outline(&text);
                for (name, count) in [
                    ("headings", outline.headings),
                    ("items", outline.items.len()),
                    ("code blocks", outline.code_blocks),
                    ("details", outline.details),
                    ("rows", outline.rows),
                    ("cells", outline.cells),
                ] {
                    found.insert(name.to_owned(), count);
                }
            }
            Format::Junit => found.extend(junit_elements(&text)),
            Format::Gitlab => {
                let issues: Vec<Value> = serde_json::from_str(&text).expect("JSON");
                let prints: BTreeSet<_> = issues.iter().map(|issue| issue["fingerprint"].to_string()).collect();
                assert_eq!(prints.len(), issues.len(), "{text}");
                found.insert("issues".to_owned(), issues.len());
            }
        }
    }
    found
}

#[test]
fn a_project_reads_well_in_every_format() {
    let project = rich("notes");
    for format in Format::ALL {
        assert_text(&format!("project-{}", format.name()), &project_text(format, &project, 1));
    }
    let human = |style: Style| render_project(Format::Human, &project, &rendering(&style, 1));
    let narrow = Style { width: 40, charset: Charset::Ascii, ..Style::default() };
    assert_text("project-human-40-ascii", &human(narrow));
    assert_text("project-human-color", &human(Style { color: true, width: 80, ..Style::default() }));
    let quiet = human(Style { quiet: true, ..Style::default() });
    assert_eq!(Some(quiet.trim_end()), human(Style::default()).split("\n\n").next());
    let verbose = human(Style { verbose: true, ..Style::default() });
    assert!(verbose.contains("the server says notes") && !human(Style::default()).contains("the server says"));
}

/// What the formats for people and for logs make of somebody who tries all of them at once.
#[test]
fn a_hostile_name_reads_as_a_name() {
    let project = rich("a|b`c\n::error::d \u{202e}\u{1b}[31m <b>&@e #1 ##[f]");
    for format in [Format::Human, Format::Github, Format::Markdown, Format::Junit] {
        assert_text(&format!("project-hostile-{}", format.name()), &project_text(format, &project, 1));
    }
}

#[test]
fn a_project_reads_the_same_whatever_anybody_is_called() {
    // Two facts of each of three changed tools, and one of each of four servers.
    let check = |text: &str| read(&|format| project_text(format, &rich(text), 1), 10);
    let expected = check("name");
    for (element, count) in [("testsuite", 9), ("error", 2), ("failure", 5), ("skipped", 1), ("rows", 8), ("cells", 27)]
    {
        assert_eq!(expected[element], count, "{element} in {expected:?}");
    }
    for payload in PAYLOADS {
        assert_eq!(check(payload), check(&twin(payload)), "{payload:?}");
    }
    for long in ["::error::`|<@a ".repeat(500), "\u{202e}".repeat(5_000)] {
        assert_eq!(check(&long)["testsuite"], 9);
    }
}

#[test]
fn documents_about_projects_are_exactly_as_described() {
    let project = rich("notes");
    assert_strict(documents(), &serde_json::from_str(&project_text(Format::Json, &project, 1)).expect("JSON"));
    let text = project_text(Format::Jsonl, &project, 1);
    let parsed: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for line in &parsed {
        // Without the name of a server most are lines of a report about one.
        let validator = if line.get("server_name").is_some() { server_lines() } else { lines() };
        assert!(lines().is_valid(line));
        assert_strict(validator, line);
    }
    let last = parsed.last().expect("a line");
    assert_eq!((&parsed[0]["kind"], &last["kind"]), (&"project".into(), &"project_summary".into()));
    for (kind, member) in [("item", "items"), ("failure", "failures"), ("note", "notes"), ("clash", "clashes")] {
        assert_eq!(last[member], parsed.iter().filter(|line| line["kind"] == kind).count(), "{kind}");
    }
    let document = doctor_text(Format::Json, &doctor("notes", 1));
    assert_strict(documents(), &serde_json::from_str(&document).expect("JSON"));
    for line in doctor_text(Format::Jsonl, &doctor("notes", 1)).lines() {
        assert_strict(lines(), &serde_json::from_str(line).expect("JSON"));
    }
}

/// Two locks of the same text and the same change are two alerts.
#[test]
fn servers_do_not_share_fingerprints() {
    let project = rich("notes");
    let results = read_sarif(&project_text(Format::Sarif, &project, 1));
    let of = |server: &str| -> BTreeSet<String> {
        let results = results.iter().filter(|result| result["properties"]["server"] == server);
        results.map(|result| result["partialFingerprints"]["primaryLocationLineHash"].to_string()).collect()
    };
    assert!(!of("twin").is_empty() && of("twin").is_disjoint(&of("notes")));
    let logical = |server: &str| {
        let result = results.iter().find(|result| result["properties"]["server"] == server).expect("a result");
        result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"].as_str().expect("a name").to_owned()
    };
    assert_eq!(logical("twin"), "twin: tools/twice");
}

/// A run in which nobody looked at anything does not read as clean anywhere.
#[test]
fn nothing_checked_is_a_fact_in_every_format() {
    let none = ProjectReport { servers: Vec::new(), clashes: Vec::new(), verdict: Verdict::NotChecked, ..rich("a") };
    let mut skipped = rich("a");
    skipped.servers.retain(|part| part.report.verdict == Verdict::Skipped);
    skipped.clashes.clear();
    skipped.verdict = Verdict::NotChecked;
    // The coordinator may have said nothing but the verdict.
    let mut bare = none.clone();
    bare.servers = vec![part("a", report("check", Verdict::NotChecked, "a"))];
    for project in [none, skipped, bare] {
        let results = read_sarif(&project_text(Format::Sarif, &project, 3));
        assert_eq!(results.len(), 1);
        assert_eq!(results[0]["ruleId"], NOT_CAPTURED_RULE);
        let counts = junit_elements(&project_text(Format::Junit, &project, 3));
        assert_eq!(counts["error"], 1, "{counts:?}");
        let issues: Vec<Value> = serde_json::from_str(&project_text(Format::Gitlab, &project, 3)).expect("JSON");
        assert_eq!(issues.len(), 1);
        assert!(project_text(Format::Github, &project, 3).lines().all(|line| !line.starts_with("::notice file=\"")));
        let human = project_text(Format::Human, &project, 3);
        assert!(human.starts_with("NOT CHECKED"), "{human}");
        outline(&project_text(Format::Markdown, &project, 3));
    }
}

/// What a pin of one server accepted is no failure because another one could not be pinned.
#[test]
fn one_server_does_not_make_another_one_fail() {
    let mut pinned = report("pin", Verdict::Pinned, "good");
    pinned.blocks = vec![block("changed")];
    pinned.entries = vec!["tools/changed".to_owned()];
    let bad = report("pin", Verdict::NotPinned, "bad");
    let project = ProjectReport {
        command: "pin",
        verdict: Verdict::NotPinned,
        clashes: Vec::new(),
        servers: vec![part("bad", bad), part("good", pinned)],
        ..rich("a")
    };
    let junit = project_text(Format::Junit, &project, 3);
    let counts = junit_elements(&junit);
    assert_eq!((counts.get("failure"), counts["error"]), (None, 1), "{junit}");
    let issues = project_text(Format::Gitlab, &project, 3);
    assert!(!issues.contains("WRD-DRIFT") && issues.contains(NOT_CAPTURED_RULE), "{issues}");
    let github = project_text(Format::Github, &project, 3);
    assert!(!github.contains("::error file=.warden/good"), "{github}");
    assert!(project_text(Format::Human, &project, 3).contains("2 servers: 1 pinned, 1 not pinned"));
}

fn finding(severity: Severity, rule_id: &str) -> FindingLine {
    FindingLine {
        rule_id: rule_id.to_owned(),
        severity,
        target: "tools/changed".to_owned(),
        message: format!("what {rule_id} says"),
        snippet: String::new(),
        place: None,
        fix: None,
    }
}

/// One report of one server, in a project.
fn alone(command: &'static str, report: Report) -> ProjectReport {
    let verdict = report.verdict;
    ProjectReport { command, verdict, clashes: Vec::new(), servers: vec![part("a", report)], ..rich("a") }
}

/// The worst of a server may be a finding that is new beside what drifted.
#[test]
fn the_line_of_a_server_counts_what_its_section_tells() {
    let mut drifted = report("check", Verdict::Drift, "a");
    drifted.blocks = vec![block("changed")];
    drifted.blocks[0].findings = vec![finding(Severity::Critical, "WRD-CAP-SHELL")];
    let project = alone("check", drifted);
    let human = project_text(Format::Human, &project, 1);
    assert!(human.contains("DRIFT  1 high, 1 low; new findings: 1 critical"), "{human}");
    let markdown = project_text(Format::Markdown, &project, 1);
    assert!(markdown.contains("| **drift**: 1 high, 1 low; new findings: 1 critical |"), "{markdown}");
}

#[test]
fn a_first_pin_tells_its_critical_and_high_findings() {
    let pin = |verdict, findings: &[Severity]| {
        let mut pinned = report("pin", verdict, "a");
        pinned.findings = findings.iter().map(|severity| finding(*severity, "WRD-CAP-SHELL")).collect();
        alone("pin", pinned)
    };
    let text = |format, project: &ProjectReport| project_text(format, project, 0);
    let high = pin(Verdict::Pinned, &[Severity::High, Severity::Low, Severity::Low]);
    for format in [Format::Human, Format::Markdown] {
        let text = text(format, &high);
        assert!(text.contains("what `WRD-CAP-SHELL` says") || text.contains("what WRD-CAP-SHELL says"), "{text}");
    }
    let human = text(Format::Human, &high);
    assert!(human.contains("and 2 low: -v lists them all") && !human.contains("only counted here"), "{human}");
    // What is no news, or little, is counted, and the report says how to read it.
    for project in [pin(Verdict::Pinned, &[Severity::Medium]), pin(Verdict::Unchanged, &[Severity::Critical])] {
        let human = text(Format::Human, &project);
        assert!(!human.contains("says") && human.contains("-v lists the findings"), "{human}");
        assert!(!text(Format::Markdown, &project).contains("says"));
        let style = Style { verbose: true, ..Style::default() };
        let verbose = render_project(Format::Human, &project, &rendering(&style, 0));
        assert!(verbose.contains("what WRD-CAP-SHELL says") && !verbose.contains("-v"), "{verbose}");
    }
}

#[test]
fn tools_of_several_servers_have_a_heading_and_a_clean_check_only_counts_them() {
    const HEADING: &str = "Tools of more than one server\n";
    let drifted = rich("notes");
    for format in [Format::Human, Format::Markdown] {
        let text = project_text(format, &drifted, 1);
        let (_, below) = text.split_once(HEADING).expect("a heading");
        assert!(below.trim_start().split('\n').next().unwrap_or_default().contains("`notes` is a tool"), "{text}");
    }
    let clean =
        ProjectReport { clashes: drifted.clashes.clone(), ..alone("check", report("check", Verdict::Clean, "a")) };
    let verbose = Style { verbose: true, ..Style::default() };
    for format in [Format::Human, Format::Markdown] {
        let text = project_text(format, &clean, 0);
        let count = "1 name of a tool is offered by more than one server";
        assert!(text.contains(count) && !text.contains("is a tool of") && !text.contains(HEADING), "{text}");
        let text = render_project(format, &clean, &rendering(&verbose, 0));
        assert!(text.contains("is a tool of") && text.contains(HEADING) && !text.contains(count), "{text}");
        // A pin is when somebody looks.
        let pin = ProjectReport { command: "pin", ..clean.clone() };
        assert!(project_text(format, &pin, 0).contains(HEADING));
    }
    for format in [Format::Json, Format::Jsonl, Format::Sarif, Format::Gitlab, Format::Junit] {
        let text = project_text(format, &clean, 0);
        assert!(text.contains("TOOL-CLASH") || text.contains("is a tool of more than one server"), "{text}");
    }
}

#[test]
fn the_headline_counts_as_its_words_say() {
    let of = |command, verdicts: &[Verdict]| {
        let servers =
            verdicts.iter().enumerate().map(|(n, verdict)| part(&n.to_string(), report(command, *verdict, "x")));
        let verdict = Verdict::of_all(verdicts.iter().copied());
        let project = ProjectReport { command, verdict, servers: servers.collect(), clashes: Vec::new(), ..rich("a") };
        let text = project_text(Format::Human, &project, 0);
        text.split("\n\n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    use Verdict::{Clean, Different, Drift, Failed, Pinned, Same, Skipped, Unchanged};
    for (command, verdicts, expected) in [
        ("pin", &[Pinned, Unchanged, Unchanged, Skipped][..], "PINNED 4 servers: 1 pinned, 2 unchanged, 1 skipped"),
        ("pin", &[Unchanged], "UNCHANGED 1 server: 1 unchanged"),
        ("init", &[Pinned, Failed], "ERROR 2 servers: 1 pinned, 1 error"),
        ("diff", &[Same, Different], "DIFFERENT 2 servers: 1 same, 1 different"),
        ("convert", &[Pinned], "PINNED 1 server: 1 pinned"),
        ("check", &[Clean, Drift, Failed, Failed], "DRIFT 2 servers checked of 4: 1 clean, 1 drift, 2 errors"),
    ] {
        assert_eq!(of(command, verdicts), expected, "{command} {verdicts:?}");
    }
    let failed = alone("check", report("check", Verdict::Failed, "a"));
    let markdown = project_text(Format::Markdown, &failed, 2);
    assert!(markdown.contains("| **error** |") && !markdown.contains("failed"), "{markdown}");
}

/// Two jobs that look at different servers of one project each keep a comment of their own.
#[test]
fn a_choice_of_servers_has_a_comment_of_its_own() {
    let marker = |lock_uri: &str, chosen: &[&str]| {
        let chosen: Vec<String> = chosen.iter().map(|name| (*name).to_owned()).collect();
        let style = Style::default();
        let rendering = Rendering { lock_uri, chosen: &chosen, ..rendering(&style, 1) };
        let first = |text: String| text.lines().next().unwrap_or_default().to_owned();
        let error = ErrorReport { headline: "no", causes: &[], hints: &[] };
        let marker = first(render_project(Format::Markdown, &rich("a"), &rendering));
        assert_eq!(marker, first(render_error(Format::Markdown, &error, &rendering)));
        assert!(marker.starts_with("<!-- warden-report ") && marker.len() == 35, "{marker}");
        marker
    };
    let choices: [(&str, &[&str]); 6] = [
        ("warden.toml", &[]),
        ("warden.toml", &["a"]),
        ("warden.toml", &["b"]),
        ("warden.toml", &["a", "b"]),
        ("warden.toml", &["ab"]),
        ("sub/warden.toml", &["a"]),
    ];
    let markers: BTreeSet<String> = choices.iter().map(|(uri, chosen)| marker(uri, chosen)).collect();
    assert_eq!(markers.len(), choices.len(), "{markers:?}");
    assert_eq!(marker("warden.toml", &["b", "a", "b"]), marker("warden.toml", &["a", "b"]));
}

#[test]
fn a_comment_about_many_servers_stays_within_its_limit() {
    let mut project = rich("notes");
    let mut drifted = report("check", Verdict::Drift, "x");
    drifted.blocks = (0..40).map(|n| block(&format!("tool{n} {}", "word ".repeat(200)))).collect();
    let clean = report("check", Verdict::Clean, "x");
    project.servers = (0..900)
        .map(|n| part(&format!("s{n:03}"), if n % 10 == 0 { drifted.clone() } else { clean.clone() }))
        .collect();
    let style = Style::default();
    for limit in [MAX_MARKDOWN, 20_000, 6_000] {
        let text = project_markdown_within(&project, &rendering(&style, 1), limit);
        assert!(text.len() <= limit && text.len() > limit / 2, "{} of {limit}", text.len());
        let outline = outline(&text);
        assert!(text.contains("more servers\n") && outline.headings > 2, "{text}");
        let rows = text.lines().filter(|line| line.starts_with("| `s"));
        let wrong = rows.filter(|row| row.contains("**drift**")).count();
        assert!(wrong >= 90.min(limit / 200), "{wrong} of {limit}");
    }
    // Few servers get an equal share, and what one does not need is for the others.
    project.servers = vec![part("a", drifted.clone()), part("b", clean), part("c", drifted)];
    let text = project_text(Format::Markdown, &project, 1);
    let lengths: Vec<usize> = text.split("\n## `").skip(1).map(str::len).collect();
    assert!(lengths.len() == 2 && lengths.iter().all(|length| *length > 20_000), "{lengths:?}");
    assert!(text.len() <= MAX_MARKDOWN);
}

#[test]
fn findings_that_decide_are_all_told_with_their_places() {
    let report = doctor("notes", 12);
    for format in Format::ALL {
        assert_text(&format!("doctor-{}", format.name()), &doctor_text(format, &doctor("notes", 1)));
    }
    let human = doctor_text(Format::Human, &report);
    for finding in &report.findings {
        let fix = finding.fix.as_deref().expect("a fix");
        assert!(human.lines().any(|line| line.ends_with(fix)), "{fix} in\n{human}");
        assert!(human.contains(&finding.target), "{human}");
    }
    let markdown = doctor_text(Format::Markdown, &report);
    assert_eq!(outline(&markdown).headings, 1 + report.findings.len());
    let counts = junit_elements(&doctor_text(Format::Junit, &report));
    assert_eq!((counts["testcase"], counts["failure"]), (15, 15));
    let issues: Vec<Value> = serde_json::from_str(&doctor_text(Format::Gitlab, &report)).expect("JSON");
    assert_eq!(issues.len(), 15);
    assert_eq!(issues[0]["location"]["path"], "conf/notes.json");
    assert_eq!((&issues[0]["severity"], &issues[14]["severity"]), (&"critical".into(), &"minor".into()));
    let github = doctor_text(Format::Github, &report);
    assert!(github.contains("::error file=conf/notes.json,line=4,col=5,"), "{github}");
    for payload in PAYLOADS {
        let check = |text: &str| read(&|format| doctor_text(format, &doctor(text, 2)), 5);
        assert_eq!(check(payload), check(&twin(payload)), "{payload:?}");
    }
    let clean = Report { verdict: Verdict::Clean, findings: Vec::new(), ..report };
    assert_eq!(junit_elements(&doctor_text(Format::Junit, &clean)).get("failure"), None);
}
