//! What an entry pins of a server, in the form that its surface digest is over, and how it comes from and goes back to
//! a [`Surface`].

use super::kind::Kind;
use crate::formats::document::quoted;
use crate::formats::{Item, Refusal, fingerprint};
use crate::json::{CanonicalError, Object, Value, hash, hash_members};
use crate::surface::{About, Era, SERVER_INFO, Surface};
use std::collections::{BTreeMap, HashSet};

/// The members of the surface digest: `protocolVersion`, `serverInfo`, `instructions` (`null` for none), `capabilities`,
/// the four lists in the order in which they are hashed, and for a modern server `supportedVersions`.
///
/// The types of these members are checked by who builds one: [`Declared::of`] here, `read` for files.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Declared(pub Object);

/// Every digest of an entry, as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Digests {
    pub surface: String,
    pub instructions: Option<String>,
    /// By kind, then by key.
    pub items: [BTreeMap<String, String>; 4],
}

impl Declared {
    pub fn text(&self, member: &str) -> &str {
        self.0.get(member).and_then(Value::as_str).unwrap_or_default()
    }

    pub fn instructions(&self) -> Option<&str> {
        self.0.get("instructions").and_then(Value::as_str)
    }

    /// The definitions of a kind, in the order of the list.
    pub fn items(&self, kind: Kind) -> &[Value] {
        self.0.get(kind.member()).and_then(Value::as_array).unwrap_or_default()
    }

    /// The era: modern is what has the list of versions that `server/discover` gave.
    pub fn era(&self) -> Era {
        if self.0.contains("supportedVersions") { Era::Modern } else { Era::Legacy }
    }

    /// All digests; that of the surface is over every member there is.
    ///
    /// # Errors
    /// Nesting that cannot be hashed.
    pub fn digests(&self) -> Result<Digests, CanonicalError> {
        let instructions = match self.0.get("instructions") {
            Some(text @ Value::String(_)) => Some(hash(text)?.to_string()),
            _ => None,
        };
        let mut items: [BTreeMap<String, String>; 4] = Default::default();
        for (kind, digests) in Kind::ALL.into_iter().zip(&mut items) {
            for item in self.items(kind) {
                digests.insert(key_of(kind, item).to_owned(), hash(item)?.to_string());
            }
        }
        Ok(Digests { surface: hash_members(self.0.iter())?.to_string(), instructions, items })
    }

    /// The surface digest of version 2 with the list of versions left out, which its specification does not settle.
    ///
    /// # Errors
    /// As [`Declared::digests`].
    pub fn digest_without_versions(&self) -> Result<String, CanonicalError> {
        let members = self.0.iter().filter(|(name, _)| *name != "supportedVersions");
        Ok(hash_members(members)?.to_string())
    }

    /// What a captured server declares, its lists sorted by key.
    ///
    /// # Errors
    /// It says less at the handshake than an entry needs, its era is open, or templates cannot be told apart.
    pub fn of(surface: &Surface) -> Result<Self, Refusal> {
        let about = &surface.about;
        if about.protocol_version.is_empty() {
            return Err(Refusal("the surface does not hold what the server said at the handshake".to_owned()));
        }
        let mut members = Object::new();
        members.insert("protocolVersion", about.protocol_version.as_str());
        if about.era() == Some(Era::Modern) {
            members.insert("supportedVersions", supported_versions(about)?);
        }
        let object = |what: &str, value: Option<&Value>| match value {
            Some(Value::Object(object)) => Ok(object.clone()),
            Some(other) => Err(Refusal(format!("the server's {what} is {}, not an object", other.kind()))),
            None => Err(Refusal(format!("the server says no {what}"))),
        };
        members.insert("serverInfo", object("serverInfo", about.server_info())?);
        members.insert("instructions", about.instructions().map(str::to_owned));
        members.insert("capabilities", object("capabilities", about.declaration.get("capabilities"))?);
        for kind in Kind::ALL {
            let mut items: Vec<Value> = match kind {
                Kind::Tools => surface.tools.iter().map(|tool| tool.raw().clone().into()).collect(),
                Kind::Prompts => surface.prompts.iter().map(|prompt| prompt.raw().clone().into()).collect(),
                Kind::Resources => surface.resources.iter().map(|resource| resource.raw().clone().into()).collect(),
                Kind::Templates => about.resource_templates.clone(),
            };
            items.sort_by(|a, b| key_of(kind, a).cmp(key_of(kind, b)));
            check_keys(kind, &items).map_err(Refusal)?;
            members.insert(kind.member(), Value::Array(items));
        }
        Ok(Self(members))
    }

