//! Rules about the texts and schemas of a surface, and about what is started. Sorted by id.

use super::super::Severity::{Critical, High, Low, Medium};
use super::{Rule, new};

pub(super) const FIRST: &[Rule] = &[
    new(
        "WRD-SCHEMA-MALFORMED",
        Low,
        "The input schema is not an object.",
        "The format hashes such a schema as an empty object, so its text could change without changing the digest. A \
         capture refuses it; a lock that was built from a document can still meet it.",
        "Ask the author for a schema.",
    ),
    new(
        "WRD-SCHEMA-ODD-PROPERTY",
        Low,
        "Some parts of a schema are of a kind that the skeleton cannot tell apart.",
        "A parameter described by true, false or anything but an object, and a list of item schemas, leave one and \
         the same trace or none. A change among them is still drift, but it is reported as a cosmetic one.",
        "Read the raw schema before you approve it.",
    ),
    new(
        "WRD-SCHEMA-PATH-COLLISION",
        Medium,
        "Two places of a schema share one path in the skeleton.",
        "Paths are joined with dots and brackets without escaping, and the place written last wins, so a parameter \
         with a chosen name hides changes to another. The schema hash still changes.",
        "Treat a name that is empty, `$root` or holds `.` or `[]` as deliberate until its author explains it.",
    )
    .example("A parameter named `options.mode` beside an object `options` with a member `mode`."),
    new(
        "WRD-SCHEMA-REQUIRED-UNKNOWN",
        Low,
        "A schema requires a parameter that it does not describe.",
        "The name stands in `required` but not in `properties`, so the caller must send something of which nothing is \
         said: no type, no limit, no purpose. The skeleton does not record it either.",
        "Ask the author to describe it.",
    ),
    new(
        "WRD-SCHEMA-UNSEEN",
        Low,
        "A schema uses keywords that the skeleton does not record.",
        "Alternatives, constants, exclusive bounds, patterns of names and the like are hashed but not described, so a \
         change in them is drift that can only be reported as cosmetic.",
        "Compare the raw schemas when such an item shows.",
    ),
    new(
        "WRD-SEC-AWS-AKID",
        Critical,
        "An AWS access key id stands in the surface.",
        "Key ids stand next to their secret more often than not, and the surface is sent to every client and model \
         that connects.",
        "Remove it from the server's code, and rotate the key pair.",
    ),
    new(
        "WRD-SEC-ENTROPY",
        High,
        "A text looks like a generated key.",
        "The characters follow neither words nor identifiers, and nothing around them says that they are a hash, an \
         id or an example. The finding shows only the first of them.",
        "If it is a credential, revoke it and take it out of the server. If it is none, accept the finding in \
         `warden.toml`.",
    ),
    new(
        "WRD-SEC-GITHUB",
        Critical,
        "A GitHub token stands in the surface.",
        "Anyone who connects to the server can read it.",
        "Revoke it in the account's settings, and hand it to the server through the environment.",
    ),
    new(
        "WRD-SEC-JWT",
        High,
        "A signed JSON web token stands in the surface.",
        "Such a token usually is a session or service credential, and its payload can be read by anyone.",
        "Revoke it unless it is a published example.",
    ),
    new(
        "WRD-SEC-OPENAI",
        Critical,
        "An API key of the sk- form stands in the surface.",
        "Several model providers issue keys of this form, and anyone who connects to the server can read this one.",
        "Revoke it, and hand it to the server through the environment.",
    ),
    new(
        "WRD-SEC-PRIVKEY",
        Critical,
        "A private key block stands in the surface.",
        "A private key in a text that every client receives is no longer private.",
        "Replace the key pair wherever it is in use.",
    ),
    new(
        "WRD-SEC-SLACK",
        Critical,
        "A Slack token stands in the surface.",
        "Anyone who connects to the server can act with it.",
        "Revoke it, and hand it to the server through the environment.",
    ),
    new(
        "WRD-SEC-URL",
        High,
        "A URL in the surface carries a password or key.",
        "User information, query values and webhook paths are credentials like any other.",
        "Take it out of the text, and revoke it.",
    )
    .example("`https://user:password@db.example.com/` in a description."),
];

