#![expect(clippy::unwrap_used, reason = "a test may fail")]

use super::{Sheet, SheetCell, SheetRow, one_line};

/// A sheet of rows with `|` between the cells; `2x3*A` takes 2 columns and 3 rows, `!A` is bold.
fn sheet(source: &str) -> Sheet {
    let rows = source.lines().zip(0..).map(|(line, number)| {
        let cells = line.split('|').zip(0..).filter(|(text, _)| !text.is_empty());
        let cells = cells.map(|(text, column)| {
            let (is_bold, text) = text.strip_prefix('!').map_or((false, text), |text| (true, text));
            let (columns, rows, text) = match text.split_once('*') {
                Some((size, text)) => {
                    let (columns, rows) = size.split_once('x').unwrap();
                    (columns.parse().unwrap(), rows.parse().unwrap(), text)
                }
                None => (1, 1, text),
            };
            SheetCell { is_bold, columns, rows, ..SheetCell::new(column, text) }
        });
        SheetRow { number, cells: cells.collect() }
    });
    Sheet { rows: rows.filter(|row| !row.cells.is_empty()).collect(), is_free: true }
}

/// Each part: its titles, then its sentences.
fn parts(source: &str) -> Vec<(String, Vec<String>)> {
    let parts = sheet(source).parts();
    let read = parts.iter().map(|part| {
        let sentences = part.table().sentences().into_iter().map(|row| row.text).collect();
        (part.titles.join(" / "), sentences)
    });
    read.collect()
}

fn part(titles: &str, sentences: &[&str]) -> (String, Vec<String>) {
    (titles.to_owned(), sentences.iter().map(|text| (*text).to_owned()).collect())
}

#[test]
fn sheets_are_taken_apart_into_tables() {
    assert_eq!(
        parts(
            "Exams\nWinter 2026\nCourse|ECTS\nLogic|6\n\nRoom|Seats\nHS 1|120\n\nAsk the office."
        ),
        [
            part("Exams / Winter 2026", &["Course: Logic; ECTS: 6"]),
            part("", &["Room: HS 1; Seats: 120"]),
            part("", &["Ask the office."]),
        ]
    );
    assert_eq!(
        parts("Course|ECTS||Room|Seats\nLogic|6||HS 1|120\nTopology|9||HS 2|80"),
        [
            part("", &["Course: Logic; ECTS: 6", "Course: Topology; ECTS: 9"]),
            part("", &["Room: HS 1; Seats: 120", "Room: HS 2; Seats: 80"]),
        ]
    );
}

#[test]
fn an_empty_row_does_not_end_a_table_that_goes_on() {
    assert_eq!(
        parts("Course|ECTS\nLogic|6\n\nTopology|9\nTotal|15"),
        [part("", &["Course: Logic; ECTS: 6", "Course: Topology; ECTS: 9", "Total — ECTS: 15"])]
    );
}

#[test]
fn merged_cells_reach_over_rows_and_columns() {
    assert_eq!(
        parts("!1x2*Course|!2x1*ECTS|\n|!Winter|!Summer\nLogic|6|\n1x2*Thesis|2x1*30|\n|12|"),
        [part(
            "",
            &[
                "Course: Logic; ECTS Winter: 6",
                "Course: Thesis; ECTS Winter/Summer: 30",
                "Course: Thesis; ECTS Winter: 12",
            ]
        )]
    );
    assert_eq!(
        parts("2x1*Winter term|\nCourse|ECTS\nLogic|6"),
        [part("Winter term", &["Course: Logic; ECTS: 6"])]
    );
}

#[test]
fn facts_above_and_below_a_table_are_no_head() {
    let rooms = part(
        "",
        &["Module: Law; Room: B 204; Time: 10:00", "Module: Maths; Room: B 1; Time: 12:00"],
    );
    let table = "Module|Room|Time\nLaw|B 204|10:00\nMaths|B 1|12:00";
    let facts = part("", &["Institute: Tidal Engineering", "Term: Winter 2026/27"]);
    let cases = [
        // With an empty row between and without; with colons and without; the values further right.
        ("Institute:|Tidal Engineering\nTerm:|Winter 2026/27\n\n", vec![facts.clone()]),
        ("Institute:|Tidal Engineering\nTerm:|Winter 2026/27\n", vec![facts.clone()]),
        ("Institute:||Tidal Engineering\nTerm:||Winter 2026/27\n", vec![facts.clone()]),
        ("Institute|Tidal Engineering\nTerm|Winter 2026/27\n", vec![facts]),
        ("Term:|Winter 2026/27\n", vec![part("", &["Term: Winter 2026/27"])]),
        ("Plan\nTerm:|Winter 2026/27\n", vec![part("Plan", &["Term: Winter 2026/27"])]),
        // The head names two of three columns.
        ("", Vec::new()),
    ];
    for (above, mut expected) in cases {
        expected.push(rooms.clone());
        assert_eq!(parts(&format!("{above}{table}")), expected, "{above}");
    }
    let below = part("", &["As of: 1 May 2026", "Contact: the office"]);
    assert_eq!(parts(&format!("{table}\nAs of:|1 May 2026\nContact:|the office")), [rooms, below]);
    // Fields and values, and nothing else.
    assert_eq!(parts("Room:|B 204\nPhone:|555"), [part("", &["Room: B 204", "Phone: 555"])]);
    assert_eq!(
        parts("Course|Day\nLogic|Monday|10:00\nTopology|Friday|12:00").len(),
        1,
        "a head that names two of three columns"
    );
}

