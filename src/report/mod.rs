//! What a command has to say, as one model, and the renderers that say it.
//!
//! Commands fill a [`Report`]; renderers are plain functions of it and never decide anything: the verdict and with it
//! the exit code are the same in every format. Pure: where the text goes and whether it may be coloured is the
//! caller's business.

mod blocks;
mod explanation;
mod human;
mod json;
mod model;
mod show;
mod texts;
mod word_diff;
mod words;

pub use blocks::drift_blocks;
pub use explanation::{ErrorCode, Explanation, explanation_json};
pub use human::{Style, explanation, explanation_list, field_words, human};
pub use json::{REPORT_VERSION, json};
pub use model::{
    AcceptedFinding, Block, BlockItem, ConfigUse, Counts, Failure, FieldChange, FindingLine, IgnoreLine, LockSummary,
    NextStep, Piece, Report, ServerSummary, Subject, SurfaceFiles, TextChange, TextSide, UnstableField, Verdict,
};
pub use show::{EntryView, LockView, ParameterView, ToolView, view};
pub use texts::{attach_texts, unstable_fields};

/// The formats that a report can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Human,
    Json,
}

/// Renders a report; `exit_code` is what the process is going to return.
pub fn render(format: Format, report: &Report, style: &Style, exit_code: u8) -> String {
    match format {
        Format::Human => human(report, style),
        Format::Json => json(report, exit_code),
    }
}
