//! Which texts are computed together.

use std::ops::Range;

/// Texts whose tokens lie end to end in one matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Batch {
    /// Indexes into the list of texts, longest text first, equal lengths side by side.
    pub(super) texts: Vec<usize>,
}

/// Groups texts of `lengths` tokens into batches of at most `budget` tokens.
///
/// A longer text has a batch of its own, a text without tokens has none. Texts are sorted by length, so that attention, which
/// looks at each text alone, can take runs of equal length in one call; there is no padding.
pub(super) fn batches(lengths: &[usize], budget: usize) -> Vec<Batch> {
    let length = |text: usize| lengths.get(text).copied().unwrap_or(0);
    let mut order: Vec<usize> = (0..lengths.len()).filter(|&text| length(text) > 0).collect();
    order.sort_by_key(|&text| (std::cmp::Reverse(length(text)), text));
    let mut batches: Vec<Batch> = Vec::new();
    let mut room = 0;
    for text in order {
        let needed = length(text);
        match batches.last_mut() {
            Some(batch) if needed <= room => {
                batch.texts.push(text);
                room -= needed;
            }
            _ => {
                batches.push(Batch { texts: vec![text] });
                room = budget.saturating_sub(needed);
            }
        }
    }
    batches
}

/// Texts of one length that lie side by side in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The rows of the batch's matrix that they fill.
    pub(super) rows: Range<usize>,
    /// How many texts.
    pub(super) texts: usize,
    /// Tokens of each text.
    pub(super) tokens: usize,
}

/// The runs of equal length in a batch whose texts have `lengths` tokens.
pub(super) fn runs(lengths: &[usize]) -> Vec<Run> {
    let mut start = 0;
    lengths
        .chunk_by(|a, b| a == b)
        .map(|run| {
            let tokens = run.first().copied().unwrap_or(0);
            let rows = start..start + run.len() * tokens;
            start = rows.end;
            Run { rows, texts: run.len(), tokens }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Run, batches, runs};

    #[test]
    fn batches_hold_every_text_once_and_keep_to_the_budget() {
        let lengths: Vec<usize> = (0..200).map(|i| (i * 37) % 120 + 1).collect();
        let grouped = batches(&lengths, 256);
        let mut seen: Vec<usize> = grouped.iter().flat_map(|b| b.texts.clone()).collect();
        for batch in &grouped {
            let tokens: usize = batch.texts.iter().map(|&text| lengths[text]).sum();
            assert!(tokens <= 256, "{tokens}");
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..200).collect::<Vec<_>>());
    }

    #[test]
    fn a_text_beyond_the_budget_stands_alone() {
        let grouped = batches(&[10, 300, 0, 10], 256);
        let texts: Vec<Vec<usize>> = grouped.into_iter().map(|b| b.texts).collect();
        assert_eq!(texts, [vec![1], vec![0, 3]]);
    }

    #[test]
    fn equal_lengths_make_one_run() {
        let run = |rows, texts, tokens| Run { rows, texts, tokens };
        assert_eq!(runs(&[5, 5, 3]), [run(0..10, 2, 5), run(10..13, 1, 3)]);
    }
}
