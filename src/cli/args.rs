//! The command line as clap sees it: names, help texts, examples.

use super::completions::CompletionsArgs;
use super::demo_server::DemoServerArgs;
use super::examples::{
    APPROVE_EXAMPLES, CAPTURE_EXAMPLES, CAPTURE_USAGE, CHECK_EXAMPLES, CHECK_USAGE, COMPLETIONS_EXAMPLES,
    CONVERT_EXAMPLES, DEMO_NOTES, DIFF_EXAMPLES, DOCTOR_EXAMPLES, EXPLAIN_EXAMPLES, INIT_EXAMPLES, MAN_EXAMPLES,
    PIN_EXAMPLES, PIN_USAGE, SERVERS_EXAMPLES, SHOW_EXAMPLES, SHOW_USAGE,
};
use super::manual::ManArgs;
use crate::commands::approve::ApproveArgs;
use crate::commands::capture::CaptureArgs;
use crate::commands::check::CheckArgs;
use crate::commands::diff::DiffArgs;
use crate::commands::doctor::DoctorArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::foreign::ConvertArgs;
use crate::commands::init::{self, InitArgs};
use crate::commands::pin::PinArgs;
use crate::commands::servers::ServersArgs;
use crate::commands::show::ShowArgs;
use crate::report::Format;
use clap::builder::PossibleValue;
use clap::{ArgAction, Args, ColorChoice, CommandFactory as _, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The exit codes, as `--help` and the documents state them. Lines fit 80 columns, so that no terminal breaks them.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  clean: everything was checked and nothing differs
     (other commands: pinned, unchanged, approved, shown)
  1  drift: something differs from the lock, the lock contradicts itself,
     an approval that was asked for is missing, a finding was accepted until a
     day that is past, or, with --all, a server has no lock or a lock no server
  2  usage error, or a lock or another file that cannot be read, is invalid,
     or may not be replaced
  3  the server could not be captured, so nothing is known about it
  130, 143, 129
     ended by SIGINT, SIGTERM or SIGHUP; no server is left running";

const ABOUT: &str = "\
An MCP server tells a model which tools it has, in words that the model
believes. Those words can change with any start. warden writes down what a
server declared when you looked at it (warden.lock, a file that you review and
commit), and fails your build as soon as the server declares something else.
It calls no tool, and it does not judge whether a server is safe.";

const EXAMPLES: &str = "\
Examples:
  See the whole thing work, with a built-in server:
    warden demo
  Look at a server and write warden.lock:
    warden pin -- npx -y some-server@1.2.3
  Read what was pinned:
    warden show
  In CI, fail if the server declares anything else:
    warden check
  Every server of a project: set it up, and check it:
    warden init
    warden check --all
  Understand what a report says:
    warden explain WRD-CAP-SHELL";

/// Pin what an MCP server declares, and fail when it changes
#[derive(Debug, Parser)]
#[command(name = "warden", version, max_term_width = 100, after_help = format!("{ABOUT}\n\n{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    #[command(flatten)]
    pub output: OutputArgs,

    #[command(subcommand)]
    pub command: Command,
}

/// How results are shown.
#[derive(Debug, Clone, Args)]
pub struct OutputArgs {
    /// How to print the result; the exit code is the same in every format
    #[arg(long, global = true, value_name = "FORMAT", value_enum, default_value = "human", help_heading = "Output")]
    pub format: Format,

    /// The same as --format json
    #[arg(long, global = true, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,

    /// Also write the result to a file, in any format: --output sarif=warden.sarif. Can be repeated
    #[arg(
        id = "outputs",
        long = "output",
        global = true,
        value_name = "FORMAT=FILE",
        value_parser = OutputFile::parse,
        help_heading = "Output"
    )]
    pub outputs: Vec<OutputFile>,

    /// Print the verdict line only
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,

    /// Leave nothing out: list every finding, not only the worst, and show what the server writes on standard error
    #[arg(short, long, global = true, action = ArgAction::SetTrue, help_heading = "Output")]
    pub verbose: bool,

    /// When to use colour; "auto" means on a terminal or where CLICOLOR_FORCE is set, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: ColorChoice,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.purpose()))
    }
}

/// A file that the result is also written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    pub format: Format,
    pub path: PathBuf,
}

impl OutputFile {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let names = || Format::ALL.map(Format::name).join(", ");
        let (format, path) = text
            .split_once('=')
            .filter(|(_, path)| !path.is_empty())
            .ok_or_else(|| format!("it has the form FORMAT=FILE, where FORMAT is one of {}", names()))?;
        let format = Format::from_name(format).ok_or_else(|| format!("the formats are {}", names()))?;
        Ok(Self { format, path: PathBuf::from(path) })
    }
}

