//! Runs `warden init`: pins first, then `warden.toml`, then the rest, so that whatever is there when it is cut short can be
//! used. Each file is made whole, and only where nothing has its name.

use super::all::{Surroundings, locate, run_jobs};
use super::exit::ExitStatus;
use super::output;
use super::people::Person;
use super::terminal::Terminal;
use crate::capture::interrupt;
use crate::commands::CommandError;
use crate::commands::init::{Addition, Disk, InitArgs, NewFile, Standing, Written, plan};
use crate::lock::file;
use crate::report::{Format, ProjectReport};
use crate::text::{Charset, escape};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// How much of a file that is there is looked at.
const MAX_BYTES: usize = 1 << 20;

pub(super) fn run(args: &InitArgs, terminal: &Terminal) -> ExitStatus {
    match report(args, terminal) {
        Err(error) => output::print_error(&error, terminal),
        Ok((report, additions)) => {
            let status = output::print_project(&report, terminal);
            let is_shown = terminal.format == Format::Human && !terminal.style.quiet && !additions.is_empty();
            match is_shown {
                true => output::delivered(output::write_out(&shown(&additions)), "the report", status, terminal),
                false => status,
            }
        }
    }
}

fn report(args: &InitArgs, terminal: &Terminal) -> Result<(ProjectReport, Vec<Addition>), CommandError> {
    let around = Surroundings::new();
    let disk = Disk { look: &look };
    let mut init = around.unobserved(|context| plan(args, &disk, context, &Person { terminal }))?;
    // A report that takes the place of one of these would be the end of it.
    let paths = init.paths();
    let is_taken = |output: &Path| paths.iter().any(|path| file::is_same_place(path, output));
    if let Some(output) = terminal.outputs.iter().find(|output| is_taken(&output.path)) {
        let shown = escape(&output.path.to_string_lossy(), Charset::Unicode);
        return Err(CommandError::usage(format!("--output: {shown} is a file that this run makes")));
    }
    let jobs = std::mem::take(&mut init.work.jobs);
    let parts = run_jobs(jobs, &init.work, &around, terminal);
    let root = init.root.clone();
    let (mut report, additions) = init.finish(parts, &mut |file| write(&root, file))?;
    locate(&mut report);
    Ok((report, additions))
}

/// Lines to add by hand. They are ours, but for names that are escaped as TOML wants it.
fn shown(additions: &[Addition]) -> String {
    let text = |addition: &Addition| {
        let lines = addition.text.trim_matches('\n').lines();
        let lines: String = lines.map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect();
        format!("\nTo add to {}:\n\n{lines}", addition.path)
    };
    additions.iter().map(text).collect()
}

/// What stands at a place of the project. A folder on the way may be a link, but not out of the project.
fn look(root: &Path, path: &str) -> Standing {
    let failed = |error: std::io::Error| Standing::Barred(escape(&error.to_string(), Charset::Unicode));
    let mut place = root.to_owned();
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        place.push(name);
        match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Standing::Free,
            Err(error) => return failed(error),
            Ok(_) if names.peek().is_none() => break,
            Ok(_) => match fs::canonicalize(&place) {
                Err(error) => return failed(error),
                Ok(folder) if !folder.starts_with(root) => {
                    return Standing::Barred("its folder is a link that leads out of the project".to_owned());
                }
                Ok(folder) if !folder.is_dir() => {
                    return Standing::Barred("what should be its folder is a file".to_owned());
                }
                Ok(_) => {}
            },
        }
    }
    let is_link = fs::symlink_metadata(&place).is_ok_and(|metadata| metadata.is_symlink());
    let text = file::read_bytes(&place, MAX_BYTES).ok().filter(|_| !is_link);
    Standing::Taken(text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Makes a file of the project. The place is looked at once more: much time may have passed.
fn write(root: &Path, new: &NewFile) -> Written {
    match look(root, new.path) {
        Standing::Barred(why) => return Written::Failed(why),
        Standing::Taken(_) => return Written::Taken,
        Standing::Free => {}
    }
    let _hold = interrupt::hold();
    let path = root.join(new.path);
    let failed = |error: file::FileError| Written::Failed(escape(&error.to_string(), Charset::Unicode));
    if let Err(error) = file::make_folder(&path) {
        return failed(error);
    }
    match file::create(&path, new.text.as_bytes()) {
        Ok(true) => Written::Done,
        Ok(false) => Written::Taken,
        Err(error) => failed(error),
    }
}
