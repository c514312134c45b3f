//! An extension, as a host registers it.

use std::sync::Arc;

use pm_mcp_domain::extension::{Declaration, ExtensionId};
use pm_mcp_domain::schema::CheckedSchema;
use pm_mcp_ports::feature::{ExtensionHandler, SettingsCheck};
use serde_json::{Map, Value};

/// An extension to register. Those of a server do not change while it serves.
#[derive(Clone, Debug)]
pub struct ExtensionSpec {
    /// What it is called.
    pub id: ExtensionId,
    /// What the server says of it in discovery.
    pub settings: Map<String, Value>,
    /// Who may use its methods.
    pub declaration: Declaration,
    /// Looks at what requests declare; without it every object will do.
    pub check: Option<Arc<dyn SettingsCheck>>,
    /// The methods that it adds.
    pub methods: Vec<MethodSpec>,
}

/// A method of an extension.
#[derive(Clone, Debug)]
pub struct MethodSpec {
    /// Its name on the wire.
    pub name: &'static str,
    /// What its parameters must fit, without `_meta`.
    pub params: CheckedSchema,
    /// What its results must fit.
    pub result: CheckedSchema,
    /// What serves it.
    pub handler: Arc<dyn ExtensionHandler>,
}
