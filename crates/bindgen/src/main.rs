//! Makes the JavaScript of a browser module: `campanile-bindgen MODULE.wasm FOLDER NAME` writes `FOLDER/NAME.js`, its types, and
//! `FOLDER/NAME_bg.wasm`, as `wasm-bindgen --target web` does.
//!
//! wasm-bindgen's tool and its library have to be of the very same version. Its own command is to be had as source alone, and
//! brings an HTTP client, a server and TLS along for its test runner: four minutes of a processor. This is the library
//! below that command, in the version that `Cargo.lock` has for the modules, in a seventh of the time.

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    match run(env::args_os().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<OsString>) -> Result<()> {
    let [module, folder, name] = arguments.as_slice() else {
        bail!("which module, and where to? campanile-bindgen MODULE.wasm FOLDER NAME");
    };
    let name = name.to_str().context("the name is not valid Unicode")?;
    let mut bindgen = Bindgen::new();
    // As the command does without options: names in errors as in the source, types beside the script, and a module that
    // finds its wasm file beside itself.
    bindgen.input_path(module).web(true)?.out_name(name);
    bindgen.demangle(true).typescript(true).omit_default_module_path(false);
    bindgen.generate(folder).with_context(|| format!("in {}", module.display()))
}
