//! Who asks decides what is found, and nothing is left out in silence.
use std::path::Path;

use campanile_bundle::{
    BundleWriter, ChunkId, Counts, DirectoryFetch, DocumentNotes, DocumentRecord, LevelMethod,
    Manifest, OlderEdition, RankingConfig, SearchOverrides,
};
use campanile_corpus::metadata::{Audience, Metadata, Organisation, Profile};
use campanile_index::{Bm25Parameters, LexicalBuilder};
use campanile_retrieve::{Engine, Retrieval, SearchOptions, SystemClock};
use campanile_text::{Analyzer, Language};
use futures_lite::future::block_on;
use proptest::prelude::*;
use serde_json::{Value, json};

type SiteEngine = Engine<DirectoryFetch, SystemClock>;

fn metadata(fields: &Value) -> Metadata {
    Metadata::from_fields(&serde_json::from_value(fields.clone()).unwrap()).0
}

fn profile(fields: Value) -> Profile {
    Profile::read(&serde_json::from_value(fields).unwrap()).unwrap()
}

/// A site whose documents are one chunk each: text and metadata.
fn write(site: &Path, documents: &[(&str, Value)], notes: DocumentNotes) -> SiteEngine {
    let analyzer = Analyzer::new(Language::English);
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    let mut records = Vec::new();
    for (number, (text, fields)) in documents.iter().enumerate() {
        lexical.add_chunk(analyzer.analyze(text).into_iter().map(|token| token.term));
        let path = format!("{number}.md");
        let record = DocumentRecord::plain(&format!("Document {number}"), &path, text);
        records.push(DocumentRecord { metadata: metadata(fields), ..record });
    }
    let count = documents.len() as u32;
    let mut writer = BundleWriter::begin(site).unwrap();
    let manifest = Manifest::plain(
        "Tests",
        Counts { documents: count, chunks: count },
        writer.add_lexical(&lexical.finish(64)).unwrap(),
        writer.add_documents(records, notes, 64).unwrap(),
    );
    writer.finish(&manifest).unwrap();
    block_on(Engine::open(DirectoryFetch::new(site), SystemClock::default())).unwrap()
}

fn search(engine: &SiteEngine, question: &str, options: &SearchOptions) -> Retrieval {
    let found = block_on(engine.search(question, options)).unwrap();
    assert_eq!(found.problems, [""; 0]);
    found
}

/// At most so many passages, of so many candidates.
fn at_most(sources: u32, depth: u32) -> SearchOverrides {
    SearchOverrides { sources: Some(sources), depth: Some(depth), ..SearchOverrides::default() }
}

fn chunks(found: &Retrieval) -> Vec<u32> {
    found.passages.iter().map(|passage| passage.chunk.0).collect()
}

#[test]
fn a_narrow_profile_gets_as_many_passages_and_hears_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut documents: Vec<(&str, Value)> =
        vec![("The exam fee, the exam fee.", json!({ "department": "Physics" })); 8];
    documents.extend(vec![("The fee of the long written exam in the hall.", json!({})); 3]);
    documents.push(("An exam fee of old.", json!({ "valid_until": "2025-12-31" })));
    let engine = write(folder.path(), &documents, DocumentNotes::default());
    let options = |fields: Value| SearchOptions {
        overrides: at_most(4, 5),
        profile: profile(fields),
        ..SearchOptions::default()
    };
    let anybody = search(&engine, "exam fee", &options(json!({})));
    assert_eq!((chunks(&anybody), anybody.left_out.len()), (vec![0, 1, 2, 3], 0));

    let lawyer = options(json!({ "department": "Law", "date": "2026-11-20" }));
    let found = search(&engine, "exam fee", &lawyer);
    assert_eq!(chunks(&found), [8, 9, 10], "all that are for the reader, though 5 were asked for");
    let left_out = &found.left_out[0];
    let reasons: Vec<String> = left_out.reasons.iter().map(ToString::to_string).collect();
    assert_eq!((left_out.chunk.0, left_out.document.as_str()), (0, "0.md"));
    assert_eq!(reasons, ["department: for Physics, and the profile says Law"]);
    assert!(!left_out.is_only_untimely());
    assert_eq!(found.left_out.len(), 4);
    assert_eq!(found.left_out[0].audience, "students of Physics");
    assert!(
        found.rankings.left_out.contains(&ChunkId(0))
            && !found.rankings.left_out.contains(&ChunkId(8))
    );
    assert_eq!(found.trace.stages[0].name, "filter");
    assert_eq!(found.trace.stages[0].candidates, 3);

    let everyone = SearchOptions { everyone: true, ..lawyer };
    assert_eq!(chunks(&search(&engine, "exam fee", &everyone)), [0, 1, 2, 3]);

    // A question about the past may find what no longer holds.
    let today = options(json!({ "date": "2026-11-20" }));
    let found = |question: &str| {
        chunks(&search(
            &engine,
            question,
            &SearchOptions { overrides: at_most(12, 12), ..today.clone() },
        ))
    };
    assert!(!found("exam fee").contains(&11));
    assert!(found("exam fee in 2025").contains(&11));
}

