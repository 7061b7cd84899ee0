//! Formulas in one line of text: of Office (OMML: ECMA-376, part 1, chapter 22.1) and of OpenDocument (MathML).
//!
//! The text keeps what changes a value (brackets, sums with their bounds, roots, fractions) and writes it as people type it:
//! `0.4(A+B)^2`, `∑(i=1..n) x_i`, `³√8`.

use super::xml::Element;

/// The text of an `m:oMath` element.
pub(super) fn office(element: &Element) -> String {
    let part = |name: &str| element.child(name).map(office).unwrap_or_default();
    let setting = |properties: &str, name: &str| {
        let own = element.descend(&[properties, name]);
        own.map(|own| own.attribute("m:val").unwrap_or_default().to_owned())
    };
    let parts = |name: &str| {
        element.elements().filter(|child| child.is(name)).map(office).collect::<Vec<_>>()
    };
    match &*element.name {
        "m:t" => element.text(),
        "m:f" => {
            let (above, below) = (part("m:num"), part("m:den"));
            match setting("m:fPr", "m:type").as_deref() {
                Some("noBar") => format!("({above} over {below})"),
                _ => format!("{}/{}", grouped(&above), grouped(&below)),
            }
        }
        "m:sSup" => format!("{}^{}", part("m:e"), grouped(&part("m:sup"))),
        "m:sSub" => format!("{}_{}", part("m:e"), grouped(&part("m:sub"))),
        "m:sSubSup" => {
            format!("{}_{}^{}", part("m:e"), grouped(&part("m:sub")), grouped(&part("m:sup")))
        }
        "m:rad" => root(&part("m:deg"), &part("m:e")),
        "m:d" => {
            let begin = setting("m:dPr", "m:begChr").unwrap_or_else(|| "(".to_owned());
            let end = setting("m:dPr", "m:endChr").unwrap_or_else(|| ")".to_owned());
            let between = setting("m:dPr", "m:sepChr").unwrap_or_else(|| "|".to_owned());
            format!("{begin}{}{end}", parts("m:e").join(&between))
        }
        "m:nary" => {
            let sign = setting("m:naryPr", "m:chr").unwrap_or_else(|| "∫".to_owned());
            over(&sign, &part("m:sub"), &part("m:sup"), &part("m:e"))
        }
        "m:func" => spaced(&part("m:fName"), &part("m:e")),
        "m:limLow" => format!("{}_{}", part("m:e"), grouped(&part("m:lim"))),
        "m:limUpp" => format!("{}^{}", part("m:e"), grouped(&part("m:lim"))),
        "m:m" => parts("m:mr").join("; "),
        "m:mr" => parts("m:e").join(", "),
        "m:eqArr" => parts("m:e").join("; "),
        "m:phant" => String::new(),
        _ => element.elements().map(office).collect(),
    }
}

/// The text of a `math:math` element. Without the prefix where a program leaves the namespace out.
pub(super) fn mathml(element: &Element) -> String {
    let children: Vec<&Element> = element.elements().collect();
    let part = |place: usize| children.get(place).map(|child| mathml(child)).unwrap_or_default();
    let whole = || children.iter().map(|child| mathml(child)).collect::<String>();
    match element.name.rsplit(':').next().unwrap_or_default() {
        "mtext" if element.text().trim().is_empty() => " ".to_owned(),
        "mi" | "mn" | "mtext" | "ms" => element.text().trim().to_owned(),
        "mo" => operator(element.text().trim()),
        "mspace" => " ".to_owned(),
        "annotation" | "annotation-xml" | "mphantom" => String::new(),
        "semantics" => part(0),
        "mfrac" => format!("{}/{}", grouped(&part(0)), grouped(&part(1))),
        "msup" => format!("{}^{}", part(0), grouped(&part(1))),
        "msub" => format!("{}_{}", part(0), grouped(&part(1))),
        "msubsup" | "munderover" if is_sign(&part(0)) => over(&part(0), &part(1), &part(2), ""),
        "munder" if is_sign(&part(0)) => over(&part(0), &part(1), "", ""),
        "mover" if is_sign(&part(0)) => over(&part(0), "", &part(1), ""),
        "msubsup" | "munderover" => {
            format!("{}_{}^{}", part(0), grouped(&part(1)), grouped(&part(2)))
        }
        "munder" => format!("{}_{}", part(0), grouped(&part(1))),
        // An accent.
        "mover" => part(0),
        "msqrt" => root("", &whole()),
        "mroot" => root(&part(1), &part(0)),
        "mfenced" => {
            let side =
                |name: &str, usual: &str| element.attribute(name).unwrap_or(usual).to_owned();
            let parts: Vec<String> = children.iter().map(|child| mathml(child)).collect();
            format!("{}{}{}", side("open", "("), parts.join(", "), side("close", ")"))
        }
        "mtable" => children.iter().map(|row| mathml(row)).collect::<Vec<_>>().join("; "),
        "mtr" => children.iter().map(|cell| mathml(cell)).collect::<Vec<_>>().join(", "),
        _ => whole(),
    }
}

/// A sign of which there is one in a formula, without the marks that only place it.
fn operator(sign: &str) -> String {
    match sign {
        // Function application, times that nobody writes, a comma that nobody sees.
        "\u{2061}" | "\u{2062}" | "\u{2063}" | "\u{2064}" => String::new(),
        "=" | "≤" | "≥" | "<" | ">" | "≈" | "≠" => format!(" {sign} "),
        sign => sign.to_owned(),
    }
}

