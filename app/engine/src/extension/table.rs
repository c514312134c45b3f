//! The extensions of a server, ready to serve.

use std::collections::BTreeMap;
use std::sync::Arc;

use pm_mcp_domain::extension::{
    Declaration, DeclaredExtensions, ExtensionId, ExtensionMethod, ExtensionOffer, Extensions,
};
use pm_mcp_domain::request::{ClientCapabilities, ExtensionParts};
use pm_mcp_domain::schema::CheckedSchema;
use pm_mcp_ports::driven::{CompiledSchema, SchemaChecker};
use pm_mcp_ports::feature::{ExtensionHandler, HandlerFault, SettingsCheck};
use serde_json::{Map, Value};
use tracing::error;

use super::spec::{ExtensionSpec, MethodSpec};
use crate::build::BuildError;
use crate::unwind::catch;

/// The extensions of a server, that of tasks among them.
#[derive(Debug)]
pub(crate) struct ExtensionTable {
    known: Extensions,
    methods: BTreeMap<&'static str, MethodEntry>,
    checks: BTreeMap<ExtensionId, Arc<dyn SettingsCheck>>,
    /// Whether the host has some of its own, so that what requests declare has to be read.
    has_own: bool,
}

#[derive(Debug)]
pub(super) struct MethodEntry {
    pub(super) params: Box<dyn CompiledSchema>,
    pub(super) result: Box<dyn CompiledSchema>,
    pub(super) handler: Arc<dyn ExtensionHandler>,
}

impl ExtensionTable {
    pub(crate) fn new(
        specs: &[ExtensionSpec],
        has_tasks: bool,
        schemas: &dyn SchemaChecker,
    ) -> Result<Self, BuildError> {
        let mut table = Self {
            known: Extensions::new(),
            methods: BTreeMap::new(),
            checks: BTreeMap::new(),
            has_own: !specs.is_empty(),
        };
        if has_tasks {
            table.known.offer(ExtensionOffer {
                id: ExtensionId::TASKS,
                settings: Map::new(),
                declaration: Declaration::Required,
                // The engine has them, with the core's.
                methods: Vec::new(),
            })?;
        }
        for spec in specs {
            let ExtensionSpec { id, settings, declaration, check, methods } = spec.clone();
            table.known.offer(ExtensionOffer {
                id,
                settings,
                declaration,
                methods: methods.iter().map(|method| method.name).collect(),
            })?;
            table.checks.extend(check.map(|check| (id, check)));
            for MethodSpec { name, params, result, handler } in methods {
                let compile = |which, schema: &CheckedSchema| {
                    let fault = |source| BuildError::MethodSchema { method: name, which, source };
                    schemas.compile(schema).map_err(fault)
                };
                let (params, result) = (compile("params", &params)?, compile("result", &result)?);
                table.methods.insert(name, MethodEntry { params, result, handler });
            }
        }
        Ok(table)
    }

    pub(crate) fn known(&self) -> &Extensions {
        &self.known
    }

    pub(super) fn method(&self, method: ExtensionMethod) -> Option<&MethodEntry> {
        self.methods.get(method.as_str())
    }

    /// The capabilities of a request, with what it declares of the host's extensions. Only a request that declares some to
    /// a server that has some is read again.
    pub(crate) fn read(&self, message: &[u8], capabilities: ClientCapabilities) -> ClientCapabilities {
        if !self.has_own || !capabilities.has_unread_extensions() {
            return capabilities;
        }
        let parts = std::str::from_utf8(message).map(ExtensionParts::read).unwrap_or_default();
        let Some(declared) = parts.declared else { return capabilities };
        let declared =
            DeclaredExtensions::read(declared, &self.known, |id, settings| self.check(id, settings));
        capabilities.with_extensions(declared)
    }

    fn check(&self, id: ExtensionId, settings: &Map<String, Value>) -> Result<(), String> {
        let Some(check) = self.checks.get(&id) else { return Ok(()) };
        match catch("the check of an extension's settings", || check.check(settings)) {
            Ok(checked) => checked,
            Err(fault) => {
                let cause = match &fault {
                    HandlerFault::Internal(source) => source.to_string(),
                    fault => fault.to_string(),
                };
                error!(extension = id.as_str(), cause, "the settings of an extension could not be checked");
                Err("the server failed to check them".to_owned())
            }
        }
    }
}
