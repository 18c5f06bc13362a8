//! The reader of our own form, version 1.

use super::pages::{PageEra, Pages, Rules};
use super::{SURFACE_FILE_VERSION, SurfaceFile, SurfaceFileError, VERSION, shape};
use crate::json::{Object, Value, element_spans, member_spans};
use crate::surface::{About, Era, Launch, RawSurface, Section, Surface};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// "Method not found": the one error that a declared section may have been answered with.
const METHOD_NOT_FOUND: f64 = -32601.0;

/// Reads a document that has a version. `text` is the text of the whole document.
pub(super) fn read(mut document: Object, text: &str, max_entries: usize) -> Result<SurfaceFile, SurfaceFileError> {
    match document.get(VERSION) {
        Some(Value::Int(SURFACE_FILE_VERSION)) => {}
        Some(Value::Int(other)) => return Err(SurfaceFileError::UnknownVersion(*other)),
        other => {
            let kind = other.map_or("absent", Value::kind);
            return Err(shape(format!("/{VERSION}"), format!("an integer is required, not {kind}")));
        }
    }
    let spans: HashMap<String, &str> = member_spans(text).into_iter().collect();
    let span = |name: &str| spans.get(name).copied().unwrap_or_default();
    let mut take = |name: &str| document.remove(name).ok_or_else(|| shape("", format!("it has no member {name}")));

    let launch = launch(take("launch")?)?;
    let version = take("protocol_version")?;
    let era = take("era")?;
    let handshake = match take("handshake")? {
        Value::Null => None,
        Value::Object(handshake) => Some(handshake),
        other => return Err(shape("/handshake", format!("an object or null is required, not {}", other.kind()))),
    };
    let (protocol_version, era) = protocol(&version, &era, handshake.as_ref())?;
    let rules = Rules { era, max_entries };
    let errors = match take("errors")? {
        Value::Object(errors) => errors,
        other => return Err(shape("/errors", format!("an object is required, not {}", other.kind()))),
    };
    let mut raw = RawSurface {
        handshake: if handshake.is_some() { span("handshake").to_owned() } else { String::new() },
        is_modern: era == PageEra::Modern,
        errors: member_spans(span("errors")).into_iter().map(|(method, text)| (method, text.to_owned())).collect(),
        ..RawSurface::default()
    };
    let declaration = handshake.unwrap_or_default();
    let (mut missing, mut unlisted) = (BTreeSet::new(), BTreeSet::new());
    let mut lists = BTreeMap::new();
    for section in Section::ALL {
        let key = section.key();
        let mut pages = pages(key, take(key)?, span(key))?;
        let error = errors.get(&format!("{key}/list"));
        match (pages.is_empty(), error) {
            (false, None) => {}
            (false, Some(_)) => return Err(shape(format!("/{key}"), "the list has pages and an error at once")),
            (true, Some(error)) if declares(&declaration, section) => {
                if error.get("code").and_then(Value::as_f64) != Some(METHOD_NOT_FOUND) {
                    return Err(shape(
                        format!("/errors/{key}~1list"),
                        format!("the server declares {key}; only \"method not found\" may stand for its list"),
                    ));
                }
                missing.insert(section);
            }
            (true, Some(_)) => {}
            (true, None) if declares(&declaration, section) => {
                return Err(shape(format!("/{key}"), "the server declares this list, but the file does not hold it"));
            }
            (true, None) if era == PageEra::Unknown => {
                unlisted.insert(section);
            }
            (true, None) => {}
        }
        lists.insert(section, pages.take_entries(key, rules)?);
        *raw.pages_mut(section) = pages.raw;
    }
    let mut templates = pages("resource_templates", take("resource_templates")?, span("resource_templates"))?;
    let resource_templates = templates.take_entries("resourceTemplates", rules)?;
    raw.resource_templates = templates.raw;

    let mut entries = |section| lists.remove(&section).unwrap_or_default();
    let (tools, resources, prompts) = (entries(Section::Tools), entries(Section::Resources), entries(Section::Prompts));
    let mut surface = Surface::from_entries(tools, resources, prompts)?;
    surface.require_object_schemas()?;
    surface.about = About { protocol_version, declaration, resource_templates };
    Ok(SurfaceFile { launch, surface, raw, missing, unlisted })
}

fn launch(value: Value) -> Result<Option<Launch>, SurfaceFileError> {
    let required = || shape("/launch", "either command (a string) with args (strings), or url, is required");
    let mut object = match value {
        Value::Null => return Ok(None),
        Value::Object(object) => object,
        other => return Err(shape("/launch", format!("an object or null is required, not {}", other.kind()))),
    };
    match (object.remove("command"), object.remove("args"), object.remove("url")) {
        (Some(Value::String(command)), Some(Value::Array(args)), None) if !command.is_empty() => {
            let args = args.into_iter().map(|arg| match arg {
                Value::String(arg) => Ok(arg),
                _ => Err(required()),
            });
            Ok(Some(Launch::Stdio { command, args: args.collect::<Result<_, _>>()? }))
        }
        (None, None, Some(Value::String(url))) if !url.is_empty() => Ok(Some(Launch::Url(url))),
        _ => Err(required()),
    }
}

/// Version and era, which are known exactly where there is a handshake. The two places that say the version must agree.
fn protocol(version: &Value, era: &Value, handshake: Option<&Object>) -> Result<(String, PageEra), SurfaceFileError> {
    let version = match (version, handshake) {
        (Value::Null, None) if era.is_null() => return Ok((String::new(), PageEra::Unknown)),
        (Value::String(version), Some(_)) => version.clone(),
        _ => {
            return Err(shape(
                "/protocol_version",
                "version, era and handshake are required together, or null together where they are not known",
            ));
        }
    };
    let known = Era::of_version(&version);
    match era.as_str() {
        Some("legacy") => {
            let said = handshake.and_then(|handshake| handshake.get("protocolVersion")).and_then(Value::as_str);
            if said != Some(version.as_str()) {
                return Err(shape("/protocol_version", "it is not the version in the handshake"));
            }
            if known == Some(Era::Modern) {
                return Err(shape("/era", "it is not the era of this version"));
            }
            Ok((version, PageEra::Legacy))
        }
        Some("modern") if known == Some(Era::Legacy) => Err(shape("/era", "it is not the era of this version")),
        Some("modern") => Ok((version, PageEra::Modern)),
        _ => Err(shape("/era", "\"legacy\" or \"modern\" is required")),
    }
}

fn pages(name: &str, value: Value, span: &str) -> Result<Pages, SurfaceFileError> {
    let mut pages = Pages::default();
    match value {
        Value::Null => {}
        Value::Array(values) => {
            for (index, (value, text)) in values.into_iter().zip(element_spans(span)).enumerate() {
                pages.push(format!("/{name}/{index}"), value, text.to_owned());
            }
        }
        other => {
            return Err(shape(
                format!("/{name}"),
                format!("an array of pages or null is required, not {}", other.kind()),
            ));
        }
    }
    Ok(pages)
}

/// Presence is what counts, whatever the value, as in a capture.
fn declares(declaration: &Object, section: Section) -> bool {
    let capabilities = declaration.get("capabilities").and_then(Value::as_object);
    capabilities.is_some_and(|all| all.get_non_null(section.key()).is_some())
}
