//! From arguments to an observed server: launch, environment, capture, entries, findings.

use super::args::ServerArgs;
use super::context::Context;
use super::error::{CommandError, shown_path};
use super::remote::{RemotePlan, check_url, remote};
use super::summary::shown_launch;
use crate::capture::{self, CaptureError, Captured, Closing, Deadline, Environment, Redactor, Settings, Spec};
use crate::checks;
use crate::finding::Finding;
use crate::json::{Object, ParseLimits, Value, parse};
use crate::lock::file::{FileError, read_bytes};
use crate::lock::{
    BuildError, BuildOptions, InspectionPolicy, Level, PinnedSurface, PromptArguments, WardenPin, build,
};
use crate::report::Failure;
use crate::surface::{About, Launch, Section, Surface};
use crate::text::{Charset, escape};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest inspection file that is read.
const MAX_INSPECTION_BYTES: usize = 1 << 20;
/// Values shorter than this occur in surfaces by chance.
const MIN_ECHO: usize = 8;

/// Everything that is decided before a server is started.
pub(super) struct Plan {
    pub launch: Launch,
    pub from_lock: bool,
    pub inspection: Option<InspectionPolicy>,
    pub allow_missing: BTreeSet<Section>,
    pub prompt_arguments: PromptArguments,
    environment: Environment,
    explicit: Vec<(String, OsString)>,
    remote: RemotePlan,
    timeout: Duration,
    max_pages: usize,
}

/// A server's surface, hashed and looked at.
pub(super) struct Observed {
    pub surface: Surface,
    pub pinned: PinnedSurface,
    pub findings: Vec<Finding>,
    pub missing: BTreeSet<Section>,
    /// Escaped already.
    pub warnings: Vec<String>,
    pub seconds: f64,
    pub closing: Closing,
}

impl Plan {
    /// Reads everything that the arguments name; starts nothing. `recorded` is what an earlier pin accepted.
    ///
    /// # Errors
    /// A variable that is not set, an inspection file that is unreadable or invalid, an option or URL that cannot be
    /// used.
    pub fn new(
        launch: Launch,
        from_lock: bool,
        args: &ServerArgs,
        recorded: Option<&WardenPin>,
        lock_path: &Path,
        context: &Context<'_>,
    ) -> Result<Self, CommandError> {
        let remote = remote(&launch, args, context)?;
        let explicit = explicit_variables(&args.env, context)?;
        let mut environment = Environment::new(context.environment.iter().cloned());
        if args.inherit_env {
            environment = environment.inherit_all();
        }
        for (name, value) in &explicit {
            environment = environment.with(name, value);
        }
        let mut allow_missing: BTreeSet<Section> = args.allow_missing.iter().map(|&name| name.into()).collect();
        allow_missing.extend(recorded.iter().flat_map(|pin| &pin.allow_missing));
        let normalize = args.normalize_prompt_arguments
            || recorded.is_some_and(|pin| pin.prompt_arguments == PromptArguments::Normalized);
        Ok(Self {
            launch,
            from_lock,
            inspection: read_inspection(args.inspection.as_deref(), lock_path)?,
            allow_missing,
            prompt_arguments: if normalize { PromptArguments::Normalized } else { PromptArguments::AsSent },
            environment,
            explicit,
            remote,
            timeout: Duration::from_secs_f64(args.timeout),
            max_pages: args.max_pages as usize,
        })
    }

