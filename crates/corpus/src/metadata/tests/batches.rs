use crate::metadata::{Batch, Batches};

#[test]
fn batches_are_read_as_people_write_them() {
    // Text, and how it reads in words; none where it cannot be understood.
    let cases = [
        ("2021", Some("2021")),
        (" 2021 ", Some("2021")),
        ("2019-2022", Some("2019 to 2022")),
        ("2019 – 2022", Some("2019 to 2022")),
        ("2019 to 2022", Some("2019 to 2022")),
        ("2021-2021", Some("2021")),
        ("2023+", Some("2023 and later")),
        ("2023-", Some("2023 and later")),
        ("since 2023", Some("2023 and later")),
        ("2023 and later", Some("2023 and later")),
        ("until 2020", Some("until 2020")),
        ("-2020", Some("until 2020")),
        ("2021/22", Some("2021")),
        ("2021/2022", Some("2021")),
        ("2021-22", Some("2021")),
        ("1999/00", Some("1999")),
        ("E 18", Some("E 18")),
        ("winter  2024", Some("winter 2024")),
        ("2022-2019", None),
        ("2021/23", None),
        ("2021/2024", None),
        ("2021-2", None),
        ("21", None),
        ("20222", None),
        ("+", None),
        ("", None),
    ];
    for (text, expected) in cases {
        let found = Batch::read(text).map(|batch| batch.to_string());
        assert_eq!(found.as_deref(), expected, "{text:?}");
    }
}

#[test]
fn a_batch_is_found_among_others() {
    // What the document says, what the student says, whether they meet.
    let cases: [(&[&str], &str, bool); 13] = [
        (&["2021"], "2021", true),
        (&["2021"], "2022", false),
        (&["2019-2022"], "2022", true),
        (&["2019-2022"], "2023", false),
        (&["2023+"], "2023", true),
        (&["2023+"], "2022", false),
        (&["until 2020"], "2020", true),
        (&["2019", "2021+"], "2020", false),
        (&["2021"], "2021/22", true),
        (&["E18"], " e18", true),
        (&["E18"], "2018", false),
        (&["2018"], "E18", false),
        (&["2019-2022"], "2021-2023", false),
    ];
    for (stated, asked, expected) in cases {
        let batches = Batches::read(stated.iter().copied()).expect("batches");
        assert_eq!(batches.lists(asked), expected, "{stated:?}, {asked}");
    }
}

#[test]
fn a_star_is_everybody_and_a_mistake_is_named() {
    assert_eq!(Batches::read(["2021", "*"]), Ok(Batches::EVERYBODY));
    assert_eq!(Batches::read(["2021", "22"]), Err("22".to_owned()));
}
