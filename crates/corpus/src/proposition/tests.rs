#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_text::Language::{self, English, German};

use super::*;
use crate::samples::{Words, document};
use crate::{ChunkStrategy, chunk_by};

pub(super) fn of(language: Language, document: &Document) -> Vec<Proposition> {
    let chunks = chunk_by(document, &Words, &ChunkStrategy::default(), None).unwrap();
    let proposer = Proposer::new(language);
    chunks.iter().flat_map(|chunk| proposer.propositions(document, chunk)).collect()
}

/// What it shows, the language, the title, the document, its propositions.
type Case = (&'static str, Language, &'static str, &'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "title and heading in front",
        English,
        "Exam rules",
        "# Resits\nA failed exam may be taken twice.",
        &["Exam rules, Resits: A failed exam may be taken twice."],
    ),
    (
        "no heading that the sentence names",
        English,
        "Exam rules",
        "# Resits\nEach resit of an exam has rules.",
        &["Each resit of an exam has rules."],
    ),
    (
        "a question as heading",
        English,
        "Fees",
        "# Who pays?\nEveryone does so.",
        &["Fees, Who pays? Everyone does so."],
    ),
    (
        "a compound sentence",
        English,
        "Fees",
        "The fee is due in May, and the form must be signed.",
        &["The fee is due in May.", "Fees: The form must be signed."],
    ),
    (
        "an enumeration",
        English,
        "Register",
        "Students must: (a) register by 1 May; (b) pay 30 Euro.",
        &["Students must register by 1 May.", "Register: Students must pay 30 Euro."],
    ),
    (
        "an introduced list",
        English,
        "Visa",
        "# Papers\nThe following papers are needed:\n- a passport\n- 2 photos;",
        &[
            "Visa: The following papers are needed:",
            "Visa: The following papers are needed: a passport.",
            "Visa: The following papers are needed: 2 photos.",
        ],
    ),
    (
        "an open introduction",
        English,
        "Visa",
        "Students must:\n- register\n- pay",
        &["Visa: Students must:", "Visa: Students must register.", "Visa: Students must pay."],
    ),
    (
        "a choice is left as it is",
        English,
        "Visa",
        "Students must:\n- register; or\n- pay",
        &["Visa: Students must:", "Visa: register; or", "Visa: pay"],
    ),
    (
        "nested lists are left as they are",
        English,
        "Visa",
        "You need these:\n- papers:\n- a passport",
        &["Visa: You need these:", "Visa: papers:", "Visa: a passport"],
    ),
    (
        "this course",
        English,
        "CS 101 Algorithms",
        "This course introduces sorting. It is offered each winter. It has 6 ECTS.",
        &[
            "CS 101 Algorithms: This course introduces sorting.",
            "CS 101 Algorithms: It is offered each winter.",
            "CS 101 Algorithms: It has 6 ECTS.",
        ],
    ),
    (
        "this course with a sure verb",
        English,
        "CS 101 Algorithms",
        "This course is about sorting. It is offered each winter. It has 6 ECTS. It is hard.",
        &[
            "CS 101 Algorithms is about sorting.",
            "CS 101 Algorithms is offered each winter.",
            "CS 101 Algorithms has 6 ECTS.",
            "CS 101 Algorithms: It is hard.",
        ],
    ),
    (
        "two courses to choose from",
        English,
        "CS 101 and CS 102",
        "This course is about sorting.",
        &["CS 101 and CS 102: This course is about sorting."],
    ),
    (
        "another course was named",
        English,
        "CS 101",
        "Take CS 102 first. The course is hard.",
        &["CS 101: Take CS 102 first.", "CS 101: The course is hard."],
    ),
    (
        "the course fee is no course",
        English,
        "CS 101",
        "The course fee is 30 Euro.",
        &["CS 101: The course fee is 30 Euro."],
    ),
    (
        "this programme",
        English,
        "Computer Science (M.Sc.)",
        "# Start\nThe programme begins in October.",
        &["Start: Computer Science (M.Sc.) begins in October."],
    ),
    (
        "a heading about the programme",
        English,
        "Handbook MSAII 2022",
        "# 6.1 Transferring into the Program\nThe program will decide. The course can be taken once.",
        &[
            "Handbook MSAII 2022, 6.1 Transferring into the Program: The program will decide.",
            "Handbook MSAII 2022, 6.1 Transferring into the Program: The course can be taken once.",
        ],
    ),
    (
        "a numbered heading",
        English,
        "Handbook",
        "# 1.1 The MCDS Degree\nThe program is hard work.",
        &["Handbook: The MCDS Degree is hard work."],
    ),
    (
        "dieses Modul",
        German,
        "Modul Algorithmen",
        "Dieses Modul umfasst 6 Punkte.",
        &["Modul Algorithmen umfasst 6 Punkte."],
    ),
    (
        "German clauses",
        German,
        "Prüfung",
        "Die Prüfung ist im Mai, und der Antrag ist schriftlich.",
        &["Die Prüfung ist im Mai.", "Prüfung: Der Antrag ist schriftlich."],
    ),
    (
        "a name and an aside",
        English,
        "Aula",
        "The Great Hall, which is in Room 5, must be booked.",
        &["Aula: The Great Hall is in Room 5.", "Aula: The Great Hall must be booked."],
    ),
    (
        "an abbreviation",
        English,
        "Privacy",
        "Ask the Data Protection Officer (DPO) first.",
        &[
            "Privacy: Ask the Data Protection Officer (DPO) first.",
            "DPO stands for Data Protection Officer.",
        ],
    ),
    (
        "a glossary",
        English,
        "Rules",
        "# Definitions\n- Module: a unit of teaching\n- Credit – The measure of work\n- Days: all work then",
        &[
            "Rules, Definitions: Module means a unit of teaching.",
            "Rules, Definitions: Credit means the measure of work.",
            "Rules, Definitions: Days: all work then.",
        ],
    ),
    (
        "a row of amounts",
        English,
        "Courses",
        "| Course: CS 101; ECTS: 6; SWS: 4",
        &["Courses: CS 101 has 6 ECTS.", "Courses: CS 101 has 4 SWS."],
    ),
    (
        "a row with more",
        English,
        "Plan",
        "| Course: CS 101; ECTS: 6; Room: 5.07",
        &["Plan: Course: CS 101; ECTS: 6; Room: 5.07", "Plan: CS 101 has 6 ECTS."],
    ),
    (
        "a row that is not sure",
        English,
        "Limits",
        "| Year: 1; Maximum ECTS: 38",
        &["Limits: Year: 1; Maximum ECTS: 38"],
    ),
    (
        "code is left alone",
        English,
        "Setup",
        "$ run; and stop, and the x is 5",
        &["Setup: run; and stop, and the x is 5"],
    ),
    (
        "no language, no rules of words",
        Language::None,
        "Fees",
        "The fee is due, and the form is blue.",
        &["Fees: The fee is due, and the form is blue."],
    ),
];

