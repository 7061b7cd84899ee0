//! Signs of fonts that have an alphabet of their own (`w:sym`).

use super::super::words::is_private;

/// The character that such a sign looks like, so far as it says something in a text.
pub(super) fn character(font: &str, code: &str) -> Option<char> {
    let code = u32::from_str_radix(code, 16).ok()?;
    // Such fonts are laid over a private area of Unicode.
    let own = if (0xF000..=0xF0FF).contains(&code) { code - 0xF000 } else { code };
    let font = font.to_lowercase();
    if font.starts_with("wingdings") {
        return wingding(own);
    }
    if font == "symbol" {
        return symbol(own);
    }
    char::from_u32(code).filter(|character| !is_private(*character))
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
    use super::character;

    #[test]
    fn signs_of_fonts_become_characters() {
        let cases = [
            ("Wingdings", "F0E0", Some('→')),
            ("Wingdings", "F0FC", Some('✓')),
            ("Symbol", "F061", Some('α')),
            ("Symbol", "F0B7", None),
            ("Symbol", "57", Some('Ω')),
            ("Segoe UI Symbol", "2610", Some('☐')),
            ("Unknown", "F123", None),
            ("Unknown", "zz", None),
        ];
        for (font, code, expected) in cases {
            assert_eq!(character(font, code), expected, "{font} {code}");
        }
    }
}
