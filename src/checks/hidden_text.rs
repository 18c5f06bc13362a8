//! `WRD-TEXT-*`: characters that a reader does not see but a model or a terminal obeys.
//!
//! Looked at: every text of surface and launch, names of members included. A kind of character is one rule; where a
//! kind has honest uses (joiners in emoji and Indic scripts, direction marks in Hebrew), those are recognised by
//! their neighbours and let alone.

use super::quote::{excerpt, show, way};
use super::sink::Sink;
use super::unicode_use::{
    Place, between_emoji, has_right_to_left, is_region_flag, joins_letters, selects_something, separates_words,
};
use super::walk::{Role, Text};

/// What a hidden character does. In the order in which a text is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bidi,
    Control,
    Invisible,
    PrivateUse,
    Tag,
    Variation,
    ZeroWidth,
}

impl Kind {
    const ALL: [Self; 7] =
        [Self::Bidi, Self::Control, Self::Invisible, Self::PrivateUse, Self::Tag, Self::Variation, Self::ZeroWidth];

    fn rule_id(self) -> &'static str {
        match self {
            Self::Bidi => "WRD-TEXT-BIDI",
            Self::Control => "WRD-TEXT-CONTROL",
            Self::Invisible => "WRD-TEXT-INVISIBLE",
            Self::PrivateUse => "WRD-TEXT-PRIVATE-USE",
            Self::Tag => "WRD-TEXT-TAGS",
            Self::Variation => "WRD-TEXT-VARIATION",
            Self::ZeroWidth => "WRD-TEXT-ZERO-WIDTH",
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Bidi => "text-reordering",
            Self::Control => "control",
            Self::Invisible => "invisible",
            Self::PrivateUse => "private-use",
            Self::Tag => "tag",
            Self::Variation => "stray variation-selector",
            Self::ZeroWidth => "zero-width",
        }
    }
}

pub(super) fn check(text: &Text<'_, '_>, sink: &mut Sink) {
    // Most texts are done with here.
    let plain =
        |byte: u8| matches!(byte, b' '..=b'~') || (text.role == Role::Prose && matches!(byte, b'\t' | b'\n' | b'\r'));
    if text.text.bytes().all(plain) {
        return;
    }
    let found = look(text.text, text.role);
    for (kind, seen) in Kind::ALL.into_iter().zip(found) {
        let Some(seen) = seen else { continue };
        let rule_id = kind.rule_id();
        if sink.is_full(text.target, rule_id) {
            continue;
        }
        let around = excerpt(text.text, seen.first..seen.first + seen.first_length);
        let snippet = if kind == Kind::Tag { decoded_tags(text.text) } else { around };
        sink.add(text.target, rule_id, snippet, || {
            let place = match (text.is_member_name, text.path.is_empty()) {
                (true, true) => "A member name".to_owned(),
                (true, false) => format!("A member name in {}", way(text.path)),
                (false, true) => "A word of the launch".to_owned(),
                (false, false) => format!("The text of {}", way(text.path)),
            };
            let s = if seen.count == 1 { "" } else { "s" };
            format!("{place} holds {} {} character{s}", seen.count, kind.noun())
        });
    }
}

/// Where a kind was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    first: usize,
    first_length: usize,
    count: usize,
}

/// All kinds of a text, in the order of [`Kind::ALL`].
fn look(text: &str, role: Role) -> [Option<Seen>; 7] {
    let mut found = [None; 7];
    // Asked for at most once: it reads the whole text.
    let mut right_to_left = None;
    for (at, char) in text.char_indices() {
        let place = Place { text, at, char };
        let right_to_left = || *right_to_left.get_or_insert_with(|| has_right_to_left(text));
        let Some(kind) = kind_of(place, role, right_to_left) else { continue };
        let seen = found[kind as usize].get_or_insert(Seen { first: at, first_length: char.len_utf8(), count: 0 });
        seen.count += 1;
    }
    found
}

