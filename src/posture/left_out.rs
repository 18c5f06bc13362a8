//! Servers of the project's files that `discover = false` leaves out.

use super::{Fault, Input, severity, shown, target};
use crate::clients::Position;

pub(super) fn check(input: &Input<'_>, faults: &mut Vec<Fault>) {
    let rule_id = "WRD-CONF-LEFT-OUT";
    let left = input.project.left_out.servers.iter().filter(|server| input.looks_at(&server.place.path));
    faults.extend(left.map(|server| Fault {
        rule_id,
        severity: severity(rule_id),
        target: target(&server.name),
        message: "Clients start it, and it is no server of the project: warden.toml says discover = false".to_owned(),
        snippet: format!("'{}'", shown(&server.name)),
        path: server.place.path.clone(),
        at: Position {
            line: super::subject::as_position(server.place.line),
            column: super::subject::as_position(server.place.column),
        },
        fix: "a table in warden.toml with a from that names this file".to_owned(),
        in_project: true,
    }));
}
