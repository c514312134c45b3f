//! The code of a Rust text without its comments and literals, so that a rule about code is not set off by words
//! in prose. Line breaks stay where they were. This is a scanner, not a parser: it knows just enough to tell a
//! literal from a lifetime.

/// `text` with comments removed and the insides of string and character literals blanked.
#[must_use]
pub fn code_only(text: &str) -> String {
    let mut scan = Scan { rest: text, kept: String::with_capacity(text.len()) };
    while let Some(next) = scan.rest.chars().next() {
        if scan.rest.starts_with("//") {
            let end = scan.rest.find('\n').unwrap_or(scan.rest.len());
            scan.drop_to(end);
        } else if scan.rest.starts_with("/*") {
            let end = block_comment_end(scan.rest);
            scan.drop_to(end);
        } else if let Some(end) = raw_string_end(scan.rest).filter(|_| !scan.after_word()) {
            scan.blank_to(end);
        } else if next == '"' {
            let end = string_end(scan.rest);
            scan.blank_to(end);
        } else if let Some(end) = char_end(scan.rest) {
            scan.blank_to(end);
        } else {
            scan.keep(next);
        }
    }
    scan.kept
}

struct Scan<'a> {
    rest: &'a str,
    kept: String,
}

impl Scan<'_> {
    fn keep(&mut self, next: char) {
        self.kept.push(next);
        self.advance(next.len_utf8());
    }

    fn drop_to(&mut self, end: usize) {
        let dropped = self.rest.get(..end).unwrap_or(self.rest);
        self.kept.extend(dropped.chars().filter(|&dropped| dropped == '\n'));
        self.advance(end);
    }

    fn blank_to(&mut self, end: usize) {
        self.kept.push('"');
        self.drop_to(end);
        self.kept.push('"');
    }

    fn advance(&mut self, by: usize) {
        self.rest = self.rest.get(by..).unwrap_or("");
    }

    /// Whether the last character kept belongs to an identifier, so that an `r` here only ends a name.
    fn after_word(&self) -> bool {
        self.kept.chars().next_back().is_some_and(|last| last.is_alphanumeric() || last == '_')
    }
}

fn block_comment_end(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

fn raw_string_end(text: &str) -> Option<usize> {
    let after_prefix = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let body = after_prefix.trim_start_matches('#');
    let hashes = after_prefix.len() - body.len();
    let inside = body.strip_prefix('"')?;
    let opened = text.len() - inside.len();
    let close = format!("\"{}", "#".repeat(hashes));
    Some(inside.find(&close).map_or(text.len(), |at| opened + at + close.len()))
}

fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, next) in text.char_indices().skip(1) {
        match next {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The end of a character literal; `None` for anything else, a lifetime above all.
fn char_end(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    if first == '\\' {
        let after = inside.get(2..)?;
        return after.find('\'').map(|at| at + 4);
    }
    let after = inside.get(first.len_utf8()..)?;
    after.starts_with('\'').then_some(first.len_utf8() + 2)
}

#[cfg(test)]
mod tests {
    use super::code_only;

    #[test]
    fn comments_and_literals_are_no_code() {
        let text = "let a = \"fn x() // \\\" \"; // fn y\n/* fn /* z */ fn */ let b = 'f'; let c: &'static str = r#\"fn \"q\" \"#;";
        assert_eq!(code_only(text), "let a = \"\"; \n let b = \"\"; let c: &'static str = \"\";");
    }

    #[test]
    fn an_unfinished_literal_ends_with_the_text() {
        assert_eq!(code_only("x \"fn"), "x \"\"");
        assert_eq!(code_only("x /* fn"), "x ");
    }
}
