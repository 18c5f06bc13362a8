//! `warden init`: from the configuration files of clients to a baseline that can be committed.
//!
//! [`plan`] looks at the project, asks which servers are meant, and says what is to be pinned and which files are to be
//! written. The command line runs the pins, writes the files, and [`Init::finish`] makes one report of both. What is
//! started is what the new `warden.toml` says when our own reader reads it, so the next check means the same servers.

mod choice;
mod ci_files;
mod draft;
mod forge;
mod project_files;
mod settings;
mod toml_text;

pub use forge::Forge;
pub use project_files::{Addition, Disk, NewFile, Standing, Written};

use super::all::{AllArgs, Said, Servers, Unknown, Work, nothing_configured, work_for};
use super::args::{ConfigArgs, seconds};
use super::error::shown_path;
use super::people::People;
use super::pin::PinArgs;
use super::{CommandError, Context};
use crate::clients::{Part, Reference, Template};
use crate::config::{self, Config, Discover};
use crate::project::{self, Project, Start, Surroundings, Target};
use crate::report::{NextStep, ProjectReport, ServerPart, Verdict};
use crate::text::{Charset, escape, near, quote_argv};
use choice::{chosen, lines};
use clap::{ArgAction, Args, FromArgMatches as _, ValueHint};
use draft::{Draft, State};
use project_files::Files;
use settings::Decision;
use std::path::{Path, PathBuf};

/// Every file that this command may write besides locks, from the project's folder.
pub const PATHS: [&str; 4] = [config::FILE_NAME, ci_files::GITHUB_PATH, ci_files::GITLAB_PATH, ci_files::HOOKS_PATH];

/// How often an answer may be given that means nothing.
const MAX_ANSWERS: usize = 3;

/// Arguments of `warden init`.
#[derive(Debug, Clone, Args)]
pub struct InitArgs {
    /// A client's configuration file with the servers, instead of those that are found in the project; can be repeated.
    /// It has to be in the project
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, action = ArgAction::Append)]
    pub config: Vec<PathBuf>,

    /// Offer only this server; can be repeated. The others are written down as skipped
    #[arg(long, value_name = "NAME", action = ArgAction::Append)]
    pub only: Vec<String>,

    /// Start and pin every server that is offered, without asking
    #[arg(long)]
    pub yes: bool,

    /// Whose workflow is written [default: as the address of origin and the files of the project say]
    #[arg(long, value_name = "FORGE", value_enum)]
    pub forge: Option<Forge>,

    /// Seconds for the capture of each server. A first start downloads packages
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub timeout: f64,

    /// How many servers are asked at a time [default: the number of processors, at least 4 and at most 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
}

/// What is to be done.
pub struct Init {
    pub work: Work,
    /// Absolute, without links.
    pub root: PathBuf,
    files: Files,
    /// The project's folder from the current one.
    folder: PathBuf,
    is_second: bool,
    notes: Vec<String>,
}

/// Looks at the project, asks, and says what is to be done. Starts and writes nothing.
///
/// # Errors
/// A configuration that cannot be read or that no `warden.toml` can name, no server that could be pinned, no consent.
pub fn plan(
    args: &InitArgs,
    disk: &Disk<'_>,
    context: &Context<'_>,
    people: &dyn People,
) -> Result<Init, CommandError> {
    let all = AllArgs { all: true, only: Vec::new(), jobs: args.jobs };
    let named = ConfigArgs { config: args.config.clone(), ..ConfigArgs::default() };
    let servers = Servers::load(&all, &named, context)?;
    if !servers.project.config.servers.is_empty() {
        return second(&servers, args, disk, context);
    }
    let project = servers.project;
    if project.servers.is_empty() {
        return Err(nothing_configured(&project));
    }
    check_readable(&project)?;
    let mut base = project.config.clone();
    if !args.config.is_empty() && project.config_path.is_none() {
        // The files that were named are the only ones, now and later.
        base.discover = Discover::Off;
    }
    let home = context.home();
    let variable = |name: &str| context.variable(name);
    let failed = |error| super::all::load_error(error);
    let project = project::with_settings(project, base.clone()).map_err(failed)?;
    let mut drafts = draft::drafts(&project);
    let project = project::with_settings(project, draft::settings(&drafts, &base)).map_err(failed)?;
    let around = Surroundings { root: &project.root, home: home.as_deref(), variable: &variable };
    draft::learn(&mut drafts, &project, &around);

    let offered = offered(&drafts, &args.only)?;
    let variables = |chosen: &[usize]| {
        let starts = chosen.iter().filter_map(|at| match &drafts[*at].state {
            State::Ready(start) => Some(&**start),
            _ => None,
        });
        variables_of(starts)
    };
    // Where something cannot be written, nothing is started.
    let files = Files::plan(&project, &drafts, args.forge, disk)?;
    let chosen = choose(&drafts, &offered, &files, args.yes, people)?;
    let decisions: Vec<Decision> =
        (0..drafts.len()).map(|at| if chosen.contains(&at) { Decision::Pinned } else { Decision::NotChosen }).collect();

    let text = settings::text(&drafts, &decisions, base.discover);
    let config = read_back(&text, &drafts, &base)?;
    let files = files.with_texts(text, settings::tables(&drafts, &decisions), &variables(&chosen));
    let notes = notes(&project);
    let project = project::with_settings(project, config).map_err(failed)?;
    let (root, folder) = (project.root.clone(), project.folder.clone());
    let only = drafts.iter().map(|draft| draft.name.clone()).collect();
    let servers = Servers { project, only };
    let pin = PinArgs { all, ..pin_args(args)? };
    let agreed = |unknown: &Unknown<'_>| check_agreed(unknown, &drafts, &chosen);
    let mut work = work_for(&pin, &servers, "init", context, &agreed)?;
    work.repeated = ConfigArgs::default();
    Ok(Init { work, root, files, folder, is_second: false, notes })
}

