//! Tagged files whose structure tree alone says what is a heading.

use crate::support::{Page, Pdf};
use crate::{blocks, read};

/// Rows of a page in brackets that say nothing, each with its number.
fn page(rows: &[&str]) -> Page {
    rows.iter().enumerate().fold(Page::new(), |page, (index, row)| {
        page.raw(&format!("/NonStruct <</MCID {index}>> BDC"))
            .text(50.0, 60.0 + 24.0 * index as f64, 10.0, row)
            .raw("EMC")
    })
}

/// The pages with a tree of these elements, as (type, page, number); `root` are entries of the root.
fn tagged(pages: Vec<Page>, elements: &[(&str, usize, usize)], root: &str) -> Pdf {
    let kid = |(name, page, id): &(&str, usize, usize)| {
        let page = Pdf::page_object(*page);
        format!("<< /S /{name} /Pg {page} 0 R /K << /Type /MCR /MCID {id} >> >>")
    };
    let kids: Vec<String> = elements.iter().map(kid).collect();
    let pdf = Pdf::new(pages);
    let number = pdf.next_object();
    let tree =
        format!("<< /Type /StructTreeRoot {root} /K << /S /Document /K [{}] >> >>", kids.join(" "));
    pdf.catalog(&format!("/StructTreeRoot {number} 0 R")).object(&tree)
}

const ROWS: [&str; 6] = [
    "Keys",
    "A locker costs EUR 14 per term.",
    "Loss of a key",
    "It is reported within 2 days at the desk.",
    "Lost property",
    "Found things are kept for 60 days in room Keel.",
];
const EXPECTED: [&str; 3] = [
    "1 Keys A locker costs EUR 14 per term.",
    "1 Keys>Loss of a key It is reported within 2 days at the desk.",
    "1 Keys>Lost property Found things are kept for 60 days in room Keel.",
];

fn shown(pdf: &Pdf) -> Vec<String> {
    blocks(&read(pdf).0)
}

#[test]
fn headings_in_plain_type_are_known_by_the_tree() {
    let elements = |first: &'static str, second: &'static str| {
        [(first, 0, 0), ("P", 0, 1), (second, 0, 2), ("P", 0, 3), (second, 0, 4), ("P", 0, 5)]
    };
    let plain = shown(&tagged(vec![page(&ROWS)], &elements("H1", "H2"), ""));
    assert_eq!(plain, EXPECTED);
    // Under names of the program's own, in one step or several, and with a namespace.
    let root = "/RoleMap << /Kapitel /Heading1 /Heading1 /H1 /section /H2 >>";
    assert_eq!(shown(&tagged(vec![page(&ROWS)], &elements("Kapitel", "section"), root)), EXPECTED);
}

#[test]
fn a_tree_that_is_wrong_names_no_headings() {
    // Of another page: it does not know most brackets.
    let few = [("H1", 0, 1), ("H2", 0, 3)];
    let without = shown(&Pdf::new([page(&ROWS)]));
    assert_eq!(shown(&tagged(vec![page(&ROWS)], &few, "")), without);
    // It knows them, but calls sentences that look like all others headings.
    let shifted: Vec<(&str, usize, usize)> =
        (0..6).map(|id| (if id == 3 || id == 5 { "H1" } else { "P" }, 0, id)).collect();
    assert_eq!(shown(&tagged(vec![page(&ROWS)], &shifted, "")), without);
    // Files put together: the second has the numbers of the first, and no elements.
    let first = [("H1", 0, 0), ("P", 0, 1), ("H2", 0, 2), ("P", 0, 3), ("H2", 0, 4), ("P", 0, 5)];
    let other = ["All rooms are open", "Nobody sleeps here.", "Bring a card"];
    let both = shown(&tagged(vec![page(&ROWS), page(&other)], &first, ""));
    let second: Vec<&str> =
        both.iter().filter(|block| block.starts_with('2')).map(String::as_str).collect();
    let heading = "2 Keys>Lost property";
    assert!(second.iter().all(|block| block.starts_with(heading)), "{both:?}");
    assert!(!second.is_empty());
}

#[test]
fn a_tree_that_holds_itself_ends() {
    let pdf = Pdf::new([page(&ROWS)]);
    let number = pdf.next_object();
    let tree = format!("<< /S /Sect /K [{number} 0 R {number} 0 R {number} 0 R] >>");
    let pdf = pdf.catalog(&format!("/StructTreeRoot {number} 0 R")).object(&tree);
    assert!(!shown(&pdf).is_empty());
}

/// Its letters are larger than the text, and stand in the middle of a sentence.
#[test]
fn a_formula_in_large_letters_is_no_heading() {
    let page = Page::new()
        .text(60.0, 57.0, 15.0, "Rules of the programme Acoustics")
        .bold(60.0, 92.0, 11.0, "§ 6 Final mark")
        .text(
            60.0,
            110.0,
            10.0,
            "The final mark is the weighted mean of the marks of all modules by the formula",
        )
        .text(120.0, 139.0, 16.0, "X =")
        .text(205.0, 129.0, 16.0, "ai Fi")
        .text(208.0, 151.0, 16.0, "ai")
        .text(
            60.0,
            179.0,
            10.0,
            "in which Fi are the marks of the modules and ai their credits, cut behind the first",
        )
        .text(60.0, 194.0, 10.0, "decimal. The thesis counts twice.")
        .bold(60.0, 219.0, 11.0, "§ 7 Documents")
        .text(60.0, 237.0, 10.0, "Graduates receive a certificate and a supplement in English.");
    let (document, _) = read(&Pdf::new([page]));
    assert_eq!(document.title, "Rules of the programme Acoustics");
    let headings: Vec<&str> =
        document.sections.iter().map(|section| section.heading.as_str()).collect();
    assert_eq!(headings, ["Rules of the programme Acoustics", "§ 6 Final mark", "§ 7 Documents"]);
    assert!(
        document.text.contains("cut behind the first decimal. The thesis"),
        "{}",
        document.text
    );
}
