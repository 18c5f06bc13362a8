//! From arguments to an observed server: launch, environment, capture, entries, findings.

use super::args::{EntryArgs, LimitArgs, ServerArgs};
use super::context::Context;
use super::eras::{self, EraPlan};
use super::error::CommandError;
use super::inspection::read_inspection;
use super::remote::{RemotePlan, check_url, remote};
use super::summary::shown_launch;
use crate::capture::{
    self, CaptureError, Captured, Client, Closing, Deadline, Environment, EraChoice, Settings, Spec, Variation,
};
use crate::checks;
use crate::finding::Finding;
use crate::json::Object;
use crate::lock::{
    BuildError, BuildOptions, InspectionPolicy, Level, PinnedSurface, PromptArguments, WardenPin, build,
};
use crate::report::Failure;
use crate::surface::{Era, Launch, RawSurface, Section, Surface, Tool};
use crate::text::{Charset, escape};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// What is known before a server is started, save how to start it.
#[derive(Clone, Copy)]
pub(super) struct Baseline<'a> {
    /// Whether the launch is the lock's own.
    pub from_lock: bool,
    /// What an earlier pin accepted.
    pub recorded: Option<&'a WardenPin>,
    /// The revision of the protocol that the pin was made in.
    pub version: Option<&'a str>,
    /// Where the inspection file may stand beside; `None` where there is no lock in play.
    pub lock_path: Option<&'a Path>,
    pub entries: &'a EntryArgs,
}

/// Everything that is decided before a server is started.
#[derive(Clone)]
pub(super) struct Plan {
    pub launch: Launch,
    /// What is really started or asked, where the launch holds references.
    started: Option<Launch>,
    pub from_lock: bool,
    pub inspection: Option<InspectionPolicy>,
    pub allow_missing: BTreeSet<Section>,
    pub prompt_arguments: PromptArguments,
    environment: Environment,
    pub(super) explicit: Vec<(String, OsString)>,
    pub(super) remote: RemotePlan,
    timeout: Duration,
    limits: LimitArgs,
    strict_stdio: bool,
    era: EraPlan,
    client: Client,
    /// For the record of a lock; see [`WardenPin::started_with`].
    started_with: Object,
    /// What stands in the launch in the place of references: name and value.
    pub(super) inserted: Vec<(String, String)>,
}

/// A server's surface, hashed and looked at.
pub(super) struct Observed {
    pub surface: Surface,
    /// The surface with every value redacted that the server was given; `None` where it repeats none of them.
    redacted: Option<Surface>,
    /// Verbatim.
    pub raw: RawSurface,
    pub pinned: PinnedSurface,
    pub findings: Vec<Finding>,
    pub missing: BTreeSet<Section>,
    /// Escaped already.
    pub warnings: Vec<String>,
    pub seconds: f64,
    /// `None` where no server was asked.
    pub closing: Option<Closing>,
}

impl Observed {
    /// The surface for people's eyes.
    pub fn shown(&self) -> &Surface {
        self.redacted.as_ref().unwrap_or(&self.surface)
    }

    /// Waits for the end of the server, if there is one.
    pub fn finish(&mut self) {
        if let Some(closing) = self.closing.take() {
            closing.finish();
        }
    }
}

/// A surface and how it was come by, before anything is made of it.
pub(super) struct Material {
    pub surface: Surface,
    pub raw: RawSurface,
    pub missing: BTreeSet<Section>,
    pub warnings: Vec<String>,
    pub closing: Option<Closing>,
}

