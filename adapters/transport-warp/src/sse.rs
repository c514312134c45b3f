//! Server-sent events, as far as this binding uses them: data without ids, and comments.

use bytes::Bytes;

/// A comment: it tells proxies and clients that the stream is alive and means nothing else.
pub(crate) const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// One message as one event; the message may come in pieces that follow one another.
///
/// The message is a JSON text, in which raw line ends stand only between tokens, where a space means the same; in the
/// event they would begin another field.
pub(crate) fn event(message: &[&[u8]]) -> Bytes {
    const FIELD: &[u8] = b"data: ";
    const END: &[u8] = b"\n\n";
    let length = message.iter().map(|piece| piece.len()).sum::<usize>();
    let mut event = Vec::with_capacity(FIELD.len() + length + END.len());
    event.extend_from_slice(FIELD);
    message.iter().for_each(|piece| event.extend_from_slice(piece));
    // Each byte is written, changed or not: that takes many at once, which a branch would not.
    event.iter_mut().for_each(|byte| *byte = if matches!(*byte, b'\n' | b'\r') { b' ' } else { *byte });
    event.extend_from_slice(END);
    event.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_data_line_whatever_is_in_it() {
        assert_eq!(event(&[br#"{"a":"\n"}"#]), "data: {\"a\":\"\\n\"}\n\n");
        assert_eq!(event(&[b"{\n\"a\":\r", b"\n1}"]), "data: { \"a\":  1}\n\n");
    }
}
