//! Honest uses of characters that show nothing, told by their neighbours.
//!
//! Ranges are blocks, wider than the exact properties: a neighbour only decides whether a hidden character is
//! mentioned, and tables of properties age with each version of Unicode.

/// A character of a text and the byte where it begins.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub text: &'a str,
    pub at: usize,
    pub char: char,
}

impl<'a> Place<'a> {
    /// The text before the character.
    fn left(self) -> &'a str {
        &self.text[..self.at]
    }

    /// The text after the character.
    fn right(self) -> &'a str {
        &self.text[self.at + self.char.len_utf8()..]
    }

    fn before(self) -> Option<char> {
        self.left().chars().next_back()
    }

    fn after(self) -> Option<char> {
        self.right().chars().next()
    }
}

/// Whether a text has letters that are written from right to left.
pub(super) fn has_right_to_left(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{590}'..='\u{60b}' | '\u{60d}'..='\u{61a}' | '\u{61d}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdcf}'
            | '\u{fdf0}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    })
}

/// Pictures and symbols that emoji are made of.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{24c2}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// A joiner between two pictures, skin tones and selectors aside (those are pictures themselves or follow one).
pub(super) fn between_emoji(place: Place<'_>) -> bool {
    let left = place.left().trim_end_matches(['\u{fe0e}', '\u{fe0f}']).chars().next_back();
    left.is_some_and(is_emoji) && place.after().is_some_and(is_emoji)
}

/// A joiner or non-joiner after a letter or sign of a script that shapes its letters.
pub(super) fn joins_letters(place: Place<'_>) -> bool {
    place.before().is_some_and(|c| {
        // Arabic and its neighbours, the scripts of India, Myanmar, Khmer, Mongolian and their relatives.
        matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{1800}'..='\u{18af}' | '\u{1900}'..='\u{1cff}' | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{fdcf}'
            | '\u{fe70}'..='\u{fefc}' | '\u{10a00}'..='\u{10fff}' | '\u{11000}'..='\u{11fff}')
    })
}

/// A zero-width space between letters of a script that writes no spaces.
pub(super) fn separates_words(place: Place<'_>) -> bool {
    let unspaced = |c: char| {
        matches!(c, '\u{e00}'..='\u{eff}' | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1950}'..='\u{19ff}'
            | '\u{1a20}'..='\u{1aaf}' | '\u{aa60}'..='\u{aa7f}')
    };
    place.before().is_some_and(unspaced) || place.after().is_some_and(unspaced)
}

/// A variation selector right after something it can select a form of: not after another selector, a letter of a
/// Latin text, or nothing.
pub(super) fn selects_something(place: Place<'_>) -> bool {
    let ideographic = matches!(place.char, '\u{e0100}'..='\u{e01ef}');
    match place.before() {
        // The base of a keycap.
        Some('0'..='9' | '#' | '*') => place.char == '\u{fe0f}',
        Some(
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}',
        )
        | None => false,
        Some(c) if ideographic => {
            matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
        }
        Some(c) => is_emoji(c) || u32::from(c) >= 0x1000,
    }
}

/// A tag character of a flag: a black flag, at most six letters or digits, the end tag.
pub(super) fn is_region_flag(place: Place<'_>) -> bool {
    let is_letter = |c: char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    const END: char = '\u{e007f}';
    let left = place.left().chars().rev().take(7).position(|c| !is_letter(c));
    let Some(left) = left.filter(|&left| place.left().chars().rev().nth(left) == Some('\u{1f3f4}')) else {
        return false;
    };
    if place.char == END {
        return left > 0;
    }
    let right = place.right().chars().take(7).position(|c| !is_letter(c));
    is_letter(place.char)
        && right.is_some_and(|right| left + 1 + right <= 6 && place.right().chars().nth(right) == Some(END))
}
