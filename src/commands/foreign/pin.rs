//! `warden pin --lock-format`: servers into a lock file of another tool. Several servers go into one file, which is
//! written once all of them were captured.

use super::super::all::{Configured, Job, Work};
use super::super::args::ServerArgs;
use super::super::error::shown_path;
use super::super::pin::PinArgs;
use super::super::server::launch_of;
use super::super::summary::{finding_lines, shown_launch};
use super::super::surface_file::Given;
use super::super::{CommandError, Context};
use super::args::LockFormat;
use super::file::{Loaded, refused};
use super::parts::{counts_of_surface, failed, name_of, part, tell, tell_differences};
use super::start::{Asker, Asking, Configuration, NoSurface, asking};
use crate::capture::interrupt;
use crate::drift::LAUNCH_TARGET;
use crate::formats::{Entry, EntryStart, Format, NewEntry, Options};
use crate::lock::file;
use crate::project::Startup;
use crate::report::{FindingLine, ProjectReport, Report, ServerPart, Subject, Verdict};
use crate::surface::{Launch, Surface};
use crate::text::{Charset, escape};
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A server that was captured, ready to be written.
#[derive(Debug, Clone)]
pub(super) struct Pinned {
    pub name: String,
    pub launch: Launch,
    pub env: Vec<String>,
    pub surface: Surface,
    /// The dump of its tools that stands for it, from the folder of the lock; where there is one, the launch is nobody's.
    pub dump: Option<String>,
}

/// Where jobs put what they captured.
pub(super) type Basket = Arc<Mutex<Vec<Pinned>>>;

impl PinArgs {
    /// The file that is written: the one that was named, or the usual one of the format.
    pub fn lock_path(&self) -> &Path {
        match self.lock_format.and_then(LockFormat::foreign) {
            Some(format) if self.lock.lock == Path::new("warden.lock") => Path::new(format.file_name()),
            _ => &self.lock.lock,
        }
    }
}

/// Says what is to be captured and pinned in this format. Starts nothing.
///
/// # Errors
/// Arguments that make no sense for the format, or a file that cannot be replaced.
pub fn plan(format: Format, args: &PinArgs, context: &Context<'_>) -> Result<Work, CommandError> {
    refuse(format, args)?;
    let path = args.lock_path();
    file::check_replaceable(path).map_err(|error| CommandError::unwritable_lock(path, &error))?;
    let loaded = Arc::new(Loaded::at(path, format)?);
    let given = launch_of(&args.command, &args.server)?;
    let from_file = Given::of(&args.source, &args.server)?;
    let given = match &from_file {
        Some(file) => file.launch(given)?,
        None => given,
    };
    let name = one_name(args)?;
    let entry = loaded.file.entries().iter().find(|entry| entry.name == name).cloned();
    let is_known = given.is_none() && entry.is_some();
    let (launch, dump) = launch_or_dump(given, format, entry.as_ref(), args, &loaded)?;
    let env = env_names(&args.server, entry.as_ref().filter(|_| is_known));
    let mut work = Work::of_file("pin", format, loaded.file.version(), args.all.jobs);
    let basket: Basket = Basket::default();
    let (server, put) = (args.server.clone(), basket.clone());
    let pinned = Pinned { name: name.clone(), launch, env, surface: Surface::default(), dump };
    super::super::surface_file::refuse_secret_launch(&pinned.launch)?;
    let asking = match (&args.source.surface, from_file, &entry) {
        (Some(path), Some(_), _) => Asking::File(path.clone()),
        (_, _, Some(entry)) if pinned.dump.is_some() => {
            asking(&loaded, entry, &mut Configuration::new(&args.config), context)?.0
        }
        // What the file says about its surroundings stays in the file, so the server is started in them.
        (_, _, Some(entry)) if is_known || entry.cwd.is_some() => {
            let here = Entry { start: EntryStart::Launch(pinned.launch.clone()), ..entry.clone() };
            asking(&loaded, &here, &mut Configuration::new(&args.config), context)?.0
        }
        _ => Asking::Launch(Box::new(Configured::plain(&name, Startup::plain(pinned.launch.clone())))),
    };
    let version = version_of(format, entry.as_ref().and_then(|entry| entry.protocol_version.clone()));
    let into = loaded.clone();
    work.jobs.push(Job::new(&name, move |context| {
        capture(&into, pinned, &asking, &server, version.as_deref(), &put, context)
    }));
    let now = (context.now)();
    work.after = Some(Box::new(move |report| write(report, &loaded, &basket, &now)));
    Ok(work)
}

