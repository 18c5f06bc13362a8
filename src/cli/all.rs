//! Runs a command for every server of a project: some at a time, each with its own deadline, and one report of all.

use super::board::Board;
use super::exit::ExitStatus;
use super::people::Person;
use super::terminal::Terminal;
use super::{Command, git, now, output};
use crate::commands::all::{Job, Work, plan_check, plan_pin, plan_show};
use crate::commands::{CommandError, Context};
use crate::report::{ProjectReport, ServerPart};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How many servers are asked at a time where nobody says it. They mostly wait, so a small machine can do more than it
/// has processors; a large one should not start everything at once.
const AT_A_TIME: std::ops::RangeInclusive<usize> = 4..=16;

pub(super) fn run(command: &Command, terminal: &Terminal) -> ExitStatus {
    match report(command, terminal) {
        Ok(report) => output::print_project(&report, terminal),
        Err(error) => output::print_error(&error, terminal),
    }
}

/// What is the same for every server.
pub(super) struct Surroundings {
    environment: Vec<(OsString, OsString)>,
    current: PathBuf,
    /// The time at which the run began, for all of them.
    now: String,
}

fn report(command: &Command, terminal: &Terminal) -> Result<ProjectReport, CommandError> {
    carry_out(terminal, |context| match command {
        Command::Pin(args) => plan_pin(args, context, &Person { terminal }),
        Command::Check(args) => plan_check(args, context),
        Command::Show(args) => plan_show(args, context),
        _ => Err(CommandError::usage("this command is not for all servers")),
    })
}

/// Makes a plan, does its jobs, and puts their reports together.
pub(super) fn carry_out(
    terminal: &Terminal,
    plan: impl FnOnce(&Context<'_>) -> Result<Work, CommandError>,
) -> Result<ProjectReport, CommandError> {
    let around = Surroundings::new();
    let mut work = around.unobserved(plan)?;
    output::keep(&work.files, terminal)?;
    let jobs = std::mem::take(&mut work.jobs);
    let parts = run_jobs(jobs, &work, &around, terminal);
    let mut report = work.finish(parts)?;
    locate(&mut report);
    Ok(report)
}

pub(super) fn run_jobs(jobs: Vec<Job>, work: &Work, around: &Surroundings, terminal: &Terminal) -> Vec<ServerPart> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let at_a_time = work.at_a_time.unwrap_or_else(|| processors.clamp(*AT_A_TIME.start(), *AT_A_TIME.end()));
    let board = Board::start(jobs.len(), work.command != "show", terminal);
    let workers = at_a_time.min(jobs.len());
    let open = Mutex::new(VecDeque::from(jobs));
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let work = || {
            loop {
                let job = open.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                let Some(job) = job else { return };
                let server = board.server(&job.name);
                let part = around.with_context(&server, |context| job.run(context));
                board.done(&server);
                done.lock().unwrap_or_else(PoisonError::into_inner).push(part);
            }
        };
        for _ in 1..workers {
            // Where no thread can be had, fewer do the work.
            if std::thread::Builder::new().name("warden-job".into()).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    board.stop();
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Surroundings {
    pub(super) fn new() -> Self {
        Self {
            environment: std::env::vars_os().collect(),
            // Where it was removed, nothing is found from it.
            current: std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default(),
            now: now(),
        }
    }

    /// Runs what starts nothing.
    pub(super) fn unobserved<T>(&self, command: impl FnOnce(&Context<'_>) -> T) -> T {
        self.with_context(&Board::silent().server(""), command)
    }

    fn with_context<T>(&self, server: &Arc<super::board::Server>, command: impl FnOnce(&Context<'_>) -> T) -> T {
        let now = || self.now.clone();
        let starting = |_: &str, _: bool| server.starting();
        command(&Context {
            environment: self.environment.clone(),
            current: self.current.clone(),
            now: &now,
            changed_since: &git::changed_since,
            starting: &starting,
            observer: server.clone(),
        })
    }
}

/// Says of every file where it is in its repository.
pub(super) fn locate(report: &mut ProjectReport) {
    for part in &mut report.servers {
        if !part.report.subject.lock_path.is_empty() {
            part.lock_uri = output::place_in_repository(Path::new(&part.report.subject.lock_path));
        }
        for place in &mut part.places {
            place.uri = output::place_in_repository(Path::new(&place.path));
        }
    }
}
