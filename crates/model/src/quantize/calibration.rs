//! Errors that make up for each other: four bits chosen with the input of a matrix in view.
//!
//! To round each value by itself is not the best that four bits can do. A row's output for an input `x` is a sum of
//! products, and where two columns of the input rise and fall together, an error in one can be taken back in the
//! other. GPTQ (Frantar et al. 2022) rounds one column after the other and moves each one's error into those that are
//! still to come, by the second moments `H` of the input. Here they are moments about the mean: what the mean input
//! makes of an error is a constant for each row, and goes into the layer's bias.
//!
//! # Without texts
//!
//! The moments need inputs. Good ones would be texts of the language that the encoder will read, which nobody has
//! asked for here; the tokenizer's own words do nearly as well. Vocabularies are sorted by how frequent a word is, so
//! rows of words drawn by Zipf's law, some as short as a question and some as long as a passage, have each word about
//! as often as real texts do; a few marks, endings and letters stand between them. Nothing has to be shipped, and any
//! encoder in any language is calibrated the same way (what it gains: docs/concepts/neural-core.md).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use campanile_kernels::{BLOCK, add_products, add_scaled, dot64};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;
use rayon::prelude::*;

use super::{blocks, fit_a_block};
use crate::encoder::{EncoderConfig, Input, Pass, Trunk};
use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorSource};
use crate::tokenizer::{TokenSequence, Tokenizer};

/// Texts that are made up: from 16,000 tokens on, a cosine gains less than a thousandth by more of them.
const TEXTS: usize = 240;
/// Words of a short text and of a long one, from and to.
const LENGTHS: [(u32, u32); 2] = [(6, 20), (60, 180)];
/// Of this many pieces one is a comma, one a full stop, and [`ODD`] are any that are no word.
const MIXTURE: u32 = 20;
const ODD: u32 = 2;

/// The damping that is added to the moments' diagonal, as a share of its mean: directions that no text showed are not free.
const DAMPING: f64 = 0.01;

/// Lines of an input's sums of products that a core takes at a time: they stay in its cache.
const LINES_AT_ONCE: usize = 16;

/// The matrices of a layer, each by its input.
const MATRICES: [(&str, Input); 6] = [
    ("attention.self.query", Input::States),
    ("attention.self.key", Input::States),
    ("attention.self.value", Input::States),
    ("attention.output.dense", Input::Attended),
    ("intermediate.dense", Input::Normalised),
    ("output.dense", Input::Wide),
];

/// The inputs that the matrices of an encoder's layers are multiplied with, by layer and input.
pub struct Calibration {
    inputs: HashMap<(usize, Input), Moments>,
}

impl Calibration {
    /// Runs made-up texts through the network whose weights `source` holds.
    ///
    /// The same network gives the same bits, on any machine.
    ///
    /// # Errors
    /// Where the network cannot be loaded or run.
    pub fn of(
        config: &EncoderConfig,
        tokenizer: &Tokenizer,
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        let trunk = Trunk::load(&config.network, source)?;
        let mut sums = HashMap::new();
        for text in made_up_texts(tokenizer, config.token_limit())? {
            add_inputs(&mut sums, &trunk, text)?;
        }
        let inputs = sums.into_par_iter().map(|(key, sums)| Ok((key, sums.moments()?)));
        Ok(Self { inputs: inputs.collect::<Result<_, ModelError>>()? })
    }

    /// A layer's matrix in four bits, and what its bias gains; `None` for tensors that are no matrix of a layer, or have
    /// values that no block can have.
    pub(super) fn quantised(
        &self,
        name: &str,
        stored: &StoredTensor<'_>,
    ) -> Result<Option<(StoredTensor<'static>, Vec<f32>)>, ModelError> {
        let Some(moments) = input_of(name).and_then(|key| self.inputs.get(&key)) else {
            return Ok(None);
        };
        let rows = (0..stored.rows()).into_par_iter().map(|row| {
            let mut values = vec![0.0; stored.columns()];
            let is_sound = stored.read_row(row, &mut values) && fit_a_block(&values);
            is_sound.then(|| moments.quantised(values))
        });
        let Some(rows) = rows.collect::<Option<Vec<(Vec<u8>, f32)>>>() else { return Ok(None) };
        let (bytes, shifts): (Vec<Vec<u8>>, Vec<f32>) = rows.into_iter().unzip();
        let shape = stored.shape().to_vec();
        let bytes = bytes.concat().into();
        Ok(Some((StoredTensor::new(name, shape, Encoding::Q4_0, bytes, vec![])?, shifts)))
    }
}

/// The layer and the input of a matrix of this name.
fn input_of(name: &str) -> Option<(usize, Input)> {
    let (_, below) = name.strip_suffix(".weight")?.split_once("layer.")?;
    let (number, part) = below.split_once('.')?;
    let (_, input) = MATRICES.iter().find(|(matrix, _)| *matrix == part)?;
    Some((number.parse().ok()?, *input))
}

