//! Signs of fonts that show other signs than their letters: boxes, ticks, arrows, Greek letters.

use super::words::is_private;

/// A font whose letters are signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignFont {
    Wingdings,
    Wingdings2,
    Symbol,
}

impl SignFont {
    /// The font of this name, which a program may have numbered.
    pub(super) fn of(name: &str) -> Option<Self> {
        let name = name.trim().trim_matches(['"', '\'']).to_lowercase();
        if name.starts_with("wingdings 2") {
            return Some(Self::Wingdings2);
        }
        match name.trim_end_matches(|last: char| last.is_ascii_digit()) {
            "wingdings" => Some(Self::Wingdings),
            "symbol" => Some(Self::Symbol),
            _ => None,
        }
    }

    /// The character that a letter in this font looks like.
    pub(super) fn sign(self, letter: char) -> char {
        let code = u32::from(letter);
        let own = if is_private(letter) { code.wrapping_sub(0xF000) } else { code };
        let sign = match self {
            Self::Wingdings => wingding(own),
            Self::Wingdings2 => second_wingding(own),
            // Its letters are also written as Greek ones, and then this font is only what shows them.
            Self::Symbol if is_private(letter) => symbol(own),
            Self::Symbol => None,
        };
        sign.unwrap_or(letter)
    }
}

/// Returns `true` for boxes and ticks, which say whether something is done, chosen or needed.
pub(super) fn is_box(sign: char) -> bool {
    matches!(sign, '☐' | '☑' | '☒' | '✓' | '✔' | '✗' | '✘' | '✅' | '❌')
}

/// The character that such a sign looks like, so far as it says something in a text.
pub(super) fn symbol_character(font: &str, code: &str) -> Option<char> {
    let code = u32::from_str_radix(code, 16).ok()?;
    // Such fonts are laid over a private area of Unicode.
    let own = if (0xF000..=0xF0FF).contains(&code) { code - 0xF000 } else { code };
    match SignFont::of(font) {
        Some(SignFont::Wingdings) => wingding(own),
        Some(SignFont::Wingdings2) => second_wingding(own),
        Some(SignFont::Symbol) => symbol(own),
        None => char::from_u32(code).filter(|character| !is_private(*character)),
    }
}

fn wingding(code: u32) -> Option<char> {
    Some(match code {
        0x28 | 0x29 => '☎',
        0x2A | 0x2B => '✉',
        0x6F | 0x71 | 0x72 | 0xA8 => '☐',
        0xDF | 0xE7 => '←',
        0xE0 | 0xE8 | 0xF0 => '→',
        0xFC => '✓',
        0xFD | 0x78 => '☒',
        0xFE => '☑',
        0xFB => '✗',
        _ => return None,
    })
}

fn second_wingding(code: u32) -> Option<char> {
    Some(match code {
        0x4F => '✗',
        0x50 => '✓',
        0x51 | 0x53 | 0x54 => '☒',
        0x52 => '☑',
        0xA3 => '☐',
        _ => return None,
    })
}

/// Adobe's Symbol encoding: Greek letters and the commonest signs.
fn symbol(code: u32) -> Option<char> {
    const GREEK: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    const CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    let nth = |letters: &str, place: u32| letters.chars().nth(usize::try_from(place).ok()?);
    match code {
        0x61..=0x7A => nth(GREEK, code - 0x61),
        0x41..=0x5A => nth(CAPITALS, code - 0x41),
        0x20..=0x3F => char::from_u32(code),
        0xA3 => Some('≤'),
        0xB3 => Some('≥'),
        0xA5 => Some('∞'),
        0xAE | 0xDE => Some('→'),
        0xB0 => Some('°'),
        0xB1 => Some('±'),
        0xB4 => Some('×'),
        0xB9 => Some('≠'),
        0xBB => Some('≈'),
        0xE5 => Some('∑'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{SignFont, symbol_character};

    #[test]
    fn signs_of_fonts_become_characters() {
        let cases = [
            ("Wingdings", "F0E0", Some('→')),
            ("Wingdings", "F0FC", Some('✓')),
            ("Wingdings 2", "F052", Some('☑')),
            ("Wingdings 2", "A3", Some('☐')),
            ("Wingdings 3", "F052", None),
            ("Symbol", "F061", Some('α')),
            ("Symbol", "F0B7", None),
            ("Symbol", "57", Some('Ω')),
            ("Segoe UI Symbol", "2610", Some('☐')),
            ("Unknown", "F123", None),
            ("Unknown", "zz", None),
        ];
        for (font, code, expected) in cases {
            assert_eq!(symbol_character(font, code), expected, "{font} {code}");
        }
    }

    #[test]
    fn letters_are_what_their_font_shows() {
        let cases = [
            ("Wingdings", '\u{F0FE}', '☑'),
            ("Wingdings1", 'þ', '☑'),
            ("Wingdings", 'o', '☐'),
            ("Wingdings", ' ', ' '),
            ("'Wingdings 2'", 'R', '☑'),
            ("Symbol", '\u{F061}', 'α'),
            ("Symbol", 'a', 'a'),
        ];
        for (font, letter, expected) in cases {
            let found = SignFont::of(font).map(|font| font.sign(letter));
            assert_eq!(found, Some(expected), "{font} {letter}");
        }
        assert_eq!(SignFont::of("Segoe UI Symbol"), None);
        assert_eq!(SignFont::of("Arial"), None);
    }
}
