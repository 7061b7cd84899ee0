//! Tests of what `campanile-corpus` makes of documents as departments keep them.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::path::Path;

use campanile_corpus::{
    Boilerplate, ChunkStrategy, Document, NoiseReason, Proposer, QualityOptions, Rule,
    SentenceSimilarity, TokenCounter, chunk_by, indexed_text, noise, sentences_of, supersession,
    without_noise, years_of,
};
use campanile_ingest::{IngestOptions, discover, read};
use campanile_test_data::shared;
use campanile_text::Language;

fn document(root: &Path, path: &str) -> Document {
    read(root, Path::new(path), &IngestOptions::default()).unwrap().documents.remove(0)
}

/// Every `step`th document of a folder.
fn documents(root: &Path, step: usize) -> Vec<Document> {
    let files = discover(root).unwrap().files;
    let paths = files.iter().step_by(step);
    let reading = paths.filter_map(|path| read(root, path, &IngestOptions::default()).ok());
    reading.flat_map(|reading| reading.documents).collect()
}

struct Pieces;

impl TokenCounter for Pieces {
    fn count(&self, text: &str) -> usize {
        text.split_whitespace().map(|word| word.len().div_ceil(5)).sum::<usize>() + 2
    }
}

/// Sentences of a like length are alike: any rule will do here.
struct Lengths;

impl SentenceSimilarity for Lengths {
    fn similarities(
        &self,
        texts: &[&str],
        pairs: &[(usize, usize)],
    ) -> Result<Vec<f32>, Box<dyn std::error::Error + Send + Sync>> {
        let difference = |left: usize, right: usize| texts[left].len().abs_diff(texts[right].len());
        let similarity =
            |&(left, right): &(usize, usize)| 1.0 / (1.0 + difference(left, right) as f32);
        Ok(pairs.iter().map(similarity).collect())
    }
}

#[test]
fn every_strategy_keeps_its_limits_on_real_documents() {
    let Some(root) = shared("carpentries_docs") else { return };
    for document in documents(&root, 3) {
        for name in ChunkStrategy::NAMES {
            let strategy: ChunkStrategy = name.parse().unwrap();
            let chunks = chunk_by(&document, &Pieces, &strategy, Some(&Lengths)).unwrap();
            let mut covered = vec![false; document.text.len()];
            for chunk in &chunks {
                let text = chunk.span.slice(&document.text).unwrap();
                let (length, limit) = match name {
                    "structure" | "semantic" => {
                        (Pieces.count(indexed_text(&document, chunk).as_str()), 256)
                    }
                    "tokens" => (Pieces.count(text), 400),
                    "fixed" => (text.chars().count(), 512),
                    _ => (text.chars().count(), 1500),
                };
                assert!(length <= limit, "{name}: {length} in {}", document.path);
                covered[chunk.span.range()].fill(true);
            }
            for block in document.sections.iter().flat_map(|section| &section.blocks) {
                let start = block.span.start as usize;
                let text = block.span.slice(&document.text).unwrap();
                let lost =
                    text.char_indices().any(|(at, c)| c.is_alphanumeric() && !covered[start + at]);
                assert!(!lost, "{name}: {text:?} in {}", document.path);
            }
        }
    }
}

/// Words with a digit, a sign of an address, or neither letter nor digit at their ends.
fn facts(text: &str) -> BTreeSet<String> {
    let words =
        text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_fact = |word: &&str| word.contains(|c: char| c.is_numeric() || c == '@');
    words.filter(is_fact).map(str::to_owned).collect()
}

#[test]
fn propositions_keep_the_facts_of_real_documents() {
    let Some(root) = shared("gsa_tts_handbook") else { return };
    let proposer = Proposer::new(Language::English);
    let mut changed = 0;
    for document in documents(&root, 4) {
        for chunk in chunk_by(&document, &Pieces, &ChunkStrategy::default(), None).unwrap() {
            let units = sentences_of(&document, &chunk);
            assert!(units.iter().all(|unit| chunk.span.contains(unit.span)));
            for made in proposer.propositions(&document, &chunk) {
                let source = made.source.slice(&document.text).unwrap();
                let own = facts(&made.text);
                assert!(facts(source).is_subset(&own), "{source:?} {made:?}");
                let section = &document.sections[made.section as usize];
                let stem = made.stem.and_then(|stem| stem.slice(&document.text));
                let known = [&document.title, source, stem.unwrap_or_default()].join(" ");
                let known = format!("{known} {}", section.path.join(" "));
                assert!(own.is_subset(&facts(&known)), "{source:?} {made:?}");
                changed += usize::from(made.rules.iter().any(|rule| *rule != Rule::Restored));
            }
        }
    }
    assert!(changed > 100, "the rules act: {changed}");
}

