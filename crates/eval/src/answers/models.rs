//! Answers as models see them: compared by vectors of whole texts and of word pieces (BERTScore), and how likely they are.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use campanile_model::{Decoder, Encoder, ModelError};
use futures_lite::future::block_on;

use super::overlap::Overlap;

/// Turns texts into vectors: an encoder, or a test's stand-in.
pub trait Embed {
    /// Why a text cannot be embedded.
    type Error: Error + Send + Sync + 'static;

    /// One vector for each text, in the order given, all of one length.
    ///
    /// # Errors
    /// Where a text cannot be embedded.
    fn sentences(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Self::Error>;

    /// The vectors of a text's word pieces, special tokens left out.
    ///
    /// # Errors
    /// Where the text cannot be embedded.
    fn tokens(&self, text: &str) -> Result<Vec<TokenVector>, Self::Error>;
}

/// A word piece and the vector that an encoder gives it at its place.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenVector {
    /// Which piece: the same number for the same letters.
    pub token: u32,
    /// Its vector, of any length.
    pub vector: Vec<f32>,
}

/// The bundled encoder. Texts are cut after [`Encoder::max_tokens`].
impl Embed for Encoder {
    type Error = ModelError;

    fn sentences(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.encode(texts)
    }

    fn tokens(&self, text: &str) -> Result<Vec<TokenVector>, ModelError> {
        let mut found = Vec::new();
        for read in self.token_vectors(&[text])? {
            let rows = read.vectors.chunks_exact(self.dimension().max(1));
            let pieces = read.ids.iter().zip(rows);
            found.extend(
                pieces
                    .filter(|(id, _)| !self.tokenizer().is_special(**id))
                    .map(|(id, row)| TokenVector { token: *id, vector: row.to_vec() }),
            );
        }
        Ok(found)
    }
}

/// The cosine of the angle between two vectors, −1 to 1; 0 where one of them has no length.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let product = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let lengths = product(a, a).sqrt() * product(b, b).sqrt();
    if lengths > 0.0 { (product(a, b) / lengths).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The text whose vector is nearest to this one, with its cosine; the first of equals.
pub(super) fn nearest_text<'a>(
    vector: &[f32],
    among: impl Iterator<Item = (&'a str, &'a Vec<f32>)>,
) -> Option<(f64, &'a str)> {
    among
        .map(|(text, other)| (cosine(vector, other), text))
        .reduce(|best, one| if one.0 > best.0 { one } else { best })
}

/// The cosine of the answer's vector and that of the gold answer nearest to it, −1 to 1; `None`
/// where there is no gold answer.
///
/// # Errors
/// Where a text cannot be embedded.
pub fn sentence_similarity<E: Embed, S: AsRef<str>>(
    answer: &str,
    golds: &[S],
    embed: &E,
) -> Result<Option<f64>, E::Error> {
    let mut texts = vec![answer];
    texts.extend(golds.iter().map(AsRef::as_ref));
    let vectors = embed.sentences(&texts)?;
    let Some((answer, golds)) = vectors.split_first() else { return Ok(None) };
    Ok(golds.iter().map(|gold| cosine(answer, gold)).reduce(f64::max))
}

/// The weight of each word piece.
#[derive(Debug, Clone, Copy)]
pub enum TokenWeights<'a> {
    /// All the same.
    Equal,
    /// Rare ones more.
    Rare(&'a InverseDocumentFrequency),
}

impl TokenWeights<'_> {
    fn of(self, token: &TokenVector) -> f64 {
        match self {
            Self::Equal => 1.0,
            Self::Rare(frequencies) => frequencies.weight(token.token),
        }
    }
}

/// In how many texts each word piece occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InverseDocumentFrequency {
    texts: usize,
    occurrences: BTreeMap<u32, usize>,
}

impl InverseDocumentFrequency {
    /// Counts the pieces of texts, usually all gold answers of a question set.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a [TokenVector]>) -> Self {
        let mut new = Self::default();
        for text in texts {
            new.texts += 1;
            let pieces: BTreeSet<u32> = text.iter().map(|piece| piece.token).collect();
            for piece in pieces {
                *new.occurrences.entry(piece).or_insert(0) += 1;
            }
        }
        new
    }

    /// `ln((texts + 1) / (texts with the piece + 1))`: 0 for a piece of every text.
    pub fn weight(&self, token: u32) -> f64 {
        let with = self.occurrences.get(&token).copied().unwrap_or_default();
        f64::ln((self.texts + 1) as f64 / (with + 1) as f64)
    }
}

/// BERTScore of two texts by the vectors of their word pieces (Zhang et al. 2020): each piece of
/// one is matched with the piece of the other whose vector is nearest, whatever else is matched
/// with it.
///
/// Precision is the mean cosine over the answer's pieces, recall over the gold answer's, both
/// weighted; each −1 to 1. Where all of a text's weights are 0, its pieces count the same. A text
/// without pieces has 0.
///
/// It differs from the package bert-score in three ways: the vectors are the bundled encoder's last
/// layer, not one chosen for agreement with human judgement; special tokens take no part (there
/// they have no weight but may be matched); and nothing is rescaled. Compare values of one encoder
/// only.
pub fn bert_score(
    answer: &[TokenVector],
    gold: &[TokenVector],
    weights: TokenWeights<'_>,
) -> Overlap {
    Overlap::new(nearest(answer, gold, weights), nearest(gold, answer, weights))
}

