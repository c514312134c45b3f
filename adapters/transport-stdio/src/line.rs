//! Writes a message as one line.

/// Bytes that need a second look: line ends, and the first bytes of the separators that some readers take for line
/// ends (U+0085 is `C2 85`, U+2028 and U+2029 are `E2 80 A8` and `E2 80 A9`).
const fn needs_a_look(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | 0xC2 | 0xE2)
}

/// Appends `message` and one LF.
///
/// A JSON text has raw line ends only between its tokens, where a space means the same, and the other separators only
/// within strings, where their escape means the same.
pub(crate) fn append_line(message: &[u8], out: &mut Vec<u8>) {
    out.reserve(message.len() + 1);
    // A fold has no early exit, so it runs over many bytes at a time.
    if message.iter().fold(false, |found, byte| found | needs_a_look(*byte)) {
        append_escaped(message, out);
    } else {
        out.extend_from_slice(message);
    }
    out.push(b'\n');
}

fn append_escaped(mut rest: &[u8], out: &mut Vec<u8>) {
    loop {
        rest = match rest {
            [] => return,
            [b'\n' | b'\r', tail @ ..] => {
                out.push(b' ');
                tail
            }
            [0xC2, 0x85, tail @ ..] => {
                out.extend_from_slice(b"\\u0085");
                tail
            }
            [0xE2, 0x80, 0xA8, tail @ ..] => {
                out.extend_from_slice(b"\\u2028");
                tail
            }
            [0xE2, 0x80, 0xA9, tail @ ..] => {
                out.extend_from_slice(b"\\u2029");
                tail
            }
            [byte, tail @ ..] => {
                out.push(*byte);
                tail
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(message: &str) -> String {
        let mut out = Vec::new();
        append_line(message.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_plain_message_is_written_as_it_is() {
        assert_eq!(written(r#"{"a":"\r\n"}"#), "{\"a\":\"\\r\\n\"}\n");
    }

    #[test]
    fn separators_are_escaped_and_mean_the_same() {
        let message = "{\n\"a\":\r\n\"é â\u{2028}\u{2029}\u{85}\u{2030}\"}";
        let line = written(message);
        assert_eq!(line.bytes().filter(|byte| matches!(byte, b'\n' | b'\r')).count(), 1);
        assert!(line.contains("é â\\u2028\\u2029\\u0085\u{2030}"), "{line}");
        let read = |text| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&line), read(message));
    }
}
