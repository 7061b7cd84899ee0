//! Tables.

use super::{item, p, run, tc};

fn bold(text: &str) -> String {
    format!("<w:tc><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p></w:tc>")
}

/// A table of plain rows, the first with these row properties.
fn table(first: &str, rows: &[&[&str]]) -> String {
    let rows: String = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let cells: String = row.iter().map(|text| tc("", text)).collect();
            let own = if index == 0 { first } else { "" };
            format!("<w:tr><w:trPr>{own}</w:trPr>{cells}</w:tr>")
        })
        .collect();
    format!("<w:tbl><w:tblPr/>{rows}</w:tbl>")
}

const HEAD: &str = "<w:tblHeader/>";

#[test]
fn tables_become_sentences() {
    let plain: &[&[&str]] = &[&["Course", "ECTS"], &["CS 101", "6"], &["CS 102", "3"]];
    let sentences = "| Course: CS 101; ECTS: 6
         | Course: CS 102; ECTS: 3";
    let merged = format!(
        "<w:tbl><w:tr><w:trPr>{HEAD}</w:trPr>{}{}{}</w:tr><w:tr>{}{}{}</w:tr><w:tr>{}{}{}</w:tr><w:tr>\
         <w:trPr><w:gridBefore w:val=\"1\"/></w:trPr>{}</w:tr></w:tbl>",
        tc("", "Year"),
        tc("", "Course"),
        tc("", "ECTS"),
        tc("<w:vMerge w:val=\"restart\"/>", "1"),
        tc("", "CS 101"),
        tc("", "6"),
        tc("<w:vMerge/>", ""),
        tc("", "CS 102"),
        tc("", "3"),
        tc("<w:gridSpan w:val=\"2\"/>", "none")
    );
    let cases: &[(&str, String, &str)] = &[
        ("a stated header", table(HEAD, plain), sentences),
        (
            "a bold header",
            format!(
                "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
                bold("Course"), bold("ECTS"), tc("", "CS 101"), tc("", "6")
            ),
            "| Course: CS 101; ECTS: 6",
        ),
        (
            "a header on a ground of its own",
            table("", plain).replacen("<w:tcPr></w:tcPr>", "<w:tcPr><w:shd w:fill=\"D9E2F3\"/></w:tcPr>", 2),
            sentences,
        ),
        (
            "a header by the table's style",
            table("", plain).replace(
                "<w:tblPr/>",
                "<w:tblPr><w:tblStyle w:val=\"Bunt\"/><w:tblLook w:val=\"04A0\" w:firstRow=\"1\"/></w:tblPr>",
            ),
            sentences,
        ),
        (
            "a style whose first row is switched off",
            table("", &[&["Phone", "555 0100"], &["Room", "2.14"]]).replace(
                "<w:tblPr/>",
                "<w:tblPr><w:tblStyle w:val=\"Bunt\"/><w:tblLook w:val=\"0480\"/></w:tblPr>",
            ),
            "| Phone: 555 0100
             | Room: 2.14",
        ),
        (
            "merged cells",
            merged,
            "| Year: 1; Course: CS 101; ECTS: 6
             | Year: 1; Course: CS 102; ECTS: 3
             | Course/ECTS: none",
        ),
        (
            "a caption above, and one below",
            [
                p("Beschriftung", "Table 1: Fees"),
                table(HEAD, &[&["Term", "Fee"], &["Winter", "120"]]),
                p("Standard", "Between."),
                table(HEAD, &[&["Term", "Fee"], &["Summer", "90"]]),
                p("Beschriftung", "Table 2: More"),
            ]
            .concat(),
            "Table 1: Fees
             | Term: Winter; Fee: 120
             Between.
             Table 2: More
             | Term: Summer; Fee: 90",
        ),
        (
            "a caption of a figure is none of the table above",
            [
                table(HEAD, &[&["Term", "Fee"], &["Winter", "120"]]),
                "<w:p><w:r><w:drawing/></w:r></w:p>".into(),
                p("Beschriftung", "Figure 1: Campus"),
            ]
            .concat(),
            "| Term: Winter; Fee: 120
             Figure 1: Campus",
        ),
        (
            "one cell over the whole width is the caption",
            format!(
                "<w:tbl><w:tr>{}</w:tr><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
                tc("<w:gridSpan w:val=\"2\"/>", "Fees"), bold("Term"), bold("Fee"), tc("", "Winter"), tc("", "120")
            ),
            "Fees
             | Term: Winter; Fee: 120",
        ),
        (
            "a table in a table lays out the page",
            format!(
                "<w:tbl><w:tr><w:tc>{}{}</w:tc>{}</w:tr></w:tbl>",
                p("Standard", "Left."), table(HEAD, &[&["Term", "Fee"], &["Winter", "120"]]), tc("", "Right.")
            ),
            "Left.
             | Term: Winter; Fee: 120
             Right.",
        ),
        (
            "a table of one cell is a box",
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Note.</w:t></w:r></w:p><w:p><w:r><w:t>Well.</w:t></w:r></w:p></w:tc></w:tr></w:tbl>".into(),
            "Note.
             Well.",
        ),
        (
            "paragraphs, numbers and notes of cells",
            format!(
                "<w:tbl><w:tr><w:trPr>{HEAD}</w:trPr>{}{}</w:tr><w:tr><w:tc>{}{}</w:tc><w:tc><w:p><w:r><w:t>6</w:t>\
                 <w:footnoteReference w:id=\"1\"/></w:r></w:p></w:tc></w:tr></w:tbl>",
                tc("", "Rule"), tc("", "ECTS"), item(1, 0, "Scope"), item(1, 0, "Term")
            ),
            "| Rule: § 1 Scope, § 2 Term; ECTS: 6
             See the fees
             [the fees](https://example.edu/fees)",
        ),
        (
            "names in bold and values that take turns",
            format!(
                "<w:tbl><w:tr>{}{}{}{}</w:tr><w:tr>{}{}{}{}</w:tr></w:tbl>",
                bold("Keeper"), tc("", "Ada Lind"), bold("Lamp"), tc("", "Red"),
                bold("Pier"), tc("", ""), bold("Flag"), tc("", "Blue")
            ),
            "| Keeper: Ada Lind; Lamp: Red
             | Pier; Flag: Blue",
        ),
        (
            "a deleted row",
            table(HEAD, &[&["Term", "Fee"], &["Winter", "120"]]).replace(
                "</w:tbl>",
                "<w:tr><w:trPr><w:del w:id=\"1\"/></w:trPr><w:tc><w:p><w:r><w:t>Gone</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
            ),
            "| Term: Winter; Fee: 120
             ! read 1 tracked change as if accepted. Accept or reject them in the document if it should be found otherwise",
        ),
    ];
    run(cases);
}
