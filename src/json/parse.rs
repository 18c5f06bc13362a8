//! The one strict parse before anything is hashed or read as a lock (SPEC.md §2).
//!
//! Own code rather than a library's: no parser at hand refuses repeated names, keeps the spelling class of numbers
//! *and* is free of reserved member names (serde_json with `arbitrary_precision` reads an object whose one member is
//! called `$serde_json::private::Number` as a number, which a hostile server could send). It never recurses: open
//! containers stand on a stack of its own, so that hostile nesting costs no call stack.

use super::parse_error::{ParseError, ParseErrorKind};
use super::value::{MAX_SAFE_INTEGER, Object, Value};

/// What a parse may cost at most.
#[derive(Debug, Clone, Copy)]
pub struct ParseLimits {
    /// Bytes of text.
    pub max_bytes: usize,
    /// Depth of the deepest element, the root being 0 (SPEC.md §3.4).
    pub max_depth: usize,
    /// Values, containers among them. Bytes alone do not bound the memory: `[0],` is four of them and a hundred when
    /// it is parsed.
    pub max_values: usize,
}

/// How many values a text of so many bytes may have where nothing else is said. Real surfaces have one in 28 bytes.
pub const fn values_in(bytes: usize) -> usize {
    bytes / 16
}

/// Parses one JSON document.
///
/// # Errors
/// Any departure from RFC 8259, and what [`ParseErrorKind`] names beyond it. The first fault wins.
pub fn parse(text: &[u8], limits: &ParseLimits) -> Result<Value, ParseError> {
    let mut values = limits.max_values;
    parse_within(text, limits, &mut values)
}

/// As [`parse`] for one of several documents that share a budget of values; `values` is what is left of it.
///
/// # Errors
/// As [`parse`].
pub fn parse_within(text: &[u8], limits: &ParseLimits, values: &mut usize) -> Result<Value, ParseError> {
    run(text, limits, values, None).map(|(value, _)| value)
}

/// A value whose wide integers were rounded.
#[derive(Debug, Clone)]
pub struct Rounded {
    /// The integers that a double does not hold exactly are `Value::Float` in it.
    pub value: Value,
    /// Where their tokens begin in the text, in bytes, ascending.
    pub at: Vec<usize>,
}

/// As [`parse`] for text that a program wrote which hashes every number as a double: integers outside ±(2^53-1) become
/// the nearest double, and the result tells where. Only to check such text by its writer's rule, never to pin anything.
///
/// # Errors
/// As [`parse`]; an integer is refused only where no finite double is near it.
pub fn parse_rounding(text: &[u8], limits: &ParseLimits) -> Result<Rounded, ParseError> {
    let mut values = limits.max_values;
    run(text, limits, &mut values, Some(Vec::new())).map(|(value, at)| Rounded { value, at: at.unwrap_or_default() })
}

/// The parse itself; `rounded` collects the places of wide integers where these are taken.
fn run(
    text: &[u8],
    limits: &ParseLimits,
    values: &mut usize,
    rounded: Option<Vec<usize>>,
) -> Result<(Value, Option<Vec<usize>>), ParseError> {
    let outside = |kind, at: usize| {
        let (line, column) = position(text, at);
        ParseError { kind, pointer: String::new(), line, column }
    };
    if text.len() > limits.max_bytes {
        return Err(outside(ParseErrorKind::TooLarge { limit: limits.max_bytes }, 0));
    }
    let valid = std::str::from_utf8(text).map_err(|e| outside(ParseErrorKind::NotUtf8, e.valid_up_to()))?;
    if valid.starts_with('\u{feff}') {
        return Err(outside(ParseErrorKind::ByteOrderMark, 0));
    }
    let mut parser = Parser { text: valid, bytes: text, at: 0, open: Vec::new(), limits, values: *values, rounded };
    let outcome = parser.document();
    *values = parser.values;
    match outcome {
        Ok(value) => Ok((value, parser.rounded)),
        Err((kind, at)) => {
            let (line, column) = position(text, at);
            Err(ParseError { kind, pointer: parser.pointer(), line, column })
        }
    }
}

/// A fault and the byte offset it stands at.
type Fault = (ParseErrorKind, usize);

