//! How text travels in a header value.

use alloc::{borrow::Cow, format, string::String};

use base64::{Engine, engine::general_purpose::STANDARD};

/// Begins a value that is Base64; the case matters.
const PREFIX: &str = "=?base64?";
/// Ends a value that is Base64.
const SUFFIX: &str = "?=";

/// Why a received header value cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeaderValueFault {
    /// CR, LF, NUL or another control character stands in the value.
    #[error("contains a control character")]
    ControlCharacter,
    /// A byte beyond ASCII stands in the value; such text must travel as Base64.
    #[error("contains a character that is not ASCII; send it as =?base64?...?=")]
    NotAscii,
    /// What stands between the Base64 markers is not Base64 with padding.
    #[error("is not valid Base64 between its markers")]
    Base64,
    /// The decoded bytes are not UTF-8.
    #[error("does not decode to UTF-8")]
    Utf8,
}

/// `text` as a header value: itself if it is plain, else as `=?base64?…?=` over its UTF-8
/// (specification: streamable-http, "Value Encoding").
///
/// Plain is printable ASCII with neither leading nor trailing blanks that does not look like an
/// encoded value itself.
///
/// ```
/// use pm_mcp_domain::header::encode_header_value;
///
/// assert_eq!(encode_header_value("us-west1"), "us-west1");
/// assert_eq!(encode_header_value(" padded "), "=?base64?IHBhZGRlZCA=?=");
/// ```
#[must_use]
pub fn encode_header_value(text: &str) -> Cow<'_, str> {
    if is_plain(text) && !(text.starts_with(PREFIX) && text.ends_with(SUFFIX)) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{PREFIX}{}{SUFFIX}", STANDARD.encode(text)))
    }
}

/// Whether `text` can be a header value as it is.
pub(super) fn is_plain(text: &str) -> bool {
    let blank = |edge: Option<&u8>| edge == Some(&b' ');
    let bytes = text.as_bytes();
    bytes.iter().all(|byte| matches!(byte, 0x20..=0x7E)) && !blank(bytes.first()) && !blank(bytes.last())
}

/// The text that a received header value stands for.
///
/// Blanks around the value are no part of it (RFC 9110 section 5.5). A value between the exact
/// markers is decoded, strictly: the standard alphabet, padding and no stray bits. Everything
/// else is taken literally. A plain value is borrowed, not copied.
///
/// # Errors
///
/// [`HeaderValueFault`] for a control character (a tab inside the value is one), for a byte
/// beyond ASCII, and for an encoded value that does not decode.
pub fn decode_header_value(raw: &[u8]) -> Result<Cow<'_, str>, HeaderValueFault> {
    let value = plain_header_value(raw)?;
    match value.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)) {
        None => Ok(Cow::Borrowed(value)),
        Some(encoded) => {
            let bytes = STANDARD.decode(encoded).map_err(|_| HeaderValueFault::Base64)?;
            String::from_utf8(bytes).map(Cow::Owned).map_err(|_| HeaderValueFault::Utf8)
        }
    }
}

/// Whether a received header value says `expected` as it stands, so that nothing of it needs to be decoded or trimmed.
pub(super) fn says_plainly(raw: &[u8], expected: &str) -> bool {
    raw == expected.as_bytes() && is_plain(expected) && !expected.starts_with(PREFIX)
}

/// The text of a header that is never encoded, without the blanks around it.
pub(super) fn plain_header_value(raw: &[u8]) -> Result<&str, HeaderValueFault> {
    let mut value = raw;
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    for byte in value {
        match byte {
            0x00..=0x1F | 0x7F => return Err(HeaderValueFault::ControlCharacter),
            0x20..=0x7E => {}
            0x80..=0xFF => return Err(HeaderValueFault::NotAscii),
        }
    }
    core::str::from_utf8(value).map_err(|_| HeaderValueFault::NotAscii)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use proptest::{prelude::*, test_runner::RngSeed};

    use super::*;

    #[test]
    fn the_examples_of_the_specification_hold() {
        for (text, value) in [
            ("us-west1", "us-west1"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("", ""),
            ("two words", "two words"),
            ("a\tb", "=?base64?YQli?="),
            ("=?base64?=", "=?base64?PT9iYXNlNjQ/PQ==?="),
            ("=?BASE64?eA==?=", "=?BASE64?eA==?="),
            ("=?base64?x", "=?base64?x"),
        ] {
            assert_eq!(encode_header_value(text), value, "{text:?}");
            assert_eq!(decode_header_value(value.as_bytes()).as_deref(), Ok(text), "{value}");
        }
    }

    #[test]
    fn received_values_are_read_strictly() {
        use HeaderValueFault::{Base64, ControlCharacter, NotAscii, Utf8};
        for (raw, expected) in [
            (&b"  name \t"[..], Ok("name")),
            (b"", Ok("")),
            (b" \t ", Ok("")),
            (b"=?base64?SGVsbG8=?=", Ok("Hello")),
            (b"  =?base64?SGVsbG8=?= ", Ok("Hello")),
            (b"=?base64??=", Ok("")),
            (b"SGVsbG8=", Ok("SGVsbG8=")),
            (b"=?base64?SGVsbG8=", Ok("=?base64?SGVsbG8=")),
            (b"=?BASE64?SGVsbG8=?=", Ok("=?BASE64?SGVsbG8=?=")),
            (b"=?base64?=", Ok("=?base64?=")),
            (b"=?base64?SGVsbG8?=", Err(Base64)),
            (b"=?base64?SGVs!!!bG8=?=", Err(Base64)),
            (b"=?base64?SGVsbG9=?=", Err(Base64)),
            (b"=?base64?SGVs bG8=?=", Err(Base64)),
            (b"=?base64?-_8=?=", Err(Base64)),
            (b"=?base64?SGVsbG8==?=", Err(Base64)),
            (b"=?base64?/w==?=", Err(Utf8)),
            (b"a\r\nb", Err(ControlCharacter)),
            (b"a\0b", Err(ControlCharacter)),
            (b"a\tb", Err(ControlCharacter)),
            (b"a\x7F", Err(ControlCharacter)),
            (b"\r\n folded", Err(ControlCharacter)),
            ("é".as_bytes(), Err(NotAscii)),
            (b"\xFF\xFE", Err(NotAscii)),
        ] {
            assert_eq!(decode_header_value(raw).as_deref(), expected.as_ref().copied(), "{raw:?}");
        }
    }

    #[test]
    fn plain_values_are_not_copied() {
        assert!(matches!(decode_header_value(b" plain "), Ok(Cow::Borrowed("plain"))));
        assert!(matches!(encode_header_value("plain"), Cow::Borrowed("plain")));
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: RngSeed::Fixed(20_260_728),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn every_text_survives_the_way(text in any::<alloc::string::String>()) {
            let value = encode_header_value(&text);
            prop_assert!(is_plain(&value));
            prop_assert_eq!(decode_header_value(value.as_bytes()), Ok(Cow::from(text.as_str())));
        }

        #[test]
        fn texts_near_the_markers_survive_the_way(text in "(=\\?base64\\?)?[ -~\t]{0,12}(\\?=)?") {
            let value = encode_header_value(&text).to_string();
            prop_assert_eq!(decode_header_value(value.as_bytes()), Ok(Cow::from(text.as_str())));
        }

        #[test]
        fn no_bytes_make_the_decoder_panic(raw in any::<alloc::vec::Vec<u8>>()) {
            if let Ok(text) = decode_header_value(&raw) {
                let value = encode_header_value(&text);
                prop_assert_eq!(decode_header_value(value.as_bytes()), Ok(text.clone()));
            }
        }
    }
}
