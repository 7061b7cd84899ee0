//! The inverted index of a site.

use std::ops::Deref;
use std::rc::Rc;

use campanile_index::{LexicalHead, Posting, PostingsShard};
use futures_util::future::join_all;

use super::gathered::Gathered;
use super::index::BundleIndex;
use crate::{BundleError, Fetch, Part};

/// The postings of one term, within the shard that holds them.
#[derive(Debug, Clone)]
pub struct TermPostings(Option<(Rc<PostingsShard>, usize)>);

impl TermPostings {
    fn of(shard: &Rc<PostingsShard>, term: &str) -> Self {
        Self(shard.place(term).map(|place| (Rc::clone(shard), place)))
    }
}

impl Deref for TermPostings {
    type Target = [Posting];

    fn deref(&self) -> &[Posting] {
        let list = self.0.as_ref().and_then(|(shard, place)| shard.list(*place));
        list.unwrap_or_default()
    }
}

impl AsRef<[Posting]> for TermPostings {
    fn as_ref(&self) -> &[Posting] {
        self
    }
}

/// Terms of a stretch of the alphabet, as [`BundleIndex::vocabulary`] finds them.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    beginning: String,
    shards: Vec<Rc<PostingsShard>>,
}

impl Vocabulary {
    /// The terms, sorted, each with the number of units that hold it.
    pub fn terms(&self) -> impl Iterator<Item = (&str, usize)> {
        self.shards.iter().flat_map(|shard| shard.beginning_with(&self.beginning))
    }
}

impl<F: Fetch> BundleIndex<'_, F> {
    /// Unit lengths and the way to the postings.
    ///
    /// # Errors
    /// [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn lexical_head(&self) -> Result<Rc<LexicalHead>, BundleError> {
        Ok(Rc::clone(&self.lexical().await?.head))
    }

    /// The postings of each of `terms`, in their order; none for a term that no unit holds.
    /// The shards needed are fetched side by side, and a damaged one costs only its own terms.
    ///
    /// # Errors
    /// For each term, any about the head or about the term's shard.
    pub async fn postings<T: AsRef<str>>(
        &self,
        terms: &[T],
    ) -> Vec<Result<TermPostings, BundleError>> {
        let lexical = match self.lexical().await {
            Ok(lexical) => lexical,
            Err(error) => return terms.iter().map(|_| Err(error.clone())).collect(),
        };
        let shard_of = |term: &T| lexical.head.shard_of(term.as_ref());
        let numbers = terms.iter().filter_map(shard_of);
        let shards = Gathered::fetch(numbers, |number| self.postings_shard(&lexical, number)).await;
        let postings = |term: &T| match shard_of(term).and_then(|number| shards.get(number)) {
            None => Ok(TermPostings(None)),
            Some(Ok(shard)) => Ok(TermPostings::of(shard, term.as_ref())),
            Some(Err(error)) => Err(error.clone()),
        };
        terms.iter().map(postings).collect()
    }

    /// The terms that begin as `word` does: with as few of its letters as it takes for all such
    /// terms to lie in at most `most_shards` shards, which are fetched. On a small site that is
    /// every term there is; with the whole word the number of shards has no limit.
    ///
    /// # Errors
    /// Any about the head or one of the shards.
    pub async fn vocabulary(
        &self,
        word: &str,
        most_shards: usize,
    ) -> Result<Vocabulary, BundleError> {
        let lexical = self.lexical().await?;
        let ends = word.char_indices().map(|(end, _)| end).chain([word.len()]);
        let beginning = ends
            .filter_map(|end| word.get(..end))
            .find(|beginning| lexical.head.shards_of_beginning(beginning).len() <= most_shards)
            .unwrap_or(word);
        let numbers = lexical.head.shards_of_beginning(beginning);
        let shards = join_all(numbers.map(|number| self.postings_shard(&lexical, number))).await;
        let shards = shards.into_iter().collect::<Result<_, _>>()?;
        Ok(Vocabulary { beginning: beginning.to_owned(), shards })
    }

    pub(super) async fn lexical(&self) -> Result<Rc<Part<LexicalHead>>, BundleError> {
        let kept = self.kept(|kept| kept.lexical.clone());
        if let Some(lexical) = kept {
            return Ok(lexical);
        }
        let entry = &self.entries.lexical.head;
        let lexical = Rc::new(self.decode_lexical(&self.bundle.shard(entry).await?)?);
        self.keep(|kept| kept.lexical = Some(Rc::clone(&lexical)));
        Ok(lexical)
    }

    fn decode_lexical(&self, bytes: &[u8]) -> Result<Part<LexicalHead>, BundleError> {
        let path = &self.entries.lexical.head.path;
        let part = Part::<LexicalHead>::decode(path, bytes)?;
        let (expected, found) = (self.units(), part.head.chunk_count());
        if found != expected {
            let reason = format!("expected {expected} chunks, found {found}");
            return Err(BundleError::content(path, reason));
        }
        Ok(part)
    }

    async fn postings_shard(
        &self,
        lexical: &Part<LexicalHead>,
        number: usize,
    ) -> Result<Rc<PostingsShard>, BundleError> {
        let kept = self.kept(|kept| kept.postings.get(number as u32));
        if let Some(shard) = kept {
            return Ok(shard);
        }
        let entry = lexical.entries.get(number).ok_or(BundleError::NoSuch {
            what: "postings shard",
            number: number as u32,
            count: lexical.entries.len() as u32,
        })?;
        let bytes = self.bundle.shard(entry).await?;
        let shard = PostingsShard::decode(&bytes, lexical.head.chunk_count())
            .map_err(|error| BundleError::index(&entry.path, &error))?;
        let bytes = shard.posting_count() * size_of::<Posting>();
        let shard = Rc::new(shard);
        self.keep(|kept| kept.postings.put(number as u32, Rc::clone(&shard), bytes));
        Ok(shard)
    }
}
