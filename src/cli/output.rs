//! Where results go: standard output and the files of `--output`. The verdict decides the status in every format, and
//! a result that could not be delivered is never a success.

use super::exit::ExitStatus;
use super::terminal::Terminal;
use super::{is_machine, print_error, step_summary};
use crate::commands::CommandError;
use crate::formats;
use crate::lock::{file, wire::MAX_LOCK_BYTES};
use crate::report::{ErrorReport, Format, ProjectReport, Rendering, Report, render, render_error, render_project};
use crate::surface::file::is_surface_file;
use crate::text::{Charset, escape};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Looks at the files of `--output` before anything is started, so that a typing error costs no capture.
///
/// # Errors
/// A file that cannot be written there, or holds what no report may replace.
pub(super) fn look(terminal: &Terminal) -> Result<(), CommandError> {
    for (at, output) in terminal.outputs.iter().enumerate() {
        if terminal.outputs[..at].iter().any(|earlier| file::is_same_place(&earlier.path, &output.path)) {
            return Err(CommandError::usage(format!("two results cannot be one file: {}", shown(&output.path))));
        }
        look_at(&output.path, terminal)?;
    }
    Ok(())
}

/// What this run reads, and what a repository trusts, must not be lost by a slip of the hand that puts a report in its
/// place.
fn look_at(path: &Path, terminal: &Terminal) -> Result<(), CommandError> {
    if is_stream(path) {
        return Ok(());
    }
    file::check_replaceable(path).map_err(|error| unwritable(path, &error.to_string()))?;
    match kept(path, terminal) {
        None => Ok(()),
        Some(what) => {
            Err(CommandError::file(format!("{} is not replaced by a report", shown(path)), what)
                .hint("name another file"))
        }
    }
}

/// The same for files that only the run itself finds.
///
/// # Errors
/// A result would take the place of one.
pub(super) fn keep(files: &[PathBuf], terminal: &Terminal) -> Result<(), CommandError> {
    let is_kept = |path: &Path| files.iter().any(|kept| file::is_same_place(kept, path));
    match terminal.outputs.iter().find(|output| is_kept(&output.path)) {
        None => Ok(()),
        Some(output) => Err(CommandError::file(
            format!("{} is not replaced by a report", shown(&output.path)),
            "this run needs it as it is",
        )
        .hint("name another file")),
    }
}

/// Why a file must stay, if it must.
fn kept(path: &Path, terminal: &Terminal) -> Option<&'static str> {
    if terminal.inputs.iter().any(|input| file::is_same_place(input, path)) {
        return Some("this run needs it as it is");
    }
    if path.file_name().is_some_and(|name| SETTINGS.iter().any(|setting| name == *setting)) {
        return Some("this is the name of a file of settings");
    }
    file::read_bytes(path, MAX_LOCK_BYTES).is_ok_and(|bytes| is_trusted(&bytes)).then_some("it is a lock or a surface")
}

/// Files that a run finds by their names.
const SETTINGS: [&str; 2] = ["warden.toml", "warden.inspection.json"];

/// Whether this is the text of a lock, of whatever level and also one that a merge left in pieces, or of a surface file.
fn is_trusted(bytes: &[u8]) -> bool {
    let has = |name: &str| bytes.windows(name.len()).any(|window| window == name.as_bytes());
    is_surface_file(bytes)
        || formats::detect(bytes).is_some()
        || (has("\"schema_version\"") && has("\"overall_digest\"") && has("\"command_digest\""))
}

/// An error for people on standard error, and as a document wherever one was asked for.
pub(super) fn print_error(error: &CommandError, terminal: &Terminal) -> ExitStatus {
    print_error::on_stderr(error, terminal);
    write_error(error, terminal)
}

