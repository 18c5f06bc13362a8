//! Files that everybody can change.

use super::{Fault, Input, severity, shown_path};
use crate::clients::{Position, Scope};
use crate::text::quote_argv;

pub(super) fn check(input: &Input<'_>, faults: &mut Vec<Fault>) {
    for (file, what) in input.writable {
        let scope = input.files.iter().find(|known| known.path == *file).map(|known| known.scope);
        let text = what.to_string_lossy();
        let text = if text.is_empty() { ".".into() } else { text };
        let message = match file == what {
            true => "Everybody on this machine can change the file",
            false => "Everybody on this machine can put another file in its place",
        };
        faults.push(Fault {
            rule_id: "WRD-CONF-WRITABLE",
            severity: severity("WRD-CONF-WRITABLE"),
            target: format!("files/{}", file.to_string_lossy()),
            message: message.to_owned(),
            snippet: shown_path(if what.as_os_str().is_empty() { std::path::Path::new(".") } else { what }),
            path: file.clone(),
            at: Position::START,
            fix: quote_argv(["chmod", "o-w", "--", &text]),
            in_project: scope.is_none_or(|scope| scope == Scope::Project),
        });
    }
}
