//! Rotary positions (Su et al. 2021), by halves: value `i` of a head turns with value `i + head/2`
//! by the angle position · frequency `i`; and how they are stretched to texts longer than those of the training.
//!
//! Sines and cosines come from `libm` rather than from the system, so that a page and a terminal
//! compute with the same bits.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::config::DecoderConfig;
use crate::error::ModelError;

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
        // Rounded once, at the end: scaled in single precision they would differ from the reference in the last bit.
        let frequencies = frequencies.into_iter().map(|value| value as f32).collect();
        Self { frequencies, factor }
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

/// The way in which the frequencies of rotary positions differ from the plain ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rope_type", rename_all = "snake_case")]
pub enum RopeScaling {
    /// All positions are divided by `factor`.
    Linear {
        /// 1 or above.
        factor: f64,
    },
    /// Llama 3.1: long wavelengths are divided by `factor`, short ones stay, those between blend.
    Llama3 {
        /// The number of times that texts may be longer.
        factor: f64,
        /// Wavelengths above the original length over this are long.
        low_freq_factor: f64,
        /// Wavelengths below the original length over this are short.
        high_freq_factor: f64,
        /// The longest text of the training before.
        original_max_position_embeddings: usize,
    },
    /// YaRN (Peng et al. 2023): as above, blended over the dimensions, and attention is sharpened.
    Yarn {
        /// The number of times that texts may be longer.
        factor: f64,
        /// The longest text of the training before.
        original_max_position_embeddings: usize,
        /// By what cosines and sines are multiplied; `0.1 · ln factor + 1` where absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attention_factor: Option<f64>,
        /// Turns over the original length above which a frequency stays.
        #[serde(default = "default_beta_fast")]
        beta_fast: f64,
        /// Turns over the original length below which it is divided by `factor`.
        #[serde(default = "default_beta_slow")]
        beta_slow: f64,
        /// With `mscale_all_dim`, another way to give the attention factor.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mscale: Option<f64>,
        /// See `mscale`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mscale_all_dim: Option<f64>,
        /// `true` if the blend begins and ends at whole dimensions.
        #[serde(default = "default_truncate")]
        truncate: bool,
    },
    /// Each frequency is divided by a factor of its own, as the tensor `rope_freqs` of a GGUF
    /// file gives them.
    FrequencyFactors {
        /// `head / 2` of them, all above 0.
        factors: Vec<f32>,
    },
}

// With the next, the two turns that the paper proposes for Llama (Peng et al. 2023, section 3.2).
fn default_beta_fast() -> f64 {
    32.0
}

fn default_beta_slow() -> f64 {
    1.0
}

fn default_truncate() -> bool {
    true
}

impl RopeScaling {
    /// Reads the object `field` of a `config.json`; `None` where it asks for plain positions.
    pub(super) fn from_json(
        field: &str,
        object: &Map<String, Value>,
        max_positions: usize,
    ) -> Result<Option<Self>, ModelError> {
        // Older files say `type`.
        let kind = object.get("rope_type").or_else(|| object.get("type"));
        let kind = match kind.map(Value::as_str) {
            None | Some(Some("default")) => return Ok(None),
            Some(Some(kind)) => kind,
            Some(None) => {
                return Err(ModelError::config(format!("`{field}.rope_type` is no text")));
            }
        };
        if !["linear", "llama3", "yarn", "frequency_factors"].contains(&kind) {
            return Err(ModelError::config(format!(
                "`{field}.rope_type` is \"{kind}\"; \"linear\", \"llama3\", \"yarn\" and \"frequency_factors\" are run"
            )));
        }
        // A null stands for what is left out.
        let mut object = object.clone();
        object.retain(|_, value| !value.is_null());
        object.insert("rope_type".to_owned(), kind.into());
        object.entry("original_max_position_embeddings").or_insert_with(|| max_positions.into());
        serde_json::from_value(Value::Object(object))
            .map(Some)
            .map_err(|e| ModelError::config(format!("`{field}`: {e}")))
    }

