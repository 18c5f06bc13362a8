//! Where the servers of a project come from: several files, several shapes, and files that are hostile.

use crate::support::project::{Project, pairs, part, tool, verdicts};
use serde_json::json;

fn entry(name: &str) -> serde_json::Value {
    json!({"command": "./server", "args": [format!("{name}.json")]})
}

#[test]
fn one_server_in_several_files_is_one_server_if_they_agree() {
    let project = Project::of(&["ada"]);
    std::fs::create_dir(project.sandbox.path(".cursor")).unwrap();
    let write = |entry: serde_json::Value| {
        project.sandbox.write(".cursor/mcp.json", json!({"mcpServers": {"ada": entry}}).to_string());
    };
    // Another client writes its variables in another way.
    write(entry("ada"));
    project.pin().expect(0);
    let run = project.check(&[]).expect(0);
    assert_eq!(part(&run, "ada")["places"].as_array().unwrap().len(), 2);
    write(json!({"command": "./server", "args": ["other.json"]}));
    let run = project.check(&[]).expect(2);
    assert_eq!(verdicts(&run), pairs(&[("ada", "failed")]));
    let said = part(&run, "ada")["said"].as_str().unwrap().to_owned();
    assert!(said.contains(".mcp.json:") && said.contains(".cursor/mcp.json:"), "{said}");
    // Both can be checked once they have names of their own.
    project.play("other", &tool("other"));
    project.sandbox.write(
        "warden.toml",
        "[servers.ada]\nfrom = \".mcp.json\"\n[servers.ada-in-cursor]\nfrom = \".cursor/mcp.json\"\nentry = \"ada\"\n",
    );
    let run = project.pin().expect(0);
    assert_eq!(verdicts(&run), pairs(&[("ada", "unchanged"), ("ada-in-cursor", "pinned")]));
}

#[test]
fn a_command_in_warden_toml_has_to_agree_with_what_clients_start() {
    let project = Project::of(&["ada"]);
    project.sandbox.write("warden.toml", "[servers.ada]\ncommand = [\"./server\", \"ada.json\"]\n");
    project.pin().expect(0);
    project.sandbox.write("warden.toml", "[servers.ada]\ncommand = [\"./server\", \"harmless.json\"]\n");
    assert_eq!(verdicts(&project.check(&[]).expect(2)), pairs(&[("ada", "failed")]));
    // Without the clients' files, what warden.toml says is all there is.
    project.sandbox.write("warden.toml", "discover = false\n[servers.ada]\ncommand = [\"./server\", \"ada.json\"]\n");
    assert_eq!(verdicts(&project.check(&[]).expect(0)), pairs(&[("ada", "clean")]));
}

#[test]
fn files_that_are_named_are_the_only_ones() {
    let project = Project::of(&["ada"]);
    project.play("bob", &tool("bob"));
    project.sandbox.write("team.json", json!({"mcpServers": {"bob": entry("bob")}}).to_string());
    let run = project.sandbox.run(&["pin", "--all", "--yes", "--json", "--config", "team.json"]).expect(0);
    assert_eq!(verdicts(&run), pairs(&[("bob", "pinned")]));
    assert!(!project.sandbox.exists(".warden/ada"));
    let run =
        project.sandbox.run(&["check", "--all", "--json", "--config", "team.json", "--config", ".mcp.json"]).expect(1);
    assert_eq!(verdicts(&run), pairs(&[("ada", "not-locked"), ("bob", "clean")]));
    for words in [
        &["--config", "nowhere.json"][..],
        &["--config", "ada.json.txt"],
        &["--config", "a.toml", "--config", "b.toml"],
    ] {
        project.sandbox.run(&[&["check", "--all"], words].concat()).expect(2);
    }
}

#[test]
fn locks_can_be_elsewhere() {
    let project = Project::of(&["ada", "bob"]);
    project.sandbox.write("warden.toml", "locks = \"locks/mcp\"\n[servers.bob]\nlock = \"bob.lock\"\n");
    project.pin().expect(0);
    assert!(project.sandbox.exists("locks/mcp/ada/warden.lock") && project.sandbox.exists("bob.lock"));
    project.check(&[]).expect(0);
}

#[test]
fn hostile_names_have_locks_of_their_own_inside_of_the_project() {
    let mut project = Project::of(&[]);
    let names = ["../up", "a/b", "A", "a", "CON", "", ".", "x\ny", "\u{202e}evil", &"n".repeat(300)];
    project.play("s", &tool("s"));
    for name in names {
        project.configure(name, entry("s"));
    }
    let run = project.pin().expect(0);
    assert_eq!(verdicts(&run).len(), names.len());
    project.check(&[]).expect(0);
    assert!(!project.sandbox.path("../up").exists() && !project.sandbox.path(".warden/../up").exists());
    // Every lock is known by the name of its folder.
    for name in names {
        project.remove(name);
    }
    project.add("other", &tool("other"));
    let found = verdicts(&project.check(&[]).expect(1));
    let mut lost: Vec<&str> =
        found.iter().filter(|(_, v)| v == "not-configured").map(|(name, _)| name.as_str()).collect();
    let mut expected = names.to_vec();
    lost.sort_unstable();
    expected.sort_unstable();
    assert_eq!(lost, expected);
}

