//! Keys and values of the tokens read so far, kept on the device.

use burn::tensor::{Device, Tensor};

use super::config::DecoderConfig;

/// A layer's keys and values, `[key heads, capacity, head]` each.
struct LayerCache {
    keys: Tensor<3>,
    values: Tensor<3>,
}

/// The cache of one conversation, of a fixed capacity.
///
/// Its tensors never change their shape: a GPU compiles a program for every shape it meets, so a
/// cache that grew with each token would stall on each token.
pub(super) struct Cache {
    layers: Vec<Option<LayerCache>>,
}

impl Cache {
    /// Room for `capacity` tokens.
    pub(super) fn new(config: &DecoderConfig, capacity: usize, device: &Device) -> Self {
        let shape = [config.num_key_value_heads, capacity, config.head_width()];
        let layers = (0..config.num_hidden_layers).map(|_| {
            Some(LayerCache {
                keys: Tensor::zeros(shape, device),
                values: Tensor::zeros(shape, device),
            })
        });
        Self { layers: layers.collect() }
    }

    /// Writes the keys and values `[key heads, tokens, head]` of the tokens from `position` on,
    /// and returns those of the first `window` tokens.
    ///
    /// `None` where there is no such layer.
    pub(super) fn extend(
        &mut self,
        layer: usize,
        position: usize,
        window: usize,
        keys: Tensor<3>,
        values: Tensor<3>,
    ) -> Option<(Tensor<3>, Tensor<3>)> {
        // Taken out and put back, so that the only handle is ours and the write is in place.
        let slot = self.layers.get_mut(layer)?;
        let old = slot.take()?;
        let [heads, tokens, head] = keys.dims();
        let place = [0..heads, position..position + tokens, 0..head];
        let cache = LayerCache {
            keys: old.keys.slice_assign(place.clone(), keys),
            values: old.values.slice_assign(place, values),
        };
        let visible = |tensor: &Tensor<3>| {
            let [heads, capacity, head] = tensor.dims();
            if window == capacity {
                tensor.clone()
            } else {
                tensor.clone().slice([0..heads, 0..window, 0..head])
            }
        };
        let result = (visible(&cache.keys), visible(&cache.values));
        *slot = Some(cache);
        Some(result)
    }
}
