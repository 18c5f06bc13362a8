//! The command line as clap sees it: names, help texts, examples.

use super::completions::CompletionsArgs;
use super::demo_server::DemoServerArgs;
use super::examples::{DOCTOR_EXAMPLES, EXPLAIN_EXAMPLES, SERVERS_EXAMPLES};
use super::manual::ManArgs;
use crate::commands::approve::ApproveArgs;
use crate::commands::capture::CaptureArgs;
use crate::commands::check::CheckArgs;
use crate::commands::diff::DiffArgs;
use crate::commands::doctor::DoctorArgs;
use crate::commands::explain::ExplainArgs;
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
     an approval that was asked for is missing, or a finding was accepted until
     a day that is past
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
            Self::Pin(args) => Some(&args.lock.lock),
            Self::Check(args) => Some(&args.lock.lock),
            Self::Show(args) => Some(&args.lock),
            Self::Approve(args) => Some(&args.lock),
            Self::Diff(args) => Some(&args.before),
            Self::Capture(_)
            | Self::Doctor(_)
            | Self::Servers(_)
            | Self::Explain(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Demo
            | Self::DemoServer(_) => None,
        }
    }
}

impl Command {
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
            Self::Show(args) => paths.extend(args.config.config.iter().chain(&args.more).cloned()),
            Self::Diff(args) => paths.extend(std::iter::once(&args.after).chain(&args.texts).cloned()),
            Self::Doctor(args) | Self::Servers(args) => paths.extend(args.files.iter().cloned()),
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

const PIN_USAGE: &str = "\
warden pin [OPTIONS] [--] COMMAND [ARG]...
       warden pin [OPTIONS] --url URL
       warden pin [OPTIONS]";

const CHECK_USAGE: &str = "\
warden check [OPTIONS] [-- COMMAND [ARG]...]
       warden check [OPTIONS] --url URL";

const CAPTURE_USAGE: &str = "\
warden capture [OPTIONS] -o FILE [--] COMMAND [ARG]...
       warden capture [OPTIONS] -o FILE --url URL";

const CAPTURE_EXAMPLES: &str = "\
The file holds the launch and every answer of the server word for word
(docs/surface-files.md). pin and check take it in place of the server, so that
CI needs no secrets and starts nothing. A launch that holds a secret is refused:
pass secrets by --env.

Examples:
  Capture once, where the secrets are:
    warden capture -o surface.json --env API_KEY -- npx -y some-server@1.2.3
  Pin and check from the file:
    warden pin --surface surface.json
    warden check --surface surface.json
  Look at the raw text:
    warden capture -o - -- ./server --stdio

Exit codes:
  0  captured
  2  usage error, or a file that may not be replaced
  3  the server could not be captured; no file was changed";

const PIN_EXAMPLES: &str = "\
The server is started once, without a shell, asked for its tools, resources and
prompts, and ended; a server at a URL is only asked. None of its tools is
called. A lock that says the same already is left untouched. An approved lock is
only replaced with --approve or --force.

Examples:
  Pin a server:
    warden pin -- npx -y some-server@1.2.3
  Hand it a variable; the value comes from your environment and is not stored:
    warden pin --env API_KEY -- uvx some-server==2.0.1
  Pin a server that runs elsewhere, with a token from your environment:
    warden pin --url https://mcp.example.com/mcp --bearer-env ACME_TOKEN
  Approve what was pinned, after reading it (pin --approve does both at once):
    warden approve
  Accept drift that a check showed: pin the launch of the lock anew:
    warden pin
  Accept what changed in one tool, and leave the rest of the lock as it is:
    warden pin --tool search_notes
  Keep the texts beside the lock, so that reports can show old and new words:
    warden pin --save-surface -- npx -y some-server@1.2.3
  Find out whether the server declares the same each time, before it is pinned:
    warden pin --stability 3 -- npx -y some-server@1.2.3
  Pin what was captured elsewhere, without starting anything:
    warden pin --surface surface.json

Exit codes:
  0  pinned, or the lock says the same already
  2  usage error, an unusable file, or an approved lock that may not be replaced
  3  the server could not be captured; no file was changed";

const CHECK_EXAMPLES: &str = "\
Without a command, the launch in the lock is started: treat changes of a lock
like changes of code. A command that is not the pinned one is not started,
unless you say --allow-launch-change.

Examples:
  Start what the lock names, and compare:
    warden check
  Also fail if nobody approved the lock:
    warden check --require-approval
  A server that needs a key and starts slowly:
    warden check --env API_KEY --timeout 180
  A lock of a server at a URL that wants a login (docs/http.md):
    warden check --bearer-env ACME_TOKEN
  Another lock, and a document for a script:
    warden check --lock locks/search.lock --json
  What would an upgrade change?
    warden check --allow-launch-change -- npx -y some-server@1.3.0
  Check what was captured elsewhere, without starting anything:
    warden check --surface surface.json
  With findings accepted in another file than warden.toml (docs/config.md):
    warden check --config ci/warden.toml

Exit codes:
  0  clean
  1  drift, an inconsistent lock, a missing approval, or a finding that
     warden.toml accepted until a day that is past
  2  usage error, or a lock or another file that cannot be read
  3  the server could not be captured";

const SHOW_USAGE: &str = "\
warden show [OPTIONS] [LOCK]
       warden show [OPTIONS] --verify LOCK...";

const SHOW_EXAMPLES: &str = "\
Examples:
  Read the lock in this folder:
    warden show
  Read another one:
    warden show locks/search.lock
  Say only whether it holds: fail if it was edited by hand or its approval is
  stale:
    warden show --verify
  List findings that warden.toml accepts as well:
    warden show --no-config
  The same for several, as a hook does:
    warden show --verify locks/*.lock

Exit codes:
  0  shown
  1  with --verify: the lock does not hold (of several: any of them)
  2  the lock cannot be read";

const APPROVE_EXAMPLES: &str = "\
The lock is shown first, as by warden show, and then you are asked. An approval
binds the digest of the lock: once anything else is pinned, it no longer holds.
A lock that contradicts itself, or whose approval is for something else, is
refused. A lock that is approved already gets a further attestation, so that a
second reviewer can sign off. It is a statement, not a signature.

Examples:
  Read the lock in this folder, and approve it:
    warden approve
  Another lock, and say what you looked at:
    warden approve locks/search.lock --note \"read the source of 1.2.3\"
  Without a terminal, for a lock that was read before:
    warden approve --yes --approver you@example.com
  In CI, fail if the lock is not approved:
    warden check --require-approval

Exit codes:
  0  approved
  2  usage error, the answer was no, or a lock that cannot be read, does not
     hold, was changed meanwhile, or may not be replaced";

const DIFF_EXAMPLES: &str = "\
A is before, B is after; each is a lock or a surface file. The report has the
blocks of warden check. The words of a lock are shown where a surface file is
known that its hashes come out of. It judges nothing unless --exit-code is given:
whether a server still is what was pinned, warden check says.

Examples:
  What did a change of the lock change?
    git show HEAD:warden.lock > old.lock
    warden diff old.lock warden.lock
  The same without a file, in a shell that knows it, and in any shell:
    warden diff <(git show main:warden.lock) warden.lock
    git show main:warden.lock | warden diff - warden.lock
  With the words of both sides:
    git show main:warden.surface.json > old.surface.json
    warden diff --texts old.surface.json old.lock warden.lock
  Is what was captured what is pinned? Fail if not:
    warden diff --exit-code warden.lock surface.json

Exit codes:
  0  compared, whether or not anything differs
  1  with --exit-code: something differs, or a lock contradicts itself
  2  usage error, or a file that cannot be read";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  bash, for this shell and for later ones:
    source <(warden completions bash)
    warden completions bash > ~/.local/share/bash-completion/completions/warden
  zsh, in a folder of $fpath:
    warden completions zsh > ~/.zfunc/_warden
  fish:
    warden completions fish > ~/.config/fish/completions/warden.fish
  PowerShell, in your profile:
    warden completions powershell | Out-String | Invoke-Expression

Exit codes:
  0  printed
  2  usage error";

const MAN_EXAMPLES: &str = "\
Examples:
  Read the manual page:
    warden man | man -l -
  Install pages for warden and each of its commands:
    warden man --dir ~/.local/share/man/man1

Exit codes:
  0  printed or written
  2  usage error, or a page that cannot be written";

const DEMO_NOTES: &str = "\
Everything is run for real: a small server inside this program is started,
pinned and checked, then changes what it declares, and a second check catches
it. It works in a temporary folder that is removed afterwards, and needs no
network.

Exit codes:
  0  it went as told (the last check of the demo ends with 1, as it should)
  2  it could not be run";
