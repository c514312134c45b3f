//! Whether a secret can be read in an output.

use std::fmt::Write;

/// Whether `output` shows eight bytes or more of `secret` in a row: as they are, or written in hexadecimal, in Base64 of
/// either alphabet, or as a list of numbers.
pub(crate) fn shows(output: &[u8], secret: &[u8]) -> bool {
    let decoded: Vec<Vec<u8>> = (0..4).map(|skipped| from_base64(output, skipped)).collect();
    secret.windows(8).any(|part| {
        let mut hexadecimal = String::new();
        for byte in part {
            // Writing to a string cannot fail.
            write!(hexadecimal, "{byte:02x}").ok();
        }
        let listed = part.iter().map(u8::to_string).collect::<Vec<_>>();
        let lowered = output.to_ascii_lowercase();
        holds(output, part)
            || holds(&lowered, hexadecimal.as_bytes())
            || holds(output, listed.join(", ").as_bytes())
            || holds(output, listed.join(",").as_bytes())
            || decoded.iter().any(|decoded| holds(decoded, part))
    })
}

fn holds(output: &[u8], part: &[u8]) -> bool {
    output.windows(part.len()).any(|window| window == part)
}

/// What the text is in Base64 when its first `skipped` characters belong to something else. Others than those of the
/// alphabets count as zero.
fn from_base64(text: &[u8], skipped: usize) -> Vec<u8> {
    let sextets = text.iter().skip(skipped).map(|character| match character {
        b'A'..=b'Z' => character.wrapping_sub(b'A'),
        b'a'..=b'z' => character.wrapping_sub(b'a').wrapping_add(26),
        b'0'..=b'9' => character.wrapping_sub(b'0').wrapping_add(52),
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => 0,
    });
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(text.len()), 0_u32, 0_u32);
    for sextet in sextets {
        bits = ((bits << 6) | u32::from(sextet)) & 0xFFFF;
        count = count.wrapping_add(6);
        if count >= 8 {
            count = count.wrapping_sub(8);
            bytes.push(u8::try_from((bits >> count) & 0xFF).unwrap_or_default());
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"a secret of 24 bytes, no";

    #[test]
    fn a_secret_is_found_however_it_is_written() {
        for output in [
            "Key(a secret of 24 bytes, no)",
            "61207365637265742066",
            "612073656372657420",
            "[97, 32, 115, 101, 99, 114, 101, 116]",
            "97,32,115,101,99,114,101,116",
            "v1.YSBzZWNyZXQgb2YgMjQgYnl0ZXMsIG5v",
            "YSBzZWNyZXQgb2YgMjQgYnl0ZXMsIG5v",
        ] {
            assert!(shows(output.as_bytes(), SECRET), "{output}");
        }
    }

    #[test]
    fn what_is_no_secret_is_not_taken_for_one() {
        for output in ["", "Key(..)", "a secret", "RingSealer { keys: 2 }"] {
            assert_eq!(shows(output.as_bytes(), SECRET), output == "a secret", "{output}");
        }
    }
}
