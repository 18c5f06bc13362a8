//! A file that was read, and what is asked of it.

use super::compare::{Side, differences, require_locked_version};
use super::declared::{Declared, Digests};
use super::kind::Kind;
use super::policy::without_labels;
use super::read::{self, MAX_ITEMS, MAX_OPEN, containers};
use super::write::{EntryParts, Member, entry_text, object_text, value_text};
use crate::formats::document::{quoted, shown};
use crate::formats::{
    Difference, Entry, EntryStart, Format, Item, LockFile, NewEntry, Options, Refusal, Written, credential,
};
use crate::json::{Value, compact};
use crate::surface::{Era, Launch, Surface};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// A mcp.lock of version 1 or 2.
#[derive(Debug)]
pub struct McpLock {
    pub(super) version: i64,
    /// As it was read; empty for a file that does not exist yet.
    pub(super) text: String,
    entries: Vec<Entry>,
    pub(super) pinned: BTreeMap<String, Pinned>,
    /// Members of the file that the format does not know, as they stand.
    pub(super) unknown: Vec<Member>,
    /// Which of these hold integers that no double holds.
    pub(super) rounded: Vec<RoundedPlace>,
}

/// Something that holds integers which no double holds, so that its digest is that of other numbers.
#[derive(Debug)]
pub(super) struct RoundedPlace {
    /// Escaped.
    pub name: String,
    /// The target of a definition; raw.
    pub target: Option<String>,
    /// Whether it goes when its entry is pinned anew.
    pub is_pinned: bool,
}

/// An entry, checked.
#[derive(Debug, Default)]
pub(super) struct Pinned {
    pub command: Vec<String>,
    /// Sorted, no name twice.
    pub env: Vec<String>,
    pub declared: Declared,
    pub digests: Digests,
    /// Its surface digest leaves out the list of versions.
    pub without_versions: bool,
    /// As it stands in the file; likewise the next two, which are members that the format does not know.
    pub policy: Option<String>,
    pub more: Vec<Member>,
    pub more_digests: Vec<Member>,
    pub has_sandbox: bool,
    /// What of it holds integers that no double holds.
    pub rounded: Vec<RoundedPlace>,
    /// Where it stands in the text of the file.
    pub at: Range<usize>,
}

impl McpLock {
    /// A file without servers yet.
    pub(super) fn new(version: i64, text: &str) -> Self {
        Self {
            version,
            text: text.to_owned(),
            entries: Vec::new(),
            pinned: BTreeMap::new(),
            unknown: Vec::new(),
            rounded: Vec::new(),
        }
    }

    /// Fills the list of entries from what was read.
    pub(super) fn list_entries(&mut self) {
        let entry = |(name, pinned): (&String, &Pinned)| Entry {
            name: name.clone(),
            start: match pinned.command.split_first() {
                Some((command, args)) if !command.is_empty() => {
                    EntryStart::Launch(Launch::Stdio { command: command.clone(), args: args.to_vec() })
                }
                _ => EntryStart::Unknown,
            },
            env: pinned.env.clone(),
            cwd: None,
            protocol_version: Some(pinned.declared.text("protocolVersion").to_owned()),
            items: pinned.items(),
            digest: pinned.digests.surface.clone(),
        };
        self.entries = self.pinned.iter().map(entry).collect();
    }

    /// The era that a server was locked in, in which it is to be asked first (specification: Protocol era). `None` for a
    /// name that the file does not hold.
    pub fn era(&self, name: &str) -> Option<Era> {
        self.pinned.get(name).map(|pinned| pinned.declared.era())
    }

