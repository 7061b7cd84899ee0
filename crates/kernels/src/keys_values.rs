//! What attention looks back at.

use crate::KernelError;

/// Positions are kept in multiples of this: the lanes of the widest vector.
const STEP: usize = 16;

/// Keys and values of one layer or text: `heads` of `width` numbers for each position.
#[derive(Debug, Clone)]
pub struct KeysValues {
    heads: usize,
    width: usize,
    capacity: usize,
    /// `[heads, width, capacity]`: transposed, so that scores run with lanes over positions.
    pub(crate) keys: Vec<f32>,
    /// `[heads, capacity, width]`: weighted sums run with lanes over the width.
    pub(crate) values: Vec<f32>,
}

impl KeysValues {
    /// Room for `capacity` positions, rounded up to a multiple of 16.
    pub fn new(heads: usize, width: usize, capacity: usize) -> Self {
        let capacity = capacity.next_multiple_of(STEP);
        let zeros = vec![0.0; heads * width * capacity];
        Self { heads, width, capacity, keys: zeros.clone(), values: zeros }
    }

    /// Heads of the keys and values.
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// Numbers of a head.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The positions there is room for.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Takes the keys and values of the positions from `position` on, both
    /// `[tokens, heads * width]`; positions beyond the capacity are made room for.
    pub fn write(&mut self, position: usize, keys: &[f32], values: &[f32]) {
        let row = (self.heads * self.width).max(1);
        let tokens = keys.len().min(values.len()) / row;
        self.grow(position + tokens);
        let (width, capacity) = (self.width, self.capacity);
        for token in 0..tokens {
            let at = position + token;
            for head in 0..self.heads {
                let from = token * row + head * width;
                let to = (head * capacity + at) * width;
                self.values[to..to + width].copy_from_slice(&values[from..from + width]);
                for (index, key) in keys[from..from + width].iter().enumerate() {
                    self.keys[(head * width + index) * capacity + at] = *key;
                }
            }
        }
    }

    /// Makes room for `capacity` positions at least; what is written stays.
    pub fn grow(&mut self, capacity: usize) {
        if capacity <= self.capacity {
            return;
        }
        let mut grown = Self::new(self.heads, self.width, capacity);
        if self.capacity > 0 && self.width > 0 {
            let keys = self.keys.chunks_exact(self.capacity);
            for (to, from) in grown.keys.chunks_exact_mut(grown.capacity).zip(keys) {
                to[..self.capacity].copy_from_slice(from);
            }
            let length = self.capacity * self.width;
            let to = grown.values.chunks_exact_mut(grown.capacity * self.width);
            for (to, from) in to.zip(self.values.chunks_exact(length)) {
                to[..length].copy_from_slice(from);
            }
        }
        *self = grown;
    }

    pub(crate) fn check(&self, positions: usize) -> Result<(), KernelError> {
        if positions > self.capacity {
            return Err(KernelError::Positions { positions, capacity: self.capacity });
        }
        Ok(())
    }
}
