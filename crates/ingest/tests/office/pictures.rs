//! Descriptions of pictures: what a sign in a cell means, what a picture that stands by itself says.

use crate::check;
use crate::docx::docx;
use crate::odf::odf;
use crate::pptx::{pptx, slide, title};
use crate::support::{read, shown};

const DESK: &str = "The porter's lodge is left of gate 4.";
const MACHINE: &str = "A close-up of a sign&#10;&#10;Description automatically generated";

/// A picture in a line of Word, with the attributes and the content of its properties.
fn in_word(properties: &str, content: &str) -> String {
    format!(
        "<w:r><w:drawing><wp:inline><wp:docPr id=\"1\" name=\"Picture 1\" {properties}>{content}</wp:docPr><a:graphic>\
         <a:graphicData><pic:pic/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
}

fn described(words: &str) -> String {
    in_word(&format!("descr=\"{words}\""), "")
}

fn cell(content: &str) -> String {
    format!("<w:tc><w:p>{content}</w:p></w:tc>")
}

fn text(words: &str) -> String {
    format!("<w:r><w:t>{words}</w:t></w:r>")
}

#[test]
fn pictures_of_word() {
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let head = row(&[cell(&text("Room")), cell(&text("Beamer")), cell(&text("Ramp"))]);
    let old =
        "<w:r><w:pict><v:shape alt=\"no\"><v:imagedata r:id=\"rId9\"/></v:shape></w:pict></w:r>";
    let two_forms = format!(
        "<mc:AlternateContent><mc:Choice>{0}</mc:Choice><mc:Fallback>{0}</mc:Fallback></mc:AlternateContent>",
        described("yes")
    );
    let table = format!(
        "<w:tbl>{head}{}{}{}</w:tbl>",
        row(&[cell(&text("H 1")), cell(&described("yes")), cell(&in_word("title=\"no\"", ""))]),
        row(&[cell(&text("H 2")), cell(old), cell(&two_forms)]),
        row(&[
            cell(&text("H 3")),
            cell(
                &[
                    text("yes"),
                    in_word(
                        "descr=\"a tick\"",
                        "<a:extLst><adec:decorative val=\"1\"/></a:extLst>"
                    )
                ]
                .concat()
            ),
            cell(&[text("no"), described("tick.png"), described(MACHINE)].concat()),
        ]),
    );
    let alone = |content: &str| format!("<w:p>{content}</w:p>");
    let boxed = format!(
        "<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>",
        alone(&described(DESK))
    );
    let cases = [
        (
            "signs in cells",
            table,
            "| Room: H 1; Beamer: yes; Ramp: no
             | Room: H 2; Beamer: no; Ramp: yes
             | Room: H 3; Beamer: yes; Ramp: no",
        ),
        ("a sentence by itself", alone(&described(DESK)), DESK),
        ("a sentence in a box is read once", alone(&boxed), DESK),
        (
            "an ornament within a line",
            alone(&[text("Ring twice."), described(DESK)].concat()),
            "Ring twice.",
        ),
        (
            "a caption that says the same",
            [alone(&described(DESK)), alone(&text(DESK)), alone(&text("End."))].concat(),
            "The porter's lodge is left of gate 4.\nEnd.",
        ),
        ("made by a machine", [alone(&described(MACHINE)), alone(&text("End."))].concat(), "End."),
        (
            "too few words",
            [alone(&described("Students in the library")), alone(&text("End."))].concat(),
            "End.",
        ),
    ];
    for (name, body, expected) in cases {
        check(name, &shown(&read("a/rooms.docx", &docx(&body))), expected);
    }
}

#[test]
fn pictures_of_open_document() {
    let picture = |words: &str| {
        format!(
            "<draw:frame><draw:image/><svg:title>Picture</svg:title><svg:desc>{words}</svg:desc></draw:frame>"
        )
    };
    let cell =
        |content: &str| format!("<table:table-cell><text:p>{content}</text:p></table:table-cell>");
    let row = |cells: [String; 3]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let table = format!(
        "<table:table>{}{}{}</table:table>",
        row([cell("Room"), cell("Seats"), cell("Ramp")]),
        row([cell("H 1"), cell("30"), cell(&picture("yes"))]),
        row([
            cell("H 2"),
            cell("24"),
            cell("<draw:frame><draw:image/><svg:title>no</svg:title></draw:frame>")
        ]),
    );
    let cases = [
        (
            "signs in cells",
            table,
            "| Room: H 1; Seats: 30; Ramp: yes\n| Room: H 2; Seats: 24; Ramp: no",
        ),
        ("a sentence by itself", format!("<text:p>{}</text:p>", picture(DESK)), DESK),
        ("beside the text", picture(DESK), DESK),
        ("an ornament within a line", format!("<text:p>Ring.{}</text:p>", picture(DESK)), "Ring."),
    ];
    for (name, body, expected) in cases {
        check(name, &shown(&read("a/rooms.odt", &odf("text", &body))), expected);
    }
    let page = format!("<draw:page>{}</draw:page>", picture(DESK));
    let expected = format!("@1\n# Slide 1\n{DESK}");
    check("a slide", &shown(&read("a/rooms.odp", &odf("presentation", &page))), &expected);
}

#[test]
fn pictures_of_slides() {
    let picture = |words: &str| {
        format!(
            "<p:pic><p:nvPicPr><p:cNvPr id=\"7\" name=\"x\" descr=\"{words}\"/></p:nvPicPr><p:spPr/></p:pic>"
        )
    };
    let slides = [slide(title("Way in") + &picture(DESK) + &picture(MACHINE) + &picture("Logo"))];
    let expected = format!("@1\n# Way in\n{DESK}");
    check("a slide", &shown(&read("a/way.pptx", &pptx(&slides))), &expected);
}
