//! Whom a message acts for, once that is known.

use std::sync::Arc;

use pm_mcp_domain::access::Authorized;
use pm_mcp_domain::ident::Principal;

use crate::surface::Surface;

/// Whom a message acts for, once that is known.
#[derive(Clone, Debug)]
pub(crate) struct Acting<'a> {
    pub(crate) principal: &'a Principal,
    /// What its token says; `None` where nobody has to show one.
    pub(crate) access: Option<&'a Arc<Authorized>>,
    /// What the server offered when the caller was looked at, so that an edit meanwhile opens nothing.
    pub(crate) surface: Option<Arc<Surface>>,
}

impl<'a> Acting<'a> {
    /// A message for which its transport vouches.
    pub(crate) const fn vouched(principal: &'a Principal) -> Self {
        Self { principal, access: None, surface: None }
    }
}