impl Plan {
    /// Reads everything that the arguments name; starts nothing.
    ///
    /// # Errors
    /// A client that no server should be told of, a variable that is not set, an inspection file that is unreadable or
    /// invalid, an option or URL that cannot be used.
    pub fn new(
        launch: Launch,
        args: &ServerArgs,
        baseline: &Baseline<'_>,
        context: &Context<'_>,
    ) -> Result<Self, CommandError> {
        let Baseline { from_lock, recorded, version, lock_path, entries } = *baseline;
        let remote = remote(&launch, args, context)?;
        let mut explicit = explicit_variables(&args.env, context)?;
        let mut environment = Environment::new(context.environment.iter().cloned());
        if args.inherit_env {
            environment = environment.inherit_all();
        }
        if let Some(configured) = &args.configured {
            explicit.extend(configured.variables());
            environment = configured.surround(environment);
        }
        for (name, value) in &explicit {
            environment = environment.with(name, value);
        }
        let mut allow_missing: BTreeSet<Section> = args.allow_missing.iter().map(|&name| name.into()).collect();
        allow_missing.extend(recorded.iter().flat_map(|pin| &pin.allow_missing));
        let normalize = entries.normalize_prompt_arguments
            || recorded.is_some_and(|pin| pin.prompt_arguments == PromptArguments::Normalized);
        Ok(Self {
            launch,
            started: args.configured.as_ref().map(|configured| configured.startup.launch.clone()),
            from_lock,
            inspection: read_inspection(entries.inspection.as_deref(), lock_path)?,
            allow_missing,
            prompt_arguments: if normalize { PromptArguments::Normalized } else { PromptArguments::AsSent },
            environment,
            explicit,
            remote,
            timeout: Duration::from_secs_f64(args.timeout),
            limits: args.limits,
            strict_stdio: args.strict_stdio,
            era: EraPlan::new(args.era, version),
            client: client(args)?,
            inserted: args
                .configured
                .as_ref()
                .map(|configured| configured.startup.inserted.clone())
                .unwrap_or_default(),
            started_with: args.configured.as_ref().map(|configured| configured.record.clone()).unwrap_or_default(),
        })
    }

    /// Starts the server, captures and hashes its surface, and looks for findings, all within one deadline. With
    /// `--era both`, twice.
    ///
    /// # Errors
    /// The server could not be captured, its surface cannot be pinned, or it has two of them. Boxed, because it is
    /// large and rare.
    pub fn observe(&self, context: &Context<'_>) -> Result<Observed, Box<Failure>> {
        (context.starting)(&shown_launch(&self.launch), self.from_lock);
        self.observe_again(context)
    }

    /// [`Plan::observe`] without saying that a server is started.
    ///
    /// # Errors
    /// As there.
    pub fn observe_again(&self, context: &Context<'_>) -> Result<Observed, Box<Failure>> {
        let deadline = Deadline::after(self.timeout);
        let keep = match self.era {
            EraPlan::One(choice) => return self.observe_in(choice, deadline, context),
            EraPlan::Both { keep } => keep,
        };
        let mut legacy = self.observe_in(EraChoice::Only(Era::Legacy), deadline, context)?;
        // Two processes of one server at once may be in each other's way.
        legacy.finish();
        let modern = self.observe_in(EraChoice::Only(Era::Modern), deadline, context)?;
        if let Some(failure) = eras::refusal(&legacy.pinned, &modern.pinned) {
            return Err(Box::new(failure));
        }
        let note = format!(
            "both eras of the protocol were captured (MCP {} and {}), and the server declares the same in both",
            legacy.surface.about.protocol_version, modern.surface.about.protocol_version
        );
        let (mut warnings, seconds) = (legacy.warnings, modern.seconds);
        let new: Vec<String> = modern.warnings.iter().filter(|warning| !warnings.contains(warning)).cloned().collect();
        warnings.extend(new);
        warnings.push(note);
        Ok(match keep {
            Era::Legacy => Observed { warnings, seconds, closing: modern.closing, ..legacy },
            Era::Modern => Observed { warnings, ..modern },
        })
    }

