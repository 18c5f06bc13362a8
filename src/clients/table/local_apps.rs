//! Desktop programs, and tools that stand between clients and servers.

use super::dialect as d;
use super::{Base, Certainty, Client, ClientId, Layout, Location, MCP_SERVERS, On, Platform, Scope, Syntax};

const LINUX: On = On::Only(Platform::Linux);
const MAC: On = On::Only(Platform::MacOs);
const WINDOWS: On = On::Only(Platform::Windows);

pub(super) const CLIENTS: &[Client] = &[
    Client {
        id: ClientId("claude-desktop"),
        name: "Claude Desktop",
        certainty: Certainty::Confirmed,
        locations: &[Location::new(
            Scope::User,
            &[
                (LINUX, Base::Config, "Claude/claude_desktop_config.json"),
                (MAC, Base::ApplicationSupport, "Claude/claude_desktop_config.json"),
                (WINDOWS, Base::AppData, "Claude/claude_desktop_config.json"),
                (WINDOWS, Base::LocalAppData, "Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json"),
            ],
            MCP_SERVERS,
            &d::PLAIN,
        )],
    },
    Client {
        id: ClientId("lm-studio"),
        name: "LM Studio",
        certainty: Certainty::Agreed,
        locations: &[Location::new(
            Scope::User,
            &[(On::All, Base::Home, ".lmstudio/mcp.json"), (On::All, Base::Home, ".cache/lm-studio/mcp.json")],
            MCP_SERVERS,
            &d::PLAIN,
        )],
    },
    Client {
        id: ClientId("5ire"),
        name: "5ire",
        certainty: Certainty::Confirmed,
        locations: &[Location::new(
            Scope::User,
            &[
                (LINUX, Base::Config, "5ire/mcp.json"),
                (MAC, Base::ApplicationSupport, "5ire/mcp.json"),
                (WINDOWS, Base::AppData, "5ire/mcp.json"),
            ],
            &[Layout::At(&["mcpServers"]), Layout::At(&["servers"])],
            &d::FIVE_IRE,
        )],
    },
    Client {
        id: ClientId("mcporter"),
        name: "MCPorter",
        certainty: Certainty::Agreed,
        locations: &[
            Location::new(Scope::Project, &[(On::All, Base::Project, "config/mcporter.json")], MCP_SERVERS, &d::PLAIN),
            Location::new(
                Scope::User,
                &[(On::All, Base::Home, ".mcporter/mcporter.json"), (On::All, Base::Home, ".mcporter/mcporter.jsonc")],
                MCP_SERVERS,
                &d::PLAIN,
            )
            .syntax(Syntax::Jsonc),
        ],
    },
];
