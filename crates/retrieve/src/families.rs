//! Tells for one question what each passage is to pages of one make, and moves its score by that.

use std::collections::BTreeSet;

use campanile_bundle::{ChunkId, DocumentId, DocumentsHead};
use campanile_corpus::families::{PageFamilies, Question};

use crate::fuse::{Fused, mean_and_way};

/// Shifts of a passage's score, as a share of the way from the mean of the candidates to the best: so it
/// does not matter on which scale they are scored. Chosen on two made-up catalogues of 86 pages with 116
/// questions each (docs/concepts/retrieval.md), where values from half to one and a half times as much
/// differ by two questions.
mod shift {
    /// The shift of a page that the question names, where it is the best candidate; in proportion, where it is less.
    pub(super) const NAMED: f64 = 0.3;
    /// The shift of a passage that such pages repeat, on a page that the question does not name while it names
    /// others.
    pub(super) const SIBLING: f64 = -1.0;
    /// The shift of a passage that only that page has.
    pub(super) const SIBLINGS_OWN: f64 = -0.3;
    /// The shift of a passage that such pages repeat, where none is named: of the best of them.
    pub(super) const REPEATED: f64 = -0.6;
    /// The shift of all others of them.
    pub(super) const REPEATED_AGAIN: f64 = -1.0;
    /// The shift of a passage that only one such page has, where none is named.
    pub(super) const OWN: f64 = -0.2;
}

/// The relation of a passage to the pages of one make.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Kin {
    /// It is of none of them.
    #[default]
    Outside,
    /// It is of a page that the question names.
    Named,
    /// It is of another page than those that the question names; `repeats` if others say the same.
    Sibling { repeats: bool },
    /// The question names no page; what others do not say.
    Own,
    /// The question names no page; with the number of what repeats.
    Repeated(u32),
}

/// The relation of every passage of a site to the pages of one make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Kinship {
    of_chunks: Vec<Kin>,
}

impl Kinship {
    /// Works out the relation of each passage for a question.
    pub(crate) fn new(families: &PageFamilies, question: &Question, head: &DocumentsHead) -> Self {
        let mut of_chunks = vec![Kin::Outside; head.chunk_count() as usize];
        let mut number = 0;
        for family in &families.families {
            let named = family.named(question);
            for member in &family.members {
                let kin = match named.is_empty() {
                    true => Kin::Own,
                    false if named.contains(&member.document) => Kin::Named,
                    false => Kin::Sibling { repeats: false },
                };
                for chunk in head.chunks_of(DocumentId(member.document)) {
                    if let Some(own) = of_chunks.get_mut(chunk.index()) {
                        *own = kin;
                    }
                }
            }
            // Numbered through all families: the best of what repeats is found for each group by itself.
            for repeated in &family.repeated {
                number += 1;
                for chunk in repeated {
                    match of_chunks.get_mut(chunk.index()) {
                        Some(kin @ Kin::Own) => *kin = Kin::Repeated(number),
                        Some(Kin::Sibling { repeats }) => *repeats = true,
                        _ => {}
                    }
                }
            }
        }
        Self { of_chunks }
    }

    pub(crate) fn of(&self, chunk: ChunkId) -> Kin {
        self.of_chunks.get(chunk.index()).copied().unwrap_or_default()
    }

    /// Returns `true` if the question names the page that a chunk is of, and `false` if it names another of
    /// the same make; else `None`.
    pub(crate) fn is_named(&self, chunk: ChunkId) -> Option<bool> {
        match self.of(chunk) {
            Kin::Named => Some(true),
            Kin::Sibling { .. } => Some(false),
            Kin::Outside | Kin::Own | Kin::Repeated(_) => None,
        }
    }

    /// Returns `true` if a chunk is one of so many alike that they could leave others no place.
    pub(crate) fn is_crowding(&self, chunk: ChunkId) -> bool {
        matches!(self.of(chunk), Kin::Repeated(_) | Kin::Sibling { repeats: true })
    }

