//! Whether a piece of text was drawn at random or written by a person.
//!
//! Two hypotheses are compared letter by letter. Under the first, the text is made of words and identifiers: letters
//! follow each other as they do in English and in program text, and capitals, digits and separators come where people
//! put them. Under the second, each character is drawn evenly from the alphabet that the text uses. The difference of
//! the two costs, in bits, says how much more likely the second is. The stretch where it is largest is the random part,
//! so that words around a key do not hide it.
//!
//! Counting the entropy of characters, as is often done, cannot tell the two apart: a long identifier uses as many
//! different letters as a key does. What differs is which letters stand next to each other.

/// Costs are counted in quarters of a bit: exact integers, the same on every machine.
const QUARTERS: i32 = 4;

/// Cost of a letter (column) after another letter (row); the last row is for the first letter of a word. Counted over
/// the words of ordinary program text and its documentation; a digit of base 36 is a quarter of a bit, `Z` is "at
/// least that".
const LETTERS: [&[u8; 26]; 27] = [
    b"WIFGXSKZKZQCHDZIZCFBNQQSNZ",
    b"DOIOEPVWCOYAOUEPZHHODWZZJZ",
    b"DTLQCROEJZFIPTAOYIJDKQWZSZ",
    b"FONH8MQRAXZJORHNZGGNIQSXSZ",
    b"HRGDLMNVQZRIJDSLRADESNQITZ",
    b"GQLIFARYBZZEPNDOZGHLJZUZQZ",
    b"HQOR7RMHEZWLNGJNZEEOGQXXRY",
    b"9VRM9TYWCZVNMQBTZHLHJZQZPX",
    b"JNGIKJJZZZXHI8DLZLGDZLZQZK",
    b"BRTY9NQQHYJZPRBJZODNDYWZSZ",
    b"HOOJ6MQOCZYKOKMNYLEIOUMZTZ",
    b"CTPK9PVZAZQESSDQZRJIJSZZHZ",
    b"AKPO9SUZDZUPKTECZQHMHYZZSZ",
    b"GTGDDKCUHZOPTNGQZRFBMNXZTZ",
    b"POEITMOYOYPHGALGZBIIGMJUZZ",
    b"BUOQBQTMGZVFRTEGZBJFKTVZQZ",
    b"OPNJJUPZPZZLPOTMZJJQ2ZWZZZ",
    b"CSLL8QNZDZPPJLDOZIGHMQUZLZ",
    b"KTGSASQICZPNOQIIZPG9HUSYLW",
    b"ESLO9OXHAZXNOSGMZDGJKTUSJZ",
    b"KJJNGLNZJZZFGATGZEDCZZZUZZ",
    b"9ROQ5MTUBZZOMRJPZQLMZVYWZZ",
    b"ASNKCPXHCZZLNDFNXDGNTWTSXZ",
    b"GPFKDGPPFZYMMSLBTNK9RVRLOZ",
    b"KKJPGKPPIZXJGDJ9ZKDFTNPZQT",
    b"FVQY3WTVDZZSPXIYZVMWSZYZLO",
    b"GIFHHILMGUQKHJLGVGCGKNMRXW",
];

/// Kinds of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower = 0,
    Upper = 1,
    Digit = 2,
    Separator = 3,
    /// Before the first character.
    Start = 4,
}

/// Cost of a kind (column: lower, upper, digit, separator) after another (row, in the order of [`Kind`]).
const KINDS: [[i32; 4]; 5] = [[1, 16, 20, 14], [4, 6, 17, 14], [13, 15, 3, 9], [3, 9, 11, 17], [3, 7, 14, 27]];

/// Cost of one of ten digits, and of one of a few separators.
const ONE_DIGIT: i32 = 13;
const ONE_SEPARATOR: i32 = 6;

/// The most random stretch of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    /// How many bits the random hypothesis is ahead by; 0 for text that reads like words.
    pub bits: i32,
    /// Number of characters.
    pub length: usize,
}

