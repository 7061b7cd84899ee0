//! Making a site's sketch.

use super::{BITS, Sketch};
use crate::late::{Codec, Record};
use crate::partitions::centroids;
use crate::{IndexError, LexicalBuilder, VectorTable};

/// So many of the most frequent terms are kept.
const TERMS: usize = 1_500;
/// Centroids, where there are as many chunks: 6 kB of 384 numbers.
const CENTROIDS: usize = 128;

/// The sketch of a site, from the terms of its chunks and from their vectors where it has those.
///
/// # Errors
/// [`IndexError::Late`] for vectors whose length is no multiple of eight.
pub fn sketch(
    lexical: &LexicalBuilder,
    vectors: Option<&VectorTable>,
) -> Result<Sketch, IndexError> {
    let chunks_of_terms = lexical.chunks_of_terms();
    let mut terms: Vec<_> = chunks_of_terms.map(|(term, held)| (term.to_owned(), held)).collect();
    // Of terms that are as frequent the first of the alphabet: the same on every machine.
    terms.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    terms.truncate(TERMS);
    terms.sort_unstable();
    // A code is of whole bytes; an encoder whose vectors are none chooses by words.
    let is_coded =
        |vectors: &&VectorTable| !vectors.is_empty() && vectors.dimension().is_multiple_of(8);
    let vectors = vectors.filter(is_coded);
    let centroids = vectors.map(coded_centroids).transpose()?;
    Ok(Sketch { chunks: lexical.chunk_count(), terms, centroids })
}

fn coded_centroids(vectors: &VectorTable) -> Result<(Codec, Record), IndexError> {
    let codec = Codec::new(vectors.dimension(), BITS)?;
    let means = centroids(vectors, CENTROIDS.min(vectors.len()))?;
    let means: Vec<f32> =
        (0..means.len() as u32).filter_map(|row| means.vector(row)).flatten().collect();
    Ok((codec, Record::of(codec, &means)))
}
