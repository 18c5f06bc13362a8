//! The one integration test binary: everything here goes through the public library or the built program.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops at whatever is wrong")]

mod architecture;
#[cfg(unix)]
mod atomic;
mod capture;
mod checks;
#[cfg(unix)]
mod cli_escape;
#[cfg(unix)]
mod cli_exit_codes;
#[cfg(unix)]
mod cli_guards;
#[cfg(unix)]
mod cli_secrets;
mod clients;
mod docs;
#[cfg(feature = "http")]
mod http;
#[cfg(unix)]
mod inspection;
#[cfg(unix)]
mod levels;
mod properties;
#[cfg(unix)]
mod snapshots;
#[cfg(unix)]
mod stability;
mod support {
    #[cfg(unix)]
    pub mod cli;
    pub mod replay;
    pub mod scripted;
    #[cfg(feature = "http")]
    pub mod web;
}
mod surface_files;
#[cfg(unix)]
mod tamper;
mod vectors;
