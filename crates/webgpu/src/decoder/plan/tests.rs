//! Every kernel against its twin on the CPU.

use futures_lite::future::block_on;

use super::*;
use crate::decoder::memory::BLOCK_TOKENS;
use crate::device::WebGpu;
use crate::kernel::Step;
use crate::product::CachePrecision;
use crate::twin;
use crate::twin::{ENCODINGS, Numbers, assert_close};

const EPSILON: f32 = 1e-5;
const TOLERANCE: f32 = 2e-5;

fn shape() -> Shape {
    Shape {
        hidden: 256,
        wide: 96,
        layers: 1,
        heads: 6,
        key_heads: 2,
        width: 32,
        vocabulary: 512,
        epsilon: EPSILON,
        positions: 1024,
    }
}

struct Bench {
    gpu: WebGpu,
    shape: Shape,
    work: Workspace,
    cache: Cache,
    kernels: Kernels,
}

impl Bench {
    fn new(shape: Shape, precision: CachePrecision) -> Self {
        let gpu = twin::gpu();
        let work = block_on(Workspace::new(&gpu, &shape, true)).unwrap();
        let cache = block_on(Cache::new(&gpu, &shape, precision, 512, None)).unwrap();
        Self { gpu, shape, work, cache, kernels: Kernels::default() }
    }

    fn builder(&mut self) -> Builder<'_> {
        Builder {
            gpu: &self.gpu,
            shape: &self.shape,
            work: &self.work,
            cache: &self.cache,
            kernels: &mut self.kernels,
        }
    }

    fn buffer(&self, values: &[f32]) -> Buffer {
        block_on(self.gpu.numbers("values", values)).unwrap()
    }

    fn run(&self, list: &[Dispatch], step: Step) {
        self.gpu.write(&self.work.inputs.step, 0, &step.words());
        crate::kernel::launch(&self.gpu, list, step);
    }

    fn read(&self, buffer: &Buffer, count: usize) -> Vec<f32> {
        let values = twin::read(&self.gpu, buffer, count);
        self.gpu.check().unwrap();
        values
    }
}

fn step(position: usize, tokens: usize) -> Step {
    Step {
        position: position as u32,
        tokens: tokens as u32,
        row: 0,
        tiles: (position + tokens).div_ceil(64) as u32,
    }
}

/// The things that a product does besides.
#[derive(Clone, Copy, Debug)]
struct Extras {
    norm: bool,
    bias: bool,
    residual: bool,
    gated: bool,
}

const EXTRAS: [Extras; 5] = [
    Extras { norm: false, bias: false, residual: false, gated: false },
    Extras { norm: true, bias: true, residual: false, gated: false },
    Extras { norm: false, bias: false, residual: true, gated: false },
    Extras { norm: false, bias: true, residual: true, gated: false },
    Extras { norm: true, bias: false, residual: false, gated: true },
];

