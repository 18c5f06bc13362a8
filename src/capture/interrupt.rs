//! SIGINT, SIGTERM and SIGHUP: no server outlives this process, and it ends with the status that signals ask for.
//!
//! Once a program has asked tokio for a signal, its default action never comes back. A listener that ended with the
//! capture would therefore leave a program that ignores Ctrl-C while it hashes or writes. So there is one listener
//! for the whole process, a thread of its own that does nothing else: [`listen`] starts it, before the first server.
//! On a signal it tells the running captures, waits until they have ended their servers (they know how; should one be
//! stuck, its process group is killed from here), waits for a write that must not be cut ([`hold`]), and calls back.
//! The callback ends the process. Captures that were cut short do not return to their caller before it was called, or the
//! process could end by some other way, with some other status, before the signal had its say.
//!
//! On Linux [`listen`] also makes this process the parent of what a server leaves behind, so that the remains are
//! found wherever they hide, and not only killed but reaped: in a container nobody else may do that. See
//! `adopted`.
//!
//! A library user who never calls [`listen`] keeps the default actions of the signals.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long captures may take to end their servers after a signal.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long a write may hold the end of the process back.
const HOLD_PATIENCE: Duration = Duration::from_secs(5);
const TICK: Duration = Duration::from_millis(2);

/// The signal that arrived, once one has.
static RAISED: LazyLock<watch::Sender<Option<i32>>> = LazyLock::new(|| watch::Sender::new(None));
static RUNNING: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
static WRITING: Mutex<()> = Mutex::new(());
/// Whether what servers leave behind becomes ours.
#[cfg(target_os = "linux")]
static ADOPTING: AtomicBool = AtomicBool::new(false);
/// Whether this process had children of somebody else's when its captures began: then no child is known to be a
/// server's.
#[cfg(target_os = "linux")]
static MIXED: AtomicBool = AtomicBool::new(false);
/// Whether the callback has returned since the last signal.
static ANSWERED: AtomicBool = AtomicBool::new(false);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The values are plain data: a panic elsewhere leaves none of them half-changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running capture.
struct Entry {
    number: u64,
    /// The server's process group while there is one.
    group: Option<i32>,
    /// Whether the server is gone, and what it left behind is being ended: nothing of this capture has to be spared.
    is_closing: bool,
}

/// While it lives, a signal does not end the process (for a few seconds at most).
#[must_use]
pub struct Hold(#[expect(dead_code, reason = "held for its drop")] MutexGuard<'static, ()>);

/// Keeps a signal from ending the process between a temporary file and its rename. For short stretches, and not twice
/// in one thread.
pub fn hold() -> Hold {
    Hold(locked(&WRITING))
}

/// The signal that arrived, if one has.
pub fn received() -> Option<i32> {
    *RAISED.borrow()
}

/// Waits, if a signal has arrived, until the callback returns, which it rarely does.
pub(super) fn wait_for_answer() {
    let until = Instant::now() + PATIENCE + HOLD_PATIENCE + PATIENCE;
    while received().is_some() && !ANSWERED.load(Ordering::Acquire) && Instant::now() < until {
        std::thread::sleep(TICK);
    }
}

/// Waits for a signal.
pub(super) async fn raised() -> i32 {
    let mut receiver = RAISED.subscribe();
    match receiver.wait_for(Option::is_some).await {
        Ok(signal) => signal.unwrap_or_default(),
        // Not reached: the sender is never dropped.
        Err(_) => std::future::pending().await,
    }
}

/// A capture that a signal waits for.
pub(super) struct Running(u64);

impl Running {
    pub(super) fn begin() -> Self {
        let mut running = locked(&RUNNING);
        #[cfg(target_os = "linux")]
        if running.is_empty() {
            MIXED.store(super::adopted::has_children(), Ordering::Release);
        }
        let number = running.last().map_or(0, |entry| entry.number + 1);
        running.push(Entry { number, group: None, is_closing: false });
        Self(number)
    }

    /// Says which process group is the server's; `None` as soon as its leader is reaped, because the number may be
    /// somebody else's from then on.
    pub(super) fn set_group(&self, group: Option<i32>) {
        if let Some(entry) = locked(&RUNNING).iter_mut().find(|entry| entry.number == self.0) {
            entry.group = group;
        }
    }

    /// Ends what the server left behind outside of its group. Call it once the server is reaped.
    #[cfg(target_os = "linux")]
    pub(super) async fn end_adopted(&self) {
        if let Some(entry) = locked(&RUNNING).iter_mut().find(|entry| entry.number == self.0) {
            entry.is_closing = true;
        }
        super::adopted::end_all(|step| {
            // Held during a step, so that no other capture starts a server meanwhile. Of two that end together neither
            // may leave it to the other.
            let running = locked(&RUNNING);
            let alone = running.iter().all(|entry| entry.is_closing);
            (alone && adopts()).then(step)
        })
        .await;
    }
}

/// Whether every child of this process, save the servers themselves, is something that servers left behind.
#[cfg(target_os = "linux")]
fn adopts() -> bool {
    ADOPTING.load(Ordering::Acquire) && !MIXED.load(Ordering::Acquire)
}

impl Drop for Running {
    fn drop(&mut self) {
        locked(&RUNNING).retain(|entry| entry.number != self.0);
    }
}

/// Starts the listener. `on_signal` gets the signal's number once no server runs any more, and is expected to end the
/// process (status 128 + number): where it returns, every later capture fails as interrupted. Call it once, before the
/// first capture.
///
/// On Linux, start no processes of your own while captures run after this: they would be taken for what a server left
/// behind, and ended. Those that were started before are safe.
///
/// # Errors
/// The thread or a handler could not be set up.
pub fn listen(on_signal: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    // Without it the remains are init's business, which is how it is elsewhere.
    #[cfg(target_os = "linux")]
    if rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok() {
        ADOPTING.store(true, Ordering::Release);
    }
    let (to_caller, ready) = std::sync::mpsc::sync_channel(1);
    std::thread::Builder::new().name("warden-signals".into()).spawn(move || {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return to_caller.send(Err(error)).unwrap_or_default(),
        };
        runtime.block_on(async {
            let mut signals = match Signals::new() {
                Ok(signals) => signals,
                Err(error) => return to_caller.send(Err(error)).unwrap_or_default(),
            };
            to_caller.send(Ok(())).unwrap_or_default();
            loop {
                let signal = signals.next().await;
                ANSWERED.store(false, Ordering::Release);
                RAISED.send_replace(Some(signal));
                tokio::select! {
                    () = until(|| locked(&RUNNING).is_empty(), PATIENCE) => {}
                    // Whoever asks twice does not want to wait.
                    _ = signals.next() => {}
                }
                kill_the_rest();
                let mut free = None;
                until(|| WRITING.try_lock().map(|guard| free = Some(guard)).is_ok(), HOLD_PATIENCE).await;
                on_signal(signal);
                drop(free);
                ANSWERED.store(true, Ordering::Release);
            }
        });
    })?;
    ready.recv().unwrap_or_else(|_| Err(io::Error::other("the signal thread ended")))
}

