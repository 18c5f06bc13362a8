//! One child process and its group: start, watch, end.
//!
//! The child leads a process group of its own, because launchers (`npx`, `uvx`, shells) make the real server a
//! grandchild, and killing a child is not killing its children. That the child ended is observed without reaping it:
//! as long as it is a zombie, the number of its group cannot be given to somebody else, so the group can be killed
//! safely. Whether pipes are still open says nothing, since a left-over grandchild may hold them (SPEC.md §15).

#[cfg(any(windows, test))]
mod pathext;
#[cfg(windows)]
mod windows;

use crate::capture::environment::Environment;
use crate::capture::error::ErrorKind;
use crate::capture::interrupt::{self, Running};
use crate::text::shell_quote;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;
use tokio::time::Instant;

/// How a connection ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Exited(i32),
    Killed(i32),
    /// End of output, while the process goes on.
    ClosedOutput,
    /// It reads no more, and writes nothing either.
    ClosedInput,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exited with code {code}"),
            Self::Killed(signal) => write!(f, "was killed by signal {signal}"),
            Self::ClosedOutput => f.write_str("closed its output"),
            Self::ClosedInput => f.write_str("closed its input"),
        }
    }
}

/// How much time a server gets to end by itself once its input is closed, and once more after SIGTERM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// After a capture, while the caller already works on.
    Polite,
    /// After a failure: the caller waits.
    Prompt,
}

impl Pace {
    fn times(self) -> (Duration, Duration) {
        match self {
            Self::Polite => (Duration::from_millis(100), Duration::from_millis(900)),
            Self::Prompt => (Duration::from_millis(20), Duration::from_millis(480)),
        }
    }
}

/// Time after SIGTERM when somebody presses Ctrl-C.
const INTERRUPTED: Duration = Duration::from_millis(300);
/// SIGKILL works at once, unless the process hangs in the kernel; then nobody can help.
const KILLED: Duration = Duration::from_secs(2);
/// Killed grandchildren are gone within a few milliseconds, if their new parent reaps them.
#[cfg(unix)]
const LEFT_OVERS: Duration = Duration::from_millis(100);

/// The pipes of a started server.
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

/// A started server. It is ended by [`Server::end`]; should that never happen, it is killed when dropped.
pub(super) struct Server {
    child: Child,
    running: Running,
    ended: Option<Ending>,
    reaped: bool,
    /// Holds the child and all that it starts, while it is to live.
    #[cfg(windows)]
    job: Option<win32job::Job>,
}

/// Starts the argument vector directly, never through a shell.
pub(super) fn spawn(
    command: &str,
    args: &[String],
    environment: &Environment,
    running: Running,
) -> Result<(Server, Pipes), ErrorKind> {
    #[cfg(not(windows))]
    let mut child = std::process::Command::new(command);
    #[cfg(windows)]
    let mut child = windows::command(command, environment);
    child.args(args).env_clear().envs(environment.variables());
    if let Some(folder) = environment.folder() {
        child.current_dir(folder);
    }
    #[cfg(windows)]
    windows::speak_utf8(&mut child, environment);
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut child, 0);
    let mut child = child.spawn().map_err(|error| start_error(command, environment, &error))?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let server = Server {
        #[cfg(windows)]
        job: windows::enclose(&child),
        child,
        running,
        ended: None,
        reaped: false,
    };
    server.running.set_group(i32::try_from(server.child.id()).ok());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(ErrorKind::Io("a pipe is missing".into()));
    };
    Ok((server, Pipes { stdin, stdout, stderr }))
}

fn start_error(command: &str, environment: &Environment, error: &io::Error) -> ErrorKind {
    let found = find(command, environment);
    // A slip such as `API_KEY=value npx …` makes the value the command.
    let shown = match command.split_once('=') {
        Some((name, _)) if found.is_none() => format!("{}=…", shell_quote(name)),
        _ => shell_quote(command),
    };
    match error.kind() {
        io::ErrorKind::NotFound if found.is_some() => ErrorKind::NoInterpreter { command: shown },
        io::ErrorKind::NotFound => ErrorKind::NotFound { command: shown },
        // A folder on PATH that may not be read says the same.
        io::ErrorKind::PermissionDenied if found.is_none() => ErrorKind::NotFound { command: shown },
        io::ErrorKind::PermissionDenied => {
            let folder = found.is_some_and(|path| path.is_dir());
            let reason = if folder { "it is a folder" } else { "permission denied" };
            ErrorKind::NotExecutable { command: shown, reason: reason.into() }
        }
        _ => ErrorKind::NotStarted { command: shown, reason: error.to_string() },
    }
}

/// Where a command would be found; for error messages only.
fn find(command: &str, environment: &Environment) -> Option<PathBuf> {
    if command.is_empty() {
        return None;
    }
    if Path::new(command).components().count() > 1 {
        return Some(PathBuf::from(command)).filter(|path| path.exists());
    }
    let variables = environment.variables();
    let (_, path) = variables.iter().find(|(name, _)| name.eq_ignore_ascii_case("PATH"))?;
    std::env::split_paths(path).map(|folder| folder.join(command)).find(|path| path.exists())
}

