#![expect(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::{Digest, Encoding, ShardKind};

fn entry(kind: ShardKind, content: &[u8]) -> ShardEntry {
    let sha256 = Digest::of(content);
    ShardEntry {
        path: kind.path(&sha256),
        bytes: content.len() as u64,
        sha256,
        encoding: Encoding::Raw,
        raw_bytes: content.len() as u64,
    }
}

fn sharded(kind: ShardKind) -> ShardedEntry {
    ShardedEntry { head: entry(kind, b"head"), shards: 1300, bytes: 30_000_000 }
}

fn manifest() -> Manifest {
    let shard = entry(ShardKind::Model, b"{}");
    let manifest = Manifest {
        format: FORMAT,
        generator: "campanile 0.1.0".to_owned(),
        title: "Department of Tests".to_owned(),
        description: "Rules and dates.".to_owned(),
        language: "en".to_owned(),
        examples: Vec::new(),
        counts: Counts { documents: 10_000, chunks: 80_000 },
        index_bytes: 0,
        keep_bytes: 25_000_000,
        dimension: 384,
        analyzer: Language::English,
        search: SearchSettings::default(),
        ranking: RankingConfig::default(),
        calibration: Calibration::default(),
        contact: "office@example.edu".to_owned(),
        feedback: String::new(),
        encoder: Some(ModelEntry {
            name: "all-MiniLM-L6-v2".to_owned(),
            architecture: "bert".to_owned(),
            licence: "Apache-2.0".to_owned(),
            weights_sha256: Some("53aa".to_owned()),
            bytes: shard.bytes,
            files: vec![ModelFile { name: "config.json".to_owned(), shard, on_demand: false }],
        }),
        embedded_on: None,
        prose: None,
        prompt: None,
        worked_examples: Vec::new(),
        reader: None,
        reranker: None,
        checker: None,
        prose_settings: ProseSettings::default(),
        lexical: sharded(ShardKind::LexicalHead),
        vectors: Some(entry(ShardKind::Vectors, b"vectors")),
        graph: Some(entry(ShardKind::Graph, b"graph")),
        partitions: None,
        late: None,
        children: Vec::new(),
        synonyms: None,
        families: None,
        instant: None,
        documents: sharded(ShardKind::DocumentsHead),
        sketch: None,
        campus: None,
    };
    Manifest { index_bytes: manifest.index_bytes(), ..manifest }
}

fn edited(edit: impl Fn(&mut serde_json::Value)) -> Result<Manifest, BundleError> {
    let mut value = serde_json::to_value(manifest()).unwrap();
    edit(&mut value);
    Manifest::decode(&serde_json::to_vec(&value).unwrap())
}

#[test]
fn a_manifest_comes_back_and_stays_small() {
    let bytes = manifest().encode().unwrap();
    assert_eq!(Manifest::decode(&bytes).unwrap(), manifest());
    assert!(bytes.len() < 4096, "{} bytes", bytes.len());
    assert_eq!(bytes, manifest().encode().unwrap());
}

