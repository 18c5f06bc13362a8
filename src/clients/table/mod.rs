//! The one table of clients: who they are, where their files are, and how they read them.
//!
//! A row says what the client's own source or its vendor's documentation says ([`Certainty::Confirmed`]), or what its
//! vendor says at second hand or two independent readers agree on ([`Certainty::Agreed`]). What only one tool claims is
//! not here. `docs/clients.md` is generated from these rows.

mod dialect;
mod editors;
mod local_apps;
mod terminals;

pub use dialect::{CommandForm, Dialect, Off, SwitchLists, Tokens, TransportKind, Typeless, VariableSyntax};

use std::fmt;

/// A row of the table of [`clients`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(&'static str);

impl ClientId {
    /// Stands for no row of the table.
    pub(super) const UNKNOWN: Self = Self("unknown");

    /// The id as a word: lower-case letters, digits and hyphens.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// The client with that id.
    pub fn find(id: &str) -> Option<Self> {
        clients().find(|client| client.id.0 == id).map(|client| client.id)
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        clients().find(|client| client.id == self).map_or(self.0, |client| client.name)
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How well a row is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    Confirmed,
    Agreed,
}

/// One client.
#[derive(Debug)]
pub struct Client {
    pub id: ClientId,
    pub name: &'static str,
    pub certainty: Certainty,
    pub locations: &'static [Location],
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// In a project's folder; comes with a clone, so it is hostile input.
    Project,
    /// In the user's own folders.
    User,
    /// Set by an administrator for every user.
    Machine,
}

impl Scope {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
            Self::Machine => "machine",
        }
    }
}

/// An operating system, as far as paths go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Linux,
    MacOs,
    Windows,
}

impl Platform {
    pub const ALL: [Self; 3] = [Self::Linux, Self::MacOs, Self::Windows];

    /// The one that this program was built for.
    pub const fn of_this_build() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Linux => "Linux",
            Self::MacOs => "macOS",
            Self::Windows => "Windows",
        }
    }
}

/// On which platforms a spot exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    All,
    Unix,
    Only(Platform),
}

impl On {
    pub fn includes(self, platform: Platform) -> bool {
        match self {
            Self::All => true,
            Self::Unix => platform != Platform::Windows,
            Self::Only(one) => one == platform,
        }
    }
}

/// The folder that a path of the table begins in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Every folder from the current one up to the project's root.
    Project,
    Home,
    /// `~/.config`; on Linux `$XDG_CONFIG_HOME` where it is set.
    Config,
    /// The user folders of VS Code, its Insiders build and a portable one.
    Code,
    /// `~/Library/Application Support`
    ApplicationSupport,
    /// `%APPDATA%`
    AppData,
    /// `%LOCALAPPDATA%`
    LocalAppData,
    /// `%ProgramData%`
    ProgramData,
    /// `%ProgramFiles%`
    ProgramFiles,
    /// The root of the file system.
    Root,
    /// The folder that a variable names, or else this one below the home folder.
    Moved {
        variable: &'static str,
        folder: &'static str,
    },
}

/// A path, or a pattern: `*` stands for any characters within one name, `**` for up to
/// [`MAX_STARS`](super::find::MAX_STARS) folders.
pub type Spot = (On, Base, &'static str);

/// The language of a file, as strict as its client is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    Json,
    /// Comments, but no trailing commas.
    JsonComments,
    /// Comments and trailing commas.
    Jsonc,
    Json5,
    Toml,
    Yaml,
    /// A YAML block at the head of a Markdown file.
    FrontMatter,
    /// A program. It is never run, so it cannot be read.
    Script,
}

impl Syntax {
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::JsonComments => "JSON, comments",
            Self::Jsonc => "JSON, comments, trailing commas",
            Self::Json5 => "JSON5",
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
            Self::FrontMatter => "YAML front matter",
            Self::Script => "script",
        }
    }
}

/// Where in a file the servers stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Below these members, as a map from names to entries or as a list of entries with names; `*` is any member.
    At(&'static [&'static str]),
    /// The whole file is the map, if it has none of the known keys.
    Bare,
    /// The whole file is one entry, named after the file.
    Single,
}

/// Files of one kind.
#[derive(Debug)]
pub struct Location {
    pub scope: Scope,
    pub spots: &'static [Spot],
    pub syntax: Syntax,
    pub layouts: &'static [Layout],
    /// Much else stands in such a file, so only its own layouts are looked for.
    pub settings: bool,
    pub dialect: &'static Dialect,
}

impl Location {
    const fn new(scope: Scope, spots: &'static [Spot], layouts: &'static [Layout], dialect: &'static Dialect) -> Self {
        Self { scope, spots, syntax: Syntax::Json, layouts, settings: false, dialect }
    }

    const fn syntax(mut self, syntax: Syntax) -> Self {
        self.syntax = syntax;
        self
    }

    const fn settings(mut self) -> Self {
        self.settings = true;
        self
    }
}

const MCP_SERVERS: &[Layout] = &[Layout::At(&["mcpServers"])];
const WRAPPED_OR_BARE: &[Layout] = &[Layout::At(&["mcpServers"]), Layout::Bare];
const SERVERS: &[Layout] = &[Layout::At(&["servers"])];
const MCP: &[Layout] = &[Layout::At(&["mcp"])];

/// Every client: those in editors, those in terminals, and desktop programs. Where several read one file, the first
/// that knows the file's key speaks for it.
pub fn clients() -> impl Iterator<Item = &'static Client> {
    terminals::CLIENTS.iter().chain(editors::CLIENTS).chain(local_apps::CLIENTS)
}
