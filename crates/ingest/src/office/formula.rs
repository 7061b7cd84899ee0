//! Formulas in one line, so that their words and figures can be found.

use super::xml::Element;

/// Of an `m:oMath` element (ECMA-376, part 1, chapter 22.1): `x^2`, `(a+b)/2`.
pub(super) fn formula(element: &Element) -> String {
    let part = |name: &str| element.child(name).map(formula).unwrap_or_default();
    match &*element.name {
        "m:t" => element.text(),
        "m:f" => format!("{}/{}", grouped(part("m:num")), grouped(part("m:den"))),
        "m:sSup" => format!("{}^{}", part("m:e"), grouped(part("m:sup"))),
        "m:rad" => format!("√{}", grouped(part("m:e"))),
        _ => element.elements().map(formula).collect(),
    }
}

fn grouped(part: String) -> String {
    let is_one = part.chars().all(|character| character.is_alphanumeric() || character == '.');
    if is_one { part } else { format!("({part})") }
}
