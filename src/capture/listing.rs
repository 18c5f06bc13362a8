//! What is asked of a server, in which order, and when the answers count as complete (SPEC.md §15).

use super::Captured;
use super::error::ErrorKind;
use super::handshake::Opening;
use super::jsonrpc::{METHOD_NOT_FOUND, Outcome, RpcError};
use super::limits::Limit;
use super::remarks;
use super::remote::HttpError;
use super::session::{Reply, Session};
use super::stage::Stage;
use super::transport::Transport;
use crate::json::{Object, Value};
use crate::surface::{About, Era, RawSurface, Section, Surface, SurfaceError};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

const TEMPLATES: &str = "resources/templates/list";
/// Templates are not part of the digest, so a server that never answers for them costs no more than this.
const TEMPLATES_PATIENCE: Duration = Duration::from_secs(2);

fn list_method(section: Section) -> &'static str {
    match section {
        Section::Tools => "tools/list",
        Section::Resources => "resources/list",
        Section::Prompts => "prompts/list",
    }
}

/// All pages of one list, or the page that was answered with an error.
enum Pages {
    All(List),
    Refused {
        page: usize,
        error: RpcError,
        /// The error, verbatim.
        text: String,
    },
}

/// A whole list, empty by default.
#[derive(Default)]
struct List {
    entries: Vec<Value>,
    /// The results that held them, verbatim.
    pages: Vec<String>,
    /// The error that stands for an empty list, verbatim.
    error: Option<String>,
}

impl List {
    fn none(error: String) -> Self {
        Self { error: Some(error), ..Self::default() }
    }
}

/// One section as it was last listed.
#[derive(Default)]
struct Listed {
    list: List,
    restarts: usize,
    /// Whether the last two listings were the same.
    same: bool,
}

