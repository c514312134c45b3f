//! What people read.

use pm_mcp_architecture::fault::listing;
use pm_mcp_architecture::pages::{credentials, dead_links, unknown_tests, unlinked, untried_code};
use pm_mcp_architecture::tests::Tests;
use pm_mcp_architecture::tree::{self, Source};

use crate::{members, sources};

#[test]
fn no_link_leads_nowhere() {
    let is_place = |path: &str| tree::root().join(path).exists();
    assert_eq!(listing(&dead_links(&sources(), is_place)), "");
}

#[test]
fn every_page_is_reached_from_the_index() {
    assert_eq!(listing(&unlinked(&sources())), "");
}

#[test]
fn every_example_is_compiled_or_is_no_program() {
    assert_eq!(listing(&untried_code(&sources())), "");
}

#[test]
fn every_test_that_a_page_names_is_there() {
    let (members, sources) = (members(), sources());
    assert_eq!(listing(&unknown_tests(&sources, &Tests::of(&members, &sources))), "");
}

#[test]
fn dead_links_and_lost_pages_are_seen() {
    let tree = [
        Source::made_up(
            "docs/README.md",
            "[a](a.md) [b](gone.md) [c](a.md#two-words) [d](a.md#none) [e](https://x/y)\n",
        ),
        Source::made_up(
            "docs/a.md",
            "# One\n\n## Two words!\n\n```text\n[x](nowhere.md)\n```\n[up](../README.md)\n",
        ),
        Source::made_up("docs/b/lost.md", "# Lost\n"),
        Source::made_up("README.md", "[self](#here)\n\n# Here\n"),
    ];
    let is_place = |path: &str| tree.iter().any(|source| source.path == path);
    let said = "docs/README.md: links `gone.md`, which is not there\n\
                docs/README.md: links `a.md#none`, which has no such heading\n";
    assert_eq!(listing(&dead_links(&tree, is_place)), said);
    let said = "docs/b/lost.md: is not linked from docs/README.md or the index of its folder\n";
    assert_eq!(listing(&unlinked(&tree)), said);
}

#[test]
fn code_that_nobody_tries_is_seen() {
    let page = "```rust\nlet a = 1;\n    let b = 2;\n```\n```rust\nlet c = 3;\n```\n```rust,ignore\n```\n```\n```\n```perl\n```\n```sh\n```\n";
    let quoted = Source::made_up("x/src/a.rs", "fn f() {\n    let a = 1;\n    let b = 2;\n}\n");
    let said = listing(&untried_code(&[Source::made_up("docs/a.md", page), quoted]));
    assert_eq!(said.lines().count(), 4, "{said}");
    assert!(said.starts_with("docs/a.md:5: is Rust that no test compiles"), "{said}");
    let including = Source::made_up("x/src/a.rs", "#[doc = include_str!(\"../../docs/a.md\")]\nstruct A;\n");
    let said = listing(&untried_code(&[Source::made_up("docs/a.md", page), including]));
    assert_eq!(said.lines().count(), 3, "{said}");
}

#[test]
fn a_named_test_that_is_gone_is_seen() {
    let page = Source::made_up("docs/a.md", "`pm-x::it_holds`, `pm_x::Type`, `pm-x` and `pm-x::it_held`\n");
    let test = Source::made_up("x/src/a.rs", "#[test]\nfn it_holds() {}\n");
    let (members, sources) = ([crate::made_up("pm-x", "x", &[])], [page, test]);
    let said = listing(&unknown_tests(&sources, &Tests::of(&members, &sources)));
    assert_eq!(said, "docs/a.md: names the test `pm-x::it_held`, which is not there\n");
}

#[test]
fn no_example_holds_a_real_credential() {
    assert_eq!(listing(&credentials(&sources())), "");
    let page = "```sh\nTOKEN=xK3mP9qR7sT2uV5wX8yZ1aB4 USER=ada\n```\nand eyJhbGciOi\n";
    let said = listing(&credentials(&[Source::made_up("docs/a.md", page)]));
    assert_eq!(said, "docs/a.md:1: shows `TOKEN=xK3mP9qR7sT2uV5wX8yZ1aB4`, which looks like a credential\n");
}