/// A container whose end was not seen yet.
enum Open {
    Array(Vec<Value>),
    /// The members so far, and the name whose value is being read.
    Object(Object, String),
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    open: Vec<Open>,
    limits: &'a ParseLimits,
    /// How many more values there may be.
    values: usize,
    /// Where integers were rounded to doubles; `None` where they are refused.
    rounded: Option<Vec<usize>>,
}

/// What the parser does next.
enum Step {
    /// Read a value.
    Value,
    /// Put a finished value where it belongs.
    Finished(Value),
}

impl Parser<'_> {
    fn document(&mut self) -> Result<Value, Fault> {
        let mut step = Step::Value;
        loop {
            step = match step {
                Step::Value => self.value()?,
                Step::Finished(value) => match self.open.last_mut() {
                    None => {
                        self.skip_space();
                        return match self.peek() {
                            None => Ok(value),
                            Some(_) => Err(self.syntax("the end of the text")),
                        };
                    }
                    Some(Open::Array(items)) => {
                        items.push(value);
                        self.after_element()?
                    }
                    Some(Open::Object(members, name)) => {
                        // The name was checked when it was read, so this cannot meet an old one.
                        members.push_new(std::mem::take(name), value);
                        self.after_member()?
                    }
                },
            };
        }
    }

    /// Reads a scalar whole, or the opening of a container up to where its first element begins.
    fn value(&mut self) -> Result<Step, Fault> {
        self.skip_space();
        if self.open.len() > self.limits.max_depth {
            return Err((ParseErrorKind::TooDeep { limit: self.limits.max_depth }, self.at));
        }
        match self.values.checked_sub(1) {
            Some(left) => self.values = left,
            None => return Err((ParseErrorKind::TooManyValues { limit: self.limits.max_values }, self.at)),
        }
        let Some(byte) = self.peek() else { return Err(self.syntax("a value")) };
        let scalar = match byte {
            b'{' => {
                self.at += 1;
                self.skip_space();
                if self.peek() == Some(b'}') {
                    self.at += 1;
                    return Ok(Step::Finished(Object::new().into()));
                }
                self.open.push(Open::Object(Object::new(), String::new()));
                self.member_name()?;
                return Ok(Step::Value);
            }
            b'[' => {
                self.at += 1;
                self.skip_space();
                if self.peek() == Some(b']') {
                    self.at += 1;
                    return Ok(Step::Finished(Value::Array(Vec::new())));
                }
                self.open.push(Open::Array(Vec::new()));
                return Ok(Step::Value);
            }
            b'"' => Value::String(self.string()?),
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.word("true", Value::Bool(true))?,
            b'f' => self.word("false", Value::Bool(false))?,
            b'n' => self.word("null", Value::Null)?,
            _ => return Err(self.syntax("a value")),
        };
        Ok(Step::Finished(scalar))
    }

    fn after_element(&mut self) -> Result<Step, Fault> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(Step::Value)
            }
            Some(b']') => {
                self.at += 1;
                match self.open.pop() {
                    Some(Open::Array(mut items)) => {
                        // Room to grow costs a small container more than its content, and a server may send millions.
                        items.shrink_to_fit();
                        Ok(Step::Finished(Value::Array(items)))
                    }
                    _ => Err(self.syntax("an array")),
                }
            }
            _ => Err(self.syntax("',' or ']'")),
        }
    }

    fn after_member(&mut self) -> Result<Step, Fault> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.skip_space();
                self.member_name()?;
                Ok(Step::Value)
            }
            Some(b'}') => {
                self.at += 1;
                match self.open.pop() {
                    Some(Open::Object(mut members, _)) => {
                        members.shrink_to_fit();
                        Ok(Step::Finished(members.into()))
                    }
                    _ => Err(self.syntax("an object")),
                }
            }
            _ => Err(self.syntax("',' or '}'")),
        }
    }

    /// Reads `"name" :` into the object on top of the stack.
    fn member_name(&mut self) -> Result<(), Fault> {
        let begin = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.syntax("a member name"));
        }
        let name = self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.syntax("':'"));
        }
        self.at += 1;
        if let Some(Open::Object(members, pending)) = self.open.last_mut() {
            let repeated = members.contains(&name).then(|| name.clone());
            *pending = name;
            if let Some(name) = repeated {
                return Err((ParseErrorKind::DuplicateMember(name), begin));
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let begin = self.at;
        // Most strings have no escape: one scan, one copy.
        match self.skip_plain() {
            Some(b'"') => {
                let text = self.text[begin..self.at].to_owned();
                self.at += 1;
                Ok(text)
            }
            Some(b'\\') => self.string_with_escapes(begin),
            Some(_) => Err(self.syntax("an escaped control character")),
            None => Err(self.syntax("the end of a string")),
        }
    }

    /// Goes on to the next quote, backslash or control character of a string, and says which.
    fn skip_plain(&mut self) -> Option<u8> {
        let rest = &self.bytes[self.at..];
        let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)).unwrap_or(rest.len());
        self.at += plain;
        self.peek()
    }

    fn string_with_escapes(&mut self, begin: usize) -> Result<String, Fault> {
        let mut out = self.text[begin..self.at].to_owned();
        loop {
            let plain = self.at;
            let next = self.skip_plain();
            out.push_str(&self.text[plain..self.at]);
            match next {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.syntax("an escaped control character")),
                None => return Err(self.syntax("the end of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let begin = self.at;
        self.at += 1;
        let escaped = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let first = self.hex4()?;
                let lone = (ParseErrorKind::LoneSurrogate, begin);
                let code = match first {
                    0xd800..=0xdbff => {
                        if self.bytes.get(self.at..self.at + 2) != Some(br"\u") {
                            return Err(lone);
                        }
                        self.at += 2;
                        match self.hex4()? {
                            low @ 0xdc00..=0xdfff => 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00),
                            _ => return Err(lone),
                        }
                    }
                    other => other,
                };
                return char::from_u32(code).ok_or(lone);
            }
            _ => return Err(self.syntax("an escape character")),
        };
        self.at += 1;
        Ok(escaped)
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else { return Err(self.syntax("four hexadecimal digits")) };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let begin = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.syntax("a digit")),
        }
        let mut float = false;
        if self.peek() == Some(b'.') {
            float = true;
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            float = true;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        let token = &self.text[begin..self.at];
        if float {
            // Correctly rounded; a magnitude past the largest double becomes infinite and is refused.
            match token.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Value::Float(value)),
                _ => Err((ParseErrorKind::FloatOverflow(shorten(token)), begin)),
            }
        } else {
            // A token too long for an i64 is out of range all the more.
            match token.parse::<i64>() {
                Ok(value) if value.unsigned_abs() <= MAX_SAFE_INTEGER.unsigned_abs() => Ok(Value::Int(value)),
                _ => match (&mut self.rounded, token.parse::<f64>()) {
                    (Some(rounded), Ok(value)) if value.is_finite() => {
                        rounded.push(begin);
                        Ok(Value::Float(value))
                    }
                    _ => Err((ParseErrorKind::IntegerOutOfRange(shorten(token)), begin)),
                },
            }
        }
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), Fault> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.syntax("a digit"));
        }
        self.digits();
        Ok(())
    }

    fn word(&mut self, word: &'static str, value: Value) -> Result<Value, Fault> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.syntax("a value"))
        }
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn syntax(&self, expected: &'static str) -> Fault {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => "the end of the text".to_owned(),
            Some(c) if c.is_ascii_graphic() => format!("'{c}'"),
            Some(c) => format!("U+{:04X}", u32::from(c)),
        };
        (ParseErrorKind::Syntax { expected, found }, self.at)
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for (at, open) in self.open.iter().enumerate() {
            match open {
                // Between two members there is no name to point to.
                Open::Object(_, name) if name.is_empty() && at + 1 == self.open.len() => {}
                Open::Array(items) => pointer.push_str(&format!("/{}", items.len())),
                Open::Object(_, name) => {
                    pointer.push('/');
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
            }
        }
        pointer
    }
}

/// A number token as an error may quote it: whole up to 60 characters. ASCII by the grammar.
fn shorten(token: &str) -> String {
    match token.get(..60) {
        Some(head) if token.len() > 60 => format!("{head}… ({} characters)", token.len()),
        _ => token.to_owned(),
    }
}

fn position(text: &[u8], at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let line_begin = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    let column = String::from_utf8_lossy(&before[line_begin..]).chars().count() + 1;
    (line, column)
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
