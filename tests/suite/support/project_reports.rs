//! Reports about several servers, and one about the settings of a project, with a text in every place that somebody else
//! fills.

use warden::finding::Severity;
use warden::report::{
    Block, BlockItem, COMMAND_FAILED_RULE, Clash, Counts, Failure, FilePlace, FindingLine, NOT_CONFIGURED_RULE,
    NOT_LOCKED_RULE, NextStep, Piece, ProjectReport, Report, ServerPart, ServerSummary, Subject, TextChange, TextSide,
    Verdict, server_block,
};
use warden::text::{Charset, escape};

fn escaped(text: &str) -> String {
    escape(text, Charset::Unicode)
}

fn place(text: &str, line: usize) -> FilePlace {
    FilePlace { path: format!(".mcp {text}.json"), uri: format!("conf/{}.json", uri(text)), line, column: 5 }
}

/// What a path from the root of a repository may hold.
fn uri(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '/' | '\0' | '\\')).collect()
}

pub fn report(command: &'static str, verdict: Verdict, name: &str) -> Report {
    let subject = Subject {
        lock_path: if verdict == Verdict::Failed { String::new() } else { format!(".warden/{name}/warden.lock") },
        launch: escaped(&format!("npx {name}")),
    };
    Report::new(command, verdict, subject)
}

pub fn part(name: &str, report: Report) -> ServerPart {
    ServerPart {
        name: name.to_owned(),
        places: vec![place(name, 3)],
        report,
        lock_uri: format!(".warden/{}/warden.lock", uri(name)),
    }
}

fn asked(report: &mut Report, text: &str, tools: usize) {
    report.counts = Counts { tools, resources: 0, prompts: 1 };
    report.server = Some(ServerSummary {
        name: Some(text.to_owned()),
        version: Some("1".to_owned()),
        protocol_version: "2025-11-25".to_owned(),
        seconds: 0.34,
        missing: Vec::new(),
        overall_digest: warden::json::hash(&warden::json::Value::Null).expect("a digest"),
    });
}

pub fn item(severity: Severity, class: &str, words: &str) -> BlockItem {
    BlockItem {
        severity,
        class: class.to_owned(),
        rule_id: format!("WRD-DRIFT-{}", class.to_uppercase()),
        detail: None,
        path: None,
        words: words.to_owned(),
        change: None,
    }
}

/// A tool that changed.
pub fn block(text: &str) -> Block {
    let mut block = Block::new(format!("tools/{text}"));
    block.items = vec![
        item(Severity::High, "schema-enum-removed", &escaped(&format!("`limit` is free now; {text}"))),
        item(Severity::Low, "description-modified", "the description was reworded"),
    ];
    let side = |raw: &str| TextSide::Text { raw: raw.to_owned(), pieces: vec![Piece::Changed(raw.to_owned())] };
    block.texts = vec![TextChange {
        pointer: "/description".to_owned(),
        before: side("as it was"),
        now: side(text),
        remark: None,
        told: false,
    }];
    block
}

/// Eight servers, one of each kind, and a tool that two of them offer; `text` is what strangers say.
pub fn rich(text: &str) -> ProjectReport {
    let mut clean = report("check", Verdict::Clean, "files");
    asked(&mut clean, text, 14);
    clean.notes = vec![escaped(&format!("the server says {text}"))];
    let mut drifted = report("check", Verdict::Drift, text);
    asked(&mut drifted, text, 2);
    drifted.blocks = vec![block(text), block("twice")];
    drifted.notes = vec![escaped(&format!("instructions changed: {text}"))];
    let mut twin = report("check", Verdict::Drift, "twin");
    asked(&mut twin, text, 2);
    twin.blocks = vec![block("twice")];
    let mut unknown = report("check", Verdict::NotChecked, "search");
    unknown.failure = Some(Failure {
        code: "E-HTTP-STATUS".to_owned(),
        stage: "handshake".to_owned(),
        message: escaped(&format!("401: {text}")),
        hint: Some("Give a token with --bearer-env NAME.".to_owned()),
        stderr: Vec::new(),
        remote: true,
        warnings: Vec::new(),
    });
    let mut skipped = report("check", Verdict::Skipped, "browser");
    skipped.said = Some(escaped(&format!("skipped in warden.toml: \"{text}\", until 2026-12-31")));
    let mut unlocked = report("check", Verdict::NotLocked, "unlocked");
    unlocked.said = Some("no lock covers it".to_owned());
    unlocked.blocks = vec![server_block(NOT_LOCKED_RULE, escaped(&format!("no lock covers {text}")))];
    let mut gone = report("check", Verdict::NotConfigured, "gone");
    gone.said = Some("nothing configures it".to_owned());
    gone.blocks = vec![server_block(NOT_CONFIGURED_RULE, escaped(&format!("{text} is configured nowhere")))];
    let mut failed = report("check", Verdict::Failed, "broken");
    failed.said = Some(escaped(&format!("the lock is no JSON: {text}")));
    failed.blocks = vec![server_block(COMMAND_FAILED_RULE, escaped(&format!("the lock is no JSON: {text}")))];
    ProjectReport {
        command: "check",
        verdict: Verdict::Drift,
        config: Some("warden.toml".to_owned()),
        written: None,
        lock_format: None,
        servers: vec![
            part("broken", failed),
            part("browser", skipped),
            part("files", clean),
            ServerPart { places: Vec::new(), ..part("gone", gone) },
            part(text, drifted),
            part("search", unknown),
            part("twin", twin),
            part("unlocked", unlocked),
        ],
        clashes: vec![Clash { tool: text.to_owned(), servers: vec!["files".to_owned(), text.to_owned()] }],
        notes: vec![escaped(&format!("an entry cannot be read: {text}"))],
        next: vec![NextStep {
            purpose: "pin what has no lock",
            command: "warden pin --all --only unlocked".to_owned(),
        }],
    }
}

/// A look at the settings of a project that found something.
pub fn doctor(text: &str, low: usize) -> Report {
    let finding = |severity, rule: &str, target: &str, line, fix: &str| FindingLine {
        rule_id: rule.to_owned(),
        severity,
        target: target.to_owned(),
        message: escaped(&format!("the launch is not what it seems: {text}")),
        snippet: escaped(text),
        place: Some(place(text, line)),
        fix: Some(fix.to_owned()),
    };
    let long = format!("warden pin --all --only '{}'", "a-long-name-".repeat(8));
    let mut report = Report::new("doctor", Verdict::Findings, Subject::default());
    report.said = Some("5 servers in 2 files".to_owned());
    report.findings = vec![
        finding(Severity::Medium, "WRD-SUP-IMAGE-TAG", "servers/image", 9, "docker run a@sha256:0"),
        finding(Severity::High, "WRD-SUP-NPX-UNPINNED", &format!("servers/{text}"), 4, &long),
        finding(Severity::High, "WRD-SUP-NPX-UNPINNED", &format!("servers/{text}"), 5, "npx -y a@1.2.3"),
    ];
    report.findings.extend(
        (0..low)
            .map(|n| finding(Severity::Low, "WRD-LOOK-MIXED-SCRIPT", &format!("servers/low{n}"), 20 + n, "rename it")),
    );
    report.next = vec![NextStep { purpose: "look again", command: "warden doctor".to_owned() }];
    report
}
