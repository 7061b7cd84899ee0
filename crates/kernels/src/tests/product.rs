//! Matrix products.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::{Numbers, definition, fingerprint};
use crate::{Activations, Format, Int4Block, Int8Block, Isa, KernelError, Matrix, Threads};

/// A matrix together with its weights as plain numbers.
struct Sample {
    pub(crate) matrix: Matrix,
    pub(crate) weights: Vec<f32>,
}

/// The kinds of random matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Float32,
    Int8,
    Int8Halves,
    Int4,
    Int4Centred,
    /// With scales and minimums in half precision.
    Int4Half,
}

const KINDS: [Kind; 6] =
    [Kind::Float32, Kind::Int8, Kind::Int8Halves, Kind::Int4, Kind::Int4Centred, Kind::Int4Half];

fn sample(isa: Isa, kind: Kind, rows: usize, columns: usize, seed: u64) -> Sample {
    let mut numbers = Numbers::new(seed);
    let mut weights = vec![0.0; rows * columns];
    let matrix = match kind {
        Kind::Float32 => Matrix::float32_for(isa, rows, columns, |row, out| {
            out.iter_mut().for_each(|value| *value = numbers.next());
            weights[row * columns..][..columns].copy_from_slice(out);
        }),
        Kind::Int8 | Kind::Int8Halves => Matrix::int8_for(isa, rows, columns, |row, block| {
            let values = std::array::from_fn(|_| numbers.bits() as i8);
            let first = numbers.next() / 100.0;
            let last = if kind == Kind::Int8 { first } else { numbers.next() / 100.0 };
            for (column, value) in values.iter().enumerate() {
                let scale = if column < 16 { first } else { last };
                weights[row * columns + block * 32 + column] = f32::from(*value) * scale;
            }
            Int8Block { values, scales: [first, last] }
        }),
        Kind::Int4 | Kind::Int4Centred | Kind::Int4Half => {
            Matrix::int4_for(isa, rows, columns, |row, block| {
                let values = std::array::from_fn(|_| numbers.bits() as u8 & 15);
                let mut scale = numbers.next() / 10.0;
                let mut minimum =
                    if kind == Kind::Int4Centred { -8.0 * scale } else { numbers.next() };
                if kind == Kind::Int4Half {
                    [scale, minimum] = [scale, minimum].map(|n| (n * 1024.0).round() / 1024.0);
                }
                for (column, value) in values.iter().enumerate() {
                    weights[row * columns + block * 32 + column] =
                        f32::from(*value) * scale + minimum;
                }
                Int4Block { values, scale, minimum }
            })
        }
    };
    Sample { matrix: matrix.unwrap(), weights }
}

pub(crate) fn product(matrix: &Matrix, values: &[f32], threads: Threads) -> Vec<f32> {
    let mut input = Activations::new();
    input.set(values, matrix.columns());
    let mut output = vec![f32::NAN; input.tokens() * matrix.rows()];
    matrix.multiply(&input, &mut output, threads).unwrap();
    output
}

#[test]
fn rows_come_back_as_they_went_in() {
    for isa in Isa::available() {
        for kind in KINDS {
            let Sample { matrix, weights } = sample(isa, kind, 21, 96, 5);
            let mut row = [0.0; 96];
            for (number, expected) in weights.chunks_exact(96).enumerate() {
                matrix.read_row(number, &mut row);
                for (value, expected) in row.iter().zip(expected) {
                    assert!((value - expected).abs() < 1e-6, "{isa:?} {kind:?} {number}");
                }
            }
            matrix.read_row(21, &mut row);
            matrix.read_row(3, &mut row[..10]);
        }
    }
}

