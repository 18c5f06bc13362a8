//! Changing a few members of a lock's text and no other byte of it: what another tool, or a later version, wrote there
//! survives as it stands, number spellings and unknown members included.

use crate::json::{Object, Value, member_spans, pretty};
use std::borrow::Cow;

/// An object of a text, member by member, each value as it stands there or as it was set.
pub(super) struct Members<'t>(Vec<(String, Cow<'t, str>)>);

impl<'t> Members<'t> {
    /// The members of an object text that was parsed before.
    pub fn of(object: &'t str) -> Self {
        Self(member_spans(object).into_iter().map(|(name, value)| (name, Cow::Borrowed(value))).collect())
    }

    /// The text of a member; empty where there is none.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Sets a member to a text that is laid out for its place: where it stands, else at the end.
    pub fn set_text(&mut self, name: &str, text: String) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, value)) => *value = Cow::Owned(text),
            None => self.0.push((name.to_owned(), Cow::Owned(text))),
        }
    }

    /// Sets a member of an object whose members stand at `level`.
    pub fn set(&mut self, name: &str, value: &Value, level: usize) {
        self.set_text(name, laid_out(value, level));
    }

    /// Puts the members of these names first, in this order; the others follow in theirs.
    pub fn arrange(&mut self, order: &[&str]) {
        let place = |name: &str| order.iter().position(|known| *known == name).unwrap_or(order.len());
        self.0.sort_by_key(|(name, _)| place(name));
    }

    /// The whole object, its members at `level`.
    pub fn render(&self, level: usize) -> String {
        let members = self.0.iter().map(|(name, value)| format!("{}: {value}", pretty(&name.as_str().into())));
        bracketed('{', members, '}', level)
    }
}

/// An array of texts, one an element, each laid out for `level`.
pub(super) fn array(elements: impl Iterator<Item = String>, level: usize) -> String {
    bracketed('[', elements, ']', level)
}

/// A value in the layout of SPEC.md §12 as it stands at a level of the document.
pub(super) fn laid_out(value: &Value, level: usize) -> String {
    // Line feeds are layout: strings hold none.
    pretty(value).replace('\n', &format!("\n{}", "  ".repeat(level)))
}

/// As [`laid_out`], for an object.
pub(super) fn object_laid_out(object: &Object, level: usize) -> String {
    laid_out(&object.clone().into(), level)
}

fn bracketed(open: char, parts: impl Iterator<Item = String>, close: char, level: usize) -> String {
    let indent = "  ".repeat(level);
    let parts: Vec<String> = parts.map(|part| format!("\n{indent}{part}")).collect();
    match parts.as_slice() {
        [] => format!("{open}{close}"),
        parts => format!("{open}{}\n{}{close}", parts.join(","), "  ".repeat(level.saturating_sub(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_keeps_its_bytes() {
        let text = "{\n  \"a\": 1.50,\n  \"\\u0062\": [ 1E2 ],\n  \"c\": {\n    \"d\": null\n  }\n}";
        let mut members = Members::of(text);
        assert_eq!(members.get("b"), "[ 1E2 ]");
        assert_eq!(members.render(1), text.replace("\\u0062", "b"));
        members.set("a", &Value::Array(vec![1.into()]), 1);
        members.set("e", &Value::Null, 1);
        let want = "{\n  \"a\": [\n    1\n  ],\n  \"b\": [ 1E2 ],\n  \"c\": {\n    \"d\": null\n  },\n  \"e\": null\n}";
        assert_eq!(members.render(1), want);
        members.arrange(&["e", "c"]);
        assert!(members.render(1).starts_with("{\n  \"e\": null,\n  \"c\": {"));
        assert_eq!(Members::of("{}").render(3), "{}");
        assert_eq!(array(["1".to_owned()].into_iter(), 2), "[\n    1\n  ]");
        assert_eq!(array(std::iter::empty(), 2), "[]");
    }
}
