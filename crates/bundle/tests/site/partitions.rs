//! Vectors in parts that a question names.

use std::collections::BTreeSet;

use crate::common::{TEXTS, long_vectors, write_partitioned_site};
use crate::faulty::{Faulty, changed};
use campanile_bundle::{Bundle, BundleError, MANIFEST_PATH, Manifest};
use futures_lite::future::block_on;

/// Forty texts in six kinds.
fn texts() -> Vec<&'static str> {
    TEXTS.iter().copied().cycle().take(40).collect()
}

fn site() -> Faulty {
    Faulty::written(|site| write_partitioned_site(site, &texts()))
}

#[test]
fn parts_are_read_as_they_were_written() {
    let site = site();
    let table = long_vectors(40);
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        let index = bundle.chunk_index();
        assert!(index.is_partitioned() && index.has_vectors() && !index.has_graph());
        let some = index.vectors_of(&[7, 39, 0, 7]).await.unwrap();
        assert_eq!(some.len(), 4);
        for (place, row) in [7, 39, 0, 7].into_iter().enumerate() {
            assert_eq!(some.vector(place as u32), table.vector(row), "{row}");
        }
        // Rows 7, 39 and 0 lie in three shards of ten, each fetched once.
        let fetched = |site: &Faulty| {
            let log = site.log.borrow();
            log.iter().filter(|(path, _)| path.starts_with("shards/vectors-")).count()
        };
        assert_eq!(fetched(&site), 3 + 1, "and the head");
        assert_eq!(*index.vectors().await.unwrap(), table);
        let head = index.partitions().await.unwrap();
        let all: Vec<u32> = (0..head.len() as u32).collect();
        let partitions = index.partitions_of(&all).await.unwrap();
        let rows: BTreeSet<u32> =
            partitions.iter().flat_map(|partition| partition.rows().to_vec()).collect();
        assert_eq!(rows, (0..40).collect());
    });
}

#[test]
fn every_part_is_listed_and_counted() {
    let site = site();
    let shards = block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        bundle.shards().await.unwrap()
    });
    let listed: BTreeSet<_> = shards.iter().map(|shard| &shard.path).collect();
    let stored: BTreeSet<_> =
        site.files.keys().filter(|path| path.starts_with("shards/")).collect();
    assert_eq!(listed, stored);
    let manifest = Manifest::decode(&site.files[MANIFEST_PATH]).unwrap();
    let models: u64 = manifest.models().map(|model| model.bytes).sum();
    let bytes: u64 = shards.iter().map(|shard| shard.bytes).sum();
    assert_eq!(manifest.index_bytes(), bytes - models);
}

#[test]
fn a_part_that_is_not_there_or_damaged_is_named() {
    block_on(async {
        let site = site();
        let bundle = Bundle::open(&site).await.unwrap();
        let index = bundle.chunk_index();
        let error = index.vectors_of(&[3, 40]).await.unwrap_err();
        assert!(matches!(error, BundleError::NoSuch { number: 10 | 40, .. }), "{error}");
        let error = index.partitions_of(&[99]).await.unwrap_err();
        assert!(matches!(error, BundleError::NoSuch { number: 99, .. }), "{error}");
        for head in ["shards/partitions-head-", "shards/vectors-head-"] {
            let site = self::site();
            let path = site.fault(head, "", changed);
            let bundle = Bundle::open(&site).await.unwrap();
            let error = bundle.chunk_index().partitions().await.unwrap_err().to_string();
            assert!(error.contains(&path), "{error}");
        }
    });
}

#[test]
fn parts_of_another_site_are_refused() {
    let other = Faulty::written(|site| write_partitioned_site(site, &texts()[..30]));
    let other = Manifest::decode(&other.files[MANIFEST_PATH]).unwrap();
    let mut site = Faulty::written(|site| write_partitioned_site(site, &texts()));
    let smaller = Faulty::written(|site| write_partitioned_site(site, &texts()[..30]));
    site.files.extend(smaller.files.into_iter().filter(|(path, _)| path != MANIFEST_PATH));
    let mut manifest = Manifest::decode(&site.files[MANIFEST_PATH]).unwrap();
    manifest.partitions = other.partitions;
    site.files.insert(MANIFEST_PATH.to_owned(), manifest.encode().unwrap());
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        let error = bundle.chunk_index().partitions().await.unwrap_err().to_string();
        assert!(error.contains("expected 40 rows in partitions, found 30"), "{error}");
    });
}

#[test]
fn a_manifest_has_vectors_whole_or_in_parts() {
    let site = site();
    let partitioned = Manifest::decode(&site.files[MANIFEST_PATH]).unwrap();
    let head = partitioned.lexical.head.clone();
    let both = Manifest { vectors: Some(head), ..partitioned.clone() };
    let error = both.encode().unwrap_err().to_string();
    assert!(error.contains("expected `vectors` or `partitions`, found both"), "{error}");
    let mut empty = partitioned;
    empty.partitions.as_mut().unwrap().rows_of_shard = 0;
    assert!(empty.encode().unwrap_err().to_string().contains("found 0"));
}
