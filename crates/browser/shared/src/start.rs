use wasm_bindgen::prelude::wasm_bindgen;

/// Runs once, when the module is instantiated.
///
/// Where a library in the tree registers static constructors, the linker wraps every export so that
/// all constructors run again on each call from JavaScript, milliseconds each time, unless the
/// program calls them itself. This is that call; a test looks for the wrappers.
#[wasm_bindgen(start)]
pub fn start() {
    unsafe extern "C" {
        fn __wasm_call_ctors();
    }
    // SAFETY: the linker defines this function with exactly this type, and the constructors must
    // run before anything else of the module does: nothing has run yet.
    #[expect(unsafe_code, reason = "the linker's function has no safe face")]
    unsafe {
        __wasm_call_ctors();
    }
}
