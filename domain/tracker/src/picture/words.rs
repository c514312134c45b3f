//! Words that fit, and that no reader of markup takes for anything else.

use core::fmt::Write as _;

/// How wide a text is at 12 pixels in a usual sans-serif face, in pixels and a little more than less.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(char_width).sum()
}

fn char_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | 'I' => 3.6,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | ' ' | '-' | '"' => 4.6,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 10.6,
        'A'..='Z' | '&' | '_' => 8.4,
        c if c.is_ascii() => 6.9,
        // Ideographs and signs of that width; everything else is about as wide as a letter.
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{ffef}' | '\u{1f000}'..='\u{3ffff}' => 12.6,
        _ => 7.6,
    }
}

/// A text on one line, without what is not printed.
pub(super) fn plain(text: &str) -> String {
    let printed: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| is_printed(*c)).collect();
    printed.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Controls break markup; marks of writing direction would turn the words around them.
fn is_printed(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}')
}

/// A text on at most two lines of some width, broken between words where there are any; what does not fit ends in
/// `…`.
pub(super) fn two_lines(text: &str, most: f64) -> Vec<String> {
    let text = plain(text);
    if width(&text) <= most {
        return if text.is_empty() { Vec::new() } else { vec![text] };
    }
    let mut first = String::new();
    for word in text.split(' ') {
        let next = if first.is_empty() { word.to_owned() } else { format!("{first} {word}") };
        if width(&next) > most {
            break;
        }
        first = next;
    }
    if first.is_empty() {
        return vec![cut(&text, most)];
    }
    let rest = text.get(first.len()..).unwrap_or_default().trim_start();
    vec![first, cut(rest, most)]
}

/// As much of a text as fits, with `…` where something is left out.
pub(super) fn cut(text: &str, most: f64) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = char_width('…') + 2.0;
    for c in text.chars() {
        used += char_width(c);
        if used > most {
            break;
        }
        kept.push(c);
    }
    format!("{}…", kept.trim_end())
}

/// A text for XML.
pub(super) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars().filter(|c| is_printed(*c)) {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A text between the quotes of a Mermaid label. Everything but letters, digits and plain marks is written as a
/// number, so that no text ends the label or passes for markup.
pub(super) fn mermaid(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars().filter(|c| is_printed(*c)) {
        if c.is_alphanumeric()
            || matches!(c, ' ' | '-' | '_' | '.' | ',' | ':' | '?' | '!' | '/' | '(' | ')' | '+' | '…')
        {
            escaped.push(c);
        } else {
            // Writing to a string does not fail.
            let _always_ok = write!(escaped, "#{};", u32::from(c));
        }
    }
    escaped
}
