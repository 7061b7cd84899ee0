use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Lets the worker's other messages through, such as a reader's "stop".
///
/// Awaiting the CPU never leaves the worker's current task, so a timer of no length ends it.
pub async fn let_messages_through() {
    let promise = Promise::new(&mut |resolve, _| {
        let timer = Reflect::get(&js_sys::global(), &JsValue::from_str("setTimeout"))
            .ok()
            .and_then(|value| value.dyn_into::<Function>().ok());
        // Without timers (no worker has none) the text is written without a way to stop it.
        let set = timer
            .and_then(|timer| timer.call2(&JsValue::NULL, &resolve, &JsValue::from_f64(0.0)).ok());
        if set.is_none() {
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    // The promise never rejects.
    let _ = JsFuture::from(promise).await;
}
