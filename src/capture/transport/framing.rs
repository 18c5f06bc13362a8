//! Bytes to lines, bounded, pure.

/// A line longer than the limit was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineTooLong;

/// Cuts a byte stream into lines. A line ends with the byte 0x0A and nothing else: U+2028 and the like are legal
/// inside of JSON strings, and a read may end within a character.
#[derive(Debug)]
pub struct LineSplitter {
    buffer: Vec<u8>,
    /// Where the next line begins in the buffer.
    begin: usize,
    /// Up to where the buffer is known to hold no line end.
    searched: usize,
    max_line: usize,
    first: bool,
}

impl LineSplitter {
    pub fn new(max_line: usize) -> Self {
        Self { buffer: Vec::new(), begin: 0, searched: 0, max_line, first: true }
    }

    /// Takes the next bytes. Ask for all lines before the next call, or the buffer grows without need.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.begin > 0 {
            self.buffer.drain(..self.begin);
            self.searched -= self.begin;
            self.begin = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole line without its line end.
    ///
    /// # Errors
    /// The line is longer than the limit, whether or not its end was seen.
    pub fn next_line(&mut self) -> Result<Option<Vec<u8>>, LineTooLong> {
        let end = self.buffer[self.searched..].iter().position(|&byte| byte == b'\n').map(|at| self.searched + at);
        self.searched = end.unwrap_or(self.buffer.len());
        if self.searched - self.begin > self.max_line {
            return Err(LineTooLong);
        }
        let Some(end) = end else { return Ok(None) };
        let line = if self.begin == 0 && end + 1 == self.buffer.len() {
            // The usual case, and the one that matters for long lines: nothing is copied.
            let mut line = std::mem::take(&mut self.buffer);
            line.pop();
            self.searched = 0;
            line
        } else {
            let line = self.buffer[self.begin..end].to_vec();
            self.begin = end + 1;
            self.searched = self.begin;
            line
        };
        Ok(Some(self.trim(line)))
    }

    /// What stands after the last line end once no more bytes come: a last line may lack its end.
    pub fn rest(&mut self) -> Option<Vec<u8>> {
        let line = self.buffer.split_off(self.begin);
        (self.buffer, self.begin, self.searched) = (Vec::new(), 0, 0);
        if line.is_empty() { None } else { Some(self.trim(line)) }
    }

    fn trim(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if std::mem::take(&mut self.first) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(chunks: &[&[u8]], max_line: usize) -> Result<Vec<String>, LineTooLong> {
        let mut splitter = LineSplitter::new(max_line);
        let mut lines = Vec::new();
        for chunk in chunks {
            splitter.push(chunk);
            while let Some(line) = splitter.next_line()? {
                lines.push(line);
            }
        }
        lines.extend(splitter.rest());
        Ok(lines.into_iter().map(|line| String::from_utf8_lossy(&line).into_owned()).collect())
    }

    #[test]
    fn lines_end_with_a_line_feed_and_nothing_else() {
        let text = "\u{feff}a\r\n\nb\u{2028}c\rd\n\u{feff}e\r\r\nlast".as_bytes();
        let want = ["a", "", "b\u{2028}c\rd", "\u{feff}e\r", "last"];
        assert_eq!(lines(&[text], 100).unwrap(), want);
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(lines(&bytes, 100).unwrap(), want);
    }

    #[test]
    fn a_line_at_the_limit_passes_and_one_beyond_it_does_not() {
        assert_eq!(lines(&[b"12345\n12345"], 5).unwrap(), ["12345", "12345"]);
        assert_eq!(lines(&[b"123456\n"], 5), Err(LineTooLong));
        assert_eq!(lines(&[b"123", b"456"], 5), Err(LineTooLong));
    }

    proptest! {
        #[test]
        fn chunk_borders_do_not_matter(text in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200), size in 1usize..20) {
            let chunks: Vec<&[u8]> = text.chunks(size).collect();
            prop_assert_eq!(lines(&chunks, 1000), lines(&[&text], 1000));
        }
    }
}