/// Rows of words by Zipf's law, with some pieces between them that are none.
fn made_up_texts(
    tokenizer: &Tokenizer,
    token_limit: usize,
) -> Result<Vec<TokenSequence>, ModelError> {
    let pieces = tokenizer.pieces();
    let special = tokenizer.special_texts();
    let is_reserved = |piece: &str| piece.starts_with('[') && piece.ends_with(']');
    let (mut words, mut odd) = (Vec::new(), Vec::new());
    for piece in &pieces {
        match word(piece) {
            Some(word) => words.push(word),
            None if piece.is_empty() || is_reserved(piece) || special.contains(piece) => {}
            None => odd.push(piece.as_str()),
        }
    }
    // A vocabulary of one kind has no others.
    if words.is_empty() {
        words.clone_from(&odd);
    }
    if odd.is_empty() {
        odd.clone_from(&words);
    }
    if words.is_empty() {
        return Err(ModelError::tokenizer("it has no piece to calibrate with"));
    }
    let mut random = Pcg32::new(1, 1);
    let mut below = |end: u32| random.next_u32() % end;
    (0..TEXTS)
        .map(|text| {
            let (least, most) = LENGTHS[text % LENGTHS.len()];
            let mut written = String::new();
            for _ in 0..least + below(most - least) {
                let piece = match below(MIXTURE) {
                    0 => ",",
                    1 => ".",
                    kind if kind < 2 + ODD => odd[below(odd.len() as u32) as usize],
                    _ => {
                        // The logarithm of a word's rank is spread evenly: its share is one over its rank.
                        let even = f64::from(below(1 << 24)) / f64::from(1 << 24);
                        let rank = libm::pow(words.len() as f64, even);
                        words[(rank as usize - 1).min(words.len() - 1)]
                    }
                };
                // The end of a word stands beside its beginning, as the piece says.
                let (space, piece) = piece.strip_prefix("##").map_or((" ", piece), |end| ("", end));
                written.push_str(space);
                written.push_str(piece);
            }
            tokenizer.sequence(&written, token_limit)
        })
        .collect()
}

/// The word that a piece writes: two letters or more, at the start of a word where the tokenizer marks starts.
fn word(piece: &str) -> Option<&str> {
    let word = piece.trim_start_matches(['▁', 'Ġ']);
    (word.chars().count() > 1 && word.chars().all(char::is_alphabetic)).then_some(word)
}

/// Sums over the rows of an input.
struct Sums {
    rows: usize,
    /// `[columns]`
    values: Vec<f32>,
    /// `[columns, columns]`, of which the upper triangle is filled.
    products: Vec<f32>,
}

/// Adds a text's inputs to the sums of each.
fn add_inputs(
    sums: &mut HashMap<(usize, Input), Sums>,
    trunk: &Trunk,
    text: TokenSequence,
) -> Result<(), ModelError> {
    // One text at a time, so that its inputs come in one order.
    let inputs = Mutex::new(Vec::new());
    let observer = |layer: usize, input: Input, rows: &[f32]| {
        let mut inputs = inputs.lock().unwrap_or_else(PoisonError::into_inner);
        inputs.push(((layer, input), rows.to_vec()));
    };
    trunk.each(Pass { observer: Some(&observer), ..Pass::default() }, &[text], |_, _| Ok(()))?;
    let config = trunk.config();
    for (key, rows) in inputs.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let columns = match key.1 {
            Input::Wide => config.intermediate_size,
            Input::States | Input::Attended | Input::Normalised => config.hidden_size,
        };
        sums.entry(key).or_insert_with(|| Sums::new(columns)).add(&rows);
    }
    Ok(())
}

impl Sums {
    fn new(columns: usize) -> Self {
        Self { rows: 0, values: vec![0.0; columns], products: vec![0.0; columns * columns] }
    }

    /// Adds rows, `[rows, columns]`. Each sum adds them in their order, however many cores take part.
    fn add(&mut self, rows: &[f32]) {
        let columns = self.values.len();
        self.rows += rows.len() / columns;
        for row in rows.chunks_exact(columns) {
            campanile_kernels::add(&mut self.values, row);
        }
        self.products.par_chunks_mut(columns * LINES_AT_ONCE).enumerate().for_each(
            |(part, lines)| {
                add_products(lines, part * LINES_AT_ONCE, rows, columns);
            },
        );
    }

    /// The mean, and what errors are moved by.
    fn moments(&self) -> Result<Moments, ModelError> {
        let columns = self.values.len();
        let count = self.rows as f64;
        let mean: Vec<f64> = self.values.iter().map(|sum| f64::from(*sum) / count).collect();
        let covariance = |i: usize, j: usize| {
            let product = self.products[i.min(j) * columns + i.max(j)];
            f64::from(product) / count - mean[i] * mean[j]
        };
        let level = (0..columns).map(|i| covariance(i, i)).sum::<f64>() / columns as f64;
        let damped = |i, j| covariance(i, j) + if i == j { DAMPING * level } else { 0.0 };
        let transfer = inverse_factor(columns, damped).ok_or_else(|| {
            ModelError::config("the network gives values that are no numbers for ordinary words")
        })?;
        Ok(Moments { mean: mean.into_iter().map(|mean| mean as f32).collect(), transfer })
    }
}

