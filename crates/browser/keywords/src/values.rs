//! Values of JavaScript by hand: a serialiser would be a third of this module.

use campanile_bundle::{Encoding, ShardEntry};
use js_sys::{Object, Reflect};
use wasm_bindgen::{JsError, JsValue};

/// A property of an object.
pub(crate) fn get(object: &JsValue, name: &str) -> Result<JsValue, JsError> {
    let missing = || JsError::new("the site's `campanile.json` is damaged; build the site again");
    let value = Reflect::get(object, &JsValue::from_str(name)).map_err(|_| missing())?;
    if value.is_undefined() { Err(missing()) } else { Ok(value) }
}

/// Gives an object of our own a property.
pub(crate) fn set(object: &Object, name: &str, value: &JsValue) {
    // Only frozen objects and proxies refuse.
    let _ = Reflect::set(object, &JsValue::from_str(name), value);
}

/// A shard as a manifest names it.
pub(crate) fn entry(value: &JsValue) -> Result<ShardEntry, JsError> {
    let text = |name| Ok::<_, JsError>(get(value, name)?.as_string().unwrap_or_default());
    let number = |name| Ok::<_, JsError>(get(value, name)?.as_f64().unwrap_or_default() as u64);
    let encoding = if text("encoding")? == "raw" { Encoding::Raw } else { Encoding::Deflate };
    Ok(ShardEntry {
        path: text("path")?,
        bytes: number("bytes")?,
        sha256: text("sha256")?.parse().map_err(|_| JsError::new("no SHA-256"))?,
        encoding,
        raw_bytes: number("raw_bytes")?,
    })
}
