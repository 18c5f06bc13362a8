//! Arguments that commands share, as clap sees them.

use clap::{ArgAction, Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// Which lock.
#[derive(Debug, Clone, Args)]
pub struct LockArgs {
    /// The lock file
    #[arg(long, value_name = "FILE", default_value = "warden.lock", value_hint = ValueHint::FilePath)]
    pub lock: PathBuf,
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

    /// Pages that one list may have; a server with more is refused
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = "Server")]
    pub max_pages: u32,

    /// Accept that the server declares this list and yet answers "method not found"; recorded in the lock, so that
    /// checks need not repeat it
    #[arg(long, value_name = "SECTION", action = ArgAction::Append, help_heading = "Server")]
    pub allow_missing: Vec<SectionName>,

    /// Hash prompt arguments in the rewritten form of mcp-warden-cli, to check or write locks that it shares;
    /// recorded in the lock
    #[arg(long, help_heading = "Server")]
    pub normalize_prompt_arguments: bool,

    /// Reviewed inspection blocks (object: tool name to block) [default: warden.inspection.json beside the lock, if
    /// it exists]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Server")]
    pub inspection: Option<PathBuf>,
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

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 86_400.0 => Ok(value),
        _ => Err("expected a number of seconds above 0 and at most 86400".to_owned()),
    }
}
