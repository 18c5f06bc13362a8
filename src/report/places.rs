//! The places in which two versions of an entry differ.

use crate::json::{Differences, Object, Value, differences, enum_text};
use crate::text::is_hidden;
use std::collections::{BTreeSet, HashMap};

use super::schema_words::{values, without};

/// A place in an entry that differs; at least one side is there.
pub(super) struct Change<'v> {
    /// JSON pointer within the entry: where the value stands now, or where it stood if it is gone; raw.
    pub pointer: String,
    pub before: Option<&'v Value>,
    pub now: Option<&'v Value>,
}

/// At most `limit` places of these members, and how many more there are. Null and absent are the same.
pub(super) fn places<'v>(
    before: &'v Object,
    now: &'v Object,
    members: &[&str],
    limit: usize,
) -> (Vec<Change<'v>>, usize) {
    let (mut out, mut more) = (Vec::new(), 0);
    for name in members {
        let root = format!("/{name}");
        match (before.get_non_null(name), now.get_non_null(name)) {
            (None, None) => {}
            (Some(before), Some(now)) => match (*name == "arguments").then(|| Named::pair(before, now)).flatten() {
                Some(named) => named.places(&root, limit, &mut out, &mut more),
                None => add(&root, differences(before, now, limit - out.len()), &mut out, &mut more),
            },
            (before, now) => push(Change { pointer: root, before, now }, limit, &mut out, &mut more),
        }
    }
    (out, more)
}

fn add<'v>(root: &str, found: Differences<'v>, out: &mut Vec<Change<'v>>, more: &mut usize) {
    *more += found.more;
    out.extend(found.found.into_iter().map(|found| Change {
        pointer: format!("{root}{}", found.pointer),
        before: found.before,
        now: found.now,
    }));
}

fn push<'v>(change: Change<'v>, limit: usize, out: &mut Vec<Change<'v>>, more: &mut usize) {
    if out.len() < limit {
        out.push(change);
    } else {
        *more += 1;
    }
}

/// Two lists whose elements have names, as the arguments of a prompt do: one that was added in front moves all others,
/// and yet only one place changed.
struct Named<'v> {
    before: (&'v Value, Vec<(&'v str, &'v Value)>),
    now: (&'v Value, Vec<(&'v str, &'v Value)>),
}

impl<'v> Named<'v> {
    /// `None` where an element has no name, or two have one.
    fn pair(before: &'v Value, now: &'v Value) -> Option<Self> {
        fn named(list: &Value) -> Option<Vec<(&str, &Value)>> {
            let named: Option<Vec<_>> =
                list.as_array()?.iter().map(|value| Some((value.get("name")?.as_str()?, value))).collect();
            let names: BTreeSet<&str> = named.iter().flatten().map(|(name, _)| *name).collect();
            named.filter(|named| named.len() == names.len())
        }
        Some(Self { before: (before, named(before)?), now: (now, named(now)?) })
    }

    fn places(&self, root: &str, limit: usize, out: &mut Vec<Change<'v>>, more: &mut usize) {
        let ((before, old), (now, new)) = (&self.before, &self.now);
        let by_name = |list: &[(&'v str, &'v Value)]| list.iter().copied().collect::<HashMap<_, _>>();
        let (old_by_name, new_by_name) = (by_name(old), by_name(new));
        let kept = |list: &[(&'v str, &'v Value)], other: &HashMap<&str, &Value>| {
            list.iter().map(|(name, _)| *name).filter(|name| other.contains_key(name)).collect::<Vec<_>>()
        };
        if kept(old, &new_by_name) != kept(new, &old_by_name) {
            push(Change { pointer: root.to_owned(), before: Some(before), now: Some(now) }, limit, out, more);
            return;
        }
        for (index, (name, now)) in new.iter().enumerate() {
            let pointer = format!("{root}/{index}");
            match old_by_name.get(name) {
                Some(before) => add(&pointer, differences(before, now, limit - out.len()), out, more),
                None => push(Change { pointer, before: None, now: Some(now) }, limit, out, more),
            }
        }
        for (index, (_, before)) in old.iter().enumerate().filter(|(_, (name, _))| !new_by_name.contains_key(name)) {
            push(Change { pointer: format!("{root}/{index}"), before: Some(before), now: None }, limit, out, more);
        }
    }
}

/// What two sides have to do with each other, where a reader would have to look closely to see it; escaped.
pub(super) fn remark(before: Option<&Value>, now: Option<&Value>) -> Option<String> {
    match (before?, now?) {
        (Value::String(before), Value::String(now)) => {
            // Nothing is copied: it ends at the first character that differs.
            let same = |leave: fn(&char) -> bool| before.chars().filter(leave).eq(now.chars().filter(leave));
            if same(|c| !c.is_whitespace()) {
                Some("only white space changed".to_owned())
            } else if same(|c| !is_hidden(*c)) {
                Some("only hidden characters changed".to_owned())
            } else {
                None
            }
        }
        (Value::Array(before), Value::Array(now)) if before.iter().chain(now).all(is_scalar) => {
            let (gained, lost) = (without(now, before), without(before, now));
            let sorted = |list: &[Value]| {
                let mut texts: Vec<String> = list.iter().map(enum_text).collect();
                texts.sort_unstable();
                texts
            };
            match (gained.is_empty(), lost.is_empty()) {
                (true, true) if sorted(before) == sorted(now) => Some("the same values in another order".to_owned()),
                (true, true) => Some("the same values, some of them another number of times".to_owned()),
                (false, true) => Some(format!("has {} now as well", values(&gained, "and"))),
                (true, false) => Some(format!("no longer has {}", values(&lost, "and"))),
                (false, false) => {
                    Some(format!("has {} now, and no longer {}", values(&gained, "and"), values(&lost, "and")))
                }
            }
        }
        _ => None,
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}
