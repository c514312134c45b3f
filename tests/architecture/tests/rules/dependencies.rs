//! Who depends on whom.

use pm_mcp_architecture::cargo::Kind;
use pm_mcp_architecture::edges::{layer_faults, table_faults};
use pm_mcp_architecture::fault::listing;
use pm_mcp_architecture::table::{Row, TABLE};

use crate::{made_up, members};

const SMALL: Row = Row { name: "core", normal: &["serde"], base: &[], dev: &["insta"] };

#[test]
fn every_edge_is_in_the_table() {
    assert_eq!(listing(&table_faults(&members(), TABLE)), "");
}

#[test]
fn every_edge_fits_the_layers() {
    assert_eq!(listing(&layer_faults(&members())), "");
}

#[test]
fn a_new_edge_is_refused() {
    let faults = table_faults(&[made_up("core", "domain/core", &["serde", "rand"])], &[SMALL]);
    assert_eq!(
        listing(&faults),
        "core: may not depend on rand (Normal); if it should, say so in the table\n"
    );
}

#[test]
fn an_unknown_crate_is_refused() {
    let known = made_up("core", "domain/core", &[]);
    let faults = table_faults(&[known, made_up("stray", "adapters/stray", &[])], &[SMALL]);
    assert_eq!(listing(&faults), "stray: is in no row of the table of who may depend on whom\n");
}

#[test]
fn a_row_without_a_crate_is_refused() {
    assert_eq!(listing(&table_faults(&[], &[SMALL])), "core: has a row in the table but is no member\n");
}

#[test]
fn what_tests_may_use_is_no_excuse_for_the_crate() {
    let mut core = made_up("core", "domain/core", &["insta"]);
    assert_eq!(table_faults(std::slice::from_ref(&core), &[SMALL]).len(), 1);
    core.dependencies[0].kind = Kind::Dev;
    assert_eq!(table_faults(std::slice::from_ref(&core), &[SMALL]), []);
    core.dependencies[0].kind = Kind::Build;
    assert_eq!(table_faults(&[core], &[SMALL]).len(), 1);
}

#[test]
fn each_layer_refuses_what_lies_outside_it() {
    let refused = [
        ("domain/mcp", "ports/mcp"),
        ("domain/mcp", "domain/tracker"),
        ("ports/mcp", "domain/tracker"),
        ("ports/mcp", "adapters/seal-ring"),
        ("ports/mcp", "app/engine"),
        ("adapters/transport-warp", "adapters/seal-ring"),
        ("adapters/transport-warp", "app/engine"),
        ("app/engine", "adapters/clock-system"),
        ("app/engine", "ports/tracker"),
        ("app/engine", "app/sdk"),
        ("app/sdk", "app/tracker"),
        ("app/tracker", "app/engine"),
        ("app/tracker", "domain/mcp"),
        ("app/tracker", "ports/mcp"),
        ("app/tracker", "adapters/workspace-pm"),
    ];
    for (user, used) in refused {
        let members = [made_up("user", user, &["used"]), made_up("used", used, &[])];
        assert_eq!(layer_faults(&members).len(), 1, "{user} may use {used}");
    }
}

#[test]
fn each_layer_may_use_what_lies_within_it() {
    let allowed = [
        ("ports/mcp", "domain/mcp"),
        ("adapters/transport-warp", "ports/mcp"),
        ("app/engine", "ports/mcp"),
        ("app/sdk", "adapters/transport-warp"),
        ("app/tracker", "app/sdk"),
        ("app/tracker", "domain/tracker"),
        ("app/server", "adapters/workspace-pm"),
        ("tests/acceptance", "app/server"),
    ];
    for (user, used) in allowed {
        let members = [made_up("user", user, &["used"]), made_up("used", used, &[])];
        assert_eq!(listing(&layer_faults(&members)), "");
    }
}
