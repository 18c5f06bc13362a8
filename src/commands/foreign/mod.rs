//! The commands on lock files of other tools (docs/formats.md): they hold several servers, so everything goes the way of
//! `--all`: a plan, a job for each server that is asked, one report, and the exit codes of the format's own tool.
//!
//! Which format a file has, its content says and never its name ([`recognize`]).

mod args;
mod check;
mod convert;
mod diff;
mod file;
mod parts;
mod pin;
mod show;
mod start;

pub use args::{ForeignCheckArgs, LockFormat, NameArgs};
pub use check::plan as plan_check;
pub use convert::{ConvertArgs, plan as plan_convert};
pub use diff::run as run_diff;
pub use file::{Recognized, recognize, refuse_approval};
pub use pin::plan as plan_pin;
pub use show::plan as plan_show;

pub(super) use args::refuse_for_warden_lock;
