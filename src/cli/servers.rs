//! `warden servers`: a list, and no report.

use super::exit::ExitStatus;
use super::terminal::Terminal;
use super::{output, with_context};
use crate::commands::CommandError;
use crate::commands::servers::{self, ServersArgs};
use crate::report::{Format, ServerList, server_list, servers_json};
use std::path::Path;

/// Lists what was found. A file that cannot be read may hide servers, so then the list is no success.
pub(super) fn run(args: &ServersArgs, terminal: &Terminal) -> ExitStatus {
    let list = match list(args, terminal) {
        Ok(list) => list,
        Err(error) => return output::print_error(&error, terminal),
    };
    let status = if list.unread.is_empty() { ExitStatus::Success } else { ExitStatus::Usage };
    let text = match terminal.format {
        Format::Json => servers_json(&list, status.code()),
        _ => server_list(&list, &terminal.style),
    };
    output::delivered(output::write_out(&text), "the list", status, terminal)
}

fn list(args: &ServersArgs, terminal: &Terminal) -> Result<ServerList, CommandError> {
    if !terminal.outputs.is_empty() {
        return Err(CommandError::usage("--output takes a report, and this command makes none"));
    }
    if !matches!(terminal.format, Format::Human | Format::Json) {
        return Err(CommandError::usage("servers are listed as text or as one JSON document: --format human or json"));
    }
    let mut list = with_context(terminal, |context| servers::run(args, context))?;
    for uri in list.files.iter_mut().map(|file| &mut file.uri).chain(list.unread.iter_mut().map(|file| &mut file.uri)) {
        *uri = output::place_in_repository(Path::new(uri));
    }
    Ok(list)
}
