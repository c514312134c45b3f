//! Tokens of new ids.

use sha2::{Digest as _, Sha256};

const LETTERS: [u8; 36] = *b"0123456789abcdefghijklmnopqrstuvwxyz";

/// A token of `length` letters from random bytes, each letter as likely as any other. Bytes that would make some
/// letters likelier are passed over, so give about a tenth more bytes than letters; `None` if they do not suffice.
#[must_use]
pub fn token_of(bytes: &[u8], length: usize) -> Option<String> {
    let fair = bytes.iter().filter(|byte| **byte < 252);
    let letters = fair.filter_map(|byte| LETTERS.get(usize::from(*byte) % LETTERS.len()));
    let token: String = letters.take(length).map(|letter| char::from(*letter)).collect();
    (token.len() == length).then_some(token)
}

/// The token of an item that a batch makes: the same batch and name always give the same one. `attempt` counts from 0
/// and gives others where one is taken.
#[must_use]
pub fn derived_token(transaction: &str, name: &str, attempt: u32, length: usize) -> String {
    let mut bytes = Vec::new();
    let mut block = 0_u32;
    loop {
        let mut hasher = Sha256::new();
        for part in [transaction.as_bytes(), name.as_bytes(), &attempt.to_be_bytes(), &block.to_be_bytes()] {
            hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            hasher.update(part);
        }
        bytes.extend_from_slice(&hasher.finalize());
        if let Some(token) = token_of(&bytes, length) {
            return token;
        }
        block += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_use_every_letter_alike_and_need_enough_bytes() {
        let all: Vec<u8> = (0..=255).collect();
        let token = token_of(&all, 252).unwrap();
        for letter in LETTERS {
            assert_eq!(token.bytes().filter(|byte| *byte == letter).count(), 7, "{letter}");
        }
        assert_eq!(token_of(&[255, 1], 2), None);
    }

    #[test]
    fn one_batch_and_name_give_one_token() {
        let token = derived_token("tx-1", "a", 0, 6);
        assert_eq!((token.len(), derived_token("tx-1", "a", 0, 6)), (6, token.clone()));
        for other in [
            derived_token("tx-1", "b", 0, 6),
            derived_token("tx-2", "a", 0, 6),
            derived_token("tx-1", "a", 1, 6),
        ] {
            assert_ne!(other, token);
        }
        assert_ne!(derived_token("ab", "c", 0, 6), derived_token("a", "bc", 0, 6));
        assert_eq!(derived_token("t", "r", 0, 64).len(), 64);
    }
}
