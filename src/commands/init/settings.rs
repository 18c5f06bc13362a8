//! The text of a new `warden.toml`. Pure.

use super::draft::{Draft, State};
use super::toml_text::{key, quoted};
use crate::config::Discover;
use crate::text::shorten;

const MAX_WHY: usize = 300;

/// What was decided about a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Pinned,
    NotChosen,
}

const HEAD: &str = "\
# The MCP servers of this project: `warden check --all` compares each of them with its lock.
#
# * A table is a server. Its lock is .warden/NAME/warden.lock: read it, and commit it with this file.
# * A server that a client's file names and no table does is checked too; without a lock it fails the check.
# * To pin one that is skipped, take its `skip` out and run: warden pin --all --only NAME
# * Nothing in this file makes drift pass. Drift is accepted by a new pin: warden pin --all
";

/// The whole file. `decisions` are about the drafts, in their order.
pub(super) fn text(drafts: &[Draft], decisions: &[Decision], discover: Discover) -> String {
    let mut out = HEAD.to_owned();
    if discover == Discover::Off {
        out.push_str("\n# Other files of clients in this folder are not looked at.\ndiscover = false\n");
    }
    out + &tables(drafts, decisions)
}

/// The tables alone, for a file that is there already.
pub(super) fn tables(drafts: &[Draft], decisions: &[Decision]) -> String {
    drafts.iter().zip(decisions).map(|(draft, decision)| table(draft, *decision)).collect()
}

fn table(draft: &Draft, decision: Decision) -> String {
    let mut out = format!("\n[servers.{}]\n", key(&draft.name));
    if let Some(from) = &draft.from {
        out.push_str(&format!("from = {}\n", quoted(from)));
    }
    if let Some(entry) = &draft.entry {
        out.push_str(&format!(
            "# Another file has a server of this name too, and it is another one.\nentry = {}\n",
            quoted(entry)
        ));
    }
    let skip = |reason: &str| format!("skip = {{ reason = {} }}\n", quoted(reason));
    match &draft.state {
        State::SwitchedOff => out.push_str("# Switched off in that file, and so left out.\n"),
        State::Ready(_) if decision == Decision::Pinned => {}
        State::Ready(_) => out.push_str(&skip("not chosen when the project was initialised")),
        State::Unusable(why) => {
            let why = shorten(why, MAX_WHY);
            out.push_str(
                "# To have it checked: name the variables that hold what its client would ask for or look up, as\n",
            );
            out.push_str("# env = [\"NAME\"] (for a server at a URL: bearer-env, header-env), and take `skip` out.\n");
            out.push_str(&skip(&format!("warden cannot start it: {why}")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{self, ServerSource};

    #[test]
    fn the_file_says_what_was_decided_whatever_the_names_are() {
        let hostile = "x\"]\n[servers.evil]\ncommand = [\"rm\"] # \u{202e}";
        let draft = |name: &str, from: Option<&str>, state: State| Draft {
            name: name.to_owned(),
            from: from.map(str::to_owned),
            entry: None,
            place: None,
            state,
        };
        let target = crate::project::Target::Url(crate::clients::Template::of_settings("https://a.example"));
        let ready = || State::Ready(Box::new(crate::project::Start::new(target.clone())));
        let mut drafts = vec![
            draft("a", Some(".mcp.json"), ready()),
            draft(hostile, Some("b/\"c\".json"), ready()),
            draft("c", None, State::Unusable(format!("why {hostile}"))),
            draft("d", Some(".mcp.json"), State::SwitchedOff),
        ];
        drafts[1].entry = Some(hostile.to_owned());
        let decisions = [Decision::Pinned, Decision::NotChosen, Decision::Pinned, Decision::Pinned];
        let text = text(&drafts, &decisions, Discover::Off);
        let config = config::parse(text.as_bytes()).unwrap();
        assert_eq!(config.discover, Discover::Off);
        let names: Vec<&str> = config.servers.iter().map(|server| server.name.as_str()).collect();
        assert_eq!(names, ["a", hostile, "c", "d"], "{text}");
        let skips: Vec<bool> = config.servers.iter().map(|server| server.skip.is_some()).collect();
        assert_eq!(skips, [false, true, true, false]);
        let from = ServerSource::From { file: "b/\"c\".json".to_owned(), entry: Some(hostile.to_owned()) };
        assert_eq!(config.servers[1].source, from);
        assert!(!text.contains('\u{202e}'), "{text}");
    }
}