/// The servers of a project that has its settings already: nothing is started for them.
fn second(servers: &Servers, args: &InitArgs, disk: &Disk<'_>, context: &Context<'_>) -> Result<Init, CommandError> {
    let project = &servers.project;
    if !args.only.is_empty() || !args.config.is_empty() {
        let settings = project.config_path.as_deref().map(shown_path).unwrap_or_default();
        return Err(CommandError::usage(format!("{settings} names the servers of this project already"))
            .hint("pin one of them: warden pin --all --only NAME")
            .hint("add another one there: [servers.NAME] (docs/config.md)"));
    }
    let mut work = servers.work("init", &AllArgs { all: true, ..AllArgs::default() }, &ConfigArgs::default(), context);
    let mut missing = Vec::new();
    for member in servers.chosen() {
        let said = Said { command: "pin", member };
        let part = servers.left_out(&said, context).unwrap_or_else(|| match servers.has_lock(member) {
            true => said.part(Verdict::NotAsked, "not started: it has a lock already".to_owned()),
            false => {
                missing.push(escape(&member.name, Charset::Unicode));
                said.part(Verdict::NotAsked, "not started: it has no lock yet".to_owned())
            }
        });
        work.ready.push(part);
    }
    let starts = project.servers.iter().filter_map(|member| match &member.how {
        project::How::Start(start) => Some(&**start),
        _ => None,
    });
    let variables = variables_of(starts);
    let files = Files::plan(project, &[], args.forge, disk)?.with_texts(String::new(), String::new(), &variables);
    let mut notes = Vec::new();
    if !missing.is_empty() {
        notes.push(format!("without a lock: {}; pin with warden pin --all", missing.join(", ")));
    }
    Ok(Init { work, root: project.root.clone(), files, folder: project.folder.clone(), is_second: true, notes })
}

/// A file that cannot be read may name any server, and one outside of the project cannot be named in a committed file.
fn check_readable(project: &Project) -> Result<(), CommandError> {
    if !project.unread.is_empty() {
        let error = CommandError::usage("a configuration file of the project cannot be read, and may name any server");
        let causes = project.unread.iter().map(ToString::to_string).collect();
        return Err(CommandError { kind: super::ErrorKind::File, causes, ..error }
            .hint("mend it, or name the files that count: --config FILE"));
    }
    match project.files.iter().find(|file| project::path_within(&file.path, &project.root).is_none()) {
        None => Ok(()),
        Some(file) => Err(CommandError::usage(format!(
            "{} is not in the project's folder {}, and a committed file cannot name it",
            shown_path(&file.path),
            shown_path(&project.root)
        ))
        .hint("copy its servers into a file of the project, such as .mcp.json")
        .hint("or write them into warden.toml: [servers.NAME] with command = [...] or url = \"...\" (docs/config.md)")),
    }
}

/// Positions of the drafts that may be pinned.
fn offered(drafts: &[Draft], only: &[String]) -> Result<Vec<usize>, CommandError> {
    for name in only {
        let shown = escape(name, Charset::Unicode);
        let Some(draft) = drafts.iter().find(|draft| draft.name == *name) else {
            let error = CommandError::usage(format!("--only {shown}: the project has no server of that name"));
            let near = near(name, drafts.iter().map(|draft| draft.name.as_str()));
            return Err(match near.first() {
                Some(near) => error.hint(format!("did you mean {}?", escape(near, Charset::Unicode))),
                None => error,
            });
        };
        match &draft.state {
            State::Ready(_) => {}
            State::SwitchedOff => {
                return Err(CommandError::usage(format!("--only {shown}: it is switched off in its client's file")));
            }
            State::Unusable(why) => {
                return Err(CommandError::file(format!("--only {shown}: it cannot be started"), why.clone()));
            }
        }
    }
    let is_offered =
        |draft: &Draft| matches!(draft.state, State::Ready(_)) && (only.is_empty() || only.contains(&draft.name));
    let offered: Vec<usize> = (0..drafts.len()).filter(|at| is_offered(&drafts[*at])).collect();
    match offered.is_empty() {
        false => Ok(offered),
        true => {
            let error = CommandError::usage("no server of this project can be pinned");
            Err(CommandError { kind: super::ErrorKind::File, causes: lines(drafts, &[]), ..error })
        }
    }
}

