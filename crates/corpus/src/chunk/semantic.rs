//! Cuts where the subject changes, as an encoder sees it.

use std::collections::BTreeMap;

use campanile_text::{Span, sentences};
use serde::{Deserialize, Serialize};

use super::gather::gather;
use super::pieces::{Grade, Piece, chunks_of, section_at};
use super::strategy::{at_least, at_most};
use super::{ChunkError, ChunkOptions, Room, TokenCounter};
use crate::{Chunk, Document};

/// Tells how similar texts are: lent by whoever holds an encoder.
pub trait SentenceSimilarity {
    /// The similarity of each pair of texts, by their places, higher for more similar (a cosine,
    /// say): as many values as there are pairs.
    ///
    /// # Errors
    /// Whatever the encoder's own are.
    fn similarities(
        &self,
        texts: &[&str],
        pairs: &[(usize, usize)],
    ) -> Result<Vec<f32>, Box<dyn std::error::Error + Send + Sync>>;
}

/// Options of semantic chunking: where boundaries lie, and how large chunks become.
///
/// At each gap between sentences, a few sentences before it are compared with a few behind it, as
/// in Hearst's TextTiling (1997) but by an encoder; the largest distances become boundaries, by a
/// percentile as in Kamradt's semantic chunking (2023). That compares overlapping windows, which
/// sees a change of subject one sentence too early or too late. A boundary behind a heading is moved
/// in front of it. Chunks too short are joined to the next, chunks too long cut between sentences, as
/// the default strategy would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SemanticOptions {
    /// A boundary is where the distance (1 - similarity) lies above this percentile of the
    /// document's distances.
    #[schemars(range(min = 0, max = 100))]
    pub percentile: u8,
    /// The number of sentences on each side of a gap that go into the comparison, beside the nearest.
    pub buffer_sentences: usize,
    /// A chunk shorter than this is joined to the next.
    pub min_words: usize,
    /// A chunk longer than about this is cut between sentences.
    pub max_words: usize,
    /// No chunk with its context is longer than this, in the counter's tokens; see
    /// [`ChunkOptions::max_tokens`].
    pub max_tokens: usize,
}

impl Default for SemanticOptions {
    fn default() -> Self {
        // The percentile and the buffer are Kamradt's own. The sizes follow the default strategy: one and a half of
        // its target, and the quarter of it under which a rest is joined.
        Self { percentile: 95, buffer_sentences: 1, min_words: 40, max_words: 240, max_tokens: 256 }
    }
}

impl SemanticOptions {
    pub(super) fn check(&self) -> Result<(), ChunkError> {
        let strategy = "semantic";
        at_most(strategy, "percentile", self.percentile.into(), 100, "all of them")?;
        at_most(strategy, "buffer_sentences", self.buffer_sentences, 10, "more blurs every drop")?;
        at_least(strategy, "max_words", self.max_words, 10)?;
        at_least(strategy, "max_tokens", self.max_tokens, 32)?;
        at_most(strategy, "min_words", self.min_words, self.max_words / 2, "half of `max_words`")
    }
}

pub(super) fn chunks(
    document: &Document,
    counter: &dyn TokenCounter,
    options: &SemanticOptions,
    similarity: &dyn SentenceSimilarity,
) -> Result<Vec<Chunk>, ChunkError> {
    let sentences = sentences(&document.text);
    let distances = distances(document, &sentences, options, similarity)?;
    let groups = groups(document, &sentences, &distances, options);
    let sizes = ChunkOptions {
        max_tokens: options.max_tokens,
        target_words: options.max_words,
        overlap_sentences: 0,
    };
    let mut spans = Vec::new();
    let mut first = 0;
    for group in groups {
        let (Some(begin), Some(end)) = (group.first(), group.last()) else { continue };
        first = section_at(document, begin.span.start, first);
        let last = section_at(document, end.span.end, first);
        spans.extend(gather(&Room::new(document, first..=last, counter, &sizes), group));
    }
    Ok(chunks_of(document, &spans))
}

