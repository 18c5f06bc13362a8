//! The report model. All texts that came from outside are raw here; renderers escape.

use super::coverage::Coverage;
use super::show::LockView;
use super::verdict::Verdict;
use crate::finding::{Finding, Severity};
use crate::json::{Digest, Object, Value};
use crate::skeleton::Change;
use crate::text::{escape_hidden, shorten};

/// Number of entries by section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub tools: usize,
    pub resources: usize,
    pub prompts: usize,
}

/// What a report is about, in the verdict line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subject {
    /// The lock file as the user named it; empty where no lock is in play.
    pub lock_path: String,
    /// The launch with secrets redacted, shell-quoted; or the URL.
    pub launch: String,
}

/// The lock in play.
#[derive(Debug, Clone, PartialEq)]
pub struct LockSummary {
    pub level: u8,
    /// Of its own entries.
    pub counts: Counts,
    pub warden_version: String,
    pub created_at: String,
    pub overall_digest: Digest,
    pub approved: bool,
    pub approver: Option<String>,
    pub approved_at: Option<String>,
    /// Whether the approval binds the digest in the lock.
    pub approval_binds: bool,
    /// Oldest first.
    pub attestations: Vec<AttestationLine>,
    /// What it records about its capture that changes what a check accepts; escaped.
    pub recorded: Option<String>,
}

/// The second file of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// As the user named it; raw.
    pub path: String,
    /// Where it is a lock.
    pub lock: Option<LockSummary>,
}

/// Somebody's statement about a lock; raw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttestationLine {
    pub actor: String,
    pub role: String,
    pub created_at: String,
    /// At most 1000 code points.
    pub note: Option<String>,
    /// Whether it is about the digest in the lock.
    pub binds: bool,
}

/// The server that was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSummary {
    pub name: Option<String>,
    pub version: Option<String>,
    pub protocol_version: String,
    /// Seconds from start to the last answer; shown to people only, so that machine formats stay deterministic.
    pub seconds: f64,
    /// Sections accepted as missing.
    pub missing: Vec<&'static str>,
    /// Digest over the surface that was seen.
    pub overall_digest: Digest,
}

/// Everything about one entry (or about launch, approval, the lock itself) that a reader must look at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// Raw target.
    pub target: String,
    pub items: Vec<BlockItem>,
    /// Hashed fields that differ, whether or not an item speaks of them.
    pub fields: Vec<FieldChange>,
    /// Findings that are new on this entry.
    pub findings: Vec<FindingLine>,
    /// What the entry said and what it says now, as far as it is known.
    pub texts: Vec<TextChange>,
    /// How many more places of it changed.
    pub more_texts: usize,
}

/// A place in an entry that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct TextChange {
    /// JSON pointer within the entry; raw.
    pub pointer: String,
    pub before: TextSide,
    pub now: TextSide,
    /// How the sides relate, where that says more than the two of them (`only white space changed`); escaped.
    pub remark: Option<String>,
    /// Whether the words of an item give both sides already.
    pub told: bool,
}

/// What stands in a place on one side.
#[derive(Debug, Clone, PartialEq)]
pub enum TextSide {
    /// The lock has only a hash of it.
    Unknown,
    Absent,
    /// A text as it is, another value as JSON; both raw and of bounded length.
    Text {
        raw: String,
        /// The same, with what changed marked, and shortened further where nothing changed.
        pieces: Vec<Piece>,
    },
}

/// A stretch of text; raw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Same(String),
    /// Only this side has it.
    Changed(String),
    /// So many characters are not shown.
    Omitted(usize),
}

impl Piece {
    /// How many characters of the text it stands for.
    pub fn chars(&self) -> usize {
        match self {
            Self::Same(text) | Self::Changed(text) => text.chars().count(),
            Self::Omitted(count) => *count,
        }
    }
}

/// A fact within a block.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockItem {
    pub severity: Severity,
    /// A drift class, or one of [`OTHER_CLASSES`](super::OTHER_CLASSES).
    pub class: String,
    /// Rule of the catalogue.
    pub rule_id: String,
    /// SPEC.md §17; raw.
    pub detail: Option<String>,
    /// Path within a schema; raw.
    pub path: Option<String>,
    /// In plain words; escaped already, because it is made of our words and quoted parts.
    pub words: String,
    /// The structural change that the words tell, with both sides.
    pub change: Option<Change>,
}

