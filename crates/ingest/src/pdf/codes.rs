//! Letters of fonts that are drawn as pictures (Type 3) and whose names are codes: `a82`.
//!
//! TeX has written such fonts for decades where outlines were missing. A name is the number of the letter in
//! TeX's own encodings: T1, called Cork after the meeting that made it, the older OT1, and those for signs.

use std::collections::BTreeMap;

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object};

/// 0 to 31, and 128 to 255, of the encoding T1; those between are ASCII.
const CORK_LOW: &str = "`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—\u{200C}₀ıȷﬀﬁﬂﬃﬄ";
const CORK_HIGH: &str = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖŒØÙÚÛÜÝÞẞàáâãäåæçèéêëìíîïðñòóôõöœøùúûüýþß";
/// 0 to 31 of the encoding OT1.
const OT1_LOW: &str = "ΓΔΘΛΞΠΣΥΦΨΩﬀﬁﬂﬃﬄıȷ`´ˇ˘¯˚¸ßæœøÆŒØ";
/// Signs of TeX's fonts of symbols (OMS) that stand in text.
const OMS: [(u8, char); 14] = [
    (0, '−'),
    (1, '·'),
    (2, '×'),
    (3, '*'),
    (6, '±'),
    (14, '◦'),
    (15, '•'),
    (102, '{'),
    (103, '}'),
    (106, '|'),
    (120, '§'),
    (121, '†'),
    (122, '‡'),
    (123, '¶'),
];
/// Signs of the fonts that go with T1 (TS1).
const TS1: [(u8, char); 22] = [
    (132, '†'),
    (133, '‡'),
    (136, '•'),
    (151, '™'),
    (162, '¢'),
    (163, '£'),
    (165, '¥'),
    (167, '§'),
    (169, '©'),
    (174, '®'),
    (176, '°'),
    (177, '±'),
    (178, '²'),
    (179, '³'),
    (181, 'µ'),
    (182, '¶'),
    (183, '·'),
    (185, '¹'),
    (189, '½'),
    (191, '€'),
    (214, '×'),
    (246, '÷'),
];
/// The sign of a paragraph is this many thousandths of an em wide at most, the letter of the same code in
/// a font of text is wider.
const WIDEST_SIGN: f32 = 475.0;

/// The encoding of such a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Cork,
    Ot1,
    Oms,
    Ts1,
}

/// A font whose letters are named by their codes.
#[derive(Clone, Debug)]
pub(super) struct CodedFont {
    /// The width of each letter, in thousandths of an em.
    widths: BTreeMap<u8, f32>,
    /// `None` if its letters are the same in all of them.
    encoding: Option<Encoding>,
}

impl CodedFont {
    /// Reads the font if all of its names are codes, and it says no more about its letters.
    pub(super) fn of(font: &Dict<'_>) -> Option<Self> {
        let is_drawn = font.get::<Name<'_>>(b"Subtype").is_some_and(|name| &*name == b"Type3");
        if !is_drawn || font.contains_key(b"ToUnicode") {
            return None;
        }
        let codes = codes(&font.get::<Dict<'_>>(b"Encoding")?.get::<Array<'_>>(b"Differences")?)?;
        let first = font.get::<u32>(b"FirstChar").unwrap_or(0);
        let scale = font.get::<[f32; 6]>(b"FontMatrix").map_or(0.001, |matrix| matrix[0]);
        let all: Vec<f32> = font.get::<Array<'_>>(b"Widths")?.iter::<f32>().take(256).collect();
        let width = |code: u8| {
            let at = u32::from(code).checked_sub(first).and_then(|at| usize::try_from(at).ok());
            at.and_then(|at| all.get(at)).map_or(0.0, |width| width * scale * 1000.0)
        };
        let widths: BTreeMap<u8, f32> = codes.into_iter().map(|code| (code, width(code))).collect();
        let encoding = encoding(&widths);
        Some(Self { widths, encoding })
    }

    fn holds(&self, code: u8, width: f32) -> bool {
        self.widths.get(&code).is_some_and(|own| (own - width).abs() < 1.0)
    }
}

/// The letter of a code and a width among the fonts of a page.
pub(super) fn letter(fonts: &[CodedFont], code: u32, width: f32) -> Option<char> {
    let code = u8::try_from(code).ok()?;
    let font = fonts.iter().find(|font| font.holds(code, width))?;
    let others = || fonts.iter().filter_map(|font| font.encoding);
    // The fonts of a document's text share one encoding.
    let usual = if others().any(|encoding| encoding == Encoding::Cork) {
        Encoding::Cork
    } else {
        Encoding::Ot1
    };
    decoded(font.encoding.unwrap_or(usual), code)
}

/// The codes that the names of a font stand for; `None` if one of them is a real name.
fn codes(differences: &Array<'_>) -> Option<Vec<u8>> {
    let mut codes = Vec::new();
    let mut is_numbered = false;
    let mut code: u32 = 0;
    for entry in differences.raw_iter() {
        match entry {
            MaybeRef::NotRef(Object::Number(number)) => {
                code = u32::try_from(number.as_i64()).ok()?
            }
            MaybeRef::NotRef(Object::Name(name)) => {
                let own = u8::try_from(code).ok()?;
                code += 1;
                if &*name == b".notdef" {
                    continue;
                }
                is_numbered |= name.len() > 1;
                if !names_code(&name, own) {
                    return None;
                }
                codes.push(own);
            }
            _ => return None,
        }
    }
    // A program that numbers the letters as it meets them gives them names like these too.
    let is_counted = codes.len() > 1
        && codes.windows(2).all(|pair| matches!(pair, [a, b] if a.checked_add(1) == Some(*b)));
    let is_coded = !codes.is_empty() && (!is_numbered || !is_counted);
    is_coded.then_some(codes)
}

