//! `warden diff` of two lock files of one foreign format.

use super::super::CommandError;
use super::super::all::Work;
use super::super::diff::DiffArgs;
use super::super::error::shown_path;
use super::file::{Loaded, Recognized};
use super::parts::{counts_of, name_of, part, report_of, tell_differences};
use crate::formats::Options;
use crate::report::{Compared, ProjectReport, Verdict};

/// Compares what two files say, server by server.
///
/// # Errors
/// The files are not of one format, or break its rules.
pub fn run(
    before: Option<Recognized>,
    after: Option<Recognized>,
    args: &DiffArgs,
) -> Result<ProjectReport, CommandError> {
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) if before.format == after.format => (before.load()?, after.load()?),
        (before, after) => {
            let say = |side: Option<Recognized>, path| match side {
                Some(side) => format!("{} is {}", shown_path(path), side.format.with_article()),
                None => format!("{} is none of another tool's", shown_path(path)),
            };
            let (one, other) = (say(before, &args.before), say(after, &args.after));
            return Err(CommandError::usage(format!("two formats cannot be compared: {one}, and {other}"))
                .hint("locks hold hashes of different things; check each of them against the server: warden check"));
        }
    };
    let mut work = Work::of_file("diff", before.file.format(), before.file.version(), None);
    work.notes.extend(before.notes());
    let options = Options { allow_new: false, strict: true };
    // A server that only one of them has is a difference, and no name that is wrong.
    let known = |loaded: &Loaded, name: &String| loaded.file.entries().iter().any(|entry| entry.name == *name);
    let names = &args.names.name;
    let in_before: Vec<String> =
        names.iter().filter(|name| !known(&after, name) || known(&before, name)).cloned().collect();
    let chosen = match names.is_empty() || !in_before.is_empty() {
        true => before.chosen(&in_before)?,
        false => Vec::new(),
    };
    for entry in chosen {
        let mut report = report_of("diff", &before, &entry);
        report.compared_with = Some(Compared { path: name_of(&after.path), lock: None });
        match before.file.compare_files(&entry.name, &*after.file, options) {
            Some(differences) => {
                let now = after.file.entries().iter().find(|other| other.name == entry.name);
                let moved =
                    now.is_some_and(|now| (&now.start, &now.env, &now.cwd) != (&entry.start, &entry.env, &entry.cwd));
                report.counts = now.map_or(report.counts, counts_of);
                if moved {
                    report
                        .notes
                        .push("the files start the server in different ways, which no digest covers".to_owned());
                }
                tell_differences(&mut report, &differences);
                report.verdict = match (report.blocks.is_empty() && !moved, args.exit_code) {
                    (true, _) => Verdict::Same,
                    (false, true) => Verdict::Drift,
                    (false, false) => Verdict::Different,
                };
            }
            None => {
                report.verdict = if args.exit_code { Verdict::Drift } else { Verdict::Different };
                report.said = Some(format!("{} does not have it", shown_path(&args.after)));
            }
        }
        work.ready.push(part(&entry.name, report));
    }
    for entry in after.file.entries() {
        let is_new = before.file.entries().iter().all(|other| other.name != entry.name);
        if is_new && (args.names.name.is_empty() || args.names.name.contains(&entry.name)) {
            let mut report = report_of("diff", &after, entry);
            // The order of the arguments, whatever file has the entry.
            report.subject.lock_path = name_of(&before.path);
            report.lock_text.clone_from(&before.text);
            report.compared_with = Some(Compared { path: name_of(&after.path), lock: None });
            report.verdict = if args.exit_code { Verdict::Drift } else { Verdict::Different };
            report.said = Some(format!("{} does not have it", shown_path(&args.before)));
            work.ready.push(part(&entry.name, report));
        }
    }
    work.finish(Vec::new())
}
