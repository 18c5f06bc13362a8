//! Processes that servers leave behind outside of their process groups: found, ended, reaped. Linux only.
//!
//! A server that makes sessions of its own (`setsid`, once or twice forked) is out of reach of a signal to its group.
//! [`super::interrupt::listen`] makes this process the parent of whatever loses its own, so nothing that a server
//! started can get away from it by forking. Whose a new child is, nothing in it says for sure: an environment variable
//! would tell every server that it is being looked at, and can be dropped; groups and sessions are what it changed.
//! So it is known by elimination. While one capture runs, and this process had no children when it began, every child
//! that is left once the server is reaped is that server's. Beside other captures nothing is touched, and the last one
//! to end clears up for all. Where there were children before (a shell ran something in the background and then
//! replaced itself by us) nothing is touched either.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, waitid};
use std::fs;
use std::time::Duration;
use tokio::time::Instant;

/// Time to end after SIGTERM.
const ASKED: Duration = Duration::from_millis(200);
/// Time for everything: what forks faster than it is killed, or hangs in the kernel, is given up.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether this process has any child, dead or alive.
pub(super) fn has_children() -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::All, options), Err(Errno::CHILD))
}

/// Ends all children. `alone` runs a step of it where that may be done, and gives `None` where it may not.
pub(super) async fn end_all(alone: impl Fn(&mut dyn FnMut() -> bool) -> Option<bool>) {
    let begin = Instant::now();
    let mut asked = Vec::new();
    let mut pause = Duration::from_millis(1);
    while begin.elapsed() < PATIENCE {
        let mut step = || match begin.elapsed() < ASKED {
            true => step(Signal::TERM, &mut asked),
            false => step(Signal::KILL, &mut Vec::new()),
        };
        if alone(&mut step) != Some(true) {
            return;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Kills all children, for the end of this process: no time is given, and no other thread heeded.
pub(super) fn kill_all() {
    let begin = Instant::now();
    while begin.elapsed() < ASKED && step(Signal::KILL, &mut Vec::new()) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Reaps the dead, and sends the others a signal, save those that had it before. Their own children show in a later
/// step, as ours. Says whether there may be more to do.
fn step(signal: Signal, had_it: &mut Vec<Pid>) -> bool {
    loop {
        match waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => break,
            Err(_) => return false,
        }
    }
    let children = children();
    let mut reached = children.is_empty();
    for child in children {
        if had_it.contains(&child) {
            reached = true;
            continue;
        }
        // Not yet reaped, so the number is still its own. One that became somebody else (set-uid) cannot be reached.
        reached |= kill_process(child, signal) != Err(Errno::PERM);
        // One that was stopped would sleep through SIGTERM.
        let _ = kill_process(child, Signal::CONT);
        had_it.push(child);
    }
    reached
}

/// The children of this process. `/proc/self/task/*/children` would be quicker, but may leave some out while others end.
fn children() -> Vec<Pid> {
    let parent = getpid().as_raw_nonzero().to_string();
    let is_ours = |pid: &i32| {
        // "pid (name) state parent ...", and a name may hold anything.
        let stat = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
        let stat = String::from_utf8_lossy(&stat).into_owned();
        stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)) == Some(parent.as_str())
    };
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(is_ours).filter_map(Pid::from_raw).collect()
}
