//! Splits text into search tokens.
//!
//! A token is a lower-cased run of letters and digits in the sense of Unicode. Items and queries go through the
//! same function, so what it does to odd characters cancels out.

/// Longest token kept, in characters. The rest of a longer run is dropped, so that encoded blobs in a body cannot
/// fill the index.
pub const TOKEN_CHARS_MAX: usize = 64;

/// Calls `visit` with every token of `text`, in order, repeated ones too.
pub fn each_token(text: &str, mut visit: impl FnMut(&str)) {
    let mut token = String::new();
    let mut chars = 0_usize;
    for character in text.chars() {
        if character.is_alphanumeric() {
            if chars < TOKEN_CHARS_MAX {
                push_lower_case(&mut token, character);
            }
            chars = chars.saturating_add(1);
        } else if chars > 0 {
            visit(&token);
            token.clear();
            chars = 0;
        }
    }
    if chars > 0 {
        visit(&token);
    }
}

/// The tokens of `text`, in order, repeated ones too.
#[must_use]
pub fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_token(text, |token| found.push(token.to_owned()));
    found
}

fn push_lower_case(token: &mut String, character: char) {
    if character.is_ascii() {
        token.push(character.to_ascii_lowercase());
    } else {
        token.extend(character.to_lowercase());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_letters_and_digits_are_lower_cased() {
        assert_eq!(
            tokens("Retry uploads: back-off_2, HTTP/1.1"),
            ["retry", "uploads", "back", "off", "2", "http", "1", "1"]
        );
    }

    #[test]
    fn letters_of_any_script_count() {
        assert_eq!(tokens("Größe ÉTÉ Ωmega 東京"), ["größe", "été", "ωmega", "東京"]);
    }

    #[test]
    fn text_without_letters_has_no_tokens() {
        assert!(tokens(" -- \n\t!?").is_empty());
        assert!(tokens("").is_empty());
    }

    #[test]
    fn a_long_run_is_one_cut_token() {
        let found = tokens(&"x".repeat(10_000));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].chars().count(), TOKEN_CHARS_MAX);
    }
}
