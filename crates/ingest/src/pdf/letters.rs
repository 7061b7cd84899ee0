//! Letters that a search can find, read from a glyph's code.

use unicode_normalization::UnicodeNormalization;

/// The text of a glyph: ligatures and shaped Arabic letters taken apart, symbol fonts read.
/// `None` if nobody can say what it shows.
pub(super) fn readable(text: &str) -> Option<String> {
    let mut read = String::new();
    for character in text.chars() {
        match character {
            '\u{FB00}'..='\u{FB4F}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => {
                read.extend(character.nfkc());
            }
            '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\t' | '\n' | '\r' => read.push(' '),
            '\u{2011}' => read.push('-'),
            '\u{E000}'..='\u{F8FF}' => read.push(symbol(character)?),
            '\u{FFFD}' | '\0' => return None,
            other if other.is_control() => {}
            other => read.push(other),
        }
    }
    (!read.is_empty()).then_some(read)
}

/// Symbol and Wingdings, whose codes Word writes into the private area.
fn symbol(character: char) -> Option<char> {
    Some(match u32::from(character) & 0xFF {
        0xB7 | 0x6C | 0x9F | 0x76 => '•',
        0xA7 | 0x6E | 0xA8 | 0x71 => '▪',
        0xD8 | 0xE8 | 0xE0 | 0xF0 => '→',
        0xFC | 0xFE => '✓',
        0xFB | 0xFD => '✗',
        0x2D => '–',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn glyphs_become_letters() {
        let cases = [
            ("ﬁ", Some("fi")),
            ("ﬄ", Some("ffl")),
            ("\u{FEB3}", Some("س")),
            ("\u{F0B7}", Some("•")),
            ("\u{F0FC}", Some("✓")),
            ("\u{E123}", None),
            ("\u{A0}", Some(" ")),
            ("\u{FFFD}", None),
            ("\u{1}", None),
            ("ü", Some("ü")),
            ("²", Some("²")),
        ];
        for (text, expected) in cases {
            assert_eq!(readable(text).as_deref(), expected, "{text:?}");
        }
    }
}
