//! Reading a site over a faultless and over a faulty connection.

use std::cell::Cell;

use crate::common::{TEXTS, vectors, write_site, write_site_with_words};
use crate::faulty::{Fault, Faulty, changed, cut, fails_once, missing, offline, stale_in_cache};
use campanile_bundle::{
    Bundle, BundleError, ChunkId, DirectoryFetch, DocumentId, Fetch, FetchError, Freshness,
    MANIFEST_PATH, Manifest, ShardEntry,
};
use campanile_corpus::Granularity;
use campanile_index::bm25;
use futures_lite::future::{block_on, yield_now};

async fn text_of<F: Fetch>(bundle: &Bundle<F>, chunk: u32) -> Result<String, BundleError> {
    let place = bundle.document_of_chunk(ChunkId(chunk)).await?;
    let document = bundle.document(place.document).await?;
    Ok(document.chunk_text(place.number).unwrap().to_owned())
}

async fn chunks_with<F: Fetch>(bundle: &Bundle<F>, term: &str) -> Result<Vec<u32>, BundleError> {
    let postings = bundle.chunk_index().postings(&[term]).await.remove(0)?;
    Ok(postings.iter().map(|posting| posting.chunk).collect())
}

#[test]
fn everything_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    write_site(folder.path(), &TEXTS);
    block_on(async {
        let bundle = Bundle::open(DirectoryFetch::new(folder.path())).await.unwrap();
        for (chunk, text) in (0u32..).zip(TEXTS) {
            assert_eq!(text_of(&bundle, chunk).await.unwrap(), text);
            for term in text.split(' ') {
                assert!(chunks_with(&bundle, term).await.unwrap().contains(&chunk), "{term}");
            }
        }
        assert!(chunks_with(&bundle, "swimming").await.unwrap().is_empty());
        assert!(chunks_with(&bundle, "").await.unwrap().is_empty());

        let lists: Vec<_> =
            bundle.chunk_index().postings(&["exam", "board"]).await.into_iter().flatten().collect();
        let hits = bm25(&bundle.chunk_index().lexical_head().await.unwrap(), &lists, 10, &|_| true);
        assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [3, 0]);

        let question = vectors(&TEXTS)[2];
        let exact =
            bundle.chunk_index().vectors().await.unwrap().search(&question, 6, &|_| true).unwrap();
        assert_eq!(exact[0].id, 2);
        assert_eq!(
            bundle.chunk_index().graph().await.unwrap().search(&question, 6, &|_| true).unwrap(),
            exact
        );

        let model = bundle.manifest().encoder.clone().unwrap();
        let file = model.file("model.safetensors").unwrap();
        assert_eq!(bundle.model_file(file).await.unwrap(), vec![7; 1000]);
    });
}

#[test]
fn terms_near_a_word_are_read_with_their_counts() {
    let folder = tempfile::tempdir().unwrap();
    write_site(folder.path(), &TEXTS);
    block_on(async {
        let bundle = Bundle::open(DirectoryFetch::new(folder.path())).await.unwrap();
        let index = bundle.chunk_index();
        let all = index.vocabulary("exma", usize::MAX).await.unwrap();
        let mut words: Vec<&str> = TEXTS.iter().flat_map(|text| text.split(' ')).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(all.terms().map(|(term, _)| term).collect::<Vec<_>>(), words);
        let holding = TEXTS.iter().filter(|text| text.split(' ').any(|word| word == "exam"));
        assert!(all.terms().any(|found| found == ("exam", holding.clone().count())));

        // Where not even one shard may be read, the whole word is the beginning.
        let few = index.vocabulary("exa", 0).await.unwrap();
        assert!(few.terms().all(|(term, _)| term.starts_with("exa")));
        assert!(few.terms().any(|(term, _)| term == "exam"));
    });
}

