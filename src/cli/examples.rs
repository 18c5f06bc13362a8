//! Usage lines, examples and exit codes below the help of each command. Lines fit 80 columns, so that no terminal breaks
//! them.

pub(super) const PIN_USAGE: &str = "\
warden pin [OPTIONS] [--] COMMAND [ARG]...
       warden pin [OPTIONS] --url URL
       warden pin [OPTIONS] --all [--only NAME]...
       warden pin [OPTIONS]";

pub(super) const CHECK_USAGE: &str = "\
warden check [OPTIONS] [-- COMMAND [ARG]...]
       warden check [OPTIONS] --url URL
       warden check [OPTIONS] --all [--only NAME]...";

pub(super) const CAPTURE_USAGE: &str = "\
warden capture [OPTIONS] -o FILE [--] COMMAND [ARG]...
       warden capture [OPTIONS] -o FILE --url URL";

pub(super) const CAPTURE_EXAMPLES: &str = "\
The file holds the launch and every answer of the server word for word
(docs/surface-files.md). pin and check take it in place of the server, so that
CI needs no secrets and starts nothing. A launch that holds a secret is refused:
pass secrets by --env.

Examples:
  Capture once, where the secrets are:
    warden capture -o surface.json --env API_KEY -- npx -y some-server@1.2.3
  Pin and check from the file:
    warden pin --surface surface.json
    warden check --surface surface.json
  Look at the raw text:
    warden capture -o - -- ./server --stdio

Exit codes:
  0  captured
  2  usage error, or a file that may not be replaced
  3  the server could not be captured; no file was changed";

pub(super) const INIT_EXAMPLES: &str = "\
The servers in the project's client files (docs/clients.md) are shown, and you
say which are pinned. Then these files are written where they are missing:
warden.toml, .github/workflows/warden.yml or .gitlab-ci.yml, and
.pre-commit-config.yaml. Nothing that is there is changed. Servers that were not
chosen stand in warden.toml as skipped.

Examples:
  In the folder of a project:
    warden init
  Without a terminal, every server that can be started:
    warden init --yes
  Only one of them, and no workflow:
    warden init --only notes --forge none

Exit codes:
  0  done, or done before
  2  usage error, or a file that cannot be read or written
  3  a server could not be captured; the files were written";

pub(super) const PIN_EXAMPLES: &str = "\
The server is started once, without a shell, asked for its tools, resources and
prompts, and ended; a server at a URL is only asked. None of its tools is
called. A lock that says the same already is left untouched. An approved lock is
only replaced with --approve or --force.

Examples:
  Pin a server:
    warden pin -- npx -y some-server@1.2.3
  Hand it a variable; the value comes from your environment and is not stored:
    warden pin --env API_KEY -- uvx some-server==2.0.1
  Pin a server that runs elsewhere, with a token from your environment:
    warden pin --url https://mcp.example.com/mcp --bearer-env ACME_TOKEN
  Approve what was pinned, after reading it (pin --approve does both at once):
    warden approve
  Accept drift that a check showed: pin the launch of the lock anew:
    warden pin
  Accept what changed in one tool, and leave the rest of the lock as it is:
    warden pin --tool search_notes
  Keep the texts beside the lock, so that reports can show old and new words:
    warden pin --save-surface -- npx -y some-server@1.2.3
  Find out whether the server declares the same each time, before it is pinned:
    warden pin --stability 3 -- npx -y some-server@1.2.3
  Pin what was captured elsewhere, without starting anything:
    warden pin --surface surface.json
  Pin every server of a project, after a look at their commands
  (docs/projects.md):
    warden pin --all
  Accept what one of them declares now:
    warden pin --all --only notes
  Write the lock file of another tool (docs/formats.md):
    warden pin --lock-format mcp --name time -- uvx mcp-server-time==1.0.0

Exit codes:
  0  pinned, or the lock says the same already
  2  usage error, an unusable file, or an approved lock that may not be replaced
  3  the server could not be captured; no file was changed";

pub(super) const CHECK_EXAMPLES: &str = "\
Without a command, the launch in the lock is started: treat changes of a lock
like changes of code. A command that is not the pinned one is not started,
unless you say --allow-launch-change.

Examples:
  Start what the lock names, and compare:
    warden check
  Also fail if nobody approved the lock:
    warden check --require-approval
  A server that needs a key and starts slowly:
    warden check --env API_KEY --timeout 180
  A lock of a server at a URL that wants a login (docs/http.md):
    warden check --bearer-env ACME_TOKEN
  Another lock, and a document for a script:
    warden check --lock locks/search.lock --json
  What would an upgrade change?
    warden check --allow-launch-change -- npx -y some-server@1.3.0
  Check what was captured elsewhere, without starting anything:
    warden check --surface surface.json
  With findings accepted in another file than warden.toml (docs/config.md):
    warden check --config ci/warden.toml
  Every server of a project, each against its own lock (docs/projects.md):
    warden check --all
  Of them, ask those that changed in git:
    warden check --all --since origin/main
  The lock file of another tool (docs/formats.md has its exit codes):
    warden check --lock mcp.lock

Exit codes:
  0  clean
  1  drift, an inconsistent lock, a missing approval, a finding that
     warden.toml accepted until a day that is past, or, with --all, a server
     without a lock or a lock without a server
  2  usage error, or a lock or another file that cannot be read
  3  the server could not be captured";

