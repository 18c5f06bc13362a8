//! Rules about a run of this tool itself, and about the servers of a project as a whole.

use super::super::Severity::{High, Low, Medium};
use super::{Rule, new};

pub(super) const FIRST: &[Rule] = &[new(
    "WRD-COMMAND-FAILED",
    High,
    "`warden` could not do what it was told, so nothing was checked.",
    "An argument is wrong, or a lock or another file cannot be read, is invalid, or may not be replaced. Nothing is known \
     about the server until a check runs to its end.",
    "The message says what is wrong. Mend it, run the command again, and until then treat this as a failed check.",
)];

pub(super) const SERVERS: &[Rule] = &[
    new(
        "WRD-SERVER-NOT-CAPTURED",
        High,
        "The server could not be asked, so nothing is known about it.",
        "It could not be started or reached, ended, answered with an error, or said what cannot be pinned. It may have \
         changed in any way.",
        "Look up the code in the message: `warden explain E-TIMEOUT`, for example. Until a check runs to its end, treat \
         this as a failed one.",
    ),
    new(
        "WRD-SERVER-NOT-CONFIGURED",
        Medium,
        "A lock belongs to no server that the project configures.",
        "Either the server was taken out of the configuration and its lock was forgotten, or it goes by another name now \
         and runs without being compared with the lock that was reviewed.",
        "Delete the lock if the server is gone. If it was renamed, move the lock to the new name or pin it anew; if it is \
         meant to stay without a configuration, say so in `warden.toml` with `skip` and a reason.",
    ),
    new(
        "WRD-SERVER-NOT-LOCKED",
        High,
        "A server of the project has no lock.",
        "Everybody who opens the project with this configuration starts the server, and nobody has pinned what it may \
         declare: any change of it goes unnoticed, from the first day on.",
        "Read what it declares, pin it and commit the lock. A server that cannot be pinned is skipped in `warden.toml`, with \
         a reason.",
    ),
    new(
        "WRD-SERVER-TOOL-CLASH",
        Low,
        "Two servers of the project offer a tool of the same name.",
        "A model chooses tools by name. Some clients put the server's name in front and some do not: there one tool hides \
         the other, and a server can take calls, with all their arguments, that were meant for another one.",
        "Look whether your clients keep the two apart. If not, leave one of the servers or one of the tools out, or ask \
         the author for another name.",
    )
    .example("`search` of a wiki and `search` of a web search, asked by one agent."),
];
