//! What the facade exports. That the list is in step is a matter of generated pages.

use pm_mcp_architecture::facade::exported;
use pm_mcp_architecture::tree::Source;

#[test]
fn names_and_methods_are_read_and_private_ones_are_not() {
    let root = "pub use tool::{Tool, tool};\npub use pm_mcp_domain::a::{\n    One, Two as Zwei,\n};\npub use serde;\nuse x::Y;\n";
    let tool = "impl Tool {\n    /// pub fn in prose\n    pub fn name(&self) -> &str {}\n    pub(crate) fn hidden() {}\n    fn own() {}\n}\n\
                impl<F: Fn() -> Vec<u8>> Draft<F> {\n    pub async fn run<T>() {}\n}\n\
                impl Clone for Tool {\n    fn clone(&self) {}\n}\n";
    let sources = [Source::made_up("app/sdk/src/lib.rs", root), Source::made_up("app/sdk/src/tool.rs", tool)];
    let said = "pm_mcp::Draft::run\npm_mcp::One, of pm_mcp_domain\npm_mcp::Tool\npm_mcp::Tool::name\n\
                pm_mcp::Zwei, of pm_mcp_domain\npm_mcp::serde, a crate\npm_mcp::tool\n";
    assert_eq!(exported(&sources), said);
}

#[test]
fn no_adapter_is_named_by_its_technology() {
    let sources = crate::sources();
    for line in exported(&sources).lines() {
        let name = line.split(", of ").next().unwrap_or_default().to_lowercase();
        for technology in ["warp", "hyper", "jsonschema", "ring::", "tower", "socket"] {
            assert!(!name.contains(technology), "{line} leaks {technology}");
        }
    }
}