#[test]
fn columns_behind_a_gap_that_have_no_names_of_rows_belong_to_the_table() {
    let together = [part(
        "",
        &[
            "Kind: Card; Winter Full: 5 EUR; Winter Half: 3 EUR; Summer Full: 4 EUR; Summer Half: 2 EUR",
            "Kind: Key; Winter Full: 9 EUR; Winter Half: 8 EUR; Summer Full: 7 EUR; Summer Half: 6 EUR",
        ],
    )];
    assert_eq!(
        parts(
            "|Winter||||Summer\nKind|Full|Half|||Full|Half\nCard|5 EUR|3 EUR|||4 EUR|2 EUR\nKey|9 EUR|8 EUR|||7 EUR|6 EUR"
        ),
        together
    );
    assert_eq!(
        parts(
            "|Winter|||Summer\nKind|Room|Host||Room|Host\nTour|A 1|Lind||A 2|Voss\nTalk|B 1|Moor||B 2|Bell"
        ),
        [part(
            "",
            &[
                "Kind: Tour; Winter Room: A 1; Winter Host: Lind; Summer Room: A 2; Summer Host: Voss",
                "Kind: Talk; Winter Room: B 1; Winter Host: Moor; Summer Room: B 2; Summer Host: Bell",
            ]
        )]
    );
    // Two tables of years, and one that is longer.
    assert_eq!(parts("Year|Guests||Year|Staff\n2025|30||2025|4\n2026|32||2026|5").len(), 2);
    assert_eq!(parts("Room|Seats||A|B\nA 1|20||5|6\nA 2|30||7|8\nA 3|30").len(), 2);
}

#[test]
fn names_of_fields_in_bold_stand_beside_their_values() {
    assert_eq!(
        parts("!Keeper|Ada Lind\n!Pier|North\n!Lamp|Yes"),
        [part("", &["Keeper: Ada Lind", "Pier: North", "Lamp: Yes"])]
    );
    assert_eq!(
        parts("!Keeper|Ada Lind|!Lamp|Red\n!Pier|North||\n"),
        [part("", &["Keeper: Ada Lind; Lamp: Red", "Pier: North"])]
    );
}

#[test]
fn a_text_in_bold_alone_names_a_group() {
    assert_eq!(
        parts("Fee|Amount\n!Guests\nRepeat|EUR 90\nCard|EUR 5"),
        [part("", &["Guests — Fee: Repeat; Amount: EUR 90", "Guests — Fee: Card; Amount: EUR 5"])]
    );
    assert_eq!(
        parts(
            "!Fee|!Amount\n!Students\nBachelor\nExam|30 EUR\nMaster\nExam|40 EUR\n!Guests\nExam|90 EUR"
        ),
        [part(
            "",
            &[
                "Students — Bachelor — Fee: Exam; Amount: 30 EUR",
                "Students — Master — Fee: Exam; Amount: 40 EUR",
                "Guests — Fee: Exam; Amount: 90 EUR",
            ]
        )]
    );
    // Not in bold: a value may be missing, unless it is so time and again.
    assert_eq!(
        parts("Fee|Amount\nGuests\nRepeat|EUR 90\nStudents\nRepeat|EUR 30"),
        [part(
            "",
            &["Guests — Fee: Repeat; Amount: EUR 90", "Students — Fee: Repeat; Amount: EUR 30"]
        )]
    );
    assert_eq!(
        parts("Fee|Amount\nCard|EUR 5\nLocker\nRepeat|EUR 90"),
        [part("", &["Fee: Card; Amount: EUR 5", "Fee: Locker", "Fee: Repeat; Amount: EUR 90"])]
    );
    assert_eq!(
        parts("Course|Note\nLogic\nAlgebra|in English\nTopology\nStatistics|online"),
        [part(
            "",
            &[
                "Course: Logic",
                "Course: Algebra; Note: in English",
                "Course: Topology",
                "Course: Statistics; Note: online"
            ]
        )]
    );
}

