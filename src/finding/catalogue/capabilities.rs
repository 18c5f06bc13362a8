//! Rules about what a tool can do, judged by its names. Sorted by id.

use super::super::Severity::{Critical, High, Low, Medium};
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[
    new(
        "WRD-CAP-FS-READ",
        Medium,
        "The tool can read files by a path that the caller chooses.",
        "Name and parameters say that the tool opens a path. Whatever the server process may read can reach the model \
         through it.",
        "Check that the server confines the path to folders you meant to share.",
    )
    .example("A tool `read_file` with the parameter `path`."),
    new(
        "WRD-CAP-FS-WRITE",
        High,
        "The tool can create, change or delete files.",
        "A parameter names a place in the file system, and the name or another parameter says that something is \
         written there. A misled model can overwrite work, or plant a file that runs later.",
        "Check which folders the server may write to, and require confirmation in the client.",
    )
    .example("A tool `write_file` with the parameters `path` and `content`."),
    new(
        "WRD-CAP-HTTP",
        High,
        "The tool can make network requests.",
        "Name or parameters say that the tool contacts a host. Together with any tool that reads, it is a way out for \
         data, and the host's answer is text that the model will read.",
        "Check whether the destinations are limited.",
    )
    .example("A tool `fetch_page` with the parameter `url`."),
    new(
        "WRD-CAP-SHELL",
        Critical,
        "The tool can run commands.",
        "Name or parameters say that the tool starts programs or evaluates a script. Whoever can put text before the \
         model can then act as the user.",
        "Approve such a tool only where that is its purpose, and run the server confined.",
    )
    .example("A tool `run_hook` with the parameter `command`."),
    new(
        "WRD-CAP-SQL",
        High,
        "The tool can run database queries.",
        "Name or parameters say that the tool passes a query on.",
        "Check that the account behind it may do no more than the task needs, and whether it can write.",
    )
    .example("A tool `run_query` with the parameter `sql`."),
    new(
        "WRD-CAPX-FS-READ",
        Low,
        "The tool probably reads files, although the format grants it no fs-read flag.",
        "The format's own derivation is part of the digest and reads names in one fixed way. This stricter reading \
         also sees plurals, other separators, look-alike letters and parameters behind references or combinators. It \
         never enters the digest.",
        "Review the tool as if it had the flag.",
    ),
    new(
        "WRD-CAPX-FS-WRITE",
        Medium,
        "The tool probably writes files, although the format grants it no fs-write flag.",
        "A stricter reading of the tool's names finds a place in the file system and something that is written there, \
         where the fixed derivation of the format does not.",
        "Review the tool as if it had the flag.",
    ),
    new(
        "WRD-CAPX-HTTP",
        Medium,
        "The tool probably makes network requests, although the format grants it no http-request flag.",
        "A stricter reading of the tool's names finds a network destination, where the fixed derivation of the format \
         does not.",
        "Review the tool as if it had the flag.",
    ),
    new(
        "WRD-CAPX-SHELL",
        High,
        "The tool probably runs commands, although the format grants it no shell-exec flag.",
        "A stricter reading of the tool's names finds a command to run, where the fixed derivation of the format does \
         not. A name that avoids the derivation may have been chosen for that.",
        "Review the tool as if it had the flag.",
    ),
    new(
        "WRD-CAPX-SQL",
        Medium,
        "The tool probably queries a database, although the format grants it no sql-query flag.",
        "A stricter reading of the tool's names finds a database query, where the fixed derivation of the format does \
         not.",
        "Review the tool as if it had the flag.",
    ),
];
