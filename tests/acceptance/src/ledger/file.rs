//! Item files: the part of TOON that they use.

use serde_json::{Map, Value};

/// Reads an item file: its metadata and its body.
///
/// # Errors
/// What cannot be read, and at which line.
pub fn read_item(text: &str) -> Result<(Map<String, Value>, String), String> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .map(|line| {
            let rest = line.trim_start_matches(' ');
            (line.len() - rest.len(), rest)
        })
        .collect();
    let mut reader = Reader { lines, at: 0 };
    let mut members = reader.object(0)?;
    if reader.at < reader.lines.len() {
        return Err(format!("line {}: not understood", reader.at + 1));
    }
    let body = members.remove("body").and_then(|body| body.as_str().map(str::to_owned));
    Ok((members, body.ok_or("there is no body")?))
}

struct Reader<'t> {
    lines: Vec<(usize, &'t str)>,
    at: usize,
}

/// What stands before the colon of a line.
struct Head {
    key: String,
    /// The length, for a list.
    length: Option<usize>,
    /// The columns, for a table.
    columns: Option<String>,
}

impl Reader<'_> {
    fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("line {}: {what}", self.at + 1))
    }

    /// Members at one depth.
    fn object(&mut self, indent: usize) -> Result<Map<String, Value>, String> {
        let mut members = Map::new();
        while let Some(&(depth, line)) = self.lines.get(self.at) {
            if depth != indent || line.starts_with("- ") || line == "-" {
                break;
            }
            let (key, value) = self.member(line, indent)?;
            members.insert(key, value);
        }
        Ok(members)
    }

    /// One member, whose line is `line` and whose inner lines are deeper than `indent`. Leaves the reader behind it.
    fn member(&mut self, line: &str, indent: usize) -> Result<(String, Value), String> {
        let (head, rest) = self.head(line)?;
        self.at += 1;
        let rest = rest.trim();
        let value = match (head.length, head.columns) {
            (Some(length), Some(columns)) => self.table(length, &columns, indent + 2)?,
            (Some(0), None) => Value::Array(Vec::new()),
            (Some(length), None) if rest.is_empty() => self.list(length, indent + 2)?,
            (Some(length), None) => {
                let cells = cells(rest);
                if cells.len() != length {
                    return self.fail("a list of another length");
                }
                Value::Array(cells.iter().map(|cell| scalar(cell)).collect())
            }
            (None, _) if rest.is_empty() => Value::Object(self.object(indent + 2)?),
            (None, _) => scalar(rest),
        };
        Ok((head.key, value))
    }

    fn list(&mut self, length: usize, indent: usize) -> Result<Value, String> {
        let mut list = Vec::new();
        while let Some(&(depth, line)) = self.lines.get(self.at) {
            let Some(item) = line.strip_prefix("- ").or_else(|| (line == "-").then_some("")) else { break };
            if depth != indent {
                break;
            }
            if item.is_empty() {
                self.at += 1;
                list.push(Value::Object(Map::new()));
            } else if self.head(item).is_ok() {
                // The first member stands behind the dash, the others below it.
                let (key, value) = self.member(item, indent + 2)?;
                let mut members = Map::from_iter([(key, value)]);
                members.extend(self.object(indent + 2)?);
                list.push(Value::Object(members));
            } else {
                self.at += 1;
                list.push(scalar(item));
            }
        }
        if list.len() == length { Ok(Value::Array(list)) } else { self.fail("a list of another length") }
    }

    fn table(&mut self, length: usize, columns: &str, indent: usize) -> Result<Value, String> {
        let mut rows = Vec::new();
        while let Some(&(depth, line)) = self.lines.get(self.at) {
            if depth != indent || rows.len() == length {
                break;
            }
            let mut cells = cells(line).into_iter();
            rows.push(Value::Object(row(columns, &mut cells)));
            if cells.next().is_some() {
                return self.fail("a row of another length");
            }
            self.at += 1;
        }
        if rows.len() == length { Ok(Value::Array(rows)) } else { self.fail("a table of another length") }
    }

    /// `key:`, `key[n]:`, `key[n]{a,b}:`, and what follows.
    fn head<'l>(&self, line: &'l str) -> Result<(Head, &'l str), String> {
        let (key, rest) = match line.strip_prefix('"') {
            Some(_) => {
                let end = quoted_end(line).ok_or("an open quote")?;
                (unquoted(&line[..end]), &line[end..])
            }
            None => {
                let end = line.find([':', '[', ' ', '"', ',', '{']).ok_or("no colon")?;
                (line[..end].to_owned(), &line[end..])
            }
        };
        if let Some(rest) = rest.strip_prefix(':') {
            let plain = rest.is_empty() || rest.starts_with(' ');
            return if plain {
                Ok((Head { key, length: None, columns: None }, rest))
            } else {
                Err("no member".into())
            };
        }
        let rest = rest.strip_prefix('[').ok_or("no member")?;
        let (length, rest) = rest.split_once(']').ok_or("an open bracket")?;
        let length = length.parse().map_err(|_| "no length")?;
        let (columns, rest) = match rest.strip_prefix('{') {
            None => (None, rest),
            Some(inner) => {
                let mut open = 1;
                let end = inner.char_indices().find(|(_, c)| {
                    open += match c {
                        '{' => 1,
                        '}' => -1,
                        _ => 0,
                    };
                    open == 0
                });
                let (end, _) = end.ok_or("open columns")?;
                (Some(inner[..end].to_owned()), &inner[end + 1..])
            }
        };
        let rest = rest.strip_prefix(':').ok_or("no colon")?;
        Ok((Head { key, length: Some(length), columns }, rest))
    }
}