/// An error as a document wherever one was asked for; people have been told. A file that an earlier run left must not
/// speak for this one.
pub(super) fn write_error(error: &CommandError, terminal: &Terminal) -> ExitStatus {
    let status = ExitStatus::of_error(error);
    let uri = terminal.lock.as_deref().map(place_in_repository).unwrap_or_default();
    let report = ErrorReport { headline: &error.headline, causes: &error.causes, hints: &error.hints };
    let render = |format, terminal: &Terminal| render_error(format, &report, &rendering(terminal, status, &uri));
    if is_machine(terminal.format) {
        // A stream that takes nothing has nobody to tell; the status says it too.
        let _ = write_out(&render(terminal.format, terminal));
    }
    step_summary::append_error(&report, &rendering(terminal, status, &uri), terminal);
    let plain = terminal.for_file();
    for (at, output) in terminal.outputs.iter().enumerate() {
        let is_second = terminal.outputs[..at].iter().any(|earlier| file::is_same_place(&earlier.path, &output.path));
        if is_second {
            continue;
        }
        let written = write_file(&output.path, &render(output.format, &plain), terminal);
        if let Err(unwritten) = written
            && unwritten != *error
        {
            print_error::on_stderr(&unwritten, terminal);
        }
    }
    status
}

/// The report to the files of `--output` and to standard output.
pub(super) fn print_report(report: &Report, terminal: &Terminal) -> ExitStatus {
    let status = ExitStatus::of(report.verdict);
    let uri = lock_uri(report);
    let text = text_of(report, terminal.format, terminal, status, &uri);
    // Standard output first: whatever happens to a file, the verdict was said.
    let status = delivered(write_out(&text), "the report", status, terminal);
    write_files(report, terminal, status, &uri)
}

/// A document to standard output, which leaves standard error to the report.
pub(super) fn print_document(document: &str, report: &Report, terminal: &Terminal) -> ExitStatus {
    let status = ExitStatus::of(report.verdict);
    let uri = lock_uri(report);
    let written = write_out(document);
    let text = text_of(report, terminal.format, terminal, status, &uri);
    // Nobody is left to tell if standard error is closed.
    let _ = io::stderr().lock().write_all(text.as_bytes());
    let status = delivered(written, "the document", status, terminal);
    write_files(report, terminal, status, &uri)
}

/// The report of a project, as [`print_report`].
pub(super) fn print_project(report: &ProjectReport, terminal: &Terminal) -> ExitStatus {
    let status = match &report.lock_format {
        Some((format, _)) => ExitStatus::in_table(ExitStatus::of(report.verdict), *format),
        None => ExitStatus::of(report.verdict),
    };
    let uri = project_uri(report);
    let text = |format, terminal: &Terminal| render_project(format, report, &rendering(terminal, status, &uri));
    let delivered = delivered(write_out(&text(terminal.format, terminal)), "the report", status, terminal);
    step_summary::append_project(report, &rendering(terminal, status, &uri), terminal);
    write_texts(terminal, delivered, text)
}

/// The file that stands for a project: its settings, or else the first that configures a server of it.
fn project_uri(report: &ProjectReport) -> String {
    let named = report.config.as_deref().map(|path| place_in_repository(Path::new(path)));
    let first = || report.servers.iter().find_map(|part| part.places.first()).map(|place| place.uri.clone());
    named.or_else(first).unwrap_or_default()
}

/// A report in one format.
pub(super) fn text_of(report: &Report, format: Format, terminal: &Terminal, status: ExitStatus, uri: &str) -> String {
    render(format, report, &rendering(terminal, status, uri))
}

fn rendering<'a>(terminal: &'a Terminal, status: ExitStatus, uri: &'a str) -> Rendering<'a> {
    Rendering { style: &terminal.style, exit_code: status.code(), lock_uri: uri, chosen: &terminal.chosen }
}

