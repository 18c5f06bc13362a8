//! Arguments that commands share, as clap sees them.

use super::CommandError;
use super::all::Configured;
use crate::capture::{Client, Limits};
use crate::json::values_in;
use clap::{ArgAction, Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The heading of the options for servers at a URL.
const REMOTE: &str = "Server at a URL";

/// Which lock.
#[derive(Debug, Clone, Args)]
pub struct LockArgs {
    /// The lock file
    #[arg(long, value_name = "FILE", default_value = "warden.lock", value_hint = ValueHint::FilePath)]
    pub lock: PathBuf,
}

/// Which configuration.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfigArgs {
    /// Findings that the project accepts (docs/config.md) [default: the warden.toml in the lock's folder, or in a folder
    /// above it up to the root of the repository]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, action = ArgAction::Append, help_heading = "Configuration")]
    pub config: Vec<PathBuf>,

    /// Use no warden.toml
    #[arg(long, help_heading = "Configuration")]
    pub no_config: bool,

    /// For the demo, which is nobody's project: as `no_config`, without a word about it.
    #[arg(skip)]
    pub unsearched: bool,

    /// The name of the server in its project, where the run is about one.
    #[arg(skip)]
    pub server: Option<String>,
}

impl ConfigArgs {
    /// The one file that was named, if any.
    ///
    /// # Errors
    /// More than one, which only `--all` takes.
    pub(super) fn one(&self) -> Result<Option<&Path>, CommandError> {
        match self.config.as_slice() {
            [] => Ok(None),
            [_] if self.no_config => Err(CommandError::usage("--config and --no-config contradict each other")),
            [one] => Ok(Some(one)),
            _ => Err(CommandError::usage("--config is given twice").hint("only --all takes several files")),
        }
    }
}

/// How a server is started and asked.
#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// Pass a variable to the server: NAME takes the value from your environment, NAME=VALUE sets it.
    /// The value is neither stored nor printed
    #[arg(long, value_name = "NAME[=VALUE]", action = ArgAction::Append, help_heading = "Server")]
    pub env: Vec<OsString>,

    /// Pass your whole environment to the server, instead of HOME, LOGNAME, PATH, SHELL, TERM and USER only
    #[arg(long, help_heading = "Server")]
    pub inherit_env: bool,

    /// Seconds for the whole run: start, handshake, every page, hashing
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, help_heading = "Server")]
    pub timeout: f64,

    /// In which era of the protocol to speak: "auto" begins with initialize (or as the lock was pinned) and turns to
    /// server/discover where the server wants it; "both" asks twice and refuses a server that declares two things
    #[arg(long, value_name = "ERA", default_value = "auto", help_heading = "Server")]
    pub era: EraName,

    /// The name that the server is told [default: warden]
    #[arg(long, value_name = "NAME", value_parser = client_text, help_heading = "Server")]
    pub client_name: Option<String>,

    /// The version that the server is told [default: that of warden]
    #[arg(long, value_name = "VERSION", value_parser = client_text, help_heading = "Server")]
    pub client_version: Option<String>,

    /// Refuse a server that writes anything but MCP to its standard output, instead of skipping it with a warning
    #[arg(long, help_heading = "Server")]
    pub strict_stdio: bool,

    #[command(flatten)]
    pub limits: LimitArgs,

    /// Accept that the server declares this list and yet answers "method not found"; recorded in the lock, so that
    /// checks need not repeat it
    #[arg(long, value_name = "SECTION", action = ArgAction::Append, help_heading = "Server")]
    pub allow_missing: Vec<SectionName>,

    #[command(flatten)]
    pub http: HttpArgs,

    /// The server of the project that this is about; then nothing above names one.
    #[arg(skip)]
    pub configured: Option<Configured>,
}

impl ServerArgs {
    /// As if none of them was given.
    pub(super) fn plain() -> Self {
        Self {
            env: Vec::new(),
            inherit_env: false,
            timeout: 60.0,
            era: EraName::Auto,
            client_name: None,
            client_version: None,
            strict_stdio: false,
            limits: LimitArgs {
                max_pages: 256,
                max_items: 20_000,
                max_line_bytes: 16 << 20,
                max_total_bytes: 32 << 20,
            },
            allow_missing: Vec::new(),
            http: HttpArgs::default(),
            configured: None,
        }
    }
}

/// Where a surface comes from, other than from one start of the server.
#[derive(Debug, Clone, Default, Args)]
pub struct SourceArgs {
    /// Take what a server declared from FILE (of "warden capture", or a saved tools/list) and start nothing
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Source", conflicts_with_all = ["env", "inherit_env", "stability", "header", "header_env", "bearer_env", "cacert", "oauth_client_id_env"])]
    pub surface: Option<PathBuf>,

    /// Capture N times, each in a fresh process with another home, time zone, locale, hash seed, client name and, where
    /// the command allows it, working directory; refuse a server that does not declare the same each time. The timeout
    /// counts for each capture
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=10), help_heading = "Source")]
    pub stability: Option<u8>,
}

