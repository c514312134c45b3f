//! The laws, one function each.

use crate::law::{Outcome, ensure};
use crate::secret::shows;

use super::harness::Signers;

const KEY: [u8; 32] = *b"the first key, 32 bytes of a key";
const OTHER: [u8; 32] = *b"the other key, 32 bytes of a key";

pub(super) async fn what_is_signed_opens_unchanged(signers: Signers) -> Outcome {
    let (signer, twin) = (signers.with(&KEY)?, signers.with(&KEY)?);
    for payload in [&b""[..], b"x", b"\0\xFF\x7F", b"tools|57", &[0xA5; 2_000]] {
        let signed = signer.sign(payload);
        let url_safe = signed.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
        ensure!(url_safe, "a cursor has other characters than URL-safe ones");
        for opener in [&signer, &twin] {
            let opened = opener.open(&signed);
            ensure!(opened.as_deref() == Some(payload), "{} bytes open as others", payload.len());
        }
    }
    Ok(())
}

pub(super) async fn another_text_opens_nothing(signers: Signers) -> Outcome {
    let signer = signers.with(&KEY)?;
    let signed = signer.sign(b"tools|57");
    let characters: Vec<char> = signed.chars().collect();
    let mut others = vec![String::new(), "e30".to_owned(), signers.with(&OTHER)?.sign(b"tools|57")];
    for place in 0..characters.len() {
        others.push(characters.iter().take(place).collect());
        others.push(characters.iter().skip(place.saturating_add(1)).collect());
        for other in ['A', 'B', '-', '_', '=', '7', 'é'] {
            let mut changed = characters.clone();
            if let Some(character) = changed.get_mut(place) {
                *character = other;
            }
            others.push(changed.into_iter().collect());
        }
    }
    for end in ["A", "=", "==", " ", "\n"] {
        others.extend([format!("{signed}{end}"), format!("{end}{signed}")]);
    }
    for other in others.iter().filter(|other| **other != signed) {
        ensure!(signer.open(other).is_none(), "{other:?} opens, though {signed:?} was signed");
    }
    Ok(())
}

pub(super) async fn the_key_shows_in_no_output(signers: Signers) -> Outcome {
    let signer = signers.with(&KEY)?;
    for output in [format!("{signer:?}"), format!("{signer:#?}"), signer.sign(b""), signer.sign(&[0; 64])] {
        ensure!(
            !shows(output.as_bytes(), &KEY),
            "the key can be read in an output of {} bytes",
            output.len()
        );
    }
    Ok(())
}