/// Writes what `--output` asks for, and the step summary. A file that fails does not keep the others from being written.
fn write_files(report: &Report, terminal: &Terminal, status: ExitStatus, uri: &str) -> ExitStatus {
    let verdict_status = ExitStatus::of(report.verdict);
    step_summary::append_report(report, &rendering(terminal, verdict_status, uri), terminal);
    write_texts(terminal, status, |format, terminal| text_of(report, format, terminal, verdict_status, uri))
}

fn write_texts(terminal: &Terminal, status: ExitStatus, text: impl Fn(Format, &Terminal) -> String) -> ExitStatus {
    terminal.outputs.iter().fold(status, |status, output| {
        let plain = terminal.for_file();
        let text = text(output.format, &plain);
        let written = write_file(&output.path, &text, terminal);
        written.map_or_else(|error| worse(status, print_error::on_stderr(&error, terminal)), |()| status)
    })
}

/// A failure beside a verdict: what the verdict says stays.
fn worse(status: ExitStatus, failure: ExitStatus) -> ExitStatus {
    if status == ExitStatus::Success { failure } else { status }
}

/// A file is replaced whole; a pipe or a device takes what is written to it.
fn write_file(path: &Path, text: &str, terminal: &Terminal) -> Result<(), CommandError> {
    let failed = |error: String| unwritable(path, &error);
    if !is_stream(path) {
        look_at(path, terminal)?;
        return file::replace(path, text.as_bytes()).map_err(|error| failed(error.to_string()));
    }
    let written = open_stream(path).and_then(|mut stream| stream.write_all(text.as_bytes()));
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(error.to_string())),
        _ => Ok(()),
    }
}

/// Opens a stream at its end, because it may lead to a file. A named pipe that nobody reads is an error at once: whoever
/// puts one in a report's place must not stop the run.
fn open_stream(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true);
    #[cfg(unix)]
    {
        use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        let stream = options.open(path)?;
        // From here on a slow reader is waited for.
        fcntl_setfl(&stream, fcntl_getfl(&stream)? - OFlags::NONBLOCK)?;
        Ok(stream)
    }
    #[cfg(not(unix))]
    options.open(path)
}

/// Whether something stands there that is neither a file nor a folder, or one of our own open streams is meant.
fn is_stream(path: &Path) -> bool {
    let is_number = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let own = path.to_str().is_some_and(|path| {
        let descriptor = path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"));
        matches!(path, "/dev/stdout" | "/dev/stderr") || descriptor.is_some_and(is_number)
    });
    own || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn unwritable(path: &Path, cause: &str) -> CommandError {
    CommandError::file(format!("{} could not be written", shown(path)), cause)
        .hint("--output FORMAT=FILE needs a folder that exists and can be written to")
}

fn shown(path: &Path) -> String {
    escape(&path.to_string_lossy(), Charset::Unicode)
}

/// The status of a run whose result was, or was not, written.
pub(super) fn delivered(written: io::Result<()>, what: &str, status: ExitStatus, terminal: &Terminal) -> ExitStatus {
    match written {
        Ok(()) => status,
        // Whoever closed the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status,
        Err(error) => {
            let failed = CommandError::file(format!("{what} could not be written"), error.to_string());
            worse(status, print_error::on_stderr(&failed, terminal))
        }
    }
}

pub(super) fn write_out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The lock's place from the root of its repository, as CI systems name files; from the current folder where it is in
/// no repository, and as it was named where that is impossible.
fn lock_uri(report: &Report) -> String {
    place_in_repository(Path::new(&report.subject.lock_path))
}

pub(super) fn place_in_repository(named: &Path) -> String {
    let Some(place) = file::absolute(named) else { return slashes(named) };
    let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let root = place.ancestors().skip(1).find(|folder| folder.join(".git").exists());
    let from = root.unwrap_or(&here);
    match place.strip_prefix(from) {
        Ok(inside) => slashes(inside),
        Err(_) => slashes(named),
    }
}

fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if path.is_absolute() { path.to_string_lossy().replace('\\', "/") } else { parts.join("/") }
}
