//! The arguments of `--all`.

use super::super::CommandError;
use super::super::args::{ConfigArgs, EntryArgs, LockArgs, ServerArgs, SourceArgs};
use clap::{ArgAction, Args};
use std::ffi::OsString;
use std::path::Path;

/// The heading of these options.
const HEADING: &str = "All servers of a project";

/// Which servers, and how many at a time.
#[derive(Debug, Clone, Default, Args)]
pub struct AllArgs {
    /// Every server of the project: those of its warden.toml and of clients' configuration files beside it, or of the
    /// files that --config names. Each has a lock of its own, .warden/NAME/warden.lock (docs/projects.md)
    #[arg(long, help_heading = HEADING)]
    pub all: bool,

    /// Only this server of the project; can be repeated
    #[arg(long, value_name = "NAME", requires = "all", action = ArgAction::Append, help_heading = HEADING)]
    pub only: Vec<String>,

    /// How many servers are asked at a time [default: the number of processors, at least 4 and at most 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = HEADING)]
    pub jobs: Option<u16>,
}

/// Whether commands that a configuration names may be started.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ConsentArgs {
    /// Start what the configuration names without asking
    #[arg(long, requires = "all", help_heading = HEADING)]
    pub yes: bool,
}

/// Since when.
#[derive(Debug, Clone, Default, Args)]
pub struct SinceArgs {
    /// Ask only servers whose lock, configuration or own files changed in git since REV. The others are not asked, and the
    /// report says so
    #[arg(long, value_name = "REV", requires = "all", help_heading = HEADING)]
    pub since: Option<String>,
}

/// Arguments that name one server, and so contradict `--all`.
pub(super) struct OneServer<'a> {
    pub lock: &'a LockArgs,
    pub source: &'a SourceArgs,
    pub server: &'a ServerArgs,
    pub entries: &'a EntryArgs,
    pub command: &'a [OsString],
}

impl OneServer<'_> {
    /// # Errors
    /// One of them was given.
    pub fn refuse(&self, all: &AllArgs) -> Result<(), CommandError> {
        let Self { lock, source, server, entries, command } = self;
        let http = &server.http;
        let given = [
            ("a command", !command.is_empty()),
            ("--lock", lock.lock != Path::new("warden.lock")),
            ("--surface", source.surface.is_some()),
            ("--stability", source.stability.is_some()),
            ("--url", http.url.is_some()),
            ("--env", !server.env.is_empty()),
            ("--header", !http.header.is_empty()),
            ("--header-env", !http.header_env.is_empty()),
            ("--bearer-env", http.bearer_env.is_some()),
            ("--oauth-client-id-env", http.oauth_client_id_env.is_some()),
            ("--inspection", entries.inspection.is_some()),
            ("--allow-missing", !server.allow_missing.is_empty() && all.only.len() != 1),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((name, _)) => Err(CommandError::usage(format!(
                "{name} is for one server, and --all asks every server"
            ))
            .hint(match *name {
                "--lock" => "a server's own lock is named in warden.toml: [servers.NAME] lock (docs/projects.md)",
                "--stability" | "--surface" | "--inspection" => "do this for one lock: --lock FILE",
                _ => "what a server needs stands in warden.toml: [servers.NAME] (docs/projects.md)",
            })),
        }
    }
}

impl AllArgs {
    /// The servers that `--only` names, or without `--all` those that `--name` does.
    pub fn or<'a>(&'a self, names: &'a [String]) -> &'a [String] {
        match self.all {
            true => &self.only,
            false => names,
        }
    }

    /// # Errors
    /// `--no-config` beside a file.
    pub(super) fn check_config(config: &ConfigArgs) -> Result<(), CommandError> {
        match config.no_config && !config.config.is_empty() {
            true => Err(CommandError::usage("--config and --no-config contradict each other")),
            false => Ok(()),
        }
    }
}
