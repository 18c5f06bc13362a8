//! Finding out in which era a server speaks, and agreeing on a revision (SPEC.md §15.1, docs/protocol-eras.md).
//!
//! A conversation begins in one era and turns to the other one only on evidence: an answer that says so, the end of the
//! process (then in a fresh one, see [`Session::try_afresh`]), or a long silence. Nothing here decides by the words of
//! an error message.

use super::client::EraChoice;
use super::error::ErrorKind;
use super::jsonrpc::{
    HEADER_MISMATCH, INVALID_PARAMS, METHOD_NOT_FOUND, MISSING_CAPABILITY, Outcome, RpcError, UNSUPPORTED_VERSION,
    texts,
};
use super::remote::Evidence;
use super::session::{Agreement, Reply, Session};
use super::stage::Stage;
use super::transport::Transport;
use crate::json::{Object, Value};
use crate::surface::Era;
use std::time::Duration;

/// The members of `params._meta` that a modern request has to have, and the one that it should.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";

/// How long a server may be silent on `server/discover` before `initialize` follows on the same pipe. Servers that
/// ignore unknown methods never answer it; one that still starts reads both and answers the first.
const DISCOVER_PATIENCE: Duration = Duration::from_secs(10);
/// Versions of a server that an error names.
const NAMED_VERSIONS: usize = 5;

/// What a server said to the handshake, once it was understood.
pub(super) struct Opening {
    pub agreement: Agreement,
    /// The result of `initialize` or `server/discover`.
    pub declaration: Object,
    /// The same, verbatim.
    pub text: String,
}

/// What an answer to the first request of an era comes to.
enum Judgement {
    Agreed(Opening),
    /// The same era in another revision.
    Again(&'static str),
    /// The server does not speak this era, for this reason.
    NotThisEra(ErrorKind),
}

/// A first request that was made.
struct Question {
    id: i64,
    era: Era,
    version: &'static str,
}

impl<T: Transport> Session<'_, T> {
    /// Agrees with the server on an era and a revision.
    ///
    /// # Errors
    /// It speaks none that may be spoken, or what it says is no handshake.
    pub(super) async fn handshake(&mut self) -> Result<Opening, ErrorKind> {
        self.enter(Stage::Handshake);
        let opening = match self.handshake_patience {
            None => self.negotiate().await?,
            Some(patience) => match tokio::time::timeout(patience, self.negotiate()).await {
                Ok(opening) => opening?,
                Err(_) => return Err(self.timed_out()),
            },
        };
        // Late answers in the other era, and second thoughts in this one, mean nothing any more.
        self.abandon();
        self.agreement = Some(opening.agreement);
        match opening.declaration.get_non_null("capabilities") {
            Some(Value::Object(_)) => {}
            Some(other) => {
                let method = opening.agreement.era.first_method();
                return Err(not_mcp(method, &format!("its capabilities are {}", other.kind())));
            }
            None => self.warn("the server's handshake has no capabilities; it is read as declaring none".into()),
        }
        if opening.agreement.era == Era::Legacy {
            self.notify("notifications/initialized")?;
        }
        Ok(opening)
    }

    async fn negotiate(&mut self) -> Result<Opening, ErrorKind> {
        let first = self.settings.era.first();
        let mut second = self.settings.era.second();
        let mut questions = vec![self.open(first, first.newest())?];
        let mut reasons: Vec<(Era, ErrorKind)> = Vec::new();
        loop {
            let answer = match second {
                None => self.next_reply().await,
                Some(other) => match tokio::time::timeout(self.patience(first), self.next_reply()).await {
                    Ok(reply) => reply,
                    Err(_) => {
                        second = None;
                        questions.push(self.open(other, other.newest())?);
                        continue;
                    }
                },
            };
            let (id, reply) = match answer {
                Ok(answer) => answer,
                // The transport only tells of the last request.
                Err(reason) if says_legacy(&reason) && questions.last().is_some_and(|last| last.era == Era::Modern) => {
                    reasons.push((Era::Modern, reason));
                    let asked = questions.iter().any(|question| question.era == Era::Legacy);
                    let answered = reasons.iter().any(|(era, _)| *era == Era::Legacy);
                    match second.take() {
                        Some(other) => {
                            self.abandon();
                            questions.push(self.open(other, other.newest())?);
                        }
                        None if asked && !answered => {}
                        None => return Err(most_telling(reasons)),
                    }
                    continue;
                }
                Err(reason) => return Err(reason),
            };
            let Some(asked) = questions.iter().find(|question| question.id == id) else { continue };
            let (era, version) = (asked.era, asked.version);
            let may_repeat = questions.iter().filter(|question| question.era == era).count() == 1;
            match self.judge(era, version, may_repeat, reply)? {
                Judgement::Agreed(opening) => return Ok(opening),
                Judgement::Again(version) => questions.push(self.open(era, version)?),
                Judgement::NotThisEra(reason) => {
                    reasons.push((era, reason));
                    if let Some(other) = second.take() {
                        questions.push(self.open(other, other.newest())?);
                    } else if !self.is_waiting() {
                        return Err(most_telling(reasons));
                    }
                }
            }
        }
    }

