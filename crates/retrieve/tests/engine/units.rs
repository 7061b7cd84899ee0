//! Parts lead to their passages, and older editions stay behind newer ones.
use std::path::Path;

use campanile_bundle::{
    BundleWriter, ChildIndex, ChildRecord, Counts, DirectoryFetch, DocumentNotes, DocumentRecord,
    Manifest, OlderEdition, SearchOverrides,
};
use campanile_corpus::Granularity;
use campanile_index::{Bm25Parameters, LexicalBuilder};
use campanile_retrieve::{Engine, Phrasing, Retrieval, RetrieveError, SearchOptions, SystemClock};
use campanile_text::{Analyzer, Language, Span, sentences};
use futures_lite::future::block_on;

const DOCUMENTS: [(&str, &str); 3] = [
    ("fees-2023.md", "The fee is 100 euros. Pay it in March. Students pay the fee once."),
    ("fees-2024.md", "The fee is 120 euros. Pay it in April."),
    ("mensa.md", "The canteen is open. It closes at three."),
];

fn write(site: &Path, older: Vec<OlderEdition>) {
    let analyzer = Analyzer::new(Language::English);
    let terms = |text: &str| -> Vec<String> {
        analyzer.analyze(text).into_iter().map(|token| token.term).collect()
    };
    let mut chunks = LexicalBuilder::new(Bm25Parameters::default());
    let mut parts = LexicalBuilder::new(Bm25Parameters::default());
    let (mut records, mut counts) = (Vec::new(), Vec::new());
    for (path, text) in DOCUMENTS {
        chunks.add_chunk(terms(text));
        let mut record = DocumentRecord::plain("Page", path, text);
        for span in sentences(text) {
            parts.add_chunk(terms(span.slice(text).unwrap()));
            let granularity = Granularity::Sentence;
            record.children.push(ChildRecord { granularity, chunk: 0, span, text: None });
        }
        counts.push(record.children.len() as u32);
        records.push(record);
    }
    let mut writer = BundleWriter::begin(site).unwrap();
    let manifest = Manifest {
        children: vec![ChildIndex {
            granularity: Granularity::Sentence,
            count: counts.iter().sum(),
            parents: writer.add_parents(counts).unwrap(),
            lexical: writer.add_lexical(&parts.finish(1)).unwrap(),
            vectors: None,
            graph: None,
            partitions: None,
        }],
        ..Manifest::plain(
            "Tests",
            Counts { documents: 3, chunks: 3 },
            writer.add_lexical(&chunks.finish(1)).unwrap(),
            writer
                .add_documents(records, DocumentNotes { older, ..DocumentNotes::default() }, 1)
                .unwrap(),
        )
    };
    writer.finish(&manifest).unwrap();
}

fn search(
    site: &Path,
    question: &str,
    granularity: Granularity,
) -> Result<Retrieval, RetrieveError> {
    let engine = block_on(Engine::open(DirectoryFetch::new(site), SystemClock::default()))?;
    let options = SearchOptions::from(SearchOverrides {
        granularity: Some(granularity),
        ..SearchOverrides::default()
    });
    block_on(engine.search(question, &options))
}

fn paths(retrieval: &Retrieval) -> Vec<&str> {
    retrieval.passages.iter().map(|passage| passage.document.path.as_str()).collect()
}

#[test]
fn a_part_that_is_found_gives_its_whole_passage() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), Vec::new());
    let found = search(folder.path(), "pay in march", Granularity::Sentence).unwrap();
    assert_eq!(paths(&found)[0], "fees-2023.md");
    let passage = &found.passages[0];
    assert_eq!(passage.text(), DOCUMENTS[0].1);
    let part = passage.found().unwrap();
    assert_eq!(part.slice(passage.text()), Some("Pay it in March."));
    let all = search(folder.path(), "fee", Granularity::Sentence).unwrap();
    assert_eq!(paths(&all).len(), 2, "each passage once: {:?}", paths(&all));

    let whole = search(folder.path(), "pay in march", Granularity::Chunk).unwrap();
    assert_eq!((paths(&whole)[0], whole.passages[0].found()), ("fees-2023.md", None::<Span>));
    let error = search(folder.path(), "fee", Granularity::Proposition).err().unwrap().to_string();
    assert!(
        error.contains("no index over propositions") && error.contains("`parts` of `[chunks]`"),
        "{error}"
    );
}

#[test]
fn an_older_edition_is_found_by_its_year_alone() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), vec![OlderEdition { document: 0, newer: 1, years: vec![2023] }]);
    for granularity in [Granularity::Chunk, Granularity::Sentence] {
        let found = |question| search(folder.path(), question, granularity).unwrap();
        assert_eq!(paths(&found("What is the fee?")), ["fees-2024.md"]);
        assert_eq!(paths(&found("What is the fee in 2025?")), ["fees-2024.md"]);
        let mut both = found("What was the fee in 2023?");
        both.passages.sort_by_key(|passage| passage.chunk);
        assert_eq!(paths(&both), ["fees-2023.md", "fees-2024.md"]);
    }
}

/// "March" stands in the second sentence of the site: a part's number is not taken for a passage's.
#[test]
fn parts_whose_passages_are_not_known_are_no_passages() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), vec![OlderEdition { document: 1, newer: 0, years: vec![2024] }]);
    let engine =
        block_on(Engine::open(DirectoryFetch::new(folder.path()), SystemClock::default())).unwrap();
    let parents = &engine.manifest().children[0].parents.path;
    std::fs::write(folder.path().join(parents), "damaged").unwrap();
    let overrides =
        SearchOverrides { granularity: Some(Granularity::Sentence), ..SearchOverrides::default() };
    let options = SearchOptions { behind_filter: true, ..SearchOptions::from(overrides) };
    let error = block_on(engine.search("In March?", &options)).unwrap_err();
    assert!(matches!(error, RetrieveError::Unreached { .. }), "{error}");
    assert!(error.to_string().contains(parents.as_str()), "{error}");
}

#[test]
fn other_phrasings_and_units_put_candidates_forward() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), Vec::new());
    let engine =
        block_on(Engine::open(DirectoryFetch::new(folder.path()), SystemClock::default())).unwrap();
    let found = |question: &str, options: &SearchOptions| {
        let found = block_on(engine.search(question, options)).unwrap();
        (paths(&found).join(" "), found.trace.stages.iter().any(|stage| stage.name == "further"))
    };
    let question = "Deadline?";
    assert_eq!(found(question, &SearchOptions::default()), (String::new(), false));
    let phrasings = vec![Phrasing::Question("Pay it in March".to_owned())];
    let reworded = SearchOptions { phrasings, ..SearchOptions::default() };
    let (first, took_part) = found(question, &reworded);
    assert!(first.starts_with("fees-2023.md") && took_part, "{first}");
    // The question's own words still lead.
    let (first, _) = found("When is the canteen open?", &reworded);
    assert!(first.starts_with("mensa.md"), "{first}");
    let all = SearchOptions::from(SearchOverrides {
        all_granularities: Some(true),
        ..SearchOverrides::default()
    });
    let (first, took_part) = found("pay in march", &all);
    assert!(first.starts_with("fees-2023.md") && took_part, "{first}");
}
