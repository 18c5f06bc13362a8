//! The digest that five formats have in common: of a tool that has nothing but a name, a description and an input schema
//! (docs/formats.md).

use crate::json::{Object, hash};

/// 64 hexadecimal digits for a tool, as its server declared it; `None` where formats would differ about it: it lacks one of
/// the three members, or has another one that some of them hash.
pub fn fingerprint(tool: &Object) -> Option<String> {
    const SHARED: [&str; 3] = ["description", "inputSchema", "name"];
    let has_all = SHARED.iter().all(|member| tool.get_non_null(member).is_some());
    let has_more = tool.names().any(|name| !SHARED.contains(&name));
    if !has_all || has_more {
        return None;
    }
    Some(hash(&tool.clone().into()).ok()?.to_string().trim_start_matches("sha256:").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};

    fn of(text: &str) -> Option<String> {
        let limits = ParseLimits { max_bytes: 1000, max_depth: 10, max_values: 100 };
        fingerprint(parse(text.as_bytes(), &limits).unwrap().as_object().unwrap())
    }

    #[test]
    fn a_plain_tool_has_the_digest_that_five_formats_give_it() {
        let tool = r#"{"name": "read_file", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}},
            "required": ["path"]}, "description": "Read a file from disk"}"#;
        let expected = "ec3d9d36dff46ea919f752177ca15373a1eb5f72793f13b2565b5de40872676c";
        assert_eq!(of(tool).as_deref(), Some(expected));
        for other in [
            r#"{"name": "a", "inputSchema": {}}"#,
            r#"{"name": "a", "description": null, "inputSchema": {}}"#,
            r#"{"name": "a", "description": "b"}"#,
            r#"{"name": "a", "description": "b", "inputSchema": {}, "title": "A"}"#,
            r#"{"name": "a", "description": "b", "inputSchema": {}, "annotations": {}}"#,
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
