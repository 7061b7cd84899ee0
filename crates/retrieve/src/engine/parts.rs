//! The search by meaning where the vectors are in parts, of which a question fetches those near it.

use std::rc::Rc;

use campanile_bundle::{BundleIndex, Fetch};
use campanile_index::Hit;

use crate::error::RetrieveError;

/// The rows whose bits a question is compared with, in the partitions nearest to it: 1.6 MB of 33 bytes a row. How many of
/// the nearest passages are among them: docs/reference/performance.md.
const LOOKED_AT: usize = 49_152;
/// The rows whose vectors are compared then, at least: of the ten nearest, bits alone put one or two in a hundred behind
/// so many.
const COMPARED: usize = 128;

/// The reach of a search in parts where a filter leaves little near the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// No further: what is let through and lies far away is not worth fetching every part.
    Near,
    /// To the last part, until enough is found: what is let through is all that may be found.
    Far,
}

/// Compares with the bits of many rows near the vector, and then with the vectors of the best.
pub(super) async fn compared<F: Fetch>(
    index: &BundleIndex<'_, F>,
    vector: &[f32],
    count: usize,
    reach: Reach,
    keep: &dyn Fn(u32) -> bool,
) -> Result<Vec<Hit>, RetrieveError> {
    let wanted = if reach == Reach::Far { count.max(COMPARED) } else { count };
    let units = nearest_by_bits(index, vector, wanted, (LOOKED_AT, reach), keep).await?;
    let vectors = index.vectors_of(&units).await?;
    let hits = vectors.search(vector, count, &|_| true)?.into_iter();
    Ok(hits.filter_map(|hit| Some(Hit { id: *units.get(hit.id as usize)?, ..hit })).collect())
}

/// The `wanted` rows whose bits are nearest, in the partitions that together have `looked_at` rows. Where `keep` leaves
/// fewer there and the reach is far, as many rows again are looked at, and so on to the last.
async fn nearest_by_bits<F: Fetch>(
    index: &BundleIndex<'_, F>,
    vector: &[f32],
    wanted: usize,
    (looked_at, reach): (usize, Reach),
    keep: &dyn Fn(u32) -> bool,
) -> Result<Vec<u32>, RetrieveError> {
    let head = index.partitions().await?;
    let bits = head.query(vector)?;
    let mut rows = looked_at;
    loop {
        let partitions = index.partitions_of(&head.nearest(vector, rows)?).await?;
        let near = bits.search(partitions.iter().map(Rc::as_ref), wanted, keep);
        if reach == Reach::Near || near.len() >= wanted || rows >= head.row_count() {
            return Ok(near.iter().map(|hit| hit.id).collect());
        }
        rows += looked_at;
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use campanile_bundle::{
        Bundle, BundleWriter, Counts, DirectoryFetch, DocumentNotes, DocumentRecord, Manifest,
    };
    use campanile_index::{Bm25Parameters, LexicalBuilder, VectorTable};
    use futures_lite::future::block_on;

    use super::*;

    #[test]
    fn where_a_filter_leaves_too_few_more_partitions_are_looked_into() {
        const ROWS: u32 = 400;
        let folder = tempfile::tempdir().unwrap();
        let mut writer = BundleWriter::begin(folder.path()).unwrap();
        let row = |row: u32| -> Vec<f32> {
            (1..=16).map(|place| ((row * place) as f32 * 0.37).sin() / 3.0).collect()
        };
        let table = VectorTable::from_f32((1..=ROWS).map(row), 16).unwrap();
        let document = DocumentRecord::plain("Page", "page.md", "A page.");
        let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
        (0..ROWS).for_each(|_| lexical.add_chunk(["page".to_owned()]));
        let manifest = Manifest {
            dimension: 16,
            partitions: Some(writer.add_partitions(&table, 40, 8).unwrap()),
            ..Manifest::plain(
                "Tests",
                Counts { documents: ROWS, chunks: ROWS },
                writer.add_lexical(&lexical.finish(1024)).unwrap(),
                writer
                    .add_documents(
                        (0..ROWS).map(|_| document.clone()),
                        DocumentNotes::default(),
                        1024,
                    )
                    .unwrap(),
            )
        };
        writer.finish(&manifest).unwrap();
        block_on(async {
            let bundle = Bundle::open(DirectoryFetch::new(folder.path())).await.unwrap();
            let index = bundle.chunk_index();
            let question = row(7);
            let found = async |wanted: usize, reach: Reach, keep: &dyn Fn(u32) -> bool| {
                nearest_by_bits(&index, &question, wanted, (50, reach), keep).await.unwrap()
            };
            // Of the nearest partition alone, where that has enough.
            let head = index.partitions().await.unwrap();
            let near = head.nearest(&question, 50).unwrap();
            let near = index.partitions_of(&near).await.unwrap();
            let is_near = |row: &u32| near.iter().any(|partition| partition.rows().contains(row));
            assert!(found(5, Reach::Far, &|_| true).await.iter().all(is_near));
            // Of all, where nothing near is let through.
            let far = found(20, Reach::Far, &|row| !is_near(&row)).await;
            assert_eq!(far.len(), 20);
            assert_eq!(found(1_000, Reach::Far, &|row| row % 2 == 0).await.len(), 200);
            assert!(found(20, Reach::Near, &|row| !is_near(&row)).await.is_empty());
        });
    }
}
