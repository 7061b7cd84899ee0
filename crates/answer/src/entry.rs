//! The entry of a FAQ whose question is the reader's.
//!
//! A department that answers a question in its FAQ has said already what is asked and what the answer is. Where a
//! reader's question is near to one of these, in whatever words, the entry answers: no sentence has to be found in it.

use campanile_bundle::Calibration;

use crate::confidence::{EntryEvidence, Evidence};
use crate::reading::PassageReading;
use crate::reply::Source;

/// The entry that most probably answers, among the best sources.
pub(crate) fn best(
    sources: &[Source],
    readings: Option<&[PassageReading]>,
    calibration: &Calibration,
) -> Option<EntryEvidence> {
    let read = |index: usize| Some(readings?.get(index)?.probability);
    let entries = sources.iter().enumerate();
    let entries =
        entries.filter_map(|(index, source)| of_source(index, source, read(index), calibration));
    entries.max_by(|a, b| a.probability.total_cmp(&b.probability))
}

/// The entry that a source is; `None` where no question of it is near to the reader's.
pub(crate) fn of_source(
    index: usize,
    source: &Source,
    answer_probability: Option<f32>,
    calibration: &Calibration,
) -> Option<EntryEvidence> {
    let question = source.question.as_ref()?;
    let mut entry = EntryEvidence {
        source: index + 1,
        probability: 0.0,
        answer_probability,
        cosine: question.cosine,
        gap: question.gap,
        is_first: index == 0,
        is_written: question.evidence.is_some(),
    };
    entry.probability = Evidence::entry_probability(&entry, calibration);
    Some(entry)
}
