//! Every cap of a capture in one place (SPEC.md §15).
//!
//! A server is not trusted to end: each list, line and stream it writes is bounded, and a bound that is met is an
//! error that names it, never a surface cut short. Four of them have a flag on the command line (`--max-pages`,
//! `--max-items`, `--max-line-bytes`, `--max-total-bytes`), `--strict-stdio` sets `noise_lines` to 0, and `values` rises
//! with `--max-total-bytes`.

use crate::json::values_in;

/// Parsed, this becomes about eight times as much memory in the worst case.
const DEFAULT_TOTAL_BYTES: usize = 32 << 20;

/// What one capture may cost at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one line on the server's output.
    pub line_bytes: usize,
    /// Bytes of the server's whole output.
    pub total_bytes: usize,
    /// JSON values in the server's whole output, containers among them: parsed, they take more memory than their bytes.
    pub values: usize,
    /// Pages of one list. A list of exactly so many passes.
    pub pages: usize,
    /// Entries of one list.
    pub items: usize,
    /// Bytes of one `nextCursor`, which has to be sent back.
    pub cursor_bytes: usize,
    /// Lines that are not JSON-RPC. `0` refuses the first one.
    pub noise_lines: usize,
    /// How many such lines a warning or an error quotes.
    pub noise_quotes: usize,
    /// Bytes waiting to be read by the server.
    pub outgoing_bytes: usize,
    /// How often a list is asked for again because the server announced a change of it.
    pub list_restarts: usize,
    /// Bytes kept of the end of the server's standard error.
    pub stderr_tail_bytes: usize,
    /// Lines of it that an error quotes.
    pub stderr_tail_lines: usize,
    /// Lines of it that an observer is given; the rest is only counted.
    pub stderr_lines: usize,
    /// Characters of each.
    pub stderr_line_chars: usize,
    /// Characters of a quoted line or message.
    pub quote_chars: usize,
    /// Warnings kept; the rest is only counted.
    pub warnings: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // Real lists reach hundreds of kilobytes and, rarely, a few megabytes on one line.
            line_bytes: 16 << 20,
            total_bytes: DEFAULT_TOTAL_BYTES,
            values: values_in(DEFAULT_TOTAL_BYTES),
            pages: 256,
            items: 20_000,
            cursor_bytes: 64 << 10,
            noise_lines: 10_000,
            noise_quotes: 3,
            outgoing_bytes: 1 << 20,
            list_restarts: 3,
            stderr_tail_bytes: 16 << 10,
            stderr_tail_lines: 10,
            stderr_lines: 10_000,
            stderr_line_chars: 2_000,
            quote_chars: 300,
            warnings: 20,
        }
    }
}

/// A cap that can end a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    LineBytes,
    TotalBytes,
    Values,
    Pages,
    Items,
    CursorBytes,
    NoiseLines,
    OutgoingBytes,
}

impl Limit {
    /// The name by which errors, documents and (where it can be set) the command line call the limit.
    pub fn name(self) -> &'static str {
        match self {
            Self::LineBytes => "max-line-bytes",
            Self::TotalBytes => "max-total-bytes",
            Self::Values => "max-values",
            Self::Pages => "max-pages",
            Self::Items => "max-items",
            Self::CursorBytes => "max-cursor-bytes",
            Self::NoiseLines => "max-noise-lines",
            Self::OutgoingBytes => "max-outgoing-bytes",
        }
    }

    /// What is counted, in the plural.
    pub fn measures(self) -> &'static str {
        match self {
            Self::LineBytes => "bytes in one line of output",
            Self::TotalBytes => "bytes of output",
            Self::Values => "JSON values in the output",
            Self::Pages => "pages of one list",
            Self::Items => "entries of one list",
            Self::CursorBytes => "bytes in one cursor",
            Self::NoiseLines => "lines of output that are not MCP",
            Self::OutgoingBytes => "bytes that the server has not read",
        }
    }
}