    /// How long to wait for the first answer before the other era is tried on the same pipe.
    fn patience(&self, first: Era) -> Duration {
        let left = self.settings.deadline.remaining();
        match first {
            // A first start may download packages for most of the time there is, and some servers that read another
            // request before `notifications/initialized` do not survive it.
            Era::Legacy => left / 4 * 3,
            Era::Modern => DISCOVER_PATIENCE.min(left / 3),
        }
    }

    /// Makes the first request of an era.
    fn open(&mut self, era: Era, version: &'static str) -> Result<Question, ErrorKind> {
        self.asked_in.insert(era);
        let id = match era {
            Era::Legacy => {
                // No capabilities: servers change their lists, and ask things of their own, for what a client declares.
                let params = [
                    ("protocolVersion", Value::from(version)),
                    ("capabilities", Object::new().into()),
                    ("clientInfo", self.settings.client.to_object().into()),
                ];
                self.ask(era.first_method(), params.into_iter().collect())?
            }
            Era::Modern => self.ask(era.first_method(), self.envelope(version))?,
        };
        Ok(Question { id, era, version })
    }

    /// The parameters of a request in the era that was agreed on, without those of its own.
    pub(super) fn params(&self) -> Object {
        match self.agreement {
            Some(Agreement { era: Era::Modern, version }) => self.envelope(version),
            _ => Object::new(),
        }
    }

    /// What every modern request carries. Capabilities are empty for the same reason as in `initialize`.
    fn envelope(&self, version: &str) -> Object {
        let meta: Object = [
            (META_VERSION, Value::from(version)),
            (META_CLIENT, self.settings.client.to_object().into()),
            (META_CAPABILITIES, Object::new().into()),
        ]
        .into_iter()
        .collect();
        [("_meta", meta)].into_iter().collect()
    }

    fn judge(
        &mut self,
        era: Era,
        version: &'static str,
        may_repeat: bool,
        reply: Reply,
    ) -> Result<Judgement, ErrorKind> {
        let method = era.first_method();
        match (era, reply.outcome) {
            (_, Outcome::Error(error)) => self.judge_error(era, version, may_repeat, &error),
            (Era::Legacy, Outcome::Result(Value::Object(result))) => {
                self.judge_initialized(result, reply.text).map(Judgement::Agreed)
            }
            (Era::Legacy, Outcome::Result(other)) => Err(not_mcp(method, &format!("its result is {}", other.kind()))),
            (Era::Modern, Outcome::Result(Value::Object(result))) => self.judge_discovered(result, reply.text),
            // Some legacy servers answer whatever they do not know with something.
            (Era::Modern, Outcome::Result(other)) => {
                Ok(Judgement::NotThisEra(not_mcp(method, &format!("its result is {}", other.kind()))))
            }
            (_, Outcome::Unclear(problem)) => Err(not_mcp(method, problem)),
        }
    }

    fn judge_initialized(&self, result: Object, text: String) -> Result<Opening, ErrorKind> {
        let method = Era::Legacy.first_method();
        match result.get("protocolVersion") {
            Some(Value::String(version)) => match known(Era::Legacy, std::slice::from_ref(version)) {
                Some(version) => {
                    Ok(Opening { agreement: Agreement { era: Era::Legacy, version }, declaration: result, text })
                }
                None => Err(self.unknown_versions(std::slice::from_ref(version))),
            },
            Some(other) => Err(not_mcp(method, &format!("its protocolVersion is {}", other.kind()))),
            None => Err(not_mcp(method, "it has no protocolVersion")),
        }
    }

    fn judge_discovered(&self, result: Object, text: String) -> Result<Judgement, ErrorKind> {
        let method = Era::Modern.first_method();
        self.refuse_incomplete(method, &result)?;
        let Some(versions @ Value::Array(_)) = result.get("supportedVersions") else {
            return Ok(Judgement::NotThisEra(not_mcp(method, "it has no array of supportedVersions")));
        };
        let versions = texts(versions);
        if let Some(version) = known(Era::Modern, &versions) {
            let agreement = Agreement { era: Era::Modern, version };
            return Ok(Judgement::Agreed(Opening { agreement, declaration: result, text }));
        }
        match known(Era::Legacy, &versions) {
            Some(_) => Ok(Judgement::NotThisEra(self.wrong_era(Era::Modern, &versions))),
            None => Err(self.unknown_versions(&versions)),
        }
    }

