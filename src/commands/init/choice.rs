//! Which of the servers: the question, and what an answer means. Pure.

use super::super::all::{launch_words, place_words};
use super::draft::{Draft, State};
use crate::text::{Charset, escape, shorten};

const MAX_NAME: usize = 60;
const MAX_WHY: usize = 300;

/// Every server in lines: those that can be pinned with a number, then the others.
pub(super) fn lines(drafts: &[Draft], offered: &[usize]) -> Vec<String> {
    let width = offered.len().to_string().len();
    let mut lines: Vec<String> = Vec::new();
    for (at, index) in offered.iter().enumerate() {
        let draft = &drafts[*index];
        if let State::Ready(start) = &draft.state {
            lines.push(format!("{:>width$}  {}: {}{}", at + 1, name(draft), launch_words(start), place(draft)));
        }
    }
    let margin = " ".repeat(width);
    for (index, draft) in drafts.iter().enumerate() {
        let why = match &draft.state {
            State::SwitchedOff => "switched off".to_owned(),
            State::Unusable(why) => format!("cannot be started: {}", shorten(why, MAX_WHY)),
            State::Ready(_) if offered.contains(&index) => continue,
            State::Ready(_) => "not named by --only".to_owned(),
        };
        lines.push(format!("{margin}- {}: {why}{}", name(draft), place(draft)));
    }
    lines
}

fn name(draft: &Draft) -> String {
    escape(&shorten(&draft.name, MAX_NAME), Charset::Unicode)
}

fn place(draft: &Draft) -> String {
    draft.place.as_ref().map(|place| format!("  ({})", place_words(place))).unwrap_or_default()
}

/// Which of the names an answer means, as their positions in order: nothing is all of them, `none` is none, and else
/// there are names or numbers from 1 between blanks or commas.
///
/// # Errors
/// What cannot be understood, in an escaped sentence.
pub(super) fn chosen(answer: &str, names: &[&str]) -> Result<Vec<usize>, String> {
    let words: Vec<&str> =
        answer.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let all = || (0..names.len()).collect();
    let mut found = match words.as_slice() {
        [] => return Ok(all()),
        ["none"] if !names.contains(&"none") => return Ok(Vec::new()),
        ["all"] if !names.contains(&"all") => return Ok(all()),
        words => words.iter().map(|word| position(word, names)).collect::<Result<Vec<_>, _>>()?,
    };
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn position(word: &str, names: &[&str]) -> Result<usize, String> {
    let shown = escape(&shorten(word, MAX_NAME), Charset::Unicode);
    let by_name = names.iter().position(|name| *name == word);
    let by_number = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).filter(|at| *at < names.len());
    match (by_name, by_number) {
        (Some(one), Some(other)) if one != other => {
            Err(format!("{shown} is a server's name and another one's number: give the first one's number"))
        }
        (Some(at), _) | (None, Some(at)) => Ok(at),
        (None, None) => Err(format!("there is no server {shown} in the list")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_names_or_numbers() {
        let names = ["notes", "3", "Browser Tools", "two"];
        for (answer, expected) in [
            ("\n", &[0, 1, 2, 3][..]),
            ("  \n", &[0, 1, 2, 3]),
            ("all\n", &[0, 1, 2, 3]),
            ("none\n", &[]),
            ("notes\n", &[0]),
            ("4, 1\n", &[0, 3]),
            ("two notes 1\n", &[0, 3]),
            ("2,,1\n", &[0, 1]),
        ] {
            assert_eq!(chosen(answer, &names).as_deref(), Ok(expected), "{answer:?}");
        }
        // A slip never starts something else.
        for answer in ["0\n", "5\n", "-1\n", "3\n", "note\n", "notes none\n", "Notes\n", "y\n", "\u{1b}[A\n"] {
            let said = chosen(answer, &names).unwrap_err();
            assert!(!said.contains('\u{1b}'), "{said}");
        }
        assert_eq!(chosen("none\n", &["none", "x"]), Ok(vec![0]));
        assert_eq!(chosen("all\n", &["x", "all"]), Ok(vec![1]));
    }
}
