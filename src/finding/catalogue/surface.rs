//! Rules about the launch, the lock and the texts of a surface. Sorted by id.

use super::super::Severity::{Critical, High, Low, Medium};
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[
    new(
        "WRD-LAUNCH-SECRET",
        High,
        "The launch command carries a secret.",
        "Command and arguments are pinned word for word, so a key among them would be committed with the lock, and every \
         process on the machine can read it. Counted are values of variables, options, headers and JSON members whose \
         names have KEY, TOKEN, SECRET, PASS, PASSWORD, PWD, AUTH, CREDENTIAL or PAT as a word, passwords and keys in \
         URLs, and whatever looks like a key. Keep it in the environment and pass it on with `--env NAME`; then revoke \
         what stood there.",
    ),
    new(
        "WRD-LAUNCH-URL-SECRET",
        High,
        "The server's URL carries a secret.",
        "The URL is pinned word for word, so a password or key in it would be committed with the lock and end up in logs \
         and proxies. Send it in a header instead, and revoke the key that stood there.",
    ),
    new(
        "WRD-LOCK-INCONSISTENT",
        High,
        "The lock does not reproduce its own digests.",
        "An entry, the launch or the overall digest says something else than the members it is computed from. The file \
         was edited by hand or damaged, so nothing in it can be believed. Restore it from version control, or review the \
         server anew and pin again.",
    ),
    new(
        "WRD-LOCK-NOT-APPROVED",
        High,
        "The check asks for an approved lock, and this one is not.",
        "The lock records what the server declared, but nobody has attested to it. Have it reviewed and pinned again with \
         an approval, or check without asking for one.",
    ),
    new(
        "WRD-LOOK-ALIKE-NAMES",
        High,
        "Two names of one list look the same to a reader.",
        "The names differ only in letters that are drawn alike, in case, in width or in characters that show nothing. A \
         person approving a call, or a model choosing one, can take one for the other. Ask the author to rename one; \
         treat it as hostile where the letters come from different scripts.",
    ),
    new(
        "WRD-LOOK-ALIKE-PROPERTIES",
        Medium,
        "Two parameters of one schema look the same to a reader.",
        "Their names differ only in letters that are drawn alike, in width or in characters that show nothing. What a \
         person confirms may not be what the tool receives. Ask the author to rename one.",
    ),
    new(
        "WRD-LOOK-MIXED-SCRIPT",
        Medium,
        "A name hides letters of another script among Latin ones.",
        "A Cyrillic, Greek or full-width letter stands where a reader sees a Latin one. Searches, allow lists and people \
         then miss the name. There is hardly an honest reason for it in an identifier.",
    ),
    new(
        "WRD-SCHEMA-MALFORMED",
        Low,
        "The input schema is not an object.",
        "The format hashes such a schema as an empty object, so its text could change without changing the digest. \
         A capture refuses it; a lock that was built from a document can still meet it. Ask the author for a schema.",
    ),
    new(
        "WRD-SCHEMA-ODD-PROPERTY",
        Low,
        "Some parts of a schema are of a kind that the skeleton cannot tell apart.",
        "A parameter described by true, false or anything but an object, and a list of item schemas, leave one and the \
         same trace or none. A change among them is still drift, but it is reported as a cosmetic one. Read the raw \
         schema before you approve it.",
    ),
    new(
        "WRD-SCHEMA-PATH-COLLISION",
        Medium,
        "Two places of a schema share one path in the skeleton.",
        "Paths are joined with dots and brackets without escaping, and the place written last wins, so a parameter with \
         a chosen name hides changes to another. The schema hash still changes. Treat a name that is empty, `$root` or \
         holds `.` or `[]` as deliberate until its author explains it.",
    ),
    new(
        "WRD-SCHEMA-REQUIRED-UNKNOWN",
        Low,
        "A schema requires a parameter that it does not describe.",
        "The name stands in `required` but not in `properties`, so the caller must send something of which nothing is \
         said: no type, no limit, no purpose. The skeleton does not record it either. Ask the author to describe it.",
    ),
    new(
        "WRD-SCHEMA-UNSEEN",
        Low,
        "A schema uses keywords that the skeleton does not record.",
        "Alternatives, constants, exclusive bounds, patterns of names and the like are hashed but not described, so a \
         change in them is drift that can only be reported as cosmetic. Compare the raw schemas when such an item shows.",
    ),
    new(
        "WRD-SEC-AWS-AKID",
        Critical,
        "An AWS access key id stands in the surface.",
        "Key ids stand next to their secret more often than not. Remove it from the server's code, and rotate the key \
         pair: the surface is sent to every client and model that connects.",
    ),
    new(
        "WRD-SEC-ENTROPY",
        High,
        "A text looks like a generated key.",
        "The characters follow neither words nor identifiers, and nothing around them says that they are a hash, an id \
         or an example. If it is a credential, revoke it and take it out of the server; the finding shows only its first \
         characters.",
    ),
    new(
        "WRD-SEC-GITHUB",
        Critical,
        "A GitHub token stands in the surface.",
        "Anyone who connects to the server can read it. Revoke it in the account's settings, and hand it to the server \
         through the environment.",
    ),
    new(
        "WRD-SEC-JWT",
        High,
        "A signed JSON web token stands in the surface.",
        "Such a token usually is a session or service credential, and its payload can be read by anyone. Revoke it unless \
         it is a published example.",
    ),
    new(
        "WRD-SEC-OPENAI",
        Critical,
        "An API key of the sk- form stands in the surface.",
        "Several model providers issue keys of this form. Revoke it, and hand it to the server through the environment.",
    ),
    new(
        "WRD-SEC-PRIVKEY",
        Critical,
        "A private key block stands in the surface.",
        "A private key in a text that every client receives is no longer private. Replace the key pair wherever it is in \
         use.",
    ),
    new(
        "WRD-SEC-SLACK",
        Critical,
        "A Slack token stands in the surface.",
        "Anyone who connects to the server can act with it. Revoke it, and hand it to the server through the environment.",
    ),
    new(
        "WRD-SEC-URL",
        High,
        "A URL in the surface carries a password or key.",
        "User information, query values and webhook paths are credentials like any other. Take it out of the text, and \
         revoke it.",
    ),
    new(
        "WRD-SERVER-NOT-CAPTURED",
        High,
        "The server could not be asked, so nothing is known about it.",
        "It could not be started or reached, ended, answered with an error, or said what cannot be pinned. It may have \
         changed in any way. The code in the message stands in docs/troubleshooting.md; treat this as a failed check.",
    ),
    new(
        "WRD-SUP-CURL-PIPE",
        Critical,
        "The launch command downloads a script and runs it unseen.",
        "What runs is whatever the other end sends at that moment, and the pin cannot cover it. Download the script once, \
         review it, and start the reviewed copy.",
    ),
    new(
        "WRD-SUP-IMAGE-TAG",
        Medium,
        "The container image is named by a tag, not by a digest.",
        "A tag can be moved to another image after review. Name the image as `name@sha256:…`.",
    ),
    new(
        "WRD-SUP-IMAGE-UNPINNED",
        High,
        "The container image has no version at all.",
        "Without a tag, or with `latest`, each start may run another image. Name it as `name@sha256:…`.",
    ),
    new(
        "WRD-SUP-LATEST-TAG",
        High,
        "A package is pinned to latest, which pins nothing.",
        "The tag follows every release, so a taken-over package runs at the next start. Write the exact version that you \
         reviewed.",
    ),
    new(
        "WRD-SUP-NPX-UNPINNED",
        High,
        "npx starts a package without an exact version.",
        "npx downloads and runs what the registry offers at that moment. Write `package@1.2.3`, or install from a lock \
         file and start the installed program.",
    ),
    new(
        "WRD-SUP-PIP-UNPINNED",
        High,
        "pip installs a package without an exact version.",
        "The newest matching release is installed and its code runs. Write `package==1.2.3`, or use a requirements file \
         with hashes.",
    ),
    new(
        "WRD-SUP-REMOTE-SCRIPT",
        Critical,
        "The launch command runs code straight from the network.",
        "This is the download-and-run pattern in another form: through sudo, a substitution, PowerShell or a runtime that \
         takes a URL. What runs is not what was reviewed. Download once, review, and start the reviewed copy.",
    ),
    new(
        "WRD-SUP-RUNNER-UNPINNED",
        High,
        "A package runner starts a package without an exact version.",
        "bunx, pnpm dlx, yarn dlx, npm exec, uv tool run, pipx, deno and go run fetch the newest release like npx does. \
         Write the exact version that you reviewed.",
    ),
    new(
        "WRD-SUP-UVX-UNPINNED",
        High,
        "uvx starts a package without an exact version.",
        "uvx downloads and runs the newest release. Write `package==1.2.3` or `package@1.2.3`.",
    ),
    new(
        "WRD-TEXT-BIDI",
        High,
        "A text holds characters that reorder what a reader sees.",
        "Overrides and isolates make a text read differently from what a model receives. Direction marks beside \
         right-to-left letters are not reported. Read the escaped form, and ask the author why they are there.",
    ),
    new(
        "WRD-TEXT-CONTROL",
        High,
        "A text holds control characters.",
        "Control characters move the cursor, recolour or hide text in a terminal, and a line break in a name forges a \
         line of a report. Tabs and line breaks in descriptions are not reported.",
    ),
    new(
        "WRD-TEXT-INVISIBLE",
        Medium,
        "A text holds characters that show nothing or print like a space.",
        "Blank letters, unusual spaces in names, line separators and noncharacters make two texts look alike that are \
         not. Read the escaped form.",
    ),
    new(
        "WRD-TEXT-PRIVATE-USE",
        Low,
        "A text holds characters without an agreed meaning.",
        "Private-use characters show whatever the reader's font puts there, or an empty box. Icon fonts are the usual \
         reason.",
    ),
    new(
        "WRD-TEXT-TAGS",
        Critical,
        "A text holds a hidden message in tag characters.",
        "Tag characters spell ordinary text that no screen shows but that models read. The finding shows the decoded \
         message. There is no honest use in a description; flags of regions are not reported.",
    ),
    new(
        "WRD-TEXT-VARIATION",
        High,
        "A text holds variation selectors that select nothing.",
        "Selectors in a row, or after a plain letter, can carry hidden bytes. One selector after a symbol or ideograph \
         is normal and not reported.",
    ),
    new(
        "WRD-TEXT-ZERO-WIDTH",
        Medium,
        "A text holds zero-width characters.",
        "They split a word for a search or filter while a reader sees it whole, or carry a hidden pattern. Joiners in \
         emoji and in scripts that need them are not reported.",
    ),
    new(
        "WRD-UNCOMMITTED-INSTRUCTIONS",
        Low,
        "The server sends instructions, which the digest does not cover.",
        "Clients may put them before the model, and they can change without drift in the format's sense. Read them, and \
         compare the digest that this tool keeps beside the pin.",
    ),
    new(
        "WRD-UNCOMMITTED-PROMPT-EXTRAS",
        Low,
        "Prompts carry members that the digest does not cover.",
        "Titles, icons, `_meta` and unknown members reach the client and can change without drift in the format's sense.",
    ),
    new(
        "WRD-UNCOMMITTED-RESOURCE-EXTRAS",
        Low,
        "Resources carry members that the digest does not cover.",
        "Titles, icons, sizes, annotations, `_meta` and unknown members reach the client and can change without drift in \
         the format's sense.",
    ),
    new(
        "WRD-UNCOMMITTED-RESOURCE-TEMPLATES",
        Low,
        "The server offers resource templates, which the digest does not cover.",
        "A template opens a whole family of resources, and the format has no entry for it. Review the templates by hand.",
    ),
    new(
        "WRD-UNCOMMITTED-TOOL-EXTRAS",
        Low,
        "Tools carry members that the digest does not cover.",
        "Titles, icons, `_meta` and unknown members reach the client, some reach the person who confirms a call, and \
         they can change without drift in the format's sense.",
    ),
];
