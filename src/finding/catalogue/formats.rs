//! Rules for drift against lock files of other tools (docs/formats.md). They hold digests of whole entries, so their
//! classes are coarser than those of `warden.lock`, and have names of their own. Sorted by id.

use super::super::Severity::{High, Low, Medium};
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[
    new(
        "WRD-DRIFT-PINNED-ABOUT-CHANGED",
        Low,
        "What the server says about itself is not what the lock file says.",
        "Its name or version, its capabilities or its version of the protocol changed. That says nothing bad by itself, \
         but a version that you did not change yourself means that another program answers. It fails a check only with \
         `--strict`.",
        "Compare with what you updated, then pin again.",
    )
    .example("`serverInfo` in a `mcp.lock` says 1.30.0 and the server now says 1.31.0."),
    new(
        "WRD-DRIFT-PINNED-ENTRY-ADDED",
        Medium,
        "The server offers a prompt, resource or resource template that the lock file does not hold.",
        "Nobody reviewed it, and what it gives reaches the model.",
        "Review it, then pin again.",
    ),
    new(
        "WRD-DRIFT-PINNED-ENTRY-CHANGED",
        Medium,
        "A prompt, resource or resource template is not what the lock file holds.",
        "The lock file keeps all of it under one digest, so any member may be what changed; the report names them.",
        "Compare both versions of the members that are named, then pin again.",
    ),
    new(
        "WRD-DRIFT-PINNED-ENTRY-REMOVED",
        Low,
        "A prompt, resource or resource template of the lock file is gone.",
        "Work that uses it breaks.",
        "Check whether it moved to another name or URI, then pin again.",
    ),
    new(
        "WRD-DRIFT-PINNED-ERA-CHANGED",
        Medium,
        "The server is spoken to in another era of the protocol than the lock file says.",
        "Before 2026-07-28 a conversation begins with `initialize`, from then on with `server/discover`, and a server may \
         declare different things in the two. What was reviewed in one says little about the other.",
        "Where the server moved on for good, remove its entry from the lock file, review it and pin again.",
    ),
    new(
        "WRD-DRIFT-PINNED-INFORMATIONAL",
        Low,
        "Something beside the pinned digests of another tool's lock file is not as it says.",
        "Such files also record what their formats do not pin, or only to help a reader. By the rules of the format it \
         fails nothing.",
        "Find out who changed it, the server or an editor of the file. Then pin again, so that the file is true.",
    )
    .example("In `contractpin.lock` the digest of a tool is right and one of its field digests is not."),
    new(
        "WRD-DRIFT-PINNED-INSTRUCTIONS-CHANGED",
        High,
        "The instructions of the server are not those that the lock file holds.",
        "Hosts put this text before the model, for every tool and in every conversation, so an edit steers all of them.",
        "Read the old and the new text word by word before you pin again.",
    ),
    new(
        "WRD-DRIFT-PINNED-TOOL-ADDED",
        High,
        "A tool is not in the lock file of another tool that the server was checked against.",
        "A new tool on a server that is trusted already is the cheapest way to put new text before the model.",
        "Review it like the first time, then pin again. Where new tools are let pass, nobody has read them.",
    ),
    new(
        "WRD-DRIFT-PINNED-TOOL-CHANGED",
        High,
        "A tool is not what its digest in the lock file of another tool says.",
        "The file holds only a digest of the text and the schemas that the model reads. It tells that something changed \
         and at best in which part, but not whether a word was mended or an instruction slipped in, so the worst is \
         assumed.",
        "Read the tool as it is now as if it were new. A `warden.lock` tells what changed in a schema, and with \
         `--save-surface` which words of a description.",
    )
    .example("`description, inputSchema changed` of a tool in `agentgate.lock`."),
    new(
        "WRD-DRIFT-PINNED-TOOL-REMOVED",
        High,
        "A tool that the lock file of another tool pins is gone.",
        "Work that relies on it breaks, and another server may now offer the name.",
        "Check whether the release notes mention it, then pin again.",
    ),
];
