//! The subjects of a site in a few kilobytes: by the sketches of many sites a page chooses the few that a question is for.
//!
//! A sketch has the site's most frequent terms with the number of chunks that hold each, and centroids of its vectors, one
//! bit a number. [`beliefs`] compares a question with many of them: by words as CORI does (Callan, Lu and Croft,
//! "Searching distributed collections with inference networks", SIGIR 1995), by meaning with the nearest centroid.
//!
//! As bytes: `CSK1`, the number of chunks, the number of terms; of each term, in the order of the alphabet, the bytes
//! that it shares with the one before it, the number of those that follow, these, and the chunks that hold it (all numbers
//! are varints); the numbers of a vector, 0 where there are none; the centroids' codes.

#[cfg(not(target_arch = "wasm32"))]
mod build;
#[cfg(test)]
mod tests;

use crate::IndexError;
use crate::bytes::{Reader, put_varint};
use crate::late::{Codec, LateQuery, Record};

#[cfg(not(target_arch = "wasm32"))]
pub use build::sketch;

const SKETCH: &str = "sketch";
const MAGIC: [u8; 4] = *b"CSK1";
/// Bits of a number of a centroid. With four the same sites are chosen.
const BITS: u8 = 1;

/// The weight of nearness beside words, and the sharpness with which belief tells sites apart. Fitted on twelve handbooks of one kind
/// (docs/reference/performance.md): the site that answers is among the five first for 83 of 100 questions that do not say
/// whose it is, and for 89 of 100 of twelve others.
const WEIGHT_OF_NEARNESS: f32 = 2.0;
const SHARPNESS: f32 = 0.75;

/// The subjects of a site: its most frequent terms, and centroids of its vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Sketch {
    chunks: u32,
    /// Each with the number of chunks that hold it, in the order of the alphabet.
    terms: Vec<(String, u32)>,
    centroids: Option<(Codec, Record)>,
}

impl Sketch {
    /// Returns the number of the site's chunks.
    pub fn chunk_count(&self) -> u32 {
        self.chunks
    }

    /// Returns the terms, in the order of the alphabet.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|(term, _)| term.as_str())
    }

    /// Returns how many chunks hold a term; 0 for one that it does not have.
    pub fn chunks_with(&self, term: &str) -> u32 {
        let place = self.terms.binary_search_by(|(known, _)| known.as_str().cmp(term));
        place.ok().and_then(|place| self.terms.get(place)).map_or(0, |(_, chunks)| *chunks)
    }

    /// The cosine, roughly, of a question's vector with the nearest centroid; `None` where the site has no vectors, or
    /// those of another length.
    pub fn nearness(&self, vector: &[f32]) -> Option<f32> {
        let (codec, centroids) = self.centroids.as_ref()?;
        (codec.dimension() == vector.len()).then_some(())?;
        Some(LateQuery::new(*codec, vector).ok()?.max_sim(centroids))
    }

    /// The sketch as bytes: some eight for each term, half of it packed, and an eighth of the dimension for each centroid.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        put_varint(&mut out, self.chunks);
        put_varint(&mut out, self.terms.len() as u32);
        let mut before = "";
        for (term, chunks) in &self.terms {
            let shared = shared(before, term);
            put_varint(&mut out, shared as u32);
            put_varint(&mut out, (term.len() - shared) as u32);
            out.extend(term.bytes().skip(shared));
            put_varint(&mut out, *chunks);
            before = term;
        }
        let dimension = self.centroids.as_ref().map_or(0, |(codec, _)| codec.dimension());
        put_varint(&mut out, dimension as u32);
        out.extend(self.centroids.iter().flat_map(|(_, centroids)| centroids.as_bytes()));
        out
    }

    /// Reads an encoded sketch.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not a whole sketch.
    pub fn decode(bytes: &[u8]) -> Result<Self, IndexError> {
        let mut reader = Reader::open(SKETCH, bytes, MAGIC)?;
        let chunks = reader.varint("the number of chunks")?;
        let count = reader.count(4, "terms")?;
        let mut terms: Vec<(String, u32)> = Vec::with_capacity(count);
        for _ in 0..count {
            let term = next_term(&mut reader, terms.last().map_or("", |(term, _)| term))?;
            let holding = reader.varint("the chunks that hold a term")?;
            if holding == 0 || holding > chunks {
                return Err(reader.damaged(format!("1 to {chunks} chunks"), holding.to_string()));
            }
            terms.push((term, holding));
        }
        let dimension = reader.varint("the numbers of a vector")? as usize;
        let codes = reader.take(reader.remaining(), "centroids")?.to_vec();
        let centroids = match dimension {
            0 if codes.is_empty() => None,
            0 => return Err(reader.damaged("the end", format!("{} more bytes", codes.len()))),
            _ => {
                let codec = Codec::new(dimension, BITS)
                    .map_err(|error| reader.damaged("codes of centroids", error.to_string()))?;
                let record = Record::from_bytes(codec, codes);
                let whole = || reader.damaged("whole centroids", "a part of one");
                Some((codec, record.ok_or_else(whole)?))
            }
        };
        Ok(Self { chunks, terms, centroids })
    }
}

