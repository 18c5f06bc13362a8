//! A command that ended without a report, in every format: whoever asked for a document gets one that says so.

use super::format::Format;
use super::github::github_error;
use super::gitlab::gitlab_error;
use super::json::json_error;
use super::jsonl::jsonl_error;
use super::junit::junit_error;
use super::markdown::markdown_error;
use super::sarif::sarif_error;
use super::{Rendering, inert_in};

/// Why there is no report. Texts are escaped and redacted already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorReport<'e> {
    /// One sentence: what could not be done.
    pub headline: &'e str,
    /// Why, outermost first.
    pub causes: &'e [String],
    /// What to do about it.
    pub hints: &'e [String],
}

impl ErrorReport<'_> {
    /// Headline and causes on one line.
    pub fn sentence(&self) -> String {
        let parts = std::iter::once(self.headline).chain(self.causes.iter().map(String::as_str));
        parts.collect::<Vec<_>>().join(": ")
    }
}

/// Renders an error, final newline included. It is never a document that reads as clean.
pub fn render_error(format: Format, error: &ErrorReport<'_>, rendering: &Rendering<'_>) -> String {
    let text = match format {
        Format::Human => human_error(error),
        Format::Json => json_error(error, rendering.exit_code),
        Format::Jsonl => jsonl_error(error, rendering.exit_code),
        Format::Sarif => sarif_error(error, rendering),
        Format::Github => github_error(error, rendering),
        Format::Markdown => markdown_error(error, rendering),
        Format::Junit => junit_error(error, rendering),
        Format::Gitlab => gitlab_error(error, rendering),
    };
    inert_in(format, text, rendering)
}

/// As on standard error, without colour.
fn human_error(error: &ErrorReport<'_>) -> String {
    let mut out = format!("error: {}\n", error.headline);
    error.causes.iter().for_each(|cause| out.push_str(&format!("  {cause}\n")));
    error.hints.iter().for_each(|hint| out.push_str(&format!("  hint: {hint}\n")));
    out
}
