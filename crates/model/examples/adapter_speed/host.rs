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

/// Milliseconds since some moment: of this process's own time where the system tells it and an
/// argument says `cpu`, so that other work on the machine counts for less.
#[cfg(not(target_arch = "wasm32"))]
pub fn now_ms() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    static CPU_TIME: LazyLock<bool> = LazyLock::new(|| std::env::args().any(|word| word == "cpu"));
    #[cfg(target_os = "linux")]
    if *CPU_TIME {
        return process_ms();
    }
    START.elapsed().as_secs_f64() * 1e3
}

#[cfg(target_os = "linux")]
fn process_ms() -> f64 {
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
    }
    const PROCESS_CPU_TIME: i32 = 2;
    let mut time = [0; 2];
    // SAFETY: on Linux with 64 bits a `timespec` is two of them.
    unsafe { clock_gettime(PROCESS_CPU_TIME, &mut time) };
    time[0] as f64 * 1e3 + time[1] as f64 / 1e6
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
