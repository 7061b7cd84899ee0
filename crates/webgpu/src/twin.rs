//! The kernels' computations, written down plainly for the CPU, and what tests need besides.

use std::borrow::Cow;

use campanile_model::{Encoding, StoredTensor};
use futures_lite::future::block_on;
use half::f16;

use crate::device::{Buffer, StartOptions, WebGpu};

/// All encodings.
pub(crate) const ENCODINGS: [Encoding; 10] = [
    Encoding::Q4_0,
    Encoding::Q4_1,
    Encoding::Q5_0,
    Encoding::Q8_0,
    Encoding::Q4K,
    Encoding::Q6K,
    Encoding::I8PerRow,
    Encoding::F16,
    Encoding::Bf16,
    Encoding::F32,
];

/// A device; fails, and says how to get one, where there is none.
pub(crate) fn gpu() -> WebGpu {
    block_on(WebGpu::start(StartOptions::default())).unwrap_or_else(|error| {
        panic!(
            "{error}\nThese tests need a WebGPU adapter, for example Mesa's lavapipe: install \
             mesa-vulkan-drivers, or set VK_DRIVER_FILES to the driver's JSON file"
        )
    })
}

/// Numbers that look random and are always the same (a linear congruential generator).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn byte(&mut self) -> u8 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as u8
    }

    /// Between -1 and 1.
    pub(crate) fn number(&mut self) -> f32 {
        f32::from(i16::from_le_bytes([self.byte(), self.byte()])) / 32_768.0
    }

    pub(crate) fn many(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.number()).collect()
    }

    /// A matrix whose values are about as large as weights are.
    pub(crate) fn matrix(
        &mut self,
        encoding: Encoding,
        rows: usize,
        columns: usize,
    ) -> StoredTensor<'static> {
        let blocks = rows * columns / encoding.block_values();
        let half = |value: f32| f16::from_f32(value).to_le_bytes();
        let mut bytes = Vec::new();
        for _ in 0..blocks {
            let small = 0.01 + 0.01 * self.number().abs();
            match encoding {
                Encoding::F32 => bytes.extend(self.number().to_le_bytes()),
                Encoding::F16 => bytes.extend(half(self.number())),
                Encoding::Bf16 => bytes.extend(half::bf16::from_f32(self.number()).to_le_bytes()),
                Encoding::I8PerRow => bytes.push(self.byte()),
                Encoding::Q6K => {
                    bytes.extend((0..208).map(|_| self.byte()));
                    bytes.extend(half(small / 1000.0));
                }
                Encoding::Q4K => {
                    bytes.extend(half(small / 20.0));
                    bytes.extend(half(0.01 * self.number()));
                    bytes.extend((0..140).map(|_| self.byte()));
                }
                Encoding::Q5_0 => {
                    bytes.extend(half(small * 2.0));
                    bytes.extend((0..20).map(|_| self.byte()));
                }
                Encoding::Q4_1 => {
                    bytes.extend(half(small * 4.0));
                    bytes.extend(half(-0.3 * self.number()));
                    bytes.extend((0..16).map(|_| self.byte()));
                }
                Encoding::Q4_0 => {
                    bytes.extend(half(small * 4.0));
                    bytes.extend((0..16).map(|_| self.byte()));
                }
                Encoding::Q8_0 => {
                    bytes.extend(half(small / 3.0));
                    bytes.extend((0..32).map(|_| self.byte()));
                }
            }
        }
        let scales = if encoding == Encoding::I8PerRow {
            (0..rows).map(|_| 0.01 + 0.005 * self.number()).collect()
        } else {
            Vec::new()
        };
        StoredTensor::new("matrix", vec![rows, columns], encoding, Cow::Owned(bytes), scales)
            .unwrap()
    }
}

/// The values of a buffer.
pub(crate) fn read(gpu: &WebGpu, buffer: &Buffer, count: usize) -> Vec<f32> {
    let words = block_on(gpu.read(buffer, 4 * count as u64)).unwrap();
    words.into_iter().map(f32::from_bits).collect()
}

/// Fails unless all values are within `tolerance` of the largest.
pub(crate) fn assert_close(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(1e-6f32, |most, value| most.max(value.abs()));
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs() / largest;
        assert!(error <= tolerance, "{what}: value {place} is {found}, not {expected}");
    }
}

/// `weights · input` of a row-major matrix.
pub(crate) fn product(weights: &[f32], input: &[f32]) -> Vec<f32> {
    weights
        .chunks_exact(input.len())
        .map(|row| row.iter().zip(input).map(|(a, b)| f64::from(a * b)).sum::<f64>() as f32)
        .collect()
}

/// Root-mean-square normalisation.
pub(crate) fn rms_norm(values: &[f32], gain: &[f32], epsilon: f32) -> Vec<f32> {
    let mean = values.iter().map(|v| v * v).sum::<f32>() / values.len() as f32;
    let factor = 1.0 / (mean + epsilon).sqrt();
    values.iter().zip(gain).map(|(value, gain)| value * factor * gain).collect()
}

/// `x · σ(x)`.
pub(crate) fn silu(x: f32) -> f32 {
    x / (1.0 + (-x).exp())
}

/// Turns a head by halves; `rotation` has cosines and then sines.
pub(crate) fn turn(head: &[f32], rotation: &[f32]) -> Vec<f32> {
    let half = head.len() / 2;
    let (low, high) = head.split_at(half);
    let (cosines, sines) = rotation.split_at(half);
    let turned = |sign: f32, a: &[f32], b: &[f32]| -> Vec<f32> {
        (0..half).map(|i| a[i] * cosines[i] + sign * b[i] * sines[i]).collect()
    };
    [turned(-1.0, low, high), turned(1.0, high, low)].concat()
}

/// Attention of one query to keys and values, all of one head.
pub(crate) fn attend(query: &[f32], keys: &[Vec<f32>], values: &[Vec<f32>]) -> Vec<f32> {
    let scale = 1.0 / (query.len() as f32).sqrt();
    let scores: Vec<f32> = keys
        .iter()
        .map(|key| key.iter().zip(query).map(|(a, b)| a * b).sum::<f32>() * scale)
        .collect();
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let total: f32 = weights.iter().sum();
    (0..query.len())
        .map(|i| values.iter().zip(&weights).map(|(v, w)| v[i] * w).sum::<f32>() / total)
        .collect()
}
