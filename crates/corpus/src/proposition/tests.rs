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

/// A case: what it shows, the language, the title, the document, its propositions.
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
fn a_caption_stands_in_front_of_its_rows_and_of_no_others() {
    let rows = ["| Year: 1; Maximum ECTS: 38", "| Course: CS 101; ECTS: 6", "| Day: 1; Room: 2"];
    let mut document = document("Rules", &format!("{}\nWithout a table.", rows.join("\n")));
    let captions = ["ECTS per year of study", "Courses of the first year", " "];
    for (block, caption) in (0..).zip(captions) {
        let span = document.sections[0].blocks[block].span;
        let lines = vec![crate::TableLine { row: 0, span }];
        let caption = caption.to_owned();
        document.tables.push(crate::Table { caption, lines, ..crate::Table::default() });
    }
    let found: Vec<String> = of(English, &document).into_iter().map(|made| made.text).collect();
    let expected = [
        "Rules, ECTS per year of study: Year: 1; Maximum ECTS: 38",
        "Rules, Courses of the first year: CS 101 has 6 ECTS.",
        "Rules: Day: 1; Room: 2",
        "Rules: Without a table.",
    ];
    assert_eq!(found, expected);
}

/// Knows what to write about which sentence.
struct Model(&'static [(&'static str, &'static [&'static str])]);

impl PropositionWriter for Model {
    fn write(&self, asked: &SentenceInContext<'_>) -> Result<Vec<String>, WriterError> {
        let known = self.0.iter().find(|(sentence, _)| *sentence == asked.sentence);
        let (_, statements) = known.ok_or_else(|| format!("asked about {asked:?}"))?;
        Ok(statements.iter().map(|text| (*text).to_owned()).collect())
    }
}

const RESITS: &str = "\
# Resits
Fees are due. A failed exam may be taken 2 times. It takes place in May. It is in English, and it must not be late.
All students must:
- bring it
| Room: 5; Its door: 2
- Its name is W 2.";

fn written(model: &Model) -> Written {
    let document = document("Rules", RESITS);
    let chunks = chunk_by(&document, &Words, &ChunkStrategy::default(), None).unwrap();
    assert_eq!(chunks.len(), 1);
    Proposer::new(English).written(&document, &chunks[0], model).unwrap()
}

#[test]
fn a_model_writes_what_rules_cannot() {
    let model = Model(&[
        ("It takes place in May.", &["The  failed exam takes place in May. "]),
        ("It is in English, and it must not be late.", &["The exam is in English."]),
        ("Its name is W 2.", &["Its name is W 3."]),
    ]);
    let written = written(&model);
    let texts: Vec<_> = written.propositions.iter().map(|p| p.text.as_str()).collect();
    let expected = [
        "Rules, Resits: Fees are due.",
        "Rules, Resits: A failed exam may be taken 2 times.",
        "Rules, Resits: The failed exam takes place in May.",
        "Rules, Resits: It is in English, and it must not be late.",
        "Rules, Resits: All students must:",
        "Rules, Resits: All students must bring it.",
        "Rules, Resits: Room: 5; Its door: 2",
        "Rules, Resits: Its name is W 2.",
    ];
    assert_eq!(texts, expected);
    assert_eq!(written.propositions[2].rules, [Rule::Model, Rule::Restored]);
    assert_eq!(written.asked, 3, "{written:?}");
    let why: Vec<_> = written.refused.iter().map(|refused| refused.because).collect();
    assert_eq!(why, [Refusal::Turned, Refusal::Facts]);
    assert_eq!(written.refused[0].sentence, "It is in English, and it must not be late.");
    assert_eq!(written.refused[0].written, "The exam is in English.");
    let document = document("Rules", RESITS);
    let marked = written.propositions[2].source.slice(&document.text).unwrap();
    assert_eq!(marked, "It takes place in May.");
}

#[test]
fn a_model_is_told_where_a_sentence_stands() {
    struct Listens;
    impl PropositionWriter for Listens {
        fn write(&self, asked: &SentenceInContext<'_>) -> Result<Vec<String>, WriterError> {
            Err(format!("{} | {} | {}", asked.context, asked.before, asked.sentence).into())
        }
    }
    let chunk = |document: &Document| {
        chunk_by(document, &Words, &ChunkStrategy::default(), None).unwrap()[0]
    };
    let asked = |source: &str| {
        let document = document("Rules", source);
        let written = Proposer::new(English).written(&document, &chunk(&document), &Listens);
        written.unwrap_err().to_string()
    };
    assert_eq!(
        asked("# Resits\nFees are due. They are 5 Euro."),
        "Rules > Resits | Fees are due. | They are 5 Euro."
    );
    assert_eq!(
        asked("# Resits\nFees are due.\nThey are 5 Euro."),
        "Rules > Resits |  | They are 5 Euro."
    );
    let document = document("Rules", "They are 5 Euro.");
    let nobody = Proposer::new(Language::None).written(&document, &chunk(&document), &Listens);
    assert_eq!(nobody.unwrap().asked, 0);
}

#[test]
fn a_model_that_says_nothing_changes_nothing() {
    let model = Model(&[
        ("It takes place in May.", &[]),
        ("It is in English, and it must not be late.", &["Yes."]),
        ("Its name is W 2.", &["Its name is W 2."]),
    ]);
    let by_rules = of(English, &document("Rules", RESITS));
    let written = written(&model);
    assert_eq!(written.propositions, by_rules);
    assert_eq!((written.asked, written.refused.len()), (3, 3));
}
