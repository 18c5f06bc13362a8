//! `warden` pins what an MCP server declares into a reviewed lock and reports every departure from it.
//!
//! Rooms, lowest first; arrows run from right to left only (docs/ARCHITECTURE.md):
//!
//! ```text
//! json, text <- finding, surface, skeleton, capability <- lock, capture, checks, report <- drift <- commands <- cli
//! ```

pub mod capability;
pub mod checks;
pub mod finding;
pub mod json;
pub mod surface;
pub mod text;
