//! How a client reads an entry: the members it knows, and the variables it replaces.

/// How messages travel to a server at a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransportKind {
    /// Streamable HTTP.
    Http,
    /// HTTP with server-sent events, the older transport.
    Sse,
    WebSocket,
    /// The client tries, or decides by rules of its own.
    Auto,
}

impl TransportKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Sse => "sse",
            Self::WebSocket => "ws",
            Self::Auto => "auto",
        }
    }
}

/// What a client makes of an entry with a URL and no type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typeless {
    Is(TransportKind),
    /// It does not start such an entry.
    Refused,
}

/// The member that switches an entry off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Off {
    /// None is known: whatever an entry says, it counts as on.
    Never,
    /// `true` is off.
    Set(&'static str),
    /// `false` is off.
    Unset(&'static str),
}

/// Lists of names beside the servers that switch them on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchLists {
    None,
    /// `disabledMcpServers` beside a project's map.
    Claude,
    /// `mcp.allowed` and `mcp.excluded` at the top of the file.
    Gemini,
}

/// Members that name the variable a login comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokens {
    None,
    /// `bearer_token_env_var` and `env_http_headers`
    Codex,
    /// `api_key_env`, `api_key_header` and `api_key_format`, in the entry or in its `auth`
    Vibe,
}

/// How a command may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandForm {
    /// One text: the program.
    Text,
    /// A list: the program and its arguments.
    List,
    /// A text that is split into words as a shell does, or a list; `args` follow.
    Words,
    /// A text, or an object with `path`, `args` and `env`.
    TextOrObject,
}

/// A way to write something that is replaced before a server starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableSyntax {
    /// `${NAME}`
    Braced,
    /// `${NAME:-default}`
    Default,
    /// `$NAME`
    Bare,
    /// `${env:NAME}`
    EnvColon,
    /// `{env:NAME}` and `{file:path}`
    CurlyEnv,
    /// `${file:path}`: what stands in that file.
    FileContents,
    /// `${workspaceFolder}`, `${userHome}`, `${pathSeparator}` and the like.
    Folders,
    /// `${input:id}`, `${config:key}`, `${command:id}`
    Editor,
    /// `${{ secrets.NAME }}` and `${{ inputs.NAME }}`
    Secrets,
    /// `{{ name }}`
    Parameters,
    /// What a shell does: `$NAME`, `${NAME:-default}`, `${NAME:?message}`, and `$(command)`.
    Shell,
    /// `${cmd: command}`
    Command,
    /// `~` at the beginning of a command or a folder.
    Tilde,
}

/// Everything that differs between clients within one entry.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    pub command: &'static str,
    pub command_form: CommandForm,
    pub env: &'static str,
    pub cwd: &'static str,
    /// Names of variables that are handed on.
    pub forward: Option<&'static str>,
    /// Members that hold a URL, the first that is there wins, and the transport they stand for.
    pub urls: &'static [(&'static str, Option<TransportKind>)],
    /// The way to the map of headers.
    pub headers: &'static [&'static str],
    pub typeless: Typeless,
    pub type_required: bool,
    /// A URL beside a command is taken, and the command is not.
    pub url_wins: bool,
    pub off: Off,
    /// Lists of tools that the client shows, or hides.
    pub only: Option<&'static str>,
    pub hide: Option<&'static str>,
    /// With a list of shown tools, that of hidden ones does not count.
    pub only_wins: bool,
    /// Entries may leave out what another file says about the server.
    pub patches: bool,
    pub variables: &'static [VariableSyntax],
    /// Where they differ: what is replaced in a command.
    pub command_variables: Option<&'static [VariableSyntax]>,
    /// Names that the client keeps for itself.
    pub reserved: &'static [&'static str],
    /// In a map too, the member `name` is the name; and some entries are no servers of their own (Goose).
    pub extensions: bool,
    pub lists: SwitchLists,
    pub tokens: Tokens,
}

const URL: &[(&str, Option<TransportKind>)] = &[("url", None)];
const SERVER_URL: &[(&str, Option<TransportKind>)] = &[("serverUrl", None), ("url", None)];

/// What most clients have in common. Variables are not among it: a `$` is a `$`.
pub(super) const PLAIN: Dialect = Dialect {
    command: "command",
    command_form: CommandForm::Text,
    env: "env",
    cwd: "cwd",
    forward: None,
    urls: URL,
    headers: &["headers"],
    typeless: Typeless::Is(TransportKind::Auto),
    type_required: false,
    url_wins: false,
    off: Off::Never,
    only: None,
    hide: None,
    only_wins: false,
    patches: false,
    variables: &[],
    command_variables: None,
    reserved: &[],
    extensions: false,
    lists: SwitchLists::None,
    tokens: Tokens::None,
};

use VariableSyntax as V;

const HTTP: Typeless = Typeless::Is(TransportKind::Http);
const SSE: Typeless = Typeless::Is(TransportKind::Sse);

pub(super) const CLAUDE_CODE: Dialect = Dialect {
    typeless: Typeless::Refused,
    variables: &[V::Braced, V::Default],
    lists: SwitchLists::Claude,
    reserved: &["workspace", "claude-in-chrome", "computer-use", "Claude Preview", "Claude Browser"],
    ..PLAIN
};

