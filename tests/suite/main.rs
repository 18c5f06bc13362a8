//! The one integration test binary: everything here goes through the public library or the built program.

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
#[cfg(unix)]
mod stability;
mod surface_files;
mod support {
    #[cfg(unix)]
    pub mod cli;
    pub mod replay;
    pub mod scripted;
}
#[cfg(unix)]
mod tamper;
mod vectors;
