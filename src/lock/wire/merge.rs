//! The text of a lock of which only chosen entries are written anew.

use super::edit::{Members, array, laid_out, object_laid_out};
use super::write::{NewPin, finding, fresh_pin};
use crate::finding::Finding;
use crate::json::element_spans;
use crate::lock::{Choice, Lock, PinnedSurface, targets};
use crate::surface::Section;
use std::collections::{BTreeSet, HashMap};

/// Writes chosen entries, with their findings, into the text of a lock; the rest of the text stays byte for byte, save
/// for the digest, the version and the `pin` block, which are those of a new pin.
///
/// `text` is what `baseline` was read from, in which no identity stands twice; `merged` is
/// [`PinnedSurface::with_chosen`] of it.
pub fn merge(
    text: &str,
    baseline: &Lock,
    merged: &PinnedSurface,
    choice: &Choice,
    findings: &[Finding],
    pin: &NewPin<'_>,
) -> String {
    let mut document = Members::of(text);
    document.set("warden_version", &pin.warden_version.into(), 1);
    let sections: BTreeSet<Section> = choice.iter().map(|(section, _)| *section).collect();
    for section in sections {
        let spans = element_spans(document.get(section.key())).into_iter().map(str::to_owned);
        let mut old: HashMap<&str, String> =
            baseline.surface.entries(section).map(|entry| entry.identity).zip(spans).collect();
        let entries = merged.entries(section).map(|entry| {
            let kept = old.remove(entry.identity);
            kept.filter(|_| !choice.contains(&(section, entry.identity.to_owned())))
                .unwrap_or_else(|| object_laid_out(entry.stored, 2))
        });
        let entries = array(entries, 2);
        document.set_text(section.key(), entries);
    }
    let targets = targets(choice);
    let spans = element_spans(document.get("findings")).into_iter().map(str::to_owned);
    let is_kept = |finding: &crate::json::Object| {
        !finding.get("target").and_then(|target| target.as_str()).is_some_and(|target| targets.contains(target))
    };
    let kept = baseline.findings.iter().zip(spans).filter(|(finding, _)| is_kept(finding)).map(|(_, text)| text);
    let new = findings.iter().filter(|finding| targets.contains(&finding.target));
    let findings = array(kept.chain(new.map(|new| object_laid_out(&finding(new), 2))), 2);
    document.set_text("findings", findings);
    document.set("overall_digest", &merged.overall_digest.into(), 1);
    document.set_text("pin", laid_out(&fresh_pin(merged, pin).into(), 1));
    let mut text = document.render(1);
    text.push('\n');
    text
}