fn products_equal_their_twin(tokens: usize, rows: usize, columns: usize, extras: &[Extras]) {
    let mut bench = Bench::new(shape(), CachePrecision::Full);
    let mut numbers = Numbers(tokens as u64);
    let kind = if tokens == 1 { Tokens::One } else { Tokens::Block };
    for encoding in ENCODINGS {
        if !columns.is_multiple_of(encoding.block_values()) {
            continue;
        }
        let tensor = numbers.matrix(encoding, rows, columns);
        let weights = tensor.decode().values;
        let matrix = block_on(DeviceMatrix::upload(&bench.gpu, "matrix", &tensor)).unwrap();
        for &extra in extras {
            let inputs = numbers.many(BLOCK_TOKENS * columns);
            let before = numbers.many(BLOCK_TOKENS * rows);
            let gain = numbers.many(columns);
            let bias = numbers.many(rows);
            let [input, output, gains, biases] =
                [&inputs, &before, &gain, &bias].map(|values| bench.buffer(values));
            let width = if extra.gated { rows / 2 } else { rows };
            let product = Product {
                norm: extra.norm.then_some(&gains),
                bias: extra.bias.then_some(&biases),
                residual: extra.residual,
                gated: extra.gated,
                ..Product::new(&input, &output, width)
            };
            let mut list = Vec::new();
            block_on(bench.builder().products().add(&matrix, kind, product, &mut list)).unwrap();
            bench.run(&list, step(0, tokens));
            let found = bench.read(&output, tokens * width);
            let mut expected = Vec::new();
            for token in 0..tokens {
                let mut input = inputs[token * columns..(token + 1) * columns].to_vec();
                if extra.norm {
                    input = twin::rms_norm(&input, &gain, EPSILON);
                }
                let mut row = twin::product(&weights, &input);
                for (i, value) in row.iter_mut().enumerate() {
                    *value += if extra.bias { bias[i] } else { 0.0 };
                    *value += if extra.residual { before[token * rows + i] } else { 0.0 };
                }
                if extra.gated {
                    row = (0..width).map(|i| twin::silu(row[i]) * row[width + i]).collect();
                }
                expected.extend(row);
            }
            assert_close(&found, &expected, TOLERANCE, &format!("{encoding:?} {extra:?}"));
        }
    }
}

#[test]
fn one_token_through_matrices_of_all_encodings() {
    products_equal_their_twin(1, 70, 256, &EXTRAS);
}

#[test]
fn one_token_through_short_and_long_rows() {
    for (rows, columns) in [(33, 32), (130, 96), (6, 1024), (2, 4096)] {
        products_equal_their_twin(1, rows, columns, &EXTRAS[..2]);
    }
}

#[test]
fn many_tokens_through_matrices_of_all_encodings() {
    products_equal_their_twin(37, 70, 256, &EXTRAS);
}

#[test]
fn many_tokens_through_more_rows_than_a_tile() {
    for (tokens, rows, columns) in [(2, 33, 32), (128, 200, 96)] {
        products_equal_their_twin(tokens, rows, columns, &EXTRAS[..3]);
    }
}

#[test]
fn tokens_have_the_vectors_of_the_table() {
    let mut bench = Bench::new(shape(), CachePrecision::Full);
    let Shape { vocabulary, hidden, .. } = bench.shape;
    let mut numbers = Numbers(5);
    let tokens = [0u32, 511, 7, 7, 300];
    for encoding in ENCODINGS {
        let tensor = numbers.matrix(encoding, vocabulary, hidden);
        let table = tensor.decode().values;
        let matrix = block_on(DeviceMatrix::upload(&bench.gpu, "table", &tensor)).unwrap();
        let list = block_on(bench.builder().embed(&matrix)).unwrap();
        bench.gpu.write(&bench.work.inputs.tokens, 0, &tokens);
        bench.run(&list, step(0, tokens.len()));
        let found = bench.read(&bench.work.states, tokens.len() * hidden);
        let expected: Vec<f32> = tokens
            .iter()
            .flat_map(|&token| table[token as usize * hidden..][..hidden].to_vec())
            .collect();
        assert_close(&found, &expected, 1e-6, &format!("{encoding:?}"));
    }
}

#[test]
fn gates_that_are_a_product_of_their_own() {
    let mut bench = Bench::new(shape(), CachePrecision::Full);
    let wide = bench.shape.wide;
    let both = Numbers(3).many(5 * 2 * wide);
    let input = bench.buffer(&both);
    let kernel = {
        let builder = bench.builder();
        let case = Case::new("gate").number("wide", wide);
        block_on(builder.kernels.get(builder.gpu, case)).unwrap()
    };
    let extent = [Extent::Fixed(wide.div_ceil(THREADS) as u32), Extent::Tokens(1)];
    let buffers = [&input, &bench.work.gated];
    let list = [Dispatch::new(&kernel, &buffers, extent)];
    bench.run(&list, step(0, 5));
    let expected: Vec<f32> = both
        .chunks_exact(2 * wide)
        .flat_map(|row| {
            let (gate, up) = row.split_at(wide);
            gate.iter().zip(up).map(|(gate, up)| twin::silu(*gate) * up).collect::<Vec<_>>()
        })
        .collect();
    assert_close(&bench.read(&bench.work.gated, 5 * wide), &expected, TOLERANCE, "gates");
}

