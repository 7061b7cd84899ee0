//! Makes tables of the files in `languages/`; a mistake in one of them ends the build, with its file and line.

#[path = "generate.rs"]
mod generate;

use std::path::Path;
use std::{env, fs, process};

fn main() {
    println!("cargo::rerun-if-changed=languages");
    println!("cargo::rerun-if-changed=generate.rs");
    let written = generate::tables(Path::new("languages")).and_then(|tables| {
        let path = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("tables.rs");
        fs::write(&path, tables).map_err(|error| format!("{}: {error}", path.display()))
    });
    if let Err(mistake) = written {
        println!("cargo::error={mistake}");
        process::exit(1);
    }
}
