//! How fast the kernels are, on the shapes of all-MiniLM-L6-v2 and SmolLM2-135M.
//!
//! Natively: `cargo run --release -p campanile-kernels --example speed`, every instruction set of
//! this processor with one thread, and the best with all threads.
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
    for isa in Isa::available() {
        cases::all(isa, Threads::One)?;
    }
    if cfg!(not(target_arch = "wasm32")) {
        cases::all(Isa::best(), Threads::All)?;
    }
    Ok(())
}
