//! The head of a `SKILL.md`.

use super::fault::SkillFault;

/// The YAML between the first line, which is `---`, and the next line that is `---`. A byte order mark is passed over.
///
/// # Errors
///
/// [`SkillFault::NoFrontMatter`] when the text does not begin so.
///
/// ```
/// use pm_mcp_domain::skill::front_matter;
/// assert_eq!(front_matter("---\nname: a\n---\n# A\n").unwrap(), "name: a\n");
/// assert!(front_matter("# A\n---\nname: a\n---\n").is_err());
/// ```
pub fn front_matter(text: &str) -> Result<&str, SkillFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let head = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"));
    let head = head.ok_or(SkillFault::NoFrontMatter)?;
    let mut length = 0;
    for line in head.split_inclusive('\n') {
        if line.strip_prefix("---").is_some_and(|rest| rest.trim_matches([' ', '\t', '\r', '\n']).is_empty())
        {
            return head.get(..length).ok_or(SkillFault::NoFrontMatter);
        }
        length += line.len();
    }
    Err(SkillFault::NoFrontMatter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_ends_at_the_first_line_of_hyphens() {
        for (text, head) in [
            ("---\na: 1\n---", Some("a: 1\n")),
            ("---\r\na: 1\r\n---\r\nbody", Some("a: 1\r\n")),
            ("\u{feff}---\na: 1\n---  \nbody", Some("a: 1\n")),
            ("---\na: 1\nb: '---'\n--- \t\n---\n", Some("a: 1\nb: '---'\n")),
            ("---\n---\n", Some("")),
            ("---\na: 1\n----\n---\n", Some("a: 1\n----\n")),
            ("---\na: 1\n", None),
            (" ---\na: 1\n---\n", None),
            ("--- \na: 1\n---\n", None),
            ("# title\n", None),
            ("", None),
        ] {
            assert_eq!(front_matter(text).ok(), head, "{text:?}");
        }
    }
}