#[test]
fn a_department_implies_its_faculty() {
    let folder = tempfile::tempdir().unwrap();
    let documents = [
        ("The fee.", json!({ "faculty": "Arts" })),
        ("The fee.", json!({ "faculty": "Sciences" })),
    ];
    let organisation: Organisation = serde_json::from_value(json!({
        "departments": [], "programmes": [],
        "faculties": [{ "name": "Sciences", "aliases": [], "programmes": [], "departments": [
            { "name": "Physics", "aliases": ["PHY"], "programmes": [] },
        ] }],
    }))
    .unwrap();
    let notes = DocumentNotes { organisation, ..DocumentNotes::default() };
    let engine = write(folder.path(), &documents, notes);
    let options = SearchOptions {
        profile: profile(json!({ "department": "phy" })),
        ..SearchOptions::default()
    };
    assert_eq!(chunks(&search(&engine, "fee", &options)), [1]);
}

#[test]
fn what_several_documents_say_is_for_the_readers_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let documents = [
        ("The fee.", json!({ "department": "Physics" })),
        ("The fee.", json!({ "department": "Arts" })),
    ];
    let law = Audience::of(&metadata(&json!({ "department": "Law" })));
    let notes =
        DocumentNotes { further_audiences: vec![(ChunkId(0), law)], ..DocumentNotes::default() };
    let engine = write(folder.path(), &documents, notes);
    let options = SearchOptions {
        profile: profile(json!({ "department": "Law" })),
        ..SearchOptions::default()
    };
    assert_eq!(chunks(&search(&engine, "fee", &options)), [0]);
}

#[test]
fn older_editions_are_left_out_inside_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let documents: Vec<(&str, Value)> = vec![("The fee.", json!({})); 6];
    let older = (0..4).map(|document| OlderEdition { document, newer: 5, years: vec![2020] });
    let notes = DocumentNotes { older: older.collect(), ..DocumentNotes::default() };
    let engine = write(folder.path(), &documents, notes);
    let options =
        SearchOptions::from(SearchOverrides { depth: Some(2), ..SearchOverrides::default() });
    let found = search(&engine, "fee", &options);
    assert_eq!(chunks(&found), [4, 5]);
    // They are not for others: they are past.
    assert_eq!(found.left_out, []);
    assert!(found.rankings.left_out.is_empty(), "nobody asked for them");
    let followed = SearchOptions { behind_filter: true, ..options };
    let found = search(&engine, "fee", &followed);
    assert_eq!(found.left_out, []);
    assert_eq!(found.rankings.left_out, [ChunkId(0), ChunkId(1)].into());
}

const RULES: [(&str, &str); 3] = [
    ("department", "Late coursework in our modules loses ten points a day of the mark."),
    ("faculty", "The faculty hands out keys for late coursework."),
    ("university", "Late coursework loses five points a day of the mark."),
];

fn rules(site: &Path) -> SiteEngine {
    let documents: Vec<(&str, Value)> = RULES
        .iter()
        .map(|(level, text)| match *level {
            "department" => (*text, json!({ "level": level, "department": "Physics" })),
            _ => (*text, json!({ "level": level })),
        })
        .collect();
    write(site, &documents, DocumentNotes::default())
}

#[test]
fn near_ties_go_to_the_nearer_level() {
    let folder = tempfile::tempdir().unwrap();
    let engine = rules(folder.path());
    let ask = |levels: LevelMethod, band_percent| {
        let ranking = Some(RankingConfig { levels, band_percent, ..RankingConfig::default() });
        let options = SearchOptions { ranking, ..SearchOptions::default() };
        search(&engine, "Late coursework loses how many points?", &options)
    };
    let off = ask(LevelMethod::Off, 95);
    assert_eq!(chunks(&off), [2, 0, 1]);
    assert!(off.rankings.of("levels").is_none());
    assert_eq!(chunks(&ask(LevelMethod::Bands, 0)), [2, 0, 1]);
    assert_eq!(chunks(&ask(LevelMethod::Bands, 60)), [0, 2, 1]);
    let points = ask(LevelMethod::Points, 95);
    assert_eq!(chunks(&points)[0], 0);
    assert!(points.rankings.of("levels").is_some());
}

