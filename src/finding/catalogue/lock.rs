//! Rules about the launch, the lock, `warden.toml` and names that look alike. Sorted by id.

use super::super::Severity::{High, Low, Medium};
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[
    new(
        "WRD-IGNORE-EXPIRED",
        Medium,
        "A finding was accepted until a date that is past.",
        "An entry of `warden.toml` has an end so that somebody looks again, and that day has come. Its finding counts \
         as open again, and a check fails until the entry is renewed or removed.",
        "Look at the finding again. If it is still acceptable, give the entry a new date and a reason that holds \
         today; if not, mend the server and remove the entry.",
    )
    .example("`expires = \"2025-06-30\"` on any later day (UTC)."),
    new(
        "WRD-IGNORE-UNUSED",
        Low,
        "An entry of `warden.toml` accepts a finding that is not there.",
        "The server may have been mended, or the name of the tool changed. An entry that waits for nothing would \
         accept a finding that comes back later.",
        "Remove the entry, or correct its `rule` or `target`. Targets are compared character by character.",
    )
    .example("`target = \"tools/run_hooks\"` where the tool is called `run_hook`."),
    new(
        "WRD-LAUNCH-SECRET",
        High,
        "The launch command carries a secret.",
        "Command and arguments are pinned word for word, so a key among them would be committed with the lock, and \
         every process on the machine can read it. Counted are values of variables, options, headers and JSON members \
         whose names have KEY, TOKEN, SECRET, PASS, PASSWORD, PWD, AUTH, CREDENTIAL or PAT as a word, passwords and \
         keys in URLs, and whatever looks like a key.",
        "Keep it in the environment and pass it on with `--env NAME`; then revoke what stood there.",
    )
    .example("`warden pin -- env API_KEY=sk-... ./server`; write `warden pin --env API_KEY -- ./server` instead."),
    new(
        "WRD-LAUNCH-URL-SECRET",
        High,
        "The server's URL carries a secret.",
        "The URL is pinned word for word, so a password or key in it would be committed with the lock and end up in \
         logs and proxies.",
        "Send it in a header instead, and revoke the key that stood there.",
    )
    .example("`https://user:password@mcp.example.com/mcp`."),
    new(
        "WRD-LOCK-INCONSISTENT",
        High,
        "The lock does not reproduce its own digests.",
        "An entry, the launch or the overall digest says something else than the members it is computed from. The \
         file was edited by hand or damaged, so nothing in it can be believed.",
        "Restore it from version control, or review the server anew and pin again.",
    ),
    new(
        "WRD-LOCK-NOT-APPROVED",
        High,
        "The check asks for an approved lock, and this one is not.",
        "The lock records what the server declared, but nobody has attested to it.",
        "Have it reviewed and pinned again with an approval, or check without asking for one.",
    ),
    new(
        "WRD-LOCK-RECORD",
        Medium,
        "What a lock records about its capture changes what a check accepts.",
        "`pin.warden` says in which form prompt arguments are compared and which sections may be missing. No digest \
         covers it, so whoever edits it can loosen every later check without an approval being lost.",
        "Look in version control for who changed it and why. If nobody meant to, restore the lock or pin anew.",
    )
    .example("`\"allow_missing\": [\"tools\"]`, written into a lock by hand."),
    new(
        "WRD-LOCK-SETTINGS",
        High,
        "A configuration starts the pinned command with other settings than the lock records.",
        "Variables, headers and the working directory decide what a command does as much as its words: one variable can make \
         it load other code, another hands it a secret that it never had. The lock records their names, and which \
         variables their values refer to, so that a change of the configuration is seen before anything is started.",
        "Look at the change of the configuration. If it is meant, pin the server anew: `warden pin --all --only NAME`.",
    )
    .example("`\"API_KEY\": \"${API_KEY}\"` in `.mcp.json` became `\"API_KEY\": \"${DEPLOY_KEY}\"`."),
    new(
        "WRD-LOOK-ALIKE-NAMES",
        High,
        "Two names of one list look the same to a reader.",
        "The names differ only in letters that are drawn alike, in case, in width or in characters that show nothing. \
         A person approving a call, or a model choosing one, can take one for the other.",
        "Ask the author to rename one; treat it as hostile where the letters come from different scripts.",
    )
    .example("`read_file` beside a name with a Cyrillic letter that looks like the Latin `e`."),
    new(
        "WRD-LOOK-ALIKE-PROPERTIES",
        Medium,
        "Two parameters of one schema look the same to a reader.",
        "Their names differ only in letters that are drawn alike, in width or in characters that show nothing. What a \
         person confirms may not be what the tool receives.",
        "Ask the author to rename one.",
    ),
    new(
        "WRD-LOOK-MIXED-SCRIPT",
        Medium,
        "A name hides letters of another script among Latin ones.",
        "A Cyrillic, Greek or full-width letter stands where a reader sees a Latin one. Searches, allow lists and \
         people then miss the name. There is hardly an honest reason for it in an identifier.",
        "Ask the author to write the name in one script; do not approve it before.",
    ),
];
