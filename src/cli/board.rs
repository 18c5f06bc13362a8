//! What happens to several servers at once: on a terminal a line that moves for each that is being asked, elsewhere
//! nothing but, with `-v`, what the servers write on their standard error.

use super::terminal::Terminal;
use super::{print_error, progress};
use crate::capture::{Observer, Stage};
use crate::text::{Charset, escape, shorten};
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use unicode_width::UnicodeWidthStr as _;

/// Nothing moves before this.
const FIRST: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(120);
/// Lines that are drawn at most: a terminal that scrolls cannot be drawn over.
const MAX_LINES: usize = 16;
const MAX_NAME: usize = 32;

/// All servers of a run.
pub(super) struct Board {
    state: Arc<Mutex<State>>,
    verbose: bool,
}

struct State {
    /// Those that are being asked, in the order in which they began.
    running: Vec<Row>,
    done: usize,
    total: usize,
    begun: usize,
    is_over: bool,
    width: usize,
}

struct Row {
    number: usize,
    name: String,
    stage: String,
    begin: Instant,
}

/// One server on the board.
pub(super) struct Server {
    number: usize,
    /// Escaped.
    name: String,
    state: Arc<Mutex<State>>,
    verbose: bool,
}

impl Board {
    /// One that shows nothing.
    pub fn silent() -> Self {
        Self::new(0, 0, false)
    }

    /// `moves`: whether anything takes time at all.
    pub fn start(total: usize, moves: bool, terminal: &Terminal) -> Self {
        let board = Self::new(total, terminal.style.width, terminal.style.verbose);
        if terminal.progress && moves && total > 0 {
            let state = board.state.clone();
            // Without the thread there are no lines, and nothing else is lost.
            let _ = std::thread::Builder::new().name("warden-progress".into()).spawn(move || draw(&state));
        }
        board
    }

    fn new(total: usize, width: usize, verbose: bool) -> Self {
        let state = State { running: Vec::new(), done: 0, total, begun: 0, is_over: false, width };
        Self { state: Arc::new(Mutex::new(state)), verbose }
    }

    pub fn server(&self, name: &str) -> Arc<Server> {
        let name = escape(&shorten(name, MAX_NAME), Charset::Unicode);
        let mut state = lock(&self.state);
        let number = state.begun;
        state.begun += 1;
        state.running.push(Row { number, name: name.clone(), stage: "start".to_owned(), begin: Instant::now() });
        Arc::new(Server { number, name, state: self.state.clone(), verbose: self.verbose })
    }

    pub fn done(&self, server: &Server) {
        let mut state = lock(&self.state);
        state.running.retain(|row| row.number != server.number);
        state.done += 1;
    }

    pub fn stop(&self) {
        lock(&self.state).is_over = true;
        progress::clear();
    }
}

impl Server {
    /// Every launch of a project is in the report; on the board there is room for a name.
    pub fn starting(&self) {
        self.on_stage(&Stage::Start);
    }
}

impl Observer for Server {
    fn on_stage(&self, stage: &Stage) {
        let mut state = lock(&self.state);
        if let Some(row) = state.running.iter_mut().find(|row| row.number == self.number) {
            row.stage = stage.to_string();
        }
    }

    fn wants_stderr(&self) -> bool {
        self.verbose
    }

    fn on_stderr_line(&self, line: &str) {
        // Under the lock, so that the moving lines do not get in between.
        let _state = lock(&self.state);
        progress::clear();
        print_error::line(&format!("stderr     {}: {line}", self.name));
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn draw(state: &Mutex<State>) {
    std::thread::sleep(FIRST);
    loop {
        {
            // Drawing under the lock: nothing is drawn after `stop`.
            let state = lock(state);
            if state.is_over {
                return;
            }
            let lines = lines(&state);
            progress::clear();
            // Nobody watches if standard error is closed.
            let _ = std::io::stderr().write_all(lines.join("\n").as_bytes());
            progress::drawn(lines.len());
        }
        std::thread::sleep(TICK);
    }
}

/// A line for each server that is being asked, and one for all.
fn lines(state: &State) -> Vec<String> {
    let shown = &state.running[..state.running.len().min(MAX_LINES)];
    let names = shown.iter().map(|row| row.name.width()).max().unwrap_or(0);
    let row = |row: &Row| {
        let pad = " ".repeat(names.saturating_sub(row.name.width()));
        let line = format!("  {}{pad}  {} ({:.0} s)", row.name, row.stage, row.begin.elapsed().as_secs_f64());
        // A line that the terminal breaks would be two.
        shorten(&line, state.width.saturating_sub(1).max(20))
    };
    let mut lines: Vec<String> = shown.iter().map(row).collect();
    let more = state.running.len() - shown.len();
    let more = if more > 0 { format!(", and {more} more being asked") } else { String::new() };
    lines.push(shorten(
        &format!("waiting    {} of {} servers done{more}", state.done, state.total),
        state.width.saturating_sub(1).max(20),
    ));
    lines
}
