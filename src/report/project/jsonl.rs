//! The same as lines: one for the project, those of each server with its name, and one that counts.

use super::ProjectReport;
use super::json::{clash, counts, insert_head};
use crate::finding::Severity;
use crate::report::facts::{FactKind, facts};
use crate::report::json::{compact_visible, counts_object, number};
use crate::report::jsonl::{kind, note, report_lines};
use std::collections::BTreeMap;

/// Renders it as lines of JSON.
pub(in crate::report) fn project_jsonl(project: &ProjectReport, exit_code: u8) -> String {
    let mut head = kind("project");
    insert_head(&mut head, project, exit_code);
    let mut lines = vec![head];
    let mut of_severity: BTreeMap<Severity, usize> = BTreeMap::new();
    let (mut items, mut remaining, mut findings, mut failures, mut accepted) = (0, 0, 0, 0, 0);
    for part in &project.servers {
        let of_server = report_lines(&part.report, None).into_iter().map(|mut line| {
            line.insert("server_name", part.name.as_str());
            line
        });
        lines.extend(of_server);
        for fact in facts(&part.report) {
            match fact.kind {
                FactKind::Drift if fact.remains => remaining += 1,
                FactKind::Drift => {
                    items += 1;
                    *of_severity.entry(fact.severity).or_insert(0) += 1;
                }
                FactKind::Finding => findings += 1,
                FactKind::Failure => failures += 1,
            }
        }
        accepted += part.report.config.as_ref().map_or(0, |config| config.accepted.len());
    }
    lines.extend(project.clashes.iter().map(|one| {
        let mut line = kind("clash");
        for (name, member) in clash(one).iter() {
            line.insert(name, member.clone());
        }
        line
    }));
    lines.extend(project.notes.iter().map(|text| note(text)));
    let notes: usize = project.servers.iter().map(|part| part.report.notes.len()).sum();
    let mut last = kind("project_summary");
    last.insert("verdict", project.verdict.id());
    last.insert("exit_code", i64::from(exit_code));
    last.insert("counts", counts(project));
    for (name, count) in [
        ("items", items),
        ("remaining", remaining),
        ("findings", findings),
        ("accepted", accepted),
        ("failures", failures),
        ("clashes", project.clashes.len()),
        ("notes", notes + project.notes.len()),
    ] {
        last.insert(name, number(count));
    }
    last.insert("severities", counts_object(of_severity.into_iter().rev().collect()));
    lines.push(last);
    lines.into_iter().map(compact_visible).collect()
}
