//! Tables and records as universities publish them, where they are at hand.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use campanile_corpus::Document;
use campanile_ingest::{IngestOptions, Reading, RecordRule, read};

fn data() -> Option<PathBuf> {
    campanile_test_data::shared("")
}

fn reading(folder: &Path, file: &str, rules: &[&str]) -> Reading {
    let records = rules.iter().map(|rule| toml::from_str::<RecordRule>(rule).unwrap()).collect();
    let options = IngestOptions { records, ..IngestOptions::default() };
    let started = Instant::now();
    let reading = read(folder, Path::new(file), &options).unwrap();
    println!("{file}: {} documents in {:?}", reading.documents.len(), started.elapsed());
    reading
}

fn has_line(document: &Document, line: &str) -> bool {
    document
        .sections
        .iter()
        .flat_map(|section| &section.blocks)
        .any(|block| block.span.slice(&document.text) == Some(line))
}

/// The file of `cmu_facts/Scraped data` without `.csv`, and a row of it as it should read.
const ROWS: &[(&str, &str)] = &[
    (
        "schedule",
        "Year 1, Fall: Grammars and Lexicons, Algorithms for NLP, Directed Study; \
         Year 1, Spring: Search Engines or Machine Learning for Text Mining, Machine Translation, Directed Study; \
         Year 1, Summer: Required Research",
    ),
    (
        "schedule",
        "Year 5, Fall: Directed Research; Year 5, Spring: Directed Research; Year 5, Summer: Directed Research",
    ),
    (
        "table_2_programs",
        "Year 1(In Portugal), Fall: Classes and Directed Study; \
         Year 1(In Portugal), Spring: Classes and Directed Study; \
         Year 1(In Portugal), Summer: Required Research",
    ),
    (
        "table_2_programs",
        "Year 4 (In Portugal), Fall: Directed Research; Year 4 (In Portugal), Spring: Directed Research; \
         Year 4 (In Portugal), Summer: Directed Research",
    ),
    ("table_10_programs", "Year 2, Fall: Data Science Analytics Capstone"),
    (
        "table_8_programs",
        "Fall 1: Search Engines, Algorithms for NLP, Intro to ML (MLD), MIIS Directed Study; \
         Spring 1: Question Answering, Intro to Deep Learning, MIIS Capstone Planning Seminar, MIIS Directed Study; \
         Summer: Internship; Fall 2: MIIS Capstone Project, Machine Translation; \
         Spring 2: Comp Semantics for NLP, Neural Networks for NLP, Elective",
    ),
    (
        "table_12_programs",
        "Example Schedule: Ubiquitous Computing; Fall: DHCSMLARM; \
         Spring: Interactive Data ScienceRapid PrototypingGadgetsUsable Priv & SecurityAdvanced ML",
    ),
    (
        "faculty_info",
        "Name: Jamie Callan; Position: Professor and PhD Program Director; Email: callan@cs.cmu.edu; \
         Research Area: Information Retrieval, Text Mining and Analytics; \
         Office: 5419 Gates & Hillman Centers; Phone Number: 412-268-4525",
    ),
    (
        "faculty_info",
        "Name: Mona Diab; Position: LTI Director and Tenured Professor; Email: mdiab@andrew.cmu.edu; \
         Phone Number: 412-268-3669",
    ),
    (
        "faculty_info_2",
        "Name: Carolyn Rosé; Position: Professor; Email: cprose@cs.cmu.edu; \
         Research Area: Information Retrieval, Text Mining and Analytics, Language Technologies for Education, \
         Natural Language Processing and Computational Linguistics, Computer Supported Collaborative Learning/MOOCs; \
         Office: 5415 Gates & Hillman Centers; Phone Number: 412-268-7130",
    ),
    (
        "staff_info",
        "Name: Joan Axelson; Position: Office Manager; Email: jaxelson@andrew.cmu.edu; Phone Number: 412-268-7517",
    ),
    (
        "staff_info_2",
        "Name: Nicole Perrotta; Position: Administrative Coordinator; Email: nperrott@andrew.cmu.edu",
    ),
    (
        "staff_info",
        "Name: Allison Blair; Position: Associate Business Manager; Email: ablair2@cs.cmu.edu; \
         Office: 5715 TCS Hall; Phone Number: 412-268-5489",
    ),
    (
        "affiliated_faculty_info",
        "Name: Ian Lane; Position: Assistant Research Professor CMU Silicon Valley; Email: lane@cmu.edu; \
         Phone Number: 408-505-3178",
    ),
    (
        "research_staff_info",
        "Name: Robin Hammer; Position: Levin Lab/Project Coordinator; Email: robinham@andrew.cmu.edu",
    ),
];

#[test]
fn rows_of_real_files_read_alone() {
    let Some(data) = data() else { return };
    let folder = data.join("cmu_facts/Scraped data");
    for (name, row) in ROWS {
        let reading = reading(&folder, &format!("{name}.csv"), &[]);
        let document = &reading.documents[0];
        assert!(has_line(document, row), "{name}: {row}\nis not in\n{}", document.text);
        assert_eq!(document.tables.len(), 1, "{name}");
    }
}

