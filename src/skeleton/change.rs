//! The structural changes that the format tells apart, each with its class, severity and `detail` (SPEC.md §16.4,
//! §17).

use crate::finding::Severity;
use crate::json::{Value, python_repr, python_str};

/// One changed fact at one path of a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// The path as skeletons spell it; `$root` for the root.
    pub path: String,
    pub change: Change,
}

/// What changed, with both sides.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    PathAdded {
        required: bool,
        unconstrained: bool,
    },
    PathRemoved {
        required: bool,
    },
    /// Required before, optional now.
    MadeOptional,
    /// Optional before, required now.
    MadeRequired {
        unconstrained: bool,
    },
    /// Sorted words of both sides; empty means any type.
    Types {
        change: TypeChange,
        before: Vec<String>,
        now: Vec<String>,
    },
    EnumRemoved {
        before: Vec<Value>,
    },
    EnumAdded {
        now: Vec<Value>,
    },
    EnumNarrowed {
        before: Vec<Value>,
        now: Vec<Value>,
    },
    /// Any other difference: nothing here can tell that it is harmless.
    EnumWidened {
        before: Vec<Value>,
        now: Vec<Value>,
    },
    /// A leaf marker (`$ref`, `_truncated`) came, went or changed.
    Marker {
        name: &'static str,
        before: Value,
        now: Value,
    },
    AdditionalPropertiesOpened {
        now: Value,
    },
    AdditionalPropertiesClosed {
        before: Value,
    },
    Bound {
        name: &'static str,
        change: BoundChange,
        before: Option<Value>,
        now: Option<Value>,
    },
    /// `pattern` or `format`.
    Text {
        name: &'static str,
        before: Option<Value>,
        now: Option<Value>,
    },
}

/// How a set of types moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeChange {
    Broadened,
    Narrowed,
    Changed,
}

/// Whether a bound lets more or fewer values through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundChange {
    Relaxed,
    Tightened,
}

impl Change {
    /// The drift class, as it reads for an input schema.
    pub fn class(&self) -> &'static str {
        match self {
            Self::PathAdded { required: true, unconstrained: true } | Self::MadeRequired { unconstrained: true } => {
                "schema-required-unconstrained-added"
            }
            Self::PathAdded { required: true, unconstrained: false } | Self::MadeRequired { unconstrained: false } => {
                "schema-required-added"
            }
            Self::PathAdded { required: false, unconstrained: true } => "schema-unconstrained-added",
            Self::PathAdded { required: false, unconstrained: false } => "schema-property-added",
            Self::PathRemoved { required: true } => "schema-required-removed",
            Self::PathRemoved { required: false } => "schema-property-removed",
            Self::MadeOptional | Self::Bound { change: BoundChange::Relaxed, .. } | Self::Text { now: None, .. } => {
                "schema-constraint-relaxed"
            }
            Self::Types { change: TypeChange::Broadened, .. } => "schema-type-broadened",
            Self::Types { change: TypeChange::Narrowed, .. } => "schema-type-narrowed",
            Self::Types { change: TypeChange::Changed, .. } => "schema-type-changed",
            Self::EnumRemoved { .. } => "schema-enum-removed",
            Self::EnumAdded { .. } => "schema-enum-added",
            Self::EnumNarrowed { .. } => "schema-enum-narrowed",
            Self::EnumWidened { .. } => "schema-enum-widened",
            Self::Marker { .. } => "schema-modified",
            Self::AdditionalPropertiesOpened { .. } => "schema-additional-props-opened",
            Self::AdditionalPropertiesClosed { .. }
            | Self::Bound { change: BoundChange::Tightened, .. }
            | Self::Text { now: Some(_), .. } => "schema-constraint-tightened",
        }
    }

    /// The severity that goes with the class.
    pub fn severity(&self) -> Severity {
        match self.class() {
            "schema-required-unconstrained-added"
            | "schema-unconstrained-added"
            | "schema-required-removed"
            | "schema-type-broadened"
            | "schema-enum-removed"
            | "schema-enum-widened"
            | "schema-additional-props-opened"
            | "schema-modified" => Severity::High,
            "schema-required-added"
            | "schema-property-removed"
            | "schema-type-changed"
            | "schema-constraint-relaxed" => Severity::Medium,
            _ => Severity::Low,
        }
    }

    /// The `detail` of the drift item. Compared by conformance tests, so it is neither escaped nor cut for display.
    pub fn detail(&self) -> String {
        match self {
            Self::PathAdded { required, unconstrained } => format!(
                "new {} {}",
                if *required { "required" } else { "optional" },
                if *unconstrained { "unconstrained" } else { "constrained" }
            ),
            Self::PathRemoved { required: true } => "required property removed".to_owned(),
            Self::PathRemoved { required: false } => "optional property removed".to_owned(),
            Self::MadeOptional => "required→optional".to_owned(),
            Self::MadeRequired { unconstrained: true } => "optional→required unconstrained".to_owned(),
            Self::MadeRequired { unconstrained: false } => "optional→required".to_owned(),
            Self::Types { before, now, .. } => format!("type {}→{}", type_list(before), type_list(now)),
            Self::EnumRemoved { .. } => "enum removed".to_owned(),
            Self::EnumAdded { .. } => "enum added".to_owned(),
            Self::EnumNarrowed { before, now } | Self::EnumWidened { before, now } => {
                format!("enum {}→{} values", before.len(), now.len())
            }
            Self::Marker { name, before, now } => format!("{name} {}→{}", shown(before), shown(now)),
            Self::AdditionalPropertiesOpened { now } => format!("additionalProperties False→{}", shown(now)),
            Self::AdditionalPropertiesClosed { before } => format!("additionalProperties {}→False", shown(before)),
            Self::Bound { name, before: Some(before), now: Some(now), .. } => {
                format!("{name} {}→{}", shown(before), shown(now))
            }
            Self::Bound { name, now: Some(now), .. } => format!("{name} added {}", shown(now)),
            Self::Bound { name, now: None, .. } => format!("{name} removed"),
            Self::Text { name, now: None, .. } => format!("{name} removed"),
            Self::Text { name, before: None, .. } => format!("{name} added"),
            Self::Text { name, .. } => format!("{name} changed"),
        }
    }
}

fn type_list(words: &[String]) -> String {
    match words {
        [] => "any".to_owned(),
        words => python_repr(&words.to_vec().into()),
    }
}

/// A value inside a detail: redacted where its text hints at a secret, else cut at 40 code points (SPEC.md §17).
fn shown(value: &Value) -> String {
    const HINTS: [&str; 7] = ["secret", "token", "password", "apikey", "api_key", "key", "bearer"];
    let text = python_str(value);
    let lower = text.to_lowercase();
    if HINTS.iter().any(|hint| lower.contains(hint)) {
        return "<redacted>".to_owned();
    }
    crate::text::shorten(&text, 40)
}