/// How entries are made of a surface.
#[derive(Debug, Clone, Default, Args)]
pub struct EntryArgs {
    /// Hash prompt arguments in the rewritten form of mcp-warden-cli, to check or write locks that it shares;
    /// recorded in the lock
    #[arg(long, help_heading = "Entries")]
    pub normalize_prompt_arguments: bool,

    /// Reviewed inspection blocks (object: tool name to block) [default: warden.inspection.json beside the lock, if
    /// it exists]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Entries")]
    pub inspection: Option<PathBuf>,
}

/// How a server at a URL is asked.
#[derive(Debug, Clone, Default, Args)]
pub struct HttpArgs {
    /// Ask the server at this URL (http or https) instead of starting a command. The lock stores the URL word for
    /// word, so it must hold no password or key: send those in a header
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url, conflicts_with = "command", help_heading = REMOTE)]
    pub url: Option<String>,

    /// Send this header with every request to the server. The value is neither stored nor printed, but a shell keeps
    /// its history: use --header-env for secrets
    #[arg(long, value_name = "NAME: VALUE", action = ArgAction::Append, help_heading = REMOTE)]
    pub header: Vec<String>,

    /// Send a header whose value is in a variable of your environment. The value is neither stored nor printed
    #[arg(long, value_name = "NAME=VARIABLE", action = ArgAction::Append, help_heading = REMOTE)]
    pub header_env: Vec<String>,

    /// Log in with the token in this variable: sends "Authorization: Bearer" and its value, to this server only
    #[arg(long, value_name = "VARIABLE", conflicts_with = "oauth_client_id_env", help_heading = REMOTE)]
    pub bearer_env: Option<String>,

    /// Also trust the certificate authorities in this file (PEM), besides those of the operating system
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, action = ArgAction::Append, help_heading = REMOTE)]
    pub cacert: Vec<PathBuf>,

    /// Log in as an OAuth client, as CI does without a user: the variable with the client's id. The token is kept in
    /// memory only
    #[arg(long, value_name = "VARIABLE", requires = "oauth_client_secret_env", help_heading = REMOTE)]
    pub oauth_client_id_env: Option<String>,

    /// The variable with that client's secret
    #[arg(long, value_name = "VARIABLE", requires = "oauth_client_id_env", help_heading = REMOTE)]
    pub oauth_client_secret_env: Option<String>,

    /// Ask for these scopes, instead of those that the server names
    #[arg(long, value_name = "SCOPES", requires = "oauth_client_id_env", help_heading = REMOTE)]
    pub oauth_scope: Option<String>,

    /// Send the client's secret to this authorization server only. Without it, the server says who gets the secret
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url, requires = "oauth_client_id_env", help_heading = REMOTE)]
    pub oauth_issuer: Option<String>,
}

/// What one capture may cost: see [`crate::capture::Limits`].
#[derive(Debug, Clone, Copy, Args)]
pub struct LimitArgs {
    /// Pages of one list before the server is refused
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = "Limits")]
    pub max_pages: u32,

    /// Entries of one list before the server is refused
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Limits")]
    pub max_items: u32,

    /// Bytes of one message before the server is refused [default: 16 MiB]
    #[arg(long, value_name = "N", default_value = "16777216", hide_default_value = true, value_parser = clap::value_parser!(u32).range(1024..=1 << 30), help_heading = "Limits")]
    pub max_line_bytes: u32,

    /// Bytes of everything that the server writes before it is refused; memory can reach about eight times as much
    /// [default: 32 MiB]
    #[arg(long, value_name = "N", default_value = "33554432", hide_default_value = true, value_parser = clap::value_parser!(u32).range(1024..=1 << 30), help_heading = "Limits")]
    pub max_total_bytes: u32,
}

impl LimitArgs {
    /// Sets the limits that have a flag.
    pub fn apply(self, limits: &mut Limits) {
        limits.pages = self.max_pages as usize;
        limits.items = self.max_items as usize;
        limits.line_bytes = self.max_line_bytes as usize;
        limits.total_bytes = self.max_total_bytes as usize;
        // A smaller limit of bytes is no reason for fewer values: handshakes are denser than surfaces.
        limits.values = limits.values.max(values_in(limits.total_bytes));
    }
}

/// What `--era` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EraName {
    Auto,
    Legacy,
    Modern,
    Both,
}

/// One of the three lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SectionName {
    Tools,
    Resources,
    Prompts,
}

impl From<SectionName> for crate::surface::Section {
    fn from(name: SectionName) -> Self {
        match name {
            SectionName::Tools => Self::Tools,
            SectionName::Resources => Self::Resources,
            SectionName::Prompts => Self::Prompts,
        }
    }
}

fn client_text(text: &str) -> Result<String, String> {
    Client::check(text).map(|()| text.to_owned()).map_err(|error| error.to_string())
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 86_400.0 => Ok(value),
        _ => Err("expected a number of seconds above 0 and at most 86400".to_owned()),
    }
}
