//! `WRD-LOOK-*`: names that a reader takes for another name.
//!
//! Names are distinct by their code points, but people and models compare what they see. Each name is reduced to
//! what is seen of it: compatibility forms (NFKC), small letters, no hidden characters, and every letter replaced by
//! the one it is confused with (UTS #39). Names that meet in a table of these reductions look alike. Linear.

use super::Input;
use super::quote::{head, show};
use super::sink::{Sink, Target};
use crate::json::Value;
use crate::surface::Section;
use crate::text::is_hidden;
use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_security::MixedScript;

/// Code points of a name that are compared. Longer names are compared by their beginnings and their length.
const COMPARED: usize = 1024;

pub(super) fn check(input: &Input<'_>, sink: &mut Sink) {
    let surface = input.surface;
    names(Section::Tools, surface.tools.iter().map(|tool| tool.name()), sink);
    names(Section::Resources, surface.resources.iter().map(|resource| resource.uri()), sink);
    names(Section::Prompts, surface.prompts.iter().map(|prompt| prompt.name()), sink);
    for (at, tool) in surface.tools.iter().enumerate() {
        let target = Target::Entry(Section::Tools, at);
        for schema in [tool.input_schema(), tool.output_schema()].into_iter().flatten() {
            properties(target, schema, sink);
        }
    }
    for (at, prompt) in surface.prompts.iter().enumerate() {
        let target = Target::Entry(Section::Prompts, at);
        let arguments = prompt.arguments().and_then(Value::as_array).unwrap_or_default();
        let names = arguments.iter().filter_map(|argument| argument.get("name").and_then(Value::as_str));
        fields(target, names, sink);
    }
}

/// Identities of one section.
fn names<'a>(section: Section, names: impl Iterator<Item = &'a str>, sink: &mut Sink) {
    let mut seen: HashMap<String, (usize, &str)> = HashMap::new();
    for (at, name) in names.enumerate() {
        let target = Target::Entry(section, at);
        mixed_script(target, name, "The name", sink);
        // Random ids in URIs meet by chance where 1 and l, or 0 and O, count as one; that is no deception.
        let strict = section != Section::Resources || !name.is_ascii();
        for key in [cased(name, strict), folded(name, strict)] {
            match seen.get(&key) {
                Some(&(first, other)) if first != at && other != name => {
                    alike(Target::Entry(section, first), other, name, sink);
                    alike(target, name, other, sink);
                }
                Some(_) => {}
                None => _ = seen.insert(key, (at, name)),
            }
        }
    }
}

/// What is seen of a name, with its cases and without: names that look alike have one of the two in common.
pub fn appearances(name: &str) -> [String; 2] {
    [cased(name, true), folded(name, true)]
}

/// A name fit to be shown: escaped, with letters that only look like ASCII made visible.
pub fn shown_name(name: &str) -> String {
    marked(name)
}

/// Whether a name mixes Latin letters with letters of another script that are drawn like them.
pub fn mixes_scripts(name: &str) -> bool {
    let name = head(name, 4 * COMPARED);
    // Names wholly of another script are nothing to hide behind.
    name.chars().any(|c| c.is_ascii_alphabetic()) && name.chars().any(is_disguise)
}

fn alike(target: Target, name: &str, other: &str, sink: &mut Sink) {
    const RULE: &str = "WRD-LOOK-ALIKE-NAMES";
    if !sink.is_full(target, RULE) {
        sink.add(target, RULE, format!("'{}' and '{}'", marked(name), marked(other)), || {
            "The name reads like another name of the same list".to_owned()
        });
    }
}

