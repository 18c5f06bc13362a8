//! Output that the logs of CI systems do not act on.
//!
//! GitHub Actions obeys a line that begins with `::name::`, white space before it or not, and `##[name]` anywhere in a
//! line; Azure Pipelines obeys `##vso[...]` and TeamCity `##teamcity[...]`. What strangers wrote may hold any of these.

/// Breaks what would be a command: the bracket of `##name[` anywhere, and the first colon of a line that begins with
/// `::`. `written` says how a character is written so that it only looks like itself.
pub fn inert(text: &str, written: impl Fn(char) -> String) -> String {
    if !text.contains("##") && !text.contains("::") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        out.push_str(&line[..line.len() - body.len()]);
        match body.strip_prefix("::") {
            Some(rest) => {
                out.push_str(&written(':'));
                out.push(':');
                brackets(rest, &written, &mut out);
            }
            None => brackets(body, &written, &mut out),
        }
    }
    out
}

/// How [`inert`] writes a character for people: as [`escape`](super::escape) does.
pub fn visibly(c: char) -> String {
    format!("⟨U+{:04X}⟩", u32::from(c))
}

fn brackets(text: &str, written: &impl Fn(char) -> String, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find("##") {
        let after = rest[at..].trim_start_matches('#');
        let name = after.len() - after.trim_start_matches(|c: char| c.is_alphanumeric() || "-_.".contains(c)).len();
        let end = rest.len() - after.len() + name;
        out.push_str(&rest[..end]);
        rest = &rest[end..];
        if let Some(behind) = rest.strip_prefix('[') {
            out.push_str(&written('['));
            rest = behind;
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_broken_and_everything_else_stays() {
        let cases = [
            ("::error::x", "⟨U+003A⟩:error::x"),
            ("a\n \t ::add-mask::x\nb ::error::x", "a\n \t ⟨U+003A⟩:add-mask::x\nb ::error::x"),
            ("a ##[error]b", "a ##⟨U+005B⟩error]b"),
            ("##vso[task.complete]##teamcity[x]", "##vso⟨U+005B⟩task.complete]##teamcity⟨U+005B⟩x]"),
            ("####[x] ## [x] #[x] ##a b[x]", "####⟨U+005B⟩x] ## [x] #[x] ##a b[x]"),
            (":: ##", "⟨U+003A⟩: ##"),
            ("::##[x]", "⟨U+003A⟩:##⟨U+005B⟩x]"),
            ("std::vec ##\n##", "std::vec ##\n##"),
            ("", ""),
        ];
        for (text, want) in cases {
            assert_eq!(inert(text, visibly), want, "{text}");
        }
    }
}
