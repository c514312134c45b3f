//! What kind of file a name stands for.

/// The media type of a file, by the end of its name.
pub(super) fn media_type(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    match end.to_ascii_lowercase().as_str() {
        "md" | "markdown" => "text/markdown",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "js" | "mjs" => "text/javascript",
        "json" => "application/json",
        "yaml" | "yml" => "application/yaml",
        "toml" => "application/toml",
        "xml" => "application/xml",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "gz" => "application/gzip",
        "txt" | "py" | "sh" | "rs" | "ts" | "rb" | "go" | "java" | "c" | "h" | "sql" | "tmpl" => "text/plain",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_tells_its_type() {
        for (path, wanted) in [
            ("SKILL.md", "text/markdown"),
            ("a.b/NOTES.MD", "text/markdown"),
            ("a.md/script", "application/octet-stream"),
            ("x.tar.gz", "application/gzip"),
            ("run.py", "text/plain"),
            (".md", "text/markdown"),
            ("", "application/octet-stream"),
        ] {
            assert_eq!(media_type(path), wanted, "{path}");
        }
    }
}
