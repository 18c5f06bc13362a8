//! The `pin` block: when, by whom and how a lock was made, and whether somebody approved it (SPEC.md §13).

use super::PromptArguments;
use crate::json::{Digest, Object, Value, hash};
use crate::surface::Section;
use std::collections::BTreeSet;

/// The approval members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Approval {
    pub approved: bool,
    pub approver: Option<String>,
    /// RFC 3339 as stored; not checked.
    pub approved_at: Option<String>,
    /// The overall digest that the approver attested to.
    pub approved_digest: Option<Digest>,
}

impl Approval {
    /// Whether any member but `approved` is filled in.
    pub fn has_remains(&self) -> bool {
        self.approver.is_some() || self.approved_at.is_some() || self.approved_digest.is_some()
    }
}

/// How this tool captured, in `pin.warden`; other tools ignore it. Read leniently: nothing in `pin` may make a lock
/// unreadable to a tool that does not know it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WardenPin {
    /// Declared sections whose list the server answered with "method not found", accepted by `--allow-missing`.
    pub allow_missing: BTreeSet<Section>,
    pub prompt_arguments: PromptArguments,
    /// Digests over declared things that the format leaves outside its digest, by kind.
    pub not_covered: Object,
    /// What the server is started with besides its launch, as a configuration says it: names, and of values only the
    /// references in them. Empty for a server that was named on the command line.
    pub started_with: Object,
    /// The digest of [`WardenPin::started_with`] that an approval was given for: the format's own digest does not cover it.
    pub approved_settings: Option<Digest>,
}

/// The whole block.
#[derive(Debug, Clone)]
pub struct Pin {
    pub created_at: String,
    pub warden_version: String,
    pub mcp_protocol_version: String,
    pub approval: Approval,
    pub warden: WardenPin,
    /// Every member as stored, those above included.
    pub(super) stored: Object,
}

impl Approval {
    /// Whether somebody approved exactly this digest, and is named: a bare `true` is nobody's statement.
    pub fn holds_for(&self, digest: Digest) -> bool {
        self.approved && self.approved_digest == Some(digest) && self.named().is_some()
    }

    /// Who approved, where it is more than blanks.
    pub fn named(&self) -> Option<&str> {
        self.approver.as_deref().filter(|name| !name.trim().is_empty())
    }
}

impl Pin {
    /// How often the lock was attested again since it was captured.
    pub fn rotation_count(&self) -> i64 {
        match self.stored.get("rotation_count") {
            Some(Value::Int(count)) => *count,
            _ => 0,
        }
    }

    /// The attestations as stored, oldest first.
    pub fn attestations(&self) -> impl Iterator<Item = &Object> {
        let stored = self.stored.get("attestations").and_then(Value::as_array).unwrap_or_default();
        stored.iter().filter_map(Value::as_object)
    }
}

impl WardenPin {
    /// From `pin.warden`, whatever stands there.
    pub(super) fn read(value: Option<&Value>) -> Self {
        let member = |name| value.and_then(|value| value.get(name));
        let words = member("allow_missing").and_then(Value::as_array).unwrap_or_default();
        let named = |section: &Section| words.iter().any(|word| word.as_str() == Some(section.key()));
        Self {
            allow_missing: Section::ALL.into_iter().filter(named).collect(),
            prompt_arguments: match member("prompt_arguments").and_then(Value::as_str) {
                Some("normalized") => PromptArguments::Normalized,
                _ => PromptArguments::AsSent,
            },
            not_covered: member("not_covered").and_then(Value::as_object).cloned().unwrap_or_default(),
            started_with: match member("started_with") {
                None => Object::new(),
                Some(Value::Object(record)) => record.clone(),
                // Whatever it is, it is what no configuration says.
                Some(_) => [("unreadable", true)].into_iter().collect(),
            },
            approved_settings: member("approved_settings").and_then(Value::as_str).and_then(|text| text.parse().ok()),
        }
    }

    /// The digest over what the server is started with; `None` where that is nothing.
    pub fn settings_digest(&self) -> Option<Digest> {
        (!self.started_with.is_empty()).then(|| hash(&self.started_with.clone().into()).ok())?
    }

    /// Whether an approval that was given still is for what the server is started with.
    pub fn settings_hold(&self) -> bool {
        self.approved_settings == self.settings_digest()
    }

    /// The block to store, `None` where there is nothing to say.
    pub fn to_object(&self) -> Option<Object> {
        let mut object = Object::new();
        if !self.allow_missing.is_empty() {
            object.insert("allow_missing", self.allow_missing.iter().map(|section| section.key()).collect::<Vec<_>>());
        }
        if self.prompt_arguments == PromptArguments::Normalized {
            object.insert("prompt_arguments", "normalized");
        }
        if !self.not_covered.is_empty() {
            object.insert("not_covered", self.not_covered.clone());
        }
        if !self.started_with.is_empty() {
            object.insert("started_with", self.started_with.clone());
        }
        if let Some(digest) = self.approved_settings {
            object.insert("approved_settings", digest);
        }
        Some(object).filter(|object| !object.is_empty())
    }
}
