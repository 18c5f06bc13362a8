//! What this process is connected to: colour, width, characters, somebody watching.

use super::args::{OutputArgs, OutputFile};
use crate::report::{Format, Style};
use crate::text::Charset;
use clap::ColorChoice;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// How to talk to whoever started us.
#[derive(Debug, Clone)]
pub struct Terminal {
    pub format: Format,
    /// Where else the result goes.
    pub outputs: Vec<OutputFile>,
    /// The lock in play, where the command line could be parsed and names one.
    pub lock: Option<PathBuf>,
    /// The servers that the command line chose; empty where it means all there are.
    pub chosen: Vec<String>,
    /// Every file that this run reads or keeps: no report may take its place.
    pub inputs: Vec<PathBuf>,
    pub style: Style,
    /// Whether errors and progress on standard error may be coloured.
    pub color_stderr: bool,
    /// Whether somebody watches standard error and wants progress.
    pub progress: bool,
}

impl Terminal {
    /// Looks at the streams and the environment of this process.
    pub fn new(output: &OutputArgs, lock: Option<&Path>, chosen: &[String], inputs: Vec<PathBuf>) -> Self {
        let (stdout, stderr) = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
        let format = if output.json { Format::Json } else { output.format };
        let style = Style {
            color: color(output.color, stdout),
            width: terminal_width().filter(|_| stdout).or_else(columns).unwrap_or(100),
            charset: charset(),
            quiet: output.quiet,
            verbose: output.verbose,
        };
        let outputs = output.outputs.clone();
        let lock = lock.map(Path::to_owned);
        Self {
            format,
            outputs,
            lock,
            chosen: chosen.to_vec(),
            inputs,
            style,
            color_stderr: color(output.color, stderr),
            progress: stderr && !output.quiet,
        }
    }
}

impl Terminal {
    /// The same for a file: the full report, no colour, and any character.
    pub fn for_file(&self) -> Self {
        let style = Style { color: false, width: 100, charset: Charset::Unicode, quiet: false, ..self.style };
        Self { style, ..self.clone() }
    }
}

fn color(choice: ColorChoice, is_terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if set("NO_COLOR") => false,
        ColorChoice::Auto if set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0") => {
            true
        }
        ColorChoice::Auto => is_terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// ASCII only where the locale names a character set that is not UTF-8.
pub(super) fn charset() -> Charset {
    let value = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    match value.map(|value| value.to_ascii_lowercase()) {
        Some(value) if !value.contains("utf-8") && !value.contains("utf8") => Charset::Ascii,
        _ => Charset::Unicode,
    }
}

/// What a user says about the width, where no terminal says it.
fn columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok().filter(|width| *width > 0)
}

#[cfg(unix)]
fn terminal_width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}

#[cfg(not(unix))]
fn terminal_width() -> Option<usize> {
    None
}
