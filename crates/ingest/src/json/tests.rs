#![expect(clippy::unwrap_used, reason = "a test may fail")]

use super::Json;
use crate::read_bytes;

fn text(path: &str, source: &str) -> String {
    let reading = read_bytes(path, source.as_bytes(), &Default::default()).unwrap();
    reading.documents[0].text.clone()
}

#[test]
fn a_list_of_objects_is_a_table() {
    let source = r#"[{"name": "Logic", "ects": 6.0, "terms": ["winter", "summer"]},
                     {"name": "Thesis", "room_no": "W 1", "ects": null}]"#;
    assert_eq!(
        text("a.json", source),
        "name: Logic; ects: 6.0; terms: winter, summer\nname: Thesis; room no: W 1"
    );
    let lines = "{\"name\": \"Logic\", \"ects\": 6}\n\n{\"name\": \"Algebra\", \"ects\": 9}\n";
    assert_eq!(text("a.jsonl", lines), "name: Logic; ects: 6\nname: Algebra; ects: 9");
}

#[test]
fn lists_of_lists_are_tables() {
    let cases = [
        // The names are the first row, or stand beside the rows, as texts or as objects.
        (
            r#"[["Course", "Day", "Room"], ["Knots", "Tuesday", "Dock 2"], ["Rowing", "Monday", "Dock 1"]]"#,
            "Course: Knots; Day: Tuesday; Room: Dock 2\nCourse: Rowing; Day: Monday; Room: Dock 1",
        ),
        (
            r#"{"values": [["Course", "Time"], ["Knots", "10:00"]]}"#,
            "values\n\nCourse: Knots; Time: 10:00",
        ),
        (
            r#"{"columns": ["Course", "Room"], "index": [0, 1], "data": [["Knots", "Dock 2"], ["Rowing", "Dock 1"]]}"#,
            "Course: Knots; Room: Dock 2\nCourse: Rowing; Room: Dock 1",
        ),
        (
            r#"{"columns": ["Monday", "Tuesday"], "index": ["Knots", "Rowing"], "data": [["10:00", "12:00"], ["8:00", null]]}"#,
            "Knots — Monday: 10:00; Tuesday: 12:00\nRowing — Monday: 8:00",
        ),
        (
            r#"{"as_of": "May", "fields": [{"id": "c", "name": "Course"}, {"name": "ECTS"}], "rows": [["Knots", 6]]}"#,
            "as of: May\nCourse: Knots; ECTS: 6",
        ),
        // No table: coordinates, rows of several lengths.
        ("[[49.89, 10.88], [49.9, 10.9]]", "49.89\n10.88\n49.9\n10.9"),
        (r#"[["a", "b"], ["c"]]"#, "a\nb\nc"),
    ];
    for (source, expected) in cases {
        assert_eq!(text("a.json", source), expected, "{source}");
    }
}

#[test]
fn html_in_fields_is_read_as_a_browser_shows_it() {
    let source = r#"[{"title": {"rendered": "Leave &#8211; absence &amp; return"}, "content": {"rendered":
        "<p>Send it to the <a href=\"https://x.edu/dean\">dean</a>.</p>\n<ul><li>Fee: EUR&nbsp;5</li>\n<li>Room: C 101</li></ul>"}}]"#;
    assert_eq!(
        text("a.json", source),
        "title: Leave – absence & return; content: Send it to the dean (https://x.edu/dean). Fee: EUR 5, Room: C 101"
    );
    let long = format!("<p>{}</p><p>Room: C&nbsp;101</p>", "All pay the fee. ".repeat(20));
    let found = text("a.json", &format!("{{\"text\": \"{long}\"}}"));
    assert!(found.ends_with("All pay the fee.\n\nRoom: C 101"), "{found}");
    let example = r#"{"text": "A table begins with <table>, and a & b is no entity."}"#;
    assert_eq!(
        text("a.json", example),
        "text: A table begins with <table>, and a & b is no entity."
    );
}

#[test]
fn names_become_headings() {
    let source = r#"{"title": "Exam rules", "url": "https://x.edu/rules", "year": 2026,
        "resits": {"count": 2, "text": "A failed exam may be taken again.\n\nTwice at most.\nAsk the office."},
        "rooms": ["HS 1", "HS 2"], "steps": ["Sign up", {"then": "Wait"}]}"#;
    let reading = read_bytes("a.json", source.as_bytes(), &Default::default()).unwrap();
    let document = &reading.documents[0];
    assert_eq!(document.title, "Exam rules");
    assert_eq!(document.link.as_deref(), Some("https://x.edu/rules"));
    assert_eq!(
        document.text,
        "year: 2026\nrooms: HS 1, HS 2\n\n\
         resits\n\ncount: 2\n\ntext\n\nA failed exam may be taken again.\n\nTwice at most.\n\nAsk the office.\n\n\
         steps\n\nSign up\n\nthen: Wait"
    );
    assert_eq!(document.sections[2].path, ["resits", "text"]);
}

#[test]
fn numbers_are_kept_as_they_are_written() {
    let source =
        "[{\"a\": 1.10, \"b\": 123456789012345678901234567890, \"c\": 1e999, \"d\": true}]";
    let expected = "a: 1.10; b: 123456789012345678901234567890; c: 1e999; d: true";
    assert_eq!(text("a.json", source), expected);
}

#[test]
fn broken_files_are_refused_by_name_and_place() {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let cases: &[(&str, &str)] = &[
        ("{\"a\": ", "EOF while parsing a value at line 1 column 6"),
        ("[1,\n2,,]", "line 2"),
        ("", "EOF"),
        ("\"\\ud800\"", "hex escape"),
        (&deep(100), "nested more than 64 deep"),
        (&deep(300_000), "nested more than 64 deep"),
        (&"{\"a\":[".repeat(200_000), "EOF"),
    ];
    for (source, expected) in cases {
        let error = read_bytes("a/b.json", source.as_bytes(), &Default::default()).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("`a/b.json` is no sound JSON file"), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let nul = read_bytes("a.json", b"{\"a\": \"\0\"}", &Default::default()).unwrap_err();
    assert!(nul.to_string().contains("NUL byte at offset 7"), "{nul}");
    assert_eq!(text("a.json", "[{\"a\": \"x\\u0000y\", \"b\": \"<|im_start|>z\"}]"), "a: xy; b: z");
}

#[test]
fn bad_lines_are_left_out_and_named() {
    let source = "{\"a\": 1}\n{\"a\": \n{\"a\": 2}\nnonsense\n";
    let reading = read_bytes("a.ndjson", source.as_bytes(), &Default::default()).unwrap();
    assert_eq!(reading.documents[0].text, "a: 1\na: 2");
    let messages: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    assert!(
        messages[0]
            .starts_with("`a.ndjson`: left out 2 lines that are no JSON, the first of them line 2"),
        "{messages:?}"
    );
    assert!(messages[1].contains("`[[records]]`"), "{messages:?}");
    let error = read_bytes("a.jsonl", b"x\ny\n", &Default::default()).unwrap_err();
    assert!(error.to_string().contains("line 1: "), "{error}");
}

#[test]
fn fields_keep_their_order_and_the_last_of_a_name_counts() {
    let value = Json::parse(r#"{"b": 1, "a": [1, {"c": null}], "b": 2}"#).unwrap();
    assert_eq!(value.to_text(), "b: 1, a: 1, b: 2");
    assert_eq!(text("a.json", r#"[{"b": 1, "a": 3, "b": 2}]"#), "b: 2; a: 3");
}
