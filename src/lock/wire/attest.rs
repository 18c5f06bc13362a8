//! Attesting a lock as it is: approval and rotation without a capture (SPEC.md §13.2 to §13.4).

use super::edit::{Members, array, laid_out};
use super::pin::MAX_NOTE;
use super::write::{KNOWN, attestation, pinner};
use crate::json::{Value, element_spans};
use crate::lock::Lock;
use crate::text::is_hidden;

/// What is added to a lock, and by whom. Time and people are parameters: this room has no clock and no environment.
#[derive(Debug, Clone, Copy)]
pub struct NewAttestation<'a> {
    /// Who approves.
    pub approver: &'a str,
    /// In which role; the format's own word is `approver`.
    pub role: &'a str,
    /// At most 1000 code points.
    pub note: Option<&'a str>,
    /// RFC 3339, UTC, whole seconds, `Z`.
    pub created_at: &'a str,
    /// This tool's version.
    pub warden_version: &'a str,
    /// Who runs this tool, where the caller knows.
    pub actor: Option<&'a str>,
    /// Where, in a word: `ci` …
    pub environment: Option<&'a str>,
}

/// A text about people that must not be written into a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("it is empty")]
    Empty,
    #[error("it is longer than {0} characters")]
    TooLong(usize),
    #[error("it holds a character that cannot be seen")]
    Hidden,
}

/// The longest name or role, in code points.
const MAX_NAME: usize = 200;

/// Checks who approves, or in which role: one line that shows what it is, because reviewers go by it.
///
/// # Errors
/// Nothing but blanks, too long, or with characters that are invisible or drive a terminal.
pub fn check_name(name: &str) -> Result<(), TextError> {
    match name {
        name if name.trim().is_empty() => Err(TextError::Empty),
        name if name.chars().count() > MAX_NAME => Err(TextError::TooLong(MAX_NAME)),
        name if name.chars().any(is_hidden) => Err(TextError::Hidden),
        _ => Ok(()),
    }
}

/// Checks a note: several lines are fine.
///
/// # Errors
/// Longer than the format allows, or with characters that are invisible or drive a terminal.
pub fn check_note(note: &str) -> Result<(), TextError> {
    match note {
        note if note.chars().count() > MAX_NOTE => Err(TextError::TooLong(MAX_NOTE)),
        note if note.chars().any(|c| is_hidden(c) && !matches!(c, '\n' | '\t')) => Err(TextError::Hidden),
        _ => Ok(()),
    }
}

/// The text of the lock with one more attestation, which is also its approval: counter and time of the rotation, and
/// the pinner, are renewed. Every other byte stays. `text` is what `lock` was read from.
///
/// Whether the lock may be attested at all is the caller's question: [`Lock::inconsistencies`].
pub fn attested(text: &str, lock: &Lock, new: &NewAttestation<'_>) -> String {
    let digest = lock.surface.overall_digest;
    let mut document = Members::of(text);
    let mut pin = Members::of(document.get("pin"));
    pin.set("approved", &true.into(), 2);
    pin.set("approver", &new.approver.into(), 2);
    pin.set("approved_at", &new.created_at.into(), 2);
    pin.set("approved_digest", &digest.into(), 2);
    if let Some(settings) = lock.pin.warden.settings_digest() {
        let mut warden = Members::of(pin.get("warden"));
        warden.set("approved_settings", &settings.into(), 3);
        let warden = warden.render(3);
        pin.set_text("warden", warden);
    }
    if pin.get("provenance_version").is_empty() {
        pin.set("provenance_version", &1.into(), 2);
    }
    pin.set("pinner", &pinner(new.warden_version, new.actor, new.environment).into(), 2);
    let added = attestation(digest, new.approver, new.role, new.created_at, new.note);
    let attestations = element_spans(pin.get("attestations")).into_iter().map(str::to_owned);
    let attestations = array(attestations.chain([laid_out(&added.into(), 3)]), 3);
    pin.set_text("attestations", attestations);
    pin.set("rotated_at", &new.created_at.into(), 2);
    // One that is past what a reader accepts is refused when the text is read back.
    pin.set("rotation_count", &Value::Int(lock.pin.rotation_count().saturating_add(1)), 2);
    pin.arrange(&KNOWN);
    let pin = pin.render(2);
    document.set_text("pin", pin);
    let mut text = document.render(1);
    text.push('\n');
    text
}
