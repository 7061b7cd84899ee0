//! PowerPoint presentations.

use crate::check;
use crate::support::{core, package, read, relationships, shown, start};

const P: &str = "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\" \
    xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
    xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";

/// A slide of these shapes; the attributes belong to the slide itself.
pub struct Slide {
    pub attributes: &'static str,
    pub shapes: String,
    pub notes: &'static str,
}

pub fn slide(shapes: impl Into<String>) -> Slide {
    Slide { attributes: "", shapes: shapes.into(), notes: "" }
}

fn root(name: &str, attributes: &str, shapes: &str) -> String {
    format!("<p:{name} {P} {attributes}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{name}>")
}

/// A presentation of these slides; the files are named against the order.
pub fn pptx(slides: &[Slide]) -> Vec<u8> {
    let [types, links] = start("ppt/presentation.xml", "presentationml.presentation");
    let file = |index: usize| slides.len() - index;
    let mut ids = String::new();
    let mut entries = Vec::new();
    let mut parts: Vec<(String, String)> = vec![
        (
            "ppt/slideLayouts/l1.xml".into(),
            root("sldLayout", "", &shape("<p:ph type=\"body\" idx=\"7\"/>", (0, 5_000_000), "")),
        ),
        (
            "ppt/slideLayouts/_rels/l1.xml.rels".into(),
            relationships(&[("rId1", "slideMaster", "../slideMasters/m1.xml")]),
        ),
        (
            "ppt/slideMasters/m1.xml".into(),
            root(
                "sldMaster",
                "",
                &shape("<p:ph type=\"body\" idx=\"1\"/>", (0, 2_000_000), &p("Click to edit")),
            ),
        ),
        (
            "ppt/diagrams/data1.xml".into(),
            format!(
                "<dgm:dataModel {P}><dgm:ptLst><dgm:pt type=\"doc\"/><dgm:pt><dgm:t>{}</dgm:t></dgm:pt><dgm:pt type=\"pres\">\
             <dgm:t>{}</dgm:t></dgm:pt><dgm:pt><dgm:t>{}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>",
                p("Apply"),
                p("Apply"),
                p("Enrol")
            ),
        ),
        ("ppt/comments/c1.xml".into(), format!("<p:cmLst {P}><p:cm/><p:cm/></p:cmLst>")),
        ("docProps/core.xml".into(), core("<dc:title>PowerPoint Presentation</dc:title>")),
    ];
    for (index, slide) in slides.iter().enumerate() {
        ids.push_str(&format!("<p:sldId id=\"{}\" r:id=\"s{index}\"/>", 256 + index));
        entries.push((format!("s{index}"), format!("slides/slide{}.xml", file(index))));
        let name = file(index);
        parts.push((
            format!("ppt/slides/slide{name}.xml"),
            root("sld", slide.attributes, &slide.shapes),
        ));
        let mut own = vec![
            ("rId1", "slideLayout", "../slideLayouts/l1.xml"),
            ("rId2", "hyperlink", "https://example.edu/apply"),
            ("rId3", "diagramData", "../diagrams/data1.xml"),
        ];
        let notes = format!("../notesSlides/n{name}.xml");
        if !slide.notes.is_empty() {
            own.push(("rId4", "notesSlide", &notes));
            let shapes = shape("<p:ph type=\"body\" idx=\"1\"/>", (0, 0), slide.notes)
                + &shape("<p:ph type=\"sldNum\" idx=\"2\"/>", (0, 0), &p("1"));
            parts.push((format!("ppt/notesSlides/n{name}.xml"), root("notes", "", &shapes)));
        }
        if slide.shapes.contains("commented") {
            own.push(("rId5", "comments", "../comments/c1.xml"));
        }
        parts.push((format!("ppt/slides/_rels/slide{name}.xml.rels"), relationships(&own)));
    }
    let entries: Vec<_> =
        entries.iter().map(|(id, target)| (id.as_str(), "slide", target.as_str())).collect();
    parts.push(("ppt/_rels/presentation.xml.rels".into(), relationships(&entries)));
    parts.push(("ppt/presentation.xml".into(), format!(
        "<p:presentation {P}><p:sldIdLst>{ids}</p:sldIdLst><p:sldSz cx=\"9144000\" cy=\"6858000\"/></p:presentation>"
    )));
    let mut all = vec![(types.0, types.1.as_str()), (links.0, links.1.as_str())];
    all.extend(parts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    package(&all)
}

/// A paragraph.
pub fn p(text: &str) -> String {
    format!("<a:p><a:r><a:rPr lang=\"en\"/><a:t>{text}</a:t></a:r></a:p>")
}

fn with(properties: &str, text: &str) -> String {
    format!("<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>")
}

/// A shape at a place with paragraphs.
pub fn shape(placeholder: &str, (x, y): (i64, i64), paragraphs: &str) -> String {
    let place = if (x, y) == (0, 0) {
        String::new()
    } else {
        format!(
            "<a:xfrm><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"1000000\" cy=\"500000\"/></a:xfrm>"
        )
    };
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"x\"/><p:cNvSpPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>\
         <p:spPr>{place}</p:spPr><p:txBody><a:bodyPr/>{paragraphs}</p:txBody></p:sp>"
    )
}

