//! The Streamable HTTP transport on warp and hyper.
