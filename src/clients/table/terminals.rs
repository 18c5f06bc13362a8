//! Clients that run in a terminal.

use super::dialect as d;
use super::{Base, Certainty, Client, ClientId, Layout, Location, On, Platform, Scope, Spot, Syntax};
use super::{MCP, MCP_SERVERS, WRAPPED_OR_BARE};

const LINUX: On = On::Only(Platform::Linux);
const MAC: On = On::Only(Platform::MacOs);
const WINDOWS: On = On::Only(Platform::Windows);

const CODEX_HOME: Base = Base::Moved { variable: "CODEX_HOME", folder: ".codex" };
const COPILOT_HOME: Base = Base::Moved { variable: "COPILOT_HOME", folder: ".copilot" };

const fn project(spots: &'static [Spot], layouts: &'static [Layout], dialect: &'static d::Dialect) -> Location {
    Location::new(Scope::Project, spots, layouts, dialect)
}

const fn user(spots: &'static [Spot], layouts: &'static [Layout], dialect: &'static d::Dialect) -> Location {
    Location::new(Scope::User, spots, layouts, dialect)
}

const fn machine(spots: &'static [Spot], layouts: &'static [Layout], dialect: &'static d::Dialect) -> Location {
    Location::new(Scope::Machine, spots, layouts, dialect)
}

const CODEX_LAYOUT: &[Layout] = &[Layout::At(&["mcp_servers"])];
const CODEX_PLUGIN: &[Layout] = &[Layout::At(&["mcpServers"]), Layout::At(&["mcp_servers"]), Layout::Bare];
const EXTENSIONS: &[Layout] = &[Layout::At(&["extensions"])];
const AMP_LAYOUT: &[Layout] = &[Layout::At(&["amp.mcpServers"])];

