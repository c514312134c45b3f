//! What a host adds to the protocol.

use std::fmt::Debug;

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::context::Context;
use super::fault::HandlerFault;

/// Serves one method of an extension. Its name and its schemas are given beside it, when the server is built.
///
/// # Laws
///
/// - EX-01: it is called only for requests that may use the method: those that declare the extension with settings that
///   passed its [`SettingsCheck`], or any, where the extension says so.
/// - EX-02: the parameters fit the schema of the method, and hold no `_meta`.
/// - EX-03: the result leaves only if it fits the schema of the result; the kind of result and the server's identity are
///   added to it.
#[async_trait]
pub trait ExtensionHandler: Debug + Send + Sync + 'static {
    /// Serves the method. The context can report progress; nothing can be asked.
    ///
    /// If the future is dropped the request was cancelled.
    ///
    /// # Errors
    ///
    /// The [`HandlerFault`] that the caller gets instead of a result.
    async fn call(
        &self,
        context: Context,
        params: Map<String, Value>,
    ) -> Result<Map<String, Value>, HandlerFault>;
}

/// Says whether what a request declares of an extension is of use.
///
/// Settings that are of no use take the extension away where it would only add something; whatever uses the extension is
/// refused with the words that are given here.
pub trait SettingsCheck: Debug + Send + Sync + 'static {
    /// Looks at the settings of one request, a JSON object. Members that are not known should be passed over.
    ///
    /// # Errors
    ///
    /// What is wrong and what would fit, for whoever wrote the client.
    fn check(&self, settings: &Map<String, Value>) -> Result<(), String>;
}
