//! From the bytes of a file to its servers.

use super::disagreement::{Reading, disagreements};
use super::document::{Node, Position, Value, parse, position, strictly};
use super::entry::{Draft, Surroundings, draft, switched_off};
use super::layout::{self, Raw};
use super::model::{ConfigFile, ServerEntry, Shape, ToolFilter};
use super::problem::{Cause, FileError, Problem, Reason, Refusal, Remark, RemarkKind, Shown};
use super::table::{ClientId, Layout, Location, Scope, SwitchLists, Syntax};
use crate::text::{Charset, escape, shorten};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// How many servers one file may define.
pub const MAX_SERVERS: usize = 1000;

/// How much of what a parser says is shown.
const MAX_CAUSE: usize = 200;

/// A client that reads a file, and how.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    pub client: ClientId,
    pub location: &'static Location,
}

/// Which file it is, and who reads it.
#[derive(Debug, Clone)]
pub struct Source {
    pub path: PathBuf,
    pub scope: Scope,
    /// At least one, in the order in which they speak for entries.
    pub readers: Vec<Reader>,
}

impl Source {
    pub(super) fn clients(&self) -> Vec<ClientId> {
        let mut clients = Vec::new();
        for reader in &self.readers {
            if !clients.contains(&reader.client) {
                clients.push(reader.client);
            }
        }
        clients
    }

    pub(super) fn error(&self, at: Option<Position>, cause: Cause) -> FileError {
        FileError { path: self.path.clone(), clients: self.clients(), at, cause }
    }
}

/// What a parser said, fit to be printed.
fn shown(cause: &str) -> String {
    shorten(&escape(cause, Charset::Unicode), MAX_CAUSE)
}

/// Reads a file leniently, and says which of its clients would be stricter.
///
/// # Errors
/// The file as a whole cannot be read. A faulty entry is no error: it stands among the others as
/// [`Shape::NotReadable`].
pub fn read(bytes: &[u8], source: &Source) -> Result<ConfigFile, FileError> {
    let mut file = ConfigFile {
        path: source.path.clone(),
        clients: source.clients(),
        scope: source.scope,
        servers: Vec::new(),
        refusals: Vec::new(),
        remarks: Vec::new(),
    };
    let Some(first) = source.readers.first() else { return Ok(file) };
    if first.location.syntax == Syntax::Script {
        file.servers.push(script(source, *first));
        return Ok(file);
    }
    let text = text(bytes, source, &mut file.remarks)?;
    let root = parse(text, first.location.syntax)
        .map_err(|error| source.error(Some(error.at), Cause::Syntax(shown(&error.cause))))?;
    file.refusals = refusals(text, source);
    let stem = source.path.file_stem().unwrap_or_default().to_string_lossy();
    let mut raws = raw_entries(&root, source, &stem, &mut file.remarks);
    if raws.len() > MAX_SERVERS {
        return Err(source.error(Some(raws[MAX_SERVERS].0.at), Cause::TooManyServers(MAX_SERVERS)));
    }
    raws.sort_by_key(|(raw, _)| raw.at);
    same_names(&raws, &mut file.remarks);
    whole_file(&root, source, &mut file.remarks);
    let inputs = inputs(&root);
    file.servers = raws.iter().map(|(raw, readers)| server(raw, readers, &root, &inputs, source)).collect();
    file.remarks.sort_by_key(|remark| remark.at);
    Ok(file)
}

fn text<'b>(bytes: &'b [u8], source: &Source, remarks: &mut Vec<Remark>) -> Result<&'b str, FileError> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(source.error(None, Cause::Utf16));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        source.error(Some(position(before, before.len())), Cause::NotUtf8)
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => {
            remarks.push(Remark { at: Position::START, kind: RemarkKind::ByteOrderMark });
            rest
        }
        None => text,
    })
}

/// The clients that would not get as far as to the servers.
fn refusals(text: &str, source: &Source) -> Vec<Refusal> {
    let mut asked: Vec<(Syntax, Option<(Position, String)>)> = Vec::new();
    let mut refusals: Vec<Refusal> = Vec::new();
    for reader in &source.readers {
        let syntax = reader.location.syntax;
        if !asked.iter().any(|(known, _)| *known == syntax) {
            let refusal = strictly(text, syntax).err().map(|error| (error.at, shown(&error.cause)));
            asked.push((syntax, refusal));
        }
        let answer = asked.iter().find(|(known, _)| *known == syntax).and_then(|(_, refusal)| refusal.clone());
        if let Some((at, cause)) = answer
            && !refusals.iter().any(|refusal| refusal.client == reader.client)
        {
            refusals.push(Refusal { client: reader.client, at, cause });
        }
    }
    refusals
}

/// Every entry, with the readers whose layout it was found by.
fn raw_entries<'n, 'a>(
    root: &'n Node<'a>,
    source: &Source,
    stem: &'n str,
    remarks: &mut Vec<Remark>,
) -> Vec<(Raw<'n, 'a>, Vec<Reader>)> {
    let Some(first) = source.readers.first() else { return Vec::new() };
    let mut layouts: Vec<Layout> = Vec::new();
    for layout in source.readers.iter().flat_map(|reader| reader.location.layouts) {
        if !layouts.contains(layout) {
            layouts.push(*layout);
        }
    }
    // In a file for nothing but servers, another client's key holds servers too: they load nowhere, or in a client that
    // nobody thought of.
    if !source.readers.iter().any(|reader| reader.location.settings) {
        let others = [Layout::At(&["mcpServers"]), Layout::At(&["servers"]), Layout::Bare];
        layouts.extend(
            others.into_iter().filter(|other| !source.readers.iter().any(|r| r.location.layouts.contains(other))),
        );
    }
    let mut all = Vec::new();
    for layout in layouts {
        let readers: Vec<Reader> =
            source.readers.iter().filter(|reader| reader.location.layouts.contains(&layout)).copied().collect();
        let dialect = readers.first().unwrap_or(first).location.dialect;
        let found = layout::find(root, layout, dialect, stem);
        if !readers.is_empty() {
            remarks.extend(found.remarks);
        }
        all.extend(found.entries.into_iter().map(|raw| (raw, readers.clone())));
    }
    all
}