    /// The object that reads as `self`.
    pub(super) fn to_json(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(object)) => object,
            // A plain struct of numbers is always an object.
            _ => Map::new(),
        }
    }

    /// Checks the numbers for heads of width `head`.
    pub(super) fn check(&self, head: usize) -> Result<(), ModelError> {
        let above = |field: &str, value: f64, least: f64| {
            if value.is_finite() && value > least {
                Ok(())
            } else {
                let reason = format!("`rope_scaling.{field}` is {value}; above {least} is run");
                Err(ModelError::config(reason))
            }
        };
        match self {
            Self::Linear { factor } => above("factor", *factor, 0.0),
            Self::Llama3 {
                factor,
                low_freq_factor,
                high_freq_factor,
                original_max_position_embeddings,
            } => {
                above("factor", *factor, 0.0)?;
                above("low_freq_factor", *low_freq_factor, 0.0)?;
                above("high_freq_factor", *high_freq_factor, *low_freq_factor)?;
                let original = *original_max_position_embeddings as f64;
                above("original_max_position_embeddings", original, 0.0)
            }
            Self::Yarn {
                factor,
                original_max_position_embeddings,
                attention_factor,
                beta_fast,
                beta_slow,
                ..
            } => {
                above("factor", *factor, 0.0)?;
                above("attention_factor", attention_factor.unwrap_or(1.0), 0.0)?;
                above("beta_slow", *beta_slow, 0.0)?;
                above("beta_fast", *beta_fast, *beta_slow)?;
                let original = *original_max_position_embeddings as f64;
                above("original_max_position_embeddings", original, 0.0)
            }
            Self::FrequencyFactors { factors } => {
                if factors.len() != head / 2 {
                    return Err(ModelError::config(format!(
                        "`rope_scaling.factors` holds {} numbers; heads of width {head} have {} frequencies",
                        factors.len(),
                        head / 2
                    )));
                }
                factors.iter().try_for_each(|&value| above("factors", value.into(), 0.0))
            }
        }
    }

    /// Changes the plain `frequencies` of heads of width `head`, and returns by what cosines and
    /// sines are multiplied.
    pub(super) fn apply(&self, frequencies: &mut [f64], head: usize, theta: f64) -> f64 {
        match self {
            Self::Linear { factor } => {
                frequencies.iter_mut().for_each(|value| *value /= factor);
                1.0
            }
            Self::Llama3 {
                factor,
                low_freq_factor: low,
                high_freq_factor: high,
                original_max_position_embeddings,
            } => {
                for value in frequencies {
                    // Turns over the original length: below `low` slow, above `high` fast.
                    let turns = *original_max_position_embeddings as f64 * *value / (2.0 * PI);
                    let kept = ((turns - low) / (high - low)).clamp(0.0, 1.0);
                    *value = (1.0 - kept) * *value / factor + kept * *value;
                }
                1.0
            }
            Self::Yarn { factor, .. } => {
                let (first, last) = self.yarn_range(head, theta);
                for (number, value) in frequencies.iter_mut().enumerate() {
                    let divided = ((number as f64 - first) / (last - first)).clamp(0.0, 1.0);
                    *value = divided * *value / factor + (1.0 - divided) * *value;
                }
                self.yarn_attention_factor()
            }
            Self::FrequencyFactors { factors } => {
                for (value, &factor) in frequencies.iter_mut().zip(factors) {
                    *value /= f64::from(factor);
                }
                1.0
            }
        }
    }

    /// Between which dimensions YaRN blends from kept to divided frequencies.
    fn yarn_range(&self, head: usize, theta: f64) -> (f64, f64) {
        let Self::Yarn { original_max_position_embeddings, beta_fast, beta_slow, truncate, .. } =
            self
        else {
            return (0.0, 1.0);
        };
        // The dimension whose frequency makes that many turns over the original length.
        let dimension = |turns: f64| {
            let length = *original_max_position_embeddings as f64;
            head as f64 * libm::log(length / (turns * 2.0 * PI)) / (2.0 * libm::log(theta))
        };
        let (mut first, mut last) = (dimension(*beta_fast), dimension(*beta_slow));
        if *truncate {
            (first, last) = (first.floor(), last.ceil());
        }
        // A short original length or a small base puts the ends beyond the dimensions that there are.
        let (first, last) = (first.max(0.0), last.min(head as f64 - 1.0));
        // Never an empty range, which would divide by 0.
        if first == last { (first, last + 0.001) } else { (first, last) }
    }

    fn yarn_attention_factor(&self) -> f64 {
        let Self::Yarn { factor, attention_factor, mscale, mscale_all_dim, .. } = self else {
            return 1.0;
        };
        let sharpened = |mscale: f64| {
            // The paper's fit of how much sharper attention has to be for texts so many times as long.
            if *factor <= 1.0 { 1.0 } else { 0.1 * mscale * libm::log(*factor) + 1.0 }
        };
        let scales = mscale.filter(|&m| m != 0.0).zip(mscale_all_dim.filter(|&m| m != 0.0));
        match (attention_factor, scales) {
            (Some(factor), _) => *factor,
            (None, Some((above, below))) => sharpened(above) / sharpened(below),
            (None, None) => sharpened(1.0),
        }
    }
}
