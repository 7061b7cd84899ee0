//! Rotary positions (Su et al. 2021), by halves: value `i` of a head turns with value `i + n/2`.

use burn::tensor::{Device, Int, Tensor, TensorData};

/// What turns a block of queries and keys: `x · cosine + swapped(x) · sine`.
pub(super) struct Rotation {
    /// `[tokens, 1, head]`.
    cosine: Tensor<3>,
    /// `[tokens, 1, head]`; its first half is negated.
    sine: Tensor<3>,
    /// For each value of a head, the one it turns with: `[head]`.
    partners: Tensor<1, Int>,
}

impl Rotation {
    /// The rotation of `tokens` tokens from `position` on.
    ///
    /// Angles are computed in single precision, as the models were trained.
    pub(super) fn new(
        position: usize,
        tokens: usize,
        head: usize,
        theta: f64,
        device: &Device,
    ) -> Self {
        let half = head / 2;
        let frequencies: Vec<f32> =
            (0..half).map(|i| 1.0 / (theta as f32).powf((2 * i) as f32 / head as f32)).collect();
        let mut cosine = Vec::with_capacity(tokens * head);
        let mut sine = Vec::with_capacity(tokens * head);
        for token in position..position + tokens {
            let angles = || frequencies.iter().map(|f| token as f32 * f);
            cosine.extend(angles().chain(angles()).map(f32::cos));
            sine.extend(angles().map(|angle| -angle.sin()));
            sine.extend(angles().map(f32::sin));
        }
        let partners: Vec<i32> =
            (half..head).chain(0..half).filter_map(|i| i32::try_from(i).ok()).collect();
        let shape = [tokens, 1, head];
        Self {
            cosine: Tensor::from_data(TensorData::new(cosine, shape), device),
            sine: Tensor::from_data(TensorData::new(sine, shape), device),
            partners: Tensor::from_data(TensorData::new(partners, [head]), device),
        }
    }

    /// Turns `[tokens, heads, head]`.
    pub(super) fn apply(&self, states: Tensor<3>) -> Tensor<3> {
        let swapped = states.clone().select(2, self.partners.clone());
        states * self.cosine.clone() + swapped * self.sine.clone()
    }
}
