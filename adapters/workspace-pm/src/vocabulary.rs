//! Settings and schema files, read again only when one of them changed.

use std::{fs, io, path::Path, sync::Arc};

use pm_tracker_domain::{SchemaFiles, SchemaProblem, Settings, WorkspaceSchema};
use pm_tracker_ports::{ReadError, SettingsProblem};
use serde_json::Value;

use crate::item_file::merge_mark;

const FILES: [&str; 5] = [
    "settings.json",
    "schema/types.json",
    "schema/statuses.json",
    "schema/fields.json",
    "schema/workflows.json",
];

/// Largest settings or schema file that is read.
const MAX_BYTES: u64 = 4 << 20;

/// Settings and schema of one moment.
#[derive(Debug, Clone)]
pub(crate) struct Vocabulary {
    texts: Vec<Result<Option<String>, String>>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) settings_problem: Option<SettingsProblem>,
    pub(crate) schema: Arc<WorkspaceSchema>,
    pub(crate) schema_problems: Vec<SchemaProblem>,
}

impl Vocabulary {
    /// Reads the files; gives `None` if they are those of `known`. The files are small, so their bytes are compared.
    pub(crate) fn read(root: &Path, known: Option<&Self>) -> Result<Option<Self>, ReadError> {
        if !root.is_dir() {
            return Err(ReadError::WorkspaceMissing { detail: "the tracker root is gone".to_owned() });
        }
        let texts: Vec<_> = FILES.iter().map(|name| text_of(root, name)).collect();
        if known.is_some_and(|known| known.texts == texts) {
            return Ok(None);
        }
        let mut schema_problems = Vec::new();
        let mut settings_problem = None;
        let mut values: Vec<Option<Value>> = Vec::with_capacity(FILES.len());
        for (&file, text) in FILES.iter().zip(&texts) {
            let (value, problem) = parse(text);
            if file == "settings.json" {
                let absent = value.is_none() && problem.is_none();
                let problem = if absent { Some("the file is missing".to_owned()) } else { problem };
                settings_problem = problem.map(|detail| SettingsProblem { detail });
            } else if let Some(detail) = problem {
                schema_problems.push(SchemaProblem::new(file, detail));
            }
            values.push(value);
        }
        let value = |at: usize| values.get(at).and_then(Option::as_ref);
        let files = SchemaFiles {
            settings: value(0),
            types: value(1),
            statuses: value(2),
            fields: value(3),
            workflows: value(4),
        };
        let (schema, problems) = WorkspaceSchema::read(files);
        schema_problems.extend(problems);
        let settings = Arc::new(Settings::read(value(0).unwrap_or(&Value::Null)));
        drop(values);
        Ok(Some(Self { texts, settings, settings_problem, schema: Arc::new(schema), schema_problems }))
    }
}

fn text_of(root: &Path, name: &str) -> Result<Option<String>, String> {
    let path = root.join(name);
    match fs::canonicalize(&path) {
        Ok(real) if !real.starts_with(root) => {
            return Err("the file is a link that leaves the tracker root".to_owned());
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(_) | Err(_) => {}
    }
    let metadata = fs::metadata(&path).map_err(|error| error.to_string())?;
    if metadata.len() > MAX_BYTES {
        return Err(format!("the file has more than {MAX_BYTES} bytes"));
    }
    fs::read_to_string(&path).map(Some).map_err(|error| error.to_string())
}

fn parse(text: &Result<Option<String>, String>) -> (Option<Value>, Option<String>) {
    match text {
        Err(detail) => (None, Some(detail.clone())),
        Ok(None) => (None, None),
        Ok(Some(text)) => match serde_json::from_str::<Value>(text) {
            Ok(value) if value.is_object() => (Some(value), None),
            Ok(_) => (None, Some("the file is not a JSON object".to_owned())),
            Err(_) if merge_mark(text).is_some() => {
                (None, Some("the file holds an unresolved merge".to_owned()))
            }
            Err(error) => (None, Some(format!("the file is not JSON: {error}"))),
        },
    }
}
