//! From a token's vector to fewer numbers, along the directions in which token vectors differ most.

use super::codec::{Codec, late};
use crate::IndexError;
use crate::bytes::{Reader, put_varint};

/// The largest step of a direction's quantised numbers.
const STEPS: f64 = 127.0;
/// The limit of scales, offsets and numbers of a direction: its squares can still be summed in 32 bits, so that the image
/// of a finite vector is finite. Learnt directions have length 1.
const LARGEST: f64 = 1e9;

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
    /// `[output]`, none beyond [`LARGEST`].
    scales: Vec<f32>,
    /// `[output]`: the mean vector's own image, none beyond [`LARGEST`].
    offsets: Vec<f32>,
    /// `[input, output]`: the directions, ready to be multiplied with.
    columns: Vec<f32>,
}

impl Projection {
    /// Quantises `directions`, each of as many numbers as `mean`.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] for a direction of another length, [`IndexError::NotFinite`] also for numbers beyond
    /// 10^9, [`IndexError::Late`] where there are none or too many of them.
    pub fn new(directions: &[Vec<f64>], mean: &[f64]) -> Result<Self, IndexError> {
        let mut made = Self::quantised(directions, mean.len())?;
        if mean.iter().any(|value| !is_usable(*value)) {
            return Err(IndexError::NotFinite { row: directions.len() });
        }
        let mean: Vec<f32> = mean.iter().map(|&value| value as f32).collect();
        made.offsets = made.image(&mean);
        Ok(made)
    }

    /// Quantises `directions`, each of `input` numbers, of which the mean's own image, `offsets`, is known already.
    ///
    /// # Errors
    /// As [`Projection::new`], and [`IndexError::Dimension`] for other than one offset a direction.
    pub fn with_offsets(
        directions: &[Vec<f64>],
        input: usize,
        offsets: Vec<f32>,
    ) -> Result<Self, IndexError> {
        let made = Self::quantised(directions, input)?;
        if offsets.len() != made.output {
            return Err(IndexError::Dimension { expected: made.output, found: offsets.len() });
        }
        if let Some(row) = offsets.iter().position(|&offset| !is_usable(f64::from(offset))) {
            return Err(IndexError::NotFinite { row });
        }
        Ok(Self { offsets, ..made })
    }

    fn quantised(directions: &[Vec<f64>], input: usize) -> Result<Self, IndexError> {
        let output = directions.len();
        check(input, output)?;
        let (mut steps, mut scales) = (Vec::new(), Vec::new());
        for (row, direction) in directions.iter().enumerate() {
            if direction.len() != input {
                return Err(IndexError::Dimension { expected: input, found: direction.len() });
            }
            if direction.iter().any(|value| !is_usable(*value)) {
                return Err(IndexError::NotFinite { row });
            }
            let largest = direction.iter().fold(0f64, |most, value| most.max(value.abs()));
            let factor = if largest > 0.0 { STEPS / largest } else { 0.0 };
            steps.extend(direction.iter().map(|value| (value * factor).round() as i8));
            scales.push((largest / STEPS) as f32);
        }
        Ok(Self::of_parts(input, steps, scales, vec![0.0; output]))
    }

