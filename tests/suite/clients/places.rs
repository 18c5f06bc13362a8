//! Which paths are looked at on which platform, without any disk.

use super::source;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use warden::clients::{Base, ClientId, Places, Platform, Scope, candidates, clients, source_for};

fn places(platform: Platform, variables: &[(&str, &str)]) -> Places {
    let (project, home) = match platform {
        Platform::Windows => ("C:\\shop", ("USERPROFILE", "C:\\Users\\ann")),
        Platform::Linux => ("/shop", ("HOME", "/home/ann")),
        Platform::MacOs => ("/shop", ("HOME", "/Users/ann")),
    };
    let all = [&[home], variables].concat();
    let variable = |name: &str| all.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value));
    Places::new(platform, vec![PathBuf::from(project)], &variable)
}

/// The paths of one client, patterns included.
fn paths(places: &Places, client: &str, scope: Scope) -> Vec<String> {
    candidates(places)
        .iter()
        .filter(|candidate| candidate.reader.client.as_str() == client && candidate.reader.location.scope == scope)
        .map(|candidate| candidate.path(places).to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn user_and_machine_files_of_three_platforms() {
    let [linux, mac, windows] = Platform::ALL.map(|platform| places(platform, &[]));
    let first =
        |places: &Places, client: &str, scope| paths(places, client, scope).first().cloned().unwrap_or_default();
    let app = "/Users/ann/Library/Application Support";
    let roaming = "C:\\Users\\ann\\AppData\\Roaming";
    let local = "C:\\Users\\ann\\AppData\\Local";
    for (client, on_linux, on_mac, on_windows) in [
        (
            "claude-code",
            "/home/ann/.claude.json".to_owned(),
            "/Users/ann/.claude.json".to_owned(),
            "C:\\Users\\ann\\.claude.json".to_owned(),
        ),
        (
            "claude-desktop",
            "/home/ann/.config/Claude/claude_desktop_config.json".to_owned(),
            format!("{app}/Claude/claude_desktop_config.json"),
            format!("{roaming}\\Claude\\claude_desktop_config.json"),
        ),
        (
            "vscode",
            "/home/ann/.config/Code/User/mcp.json".to_owned(),
            format!("{app}/Code/User/mcp.json"),
            format!("{roaming}\\Code\\User\\mcp.json"),
        ),
        (
            "cursor",
            "/home/ann/.cursor/mcp.json".to_owned(),
            "/Users/ann/.cursor/mcp.json".to_owned(),
            "C:\\Users\\ann\\.cursor\\mcp.json".to_owned(),
        ),
        (
            "codex",
            "/home/ann/.codex/config.toml".to_owned(),
            "/Users/ann/.codex/config.toml".to_owned(),
            "C:\\Users\\ann\\.codex\\config.toml".to_owned(),
        ),
        (
            "zed",
            "/home/ann/.config/zed/settings.json".to_owned(),
            "/Users/ann/.config/zed/settings.json".to_owned(),
            format!("{roaming}\\Zed\\settings.json"),
        ),
        (
            "goose",
            "/home/ann/.config/goose/config.yaml".to_owned(),
            "/Users/ann/.config/goose/config.yaml".to_owned(),
            format!("{roaming}\\Block\\goose\\config\\config.yaml"),
        ),
        ("visual-studio", String::new(), String::new(), "C:\\Users\\ann\\.mcp.json".to_owned()),
        ("copilot-jetbrains", String::new(), String::new(), format!("{local}\\github-copilot\\intellij\\mcp.json")),
        (
            "trae",
            "/home/ann/.config/Trae/User/mcp.json".to_owned(),
            format!("{app}/Trae/User/mcp.json"),
            format!("{roaming}\\Trae\\User\\mcp.json"),
        ),
        (
            "5ire",
            "/home/ann/.config/5ire/mcp.json".to_owned(),
            format!("{app}/5ire/mcp.json"),
            format!("{roaming}\\5ire\\mcp.json"),
        ),
        (
            "kimi-cli",
            "/home/ann/.kimi/mcp.json".to_owned(),
            "/Users/ann/.kimi/mcp.json".to_owned(),
            "C:\\Users\\ann\\.kimi\\mcp.json".to_owned(),
        ),
    ] {
        assert_eq!(first(&linux, client, Scope::User), on_linux);
        assert_eq!(first(&mac, client, Scope::User), on_mac);
        assert_eq!(first(&windows, client, Scope::User), on_windows);
    }
    for (client, on_linux, on_mac, on_windows) in [
        (
            "claude-code",
            "/etc/claude-code/managed-mcp.json",
            "/Library/Application Support/ClaudeCode/managed-mcp.json",
            "C:\\Program Files\\ClaudeCode\\managed-mcp.json",
        ),
        ("codex", "/etc/codex/config.toml", "/etc/codex/config.toml", "C:\\ProgramData\\OpenAI\\Codex\\config.toml"),
        (
            "gemini-cli",
            "/etc/gemini-cli/settings.json",
            "/Library/Application Support/GeminiCli/settings.json",
            "C:\\ProgramData\\gemini-cli\\settings.json",
        ),
    ] {
        assert_eq!(first(&linux, client, Scope::Machine), on_linux);
        assert_eq!(first(&mac, client, Scope::Machine), on_mac);
        assert_eq!(first(&windows, client, Scope::Machine), on_windows);
    }
    assert!(paths(&windows, "claude-desktop", Scope::User)[1].starts_with(&format!("{local}\\Packages\\Claude_*")));
}

#[test]
fn project_files_are_looked_for_in_every_folder_of_the_project() {
    let mut places = places(Platform::Linux, &[]);
    places.project = vec![PathBuf::from("/repo/a"), PathBuf::from("/repo")];
    assert_eq!(
        paths(&places, "copilot-cli", Scope::Project)[..3],
        ["/repo/a/.mcp.json", "/repo/a/.github/mcp.json", "/repo/a/.github/agents/*.md"]
    );
    assert!(paths(&places, "vscode", Scope::Project).contains(&"/repo/.vscode/mcp.json".to_owned()));
    let windows = self::places(Platform::Windows, &[]);
    assert_eq!(paths(&windows, "cursor", Scope::Project), ["C:\\shop\\.cursor\\mcp.json"]);
}

#[test]
fn variables_move_files() {
    let moved = [
        ("CODEX_HOME", "/c"),
        ("CLAUDE_CONFIG_DIR", "/d/"),
        ("XDG_CONFIG_HOME", "/x"),
        ("VSCODE_PORTABLE", "/p"),
        ("COPILOT_HOME", "relative"),
    ];
    let linux = places(Platform::Linux, &moved);
    assert_eq!(paths(&linux, "codex", Scope::User)[0], "/c/config.toml");
    assert_eq!(paths(&linux, "claude-code", Scope::User)[0], "/d/.claude.json");
    assert_eq!(paths(&linux, "opencode", Scope::User)[0], "/x/opencode/opencode.json");
    assert!(paths(&linux, "vscode", Scope::User).contains(&"/p/user-data/User/mcp.json".to_owned()));
    // A path that depends on the current folder is no place.
    assert_eq!(paths(&linux, "copilot-cli", Scope::User)[0], "/home/ann/.copilot/mcp-config.json");
    // There is no such variable on macOS.
    assert_eq!(
        paths(&places(Platform::MacOs, &moved), "opencode", Scope::User)[0],
        "/Users/ann/.config/opencode/opencode.json"
    );
    let windows =
        places(Platform::Windows, &[("APPDATA", "D:\\R"), ("LOCALAPPDATA", "\\\\host\\L"), ("ProgramData", "E:\\P")]);
    assert_eq!(paths(&windows, "zed", Scope::User), ["D:\\R\\Zed\\settings.json"]);
    assert_eq!(paths(&windows, "copilot-jetbrains", Scope::User), ["\\\\host\\L\\github-copilot\\intellij\\mcp.json"]);
    assert_eq!(paths(&windows, "codex", Scope::Machine), ["E:\\P\\OpenAI\\Codex\\config.toml"]);
}

#[test]
fn without_a_home_only_the_project_and_the_machine_are_left() {
    let nothing = Places::new(Platform::Linux, vec![PathBuf::from("/shop")], &|_| None);
    assert!(candidates(&nothing).iter().all(|candidate| candidate.reader.location.scope != Scope::User));
    assert!(candidates(&nothing).len() > 40);
}

#[test]
fn the_table_is_sound() {
    let ids: Vec<&str> = clients().map(|client| client.id.as_str()).collect();
    assert_eq!(ids.len(), 34);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    for client in clients() {
        assert!(ClientId::find(client.id.as_str()) == Some(client.id) && client.id.to_string() == client.name);
        assert!(!client.locations.is_empty(), "{}", client.name);
        for location in client.locations {
            for (_, base, path) in location.spots {
                assert_eq!(*base == Base::Project, location.scope == Scope::Project, "{path}");
                assert!(!path.starts_with('/') && !path.contains("..") && !path.contains('\\'), "{path}");
                // Whatever a user names is read as the table says.
                let folder = match base {
                    Base::Moved { folder, .. } => folder,
                    Base::Code => "User",
                    _ => "",
                };
                let named = format!("{folder}/{}", path.replace("**/", "x/y/").replace('*', "x"));
                let named = named.trim_start_matches('/');
                let readers =
                    source_for(&PathBuf::from("/a").join(named)).map(|source| source.readers).unwrap_or_default();
                assert!(!readers.is_empty(), "{path}");
            }
        }
    }
}

#[test]
fn a_named_file_is_read_as_its_path_says() {
    let clients =
        |path: &str| -> Vec<&str> { source(path).readers.iter().map(|reader| reader.client.as_str()).collect() };
    assert_eq!(clients("/x/.cursor/mcp.json"), ["cursor", "cursor"]);
    assert_eq!(clients("/x/.vscode/mcp.json"), ["vscode", "visual-studio"]);
    assert_eq!(clients("/x/.vibe/config.toml"), ["mistral-vibe", "mistral-vibe"]);
    assert_eq!(clients("mcphub/servers.json"), ["mcphub-nvim"]);
    assert_eq!(clients("/moved/mcp-config.json"), ["copilot-cli"]);
    assert_eq!(clients("/x/anything.json")[0], "claude-code");
    assert_eq!(clients("/x/anything.toml")[0], "codex");
    assert!(source_for(&PathBuf::from("/x/anything.txt")).is_none());
}