pub(super) const CLIENTS: &[Client] = &[
    Client {
        id: ClientId("claude-code"),
        name: "Claude Code",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".mcp.json")], WRAPPED_OR_BARE, &d::CLAUDE_CODE),
            project(&[(On::All, Base::Project, ".claude-plugin/plugin.json")], MCP_SERVERS, &d::CLAUDE_CODE).settings(),
            project(&[(On::All, Base::Project, ".claude/agents/*.md")], MCP_SERVERS, &d::CLAUDE_CODE)
                .syntax(Syntax::FrontMatter)
                .settings(),
            user(
                &[(On::All, Base::Moved { variable: "CLAUDE_CONFIG_DIR", folder: "" }, ".claude.json")],
                &[Layout::At(&["mcpServers"]), Layout::At(&["projects", "*", "mcpServers"])],
                &d::CLAUDE_CODE,
            )
            .settings(),
            user(
                &[
                    (On::All, Base::Home, ".claude/plugins/cache/**/.mcp.json"),
                    (On::All, Base::Home, ".claude/plugins/repos/**/.mcp.json"),
                ],
                WRAPPED_OR_BARE,
                &d::CLAUDE_CODE,
            ),
            user(
                &[
                    (On::All, Base::Home, ".claude/plugins/cache/**/.claude-plugin/plugin.json"),
                    (On::All, Base::Home, ".claude/plugins/repos/**/.claude-plugin/plugin.json"),
                ],
                MCP_SERVERS,
                &d::CLAUDE_CODE,
            )
            .settings(),
            machine(
                &[
                    (LINUX, Base::Root, "etc/claude-code/managed-mcp.json"),
                    (MAC, Base::Root, "Library/Application Support/ClaudeCode/managed-mcp.json"),
                    (WINDOWS, Base::ProgramFiles, "ClaudeCode/managed-mcp.json"),
                ],
                MCP_SERVERS,
                &d::CLAUDE_CODE,
            ),
        ],
    },
    Client {
        id: ClientId("copilot-cli"),
        name: "GitHub Copilot CLI",
        certainty: Certainty::Confirmed,
        locations: &[
            project(
                &[(On::All, Base::Project, ".mcp.json"), (On::All, Base::Project, ".github/mcp.json")],
                WRAPPED_OR_BARE,
                &d::COPILOT_CLI,
            ),
            project(
                &[(On::All, Base::Project, ".github/agents/*.md"), (On::All, Base::Project, ".claude/agents/*.md")],
                &[Layout::At(&["mcp-servers"])],
                &d::COPILOT_CLI,
            )
            .syntax(Syntax::FrontMatter)
            .settings(),
            user(&[(On::All, COPILOT_HOME, "mcp-config.json")], MCP_SERVERS, &d::COPILOT_CLI),
            user(&[(On::All, COPILOT_HOME, "agents/*.md")], &[Layout::At(&["mcp-servers"])], &d::COPILOT_CLI)
                .syntax(Syntax::FrontMatter)
                .settings(),
        ],
    },
    Client {
        id: ClientId("codex"),
        name: "Codex CLI",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".codex/config.toml")], CODEX_LAYOUT, &d::CODEX)
                .syntax(Syntax::Toml)
                .settings(),
            user(
                &[(On::All, CODEX_HOME, "config.toml"), (On::All, CODEX_HOME, "*.config.toml")],
                CODEX_LAYOUT,
                &d::CODEX,
            )
            .syntax(Syntax::Toml)
            .settings(),
            user(&[(On::All, CODEX_HOME, "plugins/**/.mcp.json")], CODEX_PLUGIN, &d::CODEX),
            machine(
                &[
                    (On::Unix, Base::Root, "etc/codex/config.toml"),
                    (WINDOWS, Base::ProgramData, "OpenAI/Codex/config.toml"),
                ],
                CODEX_LAYOUT,
                &d::CODEX,
            )
            .syntax(Syntax::Toml)
            .settings(),
        ],
    },
    Client {
        id: ClientId("gemini-cli"),
        name: "Gemini CLI",
        certainty: Certainty::Confirmed,
        locations: &[
            project(
                &[(On::All, Base::Project, ".gemini/settings.json"), (On::All, Base::Project, "gemini-extension.json")],
                MCP_SERVERS,
                &d::GEMINI,
            )
            .syntax(Syntax::JsonComments)
            .settings(),
            user(
                &[
                    (On::All, Base::Home, ".gemini/settings.json"),
                    (On::All, Base::Home, ".gemini/extensions/*/gemini-extension.json"),
                ],
                MCP_SERVERS,
                &d::GEMINI,
            )
            .syntax(Syntax::JsonComments)
            .settings(),
            machine(
                &[
                    (LINUX, Base::Root, "etc/gemini-cli/settings.json"),
                    (LINUX, Base::Root, "etc/gemini-cli/system-defaults.json"),
                    (MAC, Base::Root, "Library/Application Support/GeminiCli/settings.json"),
                    (MAC, Base::Root, "Library/Application Support/GeminiCli/system-defaults.json"),
                    (WINDOWS, Base::ProgramData, "gemini-cli/settings.json"),
                    (WINDOWS, Base::ProgramData, "gemini-cli/system-defaults.json"),
                ],
                MCP_SERVERS,
                &d::GEMINI,
            )
            .syntax(Syntax::JsonComments)
            .settings(),
        ],
    },
    Client {
        id: ClientId("qwen-code"),
        name: "Qwen Code",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".mcp.json")], MCP_SERVERS, &d::QWEN_SHARED),
            project(
                &[(On::All, Base::Project, ".qwen/settings.json"), (On::All, Base::Project, "qwen-extension.json")],
                MCP_SERVERS,
                &d::QWEN,
            )
            .syntax(Syntax::JsonComments)
            .settings(),
            user(
                &[
                    (On::All, Base::Home, ".qwen/settings.json"),
                    (On::All, Base::Home, ".qwen/extensions/*/qwen-extension.json"),
                ],
                MCP_SERVERS,
                &d::QWEN,
            )
            .syntax(Syntax::JsonComments)
            .settings(),
        ],
    },
    Client {
        id: ClientId("opencode"),
        name: "opencode",
        certainty: Certainty::Confirmed,
        locations: &[
            project(
                &[
                    (On::All, Base::Project, "opencode.json"),
                    (On::All, Base::Project, "opencode.jsonc"),
                    (On::All, Base::Project, ".opencode/opencode.json"),
                    (On::All, Base::Project, ".opencode/opencode.jsonc"),
                ],
                MCP,
                &d::OPENCODE,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
            user(
                &[
                    (On::All, Base::Config, "opencode/opencode.json"),
                    (On::All, Base::Config, "opencode/opencode.jsonc"),
                ],
                MCP,
                &d::OPENCODE,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
            machine(
                &[
                    (LINUX, Base::Root, "etc/opencode/opencode.json"),
                    (LINUX, Base::Root, "etc/opencode/opencode.jsonc"),
                    (MAC, Base::Root, "Library/Application Support/opencode/opencode.json"),
                    (MAC, Base::Root, "Library/Application Support/opencode/opencode.jsonc"),
                    (WINDOWS, Base::ProgramData, "opencode/opencode.json"),
                    (WINDOWS, Base::ProgramData, "opencode/opencode.jsonc"),
                ],
                MCP,
                &d::OPENCODE,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
        ],
    },
    Client {
        id: ClientId("goose"),
        name: "Goose",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, "recipe.yaml")], EXTENSIONS, &d::GOOSE_RECIPE)
                .syntax(Syntax::Yaml)
                .settings(),
            project(&[(On::All, Base::Project, "recipe.json")], EXTENSIONS, &d::GOOSE_RECIPE).settings(),
            user(
                &[
                    (On::Unix, Base::Config, "goose/config.yaml"),
                    (WINDOWS, Base::AppData, "Block/goose/config/config.yaml"),
                ],
                EXTENSIONS,
                &d::GOOSE,
            )
            .syntax(Syntax::Yaml)
            .settings(),
        ],
    },
    Client {
        id: ClientId("crush"),
        name: "Crush",
        certainty: Certainty::Confirmed,
        locations: &[
            project(
                &[
                    (On::All, Base::Project, ".crush.json"),
                    (On::All, Base::Project, "crush.json"),
                    (On::All, Base::Project, ".crush/crush.json"),
                ],
                MCP,
                &d::CRUSH,
            )
            .settings(),
            project(&[(On::All, Base::Project, ".crushrc"), (On::All, Base::Project, "crushrc")], &[], &d::CRUSH)
                .syntax(Syntax::Script),
            user(
                &[
                    (On::All, Base::Config, "crush/crush.json"),
                    (On::Unix, Base::Home, ".local/share/crush/crush.json"),
                    (WINDOWS, Base::LocalAppData, "crush/crush.json"),
                ],
                MCP,
                &d::CRUSH,
            )
            .settings(),
            user(&[(On::All, Base::Config, "crush/crushrc")], &[], &d::CRUSH).syntax(Syntax::Script),
        ],
    },
    Client {
        id: ClientId("amp"),
        name: "Amp",
        certainty: Certainty::Agreed,
        locations: &[
            project(
                &[(On::All, Base::Project, ".amp/settings.json"), (On::All, Base::Project, ".amp/settings.jsonc")],
                AMP_LAYOUT,
                &d::AMP,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
            project(&[(On::All, Base::Project, ".agents/skills/*/mcp.json")], &[Layout::Bare], &d::AMP),
            project(&[(On::All, Base::Project, ".agents/skills/*/SKILL.md")], MCP_SERVERS, &d::AMP)
                .syntax(Syntax::FrontMatter)
                .settings(),
            user(
                &[
                    (On::All, Base::Config, "amp/settings.json"),
                    (On::All, Base::Config, "amp/settings.jsonc"),
                    (WINDOWS, Base::AppData, "amp/settings.json"),
                ],
                AMP_LAYOUT,
                &d::AMP,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
            machine(
                &[
                    (LINUX, Base::Root, "etc/ampcode/managed-settings.json"),
                    (MAC, Base::Root, "Library/Application Support/ampcode/managed-settings.json"),
                    (WINDOWS, Base::ProgramData, "ampcode/managed-settings.json"),
                ],
                AMP_LAYOUT,
                &d::AMP,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
        ],
    },
    Client {
        id: ClientId("factory-droid"),
        name: "Factory Droid",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".factory/mcp.json")], MCP_SERVERS, &d::FACTORY),
            user(&[(On::All, Base::Home, ".factory/mcp.json")], MCP_SERVERS, &d::FACTORY),
        ],
    },
    Client {
        id: ClientId("mistral-vibe"),
        name: "Mistral Vibe",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".vibe/config.toml")], CODEX_LAYOUT, &d::VIBE)
                .syntax(Syntax::Toml)
                .settings(),
            user(&[(On::All, Base::Home, ".vibe/config.toml")], CODEX_LAYOUT, &d::VIBE).syntax(Syntax::Toml).settings(),
        ],
    },
    Client {
        id: ClientId("kimi-cli"),
        name: "Kimi CLI",
        certainty: Certainty::Confirmed,
        locations: &[user(&[(On::All, Base::Home, ".kimi/mcp.json")], MCP_SERVERS, &d::PLAIN)],
    },
    Client {
        id: ClientId("warp"),
        name: "Warp",
        certainty: Certainty::Agreed,
        locations: &[
            project(&[(On::All, Base::Project, ".warp/.mcp.json")], WRAPPED_OR_BARE, &d::WARP),
            project(&[(On::All, Base::Project, ".mcp.json")], MCP_SERVERS, &d::WARP),
            user(&[(On::All, Base::Home, ".warp/.mcp.json")], WRAPPED_OR_BARE, &d::WARP),
        ],
    },
];
