//! The folder of a server's lock, from its name and back.
//!
//! Names come from configuration files and may hold anything; folders have to work on every file system, also on those
//! that do not tell upper from lower case, and must not lead anywhere else. So lower-case letters, digits, `-`, `_` and
//! single dots stand for themselves, `+x` for an upper-case letter, and `=xx` for any other byte of UTF-8. A name that is
//! too long for one folder goes on in a folder within it, and the part before ends in `=`.

use std::path::{Component, Path, PathBuf};

/// The longest name of a folder: every file system takes it.
const MAX_PART: usize = 200;

/// Names that Windows keeps for devices, whatever stands behind a dot.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The folder of a name, relative, with a folder for each part.
pub fn folder_of(name: &str) -> PathBuf {
    let units = units(name);
    let mut parts: Vec<String> = vec![String::new()];
    for unit in &units {
        let needs_room = parts.last().is_none_or(|part| part.len() + unit.len() + 1 > MAX_PART);
        if needs_room {
            if let Some(part) = parts.last_mut() {
                part.push('=');
            }
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(unit);
        }
    }
    parts.into_iter().collect()
}

/// The name that a folder stands for; `None` where no name has it.
pub fn name_of(folder: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    let mut parts = folder.components().peekable();
    while let Some(part) = parts.next() {
        let Component::Normal(part) = part else { return None };
        let part = part.to_str()?;
        let part = match parts.peek() {
            Some(_) => part.strip_suffix('=')?,
            None => part,
        };
        decode(part, &mut bytes)?;
    }
    let name = String::from_utf8(bytes).ok()?;
    // One name, one folder: whatever else reads as the name is not the one that is used.
    (folder_of(&name) == folder).then_some(name)
}

/// The pieces that a name is written in; none of them may be cut.
fn units(name: &str) -> Vec<String> {
    let is_device = {
        let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let is_port = |kind: &str| stem.strip_prefix(kind).is_some_and(|rest| rest.len() == 1);
        DEVICES.contains(&stem.as_str()) || is_port("com") || is_port("lpt")
    };
    let bytes = name.as_bytes();
    if bytes.is_empty() {
        // Nothing decodes to this byte order, so no other name has that folder.
        return vec!["=".to_owned()];
    }
    let unit = |(at, byte): (usize, &u8)| {
        let is_dot_inside = *byte == b'.' && at > 0 && at + 1 < bytes.len();
        match byte {
            // The first letter of a device, so that it is none any more.
            _ if at == 0 && is_device => format!("={byte:02x}"),
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => char::from(*byte).to_string(),
            b'.' if is_dot_inside => ".".to_owned(),
            b'A'..=b'Z' => format!("+{}", char::from(byte.to_ascii_lowercase())),
            _ => format!("={byte:02x}"),
        }
    };
    bytes.iter().enumerate().map(unit).collect()
}

fn decode(part: &str, bytes: &mut Vec<u8>) -> Option<()> {
    if part == "=" {
        return Some(());
    }
    let mut rest = part.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let (byte, after) = match first {
            b'+' => {
                let (letter, after) = after.split_first()?;
                (letter.is_ascii_lowercase().then(|| letter.to_ascii_uppercase())?, after)
            }
            b'=' => {
                let (digits, after) = after.split_at_checked(2)?;
                (u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?, after)
            }
            _ => (*first, after),
        };
        bytes.push(byte);
        rest = after;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_stand_for_themselves() {
        for (name, folder) in [
            ("notes", "notes"),
            ("brave-search_2", "brave-search_2"),
            ("io.github.acme", "io.github.acme"),
            ("GitHub", "+git+hub"),
            ("a b", "a=20b"),
            ("a/b", "a=2fb"),
            ("..", "=2e=2e"),
            (".hidden", "=2ehidden"),
            ("dot.", "dot=2e"),
            ("con", "=63on"),
            ("NUL.txt", "=4e+u+l.txt"),
            ("com1", "=63om1"),
            ("command", "command"),
            ("é", "=c3=a9"),
            ("=+", "=3d=2b"),
            ("", "="),
        ] {
            assert_eq!(folder_of(name), Path::new(folder), "{name}");
            assert_eq!(name_of(Path::new(folder)).as_deref(), Some(name), "{folder}");
        }
    }

    #[test]
    fn long_names_go_on_in_a_folder_within() {
        for length in [198, 199, 200, 201, 1000, 5000] {
            for letter in ["a", "A", "\u{202e}"] {
                let name = letter.repeat(length);
                let folder = folder_of(&name);
                assert!(folder.iter().all(|part| part.len() <= MAX_PART));
                assert_eq!(name_of(&folder).as_deref(), Some(name.as_str()), "{length}");
            }
        }
    }

    #[test]
    fn a_folder_that_no_name_has_is_nobodys() {
        for folder in
            ["GitHub", "a b", "=6e", "=4E", "=", "x=", "=zz", "+1", "a/b", "..", "a/../b", "=ff", ".x", "con", ""]
        {
            let expected = (folder == "=").then(String::new);
            assert_eq!(name_of(Path::new(folder)), expected, "{folder}");
        }
    }
}
