//! The store that the guide to adapters shows: its code is that of the example crate, and it holds every law.

#[path = "../example-outside/src/shelf.rs"]
#[expect(unreachable_pub, reason = "in its own crate the store is public")]
mod shelf;

/// Every block of Rust in the guide is a part of the example, to the letter.
#[test]
fn the_guide_shows_the_code_of_the_example() {
    let guide = include_str!("../../../docs/writing-an-adapter.md");
    let shown = [
        include_str!("../example-outside/src/shelf.rs"),
        include_str!("../example-outside/Cargo.toml"),
        include_str!("../src/task_store/harness.rs"),
    ];
    let mut blocks = 0;
    for part in guide.split("\n```").collect::<Vec<_>>().chunks(2) {
        let [_, block] = part else { break };
        let (language, code) = block.split_once('\n').expect("a block has a first line");
        if !["rust", "toml"].contains(&language) {
            continue;
        }
        blocks += 1;
        let squeezed = squeeze(code);
        assert!(
            shown.iter().any(|source| squeeze(source).contains(&squeezed)),
            "not in the example:\n{code}"
        );
    }
    assert!(blocks >= 4, "{blocks} blocks of code");
}

/// Without indentation, and without the slashes of examples in documentation.
fn squeeze(text: &str) -> String {
    text.lines()
        .map(|line| line.trim().trim_start_matches(['/', ' ']))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n")
}
