//! What a reader should know about a capture that succeeded.

use super::listing::declares;
use super::session::Session;
use super::transport::Transport;
use crate::json::{Object, Value};
use crate::surface::Section;

/// Warns about lists that do not fit the handshake, and about secrets that the server repeats. `lists` in the order of
/// [`Section::ALL`].
pub(super) fn on<T: Transport>(session: &mut Session<'_, T>, declaration: &Object, lists: &[&Vec<Value>; 3]) {
    for (section, list) in Section::ALL.into_iter().zip(lists) {
        match (declares(declaration, section), list.is_empty()) {
            (true, true) if section == Section::Tools => {
                session.warn("the server declares tools, but lists none".to_owned());
            }
            (false, false) => {
                session.warn(format!("the server lists {} that its handshake does not declare", section.key()));
            }
            _ => {}
        }
        // Without secrets there is nothing to look for.
        for entry in list.iter().filter(|_| session.quoter.has_values()) {
            if let Some(name) = first_text(entry, &|text| session.quoter.find(text)) {
                let name = session.quoter.quote(&name);
                let entry = entry.get(section.identity()).and_then(Value::as_str).unwrap_or_default();
                let entry = format!("{} \"{}\"", section.singular(), session.quoter.quote(entry));
                session.warn(format!("{entry} repeats the value of {name}: a lock of it may hold that value"));
            }
        }
    }
}

/// The first answer of `find` for a text inside of the value, member names included.
fn first_text(value: &Value, find: &impl Fn(&str) -> Option<String>) -> Option<String> {
    match value {
        Value::String(text) => find(text),
        Value::Array(items) => items.iter().find_map(|item| first_text(item, find)),
        // The strict parse bounds the depth.
        Value::Object(object) => object.iter().find_map(|(name, value)| find(name).or_else(|| first_text(value, find))),
        _ => None,
    }
}
