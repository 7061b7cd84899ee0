#![expect(clippy::unwrap_used, reason = "a test may fail")]

use super::{DEEPEST, Fault, parse};

const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

#[test]
fn names_go_by_their_namespace() {
    // The source, and the names of all elements and of the root's attributes.
    let cases = [
        (format!("<w:a xmlns:w='{W}' w:x='1' y='2'/>"), "w:a w:x y"),
        (format!("<a xmlns='{W}'><b/></a>"), "w:a w:b"),
        (format!("<z:a xmlns:z='{W}'><b/></z:a>"), "w:a b"),
        ("<w:a><w:b/></w:a>".to_owned(), "w:a w:b"),
        ("<w:a xmlns:w='http://x.y'/>".to_owned(), "other-w:a"),
        (format!("<w:a xmlns:w='x'><w:b xmlns:w='{W}'/><w:c/></w:a>"), "other-w:a w:b other-w:c"),
        (
            "<o:a xmlns:o='urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0'/>"
                .to_owned(),
            "fo:a",
        ),
        ("<w:a xmlns:w='http://purl.oclc.org/ooxml/wordprocessingml/main'/>".to_owned(), "w:a"),
    ];
    for (source, expected) in cases {
        let root = parse(&source).unwrap();
        let mut names = vec![root.name.to_string()];
        names.extend(root.attributes.iter().map(|(name, _)| name.to_string()));
        names.extend(root.descendants().map(|element| element.name.to_string()));
        assert_eq!(names.join(" "), expected, "{source}");
    }
}

#[test]
fn text_is_kept_in_order() {
    let root = parse("<a> x &amp; <b>&#x79;</b>\r\n<![CDATA[<z>]]><!-- no --></a>").unwrap();
    assert_eq!(root.text(), " x & y\n<z>");
    assert_eq!(root.child("b").unwrap().text(), "y");
}

#[test]
fn what_is_no_part_of_an_office_document_is_refused() {
    let laughs = "<!DOCTYPE a [<!ENTITY b \"ha\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>";
    let deep = "<a>".repeat(100_000);
    let declared: String = (0..300).map(|number| format!(" xmlns:n{number}='u'")).collect();
    let cases: [(&str, &str); 9] = [
        (laughs, "document type"),
        ("<a>&c;</a>", "unknown entity `&c;`"),
        ("<a b='&c;'/>", "c"),
        ("<a><b></a>", "offset"),
        ("<a><b>", "ends inside of the element `b`"),
        ("", "no element"),
        ("<a b=1/>", ""),
        ("<a>&#0;</a>", ""),
        (&format!("<a{declared}/>"), "namespaces"),
    ];
    for (source, expected) in cases {
        match parse(source) {
            Err(Fault::Broken(reason)) => {
                assert!(reason.contains(expected), "{expected:?} in {reason:?}");
            }
            other => assert!(matches!(other, Err(Fault::Broken(_))), "{source}: {other:?}"),
        }
    }
    assert_eq!(parse(&deep).err(), Some(Fault::TooDeep));
    let fits = format!("{}{}", "<a>".repeat(DEEPEST), "</a>".repeat(DEEPEST));
    assert!(parse(&fits).is_ok());
}
