//! `warden man`: manual pages, from the same definition that parses the arguments.

use super::args::visible;
use crate::commands::CommandError;
use crate::lock::file;
use crate::text::{Charset, escape};
use clap::{Args, Command, ValueHint};
use clap_mangen::Man;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Arguments of `warden man`.
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// Write a page for the program and one for each command to this folder, instead of printing the first. The folder is made if it
    /// is not there
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}

/// The page of the program as roff.
pub(super) fn main_page() -> String {
    page(&visible())
}

/// Writes `warden.1` and `warden-COMMAND.1` for each command. Makes the folder where there is none.
///
/// # Errors
/// The folder cannot be made, or a page cannot be written; those before it stay.
pub(super) fn write_pages(folder: &Path) -> Result<(), CommandError> {
    let mut program = visible();
    program.build();
    let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
    let pages = commands.map(|command| {
        let name = format!("warden-{}", command.get_name());
        // The name in the title and in the first section; the synopsis says "warden pin".
        let command = command.clone().display_name(name.clone()).disable_help_subcommand(true);
        (name, page(&command))
    });
    fs::create_dir_all(folder).map_err(|error| {
        let folder = escape(&folder.to_string_lossy(), Charset::Unicode);
        CommandError::file(format!("the folder {folder} could not be made"), error.to_string())
    })?;
    for (name, text) in std::iter::once(("warden".to_owned(), main_page())).chain(pages) {
        let path = folder.join(format!("{name}.1"));
        file::replace(&path, text.as_bytes()).map_err(|error| {
            let path = escape(&path.to_string_lossy(), Charset::Unicode);
            CommandError::file(format!("{path} could not be written"), error.to_string())
        })?;
    }
    Ok(())
}

fn page(command: &Command) -> String {
    let mut roff = Vec::new();
    // Writing to memory does not fail.
    let _ = sections(command, &mut roff);
    let mut text = String::from_utf8_lossy(&roff).into_owned();
    if let Some(notes) = command.get_after_help() {
        text.push_str(".SH NOTES\n.nf\n");
        text.push_str(&literal(&notes.to_string()));
        text.push_str(".fi\n");
    }
    text
}

/// Everything but the text behind the options, whose lines must stay as they are.
fn sections(command: &Command, roff: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone()).source(concat!("warden ", env!("CARGO_PKG_VERSION"))).manual("warden");
    man.render_title(roff)?;
    man.render_name_section(roff)?;
    man.render_synopsis_section(roff)?;
    man.render_description_section(roff)?;
    man.render_options_section(roff)?;
    if command.get_subcommands().any(|command| !command.is_hide_set()) {
        man.render_subcommands_section(roff)?;
    }
    Ok(())
}

/// Lines of text for roff: nothing in them is a request or an escape.
fn literal(text: &str) -> String {
    let line = |line: &str| {
        let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
        format!("{guard}{}\n", line.replace('\\', "\\e").replace('-', "\\-"))
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_a_request() {
        assert_eq!(literal(".TH x\n'br\na\\fB\n  -v"), "\\&.TH x\n\\&'br\na\\efB\n  \\-v\n");
    }
}