#[test]
fn a_part_leads_to_its_chunk() {
    let folder = tempfile::tempdir().unwrap();
    write_site_with_words(folder.path(), &TEXTS);
    block_on(async {
        let bundle = Bundle::open(DirectoryFetch::new(folder.path())).await.unwrap();
        let words = bundle.index(Granularity::Sentence).unwrap();
        assert_eq!(words.units(), 26);
        let parents = words.parents().await.unwrap().unwrap();
        let postings = words.postings(&["library"]).await.remove(0).unwrap();
        let places: Vec<_> =
            postings.iter().map(|posting| parents.parent_of(posting.chunk).unwrap()).collect();
        assert_eq!(places, [(ChunkId(1), 0), (ChunkId(1), 3)]);
        assert!(matches!(words.vectors().await, Err(BundleError::Absent { .. })));
        assert!(bundle.index(Granularity::Proposition).is_none());
        assert!(bundle.chunk_index().parents().await.unwrap().is_none());

        let listed = bundle.shards().await.unwrap();
        assert!(listed.iter().any(|shard| shard.path.starts_with("shards/parents-")));
        let postings = |shard: &&ShardEntry| shard.path.starts_with("shards/postings-");
        let both = bundle.manifest().lexical.shards + bundle.manifest().children[0].lexical.shards;
        assert_eq!(listed.iter().filter(postings).count(), both as usize);

        let mut manifest = bundle.manifest().clone();
        manifest.children[0].count = 25;
        let path = folder.path().join(MANIFEST_PATH);
        std::fs::write(path, manifest.encode().unwrap()).unwrap();
        let bundle = Bundle::open(DirectoryFetch::new(folder.path())).await.unwrap();
        let error = bundle.index(Granularity::Sentence).unwrap().parents().await.unwrap_err();
        assert!(
            error.to_string().contains("expected 25 parts of 6 chunks, found 26 of 6"),
            "{error}"
        );
    });
}

#[test]
fn an_unknown_chunk_or_document_is_named() {
    let site = Faulty::new(&TEXTS);
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        let error = bundle.document_of_chunk(ChunkId(6)).await.unwrap_err();
        assert_eq!(error.to_string(), "the site has no chunk 6: it has 6, counted from 0");
        assert!(matches!(
            bundle.document(DocumentId(9)).await,
            Err(BundleError::NoSuch { what: "document", number: 9, count: 6 })
        ));
        let found = bundle.documents(&[DocumentId(9), DocumentId(1), DocumentId(1)]).await;
        assert_eq!(found.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true, true]);
    });
}

#[test]
fn a_shard_good_at_the_second_try_is_used() {
    for fault in [stale_in_cache as Fault, fails_once] {
        let site = Faulty::new(&TEXTS);
        let path = site.fault("shards/documents-", "bicycle", fault);
        block_on(async {
            let bundle = Bundle::open(&site).await.unwrap();
            assert_eq!(text_of(&bundle, 4).await.unwrap(), TEXTS[4]);
            assert_eq!(text_of(&bundle, 4).await.unwrap(), TEXTS[4]);
        });
        // Once more, and then kept.
        assert_eq!(site.fetches(&path), [Freshness::Cached, Freshness::Reload]);
    }
}

#[test]
fn a_shard_bad_twice_is_named_with_what_is_wrong() {
    let cases: [(Fault, &str); 4] = [
        (cut, "bytes, found"),
        (changed, "expected the SHA-256"),
        (missing, "it is not there"),
        (offline, "it could not be fetched (the network is down)"),
    ];
    for (fault, message) in cases {
        let site = Faulty::new(&TEXTS);
        let path = site.fault("shards/documents-", "bicycle", fault);
        block_on(async {
            let bundle = Bundle::open(&site).await.unwrap();
            let error = text_of(&bundle, 4).await.unwrap_err().to_string();
            assert!(error.starts_with(&format!("the shard `{path}` cannot be used: ")), "{error}");
            assert!(error.contains(message), "{error}");
            assert!(error.ends_with("build and publish the site again"), "{error}");
        });
        assert_eq!(site.fetches(&path), [Freshness::Cached, Freshness::Reload]);
    }
}

