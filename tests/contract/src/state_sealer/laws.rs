//! The laws, one function each.

use crate::law::{Outcome, ensure};
use crate::secret::shows;

use super::harness::Sealers;

const FIRST: [u8; 32] = *b"the first key, 32 bytes of a key";
const SECOND: [u8; 32] = *b"the other key, 32 bytes of a key";
const CONTEXT: &[u8] = b"deployer 1.0";

pub(super) async fn what_is_sealed_opens_unchanged(sealers: Sealers) -> Outcome {
    let (sealer, twin) = (sealers.with(&FIRST, &[])?, sealers.with(&FIRST, &[])?);
    let long = vec![0xA5; 60_000];
    for plain in [&b""[..], b"x", b"\0\xFF\x7F", b"{\"a\":1}", &long] {
        for context in [&b""[..], b"\0", CONTEXT, &long] {
            let sealed = sealer.seal(plain, context)?;
            let url_safe = sealed.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
            ensure!(url_safe, "a sealed state has other characters than URL-safe ones");
            for opener in [&sealer, &twin] {
                let opened = opener.open(&sealed, context);
                ensure!(
                    opened.as_deref() == Some(plain),
                    "a state of {} bytes opens as another",
                    plain.len()
                );
            }
        }
    }
    Ok(())
}

pub(super) async fn another_text_opens_nothing(sealers: Sealers) -> Outcome {
    let sealer = sealers.with(&FIRST, &[])?;
    let sealed = sealer.seal(b"a state of a few dozen bytes, as JSON", CONTEXT)?;
    let characters: Vec<char> = sealed.chars().collect();
    let mut others: Vec<String> = Vec::new();
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
    for end in ["A", "=", "==", " ", "\n", "\0"] {
        others.extend([format!("{sealed}{end}"), format!("{end}{sealed}")]);
    }
    others.push(format!("{sealed}{sealed}"));
    for other in others.iter().filter(|other| **other != sealed) {
        ensure!(sealer.open(other, CONTEXT).is_none(), "{other:?} opens, though {sealed:?} was sealed");
    }
    Ok(())
}

pub(super) async fn another_context_opens_nothing(sealers: Sealers) -> Outcome {
    let sealer = sealers.with(&FIRST, &[])?;
    let sealed = sealer.seal(b"bcd", b"a")?;
    for context in [&b""[..], b"b", b"ab", b"a\0", b"A", b"abcd", b"aa"] {
        ensure!(sealer.open(&sealed, context).is_none(), "the state opens in the context {context:?}");
    }
    let sealed = sealer.seal(b"", b"")?;
    ensure!(sealer.open(&sealed, b"a").is_none(), "a state that was sealed without context opens in one");
    Ok(())
}

pub(super) async fn nothing_of_the_state_can_be_read(sealers: Sealers) -> Outcome {
    let sealer = sealers.with(&FIRST, &[])?;
    let plain = b"what the client must not read";
    for _ in 0..8 {
        let sealed = sealer.seal(plain, CONTEXT)?;
        ensure!(!shows(sealed.as_bytes(), plain), "the state can be read in {sealed:?}");
    }
    Ok(())
}

pub(super) async fn equal_states_do_not_look_equal(sealers: Sealers) -> Outcome {
    let sealer = sealers.with(&FIRST, &[])?;
    let (one, other) = (sealer.seal(&[7; 64], CONTEXT)?, sealer.seal(&[7; 64], CONTEXT)?);
    ensure!(one != other, "one state sealed twice gives one text");
    // A form byte and a key id may stay the same at the beginning; what holds the state may not.
    let same = one.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
    ensure!(same < 16, "the last {same} characters of two sealed states are the same");
    Ok(())
}

pub(super) async fn keys_show_in_no_output(sealers: Sealers) -> Outcome {
    let sealer = sealers.with(&FIRST, &[SECOND])?;
    let outputs = [
        format!("{sealer:?}"),
        format!("{sealer:#?}"),
        sealer.seal(b"a state", CONTEXT)?,
        sealer.seal(&[0; 64], CONTEXT)?,
    ];
    for output in outputs {
        for key in [FIRST, SECOND] {
            ensure!(
                !shows(output.as_bytes(), &key),
                "a key can be read in an output of {} bytes",
                output.len()
            );
        }
    }
    Ok(())
}

pub(super) async fn an_older_key_still_opens_and_a_dropped_one_does_not(sealers: Sealers) -> Outcome {
    let before = sealers.with(&FIRST, &[])?;
    let rotated = sealers.with(&SECOND, &[FIRST])?;
    let after = sealers.with(&SECOND, &[])?;
    let old = before.seal(b"old", CONTEXT)?;
    let new = rotated.seal(b"new", CONTEXT)?;
    ensure!(rotated.open(&old, CONTEXT).as_deref() == Some(b"old"), "an older key of the ring opens nothing");
    ensure!(
        after.open(&new, CONTEXT).as_deref() == Some(b"new"),
        "the ring does not seal with its active key"
    );
    ensure!(after.open(&old, CONTEXT).is_none(), "what a dropped key sealed still opens");
    ensure!(before.open(&new, CONTEXT).is_none(), "what a key sealed opens without it");
    Ok(())
}