/// A finding, fresh or as a lock holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingLine {
    /// Raw where it comes from a lock.
    pub rule_id: String,
    pub severity: Severity,
    /// Raw.
    pub target: String,
    /// Escaped already.
    pub message: String,
    /// Escaped and redacted already.
    pub snippet: String,
    /// Where it stands, if that is not in the lock.
    pub place: Option<FilePlace>,
    /// The command that mends it, or the words to write instead; shell-quoted or escaped already.
    pub fix: Option<String>,
}

/// A place in a file that is not a lock.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePlace {
    /// The file for people: from the current folder, or with `~`; raw.
    pub path: String,
    /// The file for machines: from the root of its repository with forward slashes, else absolute; raw.
    pub uri: String,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl From<&Finding> for FindingLine {
    fn from(finding: &Finding) -> Self {
        Self {
            rule_id: finding.rule_id.to_owned(),
            severity: finding.severity,
            target: finding.target.clone(),
            message: finding.message.clone(),
            snippet: finding.snippet.clone(),
            place: None,
            fix: None,
        }
    }
}

impl FindingLine {
    /// From a lock. A severity word that nobody knows reads as low; the file is not trusted to have escaped anything.
    pub fn from_stored(finding: &Object) -> Self {
        const MAX_TEXT: usize = 500;
        let text = |member| finding.get(member).and_then(Value::as_str).unwrap_or_default();
        let shown = |member| escape_hidden(&shorten(text(member), MAX_TEXT));
        Self {
            rule_id: text("rule_id").to_owned(),
            severity: Severity::from_word(text("severity")).unwrap_or(Severity::Low),
            target: text("target").to_owned(),
            message: shown("message"),
            snippet: shown("snippet"),
            place: None,
            fix: None,
        }
    }
}

/// The `warden.toml` in play, and what it did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigUse {
    /// The file; raw.
    pub path: String,
    /// Findings that it accepts, in the order in which they were found. They stand in no other list.
    pub accepted: Vec<AcceptedFinding>,
    /// Entries whose last day is past: they accept nothing.
    pub expired: Vec<IgnoreLine>,
    /// Entries that accept nothing because there is no such finding; empty where that is not known.
    pub unused: Vec<IgnoreLine>,
}

/// A finding that an entry of `warden.toml` accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedFinding {
    pub finding: FindingLine,
    pub by: IgnoreLine,
    /// Whether the lock does not have it and its entry drifted, so that it would be a new finding.
    pub is_new: bool,
}

/// An `[[ignore]]` of `warden.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreLine {
    pub rule_id: &'static str,
    /// Raw.
    pub target: String,
    /// Raw.
    pub reason: String,
    /// The last day on which it holds, as `YYYY-MM-DD`.
    pub expires: Option<String>,
    /// Where it stands in the file.
    pub line: usize,
}

/// A member of an entry that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// As a lock stores it.
    pub member: String,
    /// Whether some item of the block says it already.
    pub has_item: bool,
}

/// Why a server could not be captured.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    /// `E-…`.
    pub code: String,
    pub stage: String,
    /// Escaped already.
    pub message: String,
    pub hint: Option<String>,
    /// Last lines of standard error; escaped and redacted already.
    pub stderr: Vec<String>,
    /// Whether the server is at a URL, and so has no standard error that we could see.
    pub remote: bool,
    /// What was put up with before; escaped and redacted already.
    pub warnings: Vec<String>,
}

/// Surface files, as the user named them; raw.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SurfaceFiles {
    /// The surface was read from here, and no server was asked.
    pub read_from: Option<String>,
    /// The surface was written here.
    pub saved_to: Option<String>,
}

/// A place that two captures of one server do not agree about.
#[derive(Debug, Clone, PartialEq)]
pub struct UnstableField {
    /// Raw target of the entry.
    pub target: String,
    /// JSON pointer within the entry; empty for the entry itself. Raw.
    pub pointer: String,
    /// As in the first capture.
    pub first: TextSide,
    /// As in the capture of this number, from 2.
    pub other: TextSide,
    pub capture: usize,
}

/// An entry as a lock file of another tool pins it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedItem {
    /// Raw.
    pub target: String,
    /// As the file writes it; raw.
    pub digest: String,
    /// The digest that five formats share, where the entry has one.
    pub fingerprint: Option<String>,
}

/// A command that does what the sentence before it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextStep {
    pub purpose: &'static str,
    /// Shell-quoted.
    pub command: String,
}