#[test]
fn a_damaged_shard_of_documents_costs_only_its_own() {
    let site = Faulty::new(&TEXTS);
    site.fault("shards/documents-", "bicycle", cut);
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        let ids: Vec<DocumentId> = (0..6).map(DocumentId).collect();
        let found = bundle.documents(&ids).await;
        assert_eq!(
            found.iter().map(Result::is_ok).collect::<Vec<_>>(),
            [true, true, true, true, false, true]
        );
    });
}

#[test]
fn a_damaged_shard_of_postings_costs_only_its_terms() {
    let site = Faulty::new(&TEXTS);
    let path = site.fault("shards/postings-", "library", cut);
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        let found = bundle.chunk_index().postings(&["exam", "library", "thesis", "library"]).await;
        let lengths: Vec<_> =
            found.iter().map(|list| list.as_ref().map(|list| list.as_ref().len()).ok()).collect();
        assert_eq!(lengths, [Some(2), None, Some(1), None]);
        assert_eq!(site.fetches(&path).len(), 2, "two terms, one shard, two tries");
    });
}

#[test]
fn parts_do_not_depend_on_each_other() {
    let heads =
        ["shards/vectors-", "shards/graph-", "shards/lexical-head-", "shards/documents-head-"];
    for damaged in heads {
        let site = Faulty::new(&TEXTS);
        let path = site.fault(damaged, "", changed);
        block_on(async {
            let bundle = Bundle::open(&site).await.unwrap();
            let results = [
                ("shards/vectors-", bundle.chunk_index().vectors().await.err()),
                ("shards/graph-", bundle.chunk_index().graph().await.err()),
                ("shards/lexical-head-", chunks_with(&bundle, "exam").await.err()),
                ("shards/documents-head-", text_of(&bundle, 0).await.err()),
            ];
            for (part, error) in results {
                // The graph is nothing without its vectors.
                let hit =
                    part == damaged || (part == "shards/graph-" && damaged == "shards/vectors-");
                assert_eq!(error.is_some(), hit, "{part} with {damaged} damaged: {error:?}");
                assert!(error.is_none_or(|error| error.to_string().contains(&path)));
            }
        });
    }
}

#[test]
fn a_damaged_manifest_is_fetched_again_and_then_named() {
    let site = Faulty::new(&TEXTS);
    let path = site.fault("campanile.json", "", stale_in_cache);
    assert!(block_on(Bundle::open(&site)).is_ok());
    assert_eq!(site.fetches(&path), [Freshness::Cached, Freshness::Reload]);

    site.fault("campanile.json", "", cut);
    let error = block_on(Bundle::open(&site)).unwrap_err().to_string();
    assert!(error.starts_with("the site's `campanile.json` is damaged: "), "{error}");
    assert!(error.contains("line"), "{error}");

    site.fault("campanile.json", "", missing);
    let error = block_on(Bundle::open(&site)).unwrap_err().to_string();
    assert!(error.contains("check the address"), "{error}");
}

#[test]
fn every_stored_shard_is_listed_with_its_hash() {
    let site = Faulty::new(&TEXTS);
    let shards = block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        bundle.shards().await.unwrap()
    });
    let paths: std::collections::BTreeSet<_> = shards.iter().map(|shard| &shard.path).collect();
    let stored: std::collections::BTreeSet<_> =
        site.files.keys().filter(|path| path.starts_with("shards/")).collect();
    assert_eq!(paths, stored, "every stored shard is listed and every listed one stored");
    for shard in &shards {
        let bytes = &site.files[&shard.path];
        assert_eq!(bytes.len() as u64, shard.bytes);
        assert_eq!(campanile_bundle::Digest::of(bytes), shard.sha256);
    }
}

