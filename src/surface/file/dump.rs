//! Plain dumps: lists as other programs save them.
//!
//! A document is an array of tools, an object with `tools`, `resources` or `prompts`, or an answer that carries such an
//! object as its `result`. Several documents, one a line, are the pages of the lists in order; the answer to
//! `initialize` may be among them.

use super::pages::{PageEra, Pages, Rules};
use super::{Document, SurfaceFile, SurfaceFileError, shape};
use crate::json::{Object, Value, member_spans};
use crate::surface::{About, RawSurface, Section, Surface};
use std::collections::{BTreeMap, BTreeSet};

const TEMPLATES: &str = "resourceTemplates";

/// What a dump says so far.
#[derive(Default)]
struct Dump {
    lists: BTreeMap<Section, Pages>,
    templates: Pages,
    /// The answer to `initialize`, and its text.
    handshake: Option<(Object, String)>,
}

/// Reads the documents of a dump.
pub(super) fn read(documents: Vec<Document<'_>>, max_entries: usize) -> Result<SurfaceFile, SurfaceFileError> {
    let mut dump = Dump::default();
    for document in documents {
        let at = document.line.map_or_else(String::new, |line| format!("line {line} "));
        dump.add(document, at)?;
    }
    dump.finish(max_entries)
}

impl Dump {
    fn add(&mut self, document: Document<'_>, at: String) -> Result<(), SurfaceFileError> {
        let Document { value, text, .. } = document;
        let mut object = match value {
            Value::Array(_) => {
                self.page(Section::Tools, at, made_page(Section::Tools.key(), value), text_of_page("tools", text));
                return Ok(());
            }
            Value::Object(object) => object,
            other => return Err(not_a_surface(at, other.kind())),
        };
        if let Some(result) = object.remove("result") {
            if object.get_non_null("error").is_some() {
                return Err(shape(at, "the answer has both a result and an error"));
            }
            let text = span(text, "result");
            return match result {
                Value::Object(result) => self.result(result, text, format!("{at}/result")),
                other => Err(not_a_surface(format!("{at}/result"), other.kind())),
            };
        }
        if object.contains("error") {
            return Err(shape(at, "the answer is an error, which says nothing about a list"));
        }
        self.result(object, text, at)
    }

    /// The result of a request, or an object like one.
    fn result(&mut self, object: Object, text: &str, at: String) -> Result<(), SurfaceFileError> {
        if object.contains("protocolVersion") && object.contains("capabilities") {
            if self.handshake.is_some() {
                return Err(shape(at, "there are two answers to initialize"));
            }
            self.handshake = Some((object, text.to_owned()));
            return Ok(());
        }
        let sections: Vec<Section> = Section::ALL.into_iter().filter(|s| object.contains(s.key())).collect();
        match (sections.as_slice(), object.contains(TEMPLATES)) {
            ([], false) => Err(not_a_surface(at, "an object without them")),
            ([], true) => {
                self.templates.push(at, object.into(), text.to_owned());
                Ok(())
            }
            ([section], false) => {
                self.page(*section, at, object.into(), text.to_owned());
                Ok(())
            }
            (sections, _) => self.document(sections, object, text, &at),
        }
    }

    /// Several lists in one object: it is nobody's page, so each list becomes a page of its own.
    fn document(
        &mut self,
        sections: &[Section],
        mut object: Object,
        text: &str,
        at: &str,
    ) -> Result<(), SurfaceFileError> {
        if object.get_non_null("nextCursor").is_some() {
            return Err(shape(format!("{at}/nextCursor"), "several lists cannot go on at one cursor"));
        }
        for &section in sections {
            let key = section.key();
            // Null says as little as absence.
            let Some(list) = object.remove(key).filter(|list| !list.is_null()) else { continue };
            self.page(section, at.to_owned(), made_page(key, list), text_of_page(key, span(text, key)));
        }
        if let Some(list) = object.remove(TEMPLATES) {
            self.templates.push(
                at.to_owned(),
                made_page(TEMPLATES, list),
                text_of_page(TEMPLATES, span(text, TEMPLATES)),
            );
        }
        Ok(())
    }

    fn page(&mut self, section: Section, at: String, page: Value, text: String) {
        self.lists.entry(section).or_default().push(at, page, text);
    }

    fn finish(mut self, max_entries: usize) -> Result<SurfaceFile, SurfaceFileError> {
        let (declaration, handshake) = self.handshake.unwrap_or_default();
        let protocol_version =
            declaration.get("protocolVersion").and_then(Value::as_str).unwrap_or_default().to_owned();
        // An answer to `initialize` is a legacy one. Without its version it says too little to be kept as a handshake.
        let era = if protocol_version.is_empty() { PageEra::Unknown } else { PageEra::Legacy };
        let rules = Rules { era, max_entries };
        let mut raw = RawSurface::default();
        if era == PageEra::Legacy {
            raw.handshake = handshake;
        }
        let mut unlisted = BTreeSet::new();
        let mut entries = |section: Section| {
            let Some(pages) = self.lists.get_mut(&section) else {
                unlisted.insert(section);
                return Ok(Vec::new());
            };
            *raw.pages_mut(section) = std::mem::take(&mut pages.raw);
            pages.take_entries(section.key(), rules)
        };
        let (tools, resources, prompts) =
            (entries(Section::Tools)?, entries(Section::Resources)?, entries(Section::Prompts)?);
        raw.resource_templates = std::mem::take(&mut self.templates.raw);
        let resource_templates = self.templates.take_entries(TEMPLATES, rules)?;
        if unlisted.len() == Section::ALL.len() {
            return Err(not_a_surface(String::new(), "a text without them"));
        }
        let mut surface = Surface::from_entries(tools, resources, prompts)?;
        surface.require_object_schemas()?;
        surface.about = About { protocol_version, declaration, resource_templates };
        Ok(SurfaceFile { launch: None, surface, raw, missing: BTreeSet::new(), unlisted })
    }
}

fn not_a_surface(at: String, what: &str) -> SurfaceFileError {
    shape(at, format!("neither a surface file nor a list of tools, resources or prompts, but {what}"))
}

fn made_page(key: &str, list: Value) -> Value {
    [(key, list)].into_iter().collect::<Object>().into()
}

fn text_of_page(key: &str, list: &str) -> String {
    format!("{{\"{key}\":{}}}", list.trim())
}

/// The text of a member.
fn span<'t>(object: &'t str, name: &str) -> &'t str {
    member_spans(object).into_iter().find(|(found, _)| found == name).map_or("", |(_, text)| text)
}