/// The stretch of ASCII text that speaks most for random characters. Linear.
pub(super) fn most_random_stretch(text: &[u8]) -> Stretch {
    let alphabet = Alphabet::of(text);
    let even = alphabet.cost_of_one();
    let (mut ahead, mut since) = (0, 0);
    let (mut best, mut length) = (0, 0);
    let mut before: Option<u8> = None;
    for (at, &byte) in text.iter().enumerate() {
        // Capitals alone are not a mix of cases: read them as small letters.
        let byte = if alphabet.lower { byte } else { byte.to_ascii_lowercase() };
        ahead += cost_as_text(before, byte) - even;
        before = Some(byte);
        if ahead <= 0 {
            (ahead, since) = (0, at + 1);
        } else if ahead > best {
            (best, length) = (ahead, at + 1 - since);
        }
    }
    Stretch { bits: best / QUARTERS, length }
}

fn kind(byte: u8) -> Kind {
    match byte {
        b'a'..=b'z' => Kind::Lower,
        b'A'..=b'Z' => Kind::Upper,
        b'0'..=b'9' => Kind::Digit,
        _ => Kind::Separator,
    }
}

/// What a character costs in a text that a person wrote.
fn cost_as_text(before: Option<u8>, byte: u8) -> i32 {
    let previous = before.map_or(Kind::Start, kind);
    let this = kind(byte);
    let step = KINDS[previous as usize][this as usize];
    let letter = |byte: u8| usize::from(byte.to_ascii_lowercase() - b'a');
    step + match this {
        Kind::Digit => ONE_DIGIT,
        Kind::Separator | Kind::Start => ONE_SEPARATOR,
        Kind::Lower | Kind::Upper => {
            // A capital after a small letter begins a word.
            let row = match before {
                Some(before) if before.is_ascii_alphabetic() && (previous, this) != (Kind::Lower, Kind::Upper) => {
                    letter(before)
                }
                _ => 26,
            };
            match LETTERS[row][letter(byte)] {
                digit @ b'0'..=b'9' => i32::from(digit - b'0'),
                digit => i32::from(digit - b'A') + 10,
            }
        }
    }
}

/// Which characters a text uses.
struct Alphabet {
    lower: bool,
    upper: bool,
    digit: bool,
    other: bool,
    hexadecimal: bool,
}

impl Alphabet {
    fn of(text: &[u8]) -> Self {
        let any = |is: fn(&u8) -> bool| text.iter().any(is);
        let all = |is: fn(&u8) -> bool| text.iter().all(is);
        Self {
            lower: any(u8::is_ascii_lowercase),
            upper: any(u8::is_ascii_uppercase),
            digit: any(u8::is_ascii_digit),
            other: any(|byte| !byte.is_ascii_alphanumeric()),
            hexadecimal: all(u8::is_ascii_hexdigit),
        }
    }

    /// Quarter bits of one character drawn evenly.
    fn cost_of_one(&self) -> i32 {
        if self.hexadecimal && !(self.lower && self.upper) {
            return 16;
        }
        match (self.lower && self.upper, self.lower || self.upper, self.digit, self.other) {
            (true, _, true, _) => 24,
            (true, _, false, _) => 23,
            (false, true, true, _) => 21,
            (false, true, false, _) => 19,
            (false, false, ..) => 13,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_identifiers_are_not_random() {
        for text in [
            "get_current_weather_by_coordinates",
            "XMLHttpRequestFactoryImplementation",
            "MAXIMUM_NUMBER_OF_CONNECTIONS",
            "internationalization",
            "2025-01-15T10-30-00",
            "meta-llama/Llama-3.3-70B-Instruct-Turbo",
            "1234567890123456789012345678",
            "src/components/dialog/index.test",
        ] {
            let stretch = most_random_stretch(text.as_bytes());
            assert!(stretch.bits < 12, "{text}: {stretch:?}");
        }
    }

    #[test]
    fn drawn_characters_are_random_also_behind_words() {
        for text in [
            "9f2c4e81b7d03a65e8f1c2907ab4d63e",
            "k3Vq9ZtB7xLw2NfR8mYcJ4hGdP6sTa1E",
            "my_service_production_k3Vq9ZtB7xLw2NfR8mYcJ4hGdP6sTa1E",
            "q7x2k9v4m1z8p3w6t5r0",
        ] {
            let stretch = most_random_stretch(text.as_bytes());
            assert!(stretch.bits >= 30, "{text}: {stretch:?}");
        }
        assert_eq!(most_random_stretch(b""), Stretch { bits: 0, length: 0 });
    }
}