/// What a command found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The name of the command.
    pub command: &'static str,
    pub verdict: Verdict,
    /// What stands beside the verdict where its word is not enough (why a server was skipped, what went wrong); one
    /// sentence, escaped already. It can be read without the word of the
    /// verdict.
    pub said: Option<String>,
    pub subject: Subject,
    pub counts: Counts,
    /// Targets of the entries that this is about, of the lock and of what was seen; raw.
    pub entries: Vec<String>,
    pub lock: Option<LockSummary>,
    /// The text of that lock as it stands in the file; raw. Empty where there is none.
    pub lock_text: String,
    /// What the lock, or the other file that `subject` names, was compared with, for `diff`.
    pub compared_with: Option<Compared>,
    pub server: Option<ServerSummary>,
    /// Worst first.
    pub blocks: Vec<Block>,
    /// What a pin of chosen entries left as it is, worst first; `None` where everything was pinned.
    pub remaining: Option<Vec<Block>>,
    /// Findings of the whole surface (pin, show); empty where they do not matter.
    pub findings: Vec<FindingLine>,
    /// The `warden.toml` in play, if any.
    pub config: Option<ConfigUse>,
    /// Capability flags and how many tools have them.
    pub capabilities: Vec<(String, usize)>,
    pub failure: Option<Failure>,
    /// Surface files in play.
    pub files: SurfaceFiles,
    /// What differed between captures of one server.
    pub unstable: Vec<UnstableField>,
    /// How many more fields differed.
    pub more_unstable: usize,
    /// What was looked at; `None` where nothing was.
    pub coverage: Option<Coverage>,
    /// The one target that was asked for (raw); then it stands in full.
    pub entry: Option<String>,
    /// Whether `human`, `markdown` and `json` leave out blocks of other targets than `entry`. A gate that reads another
    /// format must not depend on what somebody wanted to look at.
    pub narrowed: bool,
    /// Things a reader should know that change no verdict; escaped already.
    pub notes: Vec<String>,
    /// Whether the question was only if a lock holds: people then read the verdict and what contradicts itself.
    pub verified: bool,
    /// The whole lock, for `show`.
    pub view: Option<LockView>,
    /// What a lock file of another tool pins, for `show`.
    pub items: Vec<PinnedItem>,
    pub next: Vec<NextStep>,
}

impl Report {
    /// A report that says nothing yet.
    pub fn new(command: &'static str, verdict: Verdict, subject: Subject) -> Self {
        Self {
            command,
            verdict,
            said: None,
            subject,
            counts: Counts::default(),
            entries: Vec::new(),
            lock: None,
            lock_text: String::new(),
            compared_with: None,
            server: None,
            blocks: Vec::new(),
            remaining: None,
            findings: Vec::new(),
            config: None,
            capabilities: Vec::new(),
            failure: None,
            files: SurfaceFiles::default(),
            unstable: Vec::new(),
            more_unstable: 0,
            coverage: None,
            entry: None,
            narrowed: false,
            notes: Vec::new(),
            verified: false,
            view: None,
            items: Vec::new(),
            next: Vec::new(),
        }
    }

    /// The blocks that formats show which narrow.
    pub fn shown_blocks(&self) -> &[Block] {
        if !self.narrowed {
            return &self.blocks;
        }
        // A target has one block.
        let is_entry = |block: &Block| Some(&block.target) == self.entry.as_ref();
        self.blocks.iter().position(is_entry).map_or(&[], |at| &self.blocks[at..=at])
    }

    /// How many blocks such formats leave out.
    pub fn hidden_blocks(&self) -> usize {
        self.blocks.len() - self.shown_blocks().len()
    }

    /// Number of items by severity, worst first, zeros left out.
    pub fn severity_counts(&self) -> Vec<(Severity, usize)> {
        severity_counts(&self.blocks)
    }
}

/// Number of items of some blocks by severity, worst first, zeros left out.
pub(super) fn severity_counts(blocks: &[Block]) -> Vec<(Severity, usize)> {
    let count =
        |severity| blocks.iter().flat_map(|block| &block.items).filter(|item| item.severity == severity).count();
    Severity::WORST_FIRST.into_iter().map(|severity| (severity, count(severity))).filter(|(_, n)| *n > 0).collect()
}

impl Block {
    /// A block that says nothing yet.
    pub fn new(target: impl Into<String>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    /// The worst severity among items and findings; low where only fields differ.
    pub fn severity(&self) -> Severity {
        let items = self.items.iter().map(|item| item.severity);
        items.chain(self.findings.iter().map(|finding| finding.severity)).max().unwrap_or(Severity::Low)
    }
}
