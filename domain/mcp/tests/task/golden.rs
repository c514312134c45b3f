//! Files that say what comes out, compared letter for letter.

/// Compares `actual` with the file at `path` below the crate, which holds `expected`. With `GOLDEN=write` in the
/// environment the file is written instead, to be read as a change of the text.
#[expect(clippy::disallowed_methods, reason = "golden files are written only by who asks for it")]
pub(crate) fn compare(path: &str, expected: &str, actual: &str) {
    if std::env::var_os("GOLDEN").is_some_and(|wish| wish == "write") {
        let file = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(file, actual).unwrap();
    } else {
        assert_eq!(
            expected, actual,
            "{path} is out of step; run this test with GOLDEN=write and read the diff"
        );
    }
}
