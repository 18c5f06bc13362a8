//! What can be wrong with a file or an entry, in words. No message quotes a value: it might be a secret. Names are
//! escaped here, so every message is safe to print.

use super::document::Position;
use super::table::ClientId;
use crate::text::{Charset, escape, shorten};
use std::fmt;
use std::path::PathBuf;

/// How much of a name a message shows.
const SHOWN: usize = 80;

/// A name from a file as a message shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown(pub String);

impl Shown {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shorten(&escape(&self.0, Charset::Unicode), SHOWN))
    }
}

/// Why there is nothing in an entry that could be started or asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("the entry is not an object")]
    NotAnObject,
    #[error("it has neither a command nor a url")]
    NeitherCommandNorUrl,
    #[error("it has both a command and a url")]
    BothCommandAndUrl,
    #[error("its url is empty: it is not configured yet")]
    EmptyUrl,
    #[error("its command is empty")]
    EmptyCommand,
    #[error("its type is not one that any client knows")]
    UnknownType,
    #[error("its type asks for a command, and it has none")]
    TypeWithoutCommand,
    #[error("its type asks for a url, and it has none")]
    TypeWithoutUrl,
    #[error("{0} is not a text")]
    NotText(Shown),
    #[error("{0} is not a list")]
    NotAList(Shown),
    #[error("{0} is not an object")]
    NotAMap(Shown),
    #[error("{0} holds a character NUL, which no program can be given")]
    Nul(Shown),
    #[error("{0} stands there twice; which of the two counts is anybody's guess")]
    Repeated(Shown),
    #[error("its command is no sequence of words: a quote has no end")]
    UnclosedQuote,
    #[error("it merges other values into itself (<<), which clients read in different ways")]
    MergeKey,
    #[error("it refers to a server that is defined elsewhere")]
    Reference,
    #[error("an installed extension supplies the command")]
    Extension,
    #[error("a registry supplies the server")]
    Registry,
    #[error("it only changes an entry of another file")]
    Patch,
    #[error("it is built into the client")]
    BuiltIn,
    #[error("it is program text inside of the file")]
    InlineCode,
    #[error("the file is a script, and warden runs nothing to learn what it would configure")]
    Script,
}

/// Why a client would not run an entry that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("an entry with a url needs a type")]
    UrlWithoutType,
    #[error("an entry needs a type")]
    TypeRequired,
    #[error("the command holds spaces: it is looked up as the name of one program")]
    CommandHoldsSpaces,
    #[error("the client reads another spelling of {0}")]
    ForeignMember(Shown),
    #[error("the client does not load servers from {0} in this file")]
    NotLoaded(Shown),
    #[error("the client keeps this name for itself")]
    ReservedName,
    #[error("{0} is neither true nor false, so the server counts as switched on")]
    NotAFlag(Shown),
    #[error("the client no longer uses this transport")]
    RetiredTransport,
    #[error("a token stands in the file, where the client wants the name of a variable")]
    InlineToken,
    #[error("no input of the file has the id {0}")]
    NoSuchInput(Shown),
}

/// Something the client would do before the server runs. `warden` never does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NeedKind {
    RunsCommand,
    ReadsFile,
    AsksUser,
}

/// A part of an entry that cannot be known from the file alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    pub kind: NeedKind,
    /// The member it stands in.
    pub member: Shown,
    pub at: Position,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            NeedKind::RunsCommand => "is the output of a command, which warden does not run",
            NeedKind::ReadsFile => "comes from a file, which warden does not open",
            NeedKind::AsksUser => "is a value that the client asks its user for",
        };
        write!(f, "{} {what}", self.member)
    }
}

/// A client that would refuse a whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub client: ClientId,
    pub at: Position,
    /// What it would trip over, escaped.
    pub cause: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.at;
        write!(f, "{} would refuse the whole file at line {line}, column {column}: {}", self.client, self.cause)
    }
}

/// Something a reader of the file should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub at: Position,
    pub kind: RemarkKind,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemarkKind {
    #[error("the file begins with a byte order mark, which some clients refuse")]
    ByteOrderMark,
    #[error("{name} is defined more than once, first on line {first}")]
    SameName { name: Shown, first: u32 },
    #[error("{0} is there, but it is not a map or list of servers")]
    NotServers(Shown),
    #[error("{0} is one more command line, without a name")]
    CommandLine(Shown),
    #[error("{0} names another file, which is not followed")]
    OtherFile(Shown),
    #[error("the older mcp.json files of this client count as well")]
    LegacyFilesToo,
    #[error("the file is a link to a file elsewhere")]
    Link,
}

/// A file that could not be read, and how it came to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    pub path: PathBuf,
    /// Every client whose table names this path.
    pub clients: Vec<ClientId>,
    /// Where in the file, if it is about a place.
    pub at: Option<Position>,
    pub cause: Cause,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// What the parser says, escaped.
    #[error("{0}")]
    Syntax(String),
    #[error("it is UTF-16; clients read UTF-8")]
    Utf16,
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("it holds more than {0} servers")]
    TooManyServers(usize),
    #[error("it is larger than {} MiB", .0 >> 20)]
    TooLarge(usize),
    #[error("it is not a regular file")]
    NotRegular,
    #[error("it is a link out of the project, to a file that the project cannot vouch for")]
    LinkOut,
    #[error("it is a link to nothing")]
    DanglingLink,
    #[error("the folder holds too much to look through")]
    TooManyFiles,
    #[error("it cannot be read: {0}")]
    Io(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A whole path, not the beginning of one: the end is what tells files apart.
        f.write_str(&escape(&self.path.to_string_lossy(), Charset::Unicode))?;
        if let Some(Position { line, column }) = self.at {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.cause)
    }
}

impl std::error::Error for FileError {}
