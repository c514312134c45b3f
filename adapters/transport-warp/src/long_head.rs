//! Gives words to hyper's answer to a head that is too long. It has none, and hyper takes no others: the head was not read to
//! its end, so there is no request that a service could answer.

use pm_mcp_domain::http::HttpRefusal;

/// Where the status stands in `HTTP/1.1 431 `.
const STATUS: std::ops::Range<usize> = 9..12;

/// The header of an answer without words, after which hyper closes the connection.
const WORDLESS: &str = "content-length: 0\r\n";

/// Whether this is hyper's answer, looked for at the price of one comparison wherever it is another.
pub(crate) fn is_wordless(written: &[u8]) -> bool {
    written.get(STATUS) == Some(b"431") && with_words(written, "").is_some()
}

/// Hyper's answer with a body that says what is wrong.
pub(crate) fn told(wordless: &[u8], refusal: &HttpRefusal) -> Vec<u8> {
    with_words(wordless, &refusal.to_json()).unwrap_or_else(|| wordless.to_vec())
}

fn with_words(written: &[u8], words: &str) -> Option<Vec<u8>> {
    let head = std::str::from_utf8(written).ok()?.strip_suffix("\r\n\r\n")?;
    let head = format!("{head}\r\n");
    let (before, after) = head.split_once(WORDLESS)?;
    let length = words.len();
    let headers =
        format!("content-type: application/json\r\ncache-control: no-store\r\ncontent-length: {length}\r\n");
    Some(format!("{before}{headers}{after}\r\n{words}").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_without_words_gets_some() {
        let answer = |status: &str, length: &str| {
            format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\ndate: now\r\n\r\n")
        };
        for other in [
            answer("200 OK", "0"),
            answer("431 Request Header Fields Too Large", "7"),
            "HTTP/1.1 431".to_owned(),
            "HTTP/1.1 431 \r\ncontent-length: 0\r\n".to_owned(),
            String::new(),
        ] {
            assert!(!is_wordless(other.as_bytes()), "{other}");
        }
        let wordless = answer("431 Request Header Fields Too Large", "0");
        assert!(is_wordless(wordless.as_bytes()));
        let refusal = HttpRefusal::HeadTooLarge { bytes: 8192, headers: 16 };
        let told = String::from_utf8(told(wordless.as_bytes(), &refusal)).unwrap();
        let (head, body) = told.split_once("\r\n\r\n").unwrap();
        assert_eq!(body, refusal.to_json());
        assert!(body.contains("8192 bytes or 16 headers (limit header_bytes)"), "{body}");
        assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{head}");
        assert!(head.ends_with("\r\ndate: now") && head.matches("content-length").count() == 1, "{head}");
    }
}
