//! Has the linker put together what the programs run as they start, where it can.
//!
//! A system maps a program in pieces of sixteen pages. What runs until the first answer is a sixth of the code, scattered over
//! all of it, so that most pieces were mapped for it and kept; together it is in a few. `start-order.ld` names the functions,
//! `tests/bench/order.py` writes it, and docs/performance.md has the figures.
//!
//! Nothing depends on it: names that are not there are passed over, and a linker that does not take the file goes without.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let order = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("start-order.ld");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", order.display());
    let argument = format!("-Wl,-T,{}", order.display());
    let is_sought = env::var("PROFILE")? == "release" && env::var("CARGO_CFG_TARGET_OS")? == "linux";
    if is_sought && is_taken(&argument)? {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
    Ok(())
}

/// Whether a program can be linked with this argument, by the linker that will be used.
fn is_taken(argument: &str) -> Result<bool, Box<dyn Error>> {
    let place = PathBuf::from(env::var("OUT_DIR")?);
    let source = place.join("probe.rs");
    fs::write(&source, "fn main() {}")?;
    let mut compiler = Command::new(env::var("RUSTC")?);
    compiler.arg(source).args(["--target", &env::var("TARGET")?]).arg("-o").arg(place.join("probe"));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        compiler.arg(format!("-Clinker={linker}"));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    compiler.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    compiler.arg(format!("-Clink-arg={argument}"));
    Ok(compiler.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success()))
}
