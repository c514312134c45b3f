//! Has the linker put together what the programs run as they start, where it can.
//!
//! A system maps a program in pieces of sixteen pages. What runs until the first answer is a sixth of the code, scattered over
//! all of it, so that most pieces were mapped for it and kept; together it is in a few. `start-order.ld` names the functions,
//! `tests/bench/order.py` writes it, and docs/performance.md has the figures.
//!
//! Nothing depends on it: names that are not there are passed over, and a linker that does not take the file goes without.

use std::env::{self, VarError};
use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

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
    let mut compiler = Command::new(env::var("RUSTC")?);
    compiler.args(["-", "--crate-name=probe", "--target", &env::var("TARGET")?]).arg("-o");
    compiler.arg(Path::new(&env::var("OUT_DIR")?).join("probe"));
    match env::var("RUSTC_LINKER") {
        Ok(linker) => drop(compiler.arg(format!("-Clinker={linker}"))),
        Err(VarError::NotPresent) => {}
        Err(fault) => return Err(fault.into()),
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS")?;
    compiler.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    compiler.arg(format!("-Clink-arg={argument}"));
    let mut probe = compiler.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    if let Some(mut source) = probe.stdin.take() {
        source.write_all(b"fn main() {}")?;
    }
    Ok(probe.wait()?.success())
}