    fn observe_in(&self, era: EraChoice, deadline: Deadline, context: &Context<'_>) -> Result<Observed, Box<Failure>> {
        let mut settings = Settings::new(deadline);
        self.limits.apply(&mut settings.limits);
        if self.strict_stdio {
            settings.limits.noise_lines = 0;
        }
        settings.allow_missing.clone_from(&self.allow_missing);
        settings.observer = context.observer.clone();
        settings.era = era;
        settings.client = self.client.clone();
        settings.remote = self.remote.remote.clone();
        let launch = self.started.as_ref().unwrap_or(&self.launch).clone();
        let spec = Spec { launch, environment: self.environment.clone(), settings };
        let capture = capture::start(spec).map_err(|error| self.failure(capture_failure(&error)))?;
        let Captured { surface, raw, missing, mut warnings } = capture.captured;
        warnings.extend(self.remote.notes.iter().cloned());
        self.look_at(Material { surface, raw, missing, warnings, closing: Some(capture.closing) }, deadline)
    }

    /// A surface from elsewhere, hashed and looked at like one that was just captured.
    ///
    /// # Errors
    /// It cannot be pinned.
    pub fn take(&self, material: Material) -> Result<Observed, Box<Failure>> {
        self.look_at(material, Deadline::after(self.timeout))
    }

    fn look_at(&self, material: Material, deadline: Deadline) -> Result<Observed, Box<Failure>> {
        let seconds = deadline.elapsed().as_secs_f64();
        let Material { surface, raw, missing, warnings, closing } = material;
        let options = BuildOptions {
            level: Level::CURRENT,
            inspection: self.inspection.as_ref(),
            prompt_arguments: self.prompt_arguments,
            out_of_time: &|| deadline.has_passed(),
        };
        let pinned = build(&surface, &self.launch, &options).map_err(|error| {
            let failure = build_failure(&error);
            let message = self.redact(&failure.message);
            self.failure(Failure { message, ..failure })
        })?;
        self.refuse_echoed_secrets(&pinned)?;
        let redacted = self.without_secrets(&surface);
        let findings = checks::run(redacted.as_ref().unwrap_or(&surface), &self.launch);
        if deadline.has_passed() {
            return Err(self.failure(build_failure(&BuildError::TimedOut)));
        }
        Ok(Observed { surface, redacted, raw, pinned, findings, missing, warnings, seconds, closing })
    }

    /// The same plan in other surroundings.
    pub fn varied(&self, variation: &Variation) -> Self {
        let version = self.client.version();
        Self {
            environment: variation.apply(self.environment.clone()),
            // The names are ours, so this cannot fail.
            client: Client::new(variation.client_name(), version).unwrap_or_default(),
            ..self.clone()
        }
    }

    /// Surroundings that differ from the user's; see [`Variation::new`].
    ///
    /// # Errors
    /// As there.
    pub fn variation(&self, number: usize) -> std::io::Result<Variation> {
        Variation::new(number, &self.launch, &self.environment)
    }

    /// Tools that the inspection file has a block for and the server does not declare; raw.
    pub fn blocks_for_nobody(&self, observed: &Observed) -> Vec<&str> {
        let declared: BTreeSet<&str> = observed.surface.tools.iter().map(Tool::name).collect();
        let named = self.inspection.iter().flat_map(InspectionPolicy::tools);
        named.filter(|name| !declared.contains(name)).collect()
    }

    /// A text of the server without the values that it was given.
    pub fn redact(&self, text: &str) -> String {
        match self.launch {
            Launch::Stdio { .. } => self.environment.redactor().redact(text),
            Launch::Url(_) => self.remote.remote.secrets.redact(text),
        }
    }

    /// Builds the entries of an observed surface in another way, for advice; `None` where that fails.
    pub fn rebuild(&self, surface: &Surface, level: Level, prompt_arguments: PromptArguments) -> Option<PinnedSurface> {
        let options =
            BuildOptions { level, inspection: self.inspection.as_ref(), prompt_arguments, out_of_time: &|| false };
        build(surface, &self.launch, &options).ok()
    }

    /// A failure of this plan's server.
    pub(super) fn failure(&self, failure: Failure) -> Box<Failure> {
        Box::new(Failure { remote: matches!(self.launch, Launch::Url(_)), ..failure })
    }
}

