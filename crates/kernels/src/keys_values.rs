//! The keys and values that attention looks back at.

use crate::KernelError;

/// Positions whose keys lie side by side: two of the widest vectors.
pub(crate) const TOGETHER: usize = 32;

/// Values are padded to a multiple of this: one of the widest vectors.
const WIDEST: usize = 16;

/// Keys and values of one layer or text: `heads` of `width` numbers for each position.
#[derive(Debug, Clone)]
pub struct KeysValues {
    heads: usize,
    width: usize,
    capacity: usize,
    /// `[heads, capacity / TOGETHER, width, TOGETHER]`: scores run with lanes over positions.
    keys: Vec<f32>,
    /// `[heads, capacity, padded width]`: weighted sums run with lanes over the width.
    values: Vec<f32>,
}

impl KeysValues {
    /// Room for `capacity` positions, rounded up to a multiple of 32.
    pub fn new(heads: usize, width: usize, capacity: usize) -> Self {
        let capacity = capacity.next_multiple_of(TOGETHER);
        let keys = vec![0.0; heads * width * capacity];
        let values = vec![0.0; heads * padded(width) * capacity];
        Self { heads, width, capacity, keys, values }
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
        let row = self.heads * self.width;
        let tokens = keys.len().min(values.len()).checked_div(row).unwrap_or(0);
        self.grow(position + tokens);
        let (width, padded, capacity) = (self.width, self.padded_width(), self.capacity);
        for head in 0..self.heads {
            let to_values = &mut self.values[head * capacity * padded..][..capacity * padded];
            let to_keys = &mut self.keys[head * capacity * width..][..capacity * width];
            for token in 0..tokens {
                let at = position + token;
                let from = token * row + head * width;
                to_values[at * padded..][..width].copy_from_slice(&values[from..][..width]);
                let panel = &mut to_keys[at / TOGETHER * TOGETHER * width..][..TOGETHER * width];
                let slots = panel.iter_mut().skip(at % TOGETHER).step_by(TOGETHER);
                for (slot, key) in slots.zip(&keys[from..][..width]) {
                    *slot = *key;
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
        for head in 0..self.heads {
            let keys = self.head_keys(head);
            grown.keys[head * grown.capacity * self.width..][..keys.len()].copy_from_slice(keys);
            let values = self.head_values(head);
            let start = head * grown.capacity * self.padded_width();
            grown.values[start..][..values.len()].copy_from_slice(values);
        }
        *self = grown;
    }

    /// A head's keys, `[capacity / TOGETHER, width, TOGETHER]`.
    pub(crate) fn head_keys(&self, head: usize) -> &[f32] {
        let len = self.capacity * self.width;
        &self.keys[head * len..][..len]
    }

    /// A head's values, `[capacity, padded width]`.
    pub(crate) fn head_values(&self, head: usize) -> &[f32] {
        let len = self.capacity * self.padded_width();
        &self.values[head * len..][..len]
    }

    /// Numbers from one position's values to the next's.
    pub(crate) fn padded_width(&self) -> usize {
        padded(self.width)
    }

    /// Refuses more positions than there is room for.
    pub(crate) fn check(&self, positions: usize) -> Result<(), KernelError> {
        if positions > self.capacity {
            return Err(KernelError::Positions { positions, capacity: self.capacity });
        }
        Ok(())
    }
}

fn padded(width: usize) -> usize {
    width.next_multiple_of(WIDEST)
}
