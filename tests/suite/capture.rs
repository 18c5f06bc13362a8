//! Capturing a surface: complete, or not at all.

mod completeness;
mod conversation;
#[cfg(unix)]
mod interrupt;
#[cfg(unix)]
mod process;
mod refusals;
