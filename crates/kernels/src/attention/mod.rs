//! Scaled dot-product attention over a cache, with grouped queries.

mod rows;

use rows::Rows;

use crate::threads::{Shared, for_each};
use crate::vector::dispatch;
use crate::{Isa, KernelError, KeysValues, Threads};

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

/// Tokens from which on a tile is several tokens of one head; below, several heads of one token.
const MANY: usize = 4;

/// Tokens of a task.
const TASK: usize = 48;

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
    threads: Threads,
) -> Result<(), KernelError> {
    let attention = Attention { query_heads, cache, position, visible, scale, threads };
    attention.run(Isa::best(), queries, output)
}

/// All of [`attend`] but its input and output.
pub(crate) struct Attention<'a> {
    pub(crate) query_heads: usize,
    pub(crate) cache: &'a KeysValues,
    pub(crate) position: usize,
    pub(crate) visible: Visible,
    pub(crate) scale: f32,
    pub(crate) threads: Threads,
}

impl Attention<'_> {
    pub(crate) fn run(
        &self,
        isa: Isa,
        queries: &[f32],
        output: &mut [f32],
    ) -> Result<(), KernelError> {
        let Self { query_heads, cache, position, visible, scale, threads } = *self;
        let (heads, width) = (cache.heads(), cache.width());
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
        if tokens == 0 {
            return Ok(());
        }
        cache.check(visible.positions(position, tokens - 1))?;
        let output = Shared::new(output);
        let group = query_heads / heads;
        let rows = |head: usize, token: usize, count: usize, stride: usize| {
            let start = token * row + head * width;
            Rows { queries: &queries[start..], output, start, stride, count, cache, scale }
        };
        if tokens < MANY {
            for_each(threads, tokens * heads, |task| {
                let (token, head) = (task / heads, task % heads);
                let seen = visible.positions(position, token);
                let rows = rows(head * group, token, group, width);
                dispatch(isa, rows.of(head, |_| seen));
            });
        } else {
            let chunks = tokens.div_ceil(TASK);
            for_each(threads, chunks * query_heads, |task| {
                // The longest rows first, so that no thread is left with one at the end.
                let (chunk, head) = (chunks - 1 - task / query_heads, task % query_heads);
                let first = chunk * TASK;
                let count = TASK.min(tokens - first);
                let rows = rows(head, first, count, row);
                let seen = |index| visible.positions(position, first + index);
                dispatch(isa, rows.of(head / group, seen));
            });
        }
        Ok(())
    }
}