pub fn title(text: &str) -> String {
    shape("<p:ph type=\"title\"/>", (0, 0), &p(text))
}

fn frame((x, y): (i64, i64), data: &str) -> String {
    format!(
        "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"4\" name=\"t\"/></p:nvGraphicFramePr><p:xfrm><a:off x=\"{x}\" \
         y=\"{y}\"/><a:ext cx=\"10\" cy=\"10\"/></p:xfrm><a:graphic><a:graphicData>{data}</a:graphicData></a:graphic></p:graphicFrame>"
    )
}

fn cell(attributes: &str, text: &str) -> String {
    format!("<a:tc {attributes}><a:txBody>{}</a:txBody></a:tc>", p(text))
}

#[test]
fn slides_become_pages() {
    let body = "<p:ph idx=\"1\"/>";
    let cases: &[(&str, Vec<Slide>, &str)] = &[
        (
            "in the order of the presentation, with its levels and numbers",
            vec![
                slide(title("Welcome") + &shape("<p:ph type=\"subTitle\" idx=\"1\"/>", (0, 0), &p("Winter 2024"))),
                slide(title("How to apply") + &shape(body, (0, 0), &[
                    p("Bring:"),
                    with("<a:pPr lvl=\"1\"/>", "a card"),
                    with("<a:pPr><a:buAutoNum type=\"alphaLcParenR\"/></a:pPr>", "fill in"),
                    with("<a:pPr><a:buAutoNum type=\"alphaLcParenR\"/></a:pPr>", "sign"),
                    with("<a:pPr><a:buNone/></a:pPr>", "Done."),
                ].concat())),
            ],
            "@1
             # Welcome
             Winter 2024
             @2
             # How to apply
             - Bring:
             - a card
             - a) fill in
             - b) sign
             Done.",
        ),
        (
            "boxes by their places, placeholders by their layout",
            vec![slide([
                title("Map"),
                shape("<p:ph type=\"body\" idx=\"7\"/>", (0, 0), &p("At the bottom")),
                shape("", (5_000_000, 2_100_000), &p("Right.")),
                shape("", (100_000, 2_200_000), &p("Left.")),
                shape(body, (0, 0), &p("By the master")),
                shape("", (100_000, 1_000_000), &p("Top.")),
            ].concat())],
            "@1
             # Map
             Top.
             - By the master
             Left.
             Right.
             - At the bottom",
        ),
        (
            "groups have places of their own",
            vec![slide(title("Groups") + &shape("", (10, 3_000_000), &p("Third.")) +
                "<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm><a:off x=\"10\" y=\"1000000\"/><a:ext cx=\"100\" cy=\"1000000\"/>\
                 <a:chOff x=\"0\" y=\"0\"/><a:chExt cx=\"100\" cy=\"10000000\"/></a:xfrm></p:grpSpPr>" +
                &shape("", (10, 9_000_000), &p("Second.")) + &shape("", (10, 10), &p("First.")) + "</p:grpSp>")],
            "@1
             # Groups
             First.
             Second.
             Third.",
        ),
        (
            "hidden slides, hidden shapes, shapes beside the slide and tiny text",
            vec![
                slide(title("Seen") + &shape("", (20_000_000, 10), &p("Beside the slide.")) +
                    &shape("", (10, 10), &with("", "Shown.")) +
                    &shape("", (10, 2_000_000), "<a:p><a:r><a:rPr sz=\"100\"/><a:t>Tiny.</a:t></a:r></a:p>") +
                    &shape("", (10, 10), &p("Hidden shape.")).replace("name=\"x\"", "name=\"x\" hidden=\"1\"")),
                Slide { attributes: "show=\"0\"", shapes: title("Secret") + &shape(body, (0, 0), &p("Plan")), notes: "" },
                slide(title("Last")),
            ],
            "@1
             # Seen
             Shown.
             @3
             # Last
             ! text that a reader of the page does not see was left out (4 pieces, such as \"Beside the slide.\"). Make it visible if it should be found",
        ),
        (
            "notes, and no numbers, dates or footers",
            vec![Slide {
                attributes: "",
                shapes: title("Exams") + &shape("<p:ph type=\"sldNum\" idx=\"9\"/>", (0, 0), &p("7")) +
                    &shape("<p:ph type=\"ftr\" idx=\"8\"/>", (0, 0), &p("Department")) +
                    &shape(body, (0, 0), "<a:p><a:r><a:t>Until</a:t></a:r><a:br/><a:fld type=\"datetime1\"><a:t>today</a:t></a:fld><a:r><a:t>15 June</a:t></a:r></a:p>"),
                notes: "<a:p><a:r><a:t>Mention resits.</a:t></a:r></a:p><a:p/><a:p><a:r><a:t>Ask them.</a:t></a:r></a:p>",
            }],
            "@1
             # Exams
             - Until⏎15 June
             Notes: Mention resits.
             Ask them.",
        ),
        (
            "a slide without a title takes its top line, or its number",
            vec![
                slide(shape("", (10, 10), &p("Opening hours")) + &shape("", (10, 3_000_000), &p("Mon to Fri."))),
                slide(shape("", (10, 10), &p("All of this is a sentence."))),
                slide(""),
            ],
            "@1
             # Opening hours
             Mon to Fri.
             @2
             # Slide 2
             All of this is a sentence.
             @3",
        ),
        (
            "a table",
            vec![slide(title("Fees") + &frame((10, 10), &format!(
                "<a:tbl><a:tblPr firstRow=\"1\"/><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl>",
                cell("", "Term"), cell("", "Fee"), cell("rowSpan=\"2\"", "Winter"), cell("", "120"),
                cell("vMerge=\"1\"", ""), cell("", "60, reduced"), cell("gridSpan=\"2\"", "Ask"), cell("hMerge=\"1\"", "")
            )))],
            "@1
             # Fees
             | Term: Winter; Fee: 120
             | Term: Winter; Fee: 60, reduced
             | Ask",
        ),
        (
            "a diagram, a link and comments",
            vec![slide(title("Steps commented") + &frame((10, 10), "<dgm:relIds r:dm=\"rId3\"/>") + &shape("", (10, 3_000_000),
                "<a:p><a:r><a:t>See </a:t></a:r><a:r><a:rPr><a:hlinkClick r:id=\"rId2\"/></a:rPr><a:t>how to apply</a:t></a:r></a:p>"))],
            "@1
             # Steps commented
             - Apply
             - Enrol
             See how to apply
             [how to apply](https://example.edu/apply)
             ! left out 2 comments. Nothing needs to be done",
        ),
    ];
    for (name, slides, expected) in cases {
        check(name, &shown(&read("a/talk.pptx", &pptx(slides))), expected);
    }
}

#[test]
fn the_first_slide_names_the_presentation() {
    let file = pptx(&[slide(title("Studying here")), slide(title("Fees"))]);
    let document = &read("talk.pptx", &file).documents[0];
    assert_eq!(document.title, "Studying here");
    assert_eq!(document.sections[1].path, ["Fees"]);
}
