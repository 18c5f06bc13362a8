//! Each client's own syntax, and what is not its own.

use super::super::table::{Dialect, clients};
use super::super::template::{CannotExpand, Part, Reference, Template, expand};
use super::*;

/// The dialect of a client's first files.
fn dialect(id: &str) -> &'static Dialect {
    let client = clients().find(|client| client.id.as_str() == id).expect("a client");
    client.locations[0].dialect
}

fn set(reference: &Reference) -> Option<String> {
    match reference {
        Reference::Environment { name, .. } => match name.as_str() {
            "KEY" => Some("k$KEY".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        },
        Reference::Folder { name } => (name == "userHome").then(|| "/home/ann".to_owned()),
        _ => None,
    }
}

#[test]
fn every_client_replaces_its_own_variables_only() {
    let unset = |name: &str| Err(CannotExpand::Unset { name: name.to_owned() });
    let foreign = |name: &str| Err(CannotExpand::Foreign { name: name.to_owned() });
    let is = |text: &str| Ok(text.to_owned());
    let cases = [
        ("claude-code", "a${KEY}b", is("ak$KEYb")),
        ("claude-code", "${NONE:-x-y}${EMPTY:-z}", is("x-yz")),
        ("claude-code", "${NONE:-}", is("")),
        ("claude-code", "${EMPTY}", is("")),
        ("claude-code", "${NONE}", unset("NONE")),
        ("claude-code", "$KEY {env:KEY} %KEY% ~/x", is("$KEY {env:KEY} %KEY% ~/x")),
        ("claude-code", "${env:KEY}", foreign("${env...}")),
        ("claude-code", "${user_config.KEY}", foreign("${user_config.KEY}")),
        ("claude-code", "${KEY", is("${KEY")),
        ("copilot-cli", "$KEY-${KEY}", is("k$KEY-k$KEY")),
        ("copilot-cli", "~/x", is("/home/ann/x")),
        ("copilot-cli", "a~/x~", is("a~/x~")),
        ("copilot-cli", "$1 $ $", is("$1 $ $")),
        ("gemini-cli", "$NONE", unset("NONE")),
        ("codex", "$KEY", is("$KEY")),
        ("codex", "${KEY}", foreign("${KEY}")),
        ("claude-desktop", "${KEY:-secret}", foreign("${KEY...}")),
        ("vscode", "${env:KEY}${userHome}", is("k$KEY/home/ann")),
        ("vscode", "${workspaceFolder}", Err(CannotExpand::ClientOnly { name: "workspaceFolder".to_owned() })),
        ("vscode", "${input:key}", Err(CannotExpand::Asks { id: "key".to_owned() })),
        ("vscode", "${config:a.b}", Err(CannotExpand::ClientOnly { name: "a.b".to_owned() })),
        ("vscode", "${command:x}", Err(CannotExpand::RunsCommand)),
        ("vscode", "${KEY}", foreign("${KEY}")),
        ("cursor", "${input:key}", foreign("${input...}")),
        ("windsurf", "${file:/etc/passwd}", Err(CannotExpand::ReadsFile)),
        ("opencode", "{env:KEY}", is("k$KEY")),
        ("opencode", "{env:NONE}", unset("NONE")),
        ("opencode", "{file:~/.key}", Err(CannotExpand::ReadsFile)),
        ("opencode", "{\"a\": 1}", is("{\"a\": 1}")),
        ("continue", "${{ secrets.KEY }}", Err(CannotExpand::Secret { name: "KEY".to_owned() })),
        ("continue", "${{ inputs.KEY }}", Err(CannotExpand::Asks { id: "KEY".to_owned() })),
        ("goose", "{{ day }}", Err(CannotExpand::ClientOnly { name: "day".to_owned() })),
        ("mcphub-nvim", "${cmd: op read x}", Err(CannotExpand::RunsCommand)),
        ("crush", "$KEY${KEY}${NONE:-d}", is("k$KEYk$KEYd")),
        ("crush", "${NONE:?set it}", unset("NONE")),
        ("crush", "a $(pass show x) b", Err(CannotExpand::RunsCommand)),
        ("crush", "`id`", Err(CannotExpand::RunsCommand)),
        ("crush", "${NONE:-$(id)}", Err(CannotExpand::RunsCommand)),
        ("crush", "${NONE:-${X}}", foreign("${NONE...}")),
        ("crush", "${KEY#k}", foreign("${KEY...}")),
        ("crush", "a\\$KEY", foreign("\\")),
    ];
    for (client, text, want) in cases {
        let template = Template::new(text, dialect(client).variables);
        assert_eq!(expand(&template, &set), want, "{client}: {text}");
    }
}

#[test]
fn what_runs_or_reads_something_is_not_even_asked_for() {
    let nobody = |reference: &Reference| panic!("asked for {reference:?}");
    for (client, text) in [("crush", "$(id)"), ("windsurf", "${file:x}"), ("vscode", "${command:x}")] {
        assert!(expand(&Template::new(text, dialect(client).variables), &nobody).is_err());
    }
}

#[test]
fn amazon_q_reads_commands_in_another_way() {
    let command = Template::new("~/bin/$KEY", dialect("amazon-q").command_variables.expect("its own"));
    assert_eq!(expand(&command, &set), Ok("/home/ann/bin/k$KEY".to_owned()));
    assert_eq!(expand(&Template::new("~/$KEY", dialect("amazon-q").variables), &set), Ok("~/$KEY".to_owned()));
}

#[test]
fn parts_hold_the_whole_text_and_debug_shows_none_of_it() {
    let template = Template::new("Bearer ${KEY:-hush} sk-live", dialect("claude-code").variables);
    assert_eq!(template.parts().len(), 3);
    assert_eq!(template.parts()[0], Part::Literal("Bearer ".to_owned()));
    assert!(!format!("{template:?}").contains("hush") && !format!("{template:?}").contains("sk-live"));
    let header = Template::of_variable("Bearer ", "KEY", "");
    assert_eq!(expand(&header, &set), Ok("Bearer k$KEY".to_owned()));
    assert_eq!(header.written(), None);
}

proptest::proptest! {
    /// Literals and lengths of references add up: nothing of a text is lost or read twice.
    #[test]
    fn any_text_is_read_by_every_client(text in "[\\PC${}:`~\\\\(a-z]{0,40}") {
        for client in clients() {
            for location in client.locations {
                let all = parts(&text, location.dialect.variables);
                let literal: usize = all.iter().map(|part| match part { Part::Literal(text) => text.len(), Part::Reference(_) => 0 }).sum();
                assert!(literal <= text.len());
                if !all.iter().any(|part| matches!(part, Part::Reference(_))) {
                    assert_eq!(literal, text.len());
                }
            }
        }
    }
}
