//! The one integration test binary: everything here goes through the public library or the built program.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops at whatever is wrong")]

#[cfg(unix)]
mod action;
#[cfg(unix)]
mod approve;
mod architecture;
#[cfg(unix)]
mod atomic;
mod capture;
mod checks;
#[cfg(unix)]
mod ci_formats;
#[cfg(unix)]
mod ci_page;
#[cfg(unix)]
mod cli_escape;
#[cfg(unix)]
mod cli_exit_codes;
#[cfg(unix)]
mod cli_guards;
#[cfg(unix)]
mod cli_secrets;
mod clients;
#[cfg(unix)]
mod config;
#[cfg(unix)]
mod delivery;
#[cfg(unix)]
mod diff;
mod docs;
#[cfg(unix)]
mod doctor;
#[cfg(unix)]
mod explain;
#[cfg(unix)]
mod foreign;
#[cfg(unix)]
mod formats;
mod formats_other;
#[cfg(unix)]
mod generated;
#[cfg(unix)]
mod hooks;
#[cfg(feature = "http")]
mod http;
#[cfg(unix)]
mod human;
#[cfg(unix)]
mod init;
#[cfg(unix)]
mod injection;
#[cfg(unix)]
mod inspection;
#[cfg(target_os = "linux")]
mod left_overs;
#[cfg(unix)]
mod levels;
#[cfg(unix)]
mod narrowed;
#[cfg(unix)]
mod next_steps;
#[cfg(unix)]
mod pin_entries;
#[cfg(unix)]
mod project_reports;
#[cfg(unix)]
mod projects;
mod properties;
#[cfg(unix)]
mod record;
#[cfg(unix)]
mod report_page;
#[cfg(unix)]
mod report_schema;
#[cfg(unix)]
mod rich;
#[cfg(unix)]
mod servers;
#[cfg(unix)]
mod snapshots;
#[cfg(unix)]
mod stability;
mod support {
    #[cfg(unix)]
    pub mod cli;
    #[cfg(unix)]
    pub mod composite;
    #[cfg(unix)]
    pub mod project;
    #[cfg(unix)]
    pub mod project_reports;
    #[cfg(unix)]
    pub mod readers;
    pub mod replay;
    #[cfg(unix)]
    pub mod rich;
    #[cfg(unix)]
    pub mod schema;
    pub mod scripted;
    #[cfg(unix)]
    pub mod terminal;
    #[cfg(feature = "http")]
    pub mod web;
    pub mod yaml;
}
mod surface_files;
#[cfg(unix)]
mod tamper;
mod vectors;
