//! Server-sent events, from bytes to events, bounded, pure (the event stream format of the HTML standard).

use std::collections::VecDeque;
use std::time::Duration;

/// One event is longer than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventTooLong;

/// An event that has data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// `message` where the stream names none.
    pub kind: String,
    pub data: Vec<u8>,
}

/// Bytes of an event id that is kept; longer ones are no use in a header.
const LONGEST_ID: usize = 1024;
/// Bytes of an event's name that matter.
const LONGEST_KIND: usize = 64;

/// Cuts a byte stream into events. Lines end with CR, LF or both, wherever a chunk ends.
#[derive(Debug)]
pub struct EventParser {
    limit: usize,
    line: Vec<u8>,
    first_line: bool,
    after_cr: bool,
    data: Vec<u8>,
    has_data: bool,
    kind: String,
    next_id: Option<String>,
    last_id: Option<String>,
    retry: Option<Duration>,
    ready: VecDeque<Event>,
}

impl EventParser {
    /// `limit` bounds one line, and the data of one event.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            first_line: true,
            after_cr: false,
            data: Vec::new(),
            has_data: false,
            kind: String::new(),
            next_id: None,
            last_id: None,
            retry: None,
            ready: VecDeque::new(),
        }
    }

    /// Takes the next bytes. Ask for all events before the next call.
    ///
    /// # Errors
    /// A line, or the data of one event, is longer than the limit.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), EventTooLong> {
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + piece.len() > self.limit {
                return Err(EventTooLong);
            }
            self.line.extend_from_slice(piece);
            let Some(end) = end else { return Ok(()) };
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut self.line);
            self.take_line(&line)?;
        }
        Ok(())
    }

    /// The next whole event.
    pub fn next_event(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }

    /// The id of the last event that was whole, data or not. Only ids that a header can carry count.
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// How long to wait before coming back, where the stream said so.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    fn take_line(&mut self, line: &[u8]) -> Result<(), EventTooLong> {
        let line = match std::mem::take(&mut self.first_line) {
            true => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line),
            false => line,
        };
        if line.is_empty() {
            self.end_event();
            return Ok(());
        }
        let (field, value) = match line.iter().position(|&byte| byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if self.data.len() + value.len() >= self.limit {
                    return Err(EventTooLong);
                }
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
            }
            b"event" => {
                self.kind = String::from_utf8_lossy(&value[..value.len().min(LONGEST_KIND)]).into_owned();
            }
            b"id" if value.len() <= LONGEST_ID && value.iter().all(|byte| matches!(byte, b' '..=b'~')) => {
                self.next_id = Some(String::from_utf8_lossy(value).into_owned());
            }
            b"retry" => {
                let digits = std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
                self.retry = digits.and_then(|digits| digits.parse().ok()).map(Duration::from_millis).or(self.retry);
            }
            // Comments begin with a colon, so their field is empty; others are of some later standard.
            _ => {}
        }
        Ok(())
    }

    fn end_event(&mut self) {
        // An event without data is none, but its id counts: servers open a stream with one.
        self.last_id = self.next_id.clone().filter(|id| !id.is_empty());
        let (data, kind) = (std::mem::take(&mut self.data), std::mem::take(&mut self.kind));
        self.has_data = false;
        if !data.is_empty() {
            let kind = if kind.is_empty() { "message".to_owned() } else { kind };
            self.ready.push_back(Event { kind, data });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Events, last id, retry.
    type Read = (Vec<(String, String)>, Option<String>, Option<Duration>);

    fn read(chunks: &[&[u8]]) -> Result<Read, EventTooLong> {
        let mut parser = EventParser::new(1000);
        let mut events = Vec::new();
        for chunk in chunks {
            parser.push(chunk)?;
            while let Some(event) = parser.next_event() {
                events.push((event.kind, String::from_utf8_lossy(&event.data).into_owned()));
            }
        }
        Ok((events, parser.last_id().map(str::to_owned), parser.retry()))
    }

    fn events(text: &str) -> Vec<(String, String)> {
        read(&[text.as_bytes()]).expect("short").0
    }

    fn message(data: &str) -> (String, String) {
        ("message".to_owned(), data.to_owned())
    }

    #[test]
    fn events_end_with_a_blank_line_of_any_kind() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["\u{feff}: hello", "event: x", "data: 1", "", "data:2", "data:  3", "data", "", "data: lost"]
                .join(end);
            assert_eq!(events(&text), [("x".to_owned(), "1".to_owned()), message("2\n 3\n")], "{end:?}");
        }
        assert_eq!(events("data: a\r\rdata: b\n\r\n"), [message("a"), message("b")]);
        assert_eq!(events("\n\n:\n\ndata\n\nevent: x\n\ndata: y\n\n"), [message("y")]);
        assert_eq!(events("data:a\u{2028}b\n\n"), [message("a\u{2028}b")]);
    }

    #[test]
    fn ids_count_once_their_event_is_whole() {
        let id = |text: &str| read(&[text.as_bytes()]).expect("short").1;
        assert_eq!(id("id: 7\nretry: 500\ndata:\n\n").as_deref(), Some("7"));
        assert_eq!(id("id: 7\n"), None);
        assert_eq!(id("id: 7\n\ndata: x\n\nid: 8\ndata: y").as_deref(), Some("7"));
        assert_eq!(id("id: 7\n\nid\n\n"), None);
        assert_eq!(id("id: a\u{0}b\n\nid: ü\n\n"), None);
        let mut parser = EventParser::new(5000);
        parser.push(format!("id: {}\n\n", "x".repeat(1025)).as_bytes()).expect("short");
        assert_eq!(parser.last_id(), None);
        assert_eq!(read(&[b"retry: 500\nretry: x\nretry: -1\n\n"]).expect("short").2, Some(Duration::from_millis(500)));
        assert_eq!(read(&[b"retry: 99999999999999999999\n\n"]).expect("short").2, None);
    }

    #[test]
    fn no_line_and_no_event_grows_without_end() {
        assert_eq!(read(&[&[b'x'; 1001]]), Err(EventTooLong));
        assert_eq!(read(&[&[b'x'; 600], &[b'x'; 600]]), Err(EventTooLong));
        let lines = b"data: 12345678\n".repeat(120);
        assert_eq!(read(&[&lines]), Err(EventTooLong));
        assert!(read(&[&b": comment\n".repeat(10_000)]).is_ok());
    }

    proptest! {
        #[test]
        fn chunk_borders_do_not_matter(
            text in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b':'), Just(b'd'), any::<u8>()], 0..200),
            size in 1usize..9,
        ) {
            let text = [b"data: a\r\n", &text[..], b"\r\rid: 1\ndata:x\n\n"].concat();
            let chunks: Vec<&[u8]> = text.chunks(size).collect();
            prop_assert_eq!(read(&chunks), read(&[&text]));
        }
    }
}
