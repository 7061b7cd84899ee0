use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::{JsCast as _, JsError, JsValue};

/// Hands a value to JavaScript as plain objects and numbers rather than maps and big integers.
///
/// # Errors
/// Where the value has no such form.
pub fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsError> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    Ok(value.serialize(&serializer)?)
}

/// Calls `progress(loaded, total)`, in bytes, where the page gave such a function.
pub fn report_progress(progress: Option<&Function>, loaded: u64, total: u64) {
    if let Some(progress) = progress {
        // A throwing callback must not stop a download; the page sees its own error.
        let _ = progress.call2(
            &JsValue::NULL,
            &JsValue::from_f64(loaded as f64),
            &JsValue::from_f64(total as f64),
        );
    }
}

/// What a thrown value or rejected promise says.
pub fn message(reason: &JsValue) -> String {
    match reason.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => reason.as_string().unwrap_or_else(|| format!("{reason:?}")),
    }
}
