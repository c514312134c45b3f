//! `application/x-www-form-urlencoded`, as queries and token requests have it.

use alloc::string::String;
use alloc::vec::Vec;

/// Appends a name and its value.
pub(super) fn append(form: &mut String, name: &str, value: &str) {
    if !form.is_empty() && !form.ends_with('?') && !form.ends_with('&') {
        form.push('&');
    }
    encode_into(form, name);
    form.push('=');
    encode_into(form, value);
}

/// One text, encoded.
pub(super) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    encode_into(&mut encoded, text);
    encoded
}

fn encode_into(form: &mut String, text: &str) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or('0');
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'*' => {
                form.push(char::from(byte))
            }
            b' ' => form.push('+'),
            _ => {
                form.push('%');
                form.push(digit(byte >> 4));
                form.push(digit(byte & 0xf));
            }
        }
    }
}

/// The names and values of a form in their order; `None` when it is not one, or not of UTF-8.
pub(super) fn decode(form: &str) -> Option<Vec<(String, String)>> {
    let pairs = form.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decode_text(name)?, decode_text(value)?))
        })
        .collect()
}

fn decode_text(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit =
                    || char::from(rest.next()?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                digit()? << 4 | digit()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::borrow::ToOwned;

    #[test]
    fn forms_are_written_as_browsers_write_them() {
        let mut form = String::new();
        append(&mut form, "resource", "https://h/a b?x=ü&y=1");
        append(&mut form, "scope", "a:b c*~");
        assert_eq!(form, "resource=https%3A%2F%2Fh%2Fa+b%3Fx%3D%C3%BC%26y%3D1&scope=a%3Ab+c*%7E");
    }

    #[test]
    fn what_is_no_form_is_refused() {
        for form in ["a=%", "a=%4", "a=%zz", "a=%ff", "%c3=1", "a=%+1"] {
            assert_eq!(decode(form), None, "{form}");
        }
        let pairs = decode("&a=1&&b&a==%3d+&").unwrap();
        let expected = [("a", "1"), ("b", ""), ("a", "== ")];
        assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(name in any::<String>(), value in any::<String>()) {
            let mut form = String::new();
            append(&mut form, &name, &value);
            prop_assert_eq!(decode(&form).unwrap(), [(name, value)]);
        }

        #[test]
        fn no_text_upsets_the_reader(form in any::<String>()) {
            decode(&form);
        }
    }
}
