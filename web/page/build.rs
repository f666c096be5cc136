//! Keeps the relocations of the page's module: the bundler needs them to split it, and removes
//! them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    if target == "wasm32" {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
}