/// A document, a rule, and a proposition that it makes there.
const PROPOSITIONS: &[(&str, &str, Rule, &str)] = &[
    (
        "gsa_tts_handbook",
        "pages/general-information-and-resources/san-francisco.md",
        Rule::Compound,
        "San Francisco, Getting here, From Oakland International Airport (OAK): The last train is \
         generally 10 to 15 minutes after the hour.",
    ),
    (
        "gsa_tts_handbook",
        "pages/general-information-and-resources/employee-resources-policies/work-schedules.md",
        Rule::Definition,
        "Definitions: Work schedule means the days and hours per week you are expected to work.",
    ),
    (
        "gsa_tts_handbook",
        "pages/18f/leadership-resources/leadership-candidate-guide.md",
        Rule::Reference,
        "18F Leadership Candidate Guide is meant to help anyone interested in applying for a \
         leadership role at 18F know what to expect and how to navigate the process.",
    ),
    (
        "gsa_tts_handbook",
        "pages/getting-started/classes/intro-to-TTS-Tech-Portfolio.md",
        Rule::Abbreviation,
        "OPM stands for Office of Personnel Management.",
    ),
    (
        "gsa_tts_handbook",
        "pages/18f/how-18f-works/agreements.md",
        Rule::Introduced,
        "What are the contents of an IAA? An IAA is made up of: 7600B Order Requirements and \
         Funding Information: This form records the actual amount obligated in the agreement by \
         the client agency and a period of performance for the specific project.",
    ),
    (
        "carpentries_docs",
        "source/resources/general/glossary.md",
        Rule::Enumeration,
        "Glossary of Terms, C: Cultural Competence: state of having and applying knowledge and \
         skill in four areas: recognition of one’s attitudes toward cultural differences.",
    ),
    (
        "cmu_facts",
        "Annotations/Handbook-MSAII-2022-2023.txt",
        Rule::Compound,
        "Handbook MSAII 2022 2023: Students found guilty of violating the policy may face \
         consequences up to and including expulsion.",
    ),
];

#[test]
fn rules_make_known_propositions() {
    let proposer = Proposer::new(Language::English);
    for (folder, path, rule, expected) in PROPOSITIONS {
        let Some(root) = shared(folder) else { return };
        let document = document(&root, path);
        let chunks = chunk_by(&document, &Pieces, &ChunkStrategy::default(), None).unwrap();
        let mut made = chunks.iter().flat_map(|chunk| proposer.propositions(&document, chunk));
        let found = made.find(|made| made.text == *expected);
        assert!(found.is_some_and(|made| made.rules.contains(rule)), "{path}: {expected}");
    }
}

/// A document, a line that is dropped, and how many lines of it are.
const NOISE: &[(&str, &str, usize)] = &[
    ("Scraped data/lti_programs.txt", "Jump to navigation", 2),
    ("Scraped data/history.txt", "Skip to main content", 1),
    ("Scraped_pdf_file/2425-academic-calendar-list-view.txt", "Page 2 of 3", 3),
    ("Scraped_pdf_file/Handbook-MSAII-2022-2023.txt", "33", 48),
    ("Scraped_pdf_file/MIIS Handbook_2023 - 2024.txt", "Page 9", 43),
    ("Scraped data/2324 academic_cal.txt", "Revised: 28 July 2023 Page 3 of 3", 2),
    // The days of a calendar, and the numbers of chapters, are no page numbers.
    ("Scraped_pdf_file/2324-doctoral-academic-calendar.txt", "", 0),
    ("Scraped_pdf_file/PhD_Student_Handbook_2023-2024.txt", "Page 10", 32),
];

#[test]
fn page_furniture_is_dropped_and_content_is_not() {
    let Some(root) = shared("cmu_facts") else { return };
    for (path, line, count) in NOISE {
        let document = document(&root, path);
        let dropped = noise(&document, &Boilerplate::default(), &QualityOptions::default());
        assert_eq!(dropped.len(), *count, "{path}");
        assert!(*count == 0 || dropped.iter().any(|dropped| dropped.excerpt == *line), "{path}");
        assert!(dropped.iter().all(|dropped| dropped.reason == NoiseReason::PageFurniture));
        let rest = without_noise(&document, &dropped);
        for block in rest.sections.iter().flat_map(|section| &section.blocks) {
            let text = block.span.slice(&rest.text).unwrap();
            assert!(!text.trim().is_empty(), "{path}");
        }
    }
    for folder in ["gsa_tts_handbook", "carpentries_docs"] {
        let Some(root) = shared(folder) else { return };
        let documents = documents(&root, 2);
        let boilerplate = Boilerplate::of(&documents);
        for document in &documents {
            let dropped = noise(document, &boilerplate, &QualityOptions::default());
            assert_eq!(dropped, [], "kept by people, page by page: {}", document.path);
        }
    }
}

#[test]
fn calendars_follow_one_another() {
    let Some(root) = shared("cmu_facts/Scraped_pdf_file") else { return };
    let documents = documents(&root, 1);
    let name = |place: usize| documents[place].path.as_str();
    let found = supersession(&documents);
    let found: Vec<_> = found.iter().map(|found| (name(found.older), name(found.newer))).collect();
    let expected = [
        ("1920-academic-calendar.txt", "2021-academic-calendar.txt"),
        ("2021-academic-calendar.txt", "2122-academic-calendar.txt"),
        ("2223-academic-calendar-list-view.txt", "2324-academic-calendar-list-view.txt"),
        ("2324-academic-calendar-list-view.txt", "2425-academic-calendar-list-view.txt"),
    ];
    assert_eq!(found, expected);
    let years = |path: &str| {
        let document = documents.iter().find(|document| document.path == path).unwrap();
        years_of(document).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(years("MIIS Handbook_2023 - 2024.txt"), [2023, 2024]);
    assert_eq!(years("2425-academic-calendar-list-view.txt"), [2024, 2025]);
    assert!(years("sched_of_classes.txt").is_empty());
}
