//! Puts the passages that were found together with what stands around them.

use std::collections::BTreeMap;
use std::rc::Rc;

use campanile_bundle::DocumentRecord;
use campanile_index::sort_short;
use campanile_text::Span;

use crate::passage::Passage;

/// The bounds on what is read around a passage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Around {
    /// Passages before it.
    pub before: u32,
    /// Passages after it.
    pub after: u32,
    /// Together the excerpts have at most so many tokens, those of the passages themselves included;
    /// the passages that were found are never left out for it.
    pub most_tokens: usize,
}

/// A stretch of one document: passages that were found, with what stands around them.
#[derive(Debug, Clone)]
pub struct Excerpt {
    /// The document.
    pub document: Rc<DocumentRecord>,
    /// The stretch, in the document's text.
    pub span: Span,
    /// The passages in it, in the order of the text. Their spans may overlap; the stretch has each
    /// word once.
    pub parts: Vec<ExcerptPart>,
}

/// One passage of an excerpt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcerptPart {
    /// Its number among the document's passages.
    pub number: u32,
    /// Its place in the document's text.
    pub span: Span,
    /// Its place among the passages that were found, from 0; `None` for a neighbour.
    pub found: Option<usize>,
}

impl Excerpt {
    /// The stretch's words.
    pub fn text(&self) -> &str {
        &self.document.text[self.span.range()]
    }

    /// The place of its best passage.
    pub fn best(&self) -> usize {
        self.parts.iter().filter_map(|part| part.found).min().unwrap_or(usize::MAX)
    }
}

/// Puts the passages' neighbours beside them, and what touches into one excerpt; those with the
/// best passage come first.
///
/// Neighbours are taken in rounds, the nearest first and those of better passages before those of others,
/// until the next would go over the budget; `count` says how many tokens a text has.
///
/// # Errors
/// Where `count` fails.
pub(crate) fn with_neighbours<E>(
    passages: &[Passage],
    around: &Around,
    count: impl Fn(&str) -> Result<usize, E>,
) -> Result<Vec<Excerpt>, E> {
    let tokens_of = |document: &DocumentRecord, span: Span| count(&document.text[span.range()]);
    let mut chosen = Chosen::default();
    let mut tokens = 0;
    for (place, passage) in passages.iter().enumerate() {
        chosen.add(place, passage);
        tokens += tokens_of(&passage.document, passage.span)?;
    }
    'budget: for distance in 1..=around.before.max(around.after) {
        for passage in passages {
            for number in beside(passage.number, distance, around) {
                let Some(record) = passage.document.chunks.get(number as usize) else { continue };
                if chosen.has(passage, number) {
                    continue;
                }
                tokens += tokens_of(&passage.document, record.span)?;
                if tokens > around.most_tokens {
                    // A shorter one that follows is farther away, or beside a passage that fits less.
                    break 'budget;
                }
                chosen.add_neighbour(passage, number, record.span);
            }
        }
    }
    Ok(chosen.excerpts())
}

/// The numbers at a distance before and after.
fn beside(number: u32, distance: u32, around: &Around) -> impl Iterator<Item = u32> {
    let before = (distance <= around.before).then(|| number.checked_sub(distance)).flatten();
    let after = (distance <= around.after).then(|| number.checked_add(distance)).flatten();
    before.into_iter().chain(after)
}

/// The passages of each document by their numbers.
#[derive(Default)]
struct Chosen {
    /// Each document's passages by their numbers, by its path.
    documents: BTreeMap<String, (Rc<DocumentRecord>, BTreeMap<u32, ExcerptPart>)>,
}

impl Chosen {
    fn parts(&mut self, document: &Rc<DocumentRecord>) -> &mut BTreeMap<u32, ExcerptPart> {
        let new = || (Rc::clone(document), BTreeMap::new());
        &mut self.documents.entry(document.path.clone()).or_insert_with(new).1
    }

    fn add(&mut self, place: usize, passage: &Passage) {
        let part = ExcerptPart { number: passage.number, span: passage.span, found: Some(place) };
        self.parts(&passage.document).entry(passage.number).or_insert(part);
    }

    fn has(&self, passage: &Passage, number: u32) -> bool {
        let known = self.documents.get(&passage.document.path);
        known.is_some_and(|(_, parts)| parts.contains_key(&number))
    }

    fn add_neighbour(&mut self, passage: &Passage, number: u32, span: Span) {
        let part = ExcerptPart { number, span, found: None };
        self.parts(&passage.document).insert(number, part);
    }

