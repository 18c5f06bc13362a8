//! `warden check --all`.

use super::super::check::{self, CheckArgs};
use super::super::{CommandError, Context};
use super::args::OneServer;
use super::parts::Said;
use super::servers::{Servers, one_server};
use super::{AllArgs, Configured, Job, Work};
use crate::lock::file;
use crate::project::{How, Member};
use crate::report::ServerPart;

/// Looks at the project, and says what is to be asked. Starts nothing.
///
/// # Errors
/// Arguments that make no sense together, a configuration that cannot be read, no server at all.
pub fn plan(args: &CheckArgs, context: &Context<'_>) -> Result<Work, CommandError> {
    OneServer {
        lock: &args.lock,
        source: &args.source,
        server: &args.server,
        entries: &args.entries,
        command: &args.command,
    }
    .refuse(&args.all)?;
    if args.entry.is_some() || args.allow_launch_change {
        let name = if args.entry.is_some() { "--entry" } else { "--allow-launch-change" };
        return Err(CommandError::usage(format!("{name} is for one server, and --all asks every server"))
            .hint("-v shows everything that differs, and --only NAME one server alone"));
    }
    let servers = Servers::load(&args.all, &args.config, context)?;
    let changes = match &args.since.since {
        Some(revision) => Some((revision, (context.changed_since)(revision, &servers.project.root)?)),
        None => None,
    };
    let mut work = servers.work("check", &args.all, &args.config, context);
    for member in servers.chosen() {
        let said = Said { command: "check", member };
        match decide(&said, &servers, context) {
            Err(part) => work.ready.push(*part),
            Ok(_) if changes.as_ref().is_some_and(|(_, changes)| !servers.is_touched(member, changes)) => {
                let revision = args.since.since.as_deref().unwrap_or_default();
                work.ready.push(said.not_asked(revision));
            }
            Ok(configured) => work.jobs.push(job(args, member, configured, &servers)),
        }
    }
    servers.add_strays(&mut work);
    Ok(work)
}

/// What can be said without asking; otherwise how to start the server.
fn decide(said: &Said<'_>, servers: &Servers, context: &Context<'_>) -> Result<Configured, Box<ServerPart>> {
    let member = said.member;
    if let Some(part) = servers.left_out(said, context) {
        return Err(Box::new(part));
    }
    // A name that nothing can be said about is still a server that nobody locked.
    if !servers.has_lock(member) {
        return Err(Box::new(said.not_locked()));
    }
    match &member.how {
        How::Ambiguous => Err(Box::new(said.ambiguous())),
        How::Unusable(why) => Err(Box::new(said.unusable(why))),
        How::Start(start) => servers.configured(said, start, context).or_else(|part| {
            // What differs from the lock is known without starting anything, and beats what could not be looked up.
            let written = Configured::unstarted(&member.name, start);
            match file::load(&member.lock) {
                Ok((lock, _)) if !written.is_of(&lock) => Ok(written),
                _ => Err(part),
            }
        }),
    }
}

fn job(args: &CheckArgs, member: &Member, configured: Configured, servers: &Servers) -> Job {
    let one = one_server(&args.server, &args.entries, &args.config, member, configured, servers);
    let mut args = CheckArgs { all: AllArgs::default(), ..args.clone() };
    args.lock.lock.clone_from(&member.lock);
    (args.server, args.entries, args.config) = (one.server, one.entries, one.config);
    let member = member.clone();
    Job::new(&member.name.clone(), move |context| {
        Said { command: "check", member: &member }.finished(check::run(&args, context))
    })
}
