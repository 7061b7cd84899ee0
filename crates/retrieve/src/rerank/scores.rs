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
pub fn question(
    head: &LateHead,
    pieces: &ContentPieces,
    tokens: &TokenVectors,
) -> Result<LateQuery, IndexError> {
    LateQuery::new(head.codec(), &head.projection().apply(&pieces.vectors(tokens.rows())))
}

/// The MaxSim score of each record; none where there is no record. A passage without any vector
/// scores 0, as one does that is turned away from all of the question.
pub fn max_sims(question: &LateQuery, records: &[Option<Rc<Record>>]) -> Vec<Option<f32>> {
    records.iter().map(|record| Some(question.max_sim(record.as_deref()?))).collect()
}
