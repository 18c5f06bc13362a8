//! Arguments that only mean something for lock files of other tools.

use super::super::CommandError;
use crate::formats::Format;
use clap::{ArgAction, Args, ValueEnum};

const HEADING: &str = "Lock files of other tools";

/// Which servers of a file.
#[derive(Debug, Clone, Default, Args)]
pub struct NameArgs {
    /// The server's name in a lock file that holds several (contractpin.lock, agentgate.lock, mcp.lock); can be repeated
    /// [default: all of them]
    #[arg(long, value_name = "NAME", action = ArgAction::Append, help_heading = HEADING)]
    pub name: Vec<String>,
}

/// How such a file is checked.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ForeignCheckArgs {
    /// contractpin.lock: do not fail because of tools that were added
    #[arg(long, help_heading = HEADING)]
    pub allow_new: bool,

    /// mcp.lock: fail also where only the server's version, its capabilities or the protocol's revision changed
    #[arg(long, help_heading = HEADING)]
    pub strict: bool,

    /// agentgate.lock: start, without asking, the command that the project's configuration has for a server of that
    /// name. The lock does not say how a server is started
    #[arg(long, help_heading = HEADING)]
    pub yes: bool,
}

/// What `--lock-format` and `--to` take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LockFormat {
    /// warden.lock, of one server
    Warden,
    /// contractpin.lock 1
    Contractpin,
    /// agentgate.lock 1, as the tool writes it
    Agentgate,
    /// mcp.lock 1, or 2 where a server needs it
    Mcp,
}

impl LockFormat {
    /// The format, where it is another tool's.
    pub fn foreign(self) -> Option<Format> {
        match self {
            Self::Warden => None,
            Self::Contractpin => Some(Format::Contractpin),
            Self::Agentgate => Some(Format::Agentgate),
            Self::Mcp => Some(Format::Mcp),
        }
    }
}

/// # Errors
/// One of these options was given for a `warden.lock`.
pub(in crate::commands) fn refuse_for_warden_lock(
    name: &NameArgs,
    check: ForeignCheckArgs,
) -> Result<(), CommandError> {
    let given = [
        ("--name", !name.name.is_empty()),
        ("--allow-new", check.allow_new),
        ("--strict", check.strict),
        ("--yes", check.yes),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(CommandError::usage(format!("{option} is for lock files of other tools"))
            .hint("a warden.lock has one server, and every change of it is drift (docs/formats.md)")),
    }
}
