//! The one integration test binary: everything here goes through the public library or the built program.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops at whatever is wrong")]

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
#[cfg(feature = "http")]
mod http;
mod support {
    #[cfg(unix)]
    pub mod cli;
    pub mod replay;
    pub mod scripted;
    #[cfg(feature = "http")]
    pub mod web;
}
#[cfg(unix)]
mod tamper;
mod vectors;
