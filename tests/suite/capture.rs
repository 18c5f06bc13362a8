//! Capturing a surface: complete, or not at all.

mod completeness;
mod conversation;
mod era;
#[cfg(unix)]
mod era_processes;
#[cfg(unix)]
mod flags;
#[cfg(unix)]
mod interrupt;
#[cfg(unix)]
mod process;
mod refusals;
