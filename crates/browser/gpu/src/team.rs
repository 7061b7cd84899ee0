//! Several workers with one model: each an instance of this module that holds a part of the rows.
//!
//! The page's JavaScript stands between them. What is multiplied and what comes of it pass through
//! shared memory; this module's own memory is shared with nobody.

use campanile_browser_shared::{PageFetch, message};
use campanile_model::{Helpers, ModelError, Part, Rows};
use js_sys::{Float32Array, Function};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::error::ProseError;
use crate::load::load_rows;

#[wasm_bindgen]
extern "C" {
    /// The other workers, as the leading worker reaches them.
    pub type TeamMates;

    #[wasm_bindgen(method, getter)]
    fn count(this: &TeamMates) -> usize;

    #[wasm_bindgen(method, catch, js_name = ready)]
    async fn wait_until_ready(this: &TeamMates) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = begin)]
    fn send(this: &TeamMates, product: usize, input: &[f32]) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch, js_name = end)]
    fn receive(this: &TeamMates, number: usize, output: &mut [f32]) -> Result<(), JsValue>;
}

impl TeamMates {
    /// Waits until each has its part of the model.
    pub async fn ready(&self) -> Result<(), ProseError> {
        let ready = self.wait_until_ready().await;
        ready.map(drop).map_err(|reason| ProseError::Helper(message(&reason)))
    }
}

impl Helpers for TeamMates {
    fn count(&self) -> usize {
        TeamMates::count(self)
    }

    fn begin(&mut self, product: usize, input: &[f32]) -> Result<(), ModelError> {
        self.send(product, input).map_err(|reason| lost(&reason))
    }

    fn end(&mut self, number: usize, output: &mut [f32]) -> Result<(), ModelError> {
        self.receive(number, output).map_err(|reason| lost(&reason))
    }
}

fn lost(reason: &JsValue) -> ModelError {
    ModelError::Device { doing: "computing with several workers", reason: message(reason) }
}

/// A part of the rows of every matrix, in a worker that helps.
#[wasm_bindgen]
pub struct Helper {
    rows: Rows,
    input: Vec<f32>,
    output: Vec<f32>,
}

#[wasm_bindgen]
impl Helper {
    /// Reads the site's language model through `read(path, reload) => Promise<Uint8Array>` and
    /// keeps part `number` of `of`, counted from 0.
    ///
    /// # Errors
    /// Rejects where the model cannot be had.
    pub async fn open(read: Function, number: usize, of: usize) -> Result<Helper, JsError> {
        let rows = load_rows(PageFetch::new(read), Part { number, of }).await?;
        let (input, output) = rows.most_values();
        Ok(Helper { rows, input: vec![0.0; input], output: vec![0.0; output] })
    }

    /// The most values that `multiply` takes.
    pub fn most_input(&self) -> usize {
        self.input.len()
    }

    /// The most values that `multiply` gives.
    pub fn most_output(&self) -> usize {
        self.output.len()
    }

    /// Multiplies all of `input` with the rows of a product, and writes the beginning of `output`.
    ///
    /// # Errors
    /// Where either does not fit the product.
    pub fn multiply(
        &mut self,
        product: usize,
        input: &Float32Array,
        output: &Float32Array,
    ) -> Result<(), JsError> {
        let length = input.length() as usize;
        let places = self.rows.output_length(product, length)?;
        let unfit = || JsError::new("the product is larger than was agreed");
        let own_input = self.input.get_mut(..length).ok_or_else(unfit)?;
        let own_output = self.output.get_mut(..places).ok_or_else(unfit)?;
        input.copy_to(own_input);
        self.rows.multiply(product, own_input, own_output)?;
        output.subarray(0, places as u32).copy_from(own_output);
        Ok(())
    }
}
