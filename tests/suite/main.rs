//! The integration tests, one binary: what the crate promises to those who use it from outside.

#[cfg(unix)]
mod cli_escape;
#[cfg(unix)]
mod cli_exit_codes;
#[cfg(unix)]
mod cli_guards;
#[cfg(unix)]
mod cli_secrets;
mod vectors;

#[cfg(unix)]
mod support {
    pub mod cli;
    pub mod replay;
    pub mod scripted;
}