#[test]
fn levels_that_differ_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let engine = rules(folder.path());
    let options = SearchOptions {
        profile: profile(json!({ "department": "Physics" })),
        ..SearchOptions::default()
    };
    let found = search(&engine, "How many points does late coursework lose?", &options);
    assert_eq!(found.conflicts.len(), 1, "{:?}", found.conflicts);
    let conflict = found.conflicts.first().unwrap();
    let said = |side: &campanile_retrieve::Stated| {
        let passage = &found.passages[side.passage];
        (side.level.name(), side.value.slice(passage.text()).unwrap())
    };
    assert_eq!(said(&conflict.nearer), ("department", "ten points"));
    assert_eq!(said(&conflict.farther), ("university", "five points"));
    assert!(found.trace.stages.iter().any(|stage| stage.name == "conflicts"));

    // To others the department's rule is none.
    let options = SearchOptions {
        profile: profile(json!({ "department": "Law" })),
        everyone: true,
        ..SearchOptions::default()
    };
    let found = search(&engine, "How many points does late coursework lose?", &options);
    assert_eq!((chunks(&found).len(), found.conflicts.len()), (3, 0));
}

/// Returns the differences that a search tells of: the level and the value of each side, the nearer first.
fn differences(found: &Retrieval) -> Vec<String> {
    let said = |side: &campanile_retrieve::Stated| {
        let passage = &found.passages[side.passage];
        format!("{} {}", side.level.name(), side.value.slice(passage.text()).unwrap())
    };
    let words =
        |it: &campanile_retrieve::Conflict| format!("{}, {}", said(&it.nearer), said(&it.farther));
    found.conflicts.iter().map(words).collect()
}

/// A name, documents with their metadata, who asks, and the differences that are told.
type DifferenceCase<'a> = (&'a str, Vec<(&'a str, Value)>, &'a Value, &'a [&'a str]);

#[test]
fn each_side_of_a_difference_speaks_for_its_own_level() {
    const FACULTY: &str = "Late coursework loses ten points a day of the mark.";
    const OTHER: &str = "Late coursework loses seven points a day of the mark.";
    const EVERYBODY: &str = "Late coursework loses five points a day of the mark.";
    let physics = json!({ "level": "department", "department": "Physics", "faculty": "Sciences" });
    let law = json!({ "level": "department", "department": "Law", "faculty": "Arts" });
    let sciences = json!({ "level": "faculty", "faculty": "Sciences" });
    let unbound = json!({ "level": "department", "department": "Law" });
    let mislabelled = json!({ "level": "faculty", "department": ["Law"] });
    let nobody = json!({});
    let told = json!({ "department": "Physics", "faculty": "Sciences" });
    let cases: [DifferenceCase<'_>; 6] = [
        (
            "a department among several is not the university",
            vec![(FACULTY, sciences.clone()), (OTHER, unbound), ("Physics.", physics.clone())],
            &nobody,
            &[],
        ),
        (
            "nor is one that says it is the faculty",
            vec![(OTHER, mislabelled), (EVERYBODY, json!({})), ("Physics.", physics.clone())],
            &nobody,
            &[],
        ),
        (
            "a faculty is not the one of another's department",
            vec![(FACULTY, sciences.clone()), (OTHER, law)],
            &json!({ "department": "Law" }),
            &[],
        ),
        (
            "the only faculty speaks as one",
            vec![(FACULTY, sciences.clone()), (EVERYBODY, json!({}))],
            &nobody,
            &["faculty ten points, university five points"],
        ),
        (
            "a department and its faculty",
            vec![(OTHER, physics.clone()), (FACULTY, sciences.clone())],
            &told,
            &["department seven points, faculty ten points"],
        ),
        (
            "a faculty that is not named, among several",
            vec![
                (OTHER, json!({ "level": "faculty" })),
                (EVERYBODY, json!({})),
                ("Sciences.", sciences),
                ("Arts.", json!({ "level": "faculty", "faculty": "Arts" })),
            ],
            &nobody,
            &[],
        ),
    ];
    for (name, documents, who, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        let engine = write(folder.path(), &documents, DocumentNotes::default());
        let options = SearchOptions {
            profile: profile(who.clone()),
            everyone: true,
            ..SearchOptions::default()
        };
        let found = search(&engine, "How many points does late coursework lose?", &options);
        assert_eq!(differences(&found), expected, "{name}");
    }
}

#[test]
fn differences_are_told_only_of_what_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let engine = rules(folder.path());
    let options = SearchOptions {
        profile: profile(json!({ "department": "Physics" })),
        ..SearchOptions::default()
    };
    let told = ["department ten points, university five points"];
    let cases: [(&str, &[&str]); 6] = [
        ("How many points does late coursework lose?", &told),
        ("Does late coursework lose points?", &told),
        ("late coursework", &told),
        ("May I bring my dog when I hand in coursework?", &[]),
        ("Are dogs allowed in the modules of the department?", &[]),
        ("Who marks the examination on the last day?", &[]),
    ];
    for (question, expected) in cases {
        assert_eq!(differences(&search(&engine, question, &options)), expected, "{question}");
    }
}