/// The command or the URL of the arguments as a launch; `None` where there is neither.
///
/// # Errors
/// A word that is not UTF-8: a lock is JSON text and could not hold it. A URL that a lock must not hold.
pub(super) fn launch_of(command: &[OsString], args: &ServerArgs) -> Result<Option<Launch>, CommandError> {
    if let Some(configured) = &args.configured {
        return Ok(Some(configured.launch.clone()));
    }
    if let Some(url) = &args.http.url {
        check_url(url)?;
        return Ok(Some(Launch::Url(url.clone())));
    }
    let mut words = Vec::with_capacity(command.len());
    for (index, word) in command.iter().enumerate() {
        let Some(word) = word.to_str() else {
            let shown = escape(&word.to_string_lossy(), Charset::Unicode);
            return Err(CommandError::usage(format!("word {} of the command is not valid UTF-8: {shown}", index + 1))
                .hint("a lock is JSON text and can only hold UTF-8; rename the file, or start it through a script"));
        };
        words.push(word.to_owned());
    }
    let mut words = words.into_iter();
    Ok(words.next().map(|command| Launch::Stdio { command, args: words.collect() }))
}

fn explicit_variables(arguments: &[OsString], context: &Context<'_>) -> Result<Vec<(String, OsString)>, CommandError> {
    let variable = |argument: &OsString| {
        let Some(text) = argument.to_str() else {
            return Err(
                CommandError::usage("an --env argument is not valid UTF-8").hint("export it, and pass its name only")
            );
        };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(OsString::from(value))),
            None => (
                text,
                context.environment.iter().find(|(key, _)| key.to_str() == Some(text)).map(|(_, value)| value.clone()),
            ),
        };
        let shown = escape(name, Charset::Unicode);
        if name.is_empty() || name.contains('\0') {
            return Err(CommandError::usage("--env needs a name: --env NAME or --env NAME=VALUE"));
        }
        let value = value.ok_or_else(|| {
            CommandError::usage(format!("--env {shown}: this variable is not set"))
                .hint(format!("export {shown} first, or leave the option out if the server can do without it"))
        })?;
        Ok((name.to_owned(), value))
    };
    arguments.iter().map(variable).collect()
}

fn client(args: &ServerArgs) -> Result<Client, CommandError> {
    let own = Client::default();
    let name = args.client_name.as_deref().unwrap_or(own.name());
    let version = args.client_version.as_deref().unwrap_or(own.version());
    Client::new(name, version)
        .map_err(|error| CommandError::usage(format!("--client-name or --client-version: {error}")))
}

fn capture_failure(error: &CaptureError) -> Failure {
    Failure {
        code: error.code().to_owned(),
        stage: error.stage.to_string(),
        message: error.kind.to_string(),
        hint: error.hint().map(capitalized),
        stderr: error.context.stderr_tail.clone(),
        warnings: error.context.warnings.clone(),
        ..Failure::default()
    }
}

fn build_failure(error: &BuildError) -> Failure {
    let (code, hint) = match error {
        BuildError::TimedOut => ("E-TIMEOUT", "Give it more time: --timeout SECONDS."),
        _ => {
            ("E-SURFACE", "A surface that cannot be hashed exactly cannot be pinned; report it to the server's author.")
        }
    };
    Failure {
        code: code.to_owned(),
        stage: "surface".to_owned(),
        message: error.to_string(),
        hint: Some(hint.to_owned()),
        ..Failure::default()
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Says which declared sections were accepted as missing (SPEC.md §15.3).
pub(super) fn missing_note(observed: &Observed) -> Option<String> {
    let names: Vec<&str> = observed.missing.iter().map(|section| section.key()).collect();
    (!names.is_empty())
        .then(|| format!("declared by the server and yet missing, accepted by --allow-missing: {}", names.join(", ")))
}

/// What of a pin's `warden` block follows from this run.
pub(super) fn warden_pin(plan: &Plan, observed: &Observed) -> WardenPin {
    let not_covered: Object = checks::not_covered(&observed.surface);
    WardenPin {
        allow_missing: observed.missing.clone(),
        prompt_arguments: plan.prompt_arguments,
        not_covered,
        started_with: plan.started_with.clone(),
        approved_settings: None,
    }
}