/// Names of parameters, at any nesting of a schema.
fn properties(target: Target, schema: &Value, sink: &mut Sink) {
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(object) => {
                if let Some(properties) = object.get("properties").and_then(Value::as_object) {
                    fields(target, properties.names(), sink);
                }
                open.extend(object.iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
}

/// Names beside each other in one object or list.
fn fields<'a>(target: Target, names: impl Iterator<Item = &'a str>, sink: &mut Sink) {
    const RULE: &str = "WRD-LOOK-ALIKE-PROPERTIES";
    let mut seen: HashMap<String, &str> = HashMap::new();
    for name in names {
        mixed_script(target, name, "A parameter's name", sink);
        // Parameters that differ in case only are common and told apart by programs, so case stays.
        let key = cased(name, true);
        match seen.get(&key) {
            Some(&other) if other != name => {
                if !sink.is_full(target, RULE) {
                    sink.add(target, RULE, format!("'{}' and '{}'", marked(other), marked(name)), || {
                        "Two parameters of one schema read alike".to_owned()
                    });
                }
            }
            Some(_) => {}
            None => _ = seen.insert(key, name),
        }
    }
}

/// What is seen of a name, its cases kept. `confusable`: letters that are drawn alike are one.
fn cased(name: &str, confusable: bool) -> String {
    let (name, whole_length) = match name.char_indices().nth(COMPARED) {
        Some((end, _)) => (&name[..end], name.chars().count().to_string()),
        None => (name, String::new()),
    };
    seen(name, confusable) + &whole_length
}

/// The same with all cases as one. Folded before letters are mapped (I and i) and after (the prototype of 0 is O).
fn folded(name: &str, confusable: bool) -> String {
    let small =
        if name.is_ascii() { name.to_ascii_lowercase() } else { name.nfkc().collect::<String>().to_lowercase() };
    cased(&small, confusable).to_lowercase()
}

fn seen(name: &str, confusable: bool) -> String {
    if !name.is_ascii() {
        let visible: String = name.nfkc().filter(|&c| !is_hidden(c)).collect();
        return if confusable { unicode_security::skeleton(&visible).collect() } else { visible };
    }
    // Nearly all names; the general way costs ten times as much.
    let mut out = String::with_capacity(name.len());
    for c in name.chars().filter(|&c| !is_hidden(c)) {
        match ASCII_PROTOTYPES.get(c as usize) {
            Some(prototype) if confusable => out.push_str(prototype),
            _ => out.push(c),
        }
    }
    out
}

/// What each ASCII character is drawn like.
static ASCII_PROTOTYPES: LazyLock<Vec<String>> = LazyLock::new(|| {
    (0..128u8).map(|byte| unicode_security::skeleton(char::from(byte).encode_utf8(&mut [0; 4])).collect()).collect()
});

/// A name fit to be shown in which letters that look like ASCII and are not are visible.
fn marked(name: &str) -> String {
    let shown = show(name);
    let mut out = String::with_capacity(shown.len());
    for c in shown.chars() {
        out.push(c);
        if is_disguise(c) {
            out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        }
    }
    out
}

/// Whether a character is drawn like an ASCII letter or digit and belongs to another script or to the compatibility
/// forms (full-width, mathematical). Letters of the Latin script itself (é, ı) are not disguises.
fn is_disguise(c: char) -> bool {
    if c.is_ascii() || !c.is_alphanumeric() || matches!(c, 'ª' | 'º' | '²' | '³' | '¹') {
        return false;
    }
    let mut buffer = [0; 4];
    let text: &str = c.encode_utf8(&mut buffer);
    let is_plain = |c: char| c.is_ascii_alphanumeric();
    // A compatibility form of ASCII is of no use in a name but to differ from it.
    text.nfkc().all(is_plain) || (unicode_security::skeleton(text).all(is_plain) && !format!("a{c}").is_single_script())
}

fn mixed_script(target: Target, name: &str, what: &str, sink: &mut Sink) {
    const RULE: &str = "WRD-LOOK-MIXED-SCRIPT";
    if name.is_ascii() || sink.is_full(target, RULE) {
        return;
    }
    if mixes_scripts(name) {
        let name = head(name, 4 * COMPARED);
        sink.add(target, RULE, format!("'{}'", marked(name)), || {
            format!("{what} mixes Latin letters with letters of another script that are drawn like them")
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(a: &str, b: &str) -> bool {
        cased(a, true) == cased(b, true) || folded(a, true) == folded(b, true)
    }

    #[test]
    fn names_that_read_alike_meet() {
        for (a, b) in [
            ("read_file", "reаd_file"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("read_file", "read\u{200b}_file"),
            ("read_file", "ｒead_file"),
            ("read_file", "Read_File"),
            ("list_all", "Iist_aII"),
            ("get_v1", "get_vl"),
            ("pay", "раy"),
            ("form", "forrn"),
            ("too1", "tool"),
            ("x0", "xO"),
            ("write", "𝓌𝓇𝒾𝓉ℯ"),
        ] {
            assert!(meet(a, b), "{a} {b}");
        }
        for (a, b) in [("read_file", "read_files"), ("get_a", "get_b"), ("a_b", "ab"), ("naïve", "naive"), ("", "a")] {
            assert!(!meet(a, b), "{a} {b}");
        }
        let long = "x".repeat(4000);
        assert!(meet(&long, &format!("х{}", "x".repeat(3999))));
        assert!(!meet(&long, &format!("{long}x")));
    }

    #[test]
    fn disguises_are_letters_of_another_script() {
        for c in ['а', 'е', 'ο', 'ｒ', '𝐫', 'ⅼ', 'Ꭺ'] {
            assert!(is_disguise(c), "{c}");
        }
        for c in ['a', 'é', 'ı', 'ß', '中', 'ж', 'ñ', '²', '😀', 'ー', 'あ'] {
            assert!(!is_disguise(c), "{c}");
        }
        assert_eq!(marked("reаd"), "reа⟨U+0430⟩d");
    }
}
