//! Where the keys of an issuer are.

use pm_mcp_domain::authorization::HttpUrl;

/// Where the keys of an issuer are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeyLocation {
    /// Where the issuer's metadata says
    /// ([Authorization server discovery](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-server-metadata-discovery)).
    Metadata,
    /// At this address, whatever the metadata says.
    At(HttpUrl),
}
