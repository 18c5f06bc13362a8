//! The `warden.toml` of a run: found, read, and applied to a report.

use super::Context;
use super::args::ConfigArgs;
use super::error::{CommandError, shown_path};
use crate::config::{self, Config, Ignore};
use crate::lock::file::read_bytes;
use crate::project::{LoadError, Project};
use crate::report::{AcceptedFinding, Block, BlockItem, ConfigUse, FindingLine, IGNORE_TARGET, IgnoreLine, Report};
use crate::text::{Charset, escape, shorten};
use std::path::Path;

/// Characters of a finding that is told with the entry that accepted it.
const MAX_FINDING: usize = 300;

/// A file that was read, on a day.
pub(super) struct ProjectConfig {
    config: Config,
    /// The file; raw.
    path: String,
    /// The time now.
    now: String,
    /// The name of the server in its project, where it has one.
    server: Option<String>,
}

impl ProjectConfig {
    /// The file that was named, or the one that belongs to the lock; `None` where there is none or none is wanted.
    /// Called before anything is started.
    ///
    /// # Errors
    /// It cannot be read, or is not valid.
    pub(super) fn load(
        args: &ConfigArgs,
        lock_path: &Path,
        context: &Context<'_>,
    ) -> Result<Option<Self>, CommandError> {
        let found = match args.one()? {
            _ if args.no_config || args.unsearched => None,
            Some(named) => Some(named.to_owned()),
            None => {
                let home = context.variable("HOME");
                let found = config::find(lock_path.parent().unwrap_or(Path::new("")), home.as_deref().map(Path::new));
                if let Some(path) = found.as_ref().filter(|path| config::leads_out(path)) {
                    return Err(super::all::load_error(LoadError::LinkOut(path.clone())));
                }
                found
            }
        };
        let Some(path) = found else { return Ok(None) };
        let bytes = read_bytes(&path, config::MAX_BYTES)
            .map_err(|error| CommandError::file(format!("{} could not be read", shown_path(&path)), error.to_string()))
            .map_err(|error| error.hint("--no-config does without it"))?;
        let mut config = config::parse(&bytes).map_err(|error| {
            let invalid = format!("{} is not a valid configuration", shown_path(&path));
            let invalid = CommandError::file(invalid, error.to_string());
            match &error.hint {
                Some(hint) => invalid.hint(hint),
                None => invalid.hint(
                    "it may hold [[ignore]] and [servers.NAME] tables, `locks` and `discover`: see docs/config.md",
                ),
            }
        })?;
        // Whether those are of use, `warden doctor` says.
        config.ignores.retain(|ignore| !ignore.is_about_settings());
        let path = path.to_string_lossy().into_owned();
        Ok(Some(Self { config, path, now: (context.now)(), server: args.server.clone() }))
    }

    /// The file of a project, for what is said about its settings; `None` where it has none.
    pub(super) fn of_settings(project: &Project, now: String) -> Option<Self> {
        let path = project.config_path.as_ref()?.to_string_lossy().into_owned();
        let mut config = project.config.clone();
        config.ignores.retain(Ignore::is_about_settings);
        for ignore in &mut config.ignores {
            // The target names the server already.
            ignore.server = None;
        }
        Some(Self { config, path, now, server: None })
    }

    /// Names the file in a report, and the entries that are past.
    pub(super) fn open(&self, report: &mut Report) {
        let expired = self.of_this().filter(|ignore| ignore.is_expired(&self.now)).map(line).collect();
        report.config = Some(ConfigUse { path: self.path.clone(), expired, ..ConfigUse::default() });
    }

    /// The entries that are for this server. Without a name, those for one of the project's are none of this run.
    fn of_this(&self) -> impl Iterator<Item = &Ignore> {
        self.config.ignores.iter().filter(|ignore| ignore.server.is_none() || ignore.server == self.server)
    }

