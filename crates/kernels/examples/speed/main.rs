//! Measures how fast the kernels are, on the shapes of all-MiniLM-L6-v2 and SmolLM2-135M.
//!
//! Natively: `cargo run --release -p campanile-kernels --example speed`, every instruction set of
//! this processor with one thread, and the best with all threads; `-- avx2 all` chooses.
//!
//! In WebAssembly, by V8:
//!
//! ```text
//! cargo build --profile browser -p campanile-kernels --example speed --target wasm32-unknown-unknown
//! node crates/kernels/examples/speed/run.mjs TARGET/wasm32-unknown-unknown/browser/examples/speed.wasm
//! ```
//!
//! Every figure is the least of several runs. GMAC/s are thousand millions of multiplications
//! with an addition in a second.

mod cases;
mod host;

use campanile_kernels::{Isa, KernelError, Threads};

fn main() -> Result<(), KernelError> {
    // Natively, names of instruction sets choose among them; `all` is the best with all threads.
    let names: Vec<String> = std::env::args().skip(1).collect();
    let chosen =
        |name: &str| names.is_empty() || names.iter().any(|n| n.eq_ignore_ascii_case(name));
    for isa in Isa::available() {
        if chosen(&format!("{isa:?}")) {
            cases::all(isa, Threads::One)?;
        }
    }
    if cfg!(not(target_arch = "wasm32")) && chosen("all") {
        cases::all(Isa::best(), Threads::All)?;
    }
    Ok(())
}
