//! What changed in a repository: the one thing that is asked of git.

use crate::commands::CommandError;
use crate::text::{Charset, escape, shorten};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Absolute paths of the files in the repository of `folder` that differ from a revision, and of those that git does not
/// know yet.
///
/// # Errors
/// The folder is in no repository, git is missing, or the revision is unknown.
pub(super) fn changed_since(revision: &str, folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    if revision.is_empty() || revision.starts_with('-') {
        return Err(CommandError::usage("--since needs a revision: a commit, a branch or a tag"));
    }
    let top = text(&git(folder, &["rev-parse", "--show-toplevel"]).map_err(|failed| not_in_repository(&failed))?);
    let top = fs::canonicalize(Path::new(top.trim_end_matches(['\n', '\r']))).map_err(|error| {
        CommandError::usage("--since: the root of the repository cannot be found").hint(error.to_string())
    })?;
    // A revision alone, and never the name of a file.
    let commit = format!("{revision}^{{commit}}");
    let unknown = |failed: Failed| {
        let shown = escape(&shorten(revision, 100), Charset::Unicode);
        let error = CommandError::usage(format!("--since {shown}: git does not know this revision"));
        let error = CommandError { causes: failed.said(), ..error };
        error.hint("a shallow clone has only the last commits: fetch the history (fetch-depth: 0)")
    };
    let commit = text(&git(&top, &["rev-parse", "--verify", "--end-of-options", &commit]).map_err(unknown)?);
    let commit = commit.trim();
    let failed =
        |failed: Failed| CommandError { causes: failed.said(), ..CommandError::usage("git could not be asked") };
    let differ = ["diff", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv"];
    // Otherwise `.gitmodules` decides what of a submodule is a change.
    let differ = [&differ[..], &["--ignore-submodules=none", "-z", commit, "--"]].concat();
    let mut names = git(&top, &differ).map_err(failed)?;
    names.extend(git(&top, &["ls-files", "--others", "--exclude-standard", "-z"]).map_err(failed)?);
    Ok(names.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(|name| top.join(path(name))).collect())
}

/// Why git gave no answer.
enum Failed {
    Missing(String),
    Said(String),
}

impl Failed {
    fn said(self) -> Vec<String> {
        let (Self::Missing(text) | Self::Said(text)) = self;
        vec![shorten(&escape(text.trim(), Charset::Unicode), 300)].into_iter().filter(|text| !text.is_empty()).collect()
    }
}

fn not_in_repository(failed: &Failed) -> CommandError {
    match failed {
        Failed::Missing(cause) => {
            CommandError::usage("--since needs git, which cannot be started").hint(escape(cause, Charset::Unicode))
        }
        Failed::Said(_) => CommandError::usage("--since needs a git repository, and this folder is in none")
            .hint("leave it out to check every server"),
    }
}

/// Runs git without anything that the settings of a repository could make it run.
fn git(folder: &Path, args: &[&str]) -> Result<Vec<u8>, Failed> {
    let output = Command::new("git")
        .args(["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"])
        .args(args)
        .current_dir(folder)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failed::Missing(error.to_string()))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(Failed::Said(text(&output.stderr))),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(unix)]
fn path(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> PathBuf {
    PathBuf::from(<str as AsRef<OsStr>>::as_ref(&String::from_utf8_lossy(name)))
}