/// [`bert_score`] of an answer and the gold answer that gives the highest F1, the first of equals.
///
/// # Errors
/// Where a text cannot be embedded.
pub fn bert_score_of<E: Embed, S: AsRef<str>>(
    answer: &str,
    golds: &[S],
    embed: &E,
    weights: TokenWeights<'_>,
) -> Result<Overlap, E::Error> {
    let answer = embed.tokens(answer)?;
    let mut scores = Vec::with_capacity(golds.len());
    for gold in golds {
        scores.push(bert_score(&answer, &embed.tokens(gold.as_ref())?, weights));
    }
    Ok(Overlap::best(scores))
}

/// The weighted mean of the cosines of `from`'s pieces with the nearest in `among`.
fn nearest(from: &[TokenVector], among: &[TokenVector], weights: TokenWeights<'_>) -> f64 {
    if from.is_empty() || among.is_empty() {
        return 0.0;
    }
    let best = |piece: &TokenVector| {
        let cosines = among.iter().map(|other| cosine(&piece.vector, &other.vector));
        cosines.fold(-1.0, f64::max)
    };
    let total: f64 = from.iter().map(|piece| weights.of(piece)).sum();
    let weights = if total > 0.0 { weights } else { TokenWeights::Equal };
    let total = if total > 0.0 { total } else { from.len() as f64 };
    from.iter().map(|piece| weights.of(piece) * best(piece)).sum::<f64>() / total
}

/// Says how likely a text is.
pub trait LanguageModel {
    /// Why it cannot say.
    type Error: Error + Send + Sync + 'static;

    /// The natural logarithm of the probability of each token of `text`, after `prompt` and the
    /// tokens before it; none is above 0.
    ///
    /// # Errors
    /// Where the model cannot read the text.
    fn log_probabilities(&mut self, prompt: &str, text: &str) -> Result<Vec<f64>, Self::Error>;
}

/// A language model of the bundle. The token that begins a text, or ends one where the model has
/// none for the beginning, stands before the prompt. Prompt and text are cut into tokens one by
/// one.
impl LanguageModel for Decoder {
    type Error = ModelError;

    fn log_probabilities(&mut self, prompt: &str, text: &str) -> Result<Vec<f64>, ModelError> {
        let config = self.config();
        let begin = config.bos_token_id.or_else(|| config.end_tokens().first().copied());
        let mut before: Vec<u32> = begin.into_iter().collect();
        before.extend(self.tokenizer().encode(prompt)?);
        let text = self.tokenizer().encode(text)?;
        block_on(Decoder::log_probabilities(self, &before, &text))
    }
}

/// The perplexity of a text: how little a language model expected it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Perplexity {
    /// The text's tokens.
    pub tokens: usize,
    /// The mean of `−ln p` over the tokens, in nats.
    pub mean_negative_log_likelihood: f64,
}

impl Perplexity {
    /// From the natural logarithms of the tokens' probabilities; `None` where there are no tokens.
    pub fn new(log_probabilities: &[f64]) -> Option<Self> {
        let tokens = log_probabilities.len();
        let sum: f64 = log_probabilities.iter().sum();
        // Not `-sum`: a sure text has 0, not −0.
        let mean_negative_log_likelihood = (0.0 - sum) / tokens as f64;
        (tokens > 0).then_some(Self { tokens, mean_negative_log_likelihood })
    }

    /// `exp` of the mean: among how many equally likely tokens the model chose, so to speak. At
    /// least 1.
    pub fn perplexity(&self) -> f64 {
        self.mean_negative_log_likelihood.exp()
    }
}

/// The perplexity of an answer after a prompt, such as the question and its passages; `None` for an
/// answer without tokens.
///
/// # Errors
/// Where the model cannot read the texts.
pub fn perplexity<M: LanguageModel>(
    model: &mut M,
    prompt: &str,
    answer: &str,
) -> Result<Option<Perplexity>, M::Error> {
    Ok(Perplexity::new(&model.log_probabilities(prompt, answer)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines() {
        assert!((cosine(&[3.0, 4.0], &[6.0, 8.0]) - 1.0).abs() < 1e-12);
        assert!((cosine(&[1.0, 0.0], &[1.0, 1.0]) - 0.5_f64.sqrt()).abs() < 1e-7);
        assert!((cosine(&[1.0, 0.0], &[-2.0, 0.0]) + 1.0).abs() < 1e-12);
        assert!(cosine(&[0.0, 0.0], &[1.0, 1.0]).abs() < 1e-12);
    }

    fn piece(token: u32, vector: [f32; 2]) -> TokenVector {
        TokenVector { token, vector: vector.to_vec() }
    }

    #[test]
    fn a_worked_example() {
        let answer = [piece(1, [1.0, 0.0])];
        let gold = [piece(1, [2.0, 0.0]), piece(2, [0.0, 1.0])];
        let found = bert_score(&answer, &gold, TokenWeights::Equal);
        assert!((found.precision - 1.0).abs() < 1e-12 && (found.recall - 0.5).abs() < 1e-12);
        // Piece 1 is in both texts and says nothing; piece 2 is all that counts.
        let rare = InverseDocumentFrequency::new([&answer[..], &gold[..]]);
        assert!(rare.weight(1).abs() < 1e-12 && rare.weight(2) > 0.4 && rare.weight(9) > 1.0);
        let found = bert_score(&answer, &gold, TokenWeights::Rare(&rare));
        assert!((found.precision - 1.0).abs() < 1e-12 && found.recall.abs() < 1e-12);
    }

    #[test]
    fn a_choice_of_four_is_a_perplexity_of_four() {
        let found = Perplexity::new(&[0.25_f64.ln(); 3]);
        assert!(found.is_some_and(|found| (found.perplexity() - 4.0).abs() < 1e-12));
        assert_eq!(Perplexity::new(&[]), None);
        let sure = Perplexity::new(&[0.0, 0.0]).map(|sure| sure.mean_negative_log_likelihood);
        assert!(sure.is_some_and(|mean| mean.to_bits() == 0));
    }
}
