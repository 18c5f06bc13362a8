//! Lock to text, in the fixed layout (SPEC.md §12).

use crate::finding::Finding;
use crate::json::{Digest, Object, PrettyObject, Value};
use crate::lock::{Approval, Pin, PinnedSurface, WardenPin};
use crate::surface::{Launch, Section};

/// The pin block of a fresh lock. Time, version and people are parameters: this room has no clock and no environment.
#[derive(Debug, Clone)]
pub struct NewPin<'a> {
    /// RFC 3339, UTC, whole seconds, `Z`.
    pub created_at: &'a str,
    /// This tool's version.
    pub warden_version: &'a str,
    /// The revision that the server answered with.
    pub mcp_protocol_version: &'a str,
    /// Who approves this very content, if anybody.
    pub approver: Option<&'a str>,
    /// Who pins, where the caller knows.
    pub actor: Option<&'a str>,
    /// Where the pin is made, where the caller knows: `ci`, `laptop` …
    pub environment: Option<&'a str>,
    pub warden: WardenPin,
    /// The lock that is replaced: its unknown pin members are kept.
    pub previous: Option<&'a Pin>,
}

/// The role of an attestation that is an approval.
pub const APPROVER: &str = "approver";

/// The members of `pin` that this tool writes, in order. Others are somebody else's.
pub(super) const KNOWN: [&str; 13] = [
    "created_at",
    "warden_version",
    "mcp_protocol_version",
    "approved",
    "approver",
    "approved_at",
    "approved_digest",
    "provenance_version",
    "pinner",
    "attestations",
    "rotated_at",
    "rotation_count",
    "warden",
];

/// The whole text of a fresh lock, one final newline included.
pub fn render(surface: &PinnedSurface, findings: &[Finding], pin: &NewPin<'_>) -> String {
    let mut top = PrettyObject::default();
    top.member("schema_version", i64::from(surface.level.number()));
    top.member("warden_version", pin.warden_version);
    top.member("server", server(surface));
    for section in Section::ALL {
        top.objects(section.key(), surface.entries(section).map(|entry| entry.stored));
    }
    top.member("findings", findings.iter().map(finding).collect::<Vec<_>>());
    top.member("overall_digest", surface.overall_digest);
    top.member("pin", fresh_pin(surface, pin));
    let mut text = top.finish();
    text.push('\n');
    text
}

fn server(surface: &PinnedSurface) -> Object {
    let mut server = Object::new();
    let (command, args, url) = match &surface.launch {
        Launch::Stdio { command, args } => (command.as_str(), args.clone(), None),
        Launch::Url(url) => ("", Vec::new(), Some(url.as_str())),
    };
    server.insert("command", command);
    server.insert("args", args);
    server.insert("url", url);
    server.insert("command_digest", surface.command_digest);
    server
}

pub(super) fn finding(finding: &Finding) -> Object {
    let members = [
        ("rule_id", finding.rule_id),
        ("severity", finding.severity.as_str()),
        ("target", &finding.target),
        ("message", &finding.message),
        ("snippet", &finding.snippet),
    ];
    members.into_iter().collect()
}

pub(super) fn fresh_pin(surface: &PinnedSurface, new: &NewPin<'_>) -> Object {
    let approval = match new.approver {
        None => Approval::default(),
        Some(approver) => Approval {
            approved: true,
            approver: Some(approver.to_owned()),
            approved_at: Some(new.created_at.to_owned()),
            approved_digest: Some(surface.overall_digest),
        },
    };
    let mut pin = Object::new();
    pin.insert("created_at", new.created_at);
    pin.insert("warden_version", new.warden_version);
    pin.insert("mcp_protocol_version", new.mcp_protocol_version);
    pin.insert("approved", approval.approved);
    pin.insert("approver", approval.approver);
    pin.insert("approved_at", approval.approved_at);
    pin.insert("approved_digest", approval.approved_digest);
    pin.insert("provenance_version", 1);
    pin.insert("pinner", pinner(new.warden_version, new.actor, new.environment));
    let attestation = |actor| attestation(surface.overall_digest, actor, APPROVER, new.created_at, None);
    pin.insert("attestations", new.approver.map(attestation).into_iter().collect::<Vec<_>>());
    pin.insert("rotated_at", Value::Null);
    pin.insert("rotation_count", 0);
    if let Some(warden) = new.warden.to_object() {
        pin.insert("warden", warden);
    }
    for (name, value) in new.previous.iter().flat_map(|previous| previous.stored.iter()) {
        if !KNOWN.contains(&name) {
            pin.insert(name, value.clone());
        }
    }
    pin
}

/// Who wrote the file, with what, and where.
pub(super) fn pinner(version: &str, actor: Option<&str>, environment: Option<&str>) -> Object {
    let mut pinner = Object::new();
    pinner.insert("tool", "warden");
    pinner.insert("tool_version", version);
    pinner.insert("actor", actor);
    pinner.insert("environment", environment);
    pinner
}

/// The attestation that goes with an approval.
pub(super) fn attestation(digest: Digest, actor: &str, role: &str, created_at: &str, note: Option<&str>) -> Object {
    let mut attestation = Object::new();
    attestation.insert("actor", actor);
    attestation.insert("role", role);
    attestation.insert("method", "manual");
    attestation.insert("created_at", created_at);
    attestation.insert("bound_digest", digest);
    attestation.insert("note", note);
    attestation.insert("signature_bundle", Value::Null);
    attestation
}
