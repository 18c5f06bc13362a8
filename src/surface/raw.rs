//! The text of a surface as the server sent it, page by page: for surface files and readable reports.

use super::Section;
use std::collections::BTreeMap;

/// Every answer of a capture, verbatim. Each text is one JSON value that passed the strict parse.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawSurface {
    /// The result of `initialize` or `server/discover`.
    pub handshake: String,
    /// Whether the handshake was `server/discover`, which began with revision 2026-07-28.
    pub is_modern: bool,
    /// The results of `tools/list`, one a page; likewise below.
    pub tools: Vec<String>,
    pub resources: Vec<String>,
    pub prompts: Vec<String>,
    pub resource_templates: Vec<String>,
    /// JSON-RPC errors that stand for an empty list, by method.
    pub errors: BTreeMap<String, String>,
}

impl RawSurface {
    /// The pages of one of the pinned lists.
    pub fn pages_mut(&mut self, section: Section) -> &mut Vec<String> {
        match section {
            Section::Tools => &mut self.tools,
            Section::Resources => &mut self.resources,
            Section::Prompts => &mut self.prompts,
        }
    }

    /// Every text there is, in no particular order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let pages = [&self.tools, &self.resources, &self.prompts, &self.resource_templates].into_iter().flatten();
        let texts = std::iter::once(&self.handshake).chain(pages).chain(self.errors.values());
        texts.map(String::as_str).filter(|text| !text.is_empty())
    }
}
