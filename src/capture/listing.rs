//! What is asked of a server, in which order, and when the answers count as complete (SPEC.md §15).

use super::Captured;
use super::error::ErrorKind;
use super::jsonrpc::{METHOD_NOT_FOUND, Outcome, RpcError};
use super::limits::Limit;
use super::remarks;
use super::remote::HttpError;
use super::session::Session;
use super::stage::Stage;
use super::transport::Transport;
use crate::json::{Object, Value};
use crate::surface::{About, Section, Surface, SurfaceError};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

/// The revision that is offered.
pub const OFFERED_VERSION: &str = "2025-11-25";
/// The revisions that are understood, exactly these: a version is never compared as a date.
pub const KNOWN_VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

const INITIALIZE: &str = "initialize";
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
    All(Vec<Value>),
    Refused { page: usize, error: RpcError },
}

/// One section as it was last listed.
#[derive(Default)]
struct Listed {
    entries: Vec<Value>,
    restarts: usize,
    /// Whether the last two listings were the same.
    same: bool,
}

impl<T: Transport> Session<'_, T> {
    /// The whole capture over an open transport, without time limit.
    pub(super) async fn capture(&mut self) -> Result<Captured, ErrorKind> {
        let declaration = self.handshake().await?;
        let mut lists = BTreeMap::new();
        let mut missing = BTreeSet::new();
        for section in Section::ALL {
            let mut listed = Listed::default();
            self.list_until_quiet(section, &declaration, None, &mut listed, &mut missing).await?;
            lists.insert(section, listed);
        }
        let resource_templates = match declares(&declaration, Section::Resources) {
            true => self.templates().await?,
            false => Vec::new(),
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
            let previous = std::mem::take(&mut listed.entries);
            self.list_until_quiet(section, &declaration, Some(previous), listed, &mut missing).await?;
            self.read_arrived().await?;
        }
        self.enter(Stage::Surface);
        let mut take = |section| lists.remove(&section).unwrap_or_default().entries;
        let entries = (take(Section::Tools), take(Section::Resources), take(Section::Prompts));
        remarks::on(self, &declaration, &[&entries.0, &entries.1, &entries.2]);
        let refused = |error: SurfaceError| ErrorKind::Surface(self.quoter.redact(&error.to_string()));
        let mut surface = Surface::from_entries(entries.0, entries.1, entries.2).map_err(refused)?;
        surface.require_object_schemas().map_err(refused)?;
        let protocol_version =
            declaration.get("protocolVersion").and_then(Value::as_str).unwrap_or_default().to_owned();
        surface.about = About { protocol_version, declaration, resource_templates };
        Ok(Captured { surface, missing, warnings: self.warnings() })
    }

    async fn handshake(&mut self) -> Result<Object, ErrorKind> {
        self.enter(Stage::Handshake);
        let client: Object = [("name", "warden"), ("version", env!("CARGO_PKG_VERSION"))].into_iter().collect();
        // No capabilities: servers change their lists, and ask things of their own, for what a client declares.
        let params = [
            ("protocolVersion", Value::from(OFFERED_VERSION)),
            ("capabilities", Object::new().into()),
            ("clientInfo", client.into()),
        ];
        let declaration = match self.request(INITIALIZE, params.into_iter().collect()).await? {
            Outcome::Result(Value::Object(result)) => result,
            Outcome::Result(other) => return Err(not_mcp(&format!("its result is {}", other.kind()))),
            Outcome::Error(error) => return Err(self.server_error(INITIALIZE, &error)),
            Outcome::Unclear(problem) => return Err(not_mcp(problem)),
        };
        match declaration.get("protocolVersion") {
            Some(Value::String(version)) if KNOWN_VERSIONS.contains(&version.as_str()) => {
                self.batches_expected = version == "2025-03-26";
            }
            Some(Value::String(version)) => {
                let version = format!("\"{}\"", self.quoter.quote(version));
                return Err(ErrorKind::UnsupportedVersion { version });
            }
            Some(other) => return Err(not_mcp(&format!("its protocolVersion is {}", other.kind()))),
            None => return Err(not_mcp("it has no protocolVersion")),
        }
        match declaration.get_non_null("capabilities") {
            Some(Value::Object(_)) => {}
            Some(other) => return Err(not_mcp(&format!("its capabilities are {}", other.kind()))),
            None => self.warn("the server's handshake has no capabilities; it is read as declaring none".into()),
        }
        self.notify("notifications/initialized")?;
        Ok(declaration)
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
            let entries = self.list_once(section, declaration, missing).await?;
            let announced = self.changed.contains(&section);
            if let Some(entries) = entries {
                listed.same = previous.as_ref() == Some(&entries);
                if !announced || listed.same {
                    if announced {
                        self.changed.remove(&section);
                    }
                    listed.entries = entries;
                    return Ok(());
                }
                previous = Some(entries);
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
    ) -> Result<Option<Vec<Value>>, ErrorKind> {
        missing.remove(&section);
        let method = list_method(section);
        let pages = match self.pages(method, section.key(), |page| Stage::List { section, page }).await {
            // Over HTTP some refuse what they do not have without a word of JSON-RPC.
            Err(ErrorKind::Http(error))
                if error.is_plain_refusal()
                    && !declares(declaration, section)
                    && matches!(self.stage, Stage::List { page: 1, .. }) =>
            {
                return Ok(Some(Vec::new()));
            }
            pages => pages?,
        };
        match pages {
            Pages::All(entries) => Ok(Some(entries)),
            Pages::Refused { page: 1, .. } if !declares(declaration, section) => Ok(Some(Vec::new())),
            Pages::Refused { page: 1, error }
                if error.code == Some(METHOD_NOT_FOUND) && self.settings.allow_missing.contains(&section) =>
            {
                missing.insert(section);
                Ok(Some(Vec::new()))
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
        let mut entries = Vec::new();
        let mut cursors = HashSet::new();
        let mut params = Object::new();
        let mut page = 0;
        loop {
            page += 1;
            self.within(Limit::Pages, page, limits.pages)?;
            self.enter(stage(page));
            let malformed = |problem: String| ErrorKind::Malformed { method, problem };
            let mut result = match self.request(method, params).await? {
                Outcome::Result(Value::Object(result)) => result,
                Outcome::Result(other) => return Err(malformed(format!("its result is {}", other.kind()))),
                Outcome::Error(error) => return Ok(Pages::Refused { page, error }),
                Outcome::Unclear(problem) => return Err(malformed(problem.to_owned())),
            };
            match result.remove(key) {
                Some(Value::Array(items)) => entries.extend(items),
                Some(other) => return Err(malformed(format!("{key} is {}, not an array", other.kind()))),
                None => return Err(malformed(format!("it has no {key}"))),
            }
            self.within(Limit::Items, entries.len(), limits.items)?;
            let cursor = match result.remove("nextCursor") {
                None | Some(Value::Null) => return Ok(Pages::All(entries)),
                Some(Value::String(cursor)) => cursor,
                Some(other) => return Err(ErrorKind::CursorNotText { method, kind: other.kind() }),
            };
            if cursor.is_empty() {
                return Err(ErrorKind::EmptyCursor { method });
            }
            self.within(Limit::CursorBytes, cursor.len(), limits.cursor_bytes)?;
            if cursors.contains(&cursor) {
                let cursor = format!("\"{}\"", self.quoter.quote(&cursor));
                return Err(ErrorKind::RepeatedCursor { method, cursor });
            }
            params = [("cursor", cursor.as_str())].into_iter().collect();
            cursors.insert(cursor);
        }
    }

    /// Resource templates: recorded where they can be had, and never a reason to fail, because no digest commits to
    /// them. Only what casts doubt on the lists themselves still fails.
    async fn templates(&mut self) -> Result<Vec<Value>, ErrorKind> {
        // Some of the time has to be left for the rest.
        let patience = TEMPLATES_PATIENCE.min(self.settings.deadline.remaining() / 2);
        let listing = self.pages(TEMPLATES, "resourceTemplates", |page| Stage::Templates { page });
        let why = match tokio::time::timeout(patience, listing).await {
            Ok(Ok(Pages::All(templates))) => return Ok(templates),
            // The usual way to have none.
            Ok(Ok(Pages::Refused { page: 1, error })) if error.code == Some(METHOD_NOT_FOUND) => return Ok(Vec::new()),
            Ok(Ok(Pages::Refused { error, .. })) => self.server_error(TEMPLATES, &error).to_string(),
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
        Ok(Vec::new())
    }

    fn server_error(&self, method: &'static str, error: &RpcError) -> ErrorKind {
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

fn not_mcp(problem: &str) -> ErrorKind {
    ErrorKind::NotMcp(format!("the answer to {INITIALIZE} is none: {problem}"))
}
