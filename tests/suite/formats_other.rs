//! Lock files of other tools.

mod mcp;
