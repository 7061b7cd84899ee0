//! Token vectors over a faultless and over a faulty connection.

use std::cell::RefCell;
use std::collections::BTreeMap;

use campanile_bundle::{
    Bundle, BundleError, BundleWriter, ChunkId, MANIFEST_PATH, Manifest, ShardEntry,
};
use campanile_index::late::{Codec, LateIndex, Projection, Record};
use futures_lite::future::block_on;

use crate::common::{TEXTS, add_parts, files};
use crate::faulty::{Fault, Faulty, changed};

const DIMENSION: usize = 8;

/// The record of a chunk: as many vectors as its number, each a direction of its own.
fn record(codec: Codec, chunk: usize) -> Record {
    let vector = |place: usize| (0..DIMENSION).map(move |other| f32::from(place == other));
    Record::of(codec, &(0..chunk).flat_map(vector).collect::<Vec<_>>())
}

/// A site whose chunks have records, two in a shard.
fn site() -> Faulty {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site");
    let mut writer = BundleWriter::begin(&path).unwrap();
    let mut manifest = add_parts(&mut writer, &TEXTS);
    (manifest.vectors, manifest.graph, manifest.dimension) = (None, None, DIMENSION as u32);
    let directions: Vec<Vec<f64>> = (0..DIMENSION)
        .map(|row| (0..DIMENSION).map(|column| f64::from(row == column)).collect())
        .collect();
    let projection = Projection::new(&directions, &[0.0; DIMENSION]).unwrap();
    let codec = Codec::new(DIMENSION, 2).unwrap();
    let records: Vec<Record> = (0..TEXTS.len()).map(|chunk| record(codec, chunk)).collect();
    let index = LateIndex::new(&projection, codec, &records, 6);
    manifest.late = Some(writer.add_late(&index).unwrap());
    writer.finish(&manifest).unwrap();
    Faulty { files: files(&path), faults: RefCell::default(), log: RefCell::default() }
}

fn late_shards(shards: &[ShardEntry]) -> Vec<String> {
    let paths = shards.iter().map(|shard| shard.path.clone());
    paths.filter(|path| path.starts_with("shards/late-")).collect()
}

#[test]
fn records_come_back_in_the_order_asked_for() {
    let site = site();
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        let head = bundle.late_head().await.unwrap();
        let asked = [5, 0, 3, 5, 6].map(ChunkId);
        let found = bundle.late_records(&asked).await;
        for (chunk, found) in asked.iter().zip(&found).take(4) {
            assert_eq!(**found.as_ref().unwrap(), record(head.codec(), chunk.index()));
        }
        let error = found[4].as_ref().unwrap_err().to_string();
        assert_eq!(error, "the site has no chunk's token vectors 6: it has 6, counted from 0");
        let before = site.log.borrow().len();
        assert!(bundle.late_records(&[5, 0, 3].map(ChunkId)).await.iter().all(Result::is_ok));
        assert_eq!(site.log.borrow().len(), before, "what was fetched is kept");

        // The head and its shards are among those that a page fetches for use without a network.
        let listed = late_shards(&bundle.shards().await.unwrap());
        let late = bundle.manifest().late.clone().unwrap();
        assert_eq!(listed.len(), 1 + late.shards as usize);
        assert!(listed.contains(&late.head.path) && late.shards > 1);
        assert!(bundle.manifest().index_bytes() > late.bytes);
    });
}

#[test]
fn a_damaged_shard_costs_only_its_own_chunks() {
    let site = site();
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        let head = bundle.late_head().await.unwrap();
        let listed = late_shards(&bundle.shards().await.unwrap());
        let damaged = head.place_of(4).unwrap().0;
        let path = listed.iter().filter(|path| !path.contains("head")).nth(damaged as usize);
        site.faults.borrow_mut().insert(path.unwrap().clone(), changed as Fault);
        let chunks: Vec<ChunkId> = (0..6).map(ChunkId).collect();
        let found = bundle.late_records(&chunks).await;
        for (chunk, found) in (0u32..).zip(&found) {
            let hit = head.place_of(chunk).unwrap().0 == damaged;
            assert_eq!(found.is_err(), hit, "{chunk}: {found:?}");
        }
        let error = found[4].as_ref().unwrap_err().to_string();
        assert!(error.contains(path.unwrap()), "{error}");
    });
}

#[test]
fn a_site_without_records_says_so_and_a_wrong_count_is_named() {
    let mut site = site();
    let mut manifest = Manifest::decode(&site.files[MANIFEST_PATH]).unwrap();
    manifest.counts.chunks = 7;
    site.files.insert(MANIFEST_PATH.to_owned(), manifest.encode().unwrap());
    let error = block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        assert!(bundle.late_records(&[ChunkId(0)]).await[0].is_err());
        bundle.late_head().await.unwrap_err().to_string()
    });
    assert!(error.contains("expected 7 chunks, "), "{error}");

    manifest.late = None;
    let written = manifest.encode().unwrap();
    assert!(!String::from_utf8(written.clone()).unwrap().contains("\"late\""));
    site.files.insert(MANIFEST_PATH.to_owned(), written);
    site.faults = RefCell::new(BTreeMap::new());
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        assert!(matches!(bundle.late_head().await, Err(BundleError::Absent { .. })));
    });
}
