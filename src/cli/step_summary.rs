//! The summary of a step on GitHub Actions: the runner names a file, and shows what is appended to it.

use super::print_error;
use super::terminal::Terminal;
use crate::lock::file::is_same_place;
use crate::report::{
    ErrorReport, Format, MAX_MARKDOWN, ProjectReport, Rendering, Report, markdown_within, project_markdown_within,
    render_error,
};
use crate::text::{Charset, escape};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const VARIABLE: &str = "GITHUB_STEP_SUMMARY";
/// GitHub shows nothing of a summary that is longer.
const MAX_FILE: u64 = 1024 * 1024;
/// With less room than this there is nothing to tell.
const MIN_ROOM: usize = 4_000;

/// Appends the report to the summary, where the format for GitHub is asked for and the runner names a file. A summary
/// that cannot be written costs a warning and never the verdict.
pub(super) fn append_report(report: &Report, rendering: &Rendering<'_>, terminal: &Terminal) {
    append(terminal, |room| markdown_within(report, rendering, room));
}

/// The same for a project.
pub(super) fn append_project(report: &ProjectReport, rendering: &Rendering<'_>, terminal: &Terminal) {
    append(terminal, |room| project_markdown_within(report, rendering, room));
}

/// The same for an error.
pub(super) fn append_error(error: &ErrorReport<'_>, rendering: &Rendering<'_>, terminal: &Terminal) {
    append(terminal, |_| render_error(Format::Markdown, error, rendering));
}

fn append(terminal: &Terminal, text: impl FnOnce(usize) -> String) {
    let outputs = terminal.outputs.iter().map(|output| output.format);
    if !std::iter::once(terminal.format).chain(outputs).any(|format| format == Format::Github) {
        return;
    }
    let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from) else { return };
    let is_ours = terminal.inputs.iter().any(|input| is_same_place(input, &path));
    let appended = if is_ours { Err(io::Error::other("this run needs it as it is")) } else { append_to(&path, text) };
    if let Err(error) = appended {
        let path = escape(&path.to_string_lossy(), Charset::Unicode);
        print_error::warn(&format!("the step summary {path} was not written: {error}"), terminal);
    }
}

fn append_to(path: &Path, text: impl FnOnce(usize) -> String) -> io::Result<()> {
    let length = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Err(io::Error::other("it is not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error),
    };
    let room = usize::try_from(MAX_FILE.saturating_sub(length)).unwrap_or(0).min(MAX_MARKDOWN);
    if room < MIN_ROOM {
        return Err(io::Error::other("there is no room left in it, GitHub shows no more than 1 MiB"));
    }
    let mut text = text(room);
    if length > 0 {
        // What another command wrote may not end with a line.
        text.insert(0, '\n');
    }
    OpenOptions::new().append(true).create(true).open(path)?.write_all(text.as_bytes())
}