    /// Runs of numbers without a gap.
    fn excerpts(self) -> Vec<Excerpt> {
        let mut excerpts: Vec<Excerpt> = Vec::new();
        for (document, parts) in self.documents.into_values() {
            let mut last: Option<u32> = None;
            for part in parts.into_values() {
                let follows = last.is_some_and(|last| last + 1 == part.number);
                last = Some(part.number);
                match excerpts.last_mut() {
                    Some(excerpt) if follows => {
                        excerpt.span = excerpt.span.joined(part.span);
                        excerpt.parts.push(part);
                    }
                    _ => excerpts.push(Excerpt {
                        document: Rc::clone(&document),
                        span: part.span,
                        parts: vec![part],
                    }),
                }
            }
        }
        sort_short(&mut excerpts, |left, right| left.best().cmp(&right.best()));
        excerpts
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use campanile_bundle::ChunkId;

    use super::*;
    use crate::passage::{Scores, StageScore};

    /// A document of passages of ten letters each, the last three of which the next one repeats.
    fn document(path: &str, passages: u32) -> Rc<DocumentRecord> {
        let text: String =
            (0..7 * passages + 3).map(|place| char::from(b'a' + (place % 26) as u8)).collect();
        let mut document = DocumentRecord::plain(path, path, &text);
        let first = document.chunks.remove(0);
        document.chunks = (0..passages)
            .map(|number| campanile_bundle::ChunkRecord {
                span: Span::new(7 * number, 7 * number + 10),
                ..first
            })
            .collect();
        Rc::new(document)
    }

    fn passage(document: &Rc<DocumentRecord>, number: u32) -> Passage {
        let scores = Scores::fused(StageScore { rank: 1, score: 1.0 });
        let found = Passage::new(Rc::clone(document), number, ChunkId(number), scores);
        found.unwrap_or_else(|| unreachable!("a document of more passages"))
    }

    /// An excerpt's document, and its parts by number and place.
    type PathAndParts = (String, Vec<(u32, Option<usize>)>);

    fn excerpts(
        passages: &[Passage],
        before: u32,
        after: u32,
        most_tokens: usize,
    ) -> Vec<PathAndParts> {
        let around = Around { before, after, most_tokens };
        let count = |text: &str| Ok::<usize, Infallible>(text.len());
        let Ok(found) = with_neighbours(passages, &around, count);
        let parts = |excerpt: &Excerpt| {
            excerpt.parts.iter().map(|part| (part.number, part.found)).collect()
        };
        found.iter().map(|excerpt| (excerpt.document.path.clone(), parts(excerpt))).collect()
    }

    #[test]
    fn what_touches_becomes_one() {
        let (one, two) = (document("one", 9), document("two", 2));
        let passages = [passage(&one, 5), passage(&two, 0), passage(&one, 3), passage(&one, 8)];
        let found = excerpts(&passages, 1, 1, 1000);
        assert_eq!(
            found,
            [
                (
                    "one".to_owned(),
                    vec![
                        (2, None),
                        (3, Some(2)),
                        (4, None),
                        (5, Some(0)),
                        (6, None),
                        (7, None),
                        (8, Some(3))
                    ]
                ),
                ("two".to_owned(), vec![(0, Some(1)), (1, None)]),
            ]
        );
        // Four passages of ten, and one neighbour: the next after the best.
        let found = excerpts(&passages, 0, 1, 50);
        assert_eq!(found[0], ("one".to_owned(), vec![(5, Some(0)), (6, None)]));
        assert_eq!(found.len(), 4);
        assert_eq!(excerpts(&passages, 2, 2, 0).len(), 4, "what was found stays");
    }

    proptest! {
        /// Each word of an excerpt stands there once, whatever overlaps; the budget holds.
        #[test]
        fn excerpts_repeat_nothing(
            numbers in proptest::collection::btree_set(0u32..12, 1..6),
            before in 0u32..4,
            after in 0u32..4,
            most_tokens in 0usize..200,
        ) {
            let document = document("one", 12);
            let passages: Vec<Passage> = numbers.iter().map(|number| passage(&document, *number)).collect();
            let around = Around { before, after, most_tokens };
            let Ok(found) = with_neighbours(&passages, &around, |text| Ok::<usize, Infallible>(text.len()));
            let mut spans: Vec<Span> = found.iter().map(|excerpt| excerpt.span).collect();
            spans.sort_by_key(|span| span.start);
            for excerpt in &found {
                prop_assert!(excerpt.parts.iter().all(|part| excerpt.span.contains(part.span)));
                prop_assert!(excerpt.parts.windows(2).all(|pair| pair[0].number + 1 == pair[1].number));
                prop_assert_eq!(excerpt.text().len(), 7 * excerpt.parts.len() + 3);
            }
            let count: usize = found.iter().map(|excerpt| excerpt.parts.len()).sum();
            prop_assert!(10 * count <= most_tokens.max(10 * passages.len()));
            let kept = found.iter().flat_map(|excerpt| &excerpt.parts).filter(|part| part.found.is_some());
            prop_assert_eq!(kept.count(), passages.len());
        }
    }
}
