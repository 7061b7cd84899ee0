#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use campanile_text::{Analyzer, Language};
use proptest::prelude::*;

use super::alike::heading_key;
use super::{PageFamilies, Passage, Question, alike};
use crate::{Document, Section};

fn english() -> Analyzer {
    Analyzer::new(Language::English)
}

fn document(path: &str, title: &str, headings: &[&str]) -> Document {
    let section = |heading: &&str| Section { heading: (*heading).to_owned(), ..Section::default() };
    Document {
        path: path.to_owned(),
        title: title.to_owned(),
        text: format!("{title}\nWhat Northfield University has to say."),
        sections: headings.iter().map(section).collect(),
        ..Document::default()
    }
}

#[rustfmt::skip]
const TITLES: &[&str] = &[
    "Biology, B.S. | Northfield University", "Biology, M.S. | Northfield University",
    "Biology, Ph.D. | Northfield University", "Marine Biology, M.S. | Northfield University",
    "Computer Science, B.S. | Northfield University",
    "Computer Science, M.S. | Northfield University",
    "Computer Engineering, M.S. | Northfield University",
    "Master of Arts in History | Northfield University",
    "Social Work, M.S.W. | Northfield University",
    "Master of Public Health | Northfield University",
    "Business Administration, MBA | Northfield University",
    "Economics, Ph.D. | Northfield University", "Education, M.Ed. | Northfield University",
    "Open-Channel Flow, Certificate | Northfield University",
];

fn programmes() -> Vec<Document> {
    let mut documents: Vec<Document> = TITLES
        .iter()
        .enumerate()
        .map(|(number, title)| {
            document(&format!("programs/{number}.md"), title, &["Admission", "Credits", "Thesis"])
        })
        .collect();
    for number in 0..9 {
        let mut rule = document(&format!("rules/{number}.md"), "Leave", &["Who", "Contact"]);
        rule.text = "Education at Northfield goes on during a leave.".to_owned();
        documents.push(rule);
    }
    for (number, rule) in documents.iter_mut().skip(TITLES.len()).enumerate() {
        // Nine rules with headings of their own.
        rule.sections.iter_mut().for_each(|section| section.heading += &" x".repeat(number + 1));
    }
    documents
}

/// Passages of all documents, one for each section, all alike.
fn passages(documents: &[Document]) -> Vec<Passage<'static>> {
    let of = |(document, it): (usize, &Document)| {
        (0..it.sections.len())
            .map(move |section| Passage { document, section, vector: &[1.0, 0.0] })
            .collect::<Vec<_>>()
    };
    documents.iter().enumerate().flat_map(of).collect()
}

#[test]
fn a_question_names_pages_by_what_tells_them_apart() {
    let documents = programmes();
    let families = PageFamilies::of(&documents, &passages(&documents), &english());
    assert_eq!(families.families.len(), 1);
    let family = &families.families[0];
    assert_eq!(family.members.len(), TITLES.len());
    assert_eq!(family.repeated.len(), 3, "one for each heading");
    let cases: &[(&str, &[usize])] = &[
        // A subject names all its degrees, a degree with it one of them.
        ("How many credits does biology take?", &[0, 1, 2]),
        ("How many credits does the M.S. in Biology take?", &[1]),
        ("biology ms credits", &[1]),
        ("the master's in biology", &[1]),
        ("the Master of Science in Biology", &[1]),
        ("a doctorate in biology", &[2]),
        ("Biology PhD", &[2]),
        ("biology bachelor's thesis", &[0]),
        ("the BSc in biology", &[0]),
        ("an MBA in biology", &[1]),
        ("I'm a marine biology student", &[3]),
        ("marine biology, Ph.D.", &[3]),
        ("biology or economics?", &[0, 1, 2, 11]),
        ("Computer Science", &[4, 5]),
        ("comp sci bs", &[4]),
        ("CS thesis", &[4, 5]),
        ("cs thesis", &[]),
        ("econ phd", &[11]),
        ("History", &[7]),
        ("MA in history", &[7]),
        ("public health", &[9]),
        ("the Master of Public Health", &[9]),
        ("MPH credits", &[9]),
        ("the mba", &[10]),
        ("Social Work", &[8]),
        ("open channel flow", &[13]),
        // A degree alone, half a name, an ordinary word or the institution name none.
        ("How many credits may I transfer to a master's?", &[]),
        ("How long may an M.S. take?", &[]),
        ("May I use my own computer?", &[]),
        ("How much work is a thesis?", &[]),
        ("Is there a marine station?", &[]),
        ("my prior education", &[]),
        ("the M.Ed. in education", &[12]),
        ("Northfield University transfer credits", &[]),
        ("Is there a deadline for changing my adviser?", &[]),
        ("", &[]),
    ];
    for (question, expected) in cases {
        let named = family.named(&Question::new(question, &[], &[], &english()));
        let named: Vec<usize> = named.into_iter().map(|document| document as usize).collect();
        assert_eq!(named, *expected, "{question}");
    }
    let misspelled = Question::new("credits for biolgy phd", &[], &["biolog"], &english());
    assert_eq!(family.named(&misspelled), [2]);
    let added = Question::new("credits in CE", &["Computer Engineering"], &[], &english());
    assert_eq!(family.named(&added), [6]);
}

