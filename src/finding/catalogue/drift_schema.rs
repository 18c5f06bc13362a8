//! Rules for drift of schemas (SPEC.md §10, §16): `WRD-DRIFT-` and the class in capitals. Sorted by id.

use super::super::Severity::{High, Low, Medium};
use super::{Rule, new};

pub(super) const RULES: &[Rule] = &[
    new(
        "WRD-DRIFT-SCHEMA-ADDITIONAL-PROPS-OPENED",
        High,
        "Input schema: unnamed members are now accepted.",
        "The schema had closed the list of its members and now takes any. Text can travel in members that no review \
         saw.",
        "Ask why the list was opened. Pin again only if the answer is good.",
    )
    .example("`\"additionalProperties\": false` was taken out of the schema."),
    new(
        "WRD-DRIFT-SCHEMA-CONSTRAINT-RELAXED",
        Medium,
        "Input schema: a limit was loosened or dropped.",
        "A length, bound, pattern or requirement that was reviewed no longer holds as it did.",
        "Compare the old and the new limit, and check what the wider range allows. Then pin again.",
    )
    .example("`\"maxLength\": 80` became `\"maxLength\": 100000`."),
    new(
        "WRD-DRIFT-SCHEMA-CONSTRAINT-TIGHTENED",
        Low,
        "Input schema: a limit was added or changed.",
        "Usually a tightening, but a changed pattern counts here too, whichever way it changed.",
        "Read the new limit, check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-COSMETIC-MODIFIED",
        Low,
        "Input schema: the text changed but not its structure.",
        "Titles, descriptions, defaults and keywords outside the skeleton changed. Descriptions of parameters steer \
         the model as much as those of tools.",
        "Compare both versions word by word, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-ENUM-ADDED",
        Low,
        "Input schema: a free value is now a fixed choice.",
        "A tightening: values that were accepted may now be refused.",
        "Check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-ENUM-NARROWED",
        Low,
        "Input schema: a fixed choice has fewer members than before.",
        "Callers may break; nothing new is admitted.",
        "Check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-ENUM-REMOVED",
        High,
        "Input schema: a fixed choice is now free.",
        "Any value is accepted where a short list was reviewed.",
        "Check what other values do in the server, then pin again.",
    )
    .example("`\"enum\": [\"work\", \"private\"]` was taken away; any string is accepted."),
    new(
        "WRD-DRIFT-SCHEMA-ENUM-WIDENED",
        High,
        "Input schema: a fixed choice has other or more members than before.",
        "A new member can be a new power: another mode, host or format.",
        "Review each new member, then pin again.",
    )
    .example("`\"enum\": [\"read\"]` became `\"enum\": [\"read\", \"delete\"]`."),
    new(
        "WRD-DRIFT-SCHEMA-MODIFIED",
        High,
        "Input schema: it changed in a way that cannot be told in detail.",
        "One side has no skeleton, or the change hides behind a reference that is not followed.",
        "Compare the raw schemas of both versions before you pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ADDED",
        High,
        "The tool now declares an output schema.",
        "Clients may hand structured results on without showing them. The schema certifies nothing about what is \
         returned.",
        "Review what it promises, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ADDITIONAL-PROPS-OPENED",
        High,
        "Output schema: unnamed members are now accepted.",
        "Text can be returned in members that no review saw.",
        "Check what the server returns there, and whether it reaches the model. Then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-CONSTRAINT-RELAXED",
        Medium,
        "Output schema: a limit was loosened or dropped.",
        "A length, bound or pattern that was reviewed no longer holds as it did.",
        "Compare the old and the new limit, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-CONSTRAINT-TIGHTENED",
        Low,
        "Output schema: a limit was added or changed.",
        "Usually a tightening, but a changed pattern counts here too, whichever way it changed.",
        "Read the new limit, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-COSMETIC-MODIFIED",
        Low,
        "Output schema: the text changed but not its structure.",
        "Titles, descriptions and keywords outside the skeleton changed, and clients may show them to a model.",
        "Compare both versions, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ENUM-ADDED",
        Low,
        "Output schema: a free value is now a fixed choice.",
        "A tightening; nothing new is admitted.",
        "Nothing to fear; pin again after a look.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ENUM-NARROWED",
        Low,
        "Output schema: a fixed choice has fewer members than before.",
        "Nothing new is admitted, but a value that callers expect may no longer be returned.",
        "Check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ENUM-REMOVED",
        High,
        "Output schema: a fixed choice is now free.",
        "Any value may be returned where a short list was reviewed.",
        "Check what else the server returns there, and who reads it. Then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-ENUM-WIDENED",
        High,
        "Output schema: a fixed choice has other or more members than before.",
        "Other values may be returned than were reviewed.",
        "Review each new value, and what your callers do with it. Then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-MODIFIED",
        High,
        "Output schema: it changed in a way that cannot be told in detail.",
        "One side has no skeleton, or the change hides behind a reference that is not followed.",
        "Compare the raw schemas of both versions before you pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-PROPERTY-ADDED",
        Low,
        "Output schema: an optional member with limits was added.",
        "A further limited value may be returned.",
        "Check what the value is for, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-PROPERTY-REMOVED",
        Medium,
        "Output schema: an optional member was removed.",
        "Callers may have relied on the value.",
        "Check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-REMOVED",
        High,
        "The tool no longer declares an output schema.",
        "What it returns is no longer limited by any promise, and clients stop validating it.",
        "Find out why, and what your callers do with other values. Then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-REQUIRED-ADDED",
        Medium,
        "Output schema: a required member was added.",
        "A new value, limited in its content, is always returned.",
        "Check what the value is for, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-REQUIRED-REMOVED",
        High,
        "Output schema: a required member was removed.",
        "Callers relied on a value that the tool no longer promises.",
        "Check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-REQUIRED-UNCONSTRAINED-ADDED",
        High,
        "Output schema: a required member without limits was added.",
        "Free text that is always returned is a new way to put words before the model.",
        "Find out where the text comes from, and whether a stranger can write it. Then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-TYPE-BROADENED",
        High,
        "Output schema: a type admits more kinds of values than before.",
        "What was a number or a fixed shape may now be text or anything.",
        "Ask why, and check what your callers do with other kinds. Then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-TYPE-CHANGED",
        Medium,
        "Output schema: a type became another one.",
        "Other values may be returned than were reviewed.",
        "Check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-TYPE-NARROWED",
        Low,
        "Output schema: a type admits fewer kinds of values than before.",
        "Nothing new is admitted, but a kind of value that callers expect may no longer be returned.",
        "Check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-OUT-UNCONSTRAINED-ADDED",
        High,
        "Output schema: an optional member without limits was added.",
        "Free text may now be returned that was not reviewed.",
        "Find out where the text comes from, and whether a stranger can write it. Then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-PROPERTY-ADDED",
        Low,
        "Input schema: an optional parameter with limits was added.",
        "Its values are limited, so it can carry little, but it may switch something on.",
        "Check what it switches, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-PROPERTY-REMOVED",
        Medium,
        "Input schema: an optional parameter was removed.",
        "A limit or a choice that was reviewed may be gone with it.",
        "Check what the server does without it, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-REQUIRED-ADDED",
        Medium,
        "Input schema: a required parameter was added.",
        "Callers must now send something that was not reviewed, although its values are limited.",
        "Check what the server does with it, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-REQUIRED-REMOVED",
        High,
        "Input schema: a required parameter was removed.",
        "Calls that were reviewed no longer have their meaning: what had to be said is no longer asked.",
        "Find out what the server now assumes in its place, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-REQUIRED-UNCONSTRAINED-ADDED",
        High,
        "Input schema: a required parameter without limits was added.",
        "Free text that must be sent is the usual way to make a model hand over context.",
        "Read what the description asks for.",
    )
    .example("A required string `context`, \"everything that was said so far\"."),
    new(
        "WRD-DRIFT-SCHEMA-TYPE-BROADENED",
        High,
        "Input schema: a type admits more kinds of values than before.",
        "A place that took a number or a fixed shape may now take text or anything.",
        "Find out why, and what your callers do with other values. Then pin again.",
    )
    .example("`\"type\": \"integer\"` became `\"type\": [\"integer\", \"string\"]`."),
    new(
        "WRD-DRIFT-SCHEMA-TYPE-CHANGED",
        Medium,
        "Input schema: a type became another one.",
        "Callers may break, and other values are admitted than were reviewed.",
        "Check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-TYPE-NARROWED",
        Low,
        "Input schema: a type admits fewer kinds of values than before.",
        "Callers may break; nothing new is admitted.",
        "Check that your callers still work, then pin again.",
    ),
    new(
        "WRD-DRIFT-SCHEMA-UNCONSTRAINED-ADDED",
        High,
        "Input schema: an optional parameter without limits was added.",
        "Free text beside the reviewed parameters can be asked to carry anything.",
        "Read what the description asks for.",
    )
    .example("An optional string `notes` without a length, a pattern or a list of values."),
    new(
        "WRD-DRIFT-SCHEMA-VERSION-MIGRATED",
        Low,
        "The lock is of an older level of the format.",
        "A newer level commits to more, so its digest differs even for the same server. What the old lock did not \
         commit to was never reviewed.",
        "Look at what the new level adds, then pin again. A note in the report says whether everything that the old \
         level covers is unchanged.",
    ),
];