    /// Starts the server, captures and hashes its surface, and looks for findings, all within one deadline.
    ///
    /// # Errors
    /// The server could not be captured, or its surface cannot be pinned. Boxed, because it is large and rare.
    pub fn observe(&self, context: &Context<'_>) -> Result<Observed, Box<Failure>> {
        (context.starting)(&shown_launch(&self.launch), self.from_lock);
        let deadline = Deadline::after(self.timeout);
        let mut settings = Settings::new(deadline);
        settings.limits.pages = self.max_pages;
        settings.allow_missing.clone_from(&self.allow_missing);
        settings.observer = context.observer.clone();
        settings.remote = self.remote.remote.clone();
        let spec = Spec { launch: self.launch.clone(), environment: self.environment.clone(), settings };
        let capture = capture::start(spec).map_err(|error| self.failure(capture_failure(&error)))?;
        let seconds = deadline.elapsed().as_secs_f64();
        let Captured { surface, missing, mut warnings } = capture.captured;
        warnings.extend(self.remote.notes.iter().cloned());
        let options = BuildOptions {
            level: Level::CURRENT,
            inspection: self.inspection.as_ref(),
            prompt_arguments: self.prompt_arguments,
            out_of_time: &|| deadline.has_passed(),
        };
        let pinned = build(&surface, &self.launch, &options).map_err(|error| self.failure(build_failure(&error)))?;
        self.refuse_echoed_secrets(&pinned)?;
        let findings = match self.without_secrets(&surface) {
            Some(redacted) => checks::run(&redacted, &self.launch),
            None => checks::run(&surface, &self.launch),
        };
        Ok(Observed { surface, pinned, findings, missing, warnings, seconds, closing: capture.closing })
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
    fn failure(&self, failure: Failure) -> Box<Failure> {
        Box::new(Failure { remote: matches!(self.launch, Launch::Url(_)), ..failure })
    }

    /// Names, URIs and parts of schemas are stored as they are. A server that puts a value from `--env` or a header
    /// into them would have it committed to source control, so such a surface is refused. Paths and plain addresses are
    /// not taken for secrets unless their variable's name says so.
    fn refuse_echoed_secrets(&self, pinned: &PinnedSurface) -> Result<(), Box<Failure>> {
        let guard = self.guard();
        if guard.longest() == 0 {
            return Ok(());
        }
        let echoed = |text: &str| guard.find_except(text, &self.remote.plain);
        for entry in Section::ALL.into_iter().flat_map(|section| pinned.entries(section)) {
            if let Some(name) = first_text(&entry.stored.clone().into(), &echoed) {
                return Err(self.failure(Failure {
                    code: "E-SECRET".to_owned(),
                    stage: "surface".to_owned(),
                    message: format!(
                        "one of the {} repeats the value of {}, which would be stored in the lock",
                        entry.section.key(),
                        escape(&name, Charset::Unicode)
                    ),
                    hint: Some(
                        "Give the server another value, or pass it in a way that the server does not declare."
                            .to_owned(),
                    ),
                    stderr: Vec::new(),
                    remote: false,
                    warnings: Vec::new(),
                }));
            }
        }
        Ok(())
    }

    /// The values that must not show. For a server at a URL, access tokens are among them, which nobody knew before the
    /// capture.
    fn guard(&self) -> Redactor {
        match self.launch {
            Launch::Stdio { .. } => Redactor::new(self.secrets()),
            Launch::Url(_) => self.remote.remote.secrets.clone(),
        }
    }

    /// The values given by `--env` that must not show, each behind its name.
    fn secrets(&self) -> Vec<(&str, &str)> {
        let is_place =
            |value: &str| value.starts_with(['/', '.', '~']) || (value.contains("://") && !value.contains('@'));
        self.explicit
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str()?)))
            .filter(|(name, value)| value.len() >= MIN_ECHO && (checks::is_secret_name(name) || !is_place(value)))
            .collect()
    }

    /// The surface for eyes, where a description or another text that is only hashed repeats such a value: findings
    /// quote what they are about, and they are stored. `None` where it is fit as it is.
    fn without_secrets(&self, surface: &Surface) -> Option<Surface> {
        let guard = self.guard();
        if guard.longest() == 0 {
            return None;
        }
        let raw = |object: &Object| Value::from(object.clone());
        let tools: Vec<Value> = surface.tools.iter().map(|tool| raw(tool.raw())).collect();
        let resources: Vec<Value> = surface.resources.iter().map(|resource| raw(resource.raw())).collect();
        let prompts: Vec<Value> = surface.prompts.iter().map(|prompt| raw(prompt.raw())).collect();
        let about = &surface.about;
        let templates = &about.resource_templates;
        let declaration = raw(&about.declaration);
        let all = [&tools, &resources, &prompts, templates].into_iter().flatten().chain([&declaration]);
        let echoed = |text: &str| guard.find_except(text, &self.remote.plain);
        if !all.into_iter().any(|value| first_text(value, &echoed).is_some()) {
            return None;
        }
        let redact = |values: &[Value]| values.iter().map(|value| redacted(value, &guard)).collect::<Vec<_>>();
        // It has the entries of the surface, so it is as good as that was.
        let mut surface = Surface::from_entries(redact(&tools), redact(&resources), redact(&prompts)).ok()?;
        surface.about = About {
            protocol_version: about.protocol_version.clone(),
            declaration: redacted(&declaration, &guard).as_object().cloned().unwrap_or_default(),
            resource_templates: redact(templates),
        };
        Some(surface)
    }
}

