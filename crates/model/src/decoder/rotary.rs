//! Rotary positions (Su et al. 2021), by halves: value `i` of a head turns with value `i + head/2`
//! by the angle position · frequency `i`.
//!
//! Sines and cosines come from `libm` rather than from the system, so that a page and a terminal
//! compute with the same bits.

use super::config::DecoderConfig;

/// The angles by which a model's heads are turned.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotary {
    /// Radians a position: `head / 2` of them.
    frequencies: Vec<f32>,
    /// By what cosines and sines are multiplied.
    factor: f32,
}

impl Rotary {
    /// The angles of a model.
    pub fn new(config: &DecoderConfig) -> Self {
        let head = config.head_dim;
        let theta = config.rope_theta;
        let mut frequencies: Vec<f64> =
            (0..head / 2).map(|i| 1.0 / libm::pow(theta, (2 * i) as f64 / head as f64)).collect();
        let scaling = config.rope_scaling.as_ref();
        let factor =
            scaling.map_or(1.0, |scaling| scaling.apply(&mut frequencies, head, theta)) as f32;
        let frequencies = frequencies.into_iter().map(|value| value as f32).collect();
        Self { frequencies, factor }
    }

    /// Radians a position, `head / 2` values.
    pub fn frequencies(&self) -> &[f32] {
        &self.frequencies
    }

    /// By what cosines and sines are multiplied: other than 1 with [`Yarn`](crate::RopeScaling::Yarn) only.
    pub fn factor(&self) -> f32 {
        self.factor
    }

    /// Writes the cosines and sines of `tokens` positions from `position` on, `[tokens, head/2]`
    /// each, in place of what the two held.
    ///
    /// Angles are rounded to single precision, as the models were trained with them.
    pub fn angles(
        &self,
        position: usize,
        tokens: usize,
        cosines: &mut Vec<f32>,
        sines: &mut Vec<f32>,
    ) {
        cosines.clear();
        sines.clear();
        for token in position..position + tokens {
            for frequency in &self.frequencies {
                let (sine, cosine) = libm::sincos(f64::from(token as f32 * frequency));
                cosines.push(cosine as f32 * self.factor);
                sines.push(sine as f32 * self.factor);
            }
        }
    }
}