    /// The surface again; `None` where a definition has a member of a type that no [`Surface`] holds, or where the
    /// revision of the protocol belongs to another era than the rest.
    pub fn surface(&self) -> Option<Surface> {
        let list = |kind| self.items(kind).to_vec();
        let mut surface = Surface::from_entries(list(Kind::Tools), list(Kind::Resources), list(Kind::Prompts)).ok()?;
        let protocol_version = self.text("protocolVersion").to_owned();
        let era = Era::of_version(&protocol_version).unwrap_or(Era::Legacy);
        if era != self.era() {
            return None;
        }
        let member = |name: &str| self.0.get_non_null(name).cloned();
        let mut declaration = Object::new();
        match era {
            Era::Legacy => {
                declaration.insert("protocolVersion", protocol_version.as_str());
                declaration.insert("serverInfo", member("serverInfo"));
            }
            Era::Modern => {
                let meta: Object = [(SERVER_INFO, member("serverInfo"))].into_iter().collect();
                declaration.insert("resultType", "complete");
                declaration.insert("supportedVersions", member("supportedVersions"));
                declaration.insert("_meta", meta);
            }
        }
        declaration.insert("capabilities", member("capabilities"));
        if let Some(instructions) = member("instructions") {
            declaration.insert("instructions", instructions);
        }
        surface.about = About { protocol_version, declaration, resource_templates: list(Kind::Templates) };
        Some(surface)
    }
}

impl Digests {
    /// Every definition with its digest, sorted by target.
    pub fn listed(&self, declared: &Declared) -> Vec<Item> {
        let mut items = Vec::new();
        for (kind, digests) in Kind::ALL.into_iter().zip(&self.items) {
            // The formats agree about tools only.
            let tools = if kind == Kind::Tools { declared.items(kind) } else { &[] };
            let shared: BTreeMap<&str, String> = tools
                .iter()
                .filter_map(|tool| Some((key_of(kind, tool), tool.as_object().and_then(fingerprint)?)))
                .collect();
            items.extend(digests.iter().map(|(key, digest)| Item {
                target: kind.target(key),
                digest: digest.clone(),
                fingerprint: shared.get(key.as_str()).cloned(),
            }));
        }
        items.sort_by(|a, b| a.target.cmp(&b.target));
        items
    }
}

/// The identity of a definition; empty where it has none.
pub(super) fn key_of(kind: Kind, item: &Value) -> &str {
    item.get(kind.key()).and_then(Value::as_str).unwrap_or_default()
}

/// Refuses definitions of a sorted or unsorted list that are no objects, have no key, or share one. In our words, escaped.
pub(super) fn check_keys(kind: Kind, items: &[Value]) -> Result<(), String> {
    let mut seen = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let place = || format!("{} {} of {}", kind.singular(), index + 1, kind.member());
        if !matches!(item, Value::Object(_)) {
            return Err(format!("{} is {}, not an object", place(), item.kind()));
        }
        match item.get(kind.key()) {
            Some(Value::String(key)) if key.is_empty() => {
                return Err(format!("{} has an empty {}", place(), kind.key()));
            }
            Some(Value::String(key)) if !seen.insert(key.as_str()) => {
                return Err(format!("{} {} stands there twice", kind.singular(), quoted(key)));
            }
            Some(Value::String(_)) => {}
            Some(other) => return Err(format!("{}: {} is {}, not a string", place(), kind.key(), other.kind())),
            None => return Err(format!("{} has no {}", place(), kind.key())),
        }
    }
    Ok(())
}

/// The versions that a modern server listed, which must name the one that was spoken (specification: Protocol era).
fn supported_versions(about: &About) -> Result<Vec<String>, Refusal> {
    let declaration = &about.declaration;
    if let Some(kind) = declaration.get_non_null("resultType").filter(|kind| kind.as_str() != Some("complete")) {
        let shown = kind.as_str().map_or_else(|| kind.kind().to_owned(), quoted);
        return Err(Refusal(format!("the resultType of the answer to server/discover is {shown}, not \"complete\"")));
    }
    let listed = declaration.get("supportedVersions").and_then(Value::as_array);
    let listed = listed.ok_or_else(|| Refusal("the server lists no supportedVersions".to_owned()))?;
    let texts: Option<Vec<String>> = listed.iter().map(|version| version.as_str().map(str::to_owned)).collect();
    let texts = texts.ok_or_else(|| Refusal("the server's supportedVersions are not all strings".to_owned()))?;
    if !texts.contains(&about.protocol_version) {
        let version = quoted(&about.protocol_version);
        return Err(Refusal(format!("the server does not list {version} in its supportedVersions")));
    }
    Ok(texts)
}
