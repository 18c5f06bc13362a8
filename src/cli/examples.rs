//! What stands below the options in `--help` of commands that only look.

pub(super) const SERVERS_EXAMPLES: &str = "\
Read are the configuration files of the clients in docs/clients.md, of the
project, the user and the machine, and warden.toml. Nothing is started. A server
is locked where a lock has the very launch that its entry starts; its own lock
with another launch is stale. No value of a variable or header is shown, and
secrets in commands and URLs are hidden.

Examples:
  What would be started here, and what is locked?
    warden servers
  Of the repository only, as a document for a script:
    warden servers --project --json
  What does this file hold?
    warden servers ~/.cursor/mcp.json

Exit codes:
  0  listed, and every file was read
  2  usage error, no configuration at all, or a file that cannot be read; what
     could be read is listed all the same";

pub(super) const DOCTOR_EXAMPLES: &str = "\
Read are the configuration files of the clients in docs/clients.md, of the
project, the user and the machine, then warden.toml and the locks. Nothing that
they say is run or opened, and nothing is asked over the network. A finding has
its file, line and column, and a command or a text that mends it. No secret is
printed. warden.toml can accept a finding of the project's files
(docs/config.md).

Examples:
  Look at everything that clients would start here:
    warden doctor
  In CI: what the repository says, and nothing of the machine:
    warden doctor --project --format sarif
  Look at one file:
    warden doctor ~/.cursor/mcp.json
  Understand a finding:
    warden explain WRD-CONF-HIDDEN-URL

Exit codes:
  0  nothing to mend, and every file was read
  1  findings, or one that was accepted until a day that is past
  2  usage error, no configuration at all, or a file that cannot be read";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Upper and lower case count as equal. Nothing is started and nothing is read: the
texts are built in.

Examples:
  What a finding means:
    warden explain WRD-CAP-SHELL
  What a class of drift means, as it stands in a report:
    warden explain description-modified
  What to do about a server that could not be captured:
    warden explain E-TIMEOUT
  All rules and codes, one a line; only those that begin so:
    warden explain
    warden explain wrd-cap

Exit codes:
  0  explained
  2  there is no such rule, class or code";
