//! JSON in every strength that a client reads: strict, with comments, with trailing commas, JSON5.

use super::{Lines, MAX_DEPTH, Member, Node, Syntax, TOO_DEEP, Unreadable, Value};
use jsonc_parser::ast::{self, ObjectPropName};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::borrow::Cow;

fn options(syntax: Syntax) -> ParseOptions {
    let five = syntax == Syntax::Json5;
    let comments = five || matches!(syntax, Syntax::Jsonc | Syntax::JsonComments);
    let commas = five || syntax == Syntax::Jsonc;
    ParseOptions {
        allow_comments: comments,
        allow_trailing_commas: commas,
        allow_missing_commas: false,
        allow_loose_object_property_names: five,
        allow_single_quoted_strings: five,
        allow_hexadecimal_numbers: five,
        allow_unary_plus_numbers: five,
        allow_bare_decimal_point_numbers: five,
        allow_non_finite_numbers: five,
        allow_extended_string_escapes: five,
    }
}

fn ast(text: &str, syntax: Syntax) -> Result<Option<ast::Value<'_>>, Unreadable> {
    match parse_to_ast(text, &CollectOptions::default(), &options(syntax)) {
        Ok(result) => Ok(result.value),
        Err(error) => {
            Err(Unreadable { at: super::position(text, error.range().start), cause: error.kind().to_string() })
        }
    }
}

/// A text without any value is an empty map: no client finds a server in it.
pub(super) fn parse(text: &str) -> Result<Node<'_>, Unreadable> {
    let value = ast(text, Syntax::Json5)?;
    let lines = Lines::new(text);
    match value {
        Some(value) => node(value, &lines, MAX_DEPTH),
        None => Ok(Node { at: super::Position::START, value: Value::Map(Vec::new()) }),
    }
}

pub(super) fn strictly(text: &str, syntax: Syntax) -> Result<(), Unreadable> {
    match ast(text, syntax)? {
        // Programs that allow comments take an empty file for an empty object.
        None if syntax == Syntax::Json => {
            Err(Unreadable { at: super::Position::START, cause: "there is no value in it".to_owned() })
        }
        _ => Ok(()),
    }
}

fn node<'a>(value: ast::Value<'a>, lines: &Lines<'_>, depth: usize) -> Result<Node<'a>, Unreadable> {
    let at = lines.position(value.start());
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Unreadable { at, cause: TOO_DEEP.to_owned() });
    };
    let value = match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
        ast::Value::NumberLit(literal) => Value::Number(Cow::Borrowed(literal.value)),
        ast::Value::StringLit(literal) => Value::Text(literal.value),
        ast::Value::Array(array) => {
            Value::List(array.elements.into_iter().map(|item| node(item, lines, depth)).collect::<Result<_, _>>()?)
        }
        ast::Value::Object(object) => {
            let member = |property: ast::ObjectProp<'a>| {
                let at = lines.position(property.name.start());
                let name = match property.name {
                    ObjectPropName::String(literal) => literal.value,
                    ObjectPropName::Word(literal) => Cow::Borrowed(literal.value),
                };
                Ok(Member { name, at, node: node(property.value, lines, depth)? })
            };
            Value::Map(object.properties.into_iter().map(member).collect::<Result<_, _>>()?)
        }
    };
    Ok(Node { at, value })
}