#[test]
fn a_bold_row_is_a_head() {
    assert_eq!(parts("!Alpha|!Beta\nOne|Two"), [part("", &["Alpha: One; Beta: Two"])]);
}

#[test]
fn lists_get_commas_and_prose_does_not() {
    let cases = [
        ("Grammars\nAlgorithms for NLP\n", "Grammars, Algorithms for NLP"),
        ("Students must complete\na project.", "Students must complete a project."),
        ("Room:\nW 1.01", "Room: W 1.01"),
        ("  a \t b  ", "a b"),
        (
            "<p>Tidal Hydraulics &amp; waves</p><p>Room HS&nbsp;2</p>",
            "Tidal Hydraulics & waves, Room HS 2",
        ),
        ("", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(one_line(text), expected);
    }
}

#[test]
fn a_bold_head_with_a_second_sign_begins_a_further_table() {
    let courses = "!Course|!Room\nKnots|Dock 1\nRowing|Dock 2\n";
    let read = part("", &["Course: Knots; Room: Dock 1", "Course: Rowing; Room: Dock 2"]);
    // What stands below the table, and how it is read.
    let cases = [
        // Its names stand over figures, where there were words.
        (
            "!Item|!Deposit\nCamera|50 EUR\nTripod|20 EUR",
            part("", &["Item: Camera; Deposit: 50 EUR", "Item: Tripod; Deposit: 20 EUR"]),
        ),
        // It is wider.
        (
            "!Item|!Shelf|!Note\nCamera|left|bring a card\nTripod|right|heavy",
            part(
                "",
                &[
                    "Item: Camera; Shelf: left; Note: bring a card",
                    "Item: Tripod; Shelf: right; Note: heavy",
                ],
            ),
        ),
        // It has a title.
        (
            "Summer\n!Course|!Room\nSailing|Dock 3",
            part("Summer", &["Course: Sailing; Room: Dock 3"]),
        ),
        ("!Loans\n!Item|!Shelf\nCamera|left", part("Loans", &["Item: Camera; Shelf: left"])),
        // Its names are those of the first.
        ("!Course|!Room\nSailing|Dock 3", part("", &["Course: Sailing; Room: Dock 3"])),
    ];
    for (below, expected) in cases {
        let found = parts(&format!("{courses}{below}"));
        assert_eq!(found, [read.clone(), expected], "{below}");
    }
}

#[test]
fn a_bold_row_by_itself_is_a_row() {
    let rows = [
        // A row that is set off, a sum, a group, and a row at the end.
        "!Course|!Room\nKnots|Dock 1\n!Regatta|!Harbour\nRowing|Dock 2",
        "!Course|!Fee\nKnots|5 EUR\n!Total|!5 EUR\nRowing|7 EUR",
        "!Course|!Fee\nKnots|5 EUR\n!Regatta|!free\nRowing|7 EUR",
        "!Course|!Fee\nKnots|5 EUR\n!Guests\nRowing|7 EUR",
        "!Course|!Room\nKnots|Dock 1\nRowing|Dock 2\n!Regatta|!Harbour",
        "!Course|!Room|!Day\nKnots|Dock 1|Monday\n!Regatta|!Harbour\nRowing|Dock 2|Friday",
        "Course|Room\nKnots|Dock 1\n!Item|!Deposit\nCamera|50 EUR",
    ];
    for source in rows {
        assert_eq!(parts(source).len(), 1, "{source}");
    }
}

#[test]
fn tables_side_by_side_below_one_title_and_of_different_heights() {
    assert_eq!(
        parts(
            "5x1*School of the harbour\n!Course|!Room||!Item|!Deposit\nKnots|Dock 1||Camera|50 EUR\nRowing|Dock 2||Tripod|20 EUR"
        ),
        [
            part(
                "School of the harbour",
                &["Course: Knots; Room: Dock 1", "Course: Rowing; Room: Dock 2"]
            ),
            part("", &["Item: Camera; Deposit: 50 EUR", "Item: Tripod; Deposit: 20 EUR"]),
        ]
    );
    assert_eq!(
        parts(
            "!Course|!Room||!Item|!Deposit\nKnots|Dock 1||Camera|50 EUR\n|||Tripod|20 EUR\n!Guest|!Day||Lamp|5 EUR\nBrandt|Friday||Rope|7 EUR"
        ),
        [
            part("", &["Course: Knots; Room: Dock 1"]),
            part("", &["Guest: Brandt; Day: Friday"]),
            part(
                "",
                &[
                    "Item: Camera; Deposit: 50 EUR",
                    "Item: Tripod; Deposit: 20 EUR",
                    "Item: Lamp; Deposit: 5 EUR",
                    "Item: Rope; Deposit: 7 EUR"
                ]
            ),
        ]
    );
}
