//! `warden check` on a lock file of another tool.

use super::super::all::{Job, Work, ask_consent};
use super::super::check::CheckArgs;
use super::super::people::People;
use super::super::{CommandError, Context};
use super::file::{Loaded, Recognized};
use super::parts::{not_asked, part, report_of, tell, tell_differences};
use super::start::{Asker, Asking, Configuration, NoSurface, Unagreed, asking};
use crate::formats::{Entry, Options};
use crate::lock::Level;
use crate::report::{ServerPart, Verdict, attach_texts};
use std::path::Path;
use std::sync::Arc;

/// Reads the file, and says which of its servers are asked. Starts nothing.
///
/// # Errors
/// The file breaks a rule of its format, arguments make no sense for it, or nobody agreed to what would be started.
pub fn plan(
    recognized: Recognized,
    args: &CheckArgs,
    context: &Context<'_>,
    people: &dyn People,
) -> Result<Work, CommandError> {
    refuse(args)?;
    let loaded = Arc::new(recognized.load()?);
    let options = Options { allow_new: args.foreign.allow_new, strict: args.foreign.strict };
    let mut work = Work::of_file("check", loaded.file.format(), loaded.file.version(), args.all.jobs);
    work.notes.extend(loaded.notes());
    let mut configuration = Configuration::new(&args.config);
    let mut ready = Vec::new();
    let mut unagreed: Vec<Unagreed> = Vec::new();
    for entry in loaded.chosen(&args.names.name)? {
        match asking(&loaded, &entry, &mut configuration, context) {
            Ok((asking, needs)) => {
                unagreed.extend(needs);
                ready.push((entry, asking));
            }
            Err(error) => work.ready.push(not_asked(&entry.name, report_of("check", &loaded, &entry), &error)),
        }
    }
    let asked: Vec<_> = unagreed.iter().map(|one| (&one.member, &one.start)).collect();
    ask_consent(&asked, args.foreign.yes, people)?;
    for (entry, asking) in ready {
        let (loaded, server) = (loaded.clone(), args.server.clone());
        work.jobs.push(Job::new(&entry.name.clone(), move |context| {
            let asker = Asker { server: &server, version: entry.protocol_version.as_deref() };
            check(&loaded, &entry, &asking, &asker, options, context)
        }));
    }
    Ok(work)
}

fn refuse(args: &CheckArgs) -> Result<(), CommandError> {
    let given = [
        ("a command", !args.command.is_empty()),
        ("--url", args.server.http.url.is_some()),
        ("--surface", args.source.surface.is_some()),
        ("--stability", args.source.stability.is_some()),
        ("--entry", args.entry.is_some()),
        ("--require-approval", args.require_approval),
        ("--allow-launch-change", args.allow_launch_change),
        ("--inspection", args.entries.inspection.is_some()),
        ("--normalize-prompt-arguments", args.entries.normalize_prompt_arguments),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => {
            Err(CommandError::usage(format!("{name} is for a warden.lock, and this file is another tool's"))
                .hint("docs/formats.md says what can be done with it"))
        }
    }
}

fn check(
    loaded: &Loaded,
    entry: &Entry,
    asking: &Asking,
    asker: &Asker<'_>,
    options: Options,
    context: &Context<'_>,
) -> ServerPart {
    let mut report = report_of("check", loaded, entry);
    if let Asking::Launch(configured) = asking {
        report.subject.launch = super::super::summary::shown_launch(&configured.launch);
        report.notes.extend(loaded.file.start_notes(&entry.name, &configured.launch));
    }
    let (plan, mut observed) = match asker.observe(asking, context) {
        Ok(seen) => seen,
        Err(NoSurface::Failed(failure)) => {
            report.failure = Some(*failure);
            return part(&entry.name, report);
        }
        Err(NoSurface::Wrong(error)) => return not_asked(&entry.name, report, &error),
    };
    tell(&mut report, &plan, &observed);
    match loaded.file.compare(&entry.name, &observed.surface, options) {
        Ok(differences) => {
            report.verdict =
                if differences.iter().any(|difference| difference.fails) { Verdict::Drift } else { Verdict::Clean };
            tell_differences(&mut report, &differences);
            if let Some(before) = loaded.file.surface(&entry.name) {
                attach_texts(&mut report.blocks, Level::CURRENT, Some(&before), Some(observed.shown()));
            }
        }
        Err(refusal) => {
            let error = super::file::refused("what the server declares cannot be compared".to_owned(), &refusal);
            observed.finish();
            return not_asked(&entry.name, report, &error);
        }
    }
    if let Asking::File(path) = asking {
        report.files.read_from = Some(Path::new(path).to_string_lossy().into_owned());
    }
    observed.finish();
    part(&entry.name, report)
}