    /// Takes accepted findings out of a report whose blocks are filled. `all` are the findings that this run knows of,
    /// whether or not the report lists them; with `whole_surface`, there are no others.
    pub(super) fn apply(&self, report: &mut Report, all: &[FindingLine], whole_surface: bool) {
        let accepts = |finding: &FindingLine| {
            self.config
                .ignore_for(&finding.rule_id, &finding.target, self.server.as_deref())
                .filter(|ignore| !ignore.is_expired(&self.now))
        };
        report.findings.retain(|finding| accepts(finding).is_none());
        let mut new: Vec<FindingLine> = Vec::new();
        for block in &mut report.blocks {
            new.extend(block.findings.extract_if(.., |finding| accepts(finding).is_some()));
        }
        // A block may have lost what put it first.
        report.blocks.sort_by(|a, b| b.severity().cmp(&a.severity()).then_with(|| a.target.cmp(&b.target)));
        let Some(used) = &mut report.config else { return };
        used.accepted = all
            .iter()
            .filter_map(|finding| {
                let by = line(accepts(finding)?);
                Some(AcceptedFinding { finding: finding.clone(), by, is_new: new.contains(finding) })
            })
            .collect();
        if whole_surface {
            let is_unused = |ignore: &&Ignore| {
                !ignore.is_expired(&self.now)
                    // Whether one for all servers is used shows once all are seen.
                    && ignore.server == self.server
                    && !all.iter().any(|finding| finding.rule_id == ignore.rule && finding.target == ignore.target)
            };
            used.unused = self.of_this().filter(is_unused).map(line).collect();
            let note = |ignore: &IgnoreLine| {
                let IgnoreLine { rule_id, target, line, .. } = ignore;
                let (path, target) = (shown(&self.path), shown(target));
                format!("WRD-IGNORE-UNUSED {path}:{line}: there is no finding {rule_id} on {target} to accept")
            };
            report.notes.extend(used.unused.iter().map(note));
        }
    }
}

/// Entries of `warden.toml` that are past, as a block that fails a check; `None` where there are none.
pub(super) fn expired_block(report: &Report) -> Option<Block> {
    let words = expired_words(report);
    let item = |words| BlockItem::of_rule("WRD-IGNORE-EXPIRED", words);
    let items: Vec<BlockItem> = words.into_iter().map(item).collect();
    (!items.is_empty()).then(|| Block { items, ..Block::new(IGNORE_TARGET) })
}

/// Says in the block of [`expired_block`] what counts again; `all` are the findings of the whole surface.
pub(super) fn tell_what_counts_again(block: &mut Block, report: &Report, all: &[FindingLine]) {
    let Some(config) = &report.config else { return };
    for (item, ignore) in block.items.iter_mut().zip(&config.expired) {
        let of_it = |finding: &&FindingLine| finding.rule_id == ignore.rule_id && finding.target == ignore.target;
        let found: Vec<&FindingLine> = all.iter().filter(of_it).collect();
        item.words.push_str(&match found.as_slice() {
            [] => ". There is no such finding any more: the entry can go".to_owned(),
            [one] => format!(". The finding counts again: {}", shorten(&one.message, MAX_FINDING)),
            [one, rest @ ..] => {
                let message = shorten(&one.message, MAX_FINDING);
                format!(". The findings count again: {message}, and {} more", rest.len())
            }
        });
    }
}

/// The same as notes, for commands that judge nothing.
pub(super) fn note_expired(report: &mut Report) {
    let notes = expired_words(report).into_iter().map(|words| format!("WRD-IGNORE-EXPIRED {words}"));
    report.notes.extend(notes.collect::<Vec<_>>());
}

fn expired_words(report: &Report) -> Vec<String> {
    let Some(config) = &report.config else { return Vec::new() };
    let words = |ignore: &IgnoreLine| {
        let IgnoreLine { rule_id, target, reason, expires, line } = ignore;
        let (path, target, reason) = (shown(&config.path), shown(target), shown(reason));
        let day = expires.as_deref().unwrap_or("a day");
        format!(
            "{path}:{line}: {rule_id} on {target} was accepted until {day}, which is past. The reason was: {reason}"
        )
    };
    config.expired.iter().map(words).collect()
}

fn shown(text: &str) -> String {
    escape(&shorten(text, 200), Charset::Unicode)
}

fn line(ignore: &Ignore) -> IgnoreLine {
    IgnoreLine {
        rule_id: ignore.rule,
        target: ignore.target.clone(),
        reason: ignore.reason.clone(),
        expires: ignore.expires.clone(),
        line: ignore.line,
    }
}