/// In which era a server is asked first: its own, and a new one of mcp.lock by `server/discover`.
fn version_of(format: Format, pinned: Option<String>) -> Option<String> {
    pinned.or_else(|| (format == Format::Mcp).then(|| crate::surface::Era::Modern.newest().to_owned()))
}

/// How the server is started: as the command line says, else as its entry does. Where neither says it, the dump of its
/// tools that stands for it, and a launch that nobody uses.
fn launch_or_dump(
    given: Option<Launch>,
    format: Format,
    entry: Option<&Entry>,
    args: &PinArgs,
    loaded: &Loaded,
) -> Result<(Launch, Option<String>), CommandError> {
    let dump = match (given, entry.map(|entry| &entry.start)) {
        (Some(launch), _) => return Ok((launch, None)),
        (None, Some(EntryStart::Launch(launch))) => return Ok((launch.clone(), None)),
        (None, Some(EntryStart::File(path))) if args.source.surface.is_none() => path.clone(),
        _ => dump_of(format, args, loaded)?.ok_or_else(|| {
            CommandError::usage("there is nothing to pin: name the command that starts the server, or its URL")
                .hint(format!("for example: warden pin --lock-format {} --name NAME -- COMMAND", format.name()))
        })?,
    };
    Ok((Launch::Stdio { command: String::new(), args: Vec::new() }, Some(dump)))
}

/// The names of the variables that the server needs: those of the command line, and those that its entry has.
fn env_names(server: &ServerArgs, entry: Option<&Entry>) -> Vec<String> {
    let name_of = |text: &OsString| text.to_string_lossy().split('=').next().unwrap_or_default().to_owned();
    let mut names: Vec<String> = server.env.iter().map(name_of).collect();
    for name in entry.into_iter().flat_map(|entry| &entry.env) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn refuse(format: Format, args: &PinArgs) -> Result<(), CommandError> {
    let given = [
        ("--approve", args.approve),
        ("--save-surface", args.save_surface.is_some()),
        ("--tool, --resource or --prompt", args.chosen.choice().is_some()),
        ("--inspection", args.entries.inspection.is_some()),
        ("--normalize-prompt-arguments", args.entries.normalize_prompt_arguments),
        ("--stability", args.source.stability.is_some()),
        ("--all", args.all.all),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => {
            Err(CommandError::usage(format!("{name} is for warden.lock, and this pins {}", format.with_article()))
                .hint("docs/formats.md says what the format can hold"))
        }
    }
}

/// The surface file as the place of a server, for the format that knows such servers: a path within the lock's folder.
fn dump_of(format: Format, args: &PinArgs, loaded: &Loaded) -> Result<Option<String>, CommandError> {
    let Some(path) = args.source.surface.as_ref().filter(|_| format == Format::Contractpin) else { return Ok(None) };
    let folder = loaded.folder();
    let within = path.strip_prefix(&folder).ok().filter(|path| {
        path.components().all(|part| matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir))
    });
    match within.and_then(|path| path.iter().map(|part| part.to_str()).collect::<Option<Vec<_>>>()) {
        Some(parts) => Ok(Some(parts.join("/"))),
        None => {
            Err(CommandError::usage("the file does not say how the server is started, and is not in the lock's folder")
                .hint("name the command too, or put the file beside the lock: then the lock names the file"))
        }
    }
}

fn one_name(args: &PinArgs) -> Result<String, CommandError> {
    match args.names.name.as_slice() {
        [name] if !name.is_empty() => Ok(name.clone()),
        [] => Err(CommandError::usage("this format holds several servers: say which one this is")
            .hint("--name NAME, as the client's configuration calls it")),
        _ => Err(CommandError::usage("a pin is about one server: give one --name that is not empty")),
    }
}

