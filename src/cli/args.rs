//! The command line as clap sees it: names, help texts, examples.

use super::demo_server::DemoServerArgs;
use crate::commands::{check::CheckArgs, pin::PinArgs, show::ShowArgs};
use clap::{ArgAction, Args, ColorChoice, Parser, Subcommand};

/// The exit codes, as `--help` and the documents state them.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  clean: everything was checked and nothing differs (or: pinned, unchanged, shown)
  1  drift: something differs from the lock, the lock contradicts itself, or a demanded approval is missing
  2  usage error, or a lock or other file that cannot be read, is invalid, or may not be replaced
  3  the server could not be captured, so nothing is known about it
  130, 143, 129  ended by SIGINT, SIGTERM, SIGHUP; no server is left running";

const EXAMPLES: &str = "\
Examples:
  warden demo                                        see the whole thing work, with a built-in server
  warden pin -- npx -y some-server@1.2.3             look at a server and write warden.lock
  warden show                                        read what was pinned
  warden check                                       in CI: fail if the server declares anything else

An MCP server tells a model which tools it has, in words that the model believes. What it says can change with any
start. warden writes down what it declared when you looked at it (warden.lock, a file you review and commit), and
fails your build as soon as it declares something else.";

/// Pin what an MCP server declares, and fail when it changes
#[derive(Debug, Parser)]
#[command(name = "warden", version, max_term_width = 100, after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    #[command(flatten)]
    pub output: OutputArgs,

    #[command(subcommand)]
    pub command: Command,
}

/// How results are shown.
#[derive(Debug, Clone, Args)]
pub struct OutputArgs {
    /// Print one JSON document instead of text
    #[arg(long, global = true, help_heading = "Output")]
    pub json: bool,

    /// Print the verdict only
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,

    /// Print everything there is to say
    #[arg(short, long, global = true, action = ArgAction::SetTrue, help_heading = "Output")]
    pub verbose: bool,

    /// When to use colour; "auto" means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: ColorChoice,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start a server, capture what it declares, and write the lock
    #[command(after_help = PIN_EXAMPLES)]
    Pin(PinArgs),

    /// Start a server and compare what it declares with the lock
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),

    /// Show what a lock says, without starting anything
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArgs),

    /// See it work: pin a built-in server, check it, and catch it changing
    Demo,

    /// The server that `warden demo` starts
    #[command(hide = true)]
    DemoServer(DemoServerArgs),
}

const PIN_EXAMPLES: &str = "\
Examples:
  warden pin -- npx -y some-server@1.2.3
  warden pin --env API_KEY -- uvx some-server==2.0.1        the value comes from your environment and is stored nowhere
  warden pin --approve --approver you@example.com -- ./server --stdio
  warden pin                                                pin the launch of the existing lock anew, after a check
                                                            showed drift that you accept

The server is started once, without a shell, asked for its tools, resources and prompts, and ended. Nothing of it is
called. A lock that says the same already is left untouched. An approved lock is only replaced with --approve or
--force.

Exit codes: 0 pinned or unchanged, 2 usage or file error or refused, 3 the server could not be captured.";

const CHECK_EXAMPLES: &str = "\
Examples:
  warden check                                              start what the lock names, and compare
  warden check --require-approval                           also fail if nobody approved the lock
  warden check --env API_KEY --timeout 180
  warden check --lock locks/search.lock --json
  warden check --allow-launch-change -- npx -y some-server@1.3.0     what would an upgrade change?

Exit codes: 0 clean, 1 drift, 2 usage error or unreadable lock, 3 the server could not be captured.";

const SHOW_EXAMPLES: &str = "\
Examples:
  warden show
  warden show locks/search.lock
  warden show --verify                                      exit 1 if the lock was edited by hand or its approval is stale

Exit codes: 0 shown, 1 with --verify: the lock does not hold, 2 unreadable lock.";
