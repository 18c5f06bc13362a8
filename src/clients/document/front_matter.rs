//! The YAML block at the head of a Markdown file. What follows it is prose, whatever it says.

use super::{Node, Position, Unreadable, Value, yaml};

/// A file without such a block is an empty map.
pub(super) fn parse(text: &str) -> Result<Node<'_>, Unreadable> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if first.trim_end() != "---" {
        return Ok(Node { at: Position::START, value: Value::Map(Vec::new()) });
    }
    let mut end = first.len();
    for line in lines {
        if line.trim_end() == "---" {
            let block = yaml::parse(&text[first.len()..end], 1)?;
            return Ok(match block.value {
                Value::Null => Node { at: block.at, value: Value::Map(Vec::new()) },
                _ => block,
            });
        }
        end += line.len();
    }
    Err(Unreadable { at: Position::START, cause: "the block between two lines --- has no end".to_owned() })
}