/// Captures a server and puts it into the basket.
fn capture(
    loaded: &Loaded,
    mut pinned: Pinned,
    asking: &Asking,
    server: &ServerArgs,
    version: Option<&str>,
    basket: &Basket,
    context: &Context<'_>,
) -> ServerPart {
    let subject = Subject { lock_path: name_of(&loaded.path), launch: shown_launch(&pinned.launch) };
    let mut report = Report::new("pin", Verdict::NotPinned, subject);
    report.lock_text.clone_from(&loaded.text);
    let (plan, mut observed) = match (Asker { server, version }).observe(asking, context) {
        Ok(seen) => seen,
        Err(NoSurface::Failed(failure)) => {
            report.failure = Some(*failure);
            return part(&pinned.name, report);
        }
        Err(NoSurface::Wrong(error)) => return failed(&pinned.name, report, &error),
    };
    tell(&mut report, &plan, &observed);
    report.findings = finding_lines(&observed.findings);
    let is_secret = |finding: &FindingLine| {
        finding.target == LAUNCH_TARGET
            && ["WRD-LAUNCH-", "WRD-SEC-"].iter().any(|rule| finding.rule_id.starts_with(rule))
    };
    if loaded.file.format() != Format::Agentgate && report.findings.iter().any(is_secret) {
        observed.finish();
        let error = CommandError::usage("the launch holds a secret, which the file would store")
            .hint("pass it through the environment instead: --env NAME");
        return failed(&pinned.name, report, &error);
    }
    // What the format keeps as text is stored word for word.
    if loaded.file.format() == Format::Mcp
        && let Err(failure) = plan.refuse_echoed_in_texts(&observed.raw)
    {
        observed.finish();
        report.failure = Some(*failure);
        return part(&pinned.name, report);
    }
    if let Ok(differences) =
        loaded.file.compare(&pinned.name, &observed.surface, Options { allow_new: false, strict: true })
        && loaded.file.entries().iter().any(|entry| entry.name == pinned.name)
    {
        tell_differences(&mut report, &differences);
    }
    if let Asking::File(path) = asking {
        report.files.read_from = Some(name_of(path));
    }
    observed.finish();
    report.verdict = Verdict::Pinned;
    report.counts = counts_of_surface(&observed.surface);
    pinned.surface = observed.surface;
    let name = pinned.name.clone();
    basket.lock().unwrap_or_else(PoisonError::into_inner).push(pinned);
    part(&name, report)
}

/// Writes the file with everything that was captured. What could not be captured stays as it was.
pub(super) fn write(
    report: &mut ProjectReport,
    loaded: &Loaded,
    basket: &Basket,
    now: &str,
) -> Result<(), CommandError> {
    let pinned = std::mem::take(&mut *basket.lock().unwrap_or_else(PoisonError::into_inner));
    if pinned.is_empty() {
        return Ok(());
    }
    let entries: Vec<NewEntry<'_>> = pinned
        .iter()
        .map(|one| NewEntry { name: &one.name, launch: &one.launch, env: &one.env, surface: &one.surface })
        .collect();
    let shown = shown_path(&loaded.path);
    let format = loaded.file.format();
    let written = match pinned.as_slice() {
        [Pinned { name, surface, dump: Some(path), .. }] => loaded.file.with_dump(name, path, surface, now),
        _ => loaded.file.with(&entries, now),
    };
    let written = written.map_err(|refusal| {
        refused(format!("{shown} was left as it is: {} cannot hold this", format.with_article()), &refusal)
    })?;
    // Read back before it replaces anything: nothing that a reader would refuse may be written.
    let again = crate::formats::read(format, written.text.as_bytes())
        .map_err(|error| CommandError::file(format!("{shown} was left as it is"), error.to_string()))?;
    for one in &pinned {
        let same = again.compare(&one.name, &one.surface, Options { allow_new: false, strict: true });
        if same.is_err() || same.is_ok_and(|differences| !differences.is_empty()) {
            let name = escape(&one.name, Charset::Unicode);
            return Err(CommandError::file(format!("{shown} was left as it is"), format!("{name} would not hold")));
        }
    }
    report.notes.extend(written.notes);
    if let Some(less) = format.covers_less() {
        report.notes.push(format!("reduced coverage beside warden.lock: {less}"));
    }
    if written.text == loaded.text {
        for part in report.servers.iter_mut().filter(|part| part.report.verdict == Verdict::Pinned) {
            part.report.verdict = Verdict::Unchanged;
        }
    } else {
        let _held = interrupt::hold();
        file::replace(&loaded.path, written.text.as_bytes())
            .map_err(|error| CommandError::unwritable_lock(&loaded.path, &error))?;
    }
    for part in &mut report.servers {
        part.report.lock_text.clone_from(&written.text);
    }
    report.verdict = Verdict::of_all(report.servers.iter().map(|part| part.report.verdict));
    Ok(())
}
