use campanile_retrieve::Clock;
use wasm_bindgen::{JsCast as _, JsValue};

/// `performance.now()`, which a window and a worker both have; the date where neither is there.
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
