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