pub(super) const COPILOT_CLI: Dialect =
    Dialect { typeless: HTTP, only: Some("tools"), variables: &[V::Braced, V::Default, V::Bare, V::Tilde], ..PLAIN };

pub(super) const CODEX: Dialect = Dialect {
    forward: Some("env_vars"),
    headers: &["http_headers"],
    tokens: Tokens::Codex,
    typeless: HTTP,
    off: Off::Unset("enabled"),
    only: Some("enabled_tools"),
    hide: Some("disabled_tools"),
    ..PLAIN
};

pub(super) const GEMINI: Dialect = Dialect {
    urls: &[("httpUrl", Some(TransportKind::Http)), ("url", None), ("tcp", Some(TransportKind::WebSocket))],
    url_wins: true,
    only: Some("includeTools"),
    hide: Some("excludeTools"),
    variables: &[V::Braced, V::Default, V::Bare],
    lists: SwitchLists::Gemini,
    ..PLAIN
};

pub(super) const QWEN: Dialect = Dialect { typeless: SSE, ..GEMINI };
/// Qwen Code replaces nothing in the file it shares with others.
pub(super) const QWEN_SHARED: Dialect = Dialect { variables: &[], ..QWEN };

pub(super) const OPENCODE: Dialect = Dialect {
    command_form: CommandForm::List,
    env: "environment",
    type_required: true,
    off: Off::Unset("enabled"),
    patches: true,
    variables: &[V::CurlyEnv],
    ..PLAIN
};

pub(super) const CRUSH: Dialect = Dialect {
    type_required: true,
    off: Off::Set("disabled"),
    only: Some("enabled_tools"),
    hide: Some("disabled_tools"),
    patches: true,
    variables: &[V::Shell],
    ..PLAIN
};

pub(super) const GOOSE: Dialect = Dialect {
    command: "cmd",
    env: "envs",
    forward: Some("env_keys"),
    urls: &[("uri", None)],
    type_required: true,
    off: Off::Unset("enabled"),
    only: Some("available_tools"),
    extensions: true,
    ..PLAIN
};
pub(super) const GOOSE_RECIPE: Dialect = Dialect { variables: &[V::Parameters], ..GOOSE };

pub(super) const FACTORY: Dialect = Dialect {
    off: Off::Set("disabled"),
    only: Some("enabledTools"),
    hide: Some("disabledTools"),
    only_wins: true,
    variables: &[V::Braced, V::Default],
    ..PLAIN
};

pub(super) const AMAZON_Q: Dialect = Dialect {
    typeless: HTTP,
    off: Off::Set("disabled"),
    variables: &[V::EnvColon],
    command_variables: Some(&[V::Bare, V::Tilde]),
    ..PLAIN
};

pub(super) const KIRO: Dialect =
    Dialect { off: Off::Set("disabled"), hide: Some("disabledTools"), variables: &[V::Braced], ..PLAIN };

pub(super) const AMP: Dialect =
    Dialect { off: Off::Set("disabled"), only: Some("includeTools"), variables: &[V::Braced, V::Bare], ..PLAIN };

pub(super) const VIBE: Dialect =
    Dialect { command_form: CommandForm::Words, type_required: true, tokens: Tokens::Vibe, ..PLAIN };

pub(super) const WARP: Dialect = Dialect { cwd: "working_directory", ..PLAIN };

pub(super) const VSCODE: Dialect = Dialect { variables: &[V::EnvColon, V::Folders, V::Editor], ..PLAIN };

pub(super) const CURSOR: Dialect = Dialect { variables: &[V::EnvColon, V::Folders], ..PLAIN };

pub(super) const WINDSURF: Dialect = Dialect {
    urls: SERVER_URL,
    off: Off::Set("disabled"),
    hide: Some("disabledTools"),
    variables: &[V::EnvColon, V::FileContents],
    ..PLAIN
};

pub(super) const ANTIGRAVITY: Dialect = Dialect { urls: SERVER_URL, ..PLAIN };

pub(super) const ZED: Dialect =
    Dialect { command_form: CommandForm::TextOrObject, off: Off::Unset("enabled"), typeless: HTTP, ..PLAIN };

pub(super) const CLINE: Dialect = Dialect { typeless: SSE, off: Off::Set("disabled"), ..PLAIN };

pub(super) const ROO: Dialect = Dialect {
    typeless: Typeless::Refused,
    off: Off::Set("disabled"),
    hide: Some("disabledTools"),
    variables: &[V::EnvColon, V::Folders],
    ..PLAIN
};

pub(super) const CONTINUE: Dialect =
    Dialect { headers: &["requestOptions", "headers"], variables: &[V::Secrets], ..PLAIN };
/// In JSON a `${NAME}` is a secret too.
pub(super) const CONTINUE_JSON: Dialect = Dialect { variables: &[V::Secrets, V::Braced], ..CONTINUE };

pub(super) const FIVE_IRE: Dialect = Dialect { off: Off::Unset("isActive"), ..PLAIN };

pub(super) const MCPHUB: Dialect = Dialect {
    off: Off::Set("disabled"),
    hide: Some("disabled_tools"),
    variables: &[V::Braced, V::EnvColon, V::Command],
    ..PLAIN
};

impl Dialect {
    /// Whether the file has to define the inputs that its entries refer to.
    pub fn asks_for_inputs(&self) -> bool {
        self.variables.contains(&VariableSyntax::Editor)
    }
}