impl<T: Transport> Session<'_, T> {
    /// The whole capture over an open transport, without time limit.
    pub(super) async fn capture(&mut self) -> Result<Captured, ErrorKind> {
        let Opening { agreement, declaration, text } = self.handshake().await?;
        let mut lists = BTreeMap::new();
        let mut missing = BTreeSet::new();
        for section in Section::ALL {
            let mut listed = Listed::default();
            self.list_until_quiet(section, &declaration, None, &mut listed, &mut missing).await?;
            lists.insert(section, listed);
        }
        let templates = match declares(&declaration, Section::Resources) {
            true => self.templates().await?,
            false => List::default(),
        };
        // Some servers register more once the handshake is over, and say so.
        self.read_arrived().await?;
        while let Some(section) = self.changed.first().copied() {
            let listed = lists.entry(section).or_default();
            if listed.restarts >= self.settings.limits.list_restarts {
                self.give_up_waiting(section, listed)?;
                continue;
            }
            listed.restarts += 1;
            let previous = std::mem::take(&mut listed.list).entries;
            self.list_until_quiet(section, &declaration, Some(previous), listed, &mut missing).await?;
            self.read_arrived().await?;
        }
        self.enter(Stage::Surface);
        let mut raw = RawSurface { handshake: text, is_modern: agreement.era == Era::Modern, ..RawSurface::default() };
        let mut keep = |method: &str, list: List, pages: fn(&mut RawSurface) -> &mut Vec<String>| {
            *pages(&mut raw) = list.pages;
            raw.errors.extend(list.error.map(|error| (method.to_owned(), error)));
            list.entries
        };
        let mut take =
            |section, pages| keep(list_method(section), lists.remove(&section).unwrap_or_default().list, pages);
        let tools = take(Section::Tools, |raw| &mut raw.tools);
        let resources = take(Section::Resources, |raw| &mut raw.resources);
        let prompts = take(Section::Prompts, |raw| &mut raw.prompts);
        let resource_templates = keep(TEMPLATES, templates, |raw| &mut raw.resource_templates);
        remarks::on(self, &declaration, &[&tools, &resources, &prompts]);
        let refused = |error: SurfaceError| ErrorKind::Surface(self.quoter.redact(&error.to_string()));
        let mut surface = Surface::from_entries(tools, resources, prompts).map_err(refused)?;
        surface.require_object_schemas().map_err(refused)?;
        surface.about = About { protocol_version: agreement.version.to_owned(), declaration, resource_templates };
        Ok(Captured { surface, raw, missing, warnings: self.warnings() })
    }

    /// Lists a section, and again as long as the server announces changes meanwhile. Two listings that are the same
    /// settle it too: some servers announce a change with every answer.
    async fn list_until_quiet(
        &mut self,
        section: Section,
        declaration: &Object,
        mut previous: Option<Vec<Value>>,
        listed: &mut Listed,
        missing: &mut BTreeSet<Section>,
    ) -> Result<(), ErrorKind> {
        loop {
            self.changed.remove(&section);
            let list = self.list_once(section, declaration, missing).await?;
            let announced = self.changed.contains(&section);
            if let Some(list) = list {
                listed.same = previous.as_ref() == Some(&list.entries);
                if !announced || listed.same {
                    if announced {
                        self.changed.remove(&section);
                    }
                    listed.list = list;
                    return Ok(());
                }
                previous = Some(list.entries);
            }
            if listed.restarts >= self.settings.limits.list_restarts {
                return Err(ErrorKind::Unsettled { section, restarts: listed.restarts });
            }
            listed.restarts += 1;
        }
    }

    /// A section that keeps being announced after its last restart: good enough if its last two listings were equal.
    fn give_up_waiting(&mut self, section: Section, listed: &Listed) -> Result<(), ErrorKind> {
        if !listed.same {
            return Err(ErrorKind::Unsettled { section, restarts: listed.restarts });
        }
        self.warn(format!("the server keeps announcing changes of its {}, but they stay the same", section.key()));
        self.changed.remove(&section);
        Ok(())
    }

    /// One listing of a section; `None` where a change that was announced meanwhile broke it.
    async fn list_once(
        &mut self,
        section: Section,
        declaration: &Object,
        missing: &mut BTreeSet<Section>,
    ) -> Result<Option<List>, ErrorKind> {
        missing.remove(&section);
        let method = list_method(section);
        let pages = match self.pages(method, section.key(), |page| Stage::List { section, page }).await {
            // Over HTTP some refuse what they do not have without a word of JSON-RPC.
            Err(ErrorKind::Http(error))
                if error.is_plain_refusal()
                    && !declares(declaration, section)
                    && matches!(self.stage, Stage::List { page: 1, .. }) =>
            {
                return Ok(Some(List::default()));
            }
            pages => pages?,
        };
        match pages {
            Pages::All(list) => Ok(Some(list)),
            Pages::Refused { page: 1, text, .. } if !declares(declaration, section) => Ok(Some(List::none(text))),
            Pages::Refused { page: 1, error, text }
                if error.code == Some(METHOD_NOT_FOUND) && self.settings.allow_missing.contains(&section) =>
            {
                missing.insert(section);
                Ok(Some(List::none(text)))
            }
            // The cursor may belong to a list that is no more.
            Pages::Refused { page: 2.., .. } if self.changed.contains(&section) => Ok(None),
            Pages::Refused { error, .. } => Err(self.server_error(method, &error)),
        }
    }

    /// Follows one list to its end. Every cursor that is there is followed: a list that ends for one client and goes
    /// on for another would hide what stands on its later pages.
    async fn pages(
        &mut self,
        method: &'static str,
        key: &str,
        stage: impl Fn(usize) -> Stage,
    ) -> Result<Pages, ErrorKind> {
        let limits = self.settings.limits;
        let is_modern = self.agreement.is_some_and(|agreement| agreement.era == Era::Modern);
        let mut list = List::default();
        let mut cursors = HashSet::new();
        let mut params = self.params();
        let mut page = 0;
        loop {
            page += 1;
            self.within(Limit::Pages, page, limits.pages)?;
            self.enter(stage(page));
            let malformed = |problem: String| ErrorKind::Malformed { method, problem };
            let Reply { outcome, text } = self.request(method, params).await?;
            let mut result = match outcome {
                Outcome::Result(Value::Object(result)) => result,
                Outcome::Result(other) => return Err(malformed(format!("its result is {}", other.kind()))),
                Outcome::Error(error) => return Ok(Pages::Refused { page, error, text }),
                Outcome::Unclear(problem) => return Err(malformed(problem.to_owned())),
            };
            if is_modern {
                self.refuse_incomplete(method, &result)?;
            }
            list.pages.push(text);
            match result.remove(key) {
                Some(Value::Array(items)) => list.entries.extend(items),
                Some(other) => return Err(malformed(format!("{key} is {}, not an array", other.kind()))),
                None => return Err(malformed(format!("it has no {key}"))),
            }
            self.within(Limit::Items, list.entries.len(), limits.items)?;
            let cursor = match result.remove("nextCursor") {
                None | Some(Value::Null) => return Ok(Pages::All(list)),
                Some(Value::String(cursor)) => cursor,
                Some(other) => return Err(ErrorKind::CursorNotText { method, kind: other.kind() }),
            };
            // Many legacy servers mean the end of the list by it, others a page like any other.
            if cursor.is_empty() && !is_modern {
                return Err(ErrorKind::EmptyCursor { method });
            }
            self.within(Limit::CursorBytes, cursor.len(), limits.cursor_bytes)?;
            if cursors.contains(&cursor) {
                let cursor = format!("\"{}\"", self.quoter.quote(&cursor));
                return Err(ErrorKind::RepeatedCursor { method, cursor });
            }
            params = self.params();
            params.insert("cursor", cursor.as_str());
            cursors.insert(cursor);
        }
    }

    /// Resource templates: recorded where they can be had, and never a reason to fail, because no digest commits to
    /// them. Only what casts doubt on the lists themselves still fails.
    async fn templates(&mut self) -> Result<List, ErrorKind> {
        // Some of the time has to be left for the rest.
        let patience = TEMPLATES_PATIENCE.min(self.settings.deadline.remaining() / 2);
        let mut answered = None;
        let listing = self.pages(TEMPLATES, "resourceTemplates", |page| Stage::Templates { page });
        let why = match tokio::time::timeout(patience, listing).await {
            Ok(Ok(Pages::All(templates))) => return Ok(templates),
            // The usual way to have none.
            Ok(Ok(Pages::Refused { page: 1, error, text })) if error.code == Some(METHOD_NOT_FOUND) => {
                return Ok(List::none(text));
            }
            Ok(Ok(Pages::Refused { error, text, .. })) => {
                answered = Some(text);
                self.server_error(TEMPLATES, &error).to_string()
            }
            Ok(Err(error @ ErrorKind::ConflictingAnswers { .. })) => return Err(error),
            Ok(Err(ErrorKind::Http(error))) if *error == HttpError::SessionExpired => {
                return Err(ErrorKind::Http(error));
            }
            Ok(Err(error @ (ErrorKind::RefusedMessage(_) | ErrorKind::BrokenMessage(_))))
                if !self.refused_in_templates =>
            {
                return Err(error);
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer within {} ms", patience.as_millis()),
        };
        self.abandon();
        self.warn(format!("the resource templates could not be listed and count as none: {why}"));
        Ok(List { error: answered, ..List::default() })
    }

    pub(super) fn server_error(&self, method: &'static str, error: &RpcError) -> ErrorKind {
        ErrorKind::Server { method, code: error.code, message: self.quoter.quote(&error.message) }
    }
}

/// Presence is what counts, whatever the value.
pub(super) fn declares(declaration: &Object, section: Section) -> bool {
    declaration
        .get("capabilities")
        .and_then(Value::as_object)
        .is_some_and(|all| all.get_non_null(section.key()).is_some())
}