pub(super) const SHOW_USAGE: &str = "\
warden show [OPTIONS] [LOCK]
       warden show [OPTIONS] --verify LOCK...
       warden show [OPTIONS] --all [--only NAME]...";

pub(super) const SHOW_EXAMPLES: &str = "\
Examples:
  Read the lock in this folder:
    warden show
  Read another one:
    warden show locks/search.lock
  Say only whether it holds: fail if it was edited by hand or its approval is
  stale:
    warden show --verify
  List findings that warden.toml accepts as well:
    warden show --no-config
  Verify several, as a hook does:
    warden show --verify .warden/*/warden.lock
  What is pinned in a project (docs/projects.md):
    warden show --all

Exit codes:
  0  shown
  1  with --verify: the lock does not hold (of several: any of them)
  2  the lock cannot be read";

pub(super) const APPROVE_EXAMPLES: &str = "\
The lock is shown first, as by warden show, and then you are asked. An approval
binds the digest of the lock: once anything else is pinned, it no longer holds.
A lock that contradicts itself, or whose approval is for something else, is
refused. A lock that is approved already gets a further attestation, so that a
second reviewer can sign off. It is a statement, not a signature.

Examples:
  Read the lock in this folder, and approve it:
    warden approve
  Another lock, and say what you looked at:
    warden approve locks/search.lock --note \"read the source of 1.2.3\"
  Without a terminal, for a lock that was read before:
    warden approve --yes --approver you@example.com
  In CI, fail if the lock is not approved:
    warden check --require-approval

Exit codes:
  0  approved
  2  usage error, the answer was no, or a lock that cannot be read, does not
     hold, was changed meanwhile, or may not be replaced";

pub(super) const DIFF_EXAMPLES: &str = "\
A is before, B is after; each is a lock or a surface file. The report has the
blocks of warden check. The words of a lock are shown where a surface file is
known that its hashes come out of. It judges nothing unless --exit-code is given:
whether a server still is what was pinned, warden check says.

Examples:
  What did a change of the lock change?
    git show HEAD:warden.lock > old.lock
    warden diff old.lock warden.lock
  The same without a file, in a shell that knows it, and in any shell:
    warden diff <(git show main:warden.lock) warden.lock
    git show main:warden.lock | warden diff - warden.lock
  With the words of both sides:
    git show main:warden.surface.json > old.surface.json
    warden diff --texts old.surface.json old.lock warden.lock
  Is what was captured what is pinned? Fail if not:
    warden diff --exit-code warden.lock surface.json

Exit codes:
  0  compared, whether or not anything differs
  1  with --exit-code: something differs, or a lock contradicts itself
  2  usage error, or a file that cannot be read";

pub(super) const SERVERS_EXAMPLES: &str = "\
It reads the configuration files of the clients in docs/clients.md (those of the
project, of the user and of the machine) and warden.toml, and starts nothing. A
server is \"locked\" if a lock has exactly the command or URL of its entry, and
\"stale\" if its own lock has another one. No value of a variable or header is
shown, and secrets in commands and URLs are hidden.

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
It reads the configuration files of the clients in docs/clients.md (those of the
project, of the user and of the machine), warden.toml and the locks. It runs
nothing that they name and uses no network. Each finding has a file, a line and
a column, and says what to run or to write instead. No secret is printed.
warden.toml can accept findings about the project's files (docs/config.md).

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

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  bash, for this shell and for later ones:
    source <(warden completions bash)
    warden completions bash > ~/.local/share/bash-completion/completions/warden
  zsh, in a folder of $fpath:
    warden completions zsh > ~/.zfunc/_warden
  fish:
    warden completions fish > ~/.config/fish/completions/warden.fish
  PowerShell, in your profile:
    warden completions powershell | Out-String | Invoke-Expression

Exit codes:
  0  printed
  2  usage error";

pub(super) const MAN_EXAMPLES: &str = "\
Examples:
  Read the manual page:
    warden man | man -l -
  Install pages for warden and each of its commands:
    warden man --dir ~/.local/share/man/man1

Exit codes:
  0  printed or written
  2  usage error, or a page that cannot be written";

pub(super) const DEMO_NOTES: &str = "\
Everything is run for real: a small server inside this program is started,
pinned and checked, then changes what it declares, and a second check catches
it. It works in a temporary folder that is removed afterwards, and needs no
network.

Exit codes:
  0  it went as told (the last check of the demo ends with 1, as it should)
  2  it could not be run";

pub(super) const CONVERT_EXAMPLES: &str = "\
Other hashes cannot be made from hashes, so only mcp.lock, which keeps the texts,
can be converted. pin writes every format, from the server itself or from a
surface file (docs/formats.md). The report says what the new file does not pin.

Examples:
  One server of an mcp.lock into a warden.lock:
    warden convert mcp.lock --to warden --name time
  All of its servers:
    warden convert mcp.lock --to contractpin
  From the server itself:
    warden pin --lock-format contractpin --name time -- uvx mcp-server-time==1.0.0
  From a surface file:
    warden pin --lock-format agentgate --name time --surface surface.json

Exit codes:
  0  written, or the file says the same already
  2  usage error, a file that holds hashes only, or something that the format
     cannot hold";
