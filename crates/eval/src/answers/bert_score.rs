use std::collections::{BTreeMap, BTreeSet};

use super::embed::{Embed, TokenVector, cosine};
use super::overlap::Overlap;

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

#[cfg(test)]
mod tests {
    use super::{InverseDocumentFrequency, TokenVector, TokenWeights, bert_score};

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
}
