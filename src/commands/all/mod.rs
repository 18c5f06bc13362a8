//! `pin`, `check` and `show` for every server of a project.
//!
//! A command first makes a plan ([`Work`]): what can be said without starting anything is said, and for each server that
//! is asked there is a [`Job`]. The command line runs the jobs, several at a time, and [`Work::finish`] makes one report
//! of all. A job is the command for one server, with arguments made from the project's settings; so there is one path
//! to a verdict.

mod args;
mod check;
mod configured;
mod consent;
mod next;
mod parts;
mod pin;
mod servers;
mod show;
mod work;

pub use args::{AllArgs, ConsentArgs, SinceArgs};
pub use check::plan as plan_check;
pub use configured::Configured;
pub use pin::plan as plan_pin;
pub use show::plan as plan_show;
pub use work::{Job, Work};

pub(in crate::commands) use consent::{ask as ask_consent, launch_words};
pub(in crate::commands) use parts::{Said, place_words};
pub(in crate::commands) use pin::{Unknown, work_for};
pub(in crate::commands) use servers::{Servers, load_error, nothing_configured};
