//! Rules for drift against lock files of other tools (docs/formats.md). They hold digests of whole entries, so their
//! classes are coarser than those of `warden.lock`, and have names of their own. Sorted by id.

use super::super::Severity::{High, Low};
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[
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