/// The members of a row; columns with columns of their own are objects.
fn row(columns: &str, cells: &mut impl Iterator<Item = String>) -> Map<String, Value> {
    let mut members = Map::new();
    for column in split(columns, true) {
        let value = match column.split_once('{') {
            Some((key, inner)) => {
                let inner = inner.strip_suffix('}').unwrap_or(inner);
                members.insert(unquoted(key), Value::Object(row(inner, cells)));
                continue;
            }
            None => cells.next().map_or(Value::Null, |cell| scalar(&cell)),
        };
        members.insert(unquoted(&column), value);
    }
    members
}

fn cells(line: &str) -> Vec<String> {
    split(line, false)
}

/// Splits at commas outside of quotes, and outside of braces where those group.
fn split(line: &str, braces: bool) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut quoted, mut escaped, mut open) = (false, false, 0_i32);
    for c in line.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' if braces && !quoted => open += 1,
            '}' if braces && !quoted => open -= 1,
            ',' if !quoted && open == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
}

fn quoted_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn unquoted(text: &str) -> String {
    let Some(inner) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
        return text.to_owned();
    };
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, false) => out.push(c),
            (_, true) => match chars.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some('t') => out.push('\t'),
                Some('u') => {
                    let code: String = chars.by_ref().take(4).collect();
                    out.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
                }
                Some(other) => out.push(other),
                None => {}
            },
        }
    }
    out
}

fn scalar(text: &str) -> Value {
    let text = text.trim();
    match text {
        "null" => return Value::Null,
        "true" => return Value::Bool(true),
        "false" => return Value::Bool(false),
        "[]" => return Value::Array(Vec::new()),
        "{}" => return Value::Object(Map::new()),
        _ => {}
    }
    if text.starts_with('"') {
        return Value::String(unquoted(text));
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = digits.starts_with(|c: char| c.is_ascii_digit())
        && !(digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0."));
    match serde_json::from_str::<Value>(text) {
        Ok(value) if number && value.is_number() => value,
        Ok(_) | Err(_) => Value::String(text.to_owned()),
    }
}
