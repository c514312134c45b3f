//! Server-sent events, as far as this binding uses them: data without ids, and comments.

use bytes::Bytes;

/// A comment: it tells proxies and clients that the stream is alive and means nothing else.
pub(crate) const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// One message as one event.
///
/// The message is a JSON text, in which raw line ends stand only between tokens, where a space means the same; in the
/// event they would begin another field.
pub(crate) fn event(message: &[u8]) -> Bytes {
    const FIELD: &[u8] = b"data: ";
    let mut event = Vec::with_capacity(FIELD.len() + message.len() + 2);
    event.extend_from_slice(FIELD);
    event.extend(message.iter().map(|byte| match byte {
        b'\n' | b'\r' => b' ',
        other => *other,
    }));
    event.extend_from_slice(b"\n\n");
    event.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_data_line_whatever_is_in_it() {
        assert_eq!(event(br#"{"a":"\n"}"#), "data: {\"a\":\"\\n\"}\n\n");
        assert_eq!(event(b"{\n\"a\":\r\n1}"), "data: { \"a\":  1}\n\n");
    }
}