/// The bytes of whole letters that two terms begin with.
fn shared(left: &str, right: &str) -> usize {
    let mut letters = left.char_indices().zip(right.chars());
    let other = letters.find(|((_, left), right)| left != right);
    other.map_or(left.len().min(right.len()), |((start, _), _)| start)
}

fn next_term(reader: &mut Reader<'_>, before: &str) -> Result<String, IndexError> {
    let shared = reader.varint("shared bytes")? as usize;
    let length = reader.count(1, "a term's bytes")?;
    let Some(beginning) = before.get(..shared) else {
        return Err(reader.damaged("whole letters of the term before", shared.to_string()));
    };
    let rest = std::str::from_utf8(reader.take(length, "a term")?);
    let rest = rest.map_err(|_| reader.damaged("a term in UTF-8", "other bytes"))?;
    let term = format!("{beginning}{rest}");
    // One spelling for each sketch: a shard's hash then stands for its content.
    if term.as_str() <= before || self::shared(before, &term) != shared {
        return Err(reader.damaged("a term behind the one before it", term));
    }
    Ok(term)
}

/// A site that may be asked, and the question's terms by the rules of its language.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Its subjects.
    pub sketch: &'a Sketch,
    /// The terms to be looked for in it.
    pub terms: &'a [String],
}

/// The probability of each site that it is the one to ask, all together 1: by words, and by meaning where there is a
/// vector of the question.
///
/// These are relative: of sites that know nothing of it one is still the best.
pub fn beliefs(sites: &[Candidate<'_>], vector: Option<&[f32]>) -> Vec<f32> {
    let words = standardised(&beliefs_by_words(sites));
    let sums = match vector {
        None => words.into_iter().map(|belief| belief * (1.0 + WEIGHT_OF_NEARNESS)).collect(),
        Some(vector) => {
            let near = sites.iter().map(|site| site.sketch.nearness(vector).unwrap_or_default());
            let near = standardised(&near.collect::<Vec<_>>());
            let both = words.into_iter().zip(near);
            both.map(|(word, near)| word + WEIGHT_OF_NEARNESS * near).collect::<Vec<_>>()
        }
    };
    let odds: Vec<f32> = sums.into_iter().map(|sum| libm::expf(SHARPNESS * sum)).collect();
    let total: f32 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / total).collect()
}

/// The sums of CORI's `T × I`, with its constants: how many chunks hold a term, and how few sites do.
fn beliefs_by_words(sites: &[Candidate<'_>]) -> Vec<f32> {
    let count = sites.len() as f32;
    let chunks = |site: &Candidate<'_>| site.sketch.chunks as f32;
    let mean = (sites.iter().map(chunks).sum::<f32>() / count.max(1.0)).max(1.0);
    let belief = |site: &Candidate<'_>| {
        let of_term = |term: &String| {
            let holding = site.sketch.chunks_with(term) as f32;
            if holding == 0.0 {
                return 0.0;
            }
            let sites = sites.iter().filter(|other| other.sketch.chunks_with(term) > 0).count();
            let rare = libm::logf((count + 0.5) / sites as f32) / libm::logf(count + 1.0);
            holding / (holding + 50.0 + 150.0 * chunks(site) / mean) * rare
        };
        site.terms.iter().map(of_term).sum()
    };
    sites.iter().map(belief).collect()
}

/// The number of standard deviations that each lies above the mean; 0 for all where they do not differ.
fn standardised(values: &[f32]) -> Vec<f32> {
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    let deviation =
        libm::sqrtf(values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count);
    let is_flat = deviation <= f32::EPSILON * mean.abs();
    values.iter().map(|value| if is_flat { 0.0 } else { (value - mean) / deviation }).collect()
}
