//! TOML. Its parser sorts the members of a table; here they stand in file order again.

use super::{Lines, MAX_DEPTH, Member, Node, TOO_DEEP, Unreadable, Value};
use std::borrow::Cow;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(super) fn parse(text: &str) -> Result<Node<'_>, Unreadable> {
    let lines = Lines::new(text);
    let table = DeTable::parse(text).map_err(|error| Unreadable {
        at: lines.position(error.span().map_or(0, |span| span.start)),
        cause: error.message().to_owned(),
    })?;
    let at = lines.position(0);
    Ok(Node { at, value: members(table.into_inner(), &lines, MAX_DEPTH)? })
}

fn members<'a>(table: DeTable<'a>, lines: &Lines<'_>, depth: usize) -> Result<Value<'a>, Unreadable> {
    let mut entries: Vec<_> = table.into_iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    let member = |(name, value): (Spanned<Cow<'a, str>>, Spanned<DeValue<'a>>)| {
        let at = lines.position(name.span().start);
        Ok(Member { name: name.into_inner(), at, node: node(value, lines, depth)? })
    };
    Ok(Value::Map(entries.into_iter().map(member).collect::<Result<_, _>>()?))
}

fn node<'a>(value: Spanned<DeValue<'a>>, lines: &Lines<'_>, depth: usize) -> Result<Node<'a>, Unreadable> {
    let at = lines.position(value.span().start);
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Unreadable { at, cause: TOO_DEEP.to_owned() });
    };
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text),
        DeValue::Integer(number) => Value::Number(Cow::Owned(number.to_string())),
        DeValue::Float(number) => Value::Number(Cow::Owned(number.to_string())),
        DeValue::Boolean(flag) => Value::Bool(flag),
        DeValue::Datetime(_) => Value::Other,
        DeValue::Array(items) => {
            Value::List(items.into_iter().map(|item| node(item, lines, depth)).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => members(table, lines, depth)?,
    };
    Ok(Node { at, value })
}
