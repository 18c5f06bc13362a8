//! `warden show` on a lock file of another tool.

use super::super::CommandError;
use super::super::all::Work;
use super::super::show::ShowArgs;
use super::file::Recognized;
use super::parts::{items_of, part, report_of};
use crate::report::Verdict;

/// What the file pins. Nothing is asked, then and later.
///
/// # Errors
/// The file breaks a rule of its format, or arguments make no sense for it.
pub fn plan(recognized: Recognized, args: &ShowArgs) -> Result<Work, CommandError> {
    if args.entry.is_some() {
        return Err(CommandError::usage("--entry is for a warden.lock, and this file is another tool's")
            .hint("--name NAME shows one server of it"));
    }
    let loaded = recognized.load()?;
    let mut work = Work::of_file("show", loaded.file.format(), loaded.file.version(), args.all.jobs);
    work.notes.extend(loaded.notes());
    for entry in loaded.chosen(&args.names.name)? {
        let mut report = report_of("show", &loaded, &entry);
        report.verdict = Verdict::Shown;
        // Whatever does not come out of what the file holds was refused when it was read.
        report.verified = args.verify;
        report.items = items_of(&entry);
        if !entry.digest.is_empty() {
            report.notes.push(format!(
                "digest of the server: {}",
                crate::text::escape(&entry.digest, crate::text::Charset::Unicode)
            ));
        }
        work.ready.push(part(&entry.name, report));
    }
    Ok(work)
}
