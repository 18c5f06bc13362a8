//! Reading the `pin` block (SPEC.md §13, §19).

use super::fields::{Place, ReadError};
use crate::json::{Object, Value};
use crate::lock::{Approval, Pin, WardenPin};

/// The longest note of an attestation, in code points.
pub(super) const MAX_NOTE: usize = 1000;

/// All but [`Pin::stored`], which the caller moves there once nothing looks at it any more.
pub(super) fn read_pin(pin: &Place<'_>) -> Result<Pin, ReadError> {
    let approved_digest = match pin.object.get_non_null("approved_digest") {
        None => None,
        Some(_) => Some(pin.digest("approved_digest")?),
    };
    let warden = WardenPin::read(pin.object.get("warden"));
    let approved = pin.flag("approved", false)?;
    let approval = Approval {
        approved,
        approver: pin.optional_text("approver")?,
        approved_at: pin.optional_text("approved_at")?,
        // An approval that was given for other settings is for something else.
        approved_digest: approved_digest.filter(|_| !approved || warden.settings_hold()),
    };
    pin.optional_text("rotated_at")?;
    require_integer(pin, "rotation_count", 0)?;
    require_integer(pin, "provenance_version", 1)?;
    if let Some(pinner) = pin.object.get_non_null("pinner") {
        let pinner = pin.child("pinner", pinner)?;
        for member in ["tool", "tool_version", "actor", "environment"] {
            pinner.optional_text(member)?;
        }
    }
    if let Some(value) = pin.object.get("attestations") {
        let items = value
            .as_array()
            .ok_or_else(|| pin.error("attestations", format!("an array is required here, not {}", value.kind())))?;
        items.iter().try_for_each(|item| check_attestation(pin, item))?;
    }
    Ok(Pin {
        created_at: pin.text("created_at")?.to_owned(),
        warden_version: pin.text("warden_version")?.to_owned(),
        mcp_protocol_version: pin.text("mcp_protocol_version")?.to_owned(),
        approval,
        warden,
        stored: Object::new(),
    })
}

/// A member that may be missing but is otherwise an integer token of at least `least`.
fn require_integer(pin: &Place<'_>, member: &str, least: i64) -> Result<(), ReadError> {
    match pin.object.get(member) {
        None => Ok(()),
        Some(Value::Int(number)) if *number >= least => Ok(()),
        Some(_) => Err(pin.error(member, format!("an integer of at least {least} is required here"))),
    }
}

fn check_attestation(pin: &Place<'_>, item: &Value) -> Result<(), ReadError> {
    let attestation = pin.child("attestations", item)?;
    attestation.text("actor")?;
    attestation.text("created_at")?;
    attestation.digest("bound_digest")?;
    for member in ["role", "method"] {
        attestation.optional_text(member)?;
    }
    match attestation.optional_text("note")? {
        Some(note) if note.chars().count() > MAX_NOTE => {
            Err(attestation.error("note", format!("a note may have at most {MAX_NOTE} characters")))
        }
        _ => Ok(()),
    }
}
