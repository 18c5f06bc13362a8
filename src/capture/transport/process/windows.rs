//! What Windows has in place of process groups and signals: a job object that holds the child and everything that it
//! starts, and that ends all of them when it is closed, also when this process is killed.
//!
//! There is no SIGTERM; a server gets its time to end by itself once its input is closed. Type-checked, not yet run.

use super::pathext;
use super::{Ending, Force, Server};
use crate::capture::environment::Environment;
use std::os::windows::io::AsRawHandle as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use win32job::{ExtendedLimitInfo, Job};

/// A command that starts what the words mean. The launch itself, which a lock pins, keeps its words.
pub(super) fn command(command: &str, environment: &Environment) -> Command {
    let variables = environment.variables();
    let text = |wanted: &str| variables.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, v)| *v);
    let folders: Vec<PathBuf> = text("PATH").map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
    let pathext = text("PATHEXT").and_then(|list| list.to_str());
    let resolved = pathext::resolve(command, &folders, pathext, Path::is_file);
    Command::new(resolved.unwrap_or_else(|| PathBuf::from(command)))
}

/// Python writes the code page of the machine otherwise, and MCP is UTF-8.
pub(super) fn speak_utf8(child: &mut Command, environment: &Environment) {
    let variables = environment.variables();
    for (name, value) in [("PYTHONUTF8", "1"), ("PYTHONIOENCODING", "utf-8")] {
        if !variables.keys().any(|known| known.eq_ignore_ascii_case(name)) {
            child.env(name, value);
        }
    }
}

/// Puts a child that was just started into a job of its own. Without a job (some sandboxes allow none) only the direct
/// child is ended.
pub(super) fn enclose(child: &Child) -> Option<Job> {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = Job::create_with_limit_info(&limits).ok()?;
    // The handle is passed as a number; it is only compared and handed on.
    job.assign_process(child.as_raw_handle() as isize).ok()?;
    Some(job)
}

impl Server {
    pub(super) fn observe(&mut self) -> Option<Ending> {
        match self.child.try_wait() {
            Ok(status) => status.map(|status| status.code().map_or(Ending::ClosedOutput, Ending::Exited)),
            Err(_) => Some(Ending::ClosedOutput),
        }
    }

    pub(super) fn signal_group(&mut self, force: Force) {
        if matches!(force, Force::Kill) {
            // Closing the job ends everything in it; the rest is for a child that is in none.
            self.job = None;
            let _ = self.child.kill();
        }
    }

    /// A closed job leaves nothing over.
    pub(super) async fn wait_for_left_overs(&self) {}
}
