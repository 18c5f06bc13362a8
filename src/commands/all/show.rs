//! `warden show --all`.

use super::super::show::{self, ShowArgs};
use super::super::{CommandError, Context};
use super::parts::Said;
use super::servers::Servers;
use super::{AllArgs, Job, Work};

/// Looks at the project, and says which locks are to be shown. Starts nothing, then and later.
///
/// # Errors
/// Arguments that make no sense together, a configuration that cannot be read, no server at all.
pub fn plan(args: &ShowArgs, context: &Context<'_>) -> Result<Work, CommandError> {
    if args.entry.is_some() || args.lock != std::path::Path::new("warden.lock") || !args.more.is_empty() {
        let name = if args.entry.is_some() { "--entry" } else { "a lock" };
        return Err(CommandError::usage(format!("{name} is for one server, and --all shows every server"))
            .hint("show that lock alone: warden show FILE"));
    }
    let servers = Servers::load(&args.all, &args.config, context)?;
    let mut work = servers.work("show", &args.all, &args.config, context);
    for member in servers.chosen() {
        let said = Said { command: "show", member };
        if !servers.has_lock(member) {
            // Without --verify nothing is judged, but a lock that is not there cannot be shown either.
            work.ready.push(servers.left_out(&said, context).unwrap_or_else(|| said.not_locked()));
            continue;
        }
        let mut args = ShowArgs { all: AllArgs::default(), lock: member.lock.clone(), ..args.clone() };
        args.config.config = servers.project.config_path.iter().cloned().collect();
        args.config.server = Some(member.name.clone());
        args.config.unsearched = servers.project.config_path.is_none();
        let member = member.clone();
        work.jobs.push(Job::new(&member.name.clone(), move |context| {
            Said { command: "show", member: &member }.finished(show::run(&args, context))
        }));
    }
    servers.add_strays(&mut work);
    Ok(work)
}
