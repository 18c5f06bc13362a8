//! The pages of one list, and when they make a whole one.

use super::{SurfaceFileError, shape};
use crate::json::Value;
use std::collections::HashSet;

/// The pages of one list in order.
#[derive(Default)]
pub(super) struct Pages {
    /// Where each stands in the file, and what it says.
    values: Vec<(String, Value)>,
    /// Verbatim.
    pub raw: Vec<String>,
}

/// How pages are read.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub era: PageEra,
    /// Entries of one list.
    pub max_entries: usize,
}

/// The era that pages are of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PageEra {
    Legacy,
    Modern,
    /// A dump does not say: what either era refuses is refused.
    Unknown,
}

impl Pages {
    pub fn push(&mut self, pointer: String, page: Value, raw: String) {
        self.values.push((pointer, page));
        self.raw.push(raw);
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Takes the entries out of the pages. `key` is the member that holds them.
    ///
    /// # Errors
    /// A page of another shape, or a list that does not end with its last page (SPEC.md §15.4): an entry on a page that
    /// is not in the file would be missed.
    pub fn take_entries(&mut self, key: &str, rules: Rules) -> Result<Vec<Value>, SurfaceFileError> {
        let mut entries = Vec::new();
        let mut cursors = HashSet::new();
        let count = self.values.len();
        for (index, (pointer, page)) in std::mem::take(&mut self.values).into_iter().enumerate() {
            let Value::Object(mut page) = page else {
                return Err(shape(pointer, format!("a page of a list is an object, not {}", page.kind())));
            };
            // Before 2026-07-28 the member means nothing.
            let is_complete = page.get_non_null("resultType").is_none_or(|kind| kind.as_str() == Some("complete"));
            if !is_complete && rules.era != PageEra::Legacy {
                return Err(shape(format!("{pointer}/resultType"), "the answer is not a complete one"));
            }
            match page.remove(key) {
                Some(Value::Array(items)) => entries.extend(items),
                Some(other) => {
                    return Err(shape(
                        format!("{pointer}/{key}"),
                        format!("an array is required, not {}", other.kind()),
                    ));
                }
                None => return Err(shape(pointer, format!("the page has no {key}"))),
            }
            if entries.len() > rules.max_entries {
                return Err(shape(pointer, format!("the list has more than {} entries", rules.max_entries)));
            }
            let at = format!("{pointer}/nextCursor");
            let cursor = match page.remove("nextCursor") {
                None | Some(Value::Null) if index + 1 == count => break,
                None | Some(Value::Null) => return Err(shape(at, "the list ends here, yet there are more pages")),
                Some(Value::String(cursor)) => cursor,
                Some(other) => return Err(shape(at, format!("a string is required, not {}", other.kind()))),
            };
            if index + 1 == count {
                return Err(shape(at, "the list goes on, but the file ends here: every page is needed"));
            }
            if cursor.is_empty() && rules.era != PageEra::Modern {
                return Err(shape(at, "an empty cursor says neither that the list ends nor where it goes on"));
            }
            if !cursors.insert(cursor) {
                return Err(shape(at, "the cursor is one that was followed before"));
            }
        }
        Ok(entries)
    }
}
