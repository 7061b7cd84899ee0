//! Which texts are computed together.

/// Texts whose tokens lie end to end in one matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Batch {
    /// Indexes into the list of texts, longest text first.
    pub(super) texts: Vec<usize>,
}

/// Groups texts of `lengths` tokens into batches of at most `budget` tokens.
///
/// A longer text has a batch of its own, a text without tokens has none. Texts are sorted by
/// length, the longest first: what is left for the last batches is short, so that no core is
/// still busy with a long one when the others are done. There is no padding.
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

#[cfg(test)]
mod tests {
    use super::batches;

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
}
