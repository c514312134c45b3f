//! Error codes ([Error codes](https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes)).

/// A JSON-RPC error code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct ErrorCode(pub i64);

impl ErrorCode {
    /// The text is not JSON.
    pub const PARSE: Self = Self(-32700);
    /// The JSON is no request.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// There is no such method.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// The parameters do not fit the method, or name what does not exist for the caller.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The server failed.
    pub const INTERNAL: Self = Self(-32603);
    /// A header is missing or disagrees with the body.
    pub const HEADER_MISMATCH: Self = Self(-32020);
    /// The request does not declare a capability that the operation needs.
    pub const MISSING_CAPABILITY: Self = Self(-32021);
    /// The claimed revision is not supported.
    pub const UNSUPPORTED_VERSION: Self = Self(-32022);

    /// Whether the revision ties this code to HTTP status 400, wherever the error arose.
    pub const fn is_reserved_for_400(self) -> bool {
        matches!(self, Self::HEADER_MISMATCH | Self::MISSING_CAPABILITY | Self::UNSUPPORTED_VERSION)
    }
}