/// The mean of an input, `[columns]`, and the upper triangle `U` of `H⁻¹ = UᵀU`, `[columns, columns]`, where `H` is its
/// covariance.
struct Moments {
    mean: Vec<f32>,
    transfer: Vec<f32>,
}

impl Moments {
    /// A row as [`Encoding::Q4_0`], and what it loses for the mean input.
    fn quantised(&self, mut values: Vec<f32>) -> (Vec<u8>, f32) {
        let columns = self.mean.len();
        let mut bytes = Vec::new();
        let mut lost = 0.0;
        let original = values.clone();
        for start in (0..columns).step_by(BLOCK) {
            let diagonal = |k: usize| self.transfer[(start + k) * (columns + 1)];
            let weights = std::array::from_fn(|k| diagonal(k).powi(-2));
            let scale = blocks::q4_0_scale(&std::array::from_fn(|k| values[start + k]), &weights);
            let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
            let mut quants = [0.0; BLOCK];
            for (k, quant) in quants.iter_mut().enumerate() {
                let column = start + k;
                *quant = (values[column] * inverse).round_ties_even().clamp(-8.0, 7.0);
                let error = (values[column] - *quant * scale) / diagonal(k);
                lost += (original[column] - *quant * scale) * self.mean[column];
                let shares = &self.transfer[column * columns..][..columns];
                add_scaled(&mut values[column + 1..], -error, &shares[column + 1..]);
            }
            blocks::push_q4_0(scale, &quants, &mut bytes);
        }
        (bytes, lost)
    }
}

/// The upper triangle `U` of `H⁻¹ = UᵀU` for a symmetric matrix `H` of `size` rows; `None` if that is not positive
/// definite.
///
/// With rows and columns of `H` in the opposite order, `H = LLᵀ` (Cholesky), and `L⁻¹`, turned round again, is `U`.
fn inverse_factor(size: usize, matrix: impl Fn(usize, usize) -> f64) -> Option<Vec<f32>> {
    let opposite = |index: usize| size - 1 - index;
    let mut lower = vec![0.0; size * size];
    for i in 0..size {
        let (above, line) = lower.split_at_mut(i * size);
        for j in 0..i {
            let other = &above[j * size..][..=j];
            let rest = matrix(opposite(i), opposite(j)) - dot64(&line[..j], &other[..j]);
            line[j] = rest / other[j];
        }
        let rest = matrix(opposite(i), opposite(i)) - dot64(&line[..i], &line[..i]);
        if rest.is_nan() || rest <= 0.0 {
            return None;
        }
        line[i] = rest.sqrt();
    }
    let mut upper = vec![0.0; size * size];
    let mut column = vec![0.0; size];
    for j in 0..size {
        column[j] = 1.0 / lower[j * size + j];
        for i in j + 1..size {
            let line = &lower[i * size..][..=i];
            column[i] = -dot64(&line[j..i], &column[j..i]) / line[i];
        }
        for i in j..size {
            upper[opposite(i) * size + opposite(j)] = column[i] as f32;
        }
    }
    Some(upper)
}

#[cfg(test)]
mod tests {
    use super::{inverse_factor, word};

    #[test]
    fn the_inverse_is_the_square_of_its_factor() {
        let h = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.0], [0.6, 1.0, 3.0]];
        let factor = inverse_factor(3, |i, j| h[i][j]).unwrap_or_default();
        let u = |i: usize, j: usize| f64::from(factor[i * 3 + j]);
        assert!(u(1, 0) == 0.0 && u(2, 0) == 0.0 && u(2, 1) == 0.0, "{factor:?}");
        let inverse = |k: usize, j: usize| (0..3).map(|m| u(m, k) * u(m, j)).sum::<f64>();
        for (i, row) in h.iter().enumerate() {
            for j in 0..3 {
                let product: f64 =
                    row.iter().enumerate().map(|(k, value)| value * inverse(k, j)).sum();
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-5, "{i} {j} {product}");
            }
        }
        assert_eq!(inverse_factor(2, |i, j| if i == j { -1.0 } else { 0.0 }), None);
        assert_eq!(inverse_factor(1, |_, _| f64::NAN), None);
    }

    #[test]
    fn words_are_told_from_parts_and_marks() {
        let cases = [
            ("the", Some("the")),
            ("▁Haus", Some("Haus")),
            ("Ġthe", Some("the")),
            ("##ing", None),
            ("[PAD]", None),
            ("a", None),
            ("1999", None),
            ("", None),
        ];
        for (piece, expected) in cases {
            assert_eq!(word(piece), expected, "{piece}");
        }
    }
}
