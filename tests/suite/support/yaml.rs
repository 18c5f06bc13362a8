//! YAML files of the repository and YAML in its documents, as JSON values.

use serde_json::{Map, Value};
use yaml_rust2::{Yaml, YamlLoader};

/// The one document in a text.
pub fn parse(text: &str) -> Result<Value, String> {
    let documents = YamlLoader::load_from_str(text).map_err(|error| error.to_string())?;
    match documents.as_slice() {
        [document] => value(document),
        more => Err(format!("{} documents", more.len())),
    }
}

/// A file, by its path from the root of the repository.
pub fn file(path: &str) -> Value {
    let text = std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
    parse(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn value(yaml: &Yaml) -> Result<Value, String> {
    Ok(match yaml {
        Yaml::String(text) | Yaml::Real(text) => text.clone().into(),
        Yaml::Integer(number) => (*number).into(),
        Yaml::Boolean(truth) => (*truth).into(),
        Yaml::Null => Value::Null,
        Yaml::Array(items) => items.iter().map(value).collect::<Result<Vec<_>, _>>()?.into(),
        Yaml::Hash(members) => {
            let mut object = Map::new();
            for (name, member) in members {
                let name = name.as_str().ok_or_else(|| format!("a name that is no text: {name:?}"))?;
                object.insert(name.to_owned(), value(member)?);
            }
            object.into()
        }
        Yaml::Alias(_) | Yaml::BadValue => return Err("an alias or a bad value".to_owned()),
    })
}