/// Returns how far apart the texts before and behind each gap between sentences are.
fn distances(
    document: &Document,
    sentences: &[Span],
    options: &SemanticOptions,
    similarity: &dyn SentenceSimilarity,
) -> Result<Vec<f32>, ChunkError> {
    let reach = options.buffer_sentences + 1;
    let mut blocks = Blocks::default();
    let pairs: Vec<(usize, usize)> = (1..sentences.len())
        .filter_map(|gap| {
            let (before, behind) = sentences.split_at_checked(gap)?;
            let before = before.get(before.len().saturating_sub(reach)..)?;
            let behind = behind.get(..behind.len().min(reach))?;
            Some((blocks.place(before)?, blocks.place(behind)?))
        })
        .collect();
    if pairs.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<&str> = blocks.spans.iter().map(|span| span.cut_from(&document.text)).collect();
    let path = &document.path;
    let similarities = similarity
        .similarities(&texts, &pairs)
        .map_err(|source| ChunkError::Similarity { path: path.clone(), source })?;
    let (expected, found) = (pairs.len(), similarities.len());
    if found != expected {
        return Err(ChunkError::Count { path: path.clone(), expected, found });
    }
    if let Some(index) = similarities.iter().position(|similarity| similarity.is_nan()) {
        return Err(ChunkError::NotANumber { path: path.clone(), index, found: f32::NAN });
    }
    Ok(similarities.iter().map(|similarity| 1.0 - similarity).collect())
}

/// Runs of sentences that are compared, each once: what lies behind one gap lies before another.
#[derive(Default)]
struct Blocks {
    spans: Vec<Span>,
    places: BTreeMap<(u32, u32), usize>,
}

impl Blocks {
    /// The place of a run of sentences among the blocks.
    fn place(&mut self, sentences: &[Span]) -> Option<usize> {
        let span = sentences.first()?.joined(*sentences.last()?);
        // The same run is behind one gap and before another: with the encoder as the cost, each is embedded once.
        let place = *self.places.entry((span.start, span.end)).or_insert(self.spans.len());
        if place == self.spans.len() {
            self.spans.push(span);
        }
        Some(place)
    }
}

/// Sentences between boundaries; none of the groups but the only one is shorter than allowed.
fn groups(
    document: &Document,
    sentences: &[Span],
    distances: &[f32],
    options: &SemanticOptions,
) -> Vec<Vec<Piece>> {
    let threshold = percentile(distances, options.percentile);
    let words = |group: &[Piece]| group.iter().map(|piece| piece.words).sum::<usize>();
    let mut section = 0;
    let mut is_heading = |sentence: &Span| {
        section = section_at(document, sentence.start, section);
        let body = document.sections.get(section).map(|section| section.span);
        body.is_some_and(|body| body.start >= sentence.end)
    };
    let mut groups = Vec::new();
    let mut group: Vec<Piece> = Vec::new();
    // Headings that wait for the first sentence of what they head, to be one piece with it.
    let mut heading: Option<Span> = None;
    for (index, sentence) in sentences.iter().enumerate() {
        let with_heading = heading.map_or(*sentence, |heading| heading.joined(*sentence));
        if is_heading(sentence) && index + 1 < sentences.len() {
            heading = Some(with_heading);
        } else {
            heading = None;
            group.push(Piece::new(&document.text, with_heading, Grade::Sentence));
        }
        let is_boundary = distances.get(index).is_some_and(|distance| *distance > threshold);
        if is_boundary && words(&group) >= options.min_words {
            groups.push(std::mem::take(&mut group));
        }
    }
    match groups.last_mut() {
        Some(last) if words(&group) < options.min_words => last.append(&mut group),
        _ => groups.push(group),
    }
    groups
}

/// The percentile of some values, interpolated between the two nearest; infinity of none.
fn percentile(values: &[f32], percent: u8) -> f32 {
    let mut sorted = values.to_vec();
    // A NaN has been refused before, so that the total order is the ordinary one.
    sorted.sort_by(f32::total_cmp);
    // In hundredths of a place, so that no rounding decides where a boundary lies.
    let place = usize::from(percent.min(100)) * sorted.len().saturating_sub(1);
    let (index, rest) = (place / 100, place % 100);
    let Some(&low) = sorted.get(index) else { return f32::INFINITY };
    let high = sorted.get(index + 1).copied().unwrap_or(low);
    #[expect(clippy::cast_precision_loss, reason = "below 100")]
    let share = rest as f32 / 100.0;
    low + (high - low) * share
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn percentiles_lie_between_values() {
        let values = [4.0, 1.0, 3.0, 2.0, 5.0];
        let cases = [(0, 1.0), (50, 3.0), (95, 4.8), (100, 5.0), (25, 2.0)];
        for (percent, expected) in cases {
            assert!((percentile(&values, percent) - expected).abs() < 1e-6, "{percent}");
        }
        assert!(percentile(&[], 95).is_infinite());
    }
}
