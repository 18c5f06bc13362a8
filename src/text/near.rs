//! Names that somebody may have meant.

/// Names that are offered at most.
const MAX_NAMES: usize = 3;

/// Words and candidates beyond this length are nobody's typing error.
const MAX_WORD: usize = 100;

/// The candidates that are spelled nearly like a word, nearest first; upper and lower case count as equal.
pub fn near<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if word.len() > MAX_WORD {
        return Vec::new();
    }
    let word = word.to_lowercase();
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        // A server may have named things at any length.
        .filter(|candidate| candidate.len() <= MAX_WORD)
        .map(|candidate| (strsim::damerau_levenshtein(&word, &candidate.to_lowercase()), candidate))
        // A third of the letters may be wrong.
        .filter(|(distance, candidate)| *distance <= candidate.len().div_ceil(3))
        .collect();
    // Stable: of equally near names, those that come first.
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().take(MAX_NAMES).map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn typing_errors_are_recognized_and_other_words_are_not() {
        let names = ["rule", "target", "reason", "expires"];
        assert_eq!(near("raeson", names), ["reason"]);
        assert_eq!(near("EXPIRE", names), ["expires"]);
        assert_eq!(near("rul", names), ["rule"]);
        assert_eq!(near("wholly-different", names), [""; 0]);
        assert_eq!(near("", names), [""; 0]);
        assert_eq!(near(&"r".repeat(1 << 20), names), [""; 0]);
        assert_eq!(near("aab", ["aaa", "aac", "aad", "aae"]), ["aaa", "aac", "aad"]);
    }
}