#[test]
fn sheets_in_another_encoding_are_read_with_a_warning() {
    let Some(data) = data() else { return };
    let folder = data.join("cmu_facts/Scraped data");
    let cases = [
        ("table_14_programs.csv", "Search Engines (11-442)"),
        ("adjunct_faculty_info.csv", "Yulia Tsvetkov"),
        ("admin_staff_info.csv", "Office Manager"),
    ];
    for (file, words) in cases {
        let reading = read(&folder, Path::new(file), &Default::default()).unwrap();
        let text = &reading.documents[0].text;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "{file}: {words} is not in\n{text}");
        assert!(reading.findings[0].to_string().contains("read as Windows-1252"), "{file}");
    }
}

const UMD: &str = r#"
match = "*.json"
id = "course_id"
title = "{course_id}: {name}"
text = ["description", { field = "relationships.restrictions", label = "Restrictions" }]
facts = { "Credits" = "credits", "Prerequisites" = "relationships.prereqs", "General education" = "gen_ed", "Department" = "department" }
tables = { "Sections" = { rows = "sections", columns = { "Section" = "number", "Instructors" = "instructors", "Meetings" = "{meetings.days} {meetings.start_time}–{meetings.end_time}, {meetings.building} {meetings.room}", "Seats" = "seats" } } }
link = "https://app.testudo.umd.edu/soc/{semester}/{dept_id}/{course_id}"
metadata = { type = "academic", course_code = "{course_id}", department = "{department}", gen_ed = "{gen_ed}" }
"#;

#[test]
fn courses_are_documents_of_their_own() {
    let Some(data) = data() else { return };
    let folder = data.join("umd_courses/courses/data");
    let started = Instant::now();
    let terms = ["201712", "201805", "201812", "201905", "201912", "202005"]
        .map(|term| reading(&folder, &format!("{term}.json"), &[UMD]));
    println!("all six in {:?}", started.elapsed());
    let [early, .., summer] = &terms;
    assert_eq!((early.documents.len(), summer.documents.len()), (518, 1355));
    for document in terms.iter().flat_map(|term| &term.documents) {
        assert!(document.title.contains(": ") && document.link.is_some(), "{}", document.path);
    }
    let of = |reading: &Reading, path: &str| {
        reading.documents.iter().find(|document| document.path == path).cloned().unwrap()
    };
    let course = of(summer, "202005.json#AASP100");
    assert_eq!(course.title, "AASP100: Introduction to African American Studies");
    assert_eq!(course.link.as_deref(), Some("https://app.testudo.umd.edu/soc/202005/AASP/AASP100"));
    assert_eq!(course.metadata["department"], "African American Studies");
    assert_eq!(course.metadata["gen_ed"], serde_json::json!(["DSHS", "DVUP"]));
    assert_eq!(course.metadata["type"], "academic");
    for line in [
        "Credits: 3",
        "General education: DSHS, DVUP",
        "Section: 0201; Instructors: Jason Nichols; Meetings: TuWTh 10:00am–12:15pm, TYD 1132; Seats: 20",
        "Section: WB11; Instructors: Jason Nichols; Meetings: ONLINE; Seats: 35",
    ] {
        assert!(has_line(&course, line), "{line}\nis not in\n{}", course.text);
    }
    let sections = course.sections.iter().find(|section| section.heading == "Sections").unwrap();
    assert_eq!(sections.path, [course.title.as_str(), "Sections"]);
    assert!(
        of(early, "201712.json#AASP100").text.contains("Section: WB11; Instructors: Jason Nichols")
    );
    let repeated = of(early, "201712.json#AASP100-2");
    assert_eq!(repeated.title, course.title);
    let messages: Vec<String> = early.findings.iter().map(ToString::to_string).collect();
    assert!(messages.iter().any(|message| message.contains("repeat another's id")), "{messages:?}");
}

const UIC: &str = r#"
match = "*.csv"
id = "id"
title = "{metadata.course_code}: {metadata.class_name}"
text = ["text"]
facts = { "Credits" = "metadata.credits_raw", "Subject" = "metadata.subject" }
link = "{metadata.source_url}"
metadata = { type = "academic", course_code = "{metadata.course_code}", chunk = "{metadata.chunk_index}" }
"#;

#[test]
fn a_catalogue_of_rows_is_one_document_or_many() {
    let Some(data) = data() else { return };
    let folder = data.join("uic_catalog/rag/data/processed/index");
    let many = reading(&folder, "chunks.csv", &[UIC]);
    let first = &many.documents[0];
    assert_eq!(first.title, "ACTG 210: Introduction to Financial Accounting");
    assert_eq!(
        first.path,
        "chunks.csv#actg-210-introduction-to-financial-accounting::541cc797730d::chunk-1"
    );
    assert_eq!(
        first.link.as_deref(),
        Some("https://catalog.uic.edu/ucat/course-descriptions/actg/")
    );
    assert_eq!(first.metadata["course_code"], "ACTG 210");
    assert!(has_line(first, "Credits: 3") && has_line(first, "Subject: Accounting (ACTG)"));
    assert!(first.text.contains("Extensive computer use required."));

    let one = reading(&folder, "chunks.csv", &[]);
    let document = &one.documents[0];
    assert_eq!((one.documents.len(), document.tables.len()), (1, 1));
    let table = &document.tables[0];
    assert_eq!(table.lines.len(), many.documents.len());
    assert!(many.documents.len() > 3_700, "{}", many.documents.len());
    let row = table.lines[1].span.slice(&document.text).unwrap();
    assert!(row.starts_with("id: actg-211-introduction-to-managerial-accounting"), "{row}");
    assert!(row.contains("; metadata.course_code: ACTG 211; metadata.class_name: Introduction to"));
}
