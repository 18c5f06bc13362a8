//! Rules for drift: one per class of the format (SPEC.md §16), `WRD-DRIFT-` and the class in capitals. Sorted by id.

use super::super::Severity::{Critical, High, Low, Medium};
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[
    new(
        "WRD-DRIFT-CAPABILITY-ADDED",
        High,
        "A tool gained a capability flag.",
        "Its name is the same but its parameters now say that it can do more: run commands, write files, reach the \
         network. A prior approval does not cover that.",
    ),
    new(
        "WRD-DRIFT-CAPABILITY-REMOVED",
        Medium,
        "A tool lost a capability flag.",
        "Its parameters no longer say what they said. Check that the power is really gone and was not renamed.",
    ),
    new(
        "WRD-DRIFT-DESCRIPTION-MODIFIED",
        Low,
        "The description of a tool changed, nothing else.",
        "Descriptions steer the model, so a small edit can be an attack: read both versions. The class is low because \
         the format calls it so.",
    ),
    new(
        "WRD-DRIFT-DIGEST-MISMATCH-UNEXPLAINED",
        High,
        "The overall digest differs and no entry explains it.",
        "The lock holds repeated or reordered entries, or was edited. Do not approve on top of it: restore it from \
         version control or pin anew after a review.",
    ),
    new(
        "WRD-DRIFT-INSPECTION-POLICY-MODIFIED",
        Medium,
        "The reviewed inspection block of a tool changed.",
        "Such a block relaxes checks on what the tool returns. It may change only by a reviewed file; restore it, or \
         review the new one and pin again.",
    ),
    new(
        "WRD-DRIFT-PROMPT-ADDED",
        Medium,
        "A prompt was not there when the server was pinned.",
        "Prompts are put before the model in the user's name. Review it before you use it.",
    ),
    new(
        "WRD-DRIFT-PROMPT-MODIFIED",
        Low,
        "The description or the arguments of a prompt changed.",
        "Compare both versions: arguments decide what a user is asked to hand over.",
    ),
    new("WRD-DRIFT-PROMPT-REMOVED", Low, "A prompt that was pinned is gone.", "Work that uses it breaks."),
    new(
        "WRD-DRIFT-RESOURCE-ADDED",
        Medium,
        "A resource was not there when the server was pinned.",
        "Its content reaches the model when a client reads it. Review where it comes from.",
    ),
    new(
        "WRD-DRIFT-RESOURCE-MODIFIED",
        Low,
        "The name, description or type of a resource changed.",
        "The text steers which resource a client reads and how it is shown. Compare both versions.",
    ),
    new(
        "WRD-DRIFT-RESOURCE-REMOVED",
        Low,
        "A resource that was pinned is gone.",
        "Work that reads it breaks. Check whether it moved to another URI.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-ADDITIONAL-PROPS-OPENED",
        High,
        "Input schema: unnamed members are now accepted.",
        "The schema had closed the list of its members and now takes any. Text can travel in members that no review \
         saw.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-CONSTRAINT-RELAXED",
        Medium,
        "Input schema: a limit was loosened or dropped.",
        "A length, bound, pattern or requirement that was reviewed no longer holds as it did.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-CONSTRAINT-TIGHTENED",
        Low,
        "Input schema: a limit was added or changed.",
        "Usually a tightening. A changed pattern counts here too, whichever way it changed: read it.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-COSMETIC-MODIFIED",
        Low,
        "Input schema: the text changed but not its structure.",
        "Titles, descriptions, defaults and keywords outside the skeleton changed. Descriptions of parameters steer \
         the model as much as those of tools: compare both versions.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-ENUM-ADDED",
        Low,
        "Input schema: a free value is now a fixed choice.",
        "A tightening; callers may break.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-ENUM-NARROWED",
        Low,
        "Input schema: a fixed choice has fewer members than before.",
        "Callers may break; nothing new is admitted.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-ENUM-REMOVED",
        High,
        "Input schema: a fixed choice is now free.",
        "Any value is accepted where a short list was reviewed.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-ENUM-WIDENED",
        High,
        "Input schema: a fixed choice has other or more members than before.",
        "A new member can be a new power: another mode, host or format. Review each one.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-MODIFIED",
        High,
        "Input schema: it changed in a way that cannot be told in detail.",
        "One side has no skeleton, or the change hides behind a reference that is not followed. Compare the raw \
         schemas.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ADDED",
        High,
        "The tool now declares an output schema.",
        "Clients may hand structured results on without showing them. Review what the schema promises; it certifies \
         nothing about what is returned.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ADDITIONAL-PROPS-OPENED",
        High,
        "Output schema: unnamed members are now accepted.",
        "Text can be returned in members that no review saw.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-CONSTRAINT-RELAXED",
        Medium,
        "Output schema: a limit was loosened or dropped.",
        "A length, bound or pattern that was reviewed no longer holds as it did.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-CONSTRAINT-TIGHTENED",
        Low,
        "Output schema: a limit was added or changed.",
        "Usually a tightening. A changed pattern counts here too, whichever way it changed: read it.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-COSMETIC-MODIFIED",
        Low,
        "Output schema: the text changed but not its structure.",
        "Titles, descriptions and keywords outside the skeleton changed. Compare both versions.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ENUM-ADDED",
        Low,
        "Output schema: a free value is now a fixed choice.",
        "A tightening; nothing new is admitted.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ENUM-NARROWED",
        Low,
        "Output schema: a fixed choice has fewer members than before.",
        "Nothing new is admitted.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ENUM-REMOVED",
        High,
        "Output schema: a fixed choice is now free.",
        "Any value may be returned where a short list was reviewed.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ENUM-WIDENED",
        High,
        "Output schema: a fixed choice has other or more members than before.",
        "Other values may be returned than were reviewed.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-MODIFIED",
        High,
        "Output schema: it changed in a way that cannot be told in detail.",
        "One side has no skeleton, or the change hides behind a reference that is not followed. Compare the raw \
         schemas.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-PROPERTY-ADDED",
        Low,
        "Output schema: an optional member with limits was added.",
        "A further limited value may be returned.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-PROPERTY-REMOVED",
        Medium,
        "Output schema: an optional member was removed.",
        "Callers may have relied on the value.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-REMOVED",
        High,
        "The tool no longer declares an output schema.",
        "What it returns is no longer limited by any promise, and clients stop validating it. Check why.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-REQUIRED-ADDED",
        Medium,
        "Output schema: a required member was added.",
        "A new value, limited in its content, is always returned.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-REQUIRED-REMOVED",
        High,
        "Output schema: a required member was removed.",
        "Callers relied on a value that the tool no longer promises.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-REQUIRED-UNCONSTRAINED-ADDED",
        High,
        "Output schema: a required member without limits was added.",
        "Free text that is always returned is a new way to put words before the model.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-TYPE-BROADENED",
        High,
        "Output schema: a type admits more kinds of values than before.",
        "What was a number or a fixed shape may now be text or anything.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-TYPE-CHANGED",
        Medium,
        "Output schema: a type became another one.",
        "Other values may be returned than were reviewed.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-TYPE-NARROWED",
        Low,
        "Output schema: a type admits fewer kinds of values than before.",
        "Nothing new is admitted.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-UNCONSTRAINED-ADDED",
        High,
        "Output schema: an optional member without limits was added.",
        "Free text may now be returned that was not reviewed.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-PROPERTY-ADDED",
        Low,
        "Input schema: an optional parameter with limits was added.",
        "Its values are limited, so it can carry little; check what it switches.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-PROPERTY-REMOVED",
        Medium,
        "Input schema: an optional parameter was removed.",
        "A limit or a choice that was reviewed may be gone with it.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-REQUIRED-ADDED",
        Medium,
        "Input schema: a required parameter was added.",
        "Callers must now send something that was not reviewed, although its values are limited.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-REQUIRED-REMOVED",
        High,
        "Input schema: a required parameter was removed.",
        "Calls that were reviewed no longer have their meaning: what had to be said is no longer asked.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-REQUIRED-UNCONSTRAINED-ADDED",
        High,
        "Input schema: a required parameter without limits was added.",
        "Free text that must be sent is the usual way to make a model hand over context. Read what the description \
         asks for.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-TYPE-BROADENED",
        High,
        "Input schema: a type admits more kinds of values than before.",
        "A place that took a number or a fixed shape may now take text or anything. Check why.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-TYPE-CHANGED",
        Medium,
        "Input schema: a type became another one.",
        "Callers may break, and other values are admitted than were reviewed.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-TYPE-NARROWED",
        Low,
        "Input schema: a type admits fewer kinds of values than before.",
        "Callers may break; nothing new is admitted.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-UNCONSTRAINED-ADDED",
        High,
        "Input schema: an optional parameter without limits was added.",
        "Free text beside the reviewed parameters can be asked to carry anything. Read what the description asks for.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-VERSION-MIGRATED",
        Low,
        "The lock is of an older level of the format.",
        "A newer level commits to more, so its digest differs even for the same server. What the old lock did not \
         commit to was never reviewed: look at it now, then pin again.",
    ),
    new(
        "WRD-DRIFT-SERVER-IDENTITY",
        Critical,
        "The server is started in another way than was pinned.",
        "Command, arguments or URL differ, so another program may be answering. Everything else in the report \
         describes that other program. Accept it only where you changed the launch yourself.",
    ),
    new(
        "WRD-DRIFT-TOOL-ADDED",
        High,
        "A tool was not there when the server was pinned.",
        "A new tool is new power and new text before the model. Review it like the first time, then pin again.",
    ),
    new(
        "WRD-DRIFT-TOOL-ANNOTATIONS-MODIFIED",
        High,
        "The annotations of a tool changed.",
        "Clients decide by these hints whether to ask before a call. A tool that now calls itself read-only may run \
         without a question. They are claims of the server, never proof.",
    ),
    new(
        "WRD-DRIFT-TOOL-REMOVED",
        Medium,
        "A tool that was pinned is gone.",
        "Work that relies on it breaks, and another server may now offer the name. Check whether the release notes \
         mention it.",
    ),
    new(
        "WRD-DRIFT-UNAPPROVED-CHANGE",
        High,
        "The approval in the lock does not cover what the server declares.",
        "The approver attested another digest, or none. Have the present state reviewed and approved again.",
    ),
];