/// Asks which servers are meant; the answer is the consent to start them.
fn choose(
    drafts: &[Draft],
    offered: &[usize],
    files: &Files,
    yes: bool,
    people: &dyn People,
) -> Result<Vec<usize>, CommandError> {
    if yes {
        return Ok(offered.to_vec());
    }
    let list = lines(drafts, offered);
    let many = if offered.len() == 1 { "a server".to_owned() } else { format!("{} servers", offered.len()) };
    if !people.can_be_asked() {
        let error = CommandError::usage(format!("{many} would be started, and nobody is here to be asked"));
        return Err(
            CommandError { causes: list, ..error }.hint("look at the commands, then add --yes; --only NAME narrows it")
        );
    }
    let list: String = list.iter().map(|line| format!("  {line}\n")).collect();
    let to_write = files.names().join(", ");
    let to_write = if to_write.is_empty() { String::new() } else { format!(" Then it writes {to_write}.") };
    let mut question = format!(
        "Servers of this project:\n{list}warden starts those that you choose, to pin what they declare.{to_write}\n\
         Which? Enter for all, or names or numbers, or none: "
    );
    let names: Vec<&str> = offered.iter().map(|at| drafts[*at].name.as_str()).collect();
    for _ in 0..MAX_ANSWERS {
        let Some(answer) = people.ask(&question) else { break };
        match chosen(&answer, &names) {
            Ok(positions) => return Ok(positions.into_iter().map(|at| offered[at]).collect()),
            Err(why) => question = format!("{why}\nWhich? "),
        }
    }
    Err(CommandError::usage("nothing was started and nothing was written: there was no answer that says which servers"))
}

/// What was written has to mean what was decided, to the reader that every later run uses.
fn read_back(text: &str, drafts: &[Draft], base: &Config) -> Result<Config, CommandError> {
    let failed = |cause: String| CommandError::file("the servers cannot be written down in a warden.toml", cause);
    let read = config::parse(text.as_bytes()).map_err(|error| failed(error.to_string()))?;
    let expected = draft::settings(drafts, base).servers;
    let is_same = read.discover == base.discover
        && read.servers.len() == expected.len()
        && read
            .servers
            .iter()
            .zip(&expected)
            .all(|(read, expected)| (&read.name, &read.source) == (&expected.name, &expected.source));
    match is_same {
        true => Ok(Config { servers: read.servers, ..base.clone() }),
        false => Err(failed("it does not read as it was meant".to_owned())),
    }
}

/// Nothing is started but what was shown and chosen.
fn check_agreed(unknown: &Unknown<'_>, drafts: &[Draft], chosen: &[usize]) -> Result<(), CommandError> {
    let is_agreed = |name: &str, start: &Start| {
        chosen.iter().any(|at| {
            let draft = &drafts[*at];
            draft.name == name && matches!(&draft.state, State::Ready(agreed) if **agreed == *start)
        })
    };
    match unknown.iter().find(|(member, start)| !is_agreed(&member.name, start)) {
        None => Ok(()),
        Some((member, _)) => Err(CommandError::usage(format!(
            "{} is not what was shown, and nothing was started",
            escape(&member.name, Charset::Unicode)
        ))),
    }
}

/// The arguments of `pin` for each of them.
fn pin_args(args: &InitArgs) -> Result<PinArgs, CommandError> {
    let failed = |error: clap::Error| CommandError::usage(error.to_string());
    let matches = PinArgs::augment_args(clap::Command::new("pin")).try_get_matches_from(["pin"]).map_err(failed)?;
    let mut pin = PinArgs::from_arg_matches(&matches).map_err(failed)?;
    pin.server.timeout = args.timeout;
    Ok(pin)
}

