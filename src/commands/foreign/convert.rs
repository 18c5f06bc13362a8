//! `warden convert`: a lock file of one format into one of another, where there is text to make it of.

use super::super::all::Work;
use super::super::args::ServerArgs;
use super::super::error::shown_path;
use super::super::server::{Baseline, Plan, warden_pin};
use super::super::{CommandError, Context};
use super::args::{LockFormat, NameArgs};
use super::file::Loaded;
use super::parts::{counts_of_surface, name_of, part};
use super::pin::{Basket, Pinned, write};
use crate::formats::{EntryStart, Format};
use crate::lock::file;
use crate::lock::wire::{self, NewPin};
use crate::report::{Report, Subject, Verdict};
use crate::surface::RawSurface;
use crate::text::{Charset, escape};
use clap::{Args, ValueEnum as _, ValueHint};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

/// Arguments of `warden convert`.
#[derive(Debug, Clone, Args)]
pub struct ConvertArgs {
    /// The lock file to convert. It has to keep the text of what it pins, as mcp.lock does: from hashes alone no other
    /// hash can be made
    #[arg(value_name = "LOCK", value_hint = ValueHint::FilePath, required_unless_present_any = ["surface", "command"])]
    pub lock: Option<PathBuf>,

    /// Make it of a surface file (of "warden capture") instead
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "lock")]
    pub surface: Option<PathBuf>,

    /// The format to write
    #[arg(long, value_name = "FORMAT")]
    pub to: LockFormat,

    /// The file to write [default: the usual name of the format, in the current folder]
    #[arg(short, long = "out", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub names: NameArgs,

    /// Make it of what this server declares, as pin --lock-format does
    #[arg(value_name = "COMMAND", last = true, conflicts_with_all = ["lock", "surface"])]
    pub command: Vec<OsString>,
}

impl ConvertArgs {
    /// The file that is written.
    pub fn out_path(&self) -> &Path {
        let usual = || Path::new(self.to.foreign().map_or("warden.lock", Format::file_name));
        self.out.as_deref().unwrap_or_else(usual)
    }

    /// The `warden pin` that does it, where there is no lock to convert.
    pub fn as_pin(&self) -> Option<Vec<OsString>> {
        if self.lock.is_some() {
            return None;
        }
        let to = self.to.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        let mut words: Vec<OsString> = ["warden", "pin", "--lock-format", &to].map(OsString::from).to_vec();
        if let Some(out) = &self.out {
            words.extend(["--lock".into(), out.clone().into_os_string()]);
        }
        words.extend(self.names.name.iter().map(|name| format!("--name={name}").into()));
        if let Some(surface) = &self.surface {
            words.extend(["--surface".into(), surface.clone().into_os_string()]);
        }
        if !self.command.is_empty() {
            words.push("--".into());
            words.extend(self.command.iter().cloned());
        }
        Some(words)
    }
}

/// Reads the file, and says what is written. Nothing is asked, then and later.
///
/// # Errors
/// The file holds hashes only, or something that the other format cannot hold.
pub fn plan(args: &ConvertArgs, context: &Context<'_>) -> Result<Work, CommandError> {
    let lock = args.lock.as_deref().unwrap_or(Path::new(""));
    let recognized = super::recognize(lock).ok_or_else(|| hashes_only(lock, "a warden.lock or no lock at all"))?;
    let source = recognized.load()?;
    let format = source.file.format();
    let mut pinned = Vec::new();
    for entry in source.chosen(&args.names.name)? {
        let Some(surface) = source.file.surface(&entry.name) else {
            return Err(hashes_only(lock, format.with_article()));
        };
        let EntryStart::Launch(launch) = entry.start else {
            return Err(CommandError::usage("the lock does not say how the server is started"));
        };
        super::super::surface_file::refuse_secret_launch(&launch)?;
        pinned.push(Pinned { name: entry.name, launch, env: entry.env, surface, dump: None });
    }
    match args.to.foreign() {
        Some(to) => into_foreign(to, args, &source, pinned, context),
        None => into_warden(args, &source, pinned, context),
    }
}

