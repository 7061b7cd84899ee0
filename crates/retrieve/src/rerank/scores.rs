//! The candidates' scores.

use std::rc::Rc;

use campanile_index::IndexError;
use campanile_index::late::{LateHead, LateQuery, Record};
use campanile_model::TokenVectors;

use super::ContentPieces;

/// A question's token vectors, ready to be compared with records.
///
/// # Errors
/// [`IndexError::NotFinite`] where a damaged encoder or projection gives no numbers.
pub(crate) fn question(
    head: &LateHead,
    pieces: &ContentPieces,
    tokens: &TokenVectors,
) -> Result<LateQuery, IndexError> {
    LateQuery::new(head.codec(), &head.projection().apply(&pieces.vectors(tokens.rows())))
}

/// The MaxSim score of each record; none where there is no record. A passage without any vector
/// scores 0, as one does that is turned away from all of the question.
pub(crate) fn max_sims(question: &LateQuery, records: &[Option<Rc<Record>>]) -> Vec<Option<f32>> {
    records.iter().map(|record| Some(question.max_sim(record.as_deref()?))).collect()
}

/// The scores, with the mean of those that are there in the place of those that are not, which neither
/// raises nor lowers a candidate among the others; `None` where there is none at all.
pub(crate) fn filled(scores: &[Option<f32>]) -> Option<Vec<f32>> {
    let known: Vec<f32> = scores.iter().copied().flatten().collect();
    if known.is_empty() {
        return None;
    }
    let mean = known.iter().sum::<f32>() / known.len() as f32;
    Some(scores.iter().map(|score| score.unwrap_or(mean)).collect())
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn what_is_not_known_stands_in_the_middle() {
        assert_eq!(filled(&[Some(1.0), None, Some(4.0)]), Some(vec![1.0, 2.5, 4.0]));
        assert_eq!(filled(&[None, None]), None);
        assert_eq!(filled(&[]), None);
    }
}