#[test]
fn a_good_shard_with_other_content_is_named() {
    let mut site = Faulty::new(&TEXTS);
    let mut manifest = Manifest::decode(&site.files["campanile.json"]).unwrap();
    // Vectors where the graph should be and so on: every hash is right, every content wrong.
    std::mem::swap(&mut manifest.vectors, &mut manifest.graph);
    std::mem::swap(&mut manifest.lexical, &mut manifest.documents);
    site.files.insert(MANIFEST_PATH.to_owned(), manifest.encode().unwrap());
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        let errors = [
            bundle.chunk_index().vectors().await.err(),
            chunks_with(&bundle, "exam").await.err(),
            text_of(&bundle, 0).await.err(),
        ];
        for error in errors {
            assert!(matches!(error, Some(BundleError::Content { .. })), "{error:?}");
        }
    });
}

#[test]
fn counts_that_disagree_with_the_manifest_are_named() {
    let mut site = Faulty::new(&TEXTS);
    let mut manifest = Manifest::decode(&site.files["campanile.json"]).unwrap();
    manifest.counts.chunks = 7;
    site.files.insert(MANIFEST_PATH.to_owned(), manifest.encode().unwrap());
    block_on(async {
        let bundle = Bundle::open(&site).await.unwrap();
        let errors = [
            (
                bundle.chunk_index().vectors().await.err(),
                "expected 7 vectors of 2 numbers, found 6 of 2",
            ),
            (chunks_with(&bundle, "exam").await.err(), "expected 7 chunks, found 6"),
            (text_of(&bundle, 0).await.err(), "expected 6 documents and 7 chunks, found 6 and 6"),
        ];
        for (error, message) in errors {
            let error = error.unwrap().to_string();
            assert!(error.contains(message), "{error}");
        }
    });
}

#[test]
fn a_disk_is_read_only_inside_the_site() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "x").unwrap();
    let site = folder.path().join("site");
    std::fs::create_dir(&site).unwrap();
    let fetched = block_on(DirectoryFetch::new(&site).fetch("../secret", Freshness::Cached));
    assert!(fetched.unwrap_err().to_string().contains("it leaves its folder"));
}

/// Counts what is under way at once, and answers in turns.
struct Counted {
    files: DirectoryFetch,
    under_way: Cell<usize>,
    most: Cell<usize>,
}

impl Fetch for Counted {
    async fn fetch(&self, path: &str, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
        self.under_way.set(self.under_way.get() + 1);
        self.most.set(self.most.get().max(self.under_way.get()));
        for _ in 0..3 {
            yield_now().await;
        }
        self.under_way.set(self.under_way.get() - 1);
        self.files.fetch(path, freshness).await
    }
}

#[test]
fn shards_are_warmed_side_by_side_and_not_all_at_once() {
    let folder = tempfile::tempdir().unwrap();
    write_site(folder.path(), &TEXTS);
    block_on(async {
        let files = DirectoryFetch::new(folder.path());
        let fetch = Counted { files, under_way: Cell::new(0), most: Cell::new(0) };
        let bundle = Bundle::open(&fetch).await.unwrap();
        let shards = bundle.shards().await.unwrap();
        assert!(shards.len() > 6);
        fetch.most.set(0);
        let mut told = Vec::new();
        bundle.warm(&shards, &mut |loaded| told.push(loaded)).await.unwrap();
        assert_eq!(fetch.most.get(), 4);
        assert_eq!(told.len(), shards.len());
        assert_eq!(told.last().copied(), Some(shards.iter().map(|shard| shard.bytes).sum()));

        // Large ones come one behind the other.
        let large: Vec<ShardEntry> =
            shards.into_iter().map(|shard| ShardEntry { bytes: 400_000, ..shard }).collect();
        fetch.most.set(0);
        let damaged = bundle.warm(&large, &mut |_| ()).await;
        assert!(matches!(damaged, Err(BundleError::Shard { .. })), "{damaged:?}");
        assert_eq!(fetch.most.get(), 1);
    });
}
