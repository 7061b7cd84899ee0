//! The edge to JavaScript that the browser's modules share: reading files of the site, time, progress, values for
//! JavaScript, and the start of a module.
//!
//! Here the engine's traits meet the page. Nothing in this crate decides anything.

use campanile_bundle::{Fetch, FetchError, Freshness};
use campanile_retrieve::Clock;
use js_sys::{Function, Promise, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsError, JsValue};
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(typescript_custom_section)]
const FUNCTIONS: &str = "
/** Fetches one file of the site; `reload` passes over every cache. */
export type ReadFile = (path: string, reload: boolean) => Promise<Uint8Array>;
/** Gives what fetches the files of a site, by the site’s address. */
export type ReachSite = (address: string) => ReadFile;
/** Is told how much of a download is there, in bytes. */
export type OnProgress = (loaded: number, total: number) => void;
";

#[wasm_bindgen]
extern "C" {
    /// The page's function that fetches one file of the site.
    #[wasm_bindgen(extends = Function, typescript_type = "ReadFile")]
    pub type ReadFile;
    /// The page's function that gives a [`ReadFile`] for a site's address.
    #[wasm_bindgen(extends = Function, typescript_type = "ReachSite")]
    pub type ReachSite;
    /// The page's function that is told of a download's progress.
    #[wasm_bindgen(extends = Function, typescript_type = "OnProgress")]
    pub type OnProgress;
}

/// Reads files of the site through the page's function.
pub struct PageFetch {
    read: ReadFile,
}

impl PageFetch {
    /// A reader that calls `read`.
    pub fn new(read: ReadFile) -> Self {
        Self { read }
    }
}

impl PageFetch {
    /// A reader of the files of another site, as `reach` gives it; one that fails at each file where it gives none.
    pub fn of_site(reach: &ReachSite, address: &str) -> Self {
        let read = reach.call1(&JsValue::NULL, &JsValue::from_str(address));
        Self { read: read.unwrap_or_default().unchecked_into() }
    }
}

impl Fetch for PageFetch {
    async fn fetch(&self, path: &str, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
        let reload = JsValue::from_bool(freshness == Freshness::Reload);
        let failed = |reason: JsValue| FetchError::Failed { reason: message(&reason) };
        let promise =
            self.read.call2(&JsValue::NULL, &JsValue::from_str(path), &reload).map_err(failed)?;
        let promise: Promise = promise.dyn_into().map_err(|_| FetchError::Failed {
            reason: "the page's read function gave no promise".to_owned(),
        })?;
        let bytes = JsFuture::from(promise).await.map_err(failed)?;
        let bytes: Uint8Array = bytes.dyn_into().map_err(|_| FetchError::Failed {
            reason: "the page's read function gave no Uint8Array".to_owned(),
        })?;
        Ok(bytes.to_vec())
    }
}

/// `performance.now()`, which a window and a worker both have; the date where neither is there.
#[derive(Clone)]
pub struct PageClock {
    performance: Option<web_sys::Performance>,
}

impl Default for PageClock {
    fn default() -> Self {
        let performance =
            js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("performance"))
                .ok()
                .and_then(|value| value.dyn_into().ok());
        Self { performance }
    }
}

impl Clock for PageClock {
    fn now_ms(&self) -> f64 {
        self.performance.as_ref().map_or_else(js_sys::Date::now, web_sys::Performance::now)
    }
}

/// Hands a value to JavaScript as plain objects and numbers rather than maps and big integers.
///
/// # Errors
/// Where the value has no such form.
pub fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsError> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    Ok(value.serialize(&serializer)?)
}

/// Calls the page's `progress(loaded, total)`, in bytes.
pub fn report_progress(progress: &OnProgress, loaded: u64, total: u64) {
    // A throwing callback must not stop a download; the page sees its own error.
    let _ = progress.call2(
        &JsValue::NULL,
        &JsValue::from_f64(loaded as f64),
        &JsValue::from_f64(total as f64),
    );
}

/// The text of a thrown value or a rejected promise.
pub fn message(reason: &JsValue) -> String {
    match reason.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => reason.as_string().unwrap_or_else(|| format!("{reason:?}")),
    }
}

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
