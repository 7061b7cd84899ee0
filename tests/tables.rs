//! A question about one row of a table finds the passage with that row, whatever file it is in.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::{build, campanile, folder, text};

const GUIDE: &str = "# Studies guide\n\n\
## Enrolment\n\nStudents enrol in courses at the beginning of each semester through the portal.\n\n\
| Year of study | Maximum ECTS per semester |\n|---|---|\n| 1st year | 38 |\n| 2nd year | 46 |\n\
| 3rd year | 54 |\n| 4th year and later | 60 |\n\n\
## Modules\n\nA module is printed on the diploma supplement where five of its courses are passed.\n\n\
| Course | Data Science | Operations Research | Software Systems | Cybersecurity |\n\
|---|---|---|---|---|\n| Logic | | x | | x |\n| Databases | x | | x | |\n| Cryptography | | | | x |\n\n\
## Library\n\nBooks are lent for two weeks. A reader's card is free.\n";

const CONTACTS: &str = "Name,Role,E-mail,Office\n\
Ada Stone,Head of the secretariat,stone@example.edu,B 12\n\
Ben Marsh,Erasmus coordinator,marsh@example.edu,B 14\n";

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Deadlines\r\n\
BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Registration for the thesis closes\r\n\
DTSTART;VALUE=DATE:20270115\r\nDTEND;VALUE=DATE:20270116\r\nEND:VEVENT\r\n\
BEGIN:VEVENT\r\nUID:2\r\nSUMMARY:Summer term begins\r\n\
DTSTART;VALUE=DATE:20270401\r\nDTEND;VALUE=DATE:20270402\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

const COURSES: &str = r#"[
    {"code": "CS 101", "name": "Logic", "credits": 6, "lecturer": "Quine", "text": "Proofs and models."},
    {"code": "CS 210", "name": "Databases", "credits": 5, "lecturer": "Codd", "text": "Relations and queries."}
]"#;

const SETTINGS: &str = "[[records]]\nmatch = \"*.json\"\nid = \"code\"\ntitle = \"{code} {name}\"\n\
text = [\"text\"]\nlink = \"https://www.example.edu/{code}\"\n[records.facts]\nCredits = \"credits\"\n\
Lecturer = \"lecturer\"\n[records.metadata]\ntype = \"academic\"\ncourse_code = \"{code}\"\n";

/// A question, the document that answers it, words of the row, and words of other rows.
const CASES: &[(&str, &str, &[&str])] = &[
    ("How many ECTS may a student in the 2nd year take?", "guide.md", &["2nd year", "46"]),
    ("What is the maximum of ECTS for the fourth year of study?", "guide.md", &["4th year", "60"]),
    (
        "Which modules does the course Databases belong to?",
        "guide.md",
        &["Databases", "Data Science, Software Systems"],
    ),
    (
        "Does Cryptography count for the Cybersecurity module?",
        "guide.md",
        &["Cryptography", "Cybersecurity"],
    ),
    ("Who is the Erasmus coordinator?", "contacts.csv", &["Ben Marsh", "marsh@example.edu"]),
    ("When does the registration for the thesis close?", "deadlines.ics", &["15 January 2027"]),
    ("How many credits does CS 210 have?", "courses.json#CS-210", &["Credits: 5"]),
    ("Who teaches Logic, CS 101?", "courses.json#CS-101", &["Quine"]),
];

#[test]
fn the_right_passage_is_found_for_a_question_about_one_row() {
    let docs = folder(&[
        ("campanile.toml", SETTINGS),
        ("guide.md", GUIDE),
        ("contacts.csv", CONTACTS),
        ("deadlines.ics", CALENDAR),
        ("courses.json", COURSES),
    ]);
    let (site, run) = build(docs.path(), 0);
    assert_eq!(run.json()["documents"], 5);
    for (question, document, words) in CASES {
        let reply =
            campanile(&["ask", text(site.path()), question, "--json"]).expect_code(0).json();
        let source = &reply["sources"][0];
        assert_eq!(source["document"], *document, "{question}: {reply:#}");
        let passage = source["text"].as_str().unwrap();
        for word in *words {
            assert!(passage.contains(word), "{question}: `{word}` is not in\n{passage}");
        }
    }
}
