//! What a command has to say, as one model, and the renderers that say it.
//!
//! Commands fill a [`Report`]; renderers are plain functions of it and never decide anything: the verdict and with it
//! the exit code are the same in every format. Pure: where the text goes and whether it may be coloured is the
//! caller's business.

mod blocks;
mod facts;
mod format;
mod human;
mod json;
mod lines;
mod model;
mod show;
mod texts;
mod word_diff;
mod words;

pub use blocks::drift_blocks;
pub use facts::{Fact, FactKind, NOT_CAPTURED_RULE, facts};
pub use format::Format;
pub use human::{Style, field_words, human};
pub use json::{REPORT_VERSION, json};
pub use lines::LockLines;
pub use model::{
    Block, BlockItem, Counts, Failure, FieldChange, FindingLine, LockSummary, NextStep, Piece, Report, ServerSummary,
    Subject, SurfaceFiles, TextChange, TextSide, UnstableField, Verdict,
};
pub use show::{EntryView, LockView, ParameterView, ToolView, view};
pub use texts::{attach_texts, unstable_fields};

/// What a renderer needs besides the report.
#[derive(Debug, Clone, Copy)]
pub struct Rendering<'a> {
    /// How the report for people looks.
    pub style: &'a Style,
    /// What the process is going to return.
    pub exit_code: u8,
    /// The lock's place from the root of its repository, with forward slashes; raw. Empty where no lock is in play.
    pub lock_uri: &'a str,
}

/// Renders a report.
pub fn render(format: Format, report: &Report, rendering: &Rendering<'_>) -> String {
    match format {
        Format::Human => human(report, rendering.style),
        Format::Json => json(report, rendering.exit_code),
        // Each gets its renderer next.
        Format::Jsonl | Format::Sarif | Format::Github | Format::Markdown | Format::Junit | Format::Gitlab => {
            json(report, rendering.exit_code)
        }
    }
}
