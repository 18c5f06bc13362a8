//! How a server of a foreign file is started: as its entry says, or, where it does not say, as the project's
//! configuration says for a server of that name.

use super::super::all::Configured;
use super::super::args::{ConfigArgs, EntryArgs, HttpArgs, ServerArgs};
use super::super::server::{Baseline, Observed, Plan};
use super::super::surface_file::Given;
use super::super::{CommandError, Context};
use super::file::Loaded;
use crate::formats::{Entry, EntryStart};
use crate::lock::file::stays_in;
use crate::project::{self, Asked, How, Member, Project, Start, Startup, Surroundings};
use crate::report::Failure;
use crate::surface::Launch;
use crate::text::{Charset, escape};
use std::path::{Component, Path, PathBuf};

/// How one server is going to be asked.
pub(super) enum Asking {
    Launch(Box<Configured>),
    /// A dump of its tools.
    File(PathBuf),
}

/// A server of the project's configuration that nobody agreed to yet.
pub(super) struct Unagreed {
    pub member: Member,
    pub start: Start,
}

/// The project's configuration, read when a file first needs it.
pub(super) struct Configuration<'a> {
    pub config: &'a ConfigArgs,
    loaded: Option<Project>,
}

impl<'a> Configuration<'a> {
    pub fn new(config: &'a ConfigArgs) -> Self {
        Self { config, loaded: None }
    }

    fn project(&mut self, context: &Context<'_>) -> Result<&Project, CommandError> {
        if self.loaded.is_none() {
            let home = context.home();
            let asked = Asked {
                current: &context.current,
                home: home.as_deref(),
                configs: &self.config.config,
                no_config: self.config.no_config,
            };
            self.loaded = Some(project::load(&asked).map_err(super::super::all::load_error)?);
        }
        // Filled just above.
        self.loaded.as_ref().ok_or_else(|| CommandError::usage("the project's configuration is not known"))
    }
}

/// How the server of an entry is asked, and what needs consent for it.
///
/// # Errors
/// It cannot be told.
pub(super) fn asking(
    loaded: &Loaded,
    entry: &Entry,
    configuration: &mut Configuration<'_>,
    context: &Context<'_>,
) -> Result<(Asking, Option<Unagreed>), CommandError> {
    let name = escape(&entry.name, Charset::Unicode);
    match &entry.start {
        EntryStart::File(path) => Ok((Asking::File(inside(&loaded.folder(), path)?), None)),
        EntryStart::Launch(launch) => {
            let folder = match &entry.cwd {
                Some(cwd) => inside(&loaded.folder(), cwd)?,
                None => PathBuf::new(),
            };
            let set = entry.env.iter().filter_map(|name| Some((name.clone(), context.variable(name)?)));
            let is_url = matches!(launch, Launch::Url(_));
            let env = if is_url { Vec::new() } else { set.collect() };
            let startup = Startup { env, folder, ..Startup::plain(launch.clone()) };
            let configured = Configured::plain(&entry.name, startup);
            Ok((Asking::Launch(Box::new(configured)), None))
        }
        EntryStart::Unknown => {
            let project = configuration.project(context)?;
            let member = project.servers.iter().find(|member| member.name == entry.name).ok_or_else(|| {
                CommandError::file(
                    format!("the lock does not say how {name} is started, and no configuration does either"),
                    "no server of that name was found",
                )
                .hint("give it a table in warden.toml: [servers.NAME] (docs/config.md)")
            })?;
            let start = match &member.how {
                How::Start(start) => start,
                How::Ambiguous => {
                    return Err(CommandError::file(
                        format!("the lock does not say how {name} is started"),
                        "its configurations disagree",
                    ));
                }
                How::Unusable(why) => {
                    return Err(CommandError::file(
                        format!("the lock does not say how {name} is started"),
                        format!("its configuration cannot be used: {why}"),
                    ));
                }
            };
            let home = context.home();
            let variable = |name: &str| context.variable(name);
            let around = Surroundings { root: &project.root, home: home.as_deref(), variable: &variable };
            let configured = Configured::new(&entry.name, start, &around).map_err(|unknown| {
                CommandError::usage(format!(
                    "the configuration of {name} cannot be used here: {}",
                    escape(&unknown.to_string(), Charset::Unicode)
                ))
            })?;
            let unagreed = Unagreed { member: member.clone(), start: (**start).clone() };
            Ok((Asking::Launch(Box::new(configured)), Some(unagreed)))
        }
    }
}

/// A path of a lock, which must not lead out of its folder.
fn inside(folder: &Path, path: &str) -> Result<PathBuf, CommandError> {
    let leads_out = Path::new(path).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
        || path.contains('\\');
    if leads_out {
        let shown = escape(path, Charset::Unicode);
        return Err(CommandError::file("the lock names a path outside of its folder", shown));
    }
    let place = folder.join(path);
    // A link comes with the clone like everything else.
    if !stays_in(folder, &place) {
        let shown = escape(path, Charset::Unicode);
        return Err(CommandError::file("the lock names a path that a link leads out of its folder", shown));
    }
    Ok(place)
}

/// Where a server's surface is asked for.
pub(super) struct Asker<'a> {
    pub server: &'a ServerArgs,
    /// The revision of the protocol to begin with.
    pub version: Option<&'a str>,
}

/// A capture that failed: told in the report, or a wrong argument.
pub(super) enum NoSurface {
    Failed(Box<Failure>),
    Wrong(CommandError),
}

impl Asker<'_> {
    /// Asks a server, or reads the file that stands for it.
    pub fn observe(&self, asking: &Asking, context: &Context<'_>) -> Result<(Plan, Observed), NoSurface> {
        let entries = EntryArgs::default();
        let baseline =
            Baseline { from_lock: true, recorded: None, version: self.version, lock_path: None, entries: &entries };
        match asking {
            Asking::Launch(configured) => {
                let is_remote = matches!(configured.launch, Launch::Url(_));
                let server = ServerArgs {
                    configured: Some((**configured).clone()),
                    // What one kind of server needs, the other must not get.
                    env: if is_remote { Vec::new() } else { self.server.env.clone() },
                    inherit_env: self.server.inherit_env && !is_remote,
                    http: if is_remote { self.server.http.clone() } else { HttpArgs::default() },
                    ..self.server.clone()
                };
                let plan =
                    Plan::new(configured.launch.clone(), &server, &baseline, context).map_err(NoSurface::Wrong)?;
                let observed = plan.observe(context).map_err(NoSurface::Failed)?;
                Ok((plan, observed))
            }
            Asking::File(path) => {
                // The file stands for the server: without it, the server cannot be asked.
                let given = Given::load(path, self.server.limits.max_items).map_err(|error| {
                    NoSurface::Failed(Box::new(Failure {
                        code: "E-SURFACE".to_owned(),
                        stage: "start".to_owned(),
                        message: error.sentence(),
                        remote: true,
                        ..Failure::default()
                    }))
                })?;
                let launch = Launch::Stdio { command: path.to_string_lossy().into_owned(), args: Vec::new() };
                let server = ServerArgs { http: HttpArgs::default(), ..self.server.clone() };
                let plan = Plan::new(launch, &server, &baseline, context).map_err(NoSurface::Wrong)?;
                let observed = given.observe(&plan).map_err(NoSurface::Failed)?;
                Ok((plan, observed))
            }
        }
    }
}
