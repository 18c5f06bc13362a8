//! The search on a real disk.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use warden::clients::{Bounds, Cause, Found, Places, Platform, find, project_folders, read_named, source_for};

const ONE: &str = r#"{"mcpServers": {"tide": {"command": "tide-mcp"}}}"#;

struct Disk {
    folder: tempfile::TempDir,
}

impl Disk {
    fn new() -> Self {
        let disk = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(disk.path("home")).unwrap();
        fs::create_dir_all(disk.path("repo/.git")).unwrap();
        disk
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    /// Searches from a folder. The machine's own files lie outside of the disk; none of these tests is about them.
    fn find(&self, current: &str) -> Found {
        self.find_within(current, &Bounds::default())
    }

    fn find_within(&self, current: &str, bounds: &Bounds) -> Found {
        let home = self.path("home");
        let variable = |name: &str| (name == "HOME").then(|| OsString::from(&home));
        let folders = project_folders(&self.path(current), Some(&home));
        let mut found = find(&Places::new(Platform::Linux, folders, &variable), bounds);
        found.files.retain(|file| file.path.starts_with(self.folder.path()));
        found.errors.retain(|error| error.path.starts_with(self.folder.path()));
        found
    }

    fn names(&self, found: &Found) -> Vec<String> {
        let name = |path: &Path| path.strip_prefix(self.folder.path()).unwrap().to_str().unwrap().replace('\\', "/");
        found.files.iter().map(|file| name(&file.path)).collect()
    }
}

fn causes(found: &Found) -> Vec<&Cause> {
    found.errors.iter().map(|error| &error.cause).collect()
}

#[test]
fn the_search_goes_up_to_the_repository_and_no_further() {
    let disk = Disk::new();
    disk.write(".mcp.json", ONE);
    disk.write("repo/.mcp.json", ONE);
    disk.write("repo/a/b/.cursor/mcp.json", ONE);
    disk.write("home/.kimi/mcp.json", ONE);
    let found = disk.find("repo/a/b");
    assert_eq!(disk.names(&found), ["repo/a/b/.cursor/mcp.json", "repo/.mcp.json", "home/.kimi/mcp.json"]);
    assert_eq!(found.errors, []);
    assert_eq!(found.files[1].servers[0].read_by.len(), 5);
}

#[test]
fn without_a_repository_the_home_folder_ends_the_search() {
    let disk = Disk::new();
    let home = disk.path("home");
    let folders = |current: &str| -> usize { project_folders(&disk.path(current), Some(&home)).len() };
    assert_eq!((folders("home/a/b"), folders("home/a"), folders("home"), folders("elsewhere/a")), (2, 1, 1, 1));
    assert_eq!(folders("repo/a/b/c"), 4);
    // A work tree has a file of that name.
    disk.write("tree/.git", "gitdir: elsewhere");
    assert_eq!(folders("tree/a"), 2);
    let deep = "x/".repeat(60);
    assert_eq!(folders(&format!("repo/{deep}")), 1);
}

#[test]
fn a_file_that_cannot_be_read_hides_no_other() {
    let disk = Disk::new();
    disk.write("repo/.mcp.json", "{\"mcpServers\": {");
    disk.write("repo/.roo/mcp.json", vec![b' '; (1 << 20) + 1]);
    disk.write("repo/.cursor/mcp.json", ONE);
    fs::create_dir_all(disk.path("repo/.vscode/mcp.json")).unwrap();
    let found = disk.find("repo");
    assert_eq!(disk.names(&found), ["repo/.cursor/mcp.json"]);
    let mut shown: Vec<String> = causes(&found).iter().map(ToString::to_string).collect();
    shown.sort();
    assert_eq!(shown, ["Unterminated object", "it is larger than 1 MiB", "it is not a regular file"]);
    // The user's own files may be larger.
    disk.write("home/.claude.json", format!("{}{ONE}", " ".repeat(2 << 20)));
    assert_eq!(disk.names(&disk.find("repo")).len(), 2);
}

#[test]
fn patterns_find_files_in_folders() {
    let disk = Disk::new();
    disk.write("repo/.continue/mcpServers/b.yaml", "mcpServers: []");
    disk.write("repo/.continue/mcpServers/a.json", ONE);
    disk.write("repo/.continue/mcpServers/a.txt", ONE);
    disk.write("repo/shop.code-workspace", "{}");
    disk.write("home/.claude/plugins/cache/m/p/1.0/.mcp.json", ONE);
    disk.write("home/.claude/plugins/cache/1/2/3/4/5/6/7/.mcp.json", ONE);
    disk.write("home/.gemini/extensions/x/gemini-extension.json", ONE);
    let mut names = disk.names(&disk.find("repo"));
    names.sort();
    assert_eq!(
        names,
        [
            "home/.claude/plugins/cache/m/p/1.0/.mcp.json",
            "home/.gemini/extensions/x/gemini-extension.json",
            "repo/.continue/mcpServers/a.json",
            "repo/.continue/mcpServers/b.yaml",
            "repo/shop.code-workspace",
        ]
    );
}

#[test]
fn the_search_is_bounded_and_says_where_it_stopped() {
    let disk = Disk::new();
    for number in 0..20 {
        disk.write(&format!("repo/.continue/mcpServers/{number}.json"), ONE);
    }
    disk.write("repo/.cursor/mcp.json", ONE);
    let few_names = disk.find_within("repo", &Bounds { names: 10, ..Bounds::default() });
    assert_eq!(causes(&few_names), [&Cause::TooManyFiles]);
    assert_eq!(disk.names(&few_names), ["repo/.cursor/mcp.json"]);
    let few_files = disk.find_within("repo", &Bounds { files: 5, ..Bounds::default() });
    assert_eq!(causes(&few_files), [&Cause::TooManyFiles]);
    assert_eq!(few_files.files.len(), 5);
    assert_eq!(disk.find("repo").files.len(), 21);
}

#[test]
fn nothing_there_is_no_error() {
    let disk = Disk::new();
    let found = disk.find("repo");
    assert!(found.files.is_empty() && found.errors.is_empty() && found.places > 100);
}

#[test]
fn a_named_file_is_read_or_the_reason_is_said() {
    let disk = Disk::new();
    disk.write("other.json", ONE);
    let read = |path: &str| read_named(&source_for(&disk.path(path)).unwrap());
    assert_eq!(read("other.json").unwrap().servers[0].name, "tide");
    assert!(matches!(read("missing.json").unwrap_err().cause, Cause::Io(_)));
    fs::create_dir(disk.path("folder.json")).unwrap();
    assert_eq!(read("folder.json").unwrap_err().cause, Cause::NotRegular);
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;
    use warden::clients::RemarkKind;

    #[test]
    fn links_are_followed_inside_of_the_project_only() {
        let disk = Disk::new();
        disk.write("secret.json", ONE);
        disk.write("repo/common.json", ONE);
        for folder in [".cursor", ".roo", ".trae", ".factory"] {
            fs::create_dir(disk.path("repo").join(folder)).unwrap();
        }
        symlink("../common.json", disk.path("repo/.cursor/mcp.json")).unwrap();
        symlink("../../secret.json", disk.path("repo/.roo/mcp.json")).unwrap();
        symlink("../nothing.json", disk.path("repo/.trae/mcp.json")).unwrap();
        symlink("mcp.json", disk.path("repo/.factory/mcp.json")).unwrap();
        let found = disk.find("repo");
        assert_eq!(disk.names(&found), ["repo/.cursor/mcp.json"]);
        assert_eq!(found.files[0].remarks[0].kind, RemarkKind::Link);
        let causes = causes(&found);
        assert!(causes.contains(&&Cause::LinkOut) && causes.contains(&&Cause::DanglingLink), "{causes:?}");
        assert!(causes.iter().any(|cause| matches!(cause, Cause::Io(_))), "a link to itself: {causes:?}");
        assert_eq!(causes.len(), 3);
    }

    #[test]
    fn a_folder_that_is_a_link_leads_nowhere_else() {
        let disk = Disk::new();
        disk.write("outside/mcp.json", ONE);
        disk.write("outside/agents/a.json", ONE);
        symlink("../outside", disk.path("repo/.cursor")).unwrap();
        symlink("../outside", disk.path("repo/.kiro")).unwrap();
        let found = disk.find("repo");
        assert!(found.files.is_empty());
        assert_eq!(causes(&found), [&Cause::LinkOut, &Cause::LinkOut]);
    }

    #[test]
    fn the_users_own_links_are_followed_and_mentioned() {
        let disk = Disk::new();
        disk.write("dotfiles/kimi.json", ONE);
        fs::create_dir_all(disk.path("home/.kimi")).unwrap();
        symlink("../../dotfiles/kimi.json", disk.path("home/.kimi/mcp.json")).unwrap();
        let found = disk.find("repo");
        assert_eq!(disk.names(&found), ["home/.kimi/mcp.json"]);
        assert_eq!(found.files[0].remarks[0].kind, RemarkKind::Link);
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_no_empty_folder() {
        let disk = Disk::new();
        fs::create_dir_all(disk.path("repo/.continue")).unwrap();
        // Root may list everything, so a loop stands for what cannot be listed.
        symlink("mcpServers", disk.path("repo/.continue/mcpServers")).unwrap();
        let found = disk.find("repo");
        assert!(matches!(causes(&found)[..], [Cause::Io(_)]), "{:?}", found.errors);
    }

    #[test]
    fn pipes_are_not_opened() {
        let disk = Disk::new();
        fs::create_dir(disk.path("repo/.cursor")).unwrap();
        let pipe = disk.path("repo/.cursor/mcp.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(causes(&disk.find("repo")), [&Cause::NotRegular]);
    }
}