/// Those behind the rules about servers.
pub(super) const LAST: &[Rule] = &[
    new(
        "WRD-SUP-CURL-PIPE",
        Critical,
        "The launch command downloads a script and runs it unseen.",
        "What runs is whatever the other end sends at that moment, and the pin cannot cover it.",
        "Download the script once, review it, and start the reviewed copy.",
    )
    .example("`sh -c \"curl -fsSL https://example.com/install.sh | sh\"`."),
    new(
        "WRD-SUP-IMAGE-TAG",
        Medium,
        "The container image is named by a tag, not by a digest.",
        "A tag can be moved to another image after review.",
        "Name the image as `name@sha256:…`.",
    )
    .example("`docker run ghcr.io/example/server:1.2`."),
    new(
        "WRD-SUP-IMAGE-UNPINNED",
        High,
        "The container image has no version at all.",
        "Without a tag, or with `latest`, each start may run another image.",
        "Name it as `name@sha256:…`.",
    )
    .example("`docker run ghcr.io/example/server`."),
    new(
        "WRD-SUP-LATEST-TAG",
        High,
        "A package is pinned to latest, which pins nothing.",
        "The tag follows every release, so a taken-over package runs at the next start.",
        "Write the exact version that you reviewed.",
    )
    .example("`npx -y some-server@latest`."),
    new(
        "WRD-SUP-NPX-UNPINNED",
        High,
        "npx starts a package without an exact version.",
        "npx downloads and runs what the registry offers at that moment.",
        "Write `package@1.2.3`, or install from a lock file and start the installed program.",
    )
    .example("`npx -y some-server`; write `npx -y some-server@1.2.3`."),
    new(
        "WRD-SUP-PIP-UNPINNED",
        High,
        "pip installs a package without an exact version.",
        "The newest matching release is installed and its code runs.",
        "Write `package==1.2.3`, or use a requirements file with hashes.",
    ),
    new(
        "WRD-SUP-REMOTE-SCRIPT",
        Critical,
        "The launch command runs code straight from the network.",
        "This is the download-and-run pattern in another form: through sudo, a substitution, PowerShell or a runtime \
         that takes a URL. What runs is not what was reviewed.",
        "Download once, review, and start the reviewed copy.",
    ),
    new(
        "WRD-SUP-RUNNER-UNPINNED",
        High,
        "A package runner starts a package without an exact version.",
        "bunx, pnpm dlx, yarn dlx, npm exec, uv tool run, pipx, deno and go run fetch the newest release like npx \
         does.",
        "Write the exact version that you reviewed.",
    ),
    new(
        "WRD-SUP-UVX-UNPINNED",
        High,
        "uvx starts a package without an exact version.",
        "uvx downloads and runs the newest release.",
        "Write `package==1.2.3` or `package@1.2.3`.",
    )
    .example("`uvx some-server`; write `uvx some-server==1.2.3`."),
    new(
        "WRD-TEXT-BIDI",
        High,
        "A text holds characters that reorder what a reader sees.",
        "Overrides and isolates make a text read differently from what a model receives. Direction marks beside \
         right-to-left letters are not reported.",
        "Read the escaped form, and ask the author why they are there.",
    ),
    new(
        "WRD-TEXT-CONTROL",
        High,
        "A text holds control characters.",
        "Control characters move the cursor, recolour or hide text in a terminal, and a line break in a name forges a \
         line of a report. Tabs and line breaks in descriptions are not reported.",
        "Read the escaped form, and ask the author to take them out.",
    ),
    new(
        "WRD-TEXT-INVISIBLE",
        Medium,
        "A text holds characters that show nothing or print like a space.",
        "Blank letters, unusual spaces in names, line separators and noncharacters make two texts look alike that are \
         not.",
        "Read the escaped form.",
    ),
    new(
        "WRD-TEXT-PRIVATE-USE",
        Low,
        "A text holds characters without an agreed meaning.",
        "Private-use characters show whatever the reader's font puts there, or an empty box. Icon fonts are the usual \
         reason.",
        "Ask the author what they are for, and approve only what you have seen.",
    ),
    new(
        "WRD-TEXT-TAGS",
        Critical,
        "A text holds a hidden message in tag characters.",
        "Tag characters spell ordinary text that no screen shows but that models read. There is no honest use in a \
         description; flags of regions are not reported.",
        "Read the decoded message, which the finding shows, and do not approve the server.",
    ),
    new(
        "WRD-TEXT-VARIATION",
        High,
        "A text holds variation selectors that select nothing.",
        "Selectors in a row, or after a plain letter, can carry hidden bytes. One selector after a symbol or \
         ideograph is normal and not reported.",
        "Read the escaped form, and treat a long row of them as hostile.",
    ),
    new(
        "WRD-TEXT-ZERO-WIDTH",
        Medium,
        "A text holds zero-width characters.",
        "They split a word for a search or filter while a reader sees it whole, or carry a hidden pattern. Joiners in \
         emoji and in scripts that need them are not reported.",
        "Read the escaped form, and ask the author to take them out.",
    )
    .example("`ig\\u200bnore` reads as one word and matches no filter for it."),
    new(
        "WRD-UNCOMMITTED-INSTRUCTIONS",
        Low,
        "The server sends instructions, which the digest does not cover.",
        "Clients may put them before the model, and they can change without drift in the format's sense. `warden` \
         keeps a digest of them beside the pin, and a change of it is a note in a check.",
        "Read them before you approve, and again when a check notes that they changed.",
    ),
    new(
        "WRD-UNCOMMITTED-PROMPT-EXTRAS",
        Low,
        "Prompts carry members that the digest does not cover.",
        "Titles, icons, `_meta` and unknown members reach the client and can change without drift in the format's \
         sense.",
        "Look at them before you approve, and again when a check notes that they changed.",
    ),
    new(
        "WRD-UNCOMMITTED-RESOURCE-EXTRAS",
        Low,
        "Resources carry members that the digest does not cover.",
        "Titles, icons, sizes, annotations, `_meta` and unknown members reach the client and can change without drift \
         in the format's sense.",
        "Look at them before you approve, and again when a check notes that they changed.",
    ),
    new(
        "WRD-UNCOMMITTED-RESOURCE-TEMPLATES",
        Low,
        "The server offers resource templates, which the digest does not cover.",
        "A template opens a whole family of resources, and the format has no entry for it.",
        "Review the templates by hand.",
    ),
    new(
        "WRD-UNCOMMITTED-TOOL-EXTRAS",
        Low,
        "Tools carry members that the digest does not cover.",
        "Titles, icons, `_meta` and unknown members reach the client, some reach the person who confirms a call, and \
         they can change without drift in the format's sense.",
        "Look at them before you approve, and again when a check notes that they changed.",
    ),
];