#[test]
fn a_link_does_not_lead_a_lock_out_of_the_project() {
    let project = Project::of(&["ada"]);
    let outside = project.sandbox.path("../outside");
    std::fs::create_dir_all(outside.join("ada")).unwrap();
    std::os::unix::fs::symlink(&outside, project.sandbox.path(".warden")).unwrap();
    let run = project.pin().expect(2);
    assert_eq!(verdicts(&run), pairs(&[("ada", "failed")]));
    assert_eq!(outside.join("ada").read_dir().unwrap().count(), 0);
    std::fs::remove_dir_all(outside).unwrap();
}

#[test]
fn a_file_that_cannot_be_read_may_hide_any_server() {
    let project = Project::of(&["ada"]);
    project.pin().expect(0);
    std::fs::create_dir(project.sandbox.path(".cursor")).unwrap();
    project.sandbox.write(".cursor/mcp.json", "{\"mcpServers\": ");
    let run = project.check(&[]).expect(2);
    assert_eq!(verdicts(&run), pairs(&[(".cursor/mcp.json", "failed"), ("ada", "clean")]));
    // For one server by its name it is a note.
    let run = project.check(&["--only", "ada"]).expect(0);
    assert!(run.document()["notes"].to_string().contains(".cursor/mcp.json"), "{run}");
}

#[test]
fn what_cannot_be_told_without_running_something_is_not_started() {
    let mut project = Project::of(&["ada"]);
    project.configure("odd", json!({"type": "http", "url": "https://x.example/", "headersHelper": "/bin/evil"}));
    let run = project.sandbox.run(&["pin", "--all", "--yes", "--json"]).expect(2);
    assert_eq!(verdicts(&run), pairs(&[("ada", "pinned"), ("odd", "failed")]));
}

#[test]
fn an_entry_that_its_clients_read_in_different_ways_is_not_checked_for_all_of_them() {
    let mut project = Project::of(&["ada", "bob"]);
    project.pin().expect(0);
    let lock = project.lock("ada");
    for (member, value, said) in [
        ("httpUrl", "https://evil.example.test/mcp", "Qwen Code"),
        ("tcp", "evil.example.test:1", "Qwen Code"),
        ("working_directory", "evil", "Warp"),
    ] {
        let mut entry = entry("ada");
        entry[member] = json!(value);
        project.configure("ada", entry);
        let run = project.check(&[]).expect(2);
        assert_eq!(verdicts(&run), pairs(&[("ada", "failed"), ("bob", "clean")]));
        let part = part(&run, "ada").to_string();
        assert!(part.contains("Claude Code") && part.contains(said) && part.contains(member), "{part}");
        assert!(!run.stdout.contains(value) || value == "evil", "{run}");
        // Nor is it pinned anew.
        let run = project.sandbox.run(&["pin", "--all", "--yes", "--force", "--json"]).expect(2);
        assert_eq!(verdicts(&run)[0], ("ada".to_owned(), "failed".to_owned()));
        assert_eq!(project.lock("ada"), lock);
    }
    // The same in every spelling that counts.
    let mut entry = entry("ada");
    (entry["cwd"], entry["working_directory"]) = (json!("."), json!("."));
    project.configure("ada", entry);
    assert_ne!(verdicts(&project.check(&[]))[0].1, "failed");
}

#[test]
fn what_discover_false_leaves_out_is_told() {
    let mut project = Project::of(&["ada", "bob", "eve"]);
    project.sandbox.write(
        "warden.toml",
        "discover = false\n[servers.ada]\ncommand = [\"./server\", \"ada.json\"]\n[servers.b]\nfrom = \".mcp.json\"\nentry = \"bob\"\n",
    );
    let told =
        ".mcp.json has a server that clients start and nobody checks here, as warden.toml says discover = false: eve";
    let notes = |run: &crate::support::cli::Run| run.document()["notes"].to_string();
    let pin = project.pin().expect(0);
    assert_eq!(verdicts(&pin), pairs(&[("ada", "pinned"), ("b", "pinned")]));
    assert!(notes(&pin).contains(told), "{pin}");
    assert!(notes(&project.check(&[]).expect(0)).contains(told));
    assert!(project.sandbox.run(&["show", "--all"]).expect(0).all().contains("discover = false"));
    assert!(!notes(&project.check(&["--only", "ada"]).expect(0)).contains("discover"));
    let left = |project: &Project| -> Vec<String> {
        let report = project.sandbox.run(&["doctor", "--json", "--project"]).document();
        let all = report["findings"].as_array().unwrap().iter();
        let left = all.filter(|finding| finding["rule_id"] == "WRD-CONF-LEFT-OUT");
        left.map(|finding| finding["target"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(left(&project), ["servers/eve"]);
    // One of the same name that is another server is not the one that is checked.
    project.configure("ada", entry("other"));
    assert_eq!(left(&project), ["servers/ada", "servers/eve"]);
    assert!(notes(&project.check(&[]).expect(0)).contains("ada, eve"));
    // A file that cannot be read may hold any.
    std::fs::create_dir(project.sandbox.path(".cursor")).unwrap();
    project.sandbox.write(".cursor/mcp.json", "{\"mcpServers\": ");
    assert!(
        notes(&project.check(&[]).expect(0)).contains("a file that takes no part could not be read: .cursor/mcp.json")
    );
    // Nothing is left out, and nothing is said.
    std::fs::remove_dir_all(project.sandbox.path(".cursor")).unwrap();
    project.remove("eve");
    project.configure("ada", entry("ada"));
    assert!(!notes(&project.check(&[]).expect(0)).contains("discover"));
    assert_eq!(left(&project), [""; 0]);
}