fn hashes_only(path: &Path, what: &str) -> CommandError {
    CommandError::usage(format!("{} cannot be converted: it is {what}", shown_path(path)))
        .hint("other hashes can only be made of the text: mcp.lock keeps it")
        .hint("from the server itself, or from a surface file: warden pin --lock-format FORMAT --name NAME -- COMMAND")
}

fn into_foreign(
    to: Format,
    args: &ConvertArgs,
    source: &Loaded,
    pinned: Vec<Pinned>,
    context: &Context<'_>,
) -> Result<Work, CommandError> {
    let path = args.out_path().to_owned();
    if file::is_same_place(&path, &source.path) {
        return Err(CommandError::usage("the file to write is the one that is read").hint("name another with --out"));
    }
    file::check_replaceable(&path).map_err(|error| CommandError::unwritable_lock(&path, &error))?;
    let loaded = Arc::new(Loaded::at(&path, to)?);
    let mut work = Work::of_file("convert", to, loaded.file.version(), None);
    work.notes.push(format!("made of {}, without asking any server", shown_path(&source.path)));
    let basket = Basket::default();
    for one in pinned {
        let subject = Subject { lock_path: name_of(&path), launch: super::super::summary::shown_launch(&one.launch) };
        let mut report = Report::new("convert", Verdict::Pinned, subject);
        report.counts = counts_of_surface(&one.surface);
        work.ready.push(part(&one.name, report));
        basket.lock().unwrap_or_else(PoisonError::into_inner).push(one);
    }
    let now = (context.now)();
    work.after = Some(Box::new(move |report| write(report, &loaded, &basket, &now)));
    Ok(work)
}

/// One server into a `warden.lock`.
fn into_warden(
    args: &ConvertArgs,
    source: &Loaded,
    pinned: Vec<Pinned>,
    context: &Context<'_>,
) -> Result<Work, CommandError> {
    let path = args.out_path().to_owned();
    let [one] = pinned.as_slice() else {
        return Err(CommandError::usage("a warden.lock holds one server, and there are several")
            .hint("choose one with --name, and its file with --out"));
    };
    let server = ServerArgs::plain();
    let entries = super::super::args::EntryArgs::default();
    let baseline = Baseline { from_lock: false, recorded: None, version: None, lock_path: None, entries: &entries };
    let plan = Plan::new(one.launch.clone(), &server, &baseline, context)?;
    let material = super::super::server::Material {
        surface: one.surface.clone(),
        raw: RawSurface::default(),
        missing: std::collections::BTreeSet::new(),
        warnings: Vec::new(),
        closing: None,
    };
    let observed = plan.take(material).map_err(|failure| {
        CommandError::file("the server cannot be pinned in a warden.lock", escape(&failure.message, Charset::Unicode))
    })?;
    let now = (context.now)();
    let pin = NewPin {
        created_at: &now,
        warden_version: env!("CARGO_PKG_VERSION"),
        mcp_protocol_version: &observed.surface.about.protocol_version,
        approver: None,
        actor: None,
        environment: None,
        warden: warden_pin(&plan, &observed),
        previous: None,
    };
    let text = wire::render(&observed.pinned, &observed.findings, &pin);
    wire::read(text.as_bytes()).map_err(|error| CommandError::unwritable_lock(&path, &error.into()))?;
    let mut work = Work::of_file("convert", source.file.format(), source.file.version(), None);
    work.notes.push(format!("made of {}, without asking any server", shown_path(&source.path)));
    if !one.env.is_empty() {
        let names = escape(&one.env.join(", "), Charset::Unicode);
        work.notes.push(format!("a warden.lock does not say which variables the server needs: {names}"));
    }
    let subject = Subject { lock_path: name_of(&path), launch: super::super::summary::shown_launch(&one.launch) };
    let mut report = Report::new("convert", Verdict::Pinned, subject);
    report.counts = counts_of_surface(&one.surface);
    report.lock_text.clone_from(&text);
    work.ready.push(part(&one.name, report));
    work.after = Some(Box::new(move |_| match file::create(&path, text.as_bytes()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CommandError::file(format!("{} is there already", shown_path(&path)), "it was left as it is")
            .hint("name another file with --out")),
        Err(error) => Err(CommandError::unwritable_lock(&path, &error)),
    }));
    Ok(work)
}
