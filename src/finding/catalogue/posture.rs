//! Rules about how servers are configured: `warden doctor`. Sorted by id.

use super::super::Severity::{High, Low, Medium};
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[
    new(
        "WRD-CONF-CLIENT-REFUSES",
        Low,
        "A client would not load this entry or file as it stands.",
        "The server is missing in that client, or runs although it looks switched off, while other clients and `warden` \
         read the same text in another way. What was reviewed is then not what runs.",
        "Write the entry as the client wants it; the message says what it trips over.",
    )
    .example("A `url` without a `type` in the `.mcp.json` of Claude Code."),
    new(
        "WRD-CONF-CODE-LOADING",
        High,
        "A project's file sets a variable that makes the program load other code.",
        "`NODE_OPTIONS`, `LD_PRELOAD`, `PYTHONPATH`, `PATH` and the like decide what runs before and beside the server. \
         Whoever changes the file of a repository runs code with it, and the pinned command stays as it was.",
        "Take the variable out of the file. Where the server needs it, set it in the environment of whoever starts it.",
    )
    .example("`\"env\": {\"NODE_OPTIONS\": \"-r ./hook.js\"}`."),
    new(
        "WRD-CONF-HIDDEN-URL",
        Medium,
        "A local program stands in front of a server at a URL.",
        "The entry looks like a program on this machine and is a bridge to somebody else's. A version of the bridge pins \
         nothing of what is behind it, and the bridge sees every message and credential.",
        "Write the URL into the entry where the client can reach it by itself, so that a reviewer and a lock see it.",
    )
    .example("`npx mcp-remote@0.1.37 https://maps.example.com/sse`."),
    new(
        "WRD-CONF-LEFT-OUT",
        Low,
        "A server of the project's files takes no part in its checks.",
        "`warden.toml` says `discover = false`, and no table of it is about this server. Clients that open the project start it, while `warden check --all` is clean without it.",
        "Give it a table in `warden.toml` (`from` names the file), take it out of the file, or accept the finding.",
    )
    .example("`discover = false` beside a `.mcp.json` with servers."),
    new(
        "WRD-CONF-LOCK-MISSING",
        Medium,
        "A server that is configured has no lock.",
        "Nobody has written down what it declares, so no check can tell when that changes.",
        "Pin it, read what was pinned, and commit the lock.",
    )
    .example("`warden pin --all --only notes`."),
    new(
        "WRD-CONF-LOCK-STALE",
        High,
        "The lock is of another launch than the one that is configured.",
        "The command or URL was changed after the pin. What clients start is not what was reviewed.",
        "Find out who changed the configuration and why; then pin and review the server anew.",
    )
    .example("The lock says `npx notes@1.2.0`, and `.mcp.json` starts `npx notes@1.3.0`."),
    new(
        "WRD-CONF-LOCK-STRAY",
        Medium,
        "A lock belongs to no server that is configured.",
        "The server was renamed or removed, or its configuration does not come with the repository. The lock looks like \
         protection and checks nothing.",
        "Remove the lock, or configure its server again under the name of the lock's folder.",
    ),
    new(
        "WRD-CONF-LOCK-UNAPPROVED",
        Low,
        "Nobody approved the lock.",
        "It records what the server declared, and no one has said that they read it.",
        "Read it with `warden show`, then `warden approve`.",
    ),
    new(
        "WRD-CONF-LOCK-UNREADABLE",
        High,
        "The lock of a server cannot be read.",
        "Nothing is known about the server until there is a lock that can be read.",
        "Restore it from version control, or review the server anew and pin again.",
    ),
    new(
        "WRD-CONF-NAME-TWICE",
        High,
        "One name stands for two different servers.",
        "Which of the two runs is up to the client and the order of its files. A reviewer who reads one of them has not \
         read the other.",
        "Rename one of them, or make both say the same.",
    )
    .example("`tide` in `.mcp.json` is a program, and `tide` in `.cursor/mcp.json` a URL."),
    new(
        "WRD-CONF-NO-AUTH",
        Low,
        "The entry of a server at a URL has no credentials.",
        "The client may log in by itself (OAuth). If it does not, anybody may be answered there, and nothing ties the \
         answers to you.",
        "If the server takes a token, send it in a header as a reference to a variable. If the client logs in by itself, \
         accept the finding.",
    ),
    new(
        "WRD-CONF-PLAIN-HTTP",
        High,
        "A server elsewhere is reached over plain http.",
        "Everybody on the way can read and change what it declares, what it is asked, and the credentials.",
        "Use `https`.",
    )
    .example("`http://mcp.example.com/mcp`; `http://127.0.0.1:8080/mcp` is no finding."),
    new(
        "WRD-CONF-READ-DIFFERENTLY",
        High,
        "Clients that read the same entry would run different servers.",
        "Clients know different members: one starts the command and skips the URL, another goes to the URL. A check of what one of them runs says nothing about the others, so the server is neither pinned nor checked.",
        "Leave only members in the entry that all its clients read alike, or give each client an entry in a file of its own. Take it as an attack if nobody knows why both are there.",
    )
    .example("An entry of `.mcp.json` with `command` and `httpUrl`: Claude Code starts the one, Qwen Code asks the other."),
    new(
        "WRD-CONF-SECRET",
        High,
        "A configuration file holds a secret in clear.",
        "The value of a variable or header is a key or password. It is committed, backed up and synchronised with the \
         file, and every program that reads your files has it.",
        "Write a reference to an environment variable in its place, and revoke what stood there.",
    )
    .example("`\"env\": {\"API_KEY\": \"sk-...\"}`; write `\"${API_KEY}\"`."),
    new(
        "WRD-CONF-SHELL",
        Medium,
        "A server is started through a shell.",
        "The shell reads its argument as a program: substitutions, variables and `&&` decide what runs, and a reviewer \
         has to read shell instead of a command line.",
        "Start the program itself. Where several commands are needed, put them in a script of the repository.",
    )
    .example("`sh -c \"npx notes@1.2.0\"`; write `npx notes@1.2.0`."),
    new(
        "WRD-CONF-UNUSABLE",
        Medium,
        "The settings of the project name a server that cannot be started.",
        "A table of `warden.toml` refers to an entry that is not there, or two servers share a lock, so the server can \
         be neither pinned nor checked.",
        "Correct the table, or remove it.",
    ),
    new(
        "WRD-CONF-WRITABLE",
        High,
        "Everybody on this machine can change the configuration.",
        "Whoever writes to the file decides which programs run as you.",
        "Take the right to write away from others.",
    )
    .example("`chmod o-w .mcp.json`."),
];