fn is_sign(text: &str) -> bool {
    matches!(text.trim(), "∑" | "∏" | "∫" | "⋃" | "⋂" | "∐" | "∮")
}

/// A sum, a product or an integral with its bounds: `∑(i=1..n) x_i`.
fn over(sign: &str, from: &str, to: &str, what: &str) -> String {
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let (from, to) = (squeezed(from), squeezed(to));
    let bounds = match (from.is_empty(), to.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!("({from})"),
        (true, false) => format!("(..{to})"),
        (false, false) => format!("({from}..{to})"),
    };
    format!("{sign}{bounds} {what}")
}

fn root(degree: &str, of: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |digit: char| RAISED.get(usize::try_from(digit.to_digit(10)?).ok()?).copied();
    let degree = degree.trim();
    let sign = match degree.chars().map(raised).collect::<Option<String>>() {
        Some(raised) => format!("{raised}√"),
        None => format!("({degree})√"),
    };
    format!("{sign}{}", grouped(of))
}

fn spaced(name: &str, of: &str) -> String {
    let is_apart = of.starts_with('(') || name.is_empty();
    if is_apart { format!("{name}{of}") } else { format!("{name} {of}") }
}

fn grouped(part: &str) -> String {
    let part = part.trim();
    let is_one = part.chars().all(|character| character.is_alphanumeric() || character == '.');
    if is_one { part.to_owned() } else { format!("({part})") }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::super::xml::parse;
    use super::{mathml, office};

    #[test]
    fn formulas_of_office_keep_what_changes_a_value() {
        let e = |text: &str| format!("<m:e><m:r><m:t>{text}</m:t></m:r></m:e>");
        let part =
            |name: &str, text: &str| format!("<m:{name}><m:r><m:t>{text}</m:t></m:r></m:{name}>");
        let cases = [
            (format!("<m:d>{}</m:d>", e("A+B")), "(A+B)"),
            (
                format!(
                    "<m:d><m:dPr><m:begChr m:val='|'/><m:endChr m:val='|'/></m:dPr>{}</m:d>",
                    e("x−y")
                ),
                "|x−y|",
            ),
            (
                format!(
                    "<m:d><m:dPr><m:begChr m:val='{{'/><m:endChr m:val=''/></m:dPr>{}</m:d>",
                    e("x")
                ),
                "{x",
            ),
            (format!("<m:d>{}{}</m:d>", e("a"), e("b")), "(a|b)"),
            (
                format!(
                    "<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr>{}{}{}</m:nary>",
                    part("sub", "i=1"),
                    part("sup", "n"),
                    e("x")
                ),
                "∑(i=1..n) x",
            ),
            (format!("<m:nary>{}</m:nary>", e("f")), "∫ f"),
            (format!("<m:rad>{}{}</m:rad>", part("deg", "3"), e("8")), "³√8"),
            (format!("<m:rad><m:deg/>{}</m:rad>", e("8")), "√8"),
            (format!("<m:rad>{}{}</m:rad>", part("deg", "n"), e("a+b")), "(n)√(a+b)"),
            (format!("<m:sSub>{}{}</m:sSub>", e("N"), part("sub", "max")), "N_max"),
            (
                format!(
                    "<m:sSubSup>{}{}{}</m:sSubSup>",
                    e("x"),
                    part("sub", "i"),
                    part("sup", "2")
                ),
                "x_i^2",
            ),
            (format!("<m:f>{}{}</m:f>", part("num", "1"), part("den", "n+1")), "1/(n+1)"),
            (
                format!(
                    "<m:f><m:fPr><m:type m:val='noBar'/></m:fPr>{}{}</m:f>",
                    part("num", "n"),
                    part("den", "k")
                ),
                "(n over k)",
            ),
            (format!("<m:func>{}{}</m:func>", part("fName", "log"), e("z")), "log z"),
            (format!("<m:eqArr>{}{}</m:eqArr>", e("a"), e("b")), "a; b"),
            (
                format!("<m:m><m:mr>{}{}</m:mr><m:mr>{}</m:mr></m:m>", e("1"), e("0"), e("2")),
                "1, 0; 2",
            ),
        ];
        for (source, expected) in cases {
            let root = parse(&format!(
                "<m:oMath xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math'>{source}</m:oMath>"
            ));
            assert_eq!(office(&root.unwrap()), expected, "{source}");
        }
    }

    #[test]
    fn formulas_of_open_document_too() {
        let cases = [
            (
                "<mn>0.4</mn><msup><mfenced><mrow><mi>A</mi><mo>+</mo><mi>B</mi></mrow></mfenced><mn>2</mn></msup>",
                "0.4(A+B)^2",
            ),
            ("<mo>(</mo><mi>A</mi><mo>+</mo><mi>B</mi><mo>)</mo>", "(A+B)"),
            (
                "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>",
                "∑(i=1..n) x_i",
            ),
            (
                "<mroot><mn>8</mn><mn>3</mn></mroot><mo>≤</mo><msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>",
                "³√8 ≤ √(a+b)",
            ),
            ("<mfrac><mn>1</mn><mi>n</mi></mfrac>", "1/n"),
            ("<semantics><mi>x</mi><annotation>x over y</annotation></semantics>", "x"),
            (
                "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>2</mn></mtd></mtr></mtable>",
                "1, 0; 2",
            ),
        ];
        for (source, expected) in cases {
            for open in ["<math xmlns='http://www.w3.org/1998/Math/MathML'>", "<math>"] {
                let root = parse(&format!("{open}{source}</math>")).unwrap();
                assert_eq!(mathml(&root).trim(), expected, "{source}");
            }
        }
    }
}
