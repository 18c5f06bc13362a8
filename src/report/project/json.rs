//! The machine report about all servers of a project: one document (docs/json-output.md).

use super::words::sorted_counts;
use super::{Clash, ProjectReport, ServerPart};
use crate::json::Object;
use crate::report::facts::TOOL_CLASH_RULE;
use crate::report::json::{REPORT_VERSION, insert_members, next_steps, number, place, pretty_visible};

/// Renders it as one JSON document, final newline included.
pub(in crate::report) fn project_json(project: &ProjectReport, exit_code: u8) -> String {
    let mut top = Object::new();
    insert_head(&mut top, project, exit_code);
    top.insert("servers", project.servers.iter().map(server).collect::<Vec<_>>());
    top.insert("clashes", project.clashes.iter().map(clash).collect::<Vec<_>>());
    top.insert("notes", project.notes.clone());
    if let Some(written) = &project.written {
        top.insert("written", written.clone());
    }
    top.insert("next", next_steps(&project.next));
    pretty_visible(top)
}

/// What was run, how it ended and how many servers there are.
pub(super) fn insert_head(top: &mut Object, project: &ProjectReport, exit_code: u8) {
    top.insert("report_version", REPORT_VERSION);
    top.insert("command", project.command);
    top.insert("verdict", project.verdict.id());
    top.insert("exit_code", i64::from(exit_code));
    top.insert("config", project.config.as_deref());
    if let Some((format, version)) = &project.lock_format {
        let members = [("name", format.name()), ("version", version.as_str())];
        top.insert("lock_format", members.into_iter().collect::<Object>());
    }
    top.insert("counts", counts(project));
}

/// How many servers there are, and how many have each verdict.
pub(super) fn counts(project: &ProjectReport) -> Object {
    let verdicts: Object = sorted_counts(project).into_iter().map(|(verdict, n)| (verdict.id(), number(n))).collect();
    let mut counts = Object::new();
    counts.insert("servers", number(project.servers.len()));
    counts.insert("verdicts", verdicts);
    counts
}

fn server(part: &ServerPart) -> Object {
    let mut object = Object::new();
    object.insert("name", part.name.as_str());
    object.insert("verdict", part.report.verdict.id());
    object.insert("places", part.places.iter().map(place).collect::<Vec<_>>());
    insert_members(&mut object, &part.report);
    object
}

/// A tool name, and the servers that offer it.
pub(super) fn clash(clash: &Clash) -> Object {
    let mut object = Object::new();
    object.insert("rule_id", TOOL_CLASH_RULE);
    object.insert("tool", clash.tool.as_str());
    object.insert("servers", clash.servers.clone());
    object
}
