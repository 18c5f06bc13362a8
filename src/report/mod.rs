//! What a command has to say, as one model, and the renderers that say it.
//!
//! Commands fill a [`Report`]; renderers are plain functions of it and never decide anything: the verdict and with it
//! the exit code are the same in every format. Pure: where the text goes and whether it may be coloured is the
//! caller's business.

mod accepted;
mod blocks;
mod coverage;
mod error;
mod explanation;
mod facts;
mod format;
mod github;
mod gitlab;
mod headline;
mod human;
mod json;
mod jsonl;
mod junit;
mod lines;
mod markdown;
mod model;
mod places;
mod project;
mod sarif;
mod schema_words;
mod servers;
mod show;
mod texts;
mod told;
mod unseen;
mod verdict;
mod word_diff;
mod words;
mod xml;

use crate::text::{Charset, ascii, inert, visibly};

pub use blocks::{IGNORE_TARGET, OTHER_CLASSES, SERVER_TARGET, drift_blocks, field_words, rule_of_class, server_block};
pub use coverage::{Coverage, SectionState, Tally};
pub use error::{ErrorReport, render_error};
pub use explanation::{ErrorCode, Explanation, explanation_json};
pub use facts::{
    COMMAND_FAILED_RULE, Fact, FactKind, NOT_CAPTURED_RULE, NOT_CONFIGURED_RULE, NOT_LOCKED_RULE, RECORD_RULE,
    TOOL_CLASH_RULE, accepted_facts, facts,
};
pub use format::Format;
pub use github::github;
pub use gitlab::gitlab;
pub use human::{Style, explanation, explanation_list, human, project_human, server_list};
pub use json::{REPORT_VERSION, json, json_error};
pub use junit::junit;
pub use lines::LockLines;
pub use markdown::{MAX_MARKDOWN, markdown, markdown_within, project_markdown_within};
pub use model::{
    AcceptedFinding, AttestationLine, Block, BlockItem, Compared, ConfigUse, Counts, Failure, FieldChange, FilePlace,
    FindingLine, IgnoreLine, LockSummary, NextStep, Piece, PinnedItem, Report, ServerSummary, Subject, SurfaceFiles,
    TextChange, TextSide, UnstableField,
};
pub use project::{Clash, ProjectReport, ServerPart};
pub use servers::{ListedFile, ListedServer, LockWord, SERVERS_VERSION, ServerList, UnreadFile, servers_json};
pub use show::{EntryView, Lengths, LockView, ParameterView, ToolView, view};
pub use texts::{attach_texts, attach_whole_texts, unstable_fields};
pub use verdict::Verdict;

/// What a renderer needs besides the report.
#[derive(Debug, Clone, Copy)]
pub struct Rendering<'a> {
    /// How the report for people looks.
    pub style: &'a Style,
    /// What the process is going to return.
    pub exit_code: u8,
    /// The lock's place from the root of its repository, with forward slashes; raw. Empty where no lock is in play. For
    /// a project: that of its `warden.toml`, and empty where it has none.
    pub lock_uri: &'a str,
    /// The servers that the command line chose, raw, where it did not mean all of them: another choice is another report.
    pub chosen: &'a [String],
}

/// Renders a report.
pub fn render(format: Format, report: &Report, rendering: &Rendering<'_>) -> String {
    let text = match format {
        Format::Human => human(report, rendering.style),
        Format::Json => json(report, rendering.exit_code),
        Format::Jsonl => jsonl::jsonl(report, rendering.exit_code),
        Format::Sarif => sarif::sarif(report, rendering),
        Format::Github => github(report, rendering),
        Format::Markdown => markdown(report, rendering),
        Format::Junit => junit(report, rendering),
        Format::Gitlab => gitlab(report, rendering),
    };
    inert_in(format, text, rendering)
}

/// Renders what was found about all servers of a project.
pub fn render_project(format: Format, project: &ProjectReport, rendering: &Rendering<'_>) -> String {
    let own = project::own_report(project, rendering);
    let parts = project::parts(project, &own, rendering);
    let text = match format {
        Format::Human => project_human(project, rendering.style),
        Format::Json => project::project_json(project, rendering.exit_code),
        Format::Jsonl => project::project_jsonl(project, rendering.exit_code),
        Format::Sarif => sarif::sarif_of(&parts, rendering.exit_code),
        Format::Github => github::github_of(&parts, project.verdict, &project::project_headline(project), rendering),
        Format::Markdown => project_markdown_within(project, rendering, MAX_MARKDOWN),
        Format::Junit => junit::junit_of(&parts),
        Format::Gitlab => gitlab::gitlab_of(&parts, &project.clashes),
    };
    inert_in(format, text, rendering)
}

/// The same text, in which the log of a CI system finds no command but our own.
fn inert_in(format: Format, text: String, rendering: &Rendering<'_>) -> String {
    match format {
        Format::Human => inert(&text, |c| match rendering.style.charset {
            Charset::Unicode => visibly(c),
            Charset::Ascii => ascii(&visibly(c)),
        }),
        // Such a bracket only occurs inside strings.
        Format::Json | Format::Jsonl | Format::Sarif | Format::Gitlab => {
            inert(&text, |c| format!("\\u{:04x}", u32::from(c)))
        }
        // These see to it themselves.
        Format::Github | Format::Markdown | Format::Junit => text,
    }
}
