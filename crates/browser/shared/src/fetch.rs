use campanile_bundle::{Fetch, FetchError, Freshness};
use js_sys::{Function, Promise, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::values::message;

/// Reads files of the site through a JavaScript function `(path, reload) => Promise<Uint8Array>`.
pub struct PageFetch {
    read: Function,
}

impl PageFetch {
    /// A reader that calls `read`.
    pub fn new(read: Function) -> Self {
        Self { read }
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
