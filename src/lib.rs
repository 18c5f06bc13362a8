//! `warden` pins what an MCP server declares into a reviewed lock and reports every departure from it.
//!
//! Rooms, lowest first; arrows run from right to left only (docs/ARCHITECTURE.md):
//!
//! ```text
//! json, text <- finding, surface, skeleton, capability <- lock, formats, capture, checks, clients, config <- drift, project, posture <- report <- commands <- cli
//! ```

pub mod capability;
pub mod capture;
pub mod checks;
pub mod cli;
pub mod clients;
pub mod commands;
pub mod config;
pub mod drift;
pub mod finding;
pub mod formats;
pub mod json;
pub mod lock;
pub mod posture;
pub mod project;
pub mod report;
pub mod skeleton;
pub mod surface;
pub mod text;
