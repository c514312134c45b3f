//! The definitions of a published schema, each compiled when it is first needed.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

/// The definitions of a published schema.
#[derive(Debug)]
pub(crate) struct Definitions {
    /// The member of the schema that holds them, which its dialect decides.
    member: &'static str,
    draft: Draft,
    definitions: Value,
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Definitions {
    /// Reads a schema; where it is missing, a line says so.
    pub(crate) fn read(file: &str) -> Option<Self> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        // A relative path is meant as seen from the repository's root, where make runs.
        let shared = std::env::var_os("PM_SHARED").map_or_else(|| "../shared".into(), PathBuf::from);
        let path = root.join(shared).join(file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("SKIPPED schema check of what servers write: no {}; set PM_SHARED", path.display());
            return None;
        };
        let mut schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
        let (member, draft) = match schema.get("$defs") {
            Some(_) => ("$defs", Draft::Draft202012),
            None => ("definitions", Draft::Draft7),
        };
        Some(Self { member, draft, definitions: schema[member].take(), compiled: Mutex::default() })
    }

    /// Holds a value against one definition.
    pub(crate) fn fits(&self, definition: &str, value: &Value) -> Result<(), String> {
        let faults: Vec<String> = self
            .compiled(definition)
            .iter_errors(value)
            .map(|fault| format!("{definition}, at `{}`: {fault}", fault.instance_path()))
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
    }

    fn compiled(&self, definition: &str) -> Arc<Validator> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let validator = compiled.entry(definition.to_owned()).or_insert_with(|| {
            let member = self.member;
            let schema = json!({"$ref": format!("#/{member}/{definition}"), member: self.definitions});
            let options = jsonschema::options().with_draft(self.draft).offline();
            Arc::new(options.build(&schema).expect("a published schema compiles"))
        });
        Arc::clone(validator)
    }
}
