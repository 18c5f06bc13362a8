//! `warden pin --all`.

use super::super::people::People;
use super::super::pin::{self, PinArgs};
use super::super::{CommandError, Context};
use super::args::OneServer;
use super::consent;
use super::parts::Said;
use super::servers::{Servers, one_server};
use super::{AllArgs, Configured, Job, Work};
use crate::lock::file;
use crate::project::{How, Member, Start};

/// Looks at the project, asks for consent, and says what is to be pinned. Starts nothing.
///
/// # Errors
/// Arguments that make no sense together, a configuration that cannot be read, no server at all, no consent.
pub fn plan(args: &PinArgs, context: &Context<'_>, people: &dyn People) -> Result<Work, CommandError> {
    OneServer {
        lock: &args.lock,
        source: &args.source,
        server: &args.server,
        entries: &args.entries,
        command: &args.command,
    }
    .refuse(&args.all)?;
    if args.chosen.choice().is_some() || matches!(args.save_surface, Some(Some(_))) {
        return Err(CommandError::usage("this names an entry or a file of one server, and --all pins every server")
            .hint("--only NAME pins one server alone, and all of it"));
    }
    let servers = Servers::load(&args.all, &args.config, context)?;
    work_for(args, &servers, "pin", context, &|unknown| consent::ask(unknown, args.consent.yes, people))
}

/// Servers that would be started although no lock names them in just this way.
pub(in crate::commands) type Unknown<'a> = [(&'a Member, &'a Start)];

/// The same for a project that was looked at. `consent` is asked before there is any job.
///
/// # Errors
/// That of `consent`.
pub(in crate::commands) fn work_for(
    args: &PinArgs,
    servers: &Servers,
    command: &'static str,
    context: &Context<'_>,
    consent: &dyn Fn(&Unknown<'_>) -> Result<(), CommandError>,
) -> Result<Work, CommandError> {
    let mut work = servers.work(command, &args.all, &args.config, context);
    let mut ready: Vec<(Member, Start, Configured)> = Vec::new();
    for member in servers.chosen() {
        let said = Said { command: "pin", member };
        if let Some(part) = servers.left_out(&said, context) {
            work.ready.push(part);
            continue;
        }
        match &member.how {
            How::Ambiguous => work.ready.push(said.ambiguous()),
            How::Unusable(why) => work.ready.push(said.unusable(why)),
            How::Start(start) => match servers.configured(&said, start, context) {
                Err(part) => work.ready.push(*part),
                Ok(configured) => ready.push((member.clone(), (**start).clone(), configured)),
            },
        }
    }
    let unknown: Vec<(&Member, &Start)> = ready
        .iter()
        .filter(|(member, _, configured)| !names_the_same(member, configured))
        .map(|(member, start, _)| (member, start))
        .collect();
    consent(&unknown)?;
    for (member, _, configured) in ready {
        work.jobs.push(job(args, member, configured, servers));
    }
    work.notes.extend(servers.strays().map(|stray| {
        let lock = super::super::error::shown_path(&stray.lock);
        format!("{lock} belongs to no server that is configured: remove it if the server is gone")
    }));
    Ok(work)
}

/// Whether the server's lock names this launch and its surroundings already, and holds together.
fn names_the_same(member: &Member, configured: &Configured) -> bool {
    file::load(&member.lock).is_ok_and(|(lock, _)| configured.is_of(&lock))
}

fn job(args: &PinArgs, member: Member, configured: Configured, servers: &Servers) -> Job {
    let one = one_server(&args.server, &args.entries, &args.config, &member, configured, servers);
    let mut args = PinArgs { all: AllArgs::default(), makes_folder: true, ..args.clone() };
    args.lock.lock.clone_from(&member.lock);
    (args.server, args.entries, args.config) = (one.server, one.entries, one.config);
    Job::new(&member.name.clone(), move |context| {
        Said { command: "pin", member: &member }.finished(pin::run(&args, context))
    })
}
