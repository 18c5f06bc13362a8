//! Static checks on a declared surface and its launch: what a reviewer should look at before approving.
//!
//! A family is one file and one line in `FAMILIES`. Families only look; what they find goes into a sink that
//! names targets, collapses repeats and bounds how much one entry can say. Nothing here enters a digest (SPEC.md §21).
//!
//! Input is hostile: every walk is iterative, and work is linear in the size of surface and launch. Pure.

mod capabilities;
mod capability_scan;
mod command;
mod entropy;
mod hidden_text;
mod launch_secrets;
mod loaders;
mod local_ref;
mod lookalike;
mod quote;
mod randomness;
mod runners;
mod schema_paths;
mod schema_traps;
mod secret_context;
mod secret_names;
mod secrets;
mod sink;
mod supply_chain;
mod uncommitted;
mod unicode_use;
mod url_credentials;
mod vendor_keys;
mod walk;

pub use command::program;
pub use entropy::decode_base64;
pub use launch_secrets::{argv_holds_secret, is_secret_setting, redact_argv, secret_words};
pub use loaders::loads_code;
pub use lookalike::{appearances, mixes_scripts, shown_name};
pub use secret_names::is_secret_name;
pub use supply_chain::{Unpinned, unpinned};
pub use uncommitted::not_covered;

use crate::finding::Finding;
use crate::surface::{Launch, Surface};
use sink::Sink;
use walk::Text;

/// What the families look at.
struct Input<'a> {
    surface: &'a Surface,
    launch: &'a Launch,
}

/// How a family is called.
enum Family {
    /// With every text of the surface, one by one: names of members included.
    Texts(fn(&Text<'_, '_>, &mut Sink)),
    /// Once, with everything.
    Whole(fn(&Input<'_>, &mut Sink)),
}

const FAMILIES: &[Family] = &[
    Family::Whole(capabilities::check),
    Family::Whole(capability_scan::check),
    Family::Whole(launch_secrets::check),
    Family::Whole(lookalike::check),
    Family::Whole(schema_traps::check),
    Family::Whole(supply_chain::check),
    Family::Whole(uncommitted::check),
    Family::Texts(hidden_text::check),
    Family::Texts(secrets::check),
];

/// Runs every family. The findings are free of repeats by (rule, target, snippet) and sorted by (target, rule,
/// snippet), code point. Messages and snippets are escaped and hold no secret; targets are raw.
///
/// Where one entry gives very many findings of one rule, the first few are listed and one more says how many
/// follow.
pub fn run(surface: &Surface, launch: &Launch) -> Vec<Finding> {
    let input = Input { surface, launch };
    let mut sink = Sink::default();
    for family in FAMILIES {
        if let Family::Whole(check) = family {
            check(&input, &mut sink);
        }
    }
    walk::texts(&input, &mut |text| {
        for family in FAMILIES {
            if let Family::Texts(check) = family {
                check(text, &mut sink);
            }
        }
    });
    sink.findings(surface)
}