#[test]
fn a_product_is_the_sum_of_products() {
    for isa in Isa::available() {
        for kind in KINDS {
            for (rows, columns, tokens) in [(1, 32, 1), (37, 96, 5), (64, 160, 3), (5, 1536, 9)] {
                let Sample { matrix, weights } = sample(isa, kind, rows, columns, 7);
                let values = Numbers::new(8).vector(tokens * columns);
                let found = product(&matrix, &values, Threads::All);
                for (token, row) in (0..tokens).flat_map(|t| (0..rows).map(move |r| (t, r))) {
                    let pairs = weights[row * columns..][..columns]
                        .iter()
                        .zip(&values[token * columns..][..columns]);
                    let (mut exact, mut size) = (0.0f64, 0.0f64);
                    for (weight, value) in pairs {
                        let term = f64::from(*weight) * f64::from(*value);
                        exact += term;
                        size += term.abs();
                    }
                    let error = (f64::from(found[token * rows + row]) - exact).abs();
                    assert!(error < 1e-5 * size + 1e-7, "{isa:?} {kind:?} {error} of {size}");
                }
            }
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let mut shapes = Numbers::new(11);
    let mut below = |limit: u32| (shapes.bits() % limit) as usize;
    for round in 0..200 {
        let kind = KINDS[round % KINDS.len()];
        let (rows, columns, tokens) = (1 + below(70), 32 * (1 + below(24)), 1 + below(30));
        let values = spread(round as u64, tokens * columns);
        let mut input = Activations::new();
        input.set_for(Isa::Scalar, &values, columns);
        let mut expected = vec![0.0; tokens * rows];
        let before = spread(!(round as u64), tokens * rows);
        let mut added = before.clone();
        for isa in Isa::available() {
            let scalar = input.clone();
            input.set_for(isa, &values, columns);
            assert_eq!(scalar.blocks, input.blocks, "{isa:?}");
            let Sample { matrix, .. } = sample(isa, kind, rows, columns, round as u64);
            if isa == Isa::Scalar {
                definition::multiply_add(&matrix, &input, &mut expected);
                definition::multiply_add(&matrix, &input, &mut added);
            }
            for threads in [Threads::One, Threads::All] {
                let mut output = vec![f32::NAN; tokens * rows];
                matrix.multiply(&input, &mut output, threads).unwrap();
                let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits();
                let what = format!("{isa:?} {kind:?} [{rows}, {columns}] x {tokens}");
                assert!(output.iter().zip(&expected).all(same), "{what}");
                output.copy_from_slice(&before);
                matrix.multiply_add(&input, &mut output, threads).unwrap();
                assert!(output.iter().zip(&added).all(same), "{what}, added");
            }
        }
    }
}

/// Here and in WebAssembly: what is computed natively is what a page computes.
#[test]
fn every_target_gives_the_same_bits() {
    let found = KINDS.map(|kind| {
        let Sample { matrix, .. } = sample(Isa::best(), kind, 67, 160, 9);
        fingerprint(&product(&matrix, &spread(9, 7 * 160), Threads::All))
    });
    let expected = [
        7_593_000_296_207_780_814,
        12_705_872_744_509_444_667,
        5_674_455_393_607_147_545,
        18_437_506_807_023_069_753,
        17_878_640_088_149_630_991,
        6_655_576_915_208_526_856,
    ];
    assert_eq!(found, expected);
}

/// Values of very different sizes, some of them zeros.
fn spread(seed: u64, len: usize) -> Vec<f32> {
    let mut numbers = Numbers::new(seed);
    (0..len)
        .map(|_| match numbers.bits() % 8 {
            0 => 0.0,
            size => numbers.next() * 10f32.powi(size as i32 - 4),
        })
        .collect()
}

#[test]
fn numbers_of_very_different_size_keep_their_block() {
    let Sample { matrix, weights } = sample(Isa::Scalar, Kind::Int4, 1, 64, 3);
    let mut values = vec![1e-3; 64];
    values[40] = 1e6;
    let exact: f64 = weights.iter().zip(&values).map(|(w, x)| f64::from(w * x)).sum();
    let found = f64::from(product(&matrix, &values, Threads::One)[0]);
    assert!((found - exact).abs() < 1e-4 * exact.abs(), "{found} {exact}");
}

#[test]
fn what_is_not_finite_is_not_hidden() {
    for isa in Isa::available() {
        for kind in KINDS {
            let Sample { matrix, .. } = sample(isa, kind, 6, 64, 3);
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut values = vec![1.0; 64 * 5];
                values[64 + 7] = bad;
                let found = product(&matrix, &values, Threads::One);
                assert!(found[..6].iter().all(|value| value.is_finite()));
                assert!(found[6..12].iter().all(|value| !value.is_finite()), "{isa:?} {kind:?}");
            }
        }
    }
}

#[test]
fn zeros_and_the_smallest_numbers() {
    let Sample { matrix, .. } = sample(Isa::best(), Kind::Int8, 4, 32, 3);
    for value in [0.0, -0.0, f32::MIN_POSITIVE, 1e-40] {
        assert_eq!(product(&matrix, &[value; 32], Threads::One), [0.0; 4]);
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let odd = Matrix::int4(2, 40, |_, _| Int4Block { values: [0; 32], scale: 0.0, minimum: 0.0 });
    assert_eq!(odd.err(), Some(KernelError::Columns { format: Format::Int4, columns: 40 }));
    let huge = Matrix::float32(usize::MAX / 64, 32, |_, _| {});
    assert!(matches!(huge.err(), Some(KernelError::Memory { .. })));
    let Sample { matrix, .. } = sample(Isa::best(), Kind::Int8, 4, 32, 3);
    let mut input = Activations::new();
    input.set(&[0.0; 64], 64);
    let refused = matrix.multiply(&input, &mut [0.0; 4], Threads::One);
    assert_eq!(refused, Err(KernelError::Input { expected: 32, found: 64 }));
    input.set(&[0.0; 64], 32);
    let refused = matrix.multiply(&input, &mut [0.0; 7], Threads::One);
    assert_eq!(refused, Err(KernelError::Length { what: "the product", expected: 8, found: 7 }));
    input.set(&[], 32);
    assert_eq!(matrix.multiply(&input, &mut [], Threads::All), Ok(()));
}

#[test]
fn formats_take_the_memory_they_should() {
    let bytes = |kind| sample(Isa::Scalar, kind, 16, 64, 1).matrix.bytes();
    assert_eq!(bytes(Kind::Float32), 4096);
    assert_eq!(bytes(Kind::Int8), 1024 + 128);
    assert_eq!(bytes(Kind::Int8Halves), 1024 + 256);
    assert_eq!(bytes(Kind::Int4), 512 + 256);
    assert_eq!(bytes(Kind::Int4Centred), 512 + 128);
    assert_eq!(bytes(Kind::Int4Half), 512 + 128);
}