    /// Reads an error as the document of the protocol's rules and its table of real servers say.
    fn judge_error(
        &self,
        era: Era,
        version: &'static str,
        may_repeat: bool,
        error: &RpcError,
    ) -> Result<Judgement, ErrorKind> {
        let reason = self.server_error(era.first_method(), error);
        let listed = &error.supported;
        match (era, error.code) {
            (_, Some(UNSUPPORTED_VERSION)) if known(era.other(), listed).is_some() && known(era, listed).is_none() => {
                Ok(Judgement::NotThisEra(self.wrong_era(era, listed)))
            }
            (_, Some(UNSUPPORTED_VERSION)) if listed.is_empty() => Ok(Judgement::NotThisEra(reason)),
            (_, Some(UNSUPPORTED_VERSION)) => match known(era, listed) {
                // A server that lists both eras is asked in the modern one, which is what the error belongs to.
                Some(_) if self.settings.era.second() == Some(Era::Modern) && known(Era::Modern, listed).is_some() => {
                    Ok(Judgement::NotThisEra(reason))
                }
                Some(other) if may_repeat && other != version => Ok(Judgement::Again(other)),
                Some(_) => Err(reason),
                None => Err(self.unknown_versions(listed)),
            },
            // A modern server has no `initialize`, and wants the envelope of its own requests.
            (Era::Legacy, Some(METHOD_NOT_FOUND | INVALID_PARAMS | HEADER_MISMATCH | MISSING_CAPABILITY)) => {
                Ok(Judgement::NotThisEra(reason))
            }
            (Era::Legacy, _) => Err(reason),
            (Era::Modern, Some(HEADER_MISMATCH | MISSING_CAPABILITY)) => Err(reason),
            (Era::Modern, _) => Ok(Judgement::NotThisEra(reason)),
        }
    }

    /// Refuses a modern result that is not the whole answer.
    pub(super) fn refuse_incomplete(&self, method: &'static str, result: &Object) -> Result<(), ErrorKind> {
        let problem = match result.get("resultType") {
            None => return Ok(()),
            Some(Value::String(kind)) if kind == "complete" => return Ok(()),
            Some(Value::String(kind)) if kind == "input_required" => {
                "\"input_required\": it wants input first, which this request may not".to_owned()
            }
            Some(Value::String(kind)) => format!("\"{}\", which is not known", self.quoter.quote(kind)),
            Some(other) => format!("{}, not a string", other.kind()),
        };
        Err(ErrorKind::ResultType { method, problem })
    }

    /// The era that a fresh process should be asked in, after this one failed with this error; `None` where a second
    /// start would tell nothing new.
    ///
    /// A process that ends without an answer may have been asked in the wrong era: some end at a first request that is
    /// not `initialize`. One that was asked in both may have ended for the second question. And some that speak both
    /// eras are bound to the first one that they are asked in, though they then say that it is of no use.
    pub(super) fn try_afresh(&self, error: &ErrorKind) -> Option<Era> {
        let EraChoice::Auto { first } = self.settings.era else { return None };
        let asked_in_both = self.asked_in.len() > 1;
        match self.agreement {
            Some(agreement) => (self.ended && asked_in_both).then_some(agreement.era),
            None if self.stage != Stage::Handshake => None,
            None if self.ended => Some(first.other()),
            None => {
                let refused = matches!(error, ErrorKind::Server { .. } | ErrorKind::WrongEra { .. });
                (refused && asked_in_both && first == Era::Modern).then_some(Era::Legacy)
            }
        }
    }

    fn wrong_era(&self, asked: Era, versions: &[String]) -> ErrorKind {
        ErrorKind::WrongEra { asked, versions: self.listed(versions) }
    }

    fn unknown_versions(&self, versions: &[String]) -> ErrorKind {
        ErrorKind::UnsupportedVersion { version: self.listed(versions) }
    }

    fn listed(&self, versions: &[String]) -> String {
        let named = versions.iter().take(NAMED_VERSIONS).map(|version| format!("\"{}\"", self.quoter.quote(version)));
        let named = named.collect::<Vec<_>>().join(", ");
        match versions.len().saturating_sub(NAMED_VERSIONS) {
            _ if versions.is_empty() => "(none)".to_owned(),
            0 => named,
            more => format!("{named} and {more} more"),
        }
    }
}

/// Whether a refusal at the level of HTTP is what servers of the old era answer to a modern request.
fn says_legacy(reason: &ErrorKind) -> bool {
    matches!(reason, ErrorKind::Http(error) if error.evidence() == Evidence::Legacy)
}

/// The newest revision of an era that is listed and known.
fn known(era: Era, listed: &[String]) -> Option<&'static str> {
    era.versions().iter().rev().copied().find(|version| listed.iter().any(|listed| listed == version))
}

/// The error to report when neither era was of use: most servers are legacy ones, and what they say to `initialize` is
/// what their author meant to say; but a server that says there that it is a modern one is taken at its word.
fn most_telling(mut reasons: Vec<(Era, ErrorKind)>) -> ErrorKind {
    let says_modern = reasons.iter().any(|(era, why)| *era == Era::Legacy && matches!(why, ErrorKind::WrongEra { .. }));
    let wanted = if says_modern { Era::Modern } else { Era::Legacy };
    let at = reasons.iter().position(|(era, _)| *era == wanted).unwrap_or(0);
    match reasons.is_empty() {
        true => ErrorKind::NotMcp("it answered nothing that was asked".into()),
        false => reasons.swap_remove(at).1,
    }
}

fn not_mcp(method: &str, problem: &str) -> ErrorKind {
    ErrorKind::NotMcp(format!("the answer to {method} is none: {problem}"))
}