#[test]
fn another_format_is_named_before_anything_else() {
    let error = Manifest::decode(br#"{"format": 7, "all": "new"}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the site has bundle format 7, and this program knows formats up to 3; \
         reload the page, or use the `campanile` that built the site"
    );
    let error = Manifest::decode(br#"{"format": 0}"#).unwrap_err();
    assert!(error.to_string().ends_with("knows format 3; build the site again"), "{error}");
}

#[test]
fn damage_is_named() {
    type Edit = fn(&mut serde_json::Value);
    let cases: &[(Edit, &str)] = &[
        (|json| json["vectors"]["path"] = "../x".into(), "`../x` is not a path inside the site"),
        (
            |json| json["lexical"]["head"]["path"] = "https://example.org/x".into(),
            "not a path inside the site",
        ),
        (
            |json| json["encoder"]["files"][0]["shard"]["path"] = "/x".into(),
            "not a path inside the site",
        ),
        (
            |json| json["graph"]["sha256"] = "12".into(),
            "64 lower-case hexadecimal digits, found `12`",
        ),
        (|json| json["graph"]["bytes"] = 1.into(), "expected `raw_bytes` 1 of the raw shard"),
        (|json| json["graph"]["raw_bytes"] = u64::MAX.into(), "expected at most 536870912 bytes"),
        (|json| json["encoder"]["bytes"] = 9.into(), "expected files of 9 bytes in the model"),
        (|json| json["dimension"] = 0.into(), "a `dimension` above 0"),
        (|json| json["vectors"] = serde_json::Value::Null, "expected `vectors` beside `graph`"),
        (|json| json["title"] = 3.into(), "invalid type"),
    ];
    for (edit, message) in cases {
        let error = edited(edit).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_campus_lists_sites_that_a_page_can_fetch_from() {
    let shard = serde_json::to_value(entry(ShardKind::Sketches, b"sketches")).unwrap();
    let with = |address: &str, most_asked: u32| {
        edited(|json| {
            json["campus"] = serde_json::json!({
                "sites": [{ "name": "Law", "address": address, "analyzer": "en", "sketch": "shards/x.bin" }],
                "sketches": shard,
                "most_asked": most_asked,
            });
        })
    };
    for address in ["https://law.example.edu/ask/", "http://127.0.0.1:8420/", "../law/", "law/"] {
        assert!(with(address, 2).is_ok(), "{address}: {:?}", with(address, 2));
    }
    let refused =
        ["javascript:alert(1)/", "data:text/html,/", "https://law.example.edu/ask", "a b/", "a;b/"];
    for address in refused {
        let error = with(address, 2).unwrap_err().to_string();
        assert!(error.contains("the address of a folder on the web"), "{error}");
    }
    assert!(with("../law/", 0).unwrap_err().to_string().contains("`most_asked` above 0"));
    let none = edited(|json| {
        json["campus"] = serde_json::json!({ "sites": [], "sketches": shard, "most_asked": 1 });
    });
    assert!(none.unwrap_err().to_string().contains("1 to 256 `sites`"));
}

#[test]
fn unknown_fields_and_absent_defaults_are_no_trouble() {
    let manifest = edited(|json| {
        json["later"] = "ignored".into();
        json["search"] = serde_json::json!({ "sources": 3 });
    });
    let search = manifest.unwrap().search;
    assert_eq!(search, SearchSettings { sources: 3, ..SearchSettings::default() });
}

#[test]
fn a_device_beside_the_processor_is_named_and_may_be_left_out() {
    let of_processor = String::from_utf8(manifest().encode().unwrap()).unwrap();
    assert!(!of_processor.contains("embedded_on"), "sites of the processor stay as they were");
    let device = EmbeddingDevice {
        adapter: "NVIDIA GeForce RTX 4070".to_owned(),
        backend: "Vulkan".to_owned(),
    };
    let of_card = Manifest { embedded_on: Some(device.clone()), ..manifest() };
    let found = Manifest::decode(&of_card.encode().unwrap()).unwrap();
    assert_eq!(found.embedded_on, Some(device));
    assert_eq!(found.format, FORMAT, "a program that does not know the field reads the rest");
}

#[test]
fn a_cut_manifest_says_where() {
    let bytes = manifest().encode().unwrap();
    for length in 0..bytes.len() - 2 {
        let error = Manifest::decode(&bytes[..length]).unwrap_err().to_string();
        assert!(error.contains("line"), "{error}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Manifest::decode(&bytes).is_err());
    }

    #[test]
    fn a_flipped_bit_never_panics(place in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut bytes = manifest().encode().unwrap();
        let at = place.index(bytes.len());
        bytes[at] ^= 1 << bit;
        let _ = Manifest::decode(&bytes);
    }
}
