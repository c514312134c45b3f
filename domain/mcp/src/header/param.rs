//! Parity of `Mcp-Param-*` headers and a tool's arguments.

use alloc::{string::ToString, vec::Vec};

use serde_json::Value;

use super::{
    HeaderFault, HeaderSource,
    annotation::{HeaderAnnotation, HeaderAnnotations},
    encoding::decode_header_value,
    mirrored::Mirrored,
    source::Found,
};
use crate::schema::excerpt;

/// [`PARAM_HEADER_PREFIX`](super::PARAM_HEADER_PREFIX) as header sources are searched.
const LOOKUP_PREFIX: &str = "mcp-param-";

/// Undeclared headers reported for one request; they come from the peer alone and could be many.
const MOST_UNDECLARED: usize = 8;

/// Checks the `Mcp-Param-*` headers of a `tools/call` against its `arguments`.
///
/// Every annotated argument with a value needs exactly one header that says the same; an argument
/// that is absent or null must have none. All faults are reported together. Nothing is allocated
/// while headers and arguments agree in plain text.
///
/// A `Mcp-Param-*` header that no annotation declares is refused too. The specification tells
/// *intermediate* servers to pass on what they do not recognise; this check is for the server
/// that runs the tool, and there such a header repeats nothing of the body: a machine on the way
/// may have acted on a value that nobody compared. Usually the client holds an old definition of
/// the tool, and `-32020` is what makes it fetch the list again (streamable-http, "Client
/// Behavior"). Tools without annotations are checked with an empty [`HeaderAnnotations`].
///
/// # Errors
///
/// All [`HeaderFault`]s, in the order of the annotations, undeclared headers last and at most
/// eight of them.
pub fn validate_param_headers(
    annotations: &HeaderAnnotations,
    arguments: &Value,
    headers: &dyn HeaderSource,
) -> Result<(), Vec<HeaderFault>> {
    let mut faults = Vec::new();
    for annotation in annotations.iter() {
        faults.extend(fault_of(annotation, arguments, headers));
    }
    let mut undeclared = 0;
    headers.visit_prefix(LOOKUP_PREFIX, &mut |name| {
        if undeclared < MOST_UNDECLARED && !annotations.declares(name) {
            undeclared += 1;
            faults.push(HeaderFault::Undeclared { header: excerpt(&name.escape_debug().to_string()) });
        }
    });
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn fault_of(
    annotation: &HeaderAnnotation,
    arguments: &Value,
    headers: &dyn HeaderSource,
) -> Option<HeaderFault> {
    let header = || annotation.header().to_string();
    let said = match (Mirrored::of(annotation.value_in(arguments)), headers.find(annotation.lookup())) {
        (Mirrored::UnsafeInteger, _) => {
            return Some(HeaderFault::UnsafeInteger { header: header(), pointer: annotation.pointer() });
        }
        (Mirrored::Nothing, Found::Absent) => return None,
        (_, Found::Many(count)) => return Some(HeaderFault::Repeated { header: header(), count }),
        (Mirrored::Nothing, Found::One(_)) => return Some(HeaderFault::Surplus { header: header() }),
        (_, Found::Absent) => return Some(HeaderFault::Missing { header: header() }),
        (body, Found::One(raw)) => decode_header_value(raw).map(|said| body.is_said_by(&said)),
    };
    match said {
        Ok(true) => None,
        Ok(false) => Some(HeaderFault::ArgumentMismatch { header: header(), pointer: annotation.pointer() }),
        Err(reason) => Some(HeaderFault::Unreadable { header: header(), reason }),
    }
}

#[cfg(test)]
mod tests;
