//! Resources.

use std::collections::BTreeMap;
use std::fmt::Debug;

use async_trait::async_trait;
use pm_mcp_domain::wire::{ReadResourceResult, Resource};

use super::context::Context;
use super::fault::HandlerFault;

/// Reads one resource, or those of one template.
#[async_trait]
pub trait ResourceReader: Debug + Send + Sync + 'static {
    /// Reads the resource at `uri`; `values` are those of the template's variables.
    ///
    /// # Errors
    ///
    /// [`HandlerFault::NotFound`] when there is no such resource for this caller; other faults as they come.
    async fn read(
        &self,
        context: Context,
        uri: &str,
        values: BTreeMap<String, String>,
    ) -> Result<ReadResourceResult, HandlerFault>;
}

/// Lists resources that come and go while the server runs.
#[async_trait]
pub trait ResourceSource: Debug + Send + Sync + 'static {
    /// The resources after `position`, `limit` at the most, in a stable order.
    ///
    /// `position` is what an earlier page named as its `next`; the engine has seen to it that it comes from there.
    ///
    /// # Errors
    ///
    /// [`HandlerFault::InvalidCursor`] when the position no longer means anything; other faults as they come.
    async fn list(
        &self,
        context: Context,
        position: Option<&str>,
        limit: usize,
    ) -> Result<ResourcePage, HandlerFault>;
}

/// One page of a source's resources.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ResourcePage {
    /// The resources.
    pub resources: Vec<Resource>,
    /// Where the next page starts; `None` on the last one.
    pub next: Option<String>,
}