/// Names of variables without a value of their own that servers are started with, sorted.
fn variables_of<'a>(starts: impl Iterator<Item = &'a Start>) -> Vec<String> {
    // A server has these without being handed them.
    const ALWAYS: [&str; 6] = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
    let mut names = Vec::new();
    for start in starts {
        names.extend(start.hand_on.iter().cloned());
        names.extend(start.bearer_env.iter().cloned());
        let words: Vec<&Template> = match &start.target {
            Target::Command { program, args } => std::iter::once(program).chain(args).collect(),
            Target::Url(url) => vec![url],
        };
        let values = start.env.iter().chain(&start.headers).map(|(_, value)| value);
        for part in words.into_iter().chain(values).chain(&start.cwd).flat_map(Template::parts) {
            if let Part::Reference(Reference::Environment { name, default: None }) = part {
                names.push(name);
            }
        }
    }
    names.retain(|name| !ALWAYS.contains(&name.as_str()));
    names.sort();
    names.dedup();
    names
}

/// What no table can say.
fn notes(project: &Project) -> Vec<String> {
    let unnamed = project.servers.iter().find(|server| server.name.is_empty());
    let place = |member: &project::Member| member.places.first().map(super::all::place_words).unwrap_or_default();
    let note =
        |member| format!("{}: a server without a name is left out, and fails checks until it has one", place(member));
    unnamed.map(note).into_iter().collect()
}

impl Init {
    /// Absolute paths of the files that are going to be written.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.names().into_iter().map(|name| self.root.join(name)).collect()
    }

    /// Writes the files, by way of `write`, and makes the report. The pins are done: `parts` are theirs.
    pub fn finish(
        self,
        parts: Vec<ServerPart>,
        write: &mut dyn FnMut(&NewFile) -> Written,
    ) -> Result<(ProjectReport, Vec<Addition>), CommandError> {
        let Self { work, files, folder, is_second, notes, .. } = self;
        let mut report = work.finish(parts)?;
        let outcome = files.write(write);
        let path = |name: &str| folder.join(name);
        let shown = |name: &str| shown_path(&path(name));
        if is_second {
            report.verdict = Verdict::Unchanged;
            let said = "the project is initialised already: nothing was started";
            report.notes.push(match outcome.written.is_empty() {
                true => format!("{said}, and nothing was changed"),
                false => said.to_owned(),
            });
        } else if report.servers.iter().all(|part| part.report.verdict == Verdict::Skipped) {
            // Whoever chose none got what they wanted.
            report.verdict = Verdict::Skipped;
        } else if report.verdict == Verdict::Failed {
            // For one run over all of them, a server that could not be started is one that could not be captured.
            report.verdict = Verdict::NotPinned;
        }
        report.notes.extend(outcome.written.iter().map(|name| format!("wrote {}", shown(name))));
        for (name, why) in &outcome.left {
            report.notes.push(format!("{} is there already and was left as it is{why}", shown(name)));
        }
        for (name, why) in &outcome.failed {
            report.verdict = Verdict::of_all([report.verdict, Verdict::Failed]);
            report.notes.push(format!("{} was not written: {why}", shown(name)));
        }
        report.notes.extend(outcome.notes);
        report.notes.extend(notes);
        let written: Vec<PathBuf> = outcome.written.iter().map(|name| path(name)).collect();
        report.written = Some(written.iter().map(|path| path.to_string_lossy().into_owned()).collect());
        if is_second && written.is_empty() {
            report.next = vec![check_step()];
        } else {
            report.next = next(&report, &written);
        }
        Ok((report, outcome.additions))
    }
}

fn check_step() -> NextStep {
    NextStep { purpose: "check them", command: "warden check --all".to_owned() }
}

/// Commands that go on from here.
fn next(report: &ProjectReport, written: &[PathBuf]) -> Vec<NextStep> {
    let mut steps = Vec::new();
    let is_pinned = |part: &&ServerPart| matches!(part.report.verdict, Verdict::Pinned | Verdict::Unchanged);
    let is_open =
        |part: &&ServerPart| !is_pinned(part) && !matches!(part.report.verdict, Verdict::Skipped | Verdict::NotAsked);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let open: Vec<String> = report.servers.iter().filter(is_open).map(|part| format!("--only={}", part.name)).collect();
    if !open.is_empty() {
        let command = quote_argv(words(&["warden", "pin", "--all"]).into_iter().chain(open));
        steps.push(NextStep { purpose: "pin what could not be pinned", command });
    }
    if report.servers.iter().any(|part| is_pinned(&part)) {
        steps.push(NextStep { purpose: "read what was pinned", command: "warden show --all".to_owned() });
    }
    let locks = report.servers.iter().filter(is_pinned).map(|part| PathBuf::from(&part.report.subject.lock_path));
    let files: Vec<PathBuf> = written.iter().cloned().chain(locks).collect();
    if !files.is_empty() {
        let paths = files.iter().map(|path| super::next_steps::path_word(Path::new(path)));
        steps.push(NextStep {
            purpose: "commit it",
            command: quote_argv(words(&["git", "add"]).into_iter().chain(paths)),
        });
    }
    steps.push(check_step());
    steps
}
