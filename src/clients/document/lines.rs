//! From byte offsets to lines and columns, in time that does not depend on how long a line is.

use super::Position;

/// Characters are counted in advance up to every multiple of this many bytes.
const BLOCK: usize = 128;

pub(super) struct Lines<'a> {
    text: &'a [u8],
    /// Where each line begins.
    starts: Vec<usize>,
    /// How many characters begin before each block.
    characters: Vec<usize>,
}

fn count(bytes: &[u8]) -> usize {
    // A character begins at every byte that continues none.
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let text = text.as_bytes();
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        let mut sum = 0;
        let mut characters = vec![0];
        for block in text.chunks(BLOCK) {
            sum += count(block);
            characters.push(sum);
        }
        Self { text, starts, characters }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.characters.get(block).copied().unwrap_or_default() + count(&self.text[block * BLOCK..offset])
    }

    /// An offset behind the text stands for its end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let column = self.characters_before(offset) - self.characters_before(start) + 1;
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position { line: small(line), column: small(column) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_on_short_and_long_lines() {
        let text = format!("ab\r\n{}x\n", "é".repeat(500));
        let lines = Lines::new(&text);
        for (at, line, column) in
            [(0, 1, 1), (1, 1, 2), (4, 2, 1), (6, 2, 2), (1004, 2, 501), (1006, 3, 1), (9999, 3, 1)]
        {
            assert_eq!(lines.position(at), Position { line, column }, "{at}");
        }
        assert_eq!(Lines::new("").position(0), Position::START);
    }
}