    /// The candidates in their new order, best first, with how many of them are of pages of one make.
    pub(crate) fn ordered(&self, mut candidates: Vec<Fused>) -> (Vec<Fused>, usize) {
        let (mean, way) = mean_and_way(candidates.iter().map(|it| it.score));
        let mut seen = BTreeSet::new();
        let mut members = 0;
        for candidate in &mut candidates {
            let kin = self.of(candidate.chunk);
            let shift = match kin {
                Kin::Outside => 0.0,
                // Only above the mean: a page that is named and says nothing of what is asked stays where it is.
                Kin::Named => shift::NAMED * (candidate.score - mean).max(0.0),
                Kin::Sibling { repeats: true } => shift::SIBLING * way,
                Kin::Sibling { repeats: false } => shift::SIBLINGS_OWN * way,
                Kin::Own => shift::OWN * way,
                Kin::Repeated(group) if seen.insert(group) => shift::REPEATED * way,
                Kin::Repeated(_) => shift::REPEATED_AGAIN * way,
            };
            members += usize::from(kin != Kin::Outside);
            candidate.score += shift;
        }
        Fused::sort(&mut candidates);
        (candidates, members)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ChunkId, Kin, Kinship};
    use crate::fuse::Fused;

    fn candidates(scores: &[f64]) -> Vec<Fused> {
        let of = |(chunk, score): (_, &f64)| Fused { chunk, score: *score, origins: Vec::new() };
        (0..).map(ChunkId).zip(scores).map(of).collect()
    }

    fn order(of_chunks: &[Kin], scores: &[f64]) -> Vec<u32> {
        let kinship = Kinship { of_chunks: of_chunks.to_vec() };
        kinship.ordered(candidates(scores)).0.iter().map(|fused| fused.chunk.0).collect()
    }

    #[test]
    fn what_holds_for_all_comes_before_what_many_repeat() {
        use Kin::{Named, Outside, Own, Repeated, Sibling};
        let scores = [6.0, 5.5, 5.0, 4.0, -10.0, -10.5];
        let cases: [([Kin; 4], [u32; 4]); 7] = [
            ([Outside; 4], [0, 1, 2, 3]),
            // The best of those that say the same stays near the top.
            ([Repeated(1), Repeated(1), Repeated(1), Outside], [3, 0, 1, 2]),
            ([Repeated(1), Repeated(2), Repeated(1), Outside], [3, 0, 1, 2]),
            ([Own, Outside, Outside, Outside], [1, 2, 0, 3]),
            ([Sibling { repeats: true }, Sibling { repeats: true }, Outside, Named], [3, 2, 0, 1]),
            ([Sibling { repeats: false }, Named, Outside, Outside], [1, 2, 0, 3]),
            ([Outside, Named, Outside, Outside], [1, 0, 2, 3]),
        ];
        for (kin, expected) in cases {
            let found = order(&kin, &scores);
            assert_eq!(found.get(..4), Some(&expected[..]), "{kin:?}");
        }
        assert_eq!(order(&[Repeated(1)], &[]), [0u32; 0]);
    }

    proptest! {
        /// Nothing is lost; scores fall; those outside keep their order among themselves, on whatever scale.
        #[test]
        fn passages_outside_keep_their_places(
            kin in proptest::collection::vec(0u32..5, 0..30),
            scores in proptest::collection::vec(-5f64..5.0, 30),
            scale in 0.01f64..100.0,
        ) {
            let mut scores: Vec<f64> = scores.iter().take(kin.len()).copied().collect();
            scores.sort_by(|left, right| right.total_cmp(left));
            let of_chunks: Vec<Kin> = kin
                .iter()
                .map(|kin| match kin {
                    0 => Kin::Outside,
                    1 => Kin::Own,
                    2 => Kin::Named,
                    3 => Kin::Sibling { repeats: true },
                    _ => Kin::Repeated(*kin),
                })
                .collect();
            let kinship = Kinship { of_chunks };
            let (ordered, members) = kinship.ordered(candidates(&scores));
            prop_assert!(ordered.windows(2).all(|pair| pair[0].score >= pair[1].score));
            let outside: Vec<ChunkId> = ordered
                .iter()
                .map(|fused| fused.chunk)
                .filter(|chunk| kinship.of(*chunk) == Kin::Outside)
                .collect();
            prop_assert!(outside.is_sorted());
            prop_assert_eq!(outside.len() + members, kin.len());
            let mut all: Vec<u32> = ordered.iter().map(|fused| fused.chunk.0).collect();
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(0..kin.len() as u32));
            let scaled: Vec<f64> = scores.iter().map(|score| scale * score).collect();
            let again = kinship.ordered(candidates(&scaled)).0;
            prop_assert_eq!(again.len(), ordered.len());
        }
    }
}
