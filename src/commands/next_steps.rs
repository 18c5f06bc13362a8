//! Commands that a report suggests: complete, quoted for a shell, with nothing secret in them.

use super::args::{ConfigArgs, EntryArgs, EraName, ServerArgs, SourceArgs};
use super::chosen::ChosenArgs;
use super::remote::option_words;
use crate::checks;
use crate::report::{NextStep, Report};
use crate::text::quote_argv;
use clap::ValueEnum as _;
use std::path::Path;

/// Stands for a name in suggestions: whoever runs the command says who they are. Never a name from a lock.
const SOMEBODY: &str = "you@example.com";

/// `warden show` for this lock.
pub(super) fn show_command(path: &Path) -> String {
    quote_argv(["warden", "show"].map(str::to_owned).into_iter().chain(lock_word(path)))
}

/// `warden approve` for this lock.
pub(super) fn approve_command(path: &Path) -> String {
    let words = ["warden", "approve", "--approver", SOMEBODY].map(str::to_owned);
    quote_argv(words.into_iter().chain(lock_word(path)))
}

/// What to do with a lock that was approved.
pub(super) fn check_step(path: &Path) -> NextStep {
    let mut words = vec!["warden".to_owned(), "check".to_owned(), "--require-approval".to_owned()];
    if path != Path::new("warden.lock") {
        words.extend(["--lock".to_owned(), path_word(path)]);
    }
    NextStep { purpose: "check in CI", command: quote_argv(words) }
}

/// The lock as an argument, where it is not the usual one.
fn lock_word(path: &Path) -> Option<String> {
    (path != Path::new("warden.lock")).then(|| path_word(path))
}

/// A path as an argument: one that begins with a hyphen must not be taken for an option.
pub(super) fn path_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.starts_with('-') { format!("./{text}") } else { text.into_owned() }
}

/// The options of a run that another run has to repeat.
pub(super) struct RepeatedOptions<'a> {
    pub lock: &'a Path,
    pub source: &'a SourceArgs,
    pub server: &'a ServerArgs,
    pub entries: &'a EntryArgs,
    pub config: &'a ConfigArgs,
    /// Which entries are accepted, if not all.
    pub chosen: Option<&'a ChosenArgs>,
    /// Whether the texts are kept, and in which file if it is not the usual one.
    pub save_surface: Option<Option<&'a Path>>,
}

/// What becomes of an approval.
#[derive(Clone, Copy)]
pub(super) enum Approving {
    /// Somebody approves what is there now.
    Anew,
    /// The old one is dropped on purpose.
    Dropped,
    Not,
}

/// The `warden pin` call that makes the lock say what was just seen. Values given by `--env NAME=VALUE` or `--header`
/// are left out: export them. Secrets in the command are redacted.
pub(super) fn accept_command(options: &RepeatedOptions<'_>, approval: Approving, command: Option<Vec<&str>>) -> String {
    let mut words: Vec<String> = vec!["warden".into(), "pin".into()];
    words.extend(repeated_words(options, true));
    match approval {
        Approving::Anew => words.extend(["--approve".into(), "--approver".into(), SOMEBODY.to_owned()]),
        Approving::Dropped => words.push("--force".into()),
        Approving::Not => {}
    }
    let mut text = quote_argv(words);
    if let Some(command) = command {
        text.push_str(" -- ");
        text.push_str(&quote_argv(checks::redact_argv(&command)));
    }
    text
}

/// The arguments for the same server with more time, where time is what it lacked.
pub(super) fn more_time(report: &Report, server: &ServerArgs) -> Option<ServerArgs> {
    const FIRST: f64 = 180.0;
    report.failure.as_ref().filter(|failure| failure.code == "E-TIMEOUT")?;
    let timeout = if server.timeout < FIRST { FIRST } else { server.timeout * 2.0 };
    Some(ServerArgs { timeout, ..server.clone() })
}

/// The options that another run of the same launch needs: all of them for a pin, and for a check those that say how a
/// server is asked. A check asks the server: one against the file that was pinned from could never fail.
pub(super) fn repeated_words(options: &RepeatedOptions<'_>, for_pin: bool) -> Vec<String> {
    let RepeatedOptions { lock: path, source, server, entries, config, chosen, save_surface } = *options;
    let mut words: Vec<String> = Vec::new();
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if path != Path::new("warden.lock") {
        option("--lock", path_word(path));
    }
    for config in &config.config {
        option("--config", path_word(config));
    }
    words.extend(chosen.filter(|_| for_pin).map(ChosenArgs::words).unwrap_or_default());
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if let Some(surface) = source.surface.as_ref().filter(|_| for_pin) {
        option("--surface", surface.to_string_lossy().into_owned());
    }
    if let Some(times) = source.stability.filter(|_| for_pin) {
        option("--stability", times.to_string());
    }
    for variable in &server.env {
        let name = variable.to_string_lossy();
        option("--env", name.split('=').next().unwrap_or_default().to_owned());
    }
    for section in &server.allow_missing {
        option("--allow-missing", crate::surface::Section::from(*section).key().to_owned());
    }
    if let Some(url) = server.http.url.as_ref().filter(|_| for_pin) {
        option("--url", url.clone());
    }
    words.extend(option_words(&server.http));
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if let Some(inspection) = &entries.inspection {
        option("--inspection", inspection.to_string_lossy().into_owned());
    }
    if server.era != EraName::Auto {
        let name = server.era.to_possible_value().map(|value| value.get_name().to_owned());
        option("--era", name.unwrap_or_default());
    }
    for (name, value) in [("--client-name", &server.client_name), ("--client-version", &server.client_version)] {
        if let Some(value) = value {
            option(name, value.clone());
        }
    }
    for (name, value, default) in [
        ("--timeout", server.timeout.to_string(), "60"),
        ("--max-pages", server.limits.max_pages.to_string(), "256"),
        ("--max-items", server.limits.max_items.to_string(), "20000"),
        ("--max-line-bytes", server.limits.max_line_bytes.to_string(), "16777216"),
        ("--max-total-bytes", server.limits.max_total_bytes.to_string(), "33554432"),
    ] {
        if value != default {
            option(name, value);
        }
    }
    if config.no_config {
        words.push("--no-config".into());
    }
    if server.inherit_env {
        words.push("--inherit-env".into());
    }
    if entries.normalize_prompt_arguments {
        words.push("--normalize-prompt-arguments".into());
    }
    if let Some(file) = save_surface.filter(|_| for_pin) {
        words.push("--save-surface".into());
        words.extend(file.map(|file| file.to_string_lossy().into_owned()));
    }
    words
}