async fn until(mut done: impl FnMut() -> bool, patience: Duration) {
    let waiting = async {
        while !done() {
            tokio::time::sleep(TICK).await;
        }
    };
    // Giving up is the answer to a time-out.
    let _ = tokio::time::timeout(patience, waiting).await;
}

/// Kills the servers of all running captures at once, for a process that ends because of a fault of its own. Whoever holds
/// the list of them has failed while it did; then nothing is killed.
pub fn kill_servers() {
    if RUNNING.try_lock().is_ok() {
        kill_the_rest();
    }
}

#[cfg(unix)]
fn kill_the_rest() {
    use rustix::process::{Pid, Signal, kill_process_group};
    let running = locked(&RUNNING);
    for group in running.iter().filter_map(|entry| Pid::from_raw(entry.group?)) {
        // It may be gone by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
    #[cfg(target_os = "linux")]
    if !running.is_empty() && adopts() {
        super::adopted::kill_all();
    }
}

#[cfg(not(unix))]
fn kill_the_rest() {
    // Each server is in a job object, which ends it together with this process.
}

#[cfg(unix)]
struct Signals([Option<tokio::signal::unix::Signal>; 3]);

#[cfg(unix)]
impl Signals {
    const NUMBERS: [i32; 3] = [2, 15, 1];

    fn new() -> io::Result<Self> {
        let ignored = ignored_signals();
        let mut signals = [None, None, None];
        for (slot, number) in signals.iter_mut().zip(Self::NUMBERS) {
            // `nohup`, or a shell that starts background jobs, had its reason to ignore it.
            if ignored & (1 << (number - 1)) == 0 {
                *slot = Some(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(number))?);
            }
        }
        Ok(Self(signals))
    }

    async fn next(&mut self) -> i32 {
        let [interrupt, terminate, hang_up] = &mut self.0;
        tokio::select! {
            () = received_by(interrupt) => Self::NUMBERS[0],
            () = received_by(terminate) => Self::NUMBERS[1],
            () = received_by(hang_up) => Self::NUMBERS[2],
        }
    }
}

#[cfg(unix)]
async fn received_by(signal: &mut Option<tokio::signal::unix::Signal>) {
    if let Some(signal) = signal
        && signal.recv().await.is_some()
    {
        return;
    }
    std::future::pending().await
}

/// The signals that were ignored when the process began, bit by bit. Only Linux says so without unsafe code.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = if cfg!(target_os = "linux") { std::fs::read_to_string("/proc/self/status").ok() } else { None };
    let mask = status.as_deref().and_then(|status| status.lines().find_map(|line| line.strip_prefix("SigIgn:")));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> i32 {
        match tokio::signal::ctrl_c().await {
            Ok(()) => 2,
            Err(_) => std::future::pending().await,
        }
    }
}