/// Reads blocks of `lengths` tokens one after the other and compares what attention finds.
fn attention_equals_its_twin(
    shape: Shape,
    precision: CachePrecision,
    normed: bool,
    lengths: &[usize],
) {
    let mut bench = Bench::new(shape, precision);
    let Shape { heads, key_heads, width, .. } = shape;
    let mut numbers = Numbers(11);
    let gains = numbers.many(2 * width);
    let gain_buffer = bench.buffer(&gains);
    let head_gains = normed.then_some(&gain_buffer);
    let mut keys = vec![Vec::new(); key_heads];
    let mut values = vec![Vec::new(); key_heads];
    let mut position = 0;
    for &tokens in lengths {
        let projected = numbers.many(tokens * shape.projections());
        // Not the cosines and sines of anything, which is all the same to a kernel.
        let rotation = numbers.many(tokens * width);
        let words = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        bench.gpu.write(&bench.work.projected, 0, &words(&projected));
        bench.gpu.write(&bench.work.inputs.rotation, 0, &words(&rotation));
        let kind = if tokens == 1 { Tokens::One } else { Tokens::Block };
        let mut list = Vec::new();
        block_on(bench.builder().attention(head_gains, 0, kind, &mut list)).unwrap();
        bench.run(&list, step(position, tokens));
        let found = bench.read(&bench.work.attended, tokens * shape.queries());

        let head = |row: &[f32], head: usize| row[head * width..(head + 1) * width].to_vec();
        let prepared = |values: Vec<f32>, gain: &[f32], rotation: &[f32]| {
            let values = if normed { twin::rms_norm(&values, gain, EPSILON) } else { values };
            twin::turn(&values, rotation)
        };
        let (query_gain, key_gain) = gains.split_at(width);
        let mut expected = Vec::new();
        for (row, rotation) in
            projected.chunks_exact(shape.projections()).zip(rotation.chunks_exact(width))
        {
            for key_head in 0..key_heads {
                keys[key_head].push(prepared(head(row, heads + key_head), key_gain, rotation));
                values[key_head].push(head(row, heads + key_heads + key_head));
            }
            for number in 0..heads {
                let query = prepared(head(row, number), query_gain, rotation);
                let key_head = number / (heads / key_heads);
                expected.extend(twin::attend(&query, &keys[key_head], &values[key_head]));
            }
        }
        let tolerance = match precision {
            CachePrecision::Full => TOLERANCE,
            CachePrecision::Half => 2e-3,
        };
        let what = format!("{shape:?} {precision:?} {tokens} tokens at {position}");
        assert_close(&found, &expected, tolerance, &what);
        position += tokens;
    }
}

/// Blocks and single tokens by turns, over the border of a tile and over several.
const LENGTHS: [usize; 9] = [1, 1, 40, 1, 21, 1, 1, 128, 1];

#[test]
fn attention_over_a_cache_of_several_tiles() {
    attention_equals_its_twin(shape(), CachePrecision::Full, false, &LENGTHS);
}

#[test]
fn attention_with_normalised_heads() {
    attention_equals_its_twin(shape(), CachePrecision::Full, true, &LENGTHS);
}

#[test]
fn attention_over_a_cache_of_half_precision() {
    attention_equals_its_twin(shape(), CachePrecision::Half, false, &LENGTHS);
}

#[test]
fn attention_with_heads_of_other_widths() {
    for width in [4, 64, 80, 128, 256] {
        let shape = Shape { width, heads: 2, key_heads: 1, ..shape() };
        attention_equals_its_twin(shape, CachePrecision::Full, true, &[70, 1, 2]);
    }
}