    fn of_parts(input: usize, steps: Vec<i8>, scales: Vec<f32>, offsets: Vec<f32>) -> Self {
        let output = scales.len();
        // Column by column, so that the innermost loop runs over neighbours in memory and becomes vector
        // instructions.
        let mut columns = vec![0.0; input * output];
        for (row, (steps, scale)) in steps.chunks_exact(input).zip(&scales).enumerate() {
            for (&step, column) in steps.iter().zip(columns.chunks_exact_mut(output)) {
                column[row] = f32::from(step) * scale;
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
            // Before the mean is taken away: the mean was taken of vectors of length 1.
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
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
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

    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<Self, IndexError> {
        let input = reader.count(1, "the numbers of a token's vector")?;
        // Each direction takes its steps, a scale and an offset: a damaged count asks for no memory.
        let output = reader.count(input + 8, "the directions")?;
        check(input, output)
            .map_err(|_| reader.damaged("a projection to fewer numbers", output.to_string()))?;
        let (mut steps, mut scales, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..output {
            scales.push(usable(reader, "a scale")?);
            offsets.push(usable(reader, "an offset")?);
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

/// Returns `true` for a finite number that does not exceed [`LARGEST`].
fn is_usable(value: f64) -> bool {
    value.abs() <= LARGEST
}

fn usable(reader: &mut Reader<'_>, what: &str) -> Result<f32, IndexError> {
    let value = reader.finite_f32(what)?;
    if !is_usable(f64::from(value)) {
        // No number is written out: the page's program has nothing else that writes such ones.
        return Err(reader.damaged(format!("{what} of at most 10^9"), "more"));
    }
    Ok(value)
}

/// Scales a vector to length 1, if it has a length.
fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|value| *value /= length);
    }
}

/// Rounds of the iteration: the subspace hardly moves after twenty.
const ROUNDS: usize = 30;
/// Seed of the first directions and of the turn; any number will do, as long as it stays the same.
const SEED: u64 = 0x243f_6a88_85a3_08d3;

/// Sums over token vectors, from which a [`Projection`] is learned.
///
/// Vectors count with length 1, as they are compared. Everything is summed in double precision in
/// the order given, without a library's functions but the square root: the same vectors give the same
/// projection on every machine.
#[derive(Debug, Clone)]
pub struct TokenStatistics {
    dimension: usize,
    count: usize,
    sum: Vec<f64>,
    /// `[dimension, dimension]`: of all products of two numbers of a vector.
    products: Vec<f64>,
}

impl TokenStatistics {
    /// Sums of no vectors yet.
    pub fn new(dimension: usize) -> Self {
        let products = vec![0.0; dimension * dimension];
        Self { dimension, count: 0, sum: vec![0.0; dimension], products }
    }

    /// Counts vectors in, `[vectors, dimension]`; one without a length is passed over.
    pub fn add(&mut self, vectors: &[f32]) {
        for vector in vectors.chunks_exact(self.dimension.max(1)) {
            let vector: Vec<f64> = vector.iter().map(|&value| f64::from(value)).collect();
            let length = dot(&vector, &vector).sqrt();
            if !(length > 0.0 && length.is_finite()) {
                continue;
            }
            let vector: Vec<f64> = vector.iter().map(|value| value / length).collect();
            self.count += 1;
            add_scaled(&mut self.sum, &vector, 1.0);
            for (row, &value) in self.products.chunks_exact_mut(self.dimension).zip(&vector) {
                add_scaled(row, &vector, value);
            }
        }
    }

    /// The projection to the `output` directions in which the vectors vary most: principal
    /// components (Pearson, 1901), found by orthogonal iteration and then turned at random, so that
    /// no direction of the result varies more than another and one step of a [`Codec`](super::Codec)
    /// fits all.
    ///
    /// # Errors
    /// [`IndexError::Late`] where there are fewer vectors than directions, or fewer numbers in a
    /// vector.
    pub fn projection(&self, output: usize) -> Result<Projection, IndexError> {
        if output > self.dimension || self.count < output {
            return Err(late(format!(
                "at least {output} token vectors of as many numbers, found {} of {}",
                self.count, self.dimension
            )));
        }
        let mean: Vec<f64> = self.sum.iter().map(|sum| sum / self.count as f64).collect();
        let covariance = self.covariance(&mean);
        let mut random = Random(SEED);
        let mut directions = random.directions(output, self.dimension);
        for _ in 0..ROUNDS {
            directions =
                directions.iter().map(|direction| product(&covariance, direction)).collect();
            orthonormalise(&mut directions);
        }
        // Principal directions vary from most to least, and one step cannot fit all; turned at random, each has its
        // share of every one.
        let mut turns = random.directions(output, output);
        orthonormalise(&mut turns);
        let turned = turns.iter().map(|turn| {
            let mut row = vec![0.0; self.dimension];
            for (direction, &share) in directions.iter().zip(turn) {
                add_scaled(&mut row, direction, share);
            }
            row
        });
        Projection::new(&turned.collect::<Vec<_>>(), &mean)
    }

    fn covariance(&self, mean: &[f64]) -> Vec<Vec<f64>> {
        let rows = self.products.chunks_exact(self.dimension.max(1)).zip(mean);
        rows.map(|(row, left)| {
            let value = |(product, right): (&f64, &f64)| product / self.count as f64 - left * right;
            row.iter().zip(mean).map(value).collect()
        })
        .collect()
    }
}

/// Gram and Schmidt's process, twice over: once leaves what rounding left.
fn orthonormalise(rows: &mut [Vec<f64>]) {
    for place in 0..rows.len() {
        let (before, rest) = rows.split_at_mut(place);
        let row = &mut rest[0];
        for _ in 0..2 {
            for other in &*before {
                let share = dot(row, other);
                add_scaled(row, other, -share);
            }
        }
        let length = dot(row, row).sqrt();
        if length > 0.0 {
            row.iter_mut().for_each(|value| *value /= length);
        }
    }
}

fn product(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let mut result = vec![0.0; vector.len()];
    // The matrix is symmetric, so its rows are its columns.
    for (row, &value) in matrix.iter().zip(vector) {
        add_scaled(&mut result, row, value);
    }
    result
}

fn add_scaled(sum: &mut [f64], vector: &[f64], factor: f64) {
    for (sum, value) in sum.iter_mut().zip(vector) {
        *sum += factor * value;
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn directions(&mut self, count: usize, dimension: usize) -> Vec<Vec<f64>> {
        (0..count).map(|_| (0..dimension).map(|_| self.number()).collect()).collect()
    }

    /// Between -6 and 6, spread about normally: a sum of twelve.
    fn number(&mut self) -> f64 {
        (0..12).map(|_| (self.next() >> 11) as f64 / (1u64 << 53) as f64).sum::<f64>() - 6.0
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
