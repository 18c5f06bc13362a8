//! Values that a server was given and that it repeats: none of them may be stored or shown.

use super::server::Plan;
use crate::capture::Redactor;
use crate::checks;
use crate::json::{Object, ParseLimits, Value, parse};
use crate::lock::PinnedSurface;
use crate::report::Failure;
use crate::surface::{About, Launch, RawSurface, Section, Surface};
use crate::text::{Charset, escape};

/// Values shorter than this occur in surfaces by chance.
const MIN_ECHO: usize = 8;

impl Plan {
    /// Names, URIs and parts of schemas are stored as they are. A server that puts a value from `--env` or a header
    /// into them would have it committed to source control, so such a surface is refused. Paths and plain addresses are
    /// not taken for secrets unless their variable's name says so.
    pub(super) fn refuse_echoed_secrets(&self, pinned: &PinnedSurface) -> Result<(), Box<Failure>> {
        let guard = self.guard();
        if guard.is_empty() {
            return Ok(());
        }
        for entry in Section::ALL.into_iter().flat_map(|section| pinned.entries(section)) {
            if let Some(name) = text_of(entry.stored, &|text| self.echoed(&guard, text)) {
                return Err(self.failure(echo_failure(
                    &format!("one of the {}", entry.section.key()),
                    &name,
                    "the lock",
                )));
            }
        }
        Ok(())
    }

    /// A surface file holds every text as it was sent, so a value from `--env` or a header anywhere in it would
    /// be stored.
    ///
    /// # Errors
    /// One of the texts repeats such a value.
    pub(super) fn refuse_echoed_in_texts(&self, raw: &RawSurface) -> Result<(), Box<Failure>> {
        let guard = self.guard();
        for text in raw.texts().filter(|_| !guard.is_empty()) {
            let limits = ParseLimits { max_bytes: text.len(), max_depth: usize::MAX, max_values: usize::MAX };
            // A text that cannot be parsed is searched as it is; there is none.
            let value = parse(text.as_bytes(), &limits).unwrap_or_else(|_| Value::from(text));
            if let Some(name) = first_text(&value, &|text| self.echoed(&guard, text)) {
                return Err(self.failure(echo_failure("what the server declares", &name, "the surface file")));
            }
        }
        Ok(())
    }

    /// The values that must not show. For a server at a URL, access tokens are among them, which nobody knew before the
    /// capture.
    fn guard(&self) -> Redactor {
        match self.launch {
            Launch::Stdio { .. } => Redactor::new(self.secrets()),
            Launch::Url(_) => self.remote.remote.secrets.clone(),
        }
    }

    /// The name of a value in a text, unless it may be there.
    fn echoed(&self, guard: &Redactor, text: &str) -> Option<String> {
        guard.find_except(text, &self.remote.plain)
    }

    /// The values given by `--env`, or in the place of references of the launch, that must not show, each behind its name.
    fn secrets(&self) -> Vec<(&str, &str)> {
        let is_place =
            |value: &str| value.starts_with(['/', '.', '~']) || (value.contains("://") && !value.contains('@'));
        self.explicit
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str()?)))
            .chain(self.inserted.iter().map(|(name, value)| (name.as_str(), value.as_str())))
            .filter(|(name, value)| value.len() >= MIN_ECHO && (checks::is_secret_name(name) || !is_place(value)))
            .collect()
    }

    /// The surface for eyes, where a description or another text that is only hashed repeats such a value: findings
    /// quote what they are about, and they are stored. `None` where it is fit as it is.
    pub(super) fn without_secrets(&self, surface: &Surface) -> Option<Surface> {
        let guard = self.guard();
        if guard.is_empty() {
            return None;
        }
        let about = &surface.about;
        let mut entries = surface
            .tools
            .iter()
            .map(|tool| tool.raw())
            .chain(surface.resources.iter().map(|resource| resource.raw()))
            .chain(surface.prompts.iter().map(|prompt| prompt.raw()))
            .chain([&about.declaration]);
        let find = |text: &str| self.echoed(&guard, text);
        let echoes = entries.any(|object| text_of(object, &find).is_some())
            || about.resource_templates.iter().any(|template| first_text(template, &find).is_some());
        if !echoes {
            return None;
        }
        let redact = |object: &Object| Value::from(redacted_object(object, &guard));
        // It has the entries of the surface, so it is as good as that was.
        let mut fit = Surface::from_entries(
            surface.tools.iter().map(|tool| redact(tool.raw())).collect(),
            surface.resources.iter().map(|resource| redact(resource.raw())).collect(),
            surface.prompts.iter().map(|prompt| redact(prompt.raw())).collect(),
        )
        .ok()?;
        fit.about = About {
            protocol_version: about.protocol_version.clone(),
            declaration: redacted_object(&about.declaration, &guard),
            resource_templates: about.resource_templates.iter().map(|value| redacted(value, &guard)).collect(),
        };
        Some(fit)
    }
}

fn echo_failure(what: &str, name: &str, place: &str) -> Failure {
    let name = escape(name, Charset::Unicode);
    Failure {
        code: "E-SECRET".to_owned(),
        stage: "surface".to_owned(),
        message: format!("{what} repeats the value of {name}, which would be stored in {place}"),
        hint: Some("Give the server another value, or pass it in a way that the server does not declare.".to_owned()),
        ..Failure::default()
    }
}

/// A value with every text and member name redacted.
fn redacted(value: &Value, redactor: &Redactor) -> Value {
    match value {
        Value::String(text) => redactor.redact(text).into(),
        Value::Array(items) => Value::Array(items.iter().map(|item| redacted(item, redactor)).collect()),
        Value::Object(object) => redacted_object(object, redactor).into(),
        other => other.clone(),
    }
}

fn redacted_object(object: &Object, redactor: &Redactor) -> Object {
    object.iter().map(|(name, item)| (redactor.redact(name), redacted(item, redactor))).collect()
}

/// The first answer of `find` for a text anywhere in a value, names of members included.
fn first_text(value: &Value, find: &impl Fn(&str) -> Option<String>) -> Option<String> {
    match value {
        Value::String(text) => find(text),
        Value::Array(items) => items.iter().find_map(|item| first_text(item, find)),
        Value::Object(object) => text_of(object, find),
        // A value of digits only may come back as a number.
        Value::Int(number) => find(&number.to_string()),
        _ => None,
    }
}

fn text_of(object: &Object, find: &impl Fn(&str) -> Option<String>) -> Option<String> {
    object.iter().find_map(|(name, item)| find(name).or_else(|| first_text(item, find)))
}
