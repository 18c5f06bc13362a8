//! What `warden explain` says: rules of the catalogue, and error codes with their section of the troubleshooting page.

use super::json::REPORT_VERSION;
use crate::finding::{Rule, document_uri};
use crate::json::{Object, pretty};

/// Rules and error codes that somebody asked about.
#[derive(Debug, Clone, Default)]
pub struct Explanation {
    pub rules: Vec<&'static Rule>,
    pub errors: Vec<ErrorCode>,
}

/// An error code and what is said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorCode {
    /// `E-…`.
    pub code: &'static str,
    /// Its section of `docs/troubleshooting.md` without the heading: Markdown with lines of up to 120 columns.
    pub text: &'static str,
}

impl ErrorCode {
    /// The first sentence.
    pub fn summary(&self) -> String {
        let paragraph = self.text.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
        plain(&paragraph[..end])
    }

    /// The section with links as plain words.
    pub fn plain(&self) -> String {
        plain(self.text)
    }

    /// Where to read it.
    pub fn help_uri(&self) -> String {
        document_uri(&format!("docs/troubleshooting.md#{}", self.code.to_ascii_lowercase()))
    }
}

/// Markdown without its links: what is linked stays, and behind it the name of the document.
fn plain(markdown: &str) -> String {
    let mut out = String::new();
    let mut rest = markdown;
    while let Some((before, words, target, after)) = link(rest) {
        out.push_str(before);
        out.push_str(words);
        // A place on the same page is found without a name.
        if !target.starts_with('#') {
            let document = ["docs", target.split('#').next().unwrap_or_default()].join("/");
            out.push_str(&format!(" ({document})"));
        }
        rest = after;
    }
    out + rest
}

/// The first link: the text before it, its words, its target, and the text behind it.
fn link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let middle = text.find("](")?;
    let start = text[..middle].rfind('[')?;
    let end = middle + text[middle..].find(')')?;
    Some((&text[..start], &text[start + 1..middle], &text[middle + 2..end], &text[end + 1..]))
}

/// One document, final newline included (docs/json-output.md).
pub fn explanation_json(explanation: &Explanation, exit_code: u8) -> String {
    let mut top = Object::new();
    top.insert("report_version", REPORT_VERSION);
    top.insert("command", "explain");
    top.insert("verdict", "shown");
    top.insert("exit_code", i64::from(exit_code));
    top.insert("rules", explanation.rules.iter().map(|rule| rule_object(rule)).collect::<Vec<_>>());
    top.insert("errors", explanation.errors.iter().map(error_object).collect::<Vec<_>>());
    format!("{}\n", pretty(&top.into()))
}

fn rule_object(rule: &Rule) -> Object {
    let mut object = Object::new();
    object.insert("rule_id", rule.id);
    object.insert("kind", rule.kind().as_str());
    object.insert("class", rule.drift_class());
    object.insert("severity", rule.severity.as_str());
    object.insert("summary", rule.summary);
    object.insert("why", rule.why);
    object.insert("advice", rule.advice);
    object.insert("example", rule.example);
    object.insert("help_uri", rule.help_uri());
    object
}

fn error_object(error: &ErrorCode) -> Object {
    let mut object = Object::new();
    object.insert("code", error.code);
    object.insert("summary", error.summary());
    object.insert("text", error.text);
    object.insert("help_uri", error.help_uri());
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_words() {
        let text = "See [eras](protocol-eras.md#x), or [E-IO](#e-io); `a[0]` and (b) stay.";
        assert_eq!(plain(text), "See eras (docs/protocol-eras.md), or E-IO; `a[0]` and (b) stay.");
        assert_eq!(plain("no link"), "no link");
        assert_eq!(plain("a](b"), "a](b");
    }

    #[test]
    fn the_first_sentence_is_the_summary() {
        let error = ErrorCode { code: "E-IO", text: "One two\nthree. Four.\n\n* five" };
        assert_eq!(error.summary(), "One two three.");
        assert_eq!(ErrorCode { code: "E-IO", text: "Only one." }.summary(), "Only one.");
    }
}