#[test]
fn sentences_are_made_to_stand_alone() {
    for (name, language, title, source, expected) in CASES {
        let found: Vec<_> =
            of(*language, &document(title, source)).into_iter().map(|p| p.text).collect();
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn a_caption_stands_in_front_of_its_rows() {
    let mut document = document("Rules", "| Year: 1; Maximum ECTS: 38");
    let span = Span::from_range(0..document.text.len());
    let caption = "ECTS per year of study".to_owned();
    let lines = vec![crate::TableLine { row: 0, span }];
    document.tables.push(crate::Table { caption, lines, ..crate::Table::default() });
    let found = of(English, &document);
    assert_eq!(found[0].text, "Rules, ECTS per year of study: Year: 1; Maximum ECTS: 38");
}

struct Model(&'static [&'static str]);

impl PropositionWriter for Model {
    fn write(&self, text: &str, context: &str) -> Result<Vec<String>, WriterError> {
        if !text.contains("exam") || context != "Rules > Resits" {
            return Err("not the chunk".into());
        }
        Ok(self.0.iter().map(|text| (*text).to_owned()).collect())
    }
}

#[test]
fn what_a_model_makes_up_is_dropped() {
    let document = document("Rules", "# Resits\nFees are due. A failed exam may be taken 2 times.");
    let chunks = chunk_by(&document, &Words, &ChunkStrategy::default(), None).unwrap();
    let model = Model(&[
        "Under the rules a failed exam may be taken 2 times.",
        "A failed exam may be taken 3 times.",
        "A failed exam may not be taken.",
        "Resits are not free.",
        "Exams failed.",
        "Under the rules a failed exam may be taken 2 times.",
        "Fees are due for resits.",
    ]);
    let written = Proposer::new(English).written(&document, &chunks[0], &model).unwrap();
    let texts: Vec<_> = written.propositions.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(texts, [model.0[0], model.0[6]]);
    assert_eq!(written.dropped, model.0[1..6]);
    let marked = written.propositions[0].source.slice(&document.text).unwrap();
    assert_eq!(marked, "A failed exam may be taken 2 times.");
}
