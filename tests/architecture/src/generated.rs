//! Pages that are written, not typed: their texts, and what they are made of.

use std::fs;
use std::io;
use std::path::Path;

use crate::facade::exported;
use crate::manifest::Manifest;
use crate::matrix::{Matrix, page};
use crate::tree;

/// Where the rows of the matrix are said.
pub const MATRIX_SOURCE: &str = "tests/architecture/matrix.json";

/// Every generated page of the tree at `root`: its path and its text as it has to be.
///
/// # Errors
///
/// When a source of them cannot be read.
pub fn pages(root: &Path) -> io::Result<Vec<(&'static str, String)>> {
    let manifest = Manifest::read(&fs::read_to_string(root.join("docs/requirements.json"))?)?;
    let matrix = Matrix::read(&fs::read_to_string(root.join(MATRIX_SOURCE))?)?;
    let readme = fs::read_to_string(root.join("README.md"))?;
    Ok(vec![
        ("docs/conformance-matrix.md", page(&matrix, &manifest)),
        ("README.md", with_sums(&readme, &manifest)),
        ("tests/architecture/public-surface.txt", exported(&tree::sources(root)?)),
    ])
}

/// `readme` with the sums of requirements as its last line.
fn with_sums(readme: &str, manifest: &Manifest) -> String {
    let body = readme.trim_end();
    let body = match body.rsplit_once('\n') {
        Some((before, last)) if last.starts_with("Requirements: ") => before.trim_end(),
        Some(_) | None => body,
    };
    format!("{body}\n\n{}\n", manifest.sums())
}