#[test]
fn a_stream_gets_the_share_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut documents: Vec<(&str, Value)> = vec![("The exam, the exam.", json!({})); 4];
    documents.push(("The exam of the exam course.", json!({ "course": "PH101" })));
    documents.extend(vec![
        (
            "Hall, desk, chair, lamp, door, key, roof, wall and one exam.",
            json!({})
        );
        3
    ]);
    let engine = write(folder.path(), &documents, DocumentNotes::default());
    let ask = |academic_percent| {
        let ranking = Some(RankingConfig { academic_percent, ..RankingConfig::default() });
        let overrides = SearchOverrides { sources: Some(3), ..SearchOverrides::default() };
        let options = SearchOptions { overrides, ranking, ..SearchOptions::default() };
        chunks(&search(&engine, "exam", &options))
    };
    assert_eq!(ask(0), [0, 1, 2]);
    assert_eq!(ask(30), [0, 1, 4]);
}

fn restriction() -> impl Strategy<Value = (&'static str, Value)> {
    let name = || prop::sample::select(vec!["A", "B", "C"]);
    prop_oneof![
        name().prop_map(|name| ("departments", json!(name))),
        name().prop_map(|name| ("programmes", json!([name, "D"]))),
        name().prop_map(|name| ("faculties", json!(name))),
        name().prop_map(|name| ("course", json!(name))),
        name().prop_map(|name| ("courses", json!(name))),
        name().prop_map(|name| ("specialisation", json!(name))),
        (2020..2024).prop_map(|year| ("batches", json!(format!("{year}+")))),
        (1..4).prop_map(|year| ("study_years", json!(year))),
        (1..4).prop_map(|semester| ("study_semesters", json!(format!("until {semester}")))),
        (1..13).prop_map(|month| ("valid_from", json!(format!("2026-{month:02}-01")))),
        (1..13).prop_map(|month| ("valid_until", json!(format!("2026-{month:02}-28")))),
    ]
}

fn any_document() -> impl Strategy<Value = (String, Value)> {
    let text = "(exam |fee |hall |the |of ){1,8}";
    (text, prop::collection::vec(restriction(), 0..3)).prop_map(|(text, stated)| {
        let fields: serde_json::Map<String, Value> =
            stated.into_iter().map(|(field, value)| (field.to_owned(), value)).collect();
        (text, Value::Object(fields))
    })
}

fn any_profile() -> impl Strategy<Value = Value> {
    let name = || prop::option::of(prop::sample::select(vec!["A", "B", "C", "D"]));
    let number = || prop::option::of(1..5);
    let month = prop::option::of((1..13).prop_map(|month| format!("2026-{month:02}-15")));
    (
        (name(), name(), name(), name()),
        name(),
        prop::option::of(2019..2025),
        number(),
        number(),
        month,
    )
        .prop_map(
            |((department, programme, faculty, special), course, batch, year, semester, date)| {
                json!({
                    "department": department, "programme": programme, "faculty": faculty,
                    "specialisation": special, "completed": course, "batch": batch, "year": year,
                    "semester": semester, "date": date,
                })
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The filter inside the search finds what sorting all documents and taking those that are for
    /// the reader finds.
    #[test]
    fn a_filtered_search_is_brute_force_over_what_is_allowed(
        documents in prop::collection::vec(any_document(), 1..25),
        who in any_profile(),
        limit in 1u32..6,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let written: Vec<(&str, Value)> =
            documents.iter().map(|(text, fields)| (text.as_str(), fields.clone())).collect();
        let engine = write(folder.path(), &written, DocumentNotes::default());
        let profile = profile(who);
        let ranking = Some(RankingConfig { levels: LevelMethod::Off, ..RankingConfig::default() });
        let all = SearchOptions { overrides: at_most(99, 99), ranking, ..SearchOptions::default() };
        let mut expected = chunks(&search(&engine, "exam fee", &all));
        expected.retain(|chunk| metadata(&documents[*chunk as usize].1).applies_to(&profile).applies());
        expected.truncate(limit as usize);
        let overrides = at_most(limit, limit);
        let options = SearchOptions { overrides, profile, ..all.clone() };
        let found = search(&engine, "exam fee", &options);
        prop_assert_eq!(chunks(&found), expected.clone());

        // What is said to be left out is what the whole ranking has before the limit, and no more.
        let whole = search(&engine, "exam fee", &SearchOptions { overrides: at_most(limit, 99), ..all });
        let missing: Vec<u32> =
            chunks(&whole).into_iter().filter(|chunk| !expected.contains(chunk)).collect();
        prop_assert_eq!(found.left_out.iter().map(|it| it.chunk.0).collect::<Vec<_>>(), missing);
        prop_assert!(found.left_out.iter().all(|it| !it.reasons.is_empty()));
    }
}