impl Server {
    /// How the direct child ended, if it did. Does not reap it.
    pub(super) fn look(&mut self) -> Option<Ending> {
        if self.ended.is_none() {
            self.ended = self.observe();
        }
        self.ended
    }

    /// Waits for the direct child to end. Looked for again and again, because observing without reaping has no portable
    /// notification; [`EndNotice`] only makes it quicker.
    pub(super) async fn wait(&mut self, patience: Duration) -> Option<Ending> {
        let until = Instant::now() + patience;
        let mut notice = EndNotice::new();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(ending) = self.look() {
                return Some(ending);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            tokio::select! {
                () = notice.some_child_ended() => {}
                () = tokio::time::sleep(pause.min(left)) => {}
            }
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Ends the server, everything left of its group, and on Linux what left the group as well. Its input is expected to be closed already, and its output to
    /// be drained meanwhile. Says how it ended, `None` where not even SIGKILL helped.
    pub(super) async fn end(mut self, pace: Pace) -> Option<Ending> {
        let (asked, urged) = pace.times();
        let interrupted = interrupt::received().is_some();
        let polite = async {
            if interrupted || self.wait(asked).await.is_none() {
                self.signal_group(Force::Terminate);
                self.wait(if interrupted { INTERRUPTED } else { urged }).await;
            }
        };
        let cut_short = tokio::select! {
            () = polite => false,
            _ = interrupt::raised(), if !interrupted => true,
        };
        if cut_short {
            self.signal_group(Force::Terminate);
            self.wait(INTERRUPTED).await;
        }
        self.signal_group(Force::Kill);
        let ending = self.wait(KILLED).await;
        // Once more: a child may have forked between the first signal and its end.
        self.signal_group(Force::Kill);
        self.reap();
        self.wait_for_left_overs().await;
        #[cfg(target_os = "linux")]
        self.running.end_adopted().await;
        ending
    }

    fn reap(&mut self) {
        if self.ended.is_some() && !self.reaped {
            self.reaped = true;
            // From here on the group's number may be somebody else's.
            self.running.set_group(None);
            // Returns at once: the child was seen to have ended.
            let _ = self.child.wait();
        }
    }
}

/// Word from the kernel that some child ended. It saves a millisecond at the end of every run, the shortest pause
/// between two looks.
#[cfg(unix)]
struct EndNotice(Option<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl EndNotice {
    /// Make it before the first look, or an end in between goes unnoticed until the next one.
    fn new() -> Self {
        Self(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::child()).ok())
    }

    async fn some_child_ended(&mut self) {
        match &mut self.0 {
            Some(signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
    }
}

#[cfg(not(unix))]
struct EndNotice;

#[cfg(not(unix))]
impl EndNotice {
    fn new() -> Self {
        Self
    }

    async fn some_child_ended(&mut self) {
        std::future::pending().await
    }
}

/// A signal for a whole group.
#[derive(Debug, Clone, Copy)]
enum Force {
    Terminate,
    Kill,
}

#[cfg(unix)]
impl Server {
    fn group(&self) -> Option<rustix::process::Pid> {
        rustix::process::Pid::from_raw(i32::try_from(self.child.id()).ok()?)
    }

    fn observe(&mut self) -> Option<Ending> {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let pid = self.group()?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(pid), options) {
            Ok(status) => {
                let status = status?;
                Some(match (status.exit_status(), status.terminating_signal()) {
                    (Some(code), _) => Ending::Exited(code),
                    (None, Some(signal)) => Ending::Killed(signal),
                    (None, None) => Ending::ClosedOutput,
                })
            }
            Err(rustix::io::Errno::INTR) => None,
            // Nothing to wait for: SIGCHLD is ignored in this process, so the kernel reaped it. How it ended is lost,
            // and its group's number is no longer safe.
            Err(_) => {
                self.reaped = true;
                self.running.set_group(None);
                Some(Ending::ClosedOutput)
            }
        }
    }

    fn signal_group(&self, force: Force) {
        use rustix::process::{Signal, kill_process_group};
        let signal = match force {
            Force::Terminate => Signal::TERM,
            Force::Kill => Signal::KILL,
        };
        if let Some(group) = self.group().filter(|_| !self.reaped) {
            // It fails where nobody is left, which is the aim.
            let _ = kill_process_group(group, signal);
            // A server that asked the terminal for something was stopped for it, and would sleep through SIGTERM.
            let _ = kill_process_group(group, Signal::CONT);
        }
    }

    /// A killed process needs a moment to be gone. Its new parent has to reap it; where that is this process (see
    /// [`interrupt::listen`]), it is done here.
    async fn wait_for_left_overs(&self) {
        use rustix::process::{WaitId, WaitIdOptions, test_kill_process_group, waitid};
        let Some(group) = self.group() else { return };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        let until = Instant::now() + LEFT_OVERS;
        while test_kill_process_group(group).is_ok() && Instant::now() < until {
            while let Ok(Some(_)) = waitid(WaitId::Pgid(Some(group)), options) {}
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        // Only after a panic, or where SIGKILL had no effect in time.
        self.signal_group(Force::Kill);
        self.look();
        self.reap();
    }
}
