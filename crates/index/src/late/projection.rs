//! From a token's vector to the fewer numbers that are compared.

use super::codec::{Codec, late};
use crate::IndexError;
use crate::bytes::{Reader, put_varint};

/// The largest step of a direction's quantised numbers.
const STEPS: f64 = 127.0;

/// A linear map from an encoder's token vectors to shorter ones, after their mean is taken away.
///
/// Directions are kept with eight bits a number and one scale each: 49 kB for 128 directions of 384
/// numbers, which every page loads. The build projects passages with the very same numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    input: usize,
    output: usize,
    /// `[output, input]`
    steps: Vec<i8>,
    /// `[output]`, finite.
    scales: Vec<f32>,
    /// `[output]`: the mean vector's own image, finite.
    offsets: Vec<f32>,
    /// `[input, output]`: the directions, ready to be multiplied with.
    columns: Vec<f32>,
}

impl Projection {
    /// Quantises `directions`, each of as many numbers as `mean`.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] for a direction of another length, [`IndexError::NotFinite`],
    /// [`IndexError::Late`] where there are none or too many of them.
    pub fn new(directions: &[Vec<f64>], mean: &[f64]) -> Result<Self, IndexError> {
        let (input, output) = (mean.len(), directions.len());
        check(input, output)?;
        let (mut steps, mut scales) = (Vec::new(), Vec::new());
        for (row, direction) in directions.iter().enumerate() {
            if direction.len() != input {
                return Err(IndexError::Dimension { expected: input, found: direction.len() });
            }
            if direction.iter().chain(mean).any(|value| !value.is_finite()) {
                return Err(IndexError::NotFinite { row });
            }
            let largest = direction.iter().fold(0f64, |most, value| most.max(value.abs()));
            let factor = if largest > 0.0 { STEPS / largest } else { 0.0 };
            steps.extend(direction.iter().map(|value| (value * factor).round() as i8));
            scales.push((largest / STEPS) as f32);
        }
        let mean: Vec<f32> = mean.iter().map(|&value| value as f32).collect();
        let mut made = Self::of_parts(input, steps, scales, vec![0.0; output]);
        made.offsets = made.image(&mean);
        Ok(made)
    }

    fn of_parts(input: usize, steps: Vec<i8>, scales: Vec<f32>, offsets: Vec<f32>) -> Self {
        let output = scales.len();
        let mut columns = vec![0.0; input * output];
        for (row, (steps, scale)) in steps.chunks_exact(input).zip(&scales).enumerate() {
            for (&step, column) in steps.iter().zip(columns.chunks_exact_mut(output)) {
                if let Some(place) = column.get_mut(row) {
                    *place = f32::from(step) * scale;
                }
            }
        }
        Self { input, output, steps, scales, offsets, columns }
    }

    /// Returns how many numbers a token's vector has.
    pub fn input(&self) -> usize {
        self.input
    }

    /// Returns how many numbers are compared.
    pub fn output(&self) -> usize {
        self.output
    }

    /// The projected vectors of `tokens`, `[tokens, input]`, each of length 1: `[tokens, output]`. A
    /// vector that is nothing but the mean has no direction and becomes zeros.
    ///
    /// Each number is a sum in the order of the vector's numbers, so a page and a build agree to the
    /// last bit wherever their token vectors do.
    pub fn apply(&self, tokens: &[f32]) -> Vec<f32> {
        let mut projected = Vec::with_capacity(tokens.len() / self.input * self.output);
        for token in tokens.chunks_exact(self.input) {
            let mut token = token.to_vec();
            normalise(&mut token);
            let mut image = self.image(&token);
            for (value, offset) in image.iter_mut().zip(&self.offsets) {
                *value -= offset;
            }
            normalise(&mut image);
            projected.extend(image);
        }
        projected
    }

    fn image(&self, vector: &[f32]) -> Vec<f32> {
        let mut image = vec![0.0; self.output];
        for (&value, column) in vector.iter().zip(self.columns.chunks_exact(self.output)) {
            for (sum, part) in image.iter_mut().zip(column) {
                *sum += value * part;
            }
        }
        image
    }

    /// Writes `input` and `output` (variable length), and for each direction its scale and offset
    /// (f32) and its steps (i8).
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put_varint(out, self.input as u32);
        put_varint(out, self.output as u32);
        let numbers = self.scales.iter().zip(&self.offsets);
        for (steps, (scale, offset)) in self.steps.chunks_exact(self.input).zip(numbers) {
            out.extend(scale.to_le_bytes());
            out.extend(offset.to_le_bytes());
            out.extend(steps.iter().map(|&step| step as u8));
        }
    }

    /// A projection as bytes of its own, to be kept between builds.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        self.encode(&mut bytes);
        bytes
    }

    /// Reads what [`Projection::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not a whole projection.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IndexError> {
        let mut reader = Reader::open("projection", bytes, MAGIC)?;
        let projection = Self::decode(&mut reader)?;
        reader.finish()?;
        Ok(projection)
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Result<Self, IndexError> {
        let input = reader.count(1, "the numbers of a token's vector")?;
        let output = reader.count(input + 8, "the directions")?;
        check(input, output)
            .map_err(|_| reader.damaged("a projection to fewer numbers", output.to_string()))?;
        let (mut steps, mut scales, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..output {
            scales.push(reader.finite_f32("a scale")?);
            offsets.push(reader.finite_f32("an offset")?);
            steps.extend(reader.take(input, "a direction")?.iter().map(|&step| step as i8));
        }
        Ok(Self::of_parts(input, steps, scales, offsets))
    }
}

const MAGIC: [u8; 4] = *b"CPR1";

fn check(input: usize, output: usize) -> Result<(), IndexError> {
    if output == 0 || output > input || output > Codec::MAX_DIMENSION {
        return Err(late(format!("from 1 to {input} directions, found {output}")));
    }
    Ok(())
}

/// Scales a vector to length 1, if it has a length.
pub(super) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|value| *value /= length);
    }
}
