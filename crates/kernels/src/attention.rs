//! Scaled dot-product attention over a cache, with grouped queries.

use crate::reduce::{largest, sum};
use crate::transcendental::exp;
use crate::{KernelError, KeysValues, Threads};

/// Which positions a token sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visible {
    /// Token `i` of the input, at `position + i`, sees itself and everything before.
    Before,
    /// Every token sees the first `n` positions.
    All(usize),
}

impl Visible {
    fn positions(self, position: usize, token: usize) -> usize {
        match self {
            Self::Before => position.saturating_add(token).saturating_add(1),
            Self::All(positions) => positions,
        }
    }
}

/// `output = softmax(queries · keysᵀ · scale) · values`, head by head.
///
/// Queries and output are `[tokens, query_heads * width]`; each head of the cache serves
/// `query_heads / heads` query heads in a row. A token that sees nothing gets zeros.
///
/// # Errors
/// [`KernelError::Heads`], [`KernelError::Length`] and [`KernelError::Positions`] where shapes do
/// not fit.
#[expect(clippy::too_many_arguments, reason = "the operation's operands, each another thing")]
pub fn attend(
    queries: &[f32],
    query_heads: usize,
    cache: &KeysValues,
    position: usize,
    visible: Visible,
    scale: f32,
    output: &mut [f32],
    _threads: Threads,
) -> Result<(), KernelError> {
    let (heads, width, capacity) = (cache.heads(), cache.width(), cache.capacity());
    if heads == 0 || query_heads == 0 || !query_heads.is_multiple_of(heads) {
        return Err(KernelError::Heads { query_heads, heads });
    }
    let row = query_heads * width;
    let tokens = queries.len().checked_div(row).unwrap_or(0);
    for (what, found) in [("queries", queries.len()), ("attention's output", output.len())] {
        if found != tokens * row {
            return Err(KernelError::Length { what, expected: tokens * row, found });
        }
    }
    if tokens > 0 {
        cache.check(visible.positions(position, tokens - 1))?;
    }
    let mut scores = vec![0.0; capacity];
    for token in 0..tokens {
        let scores = &mut scores[..visible.positions(position, token)];
        for head in 0..query_heads {
            let cached = head / (query_heads / heads);
            let at = token * row + head * width;
            let query = &queries[at..at + width];
            let output = &mut output[at..at + width];
            scores.fill(0.0);
            for (index, value) in query.iter().enumerate() {
                let value = value * scale;
                let keys = &cache.keys[(cached * width + index) * capacity..][..scores.len()];
                for (score, key) in scores.iter_mut().zip(keys) {
                    *score += value * key;
                }
            }
            let most = largest(scores);
            for score in scores.iter_mut() {
                *score = exp(*score - most);
            }
            let total = sum(scores);
            output.fill(0.0);
            let rows = cache.values[cached * capacity * width..].chunks_exact(width);
            for (weight, values) in scores.iter().zip(rows) {
                for (output, value) in output.iter_mut().zip(values) {
                    *output += weight * value;
                }
            }
            if total != 0.0 {
                let share = 1.0 / total;
                output.iter_mut().for_each(|value| *value *= share);
            }
        }
    }
    Ok(())
}
