//! What every format has in common.

use crate::finding::Severity;
use crate::surface::{Launch, Surface};
use std::fmt;

/// A format of another tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    Contractpin,
    Agentgate,
    Mcp,
}

/// Which of a format's exit codes an outcome has. 0 is clean in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitTable {
    pub drift: u8,
    pub invalid: u8,
    pub not_captured: u8,
}

impl Format {
    pub const ALL: [Self; 3] = [Self::Contractpin, Self::Agentgate, Self::Mcp];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contractpin => "contractpin",
            Self::Agentgate => "agentgate",
            Self::Mcp => "mcp",
        }
    }

    /// What its files are usually called.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Contractpin => "contractpin.lock",
            Self::Agentgate => "agentgate.lock",
            Self::Mcp => "mcp.lock",
        }
    }

    /// The file name with its article, for sentences.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Contractpin => "a contractpin.lock",
            Self::Agentgate => "an agentgate.lock",
            Self::Mcp => "an mcp.lock",
        }
    }

    /// The exit codes of the tool that the format comes from.
    pub fn exit_table(self) -> ExitTable {
        match self {
            Self::Contractpin | Self::Agentgate => ExitTable { drift: 1, invalid: 2, not_captured: 1 },
            Self::Mcp => ExitTable { drift: 1, invalid: 3, not_captured: 3 },
        }
    }

    /// What of a server's surface the format pins, in words: `tools: name, description, inputSchema`.
    pub fn covers(self) -> &'static str {
        match self {
            Self::Contractpin => "of each tool: name, description, inputSchema, outputSchema and annotations",
            Self::Agentgate => "of each tool: name, description and inputSchema",
            Self::Mcp => "every tool, prompt, resource and resource template in full, and the instructions",
        }
    }

    /// What `warden.lock` pins and this format does not, in words; `None` where there is nothing.
    pub fn covers_less(self) -> Option<&'static str> {
        match self {
            Self::Contractpin => Some("resources, prompts and the title of tools are not pinned"),
            Self::Agentgate => {
                Some("resources, prompts, annotations, outputSchema, the title of tools and the launch are not pinned")
            }
            Self::Mcp => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file_name())
    }
}

/// A lock file that was read, with everything that a rewrite has to keep.
pub trait LockFile: fmt::Debug + Send + Sync {
    fn format(&self) -> Format;

    /// Version and dialect in words: `contractpin.lock 1`, `agentgate.lock 1 (as published)`.
    fn version(&self) -> String;

    /// Its servers, sorted by name. Names are unique.
    fn entries(&self) -> &[Entry];

    /// Things a reader of the file should know that make nothing wrong with it; escaped.
    fn notes(&self) -> Vec<String>;

    /// Compares what a server declares now with its entry. The order is that of the format's own tool.
    ///
    /// # Errors
    /// The surface holds something that the format cannot hash, so nothing can be said.
    fn compare(&self, name: &str, surface: &Surface, options: Options) -> Result<Vec<Difference>, Refusal>;

    /// Compares the entry of a server with that of another file of the same format, as far as the format's hashes tell.
    /// A file of another format, or a name that one of them lacks, gives `None`.
    fn compare_files(&self, name: &str, now: &dyn LockFile, options: Options) -> Option<Vec<Difference>>;

    /// What a server declared, where the format keeps it whole.
    fn surface(&self, name: &str) -> Option<Surface>;

    /// The text of the file with these servers pinned anew, and everything else as it is. `now` is RFC 3339 with whole
    /// seconds in UTC. Where nothing but the time would change, the text is the one that was read.
    ///
    /// # Errors
    /// Something that the format cannot hold, or must not: a secret, a number that cannot be hashed exactly.
    fn with(&self, new: &[NewEntry<'_>], now: &str) -> Result<Written, Refusal>;

    /// As [`LockFile::with`] for one server that is a `tools/list` dump at `path`, from the folder of the lock file.
    ///
    /// # Errors
    /// As there; also where the format has no such servers, or the path leaves the folder.
    fn with_dump(&self, name: &str, path: &str, surface: &Surface, now: &str) -> Result<Written, Refusal> {
        let _ = (name, path, surface, now);
        Err(Refusal(format!("{} has no servers that are files", self.format())))
    }

    /// What the file records about the start of a server and is not as it would be recorded now, in words; escaped. For
    /// formats whose record is information and fails nothing.
    fn start_notes(&self, name: &str, launch: &Launch) -> Vec<String> {
        let _ = (name, launch);
        Vec::new()
    }

    /// For downcasting in `compare_files`.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// How strict a comparison is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// contractpin.lock: tools that were added fail nothing.
    pub allow_new: bool,
    /// mcp.lock: what is informational fails too.
    pub strict: bool,
}

/// One server of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Raw.
    pub name: String,
    pub start: EntryStart,
    /// Names of variables that the server gets from the environment.
    pub env: Vec<String>,
    /// The folder it is started in, from the folder of the lock file; raw.
    pub cwd: Option<String>,
    /// The revision of the protocol that it was pinned in, where the file says it.
    pub protocol_version: Option<String>,
    /// Sorted by target.
    pub items: Vec<Item>,
    /// The digest over the whole server as the file writes it.
    pub digest: String,
}

/// How a file says that a server is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryStart {
    Launch(Launch),
    /// A `tools/list` dump, from the folder of the lock file; it stays in that folder. Raw.
    File(String),
    /// It does not say.
    Unknown,
}

/// A pinned entry of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// `tools/NAME`, `prompts/NAME`, `resources/URI`, `resource-templates/TEMPLATE`; raw.
    pub target: String,
    /// As the file writes it; the one digest over the item. agentgate.lock as shipped has none: there it is a digest of
    /// the tool's three, in the same spelling.
    pub digest: String,
    /// The digest that five formats have in common (64 hexadecimal digits), where the file tells it for sure: the tool
    /// has nothing but name, description and inputSchema.
    pub fingerprint: Option<String>,
}

/// Something that is not as the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// A class of the catalogue: its rule is `WRD-DRIFT-` and the class in capitals.
    pub class: &'static str,
    pub severity: Severity,
    /// As [`Item::target`], or `server/PART`; raw.
    pub target: String,
    /// Which members changed, where that is known; raw.
    pub fields: Vec<String>,
    /// Whether it fails a check.
    pub fails: bool,
    /// In plain words; escaped.
    pub words: String,
}

/// A server to pin.
#[derive(Debug, Clone, Copy)]
pub struct NewEntry<'a> {
    /// Raw.
    pub name: &'a str,
    /// References of a configuration stay references in it.
    pub launch: &'a Launch,
    /// Names of variables that it gets.
    pub env: &'a [String],
    pub surface: &'a Surface,
}

/// A new text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    /// What was dropped or kept and somebody should know; escaped.
    pub notes: Vec<String>,
}

/// Why something cannot be pinned in, or compared in, a format. In our words; what it quotes is escaped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);
