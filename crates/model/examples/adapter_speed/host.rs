//! The clock and the output, natively and in WebAssembly.

#[cfg(target_arch = "wasm32")]
mod imported {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Milliseconds.
        pub safe fn now() -> f64;
        /// Prints a line of UTF-8.
        pub unsafe fn print(text: *const u8, len: usize);
    }
}

/// Milliseconds since some moment.
#[cfg(target_arch = "wasm32")]
pub fn now_ms() -> f64 {
    imported::now()
}

/// Milliseconds since some moment.
#[cfg(not(target_arch = "wasm32"))]
pub fn now_ms() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64() * 1e3
}

/// Prints a line.
#[cfg(target_arch = "wasm32")]
pub fn print(line: &str) {
    // SAFETY: the text is there while the host reads it.
    unsafe { imported::print(line.as_ptr(), line.len()) }
}

/// Prints a line.
#[cfg(not(target_arch = "wasm32"))]
pub fn print(line: &str) {
    println!("{line}");
}
