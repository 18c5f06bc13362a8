//! The order of tools in files that the tool writes: that of a dictionary, as `localeCompare` has it.

use crate::formats::layout::utf16_order;
use crate::formats::tools::PinnedTool;
use std::cmp::Ordering;

/// Printable ASCII as the root collation of Unicode sorts it; letters stand for both cases.
const ORDER: &[u8] = b" _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";

/// How these tools are sorted: as a dictionary does where all names are printable ASCII, otherwise by code units, since
/// the whole collation is more than this is worth. A file in either order is fine with every reader.
pub(super) fn tool_order(tools: &[&PinnedTool]) -> fn(&&PinnedTool, &&PinnedTool) -> Ordering {
    let is_plain = |name: &str| name.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if tools.iter().all(|tool| is_plain(&tool.name)) {
        |a, b| dictionary_order(&a.name, &b.name)
    } else {
        |a, b| utf16_order(&a.name, &b.name)
    }
}

/// Case decides only where nothing else does, and then small letters come first.
fn dictionary_order(a: &str, b: &str) -> Ordering {
    let weights = |text: &str| -> Vec<usize> {
        let place = |byte: u8| ORDER.iter().position(|known| *known == byte).unwrap_or(ORDER.len());
        text.bytes().map(|byte| place(byte.to_ascii_lowercase())).collect()
    };
    let cases = |text: &str| -> Vec<bool> { text.bytes().map(|byte| byte.is_ascii_uppercase()).collect() };
    weights(a).cmp(&weights(b)).then_with(|| cases(a).cmp(&cases(b)))
}

/// Names of servers as JavaScript lists the members of an object: whole numbers first, by size, then by code units.
pub(super) fn member_order(a: &str, b: &str) -> Ordering {
    let index = |name: &str| {
        let is_plain = name == "0" || !name.starts_with(['0', '+']);
        name.parse::<u32>().ok().filter(|number| is_plain && *number != u32::MAX)
    };
    match (index(a), index(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => utf16_order(a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_in_a_dictionary() {
        let mut names =
            ["Read", "a-b", "aB", "a_b", "ab", "read", "readFile", "read_file", "ab.c", "ab/c", "a b", "Ab"];
        names.sort_by(|a, b| dictionary_order(a, b));
        assert_eq!(names.join(","), "a b,a_b,a-b,ab,aB,Ab,ab.c,ab/c,read,Read,read_file,readFile");
        let printable: std::collections::BTreeSet<u8> = (b' '..=b'~').map(|byte| byte.to_ascii_lowercase()).collect();
        assert_eq!(ORDER.iter().copied().collect::<std::collections::BTreeSet<_>>(), printable);
        assert_eq!(ORDER.len(), printable.len());
    }

    #[test]
    fn servers_sort_as_members_of_an_object() {
        let mut names = ["b", "10", "9", "01", "a", "0", "-1", "4294967295", "B", "+5"];
        names.sort_by(|a, b| member_order(a, b));
        assert_eq!(names.join(","), "0,9,10,+5,-1,01,4294967295,B,a,b");
    }
}