    /// As [`LockFile::with`], written in the name of this program.
    ///
    /// # Errors
    /// As [`LockFile::with`].
    pub fn written_by(&self, generator: &str, new: &[NewEntry<'_>]) -> Result<Written, Refusal> {
        let mut notes = Vec::new();
        // The text of each entry, and whether it makes the file one of version 2.
        let mut servers: BTreeMap<&str, (String, Era)> = BTreeMap::new();
        for (name, pinned) in &self.pinned {
            servers.insert(name, (self.text[pinned.at.clone()].to_owned(), pinned.declared.era()));
        }
        let mut is_same = !self.text.is_empty();
        for new in new {
            let in_server = |refusal: Refusal| Refusal(format!("server {}: {}", quoted(new.name), refusal.0));
            let old = self.pinned.get(new.name);
            let fresh = Fresh::of(new).map_err(in_server)?;
            if old.is_some_and(|old| fresh.is(old)) {
                continue;
            }
            is_same = false;
            servers.insert(new.name, (fresh.text(new.name, old, &mut notes).map_err(in_server)?, fresh.declared.era()));
        }
        self.refuse_rounded(new)?;
        if is_same {
            return Ok(Written { text: self.text.clone(), notes });
        }
        let is_modern = servers.values().any(|(_, era)| *era == Era::Modern);
        let servers: Vec<Member> = servers.into_iter().map(|(name, (text, _))| (name.to_owned(), text)).collect();
        let mut members = vec![
            ("lockfileVersion".to_owned(), if is_modern { "2" } else { "1" }.to_owned()),
            ("generator".to_owned(), value_text(1, &generator.into())?),
            ("servers".to_owned(), object_text(1, &servers)),
        ];
        members.extend_from_slice(&self.unknown);
        let text = object_text(0, &members) + "\n";
        // Nothing is written that would not be read: the size of all entries together has no other check.
        read::read(text.as_bytes()).map_err(|e| Refusal(format!("the file could not be read again: {e}")))?;
        Ok(Written { text, notes })
    }

    /// Refuses to write what holds integers that were rounded for their digests, unless those leave with the old entries.
    fn refuse_rounded(&self, new: &[NewEntry<'_>]) -> Result<(), Refusal> {
        let why = "holds an integer beyond 2^53-1, whose digest is that of another number; such a file is not written";
        if let Some(place) = self.rounded.first() {
            return Err(Refusal(format!("{} {why}", place.name)));
        }
        for (name, pinned) in &self.pinned {
            let is_replaced = new.iter().any(|new| new.name == name);
            if let Some(place) = pinned.rounded.iter().find(|place| !(is_replaced && place.is_pinned)) {
                return Err(Refusal(format!("server {}: {} {why}", quoted(name), place.name)));
            }
        }
        Ok(())
    }
}

impl LockFile for McpLock {
    fn format(&self) -> Format {
        Format::Mcp
    }

    fn version(&self) -> String {
        format!("mcp.lock {}", self.version)
    }

    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.unknown.is_empty() {
            notes.push(format!(
                "the file: {}, which the format does not know; kept when it is written",
                members(&self.unknown)
            ));
        }
        for place in &self.rounded {
            notes.push(format!(
                "{} holds integers beyond 2^53-1; the file is not written anew while it does",
                place.name
            ));
        }
        for (name, pinned) in &self.pinned {
            let server = format!("server {}", quoted(name));
            let more: Vec<Member> = pinned.more.iter().chain(&pinned.more_digests).cloned().collect();
            if !more.is_empty() {
                let more = members(&more);
                notes.push(format!("{server}: {more}, which the format does not know; kept when the file is written"));
            }
            if let Some(first) = pinned.rounded.first() {
                let others = match pinned.rounded.len() {
                    1 => String::new(),
                    more => format!(" (and {} more)", more - 1),
                };
                notes.push(format!(
                    "{server}: {}{others} holds integers beyond 2^53-1, which were checked as the file's writer \
                     hashed them, rounded to doubles; the file is not written anew while it does",
                    first.name
                ));
            }
            if pinned.without_versions {
                notes.push(format!(
                    "{server}: its surface digest leaves out supportedVersions, so an edit of that list is not noticed"
                ));
            }
            if pinned.has_sandbox {
                notes
                    .push(format!("{server}: the sandbox of its policy is not applied when it is started for a check"));
            }
        }
        notes
    }

    fn compare(&self, name: &str, surface: &Surface, options: Options) -> Result<Vec<Difference>, Refusal> {
        let old = self.pinned.get(name).ok_or_else(|| Refusal(format!("the file has no server {}", quoted(name))))?;
        let declared = Declared::of(surface)?;
        require_locked_version(&old.declared, &declared)?;
        let digests = declared.digests().map_err(|e| Refusal(e.to_string()))?;
        let now = Side { declared: &declared, digests: &digests };
        Ok(differences(old.side(), now, options.strict))
    }

    fn compare_files(&self, name: &str, now: &dyn LockFile, options: Options) -> Option<Vec<Difference>> {
        let now = now.as_any().downcast_ref::<Self>()?;
        Some(differences(self.pinned.get(name)?.side(), now.pinned.get(name)?.side(), options.strict))
    }

    fn surface(&self, name: &str) -> Option<Surface> {
        // What was rounded is not what the server said.
        self.pinned.get(name).filter(|pinned| pinned.rounded.is_empty())?.declared.surface()
    }

    fn with(&self, new: &[NewEntry<'_>], _now: &str) -> Result<Written, Refusal> {
        self.written_by(concat!("warden ", env!("CARGO_PKG_VERSION")), new)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn members(members: &[Member]) -> String {
    let names: Vec<String> = members.iter().take(3).map(|(name, _)| quoted(name)).collect();
    let more = if members.len() > 3 { format!(" and {} more", members.len() - 3) } else { String::new() };
    format!("it has {}{more}", names.join(", "))
}

impl Pinned {
    /// Every definition with its digest, sorted by target. Formats agree about no digest of a number that was rounded.
    fn items(&self) -> Vec<Item> {
        let mut items = self.digests.listed(&self.declared);
        let rounded: HashSet<&str> = self.rounded.iter().filter_map(|place| place.target.as_deref()).collect();
        for item in items.iter_mut().filter(|item| rounded.contains(item.target.as_str())) {
            item.fingerprint = None;
        }
        items
    }

    fn side(&self) -> Side<'_> {
        Side { declared: &self.declared, digests: &self.digests }
    }
}

/// A server as it is to be written.
struct Fresh {
    command: Vec<String>,
    env: Vec<String>,
    declared: Declared,
    digests: Digests,
}

impl Fresh {
    fn of(new: &NewEntry<'_>) -> Result<Self, Refusal> {
        let refuse = |why: String| Err(Refusal(why));
        if new.name.is_empty() || new.name.chars().any(char::is_control) {
            return refuse("a name has to be there and free of control characters".to_owned());
        }
        let command: Vec<String> = match new.launch {
            Launch::Url(_) => {
                return refuse(
                    "mcp.lock holds servers that are started with a command, and this one is at a URL".to_owned(),
                );
            }
            Launch::Stdio { command, .. } if command.is_empty() => {
                return refuse("there is no command to start it with".to_owned());
            }
            launch @ Launch::Stdio { .. } => launch.words().into_iter().map(str::to_owned).collect(),
        };
        if let Some(problem) = credential::in_command(&command) {
            return refuse(format!(
                "{problem}, and a lock file is no place for one: let the server read it from a variable"
            ));
        }
        if let Some(bad) = new.env.iter().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
            return refuse(format!("{} is no name of an environment variable", quoted(bad)));
        }
        let mut env = new.env.to_vec();
        env.sort();
        env.dedup();
        let declared = Declared::of(new.surface)?;
        fits(&declared).map_err(Refusal)?;
        let digests = declared.digests().map_err(|e| Refusal(e.to_string()))?;
        Ok(Self { command, env, declared, digests })
    }

    /// Whether the file says all of it already, exactly.
    fn is(&self, old: &Pinned) -> bool {
        old.rounded.is_empty() && self.command == old.command && self.env == old.env && self.declared == old.declared
    }

    fn text(&self, name: &str, old: Option<&Pinned>, notes: &mut Vec<String>) -> Result<String, Refusal> {
        let server = format!("server {}", quoted(name));
        let mut policy = None;
        if let Some(old) = old {
            let eras = (old.declared.era(), self.declared.era());
            if eras.0 != eras.1 {
                notes.push(format!("{server}: its entry was of the {} era and is now of the {} era", eras.0, eras.1));
            }
            policy = old.policy.as_ref().map(|policy| {
                let (policy, dropped) = without_labels(policy, |tool| self.digests.items[0].contains_key(tool));
                notes.extend(dropped.iter().map(|label| {
                    format!("{server}: its policy no longer labels {}, which is no tool any more", quoted(label))
                }));
                policy
            });
        }
        entry_text(EntryParts {
            command: self.command.clone(),
            env: self.env.clone(),
            declared: &self.declared,
            digests: &self.digests,
            more_digests: old.map_or(&[], |old| &old.more_digests),
            policy,
            more: old.map_or(&[], |old| &old.more),
        })
    }
}

/// Refuses what no file can hold. In our words, escaped.
fn fits(declared: &Declared) -> Result<(), String> {
    read::require_schemas(declared)?;
    // An entry stands in the file and in `servers`; a definition stands in a list besides.
    const ABOVE: usize = 3;
    for part in ["serverInfo", "capabilities"] {
        if declared.0.get(part).is_some_and(|value| containers(value) > MAX_OPEN - ABOVE) {
            return Err(format!("{part} is nested deeper than a file can hold"));
        }
    }
    for kind in Kind::ALL {
        let items = declared.items(kind);
        if items.len() > MAX_ITEMS {
            return Err(format!("it has {} {}, and an entry holds {MAX_ITEMS}", items.len(), kind.member()));
        }
        for item in items {
            let name = || format!("{} {}", kind.singular(), quoted(super::declared::key_of(kind, item)));
            if containers(item) > MAX_OPEN - ABOVE - 1 {
                return Err(format!("{} is nested deeper than a file can hold ({})", name(), MAX_OPEN - ABOVE - 1));
            }
            if let Some(number) = wide_integer(item) {
                return Err(format!("{} holds {number}, which a double cannot hold exactly", name()));
            }
        }
    }
    Ok(())
}

/// An integer whose digest would be that of another number. No parse of a server's answer lets one in; a surface that was
/// put together by other code could hold one.
fn wide_integer(value: &Value) -> Option<String> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Int(int) if int.unsigned_abs() > crate::json::MAX_SAFE_INTEGER.unsigned_abs() => {
                return Some(shown(&compact(value), 40));
            }
            Value::Array(items) => open.extend(items),
            Value::Object(object) => open.extend(object.iter().map(|(_, member)| member)),
            _ => {}
        }
    }
    None
}