#[test]
fn a_heading_is_the_same_without_its_pages_name() {
    let cases = [
        ("Admission to Biology", "Biology, M.S.", "admiss"),
        ("Admission", "Economics, M.S.", "admiss"),
        ("Biology, M.S.", "Biology, M.S.", ""),
        ("", "Biology", ""),
        ("What is it?", "Biology", "what is it?"),
    ];
    for (heading, title, expected) in cases {
        assert_eq!(heading_key(heading, title, &english()), expected, "{heading}");
    }
}

#[test]
fn few_pages_or_pages_of_other_makes_are_no_family() {
    let pages = |count: usize, path: &str, headings: &[&str]| -> Vec<Document> {
        let path = |number| path.replace('N', &format!("{number}"));
        (0..count).map(|number| document(&path(number), "Page", headings)).collect()
    };
    let sizes = |documents: &[Document]| -> Vec<usize> {
        alike(documents, &english()).iter().map(Vec::len).collect()
    };
    let make = ["Admission", "Credits", "Thesis", "Contact"];
    assert_eq!(sizes(&pages(7, "a/N.md", &make)), [0; 0]);
    assert_eq!(sizes(&pages(8, "a/N.md", &make)), [8]);
    assert_eq!(sizes(&pages(9, "a/N.md", &["Contact"])), [0; 0], "one heading says little");
    // Colleges with a folder each.
    assert_eq!(sizes(&pages(8, "N/page.md", &make)), [8]);
    // Half of the headings are shared: of one make where they lie together.
    let other = ["Admission", "Credits", "Timetable", "Reading list"];
    let two = |folder: &str| [pages(8, "a/N.md", &make), pages(8, folder, &other)].concat();
    assert_eq!(sizes(&two("b/N.md")), [8, 8]);
    let near = ["Admission", "Credits", "Thesis", "Reading list"];
    let two = |folder: &str| [pages(8, "a/N.md", &make), pages(8, folder, &near)].concat();
    assert_eq!(sizes(&two("a/x-N.md")), [16]);
    assert_eq!(sizes(&two("b/N.md")), [8, 8]);
    // A page with three headings of its own for one that is shared is not of the make.
    let own = ["Admission", "Credits", "Fish", "Ships", "Tides"];
    assert_eq!(sizes(&[pages(8, "a/N.md", &make), pages(1, "a/x-N.md", &own)].concat()), [8]);
    assert_eq!(sizes(&[]), [0; 0]);
}

#[test]
fn only_passages_that_are_like_each_other_repeat() {
    let documents = programmes();
    let mut passages = passages(&documents);
    for passage in &mut passages {
        // "Credits" speaks of something else in each.
        passage.vector = match passage.section {
            1 => {
                if passage.document % 2 == 0 {
                    &[0.0, 1.0]
                } else {
                    &[0.0, -1.0]
                }
            }
            _ => &[1.0, 0.0],
        };
    }
    let families = PageFamilies::of(&documents, &passages, &english());
    let repeated = &families.families[0].repeated;
    assert_eq!(repeated.len(), 2);
    let sections: BTreeSet<usize> =
        repeated.iter().flatten().map(|chunk| passages[chunk.index()].section).collect();
    assert_eq!(sections, BTreeSet::from([0, 2]));
}

proptest! {
    /// Whatever order the documents are read in, the same are of one make.
    #[test]
    fn the_order_of_documents_makes_no_difference(
        makes in proptest::collection::vec((0usize..3, 0usize..3, proptest::collection::vec(0usize..6, 0..6)), 0..60),
        shift in 0usize..60,
        step in prop::sample::select(vec![1usize, 7, 11, 13]),
    ) {
        const HEADINGS: [&str; 6] = ["Admission", "Credits", "Thesis", "Contact", "Fees", "Staff"];
        let documents: Vec<Document> = makes
            .iter()
            .enumerate()
            .map(|(number, (folder, make, own))| {
                let own = own.iter().map(|heading| HEADINGS[*heading]);
                let headings: Vec<&str> = HEADINGS[*make..make + 3].iter().copied().chain(own).collect();
                document(&format!("{folder}/{number}.md"), &format!("Page {number}"), &headings)
            })
            .collect();
        let count = documents.len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|place| ((place * step + shift) % 61, *place));
        let shuffled: Vec<Document> = order.iter().map(|place| documents[*place].clone()).collect();
        let families = |documents: &[Document]| -> BTreeSet<BTreeSet<String>> {
            let path = |place: &usize| documents[*place].path.clone();
            alike(documents, &english()).iter().map(|family| family.iter().map(path).collect()).collect()
        };
        prop_assert_eq!(families(&documents), families(&shuffled));
        let all: Vec<usize> = alike(&documents, &english()).concat();
        prop_assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "no page is in two");
    }

    /// No question or title is refused.
    #[test]
    fn any_text_is_read(question in "\\PC{0,80}", title in "\\PC{0,40}") {
        let mut documents = programmes();
        documents[0].title = title;
        let families = PageFamilies::of(&documents, &passages(&documents), &english());
        let question = Question::new(&question, &[], &[], &english());
        for family in &families.families {
            let named = family.named(&question);
            prop_assert!(named.iter().all(|document| (*document as usize) < documents.len()));
        }
        let bytes = postcard::to_allocvec(&families).unwrap();
        prop_assert_eq!(postcard::from_bytes::<PageFamilies>(&bytes).unwrap(), families);
    }
}
