//! What is happening, on standard error: one line when a server is started, on a terminal a line that moves, and with
//! `-v` what the server itself writes on its standard error.

use super::print_error;
use super::terminal::Terminal;
use crate::capture::{Observer, Stage};
use crate::text::shorten;
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Nothing moves before this: an ordinary server is done by then.
const FIRST: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(120);

/// How many moving lines stand on the terminal right now; the cursor is in the last of them.
static DRAWN: AtomicUsize = AtomicUsize::new(0);

/// A progress line; silent where nobody watches.
pub(super) struct Progress {
    state: Arc<Mutex<State>>,
    enabled: bool,
    quiet: bool,
    /// Whether what the server writes on its standard error is shown as it comes.
    verbose: bool,
}

struct State {
    stage: String,
    done: bool,
}

impl Progress {
    pub fn start(terminal: &Terminal) -> Self {
        Self {
            state: Arc::new(Mutex::new(State { stage: "start".to_owned(), done: false })),
            enabled: terminal.progress,
            quiet: terminal.style.quiet,
            verbose: terminal.style.verbose,
        }
    }

    /// Says which launch is started. The text is escaped and redacted.
    pub fn starting(&self, launch: &str, from_lock: bool) {
        if !self.quiet {
            let origin = if from_lock { "   (from the lock)" } else { "" };
            // A server at a URL runs already.
            let remote = launch.starts_with("https://") || launch.starts_with("http://");
            let verb = if remote { "asking  " } else { "starting" };
            print_error::line(&format!("{verb}   {}{origin}", shorten(launch, 4000)));
        }
        if self.enabled {
            let state = self.state.clone();
            // Without the thread there is no line, and nothing else is lost.
            let _ = std::thread::Builder::new().name("warden-progress".into()).spawn(move || draw(&state));
        }
    }

    pub fn stop(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done = true;
        clear();
    }
}

impl Observer for Progress {
    fn on_stage(&self, stage: &Stage) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).stage = stage.to_string();
    }

    fn wants_stderr(&self) -> bool {
        self.verbose
    }

    fn on_stderr_line(&self, line: &str) {
        // Under the lock, so that the moving line does not get in between.
        let _state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        clear();
        print_error::line(&format!("stderr     {line}"));
    }
}

/// Takes the moving lines away.
pub(super) fn clear() {
    let lines = DRAWN.swap(0, Ordering::Relaxed);
    if lines > 0 {
        let _ = write!(std::io::stderr(), "\r\x1b[2K{}", "\x1b[1A\x1b[2K".repeat(lines - 1));
    }
}

/// Says that so many moving lines were just drawn.
pub(super) fn drawn(lines: usize) {
    DRAWN.store(lines, Ordering::Relaxed);
}

fn draw(state: &Mutex<State>) {
    let begin = Instant::now();
    std::thread::sleep(FIRST);
    loop {
        {
            // Drawing under the lock: nothing is drawn after `stop`.
            let state = state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.done {
                return;
            }
            drawn(1);
            let _ = write!(
                std::io::stderr(),
                "\r\x1b[2Kwaiting    {} ({:.0} s)",
                state.stage,
                begin.elapsed().as_secs_f64()
            );
        }
        std::thread::sleep(TICK);
    }
}