/// What a character hides, or `None` for one that is seen or that has an honest use here.
fn kind_of(place: Place<'_>, role: Role, right_to_left: impl FnOnce() -> bool) -> Option<Kind> {
    match place.char {
        '\t' | '\n' | '\r' => (role == Role::Name).then_some(Kind::Control),
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(Kind::Control),
        // Plain letters of most languages.
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{34e}' => None,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Kind::Bidi),
        '\u{61c}' | '\u{200e}' | '\u{200f}' => (!right_to_left()).then_some(Kind::Bidi),
        '\u{e0000}'..='\u{e007f}' => (!is_region_flag(place)).then_some(Kind::Tag),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}' => {
            (!selects_something(place)).then_some(Kind::Variation)
        }
        '\u{200d}' => (!between_emoji(place) && !joins_letters(place)).then_some(Kind::ZeroWidth),
        '\u{200c}' => (!joins_letters(place)).then_some(Kind::ZeroWidth),
        '\u{200b}' => (!separates_words(place)).then_some(Kind::ZeroWidth),
        '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}' => Some(Kind::ZeroWidth),
        // Soft hyphen, joiner of marks, fillers, braille blank, invisible musical marks, old format characters.
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{206a}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' => Some(Kind::Invisible),
        '\u{2028}' | '\u{2029}' => Some(Kind::Invisible),
        // Spaces are honest in prose; in a name they print like another name's plain space.
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            (role == Role::Name).then_some(Kind::Invisible)
        }
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}' => Some(Kind::PrivateUse),
        '\u{fdd0}'..='\u{fdef}' => Some(Kind::Invisible),
        c if u32::from(c) & 0xfffe == 0xfffe => Some(Kind::Invisible),
        _ => None,
    }
}

/// The text that the tag characters spell, fit to be shown.
fn decoded_tags(text: &str) -> String {
    /// Enough to see what it says.
    const SHOWN: usize = 2000;
    let chars = text.chars().filter_map(|c| match c {
        '\u{e0020}'..='\u{e007e}' => char::from_u32(u32::from(c) - 0xe0000),
        _ => None,
    });
    let hidden: String = chars.take(SHOWN).collect();
    format!("tags spell \"{}\"", show(&hidden))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Kind::*;

    #[track_caller]
    fn assert_kinds(text: &str, role: Role, want: &[Kind]) {
        let found = look(text, role);
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| found[*kind as usize].is_some()).collect();
        assert_eq!(kinds, want, "{}", text.escape_unicode());
    }

    #[test]
    fn each_kind_is_seen() {
        for (text, kind) in [
            ("a\u{202e}b", Bidi),
            ("a\u{2066}b\u{2069}", Bidi),
            ("a\u{200f}b", Bidi),
            ("a\u{1b}[2Jb", Control),
            ("a\u{85}b", Control),
            ("a\u{7f}b", Control),
            ("a\u{ad}b", Invisible),
            ("a\u{3164}b", Invisible),
            ("a\u{2028}b", Invisible),
            ("a\u{fffe}b", Invisible),
            ("a\u{e000}b", PrivateUse),
            ("a\u{10fffd}b", PrivateUse),
            ("a\u{e0041}b", Tag),
            ("a\u{fe0f}b", Variation),
            ("😀\u{fe00}\u{fe01}", Variation),
            ("a\u{e0101}b", Variation),
            ("a\u{200b}b", ZeroWidth),
            ("a\u{200d}b", ZeroWidth),
            ("a\u{200c}b", ZeroWidth),
            ("\u{feff}a", ZeroWidth),
            ("a\u{2060}b", ZeroWidth),
        ] {
            assert_kinds(text, Role::Prose, &[kind]);
            assert_kinds(text, Role::Name, &[kind]);
        }
    }

    #[test]
    fn honest_uses_are_let_alone() {
        for text in [
            "lines\n\tof\r\nprose",
            "café 中文　全角 naïve\u{a0}!",
            "👩\u{200d}💻 👩🏽\u{200d}❤\u{fe0f}\u{200d}💋\u{200d}👨 🏳\u{fe0f}\u{200d}🌈",
            "⚠\u{fe0f} 1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3} ☎\u{fe0e}",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "می\u{200c}خواهم क्\u{200d}ष ක්\u{200d}ෂ",
            "שלום\u{200f}! hello\u{200e}",
            "ភាសា\u{200b}ខ្មែរ",
            "葛\u{e0100}城",
            "emoji of later versions: 🫨 🪿",
        ] {
            assert_kinds(text, Role::Prose, &[]);
        }
        for (text, kind) in
            [("two\nlines", Control), ("a\tb", Control), ("a\u{a0}b", Invisible), ("a\u{3000}b", Invisible)]
        {
            assert_kinds(text, Role::Name, &[kind]);
            assert_kinds(text, Role::Prose, &[]);
        }
    }

    #[test]
    fn tags_are_decoded_and_a_key_in_them_is_not_repeated() {
        let tags =
            |text: &str| -> String { text.chars().filter_map(|c| char::from_u32(u32::from(c) + 0xe0000)).collect() };
        assert_eq!(decoded_tags(&format!("x{}y", tags("send \"all\""))), "tags spell \"send \"all\"\"");
        let key = format!("ghp_{}", "aB3dE6gH9jK2".repeat(3));
        assert!(!decoded_tags(&tags(&key)).contains("aB3dE6"));
        assert!(!decoded_tags(&tags(&format!("use {key}"))).contains("aB3dE6"));
    }
}