fn server(
    raw: &Raw<'_, '_>,
    readers: &[Reader],
    root: &Node<'_>,
    inputs: &HashSet<String>,
    source: &Source,
) -> ServerEntry {
    let as_read_by = |reader: &Reader| {
        let dialect = reader.location.dialect;
        let mut draft = draft(&raw.name, raw.node, &Surroundings { dialect, inputs });
        draft.disabled = draft.disabled.or_else(|| switched_off(root, raw, dialect.lists));
        Reading { client: reader.client, dialect, draft }
    };
    // Where no client reads the map, the file's first client says how it would look.
    let speakers = if readers.is_empty() { &source.readers[..1] } else { readers };
    let is_first = |(at, reader): &(usize, &Reader)| !speakers[..*at].iter().any(|other| other.client == reader.client);
    let mut readings: Vec<Reading> =
        speakers.iter().enumerate().filter(is_first).map(|(_, reader)| as_read_by(reader)).collect();
    let disagreements = disagreements(raw.node, &readings);
    let mut problems = Vec::new();
    for reading in &mut readings {
        let own = std::mem::take(&mut reading.draft.problems);
        problems.extend(own.into_iter().map(|problem| (reading.client, problem)));
    }
    // What is on for one of them counts as on, as that one reads it.
    let speaker = readings.iter().position(|reading| reading.draft.disabled.is_none()).unwrap_or(0);
    let (client, first) = match readings.into_iter().nth(speaker) {
        Some(reading) => (reading.client, reading.draft),
        None => (ClientId::UNKNOWN, Draft::empty()),
    };
    if readers.is_empty() {
        let place = if raw.map.is_empty() { "the top level".to_owned() } else { raw.map.join(".") };
        problems.push((client, Problem::NotLoaded(Shown::new(place))));
    }
    let mut read_by: Vec<ClientId> = Vec::new();
    for reader in readers {
        if !read_by.contains(&reader.client) {
            read_by.push(reader.client);
        }
    }
    ServerEntry {
        name: raw.name.clone().into_owned(),
        client,
        read_by,
        file: source.path.clone(),
        scope: source.scope,
        map: raw.map.clone(),
        at: raw.at,
        shape: first.shape,
        disabled: first.disabled,
        tools: first.tools,
        problems,
        disagreements,
        needs: first.needs,
    }
}

/// A file that would have to be run is one entry that says so.
fn script(source: &Source, reader: Reader) -> ServerEntry {
    ServerEntry {
        name: "*".to_owned(),
        client: reader.client,
        read_by: source.clients(),
        file: source.path.clone(),
        scope: source.scope,
        map: Vec::new(),
        at: Position::START,
        shape: Shape::NotReadable(Reason::Script),
        disabled: None,
        tools: ToolFilter::default(),
        problems: Vec::new(),
        disagreements: Vec::new(),
        needs: Vec::new(),
    }
}

/// Says which names mean more than one server. An entry for one project may take the place of one for all.
fn same_names(raws: &[(Raw<'_, '_>, Vec<Reader>)], remarks: &mut Vec<Remark>) {
    let mut seen: HashMap<(Option<&str>, &str), &Raw<'_, '_>> = HashMap::new();
    for (raw, _) in raws {
        let project = match raw.map.as_slice() {
            [first, project, _] if first == "projects" => Some(project.as_str()),
            _ => None,
        };
        match seen.get(&(project, raw.name.as_ref())) {
            None => {
                seen.insert((project, &raw.name), raw);
            }
            // Two clients' maps may hold the same servers on purpose; one map never does.
            Some(first) if first.map == raw.map || !first.node.says_the_same(raw.node) => {
                let kind = RemarkKind::SameName { name: Shown::new(raw.name.as_ref()), first: first.at.line };
                remarks.push(Remark { at: raw.at, kind });
            }
            Some(_) => {}
        }
    }
}

/// What a file says about servers outside of its entries.
fn whole_file(root: &Node<'_>, source: &Source, remarks: &mut Vec<Remark>) {
    if source.readers.iter().any(|reader| reader.location.dialect.lists == SwitchLists::Gemini)
        && let Some(line) = root.get("mcp").and_then(|mcp| mcp.get("serverCommand"))
    {
        remarks.push(Remark { at: line.at, kind: RemarkKind::CommandLine(Shown::new("mcp.serverCommand")) });
    }
    if let Some(flag) = root.get("useLegacyMcpJson")
        && matches!(flag.value, Value::Bool(true))
    {
        remarks.push(Remark { at: flag.at, kind: RemarkKind::LegacyFilesToo });
    }
    for recipe in root.get("sub_recipes").map(Node::list).unwrap_or_default() {
        if let Some(path) = recipe.get("path") {
            remarks.push(Remark { at: path.at, kind: RemarkKind::OtherFile(Shown::new("sub_recipes")) });
        }
    }
}

fn inputs(root: &Node<'_>) -> HashSet<String> {
    let list = root.get("inputs").map(Node::list).unwrap_or_default();
    list.iter().filter_map(|input| input.get("id")?.text().map(str::to_owned)).collect()
}