impl Command {
    /// The lock in play.
    pub fn lock(&self) -> Option<&Path> {
        match self {
            Self::Pin(args) => Some(args.lock_path()),
            Self::Check(args) => Some(&args.lock.lock),
            Self::Show(args) => Some(&args.lock),
            Self::Approve(args) => Some(&args.lock),
            Self::Diff(args) => Some(&args.before),
            Self::Convert(args) => args.lock.as_deref(),
            Self::Init(_)
            | Self::Capture(_)
            | Self::Doctor(_)
            | Self::Servers(_)
            | Self::Explain(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Demo
            | Self::DemoServer(_) => None,
        }
    }

    /// The servers that were chosen among several; empty where all are meant.
    pub fn chosen(&self) -> &[String] {
        match self {
            Self::Pin(args) => args.all.or(&args.names.name),
            Self::Check(args) => args.all.or(&args.names.name),
            Self::Show(args) => args.all.or(&args.names.name),
            Self::Diff(args) => &args.names.name,
            Self::Convert(args) => &args.names.name,
            Self::Init(args) => &args.only,
            Self::Approve(_)
            | Self::Capture(_)
            | Self::Doctor(_)
            | Self::Servers(_)
            | Self::Explain(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Demo
            | Self::DemoServer(_) => &[],
        }
    }

    /// Every file that an argument names for reading: no report may take its place.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let words = |command: &[OsString]| command.iter().map(PathBuf::from).collect::<Vec<_>>();
        let mut paths: Vec<PathBuf> = self.lock().map(Path::to_owned).into_iter().collect();
        match self {
            Self::Pin(args) => {
                paths.extend([&args.source.surface, &args.entries.inspection].into_iter().flatten().cloned());
                paths.extend(args.config.config.iter().cloned());
                paths.extend(args.save_surface.iter().flatten().cloned());
                paths.extend(words(&args.command));
            }
            Self::Check(args) => {
                paths.extend([&args.source.surface, &args.entries.inspection].into_iter().flatten().cloned());
                paths.extend(args.config.config.iter().cloned());
                paths.extend(words(&args.command));
            }
            Self::Capture(args) => {
                paths.push(args.output.clone());
                paths.extend(words(&args.command));
            }
            Self::Init(args) => {
                paths.extend(args.config.iter().cloned());
                paths.extend(init::PATHS.map(PathBuf::from));
            }
            Self::Show(args) => paths.extend(args.config.config.iter().chain(&args.more).cloned()),
            Self::Diff(args) => paths.extend(std::iter::once(&args.after).chain(&args.texts).cloned()),
            Self::Doctor(args) | Self::Servers(args) => paths.extend(args.files.iter().cloned()),
            Self::Convert(args) => {
                paths.extend(args.surface.iter().map(PathBuf::as_path).chain([args.out_path()]).map(Path::to_owned));
            }
            Self::Approve(_)
            | Self::Explain(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Demo
            | Self::DemoServer(_) => {}
        }
        paths
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Pin the servers of a project, and write what its checks need: warden.toml, a workflow, hooks
    #[command(after_help = INIT_EXAMPLES)]
    Init(InitArgs),

    /// Start a server, capture what it declares, and write the lock
    #[command(after_help = PIN_EXAMPLES, override_usage = PIN_USAGE)]
    Pin(PinArgs),

    /// Start a server and compare what it declares with the lock
    #[command(after_help = CHECK_EXAMPLES, override_usage = CHECK_USAGE)]
    Check(CheckArgs),

    /// Start a server and write what it declares to a file, every page as it was sent
    #[command(after_help = CAPTURE_EXAMPLES, override_usage = CAPTURE_USAGE)]
    Capture(CaptureArgs),

    /// Show what a lock says, without starting anything
    #[command(after_help = SHOW_EXAMPLES, override_usage = SHOW_USAGE)]
    Show(ShowArgs),

    /// Approve a lock as it is, after reading it: adds your name to it, without starting anything
    #[command(after_help = APPROVE_EXAMPLES)]
    Approve(ApproveArgs),

    /// Compare two locks, or a lock and a surface file, without starting anything
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(DiffArgs),

    /// List the servers that clients' configuration files and warden.toml name, and which of them a lock covers
    #[command(after_help = SERVERS_EXAMPLES)]
    Servers(ServersArgs),

    /// Say what is risky about how servers are configured, and what to write instead, without starting anything
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor(DoctorArgs),

    /// Make a lock file of another format from one that keeps the text of what it pins
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(ConvertArgs),

    /// Say what a rule or an error code means, why it matters, and what to do
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),

    /// Print a script that completes commands and options in your shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),

    /// Print the manual page, or write all of them to a folder
    #[command(after_help = MAN_EXAMPLES)]
    Man(ManArgs),

    /// See it work: pin a built-in server, check it, and catch it changing
    #[command(after_help = DEMO_NOTES)]
    Demo,

    /// The server that `warden demo` starts
    #[command(hide = true)]
    DemoServer(DemoServerArgs),
}

/// The command line without what is hidden, for texts that are made of it.
pub(super) fn visible() -> clap::Command {
    let all = Cli::command();
    let text = |text: Option<&clap::builder::StyledStr>| text.cloned().unwrap_or_default();
    clap::Command::new("warden")
        .version(env!("CARGO_PKG_VERSION"))
        .about(text(all.get_about()))
        .long_about(ABOUT)
        .after_help(format!("{EXAMPLES}\n\n{EXIT_CODES}"))
        .subcommand_required(true)
        .args(all.get_arguments().cloned())
        .subcommands(all.get_subcommands().filter(|command| !command.is_hide_set()).cloned())
}
