//! Clients that live in an editor.

use super::dialect as d;
use super::{Base, Certainty, Client, ClientId, Layout, Location, On, Platform, Scope, Spot, Syntax};
use super::{MCP, MCP_SERVERS, SERVERS};

const LINUX: On = On::Only(Platform::Linux);
const MAC: On = On::Only(Platform::MacOs);
const WINDOWS: On = On::Only(Platform::Windows);

const fn project(spots: &'static [Spot], layouts: &'static [Layout], dialect: &'static d::Dialect) -> Location {
    Location::new(Scope::Project, spots, layouts, dialect)
}

const fn user(spots: &'static [Spot], layouts: &'static [Layout], dialect: &'static d::Dialect) -> Location {
    Location::new(Scope::User, spots, layouts, dialect)
}

/// Both spellings of the setting: nested, and as one name with a dot.
const IN_SETTINGS: &[Layout] = &[Layout::At(&["mcp", "servers"]), Layout::At(&["mcp.servers"])];
const CONTINUE_JSON: &[Layout] =
    &[Layout::At(&["mcpServers"]), Layout::At(&["projects", "*", "mcpServers"]), Layout::Single];

pub(super) const CLIENTS: &[Client] = &[
    Client {
        id: ClientId("vscode"),
        name: "VS Code",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".vscode/mcp.json")], SERVERS, &d::VSCODE).syntax(Syntax::Jsonc),
            project(&[(On::All, Base::Project, ".vscode/settings.json")], IN_SETTINGS, &d::VSCODE)
                .syntax(Syntax::Jsonc)
                .settings(),
            project(
                &[(On::All, Base::Project, "*.code-workspace")],
                &[Layout::At(&["settings", "mcp", "servers"]), Layout::At(&["settings", "mcp.servers"])],
                &d::VSCODE,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
            project(
                &[(On::All, Base::Project, ".devcontainer/devcontainer.json")],
                &[Layout::At(&["customizations", "vscode", "mcp", "servers"])],
                &d::VSCODE,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
            user(&[(On::All, Base::Code, "mcp.json")], SERVERS, &d::VSCODE).syntax(Syntax::Jsonc),
            user(&[(On::All, Base::Code, "profiles/*/mcp.json")], SERVERS, &d::VSCODE).syntax(Syntax::Jsonc),
            user(&[(On::All, Base::Home, ".vscode-server/data/User/mcp.json")], SERVERS, &d::VSCODE)
                .syntax(Syntax::Jsonc),
            user(&[(On::All, Base::Code, "settings.json")], IN_SETTINGS, &d::VSCODE).syntax(Syntax::Jsonc).settings(),
        ],
    },
    Client {
        id: ClientId("cursor"),
        name: "Cursor",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".cursor/mcp.json")], MCP_SERVERS, &d::CURSOR),
            user(
                &[
                    (On::All, Base::Home, ".cursor/mcp.json"),
                    (On::All, Base::Home, ".cursor/plugins/cache/**/mcp.json"),
                    (On::All, Base::Home, ".cursor/plugins/cache/**/.mcp.json"),
                    (On::All, Base::Home, ".cursor/plugins/local/**/mcp.json"),
                    (On::All, Base::Home, ".cursor/plugins/local/**/.mcp.json"),
                ],
                MCP_SERVERS,
                &d::CURSOR,
            ),
        ],
    },
    Client {
        id: ClientId("windsurf"),
        name: "Windsurf",
        certainty: Certainty::Confirmed,
        locations: &[user(
            &[
                (On::All, Base::Home, ".codeium/windsurf/mcp_config.json"),
                (On::All, Base::Home, ".codeium/mcp_config.json"),
            ],
            MCP_SERVERS,
            &d::WINDSURF,
        )],
    },
    Client {
        id: ClientId("visual-studio"),
        name: "Visual Studio",
        certainty: Certainty::Confirmed,
        locations: &[
            project(
                &[(On::All, Base::Project, ".vs/mcp.json"), (On::All, Base::Project, ".mcp.json")],
                SERVERS,
                &d::VSCODE,
            ),
            project(&[(On::All, Base::Project, ".vscode/mcp.json")], SERVERS, &d::VSCODE).syntax(Syntax::Jsonc),
            user(&[(WINDOWS, Base::Home, ".mcp.json")], SERVERS, &d::VSCODE),
        ],
    },
    Client {
        id: ClientId("copilot-jetbrains"),
        name: "GitHub Copilot in JetBrains IDEs",
        certainty: Certainty::Agreed,
        locations: &[user(&[(WINDOWS, Base::LocalAppData, "github-copilot/intellij/mcp.json")], SERVERS, &d::VSCODE)],
    },
    Client {
        id: ClientId("zed"),
        name: "Zed",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".zed/settings.json")], &[Layout::At(&["context_servers"])], &d::ZED)
                .syntax(Syntax::Jsonc)
                .settings(),
            user(
                &[(On::Unix, Base::Config, "zed/settings.json"), (WINDOWS, Base::AppData, "Zed/settings.json")],
                &[Layout::At(&["context_servers"])],
                &d::ZED,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
        ],
    },
    Client {
        id: ClientId("cline"),
        name: "Cline",
        certainty: Certainty::Confirmed,
        locations: &[
            user(
                &[(
                    On::All,
                    Base::Moved { variable: "CLINE_DATA_DIR", folder: ".cline/data" },
                    "settings/cline_mcp_settings.json",
                )],
                MCP_SERVERS,
                &d::CLINE,
            ),
            user(
                &[(On::All, Base::Code, "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json")],
                MCP_SERVERS,
                &d::CLINE,
            ),
        ],
    },
    Client {
        id: ClientId("roo-code"),
        name: "Roo Code",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".roo/mcp.json")], MCP_SERVERS, &d::ROO),
            user(
                &[(On::All, Base::Code, "globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json")],
                MCP_SERVERS,
                &d::ROO,
            ),
        ],
    },
    Client {
        id: ClientId("kilo-code"),
        name: "Kilo Code",
        certainty: Certainty::Agreed,
        locations: &[
            project(
                &[
                    (On::All, Base::Project, "kilo.json"),
                    (On::All, Base::Project, "kilo.jsonc"),
                    (On::All, Base::Project, ".kilo/kilo.json"),
                    (On::All, Base::Project, ".kilo/kilo.jsonc"),
                ],
                MCP,
                &d::OPENCODE,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
            project(
                &[(On::All, Base::Project, ".kilocode/mcp.json"), (On::All, Base::Project, ".kilo/mcp.json")],
                MCP_SERVERS,
                &d::ROO,
            ),
            user(
                &[(On::Unix, Base::Config, "kilo/kilo.json"), (On::Unix, Base::Config, "kilo/kilo.jsonc")],
                MCP,
                &d::OPENCODE,
            )
            .syntax(Syntax::Jsonc)
            .settings(),
            user(
                &[(On::All, Base::Code, "globalStorage/kilocode.kilo-code/settings/mcp_settings.json")],
                MCP_SERVERS,
                &d::ROO,
            ),
        ],
    },
    Client {
        id: ClientId("continue"),
        name: "Continue",
        certainty: Certainty::Confirmed,
        locations: &[
            project(
                &[
                    (On::All, Base::Project, ".continue/mcpServers/*.yaml"),
                    (On::All, Base::Project, ".continue/mcpServers/*.yml"),
                ],
                MCP_SERVERS,
                &d::CONTINUE,
            )
            .syntax(Syntax::Yaml)
            .settings(),
            project(&[(On::All, Base::Project, ".continue/mcpServers/*.json")], CONTINUE_JSON, &d::CONTINUE_JSON)
                .syntax(Syntax::JsonComments),
            user(
                &[
                    (On::All, Base::Home, ".continue/config.yaml"),
                    (On::All, Base::Home, ".continue/mcpServers/*.yaml"),
                    (On::All, Base::Home, ".continue/mcpServers/*.yml"),
                ],
                MCP_SERVERS,
                &d::CONTINUE,
            )
            .syntax(Syntax::Yaml)
            .settings(),
            user(&[(On::All, Base::Home, ".continue/mcpServers/*.json")], CONTINUE_JSON, &d::CONTINUE_JSON)
                .syntax(Syntax::JsonComments),
            user(
                &[(On::All, Base::Home, ".continue/config.json")],
                &[Layout::At(&["experimental", "modelContextProtocolServers"])],
                &d::CONTINUE_JSON,
            )
            .syntax(Syntax::JsonComments)
            .settings(),
        ],
    },
    Client {
        id: ClientId("amazon-q"),
        name: "Amazon Q Developer",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".amazonq/mcp.json")], MCP_SERVERS, &d::AMAZON_Q),
            project(
                &[
                    (On::All, Base::Project, ".amazonq/cli-agents/*.json"),
                    (On::All, Base::Project, ".amazonq/agents/*.json"),
                ],
                MCP_SERVERS,
                &d::AMAZON_Q,
            )
            .settings(),
            user(&[(On::All, Base::Home, ".aws/amazonq/mcp.json")], MCP_SERVERS, &d::AMAZON_Q),
            user(
                &[
                    (On::All, Base::Home, ".aws/amazonq/cli-agents/*.json"),
                    (On::All, Base::Home, ".aws/amazonq/agents/default.json"),
                ],
                MCP_SERVERS,
                &d::AMAZON_Q,
            )
            .settings(),
        ],
    },
    Client {
        id: ClientId("kiro"),
        name: "Kiro",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".kiro/settings/mcp.json")], MCP_SERVERS, &d::KIRO),
            project(&[(On::All, Base::Project, ".kiro/agents/*.json")], MCP_SERVERS, &d::KIRO).settings(),
            user(
                &[(On::All, Base::Home, ".kiro/settings/mcp.json")],
                &[Layout::At(&["mcpServers"]), Layout::At(&["powers", "mcpServers"])],
                &d::KIRO,
            ),
            user(&[(On::All, Base::Home, ".kiro/powers/installed/*/mcp.json")], MCP_SERVERS, &d::KIRO),
            user(&[(On::All, Base::Home, ".kiro/agents/*.json")], MCP_SERVERS, &d::KIRO).settings(),
        ],
    },
    Client {
        id: ClientId("junie"),
        name: "JetBrains Junie",
        certainty: Certainty::Confirmed,
        locations: &[
            project(&[(On::All, Base::Project, ".junie/mcp/mcp.json")], MCP_SERVERS, &d::PLAIN),
            user(&[(On::All, Base::Home, ".junie/mcp/mcp.json")], MCP_SERVERS, &d::PLAIN),
        ],
    },
    Client {
        id: ClientId("jetbrains-air"),
        name: "JetBrains Air",
        certainty: Certainty::Confirmed,
        locations: &[project(
            &[(On::All, Base::Project, ".air/mcp.json"), (On::All, Base::Project, ".mcp.json")],
            MCP_SERVERS,
            &d::PLAIN,
        )],
    },
    Client {
        id: ClientId("trae"),
        name: "Trae",
        certainty: Certainty::Agreed,
        locations: &[
            project(&[(On::All, Base::Project, ".trae/mcp.json")], MCP_SERVERS, &d::PLAIN),
            user(
                &[
                    (LINUX, Base::Config, "Trae/User/mcp.json"),
                    (LINUX, Base::Config, "Trae CN/User/mcp.json"),
                    (MAC, Base::ApplicationSupport, "Trae/User/mcp.json"),
                    (MAC, Base::ApplicationSupport, "Trae CN/User/mcp.json"),
                    (WINDOWS, Base::AppData, "Trae/User/mcp.json"),
                    (WINDOWS, Base::AppData, "Trae CN/User/mcp.json"),
                ],
                MCP_SERVERS,
                &d::PLAIN,
            ),
        ],
    },
    Client {
        id: ClientId("antigravity"),
        name: "Google Antigravity",
        certainty: Certainty::Agreed,
        locations: &[user(
            &[
                (On::All, Base::Home, ".gemini/config/mcp_config.json"),
                (On::All, Base::Home, ".gemini/antigravity/mcp_config.json"),
            ],
            MCP_SERVERS,
            &d::ANTIGRAVITY,
        )],
    },
    Client {
        id: ClientId("mcphub-nvim"),
        name: "mcphub.nvim",
        certainty: Certainty::Confirmed,
        locations: &[user(
            &[(On::Unix, Base::Config, "mcphub/servers.json")],
            &[Layout::At(&["servers"]), Layout::At(&["mcpServers"])],
            &d::MCPHUB,
        )
        .syntax(Syntax::Json5)],
    },
];
