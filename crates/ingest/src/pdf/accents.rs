//! Accents that are drawn over a letter as a glyph of their own, as old TeX fonts do.

use unicode_normalization::UnicodeNormalization;

use super::ink::Glyph;

/// The combining form of an accent that stands alone.
fn combining(text: &str) -> Option<char> {
    let mut characters = text.chars();
    let character = characters.next().filter(|_| characters.next().is_none())?;
    Some(match character {
        '`' | '\u{2CB}' => '\u{300}',
        '´' | '\u{2CA}' => '\u{301}',
        'ˆ' | '^' => '\u{302}',
        '˜' | '~' => '\u{303}',
        '¯' | 'ˉ' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30A}',
        '˝' => '\u{30B}',
        'ˇ' => '\u{30C}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        '\u{300}'..='\u{36F}' => character,
        _ => return None,
    })
}

/// Puts every accent onto the letter it stands over. `glyphs` are those of one line, left to right.
pub(super) fn combine(glyphs: &mut Vec<Glyph>) {
    let mut index = 0;
    while let Some(glyph) = glyphs.get(index) {
        let letter =
            combining(&glyph.text).and_then(|accent| Some((accent, under(glyphs, index)?)));
        let Some((accent, letter)) = letter else {
            index += 1;
            continue;
        };
        if let Some(letter) = glyphs.get_mut(letter) {
            letter.text = letter.text.chars().chain([accent]).nfc().collect();
        }
        glyphs.remove(index);
    }
}

/// The neighbour that the glyph at `index` lies over.
fn under(glyphs: &[Glyph], index: usize) -> Option<usize> {
    let accent = glyphs.get(index)?;
    let width = (accent.right() - accent.left()).max(0.1);
    let covers = |other: usize| {
        let letter = glyphs.get(other)?;
        let shared = accent.right().min(letter.right()) - accent.left().max(letter.left());
        let ends_in_letter = letter.text.chars().next_back().is_some_and(char::is_alphabetic);
        (ends_in_letter && shared > 0.6 * width).then_some(other)
    };
    covers(index + 1).or_else(|| covers(index.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use hayro_interpret::kurbo::Point;

    use super::*;

    #[test]
    fn accents_join_their_letters() {
        let cases = [
            (vec![("f", 0.0, 3.0), ("¨", 3.2, 7.0), ("u", 3.0, 8.0), ("r", 8.0, 11.0)], "für"),
            (vec![("e", 0.0, 5.0), ("´", 0.5, 4.5), ("t", 5.0, 8.0)], "ét"),
            (vec![("a", 0.0, 5.0), ("~", 5.0, 10.0), ("b", 10.0, 15.0)], "a~b"),
            (vec![("¨", 0.0, 5.0)], "¨"),
        ];
        for (drawn, expected) in cases {
            let mut glyphs: Vec<Glyph> = drawn
                .into_iter()
                .map(|(text, left, right)| Glyph {
                    text: text.to_owned(),
                    start: Point::new(left, 0.0),
                    end: Point::new(right, 0.0),
                    ..Glyph::default()
                })
                .collect();
            combine(&mut glyphs);
            let found: String = glyphs.iter().map(|glyph| glyph.text.as_str()).collect();
            assert_eq!(found, expected);
        }
    }
}