/// A value with every text and member name redacted.
fn redacted(value: &Value, redactor: &Redactor) -> Value {
    match value {
        Value::String(text) => redactor.redact(text).into(),
        Value::Array(items) => Value::Array(items.iter().map(|item| redacted(item, redactor)).collect()),
        Value::Object(object) => object
            .iter()
            .map(|(name, item)| (redactor.redact(name), redacted(item, redactor)))
            .collect::<Object>()
            .into(),
        other => other.clone(),
    }
}

/// The first answer of `find` for a text anywhere in a value, names of members included.
fn first_text(value: &Value, find: &impl Fn(&str) -> Option<String>) -> Option<String> {
    match value {
        Value::String(text) => find(text),
        Value::Array(items) => items.iter().find_map(|item| first_text(item, find)),
        Value::Object(object) => object.iter().find_map(|(name, item)| find(name).or_else(|| first_text(item, find))),
        _ => None,
    }
}

/// The command or the URL of the arguments as a launch; `None` where there is neither.
///
/// # Errors
/// A word that is not UTF-8: a lock is JSON text and could not hold it. A URL that a lock must not hold.
pub(super) fn launch_of(command: &[OsString], url: Option<&str>) -> Result<Option<Launch>, CommandError> {
    if let Some(url) = url {
        check_url(url)?;
        return Ok(Some(Launch::Url(url.to_owned())));
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

/// The named inspection file, or the one beside the lock if there is one.
fn read_inspection(named: Option<&Path>, lock_path: &Path) -> Result<Option<InspectionPolicy>, CommandError> {
    let default: PathBuf = lock_path.with_file_name("warden.inspection.json");
    let path = named.unwrap_or(&default);
    let bytes = match read_bytes(path, MAX_INSPECTION_BYTES) {
        Ok(bytes) => bytes,
        Err(FileError::NotFound) if named.is_none() => return Ok(None),
        Err(error) => {
            return Err(CommandError::file(format!("{} could not be read", shown_path(path)), error.to_string()));
        }
    };
    let invalid = |cause: String| {
        CommandError::file(format!("{} is not a valid inspection file", shown_path(path)), cause)
            .hint("it maps tool names to blocks; see docs/commands.md, \"Inspection blocks\"")
    };
    let limits = ParseLimits { max_bytes: MAX_INSPECTION_BYTES, max_depth: 8 };
    let document = parse(&bytes, &limits).map_err(|error| invalid(escape(&error.to_string(), Charset::Unicode)))?;
    InspectionPolicy::from_document(&document).map(Some).map_err(|error| invalid(error.to_string()))
}

fn capture_failure(error: &CaptureError) -> Failure {
    Failure {
        code: error.code().to_owned(),
        stage: error.stage.to_string(),
        message: error.kind.to_string(),
        hint: error.hint().map(capitalized),
        stderr: error.context.stderr_tail.clone(),
        remote: false,
        warnings: error.context.warnings.clone(),
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
        stderr: Vec::new(),
        remote: false,
        warnings: Vec::new(),
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
    WardenPin { allow_missing: observed.missing.clone(), prompt_arguments: plan.prompt_arguments, not_covered }
}