/// Returns `true` if a name is nothing but a code: `a82`, `C082`, or the very byte.
fn names_code(name: &[u8], code: u8) -> bool {
    if name == [code] {
        return true;
    }
    let digits = name.iter().position(u8::is_ascii_digit).unwrap_or(name.len());
    let (letters, number) = name.split_at(digits);
    let number = std::str::from_utf8(number).ok().and_then(|number| number.parse::<u8>().ok());
    !letters.is_empty() && letters.iter().all(u8::is_ascii_alphabetic) && number == Some(code)
}

/// The encoding that the codes of a font show, if they show one.
fn encoding(widths: &BTreeMap<u8, f32>) -> Option<Encoding> {
    let codes = || widths.keys().copied();
    let among =
        |signs: &[(u8, char)]| codes().all(|code| signs.iter().any(|(own, _)| *own == code));
    let is_narrow = widths.get(&120).is_none_or(|width| *width < WIDEST_SIGN);
    if among(&OMS) && is_narrow {
        return Some(Encoding::Oms);
    }
    if among(&TS1) {
        return Some(Encoding::Ts1);
    }
    if codes().any(|code| code >= 128) {
        return Some(Encoding::Cork);
    }
    // Ligatures and dashes have other places in either.
    let cork = codes().filter(|code| matches!(code, 16..=18 | 21 | 22 | 27..=31)).count();
    let ot1 =
        codes().filter(|code| matches!(code, 11..=15 | 25 | 34 | 92 | 123 | 124 | 127)).count();
    match cork.cmp(&ot1) {
        std::cmp::Ordering::Greater => Some(Encoding::Cork),
        std::cmp::Ordering::Less => Some(Encoding::Ot1),
        std::cmp::Ordering::Equal => None,
    }
}

fn decoded(encoding: Encoding, code: u8) -> Option<char> {
    let sign =
        |signs: &[(u8, char)]| signs.iter().find(|(own, _)| *own == code).map(|(_, sign)| *sign);
    match (encoding, code) {
        (Encoding::Oms, _) => sign(&OMS),
        (Encoding::Ts1, _) => sign(&TS1),
        (_, 39) => Some('’'),
        (_, 96) => Some('‘'),
        (Encoding::Cork, 0..=31) => CORK_LOW.chars().nth(usize::from(code)),
        (Encoding::Cork, 127) => Some('-'),
        (Encoding::Cork, 128..) => CORK_HIGH.chars().nth(usize::from(code - 128)),
        (Encoding::Ot1, 0..=31) => OT1_LOW.chars().nth(usize::from(code)),
        (Encoding::Ot1, 34) => Some('”'),
        (Encoding::Ot1, 60) => Some('¡'),
        (Encoding::Ot1, 62) => Some('¿'),
        (Encoding::Ot1, 92) => Some('“'),
        (Encoding::Ot1, 94) => Some('ˆ'),
        (Encoding::Ot1, 95) => Some('˙'),
        (Encoding::Ot1, 123) => Some('–'),
        (Encoding::Ot1, 124) => Some('—'),
        (Encoding::Ot1, 125) => Some('˝'),
        (Encoding::Ot1, 126) => Some('˜'),
        (Encoding::Ot1, 127) => Some('¨'),
        (Encoding::Ot1, 128..) => None,
        (Encoding::Cork | Encoding::Ot1, 32..=126) => Some(char::from(code)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn font(codes: &[u8], width: f32) -> CodedFont {
        let widths: BTreeMap<u8, f32> = codes.iter().map(|code| (*code, width)).collect();
        let encoding = encoding(&widths);
        CodedFont { widths, encoding }
    }

    #[test]
    fn codes_are_letters_of_tex() {
        assert_eq!((CORK_LOW.chars().count(), CORK_HIGH.chars().count()), (32, 128));
        assert_eq!(OT1_LOW.chars().count(), 32);
        let cork = font(&[82, 252, 159, 255, 28, 21], 500.0);
        let ot1 = font(&[71, 25, 12, 123, 92, 114], 501.5);
        let cases = [
            (82, 500.0, 'R'),
            (252, 500.0, 'ü'),
            (159, 500.0, '§'),
            (255, 500.0, 'ß'),
            (28, 500.0, 'ﬁ'),
            (21, 500.0, '–'),
            (71, 501.5, 'G'),
            (25, 501.5, 'ß'),
            (12, 501.5, 'ﬁ'),
            (123, 501.5, '–'),
            (92, 501.5, '“'),
        ];
        for (code, width, expected) in cases {
            assert_eq!(letter(&[cork.clone(), ot1.clone()], code, width), Some(expected), "{code}");
        }
        // Fonts of signs; one of text that holds no more than an `x`.
        assert_eq!(letter(&[font(&[120], 444.0)], 120, 444.0), Some('§'));
        assert_eq!(letter(&[font(&[191, 167], 500.0)], 191, 500.0), Some('€'));
        assert_eq!(letter(&[font(&[120], 528.0)], 120, 528.0), Some('x'));
    }

    #[test]
    fn names_are_codes_or_not() {
        let cases: [(&[u8], u8, bool); 7] = [
            (b"a82", 82, true),
            (b"C082", 82, true),
            (b"A", 65, true),
            (b"a82", 83, false),
            (b"zero", 48, false),
            (b"12", 12, false),
            (b"", 0, false),
        ];
        for (name, code, expected) in cases {
            assert_eq!(names_code(name, code), expected, "{name:?}");
        }
    }
}
